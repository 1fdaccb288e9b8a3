"""How many levels are done: shown on a terminal only."""

import io
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from levelsense.cli.prediction import predict
from levelsense.cli.terminal import prediction as predicting
from levelsense.cli.terminal.progress import counting, under_way_words, working
from levelsense.errors import PredictionError
from levelsense.playtest import PairProgress, gather_levels, playtest
from levelsense.prediction import model as default
from levelsense.prediction.table import play_table


class Terminal(io.StringIO):
    """Something that somebody looks at."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with counting(3, "simulating") as told:
        assert told.levels is not None
        told.levels(2)
    shown = terminal.getvalue()
    assert "simulating" in shown
    assert "2/3" in shown


def test_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = io.StringIO()
    monkeypatch.setattr(sys, "stderr", elsewhere)
    with counting(3) as told, working("reading"):
        assert told == (None, None)
    assert elsewhere.getvalue() == ""


def test_there_is_a_line_before_anything_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with working("reading levels"):
        assert "reading levels ..." in terminal.getvalue()
    terminal.truncate(0)
    with counting(3):
        assert "0/3" in terminal.getvalue()


def test_attempts_of_levels_under_way() -> None:
    """Those that are played, and whose first attempt may be compiling."""
    heard: list[Sequence[PairProgress]] = []
    playtest(["17-pocket-board"], ["first", "random"], attempts=5, threads=1, progress=heard.append)
    assert under_way_words(heard[0]).startswith(", 0/10 attempts")
    assert under_way_words(heard[-1]) == ", 10/10 attempts"
    first, second = heard[-1]
    begun = [replace(first, done=0, finished=False, starting=True), second]
    assert under_way_words(begun) == ", 5/10 attempts, starting"


def test_predict_says_what_it_does_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()

    def reading() -> None:
        raise PredictionError(terminal.getvalue())

    monkeypatch.setattr(default, "default_model", reading)
    monkeypatch.setattr(sys, "stderr", terminal)
    with pytest.raises(PredictionError, match=r"reading levels and the model \.\.\."):
        predict(["17-pocket-board"])


def test_agents_that_play_for_a_prediction_are_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From before the first attempt on."""
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    seen: list[str] = []

    def playing(*words: Any, **options: Any) -> Any:
        progress = options.pop("progress")

        def hear(told: Any) -> None:
            progress(told)
            seen.append(terminal.getvalue())

        seen.append(terminal.getvalue())
        return play_table(*words, **options | {"progress": hear})

    monkeypatch.setattr(predicting, "play_table", playing)
    monkeypatch.setattr(sys, "stderr", terminal)
    predicting.played_table(gather_levels(["17-pocket-board"]), {"first": 20}, str(tmp_path / "x.db"), 0, 1)
    assert "0/1" in seen[0]
    assert "/20 attempts" in seen[-1]


def test_the_line_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal of 80 columns, with as much to tell as there may be."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    heard: list[Sequence[PairProgress]] = []
    playtest(["17-pocket-board"], ["first"], attempts=5, threads=1, progress=heard.append)
    (seen,) = heard[-1]
    with counting(1000) as told:
        assert told.levels is not None
        assert told.attempts is not None
        told.levels(999)
        told.attempts([replace(seen, done=60_000, target=60_000, finished=False, starting=True)])
    assert "999/1000" in terminal.getvalue()
    assert "60,000/60,000 attempts, starting, about" in terminal.getvalue()
    assert "…" not in terminal.getvalue()
