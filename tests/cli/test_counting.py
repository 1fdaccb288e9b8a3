"""How many levels are done: shown on a terminal only."""

import io
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from levelsense.cli.prediction import predict
from levelsense.cli.terminal.screen import counting, under_way_words, working
from levelsense.errors import PredictionError
from levelsense.lab import Progress, run
from levelsense.playtest import PairProgress, gather_levels, playtest
from levelsense.prediction import model
from levelsense.store import Database, Recorder


class Terminal(io.StringIO):
    """Something that somebody looks at."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with counting() as shown_to:
        assert shown_to.watch is not None
        shown_to.watch(Progress("simulating", 2, 3))
    shown = terminal.getvalue()
    assert "simulating" in shown
    assert "2/3" in shown


def test_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = io.StringIO()
    monkeypatch.setattr(sys, "stderr", elsewhere)
    with counting() as shown_to, working("reading"):
        assert shown_to.watch is None
    assert elsewhere.getvalue() == ""


def test_there_is_a_line_before_anything_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with working("reading levels"):
        assert "reading levels ..." in terminal.getvalue()


def test_notes_stand_above_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with counting() as shown_to:
        shown_to.note("before there is a line")
        assert shown_to.watch is not None
        shown_to.watch(Progress("playing", 1, 3))
        shown_to.note("while it is shown")
    shown = terminal.getvalue()
    assert shown.index("before there is a line") < shown.index("1/3") < shown.index("while it is shown")


def test_attempts_of_levels_under_way() -> None:
    """Those that are played, and whose first attempt may be compiling."""
    calls: list[Sequence[PairProgress]] = []
    playtest(["17-pocket-board"], ["first", "random"], attempts=5, threads=1, progress=calls.append)
    assert under_way_words(calls[0]).startswith(", 0/10 attempts")
    assert under_way_words(calls[-1]) == ", 10/10 attempts"
    first, second = calls[-1]
    begun = [replace(first, done=0, finished=False, starting=True), second]
    assert under_way_words(begun) == ", 5/10 attempts, starting"


def test_predict_says_what_it_does_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()

    def reading() -> None:
        raise PredictionError(terminal.getvalue())

    monkeypatch.setattr(model, "default_model", reading)
    monkeypatch.setattr(sys, "stderr", terminal)
    with pytest.raises(PredictionError, match=r"reading levels and the model \.\.\."):
        predict(["17-pocket-board"])


def test_agents_that_play_for_a_prediction_are_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From before the first attempt on."""
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    seen: list[str] = []
    with counting() as shown_to:

        def watch(progress: Progress) -> None:
            assert shown_to.watch is not None
            shown_to.watch(progress)
            seen.append(terminal.getvalue())

        with Database(tmp_path / "x.db") as database:
            levels = gather_levels(["17-pocket-board"])
            playing = run.Run(threads=1, progress=watch)
            playing.table(levels, {"first": 20}, lambda: Recorder(database), database)
    assert "0/1" in seen[0]
    assert "0/20 attempts" in seen[0]
    assert "/20 attempts" in seen[-1]


def test_the_line_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal of 80 columns, with as much to tell as there may be."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    calls: list[Sequence[PairProgress]] = []
    playtest(["17-pocket-board"], ["first"], attempts=5, threads=1, progress=calls.append)
    (seen,) = calls[-1]
    with counting() as shown_to:
        assert shown_to.watch is not None
        begun = replace(seen, done=60_000, target=60_000, finished=False, starting=True)
        shown_to.watch(Progress("playing", 999, 1000, [begun]))
    assert "999/1000" in terminal.getvalue()
    assert "60,000/60,000 attempts, starting, about" in terminal.getvalue()
    assert "…" not in terminal.getvalue()
