"""How many levels are done: shown on a terminal only."""

import io
import sys

import pytest

from levelsense.terminal.counting import counting


class Terminal(io.StringIO):
    """Something that somebody looks at."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with counting(3, "simulating") as tell:
        assert tell is not None
        tell(2)
    shown = terminal.getvalue()
    assert "simulating" in shown
    assert "2/3" in shown


def test_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = io.StringIO()
    monkeypatch.setattr(sys, "stderr", elsewhere)
    with counting(3) as tell:
        assert tell is None
    assert elsewhere.getvalue() == ""
