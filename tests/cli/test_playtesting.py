"""How a playtest looks: a living table on a terminal, plain lines elsewhere."""

import io
import re
import threading
from collections.abc import Sequence

import pytest
from rich.console import Console

from levelsense.cli.terminal.playtests import table_of
from levelsense.lab import Progress
from levelsense.playtest import Pair, PairProgress, gather_levels
from tests.playtest.players import CoinPlayer

LONG_SPEC = "mcts:simulations=200,c=0.25,playout=heuristic,signal=combined"


def seen(
    level: str, spec: str, done: int, wins: int, target: int = 100, left: float | None = 75.0
) -> PairProgress:
    pair = Pair(gather_levels([level])[0], CoinPlayer(spec=spec), 0)
    return PairProgress(pair, done, target, wins, done == target, False, 1234.5 if done else None, left)


def show(
    *steps: Sequence[PairProgress], terminal: bool = False, width: int = 100, stopped: bool = False
) -> str:
    """What is printed when it is told these steps."""
    console = Console(
        file=io.StringIO(), force_terminal=terminal, width=width, height=24, color_system=None, _environ={}
    )
    stop = threading.Event()
    with table_of(console, 100, stop) as watch:
        for number, step in enumerate(steps, 1):
            if stopped and number == len(steps):
                stop.set()
            watch(Progress("playing", 0, len(step), step))
    printed: str = console.file.getvalue()  # type: ignore[attr-defined]
    return re.sub(r"\x1b\[[0-9;?]*[hlm]", "", re.sub(r"\r|\x1b\[[0-9]*[AK]", "\n", printed))


FIRST = seen("01-first-steps", "random", 40, 10), seen("03-open-field", "random", 0, 0, left=None)
SECOND = seen("01-first-steps", "random", 100, 25), seen("03-open-field", "random", 60, 3)
THIRD = seen("01-first-steps", "random", 100, 25), seen("03-open-field", "random", 100, 3)


def test_elsewhere_a_line_is_printed_when_a_pair_is_finished() -> None:
    """And nothing that depends on how fast the machine is."""
    assert show(FIRST, SECOND, THIRD).splitlines() == [
        "level           agent   attempts  success   95% interval",
        "01-first-steps  random       100    25.0%   17.5 - 34.3%",
        "03-open-field   random       100     3.0%     1.0 - 8.5%",
    ]


def test_lines_come_as_soon_as_pairs_are_finished() -> None:
    assert show(FIRST) == show(FIRST, FIRST)
    assert len(show(FIRST, SECOND).splitlines()) == 3  # with the pair that was broken off


def test_elsewhere_lines_come_in_the_order_of_the_plan() -> None:
    """Whichever is finished first; after an interruption, too."""
    early = seen("01-first-steps", "random", 60, 10), seen("01-first-steps", "greedy", 100, 60)
    late = seen("01-first-steps", "random", 100, 25), early[1]
    assert show(early, late).splitlines() == show(late).splitlines()
    assert [line.split()[1] for line in show(early, early).splitlines()] == ["agent", "random", "greedy"]


def test_what_was_broken_off_is_told_at_the_end() -> None:
    assert show(FIRST, SECOND).splitlines()[-1].split()[:4] == ["03-open-field", "random", "60/100", "5.0%"]


def test_a_terminal_sees_it_grow() -> None:
    printed = show(FIRST, SECOND, THIRD, terminal=True)
    for part in ("40/100", "60/100", "a second", "1,234", "1:15", "160 of 200 attempts, about 2:30 left"):
        assert part in printed
    assert "40 of 200 attempts, time left not known yet" in printed


def test_a_terminal_ends_with_the_whole_table() -> None:
    lines = [line for line in show(FIRST, SECOND, THIRD, terminal=True).splitlines() if line]
    finished = [line for line in lines if re.search(r" 100 +\d", line)]
    assert [line.split()[0] for line in finished] == ["01-first-steps", "03-open-field"]


def test_a_terminal_is_told_that_it_stops() -> None:
    assert "stopping: the attempts under way are finished first" in show(
        FIRST, SECOND, terminal=True, stopped=True
    )


@pytest.mark.parametrize("width", [60, 80, 100, 140])
def test_lines_fit_the_terminal(width: int) -> None:
    step = [seen("01-first-steps", LONG_SPEC, 100, 25)]
    heading, line = (
        line
        for line in show(step, terminal=True, width=width).splitlines()
        if "25.0%" in line or "level" in line
    )
    assert len(line) < max(width, 70)
    assert heading.index("success") + len("success") == line.index("25.0%") + len("25.0%")


def test_elsewhere_nothing_is_cut() -> None:
    assert LONG_SPEC in show([seen("01-first-steps", LONG_SPEC, 100, 25)], width=40)


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "0:00"), (59.6, "1:00"), (754, "12:34"), (3725, "1:02:05")]
)
def test_times_left(seconds: float, words: str) -> None:
    printed = show([seen("01-first-steps", "random", 50, 5, left=seconds)], terminal=True)
    assert f"about {words} left" in printed
