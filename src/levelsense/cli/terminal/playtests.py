"""The progress and results of a playtest: a live table on a terminal, plain lines elsewhere."""

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, Final

from rich.console import Console
from rich.live import Live
from rich.text import Text

from levelsense.agents.registry import agent_words
from levelsense.cli.terminal.interruption import Interruption
from levelsense.cli.terminal.screen import cut_text, is_live, note, shows_progress
from levelsense.errors import printable
from levelsense.game.state import RULES_VERSION
from levelsense.lab import Lab, Progress
from levelsense.lab.run import Watch
from levelsense.playtest import PairProgress, PairResult, PlaytestResult
from levelsense.playtest.plan import Extent
from levelsense.store.address import public_command, shown_name

_HEADING: Final = ("level", "agent", "attempts", "success", "95% interval")
_LIVE_HEADING: Final = (*_HEADING, "a second", "left")
_WIDTHS: Final = (5, 5, 8, 7, 13, 8, 5)
_ATTEMPTS: Final = 2  # the column
_LEFT_ALIGNED: Final = 2
_NARROWEST: Final = 8
_MOST_LIVE_ROWS: Final = 12
_MINUTE, _HOUR = 60, 3600


def run_playtest(
    lab: Lab,
    levels: Sequence[str],
    agents: Sequence[str],
    extent: tuple[int, float | None, int | None],
    console: Console | None,
    **options: Any,
) -> PlaytestResult:
    """Runs Lab.playtest with its progress on a console, if there is one, and notes what is kept.

    `extent` is attempts, precision and ceiling; `options` are the other arguments of Lab.playtest.
    """
    database, (attempts, precision, ceiling) = shown_name(lab.database), extent
    most = Extent(attempts, precision, ceiling).checkpoints[-1]
    interruption = Interruption(
        f"interrupted: what was finished is kept in {database}; the same command goes on from there"
    )
    with interruption:
        stop = interruption.stop
        with nullcontext() if console is None else table_of(console, most, stop) as progress:
            result = lab.playtest(
                levels,
                agents,
                attempts,
                precision=precision,
                ceiling=ceiling,
                progress=progress,
                stop=stop,
                note=note,
                **options,
            )
    if result.interrupted:
        played = sum(pair.attempts for pair in result.pairs)
        interruption.conclude(
            f"interrupted: {played:,} attempts are kept in {database}; the same command goes on from there"
        )
    else:
        _conclude(result, database, precision)
    return result


def command_words() -> str:
    """The command line, without the password of a database."""
    return public_command(["levelsense", *sys.argv[1:]])


def _conclude(result: PlaytestResult, database: str, precision: float | None) -> None:
    """Notes intervals that are still too wide and, on a terminal, where the attempts are kept."""
    if precision is not None:
        note_wide_intervals(result, precision)
    if shows_progress():
        attempts = sum(pair.attempts for pair in result.pairs)
        note(f"{attempts:,} attempts are kept in {database}; `levelsense results` shows them")


@contextmanager
def table_of(console: Console, most: int, stop: threading.Event) -> Iterator[Watch]:
    """A table of the progress, as a function that takes it: a line for each finished level and agent.

    `most` is how many attempts each may get. On a terminal, the pairs that are being played and the time left
    are shown below and kept up to date; elsewhere lines come in the order of the plan, whichever pair is
    finished first.
    """
    lines = _Lines(console, most)
    if not is_live(console):
        yield lambda progress: lines.print_in_order(progress.pairs)
    else:
        with Live(console=console, transient=True, auto_refresh=False) as live:

            def show(progress: Progress) -> None:
                lines.plan(progress.pairs)
                live_lines = "\n".join([*lines.playing(progress.pairs), _outlook(progress.pairs, stop)])
                live.update(Text(live_lines, style="dim"), refresh=True)
                lines.print_finished(progress.pairs)

            yield show
    lines.print_begun()


class _Lines:
    """Aligned lines about pairs, as wide as the names need and the console has room for."""

    def __init__(self, console: Console, most: int) -> None:
        self._console, self._most = console, most
        self._heading = _LIVE_HEADING if is_live(console) else _HEADING
        self._widths: list[int] = []
        self._printed: set[int] = set()
        self._last: Sequence[PairProgress] = ()

    def plan(self, pairs: Sequence[PairProgress]) -> None:
        """Sets the widths of the columns, once."""
        if self._widths:
            return
        widths = list(_WIDTHS[: len(self._heading)])
        names = [(pair.pair.name, agent_words(pair.pair.agent.spec)) for pair in pairs]
        for column in range(_LEFT_ALIGNED):
            widths[column] = max(widths[column], *(len(row[column]) for row in names))
        widths[_ATTEMPTS] = max(widths[_ATTEMPTS], len(f"{self._most:,}/{self._most:,}"))
        self._widths = _fitting(widths, self._console.width) if self._console.is_terminal else widths

    def print_finished(self, progress: Sequence[PairProgress]) -> None:
        """Prints a line for each pair that is finished and has none yet."""
        self.plan(progress)
        self._last = progress
        for number, pair in enumerate(progress):
            if pair.finished:
                self._print(number, pair)

    def print_in_order(self, progress: Sequence[PairProgress]) -> None:
        """Prints a line for each pair that is finished and has none yet, up to the first that is not."""
        self.plan(progress)
        self._last = progress
        for number, pair in enumerate(progress):
            if not pair.finished:
                return
            self._print(number, pair)

    def print_begun(self) -> None:
        """At the end of an interrupted run, prints a line for each other pair that got attempts."""
        for number, pair in enumerate(self._last):
            if pair.done:
                self._print(number, pair)

    def _print(self, number: int, pair: PairProgress) -> None:
        if number in self._printed:
            return
        if not self._printed:
            self._console.print(Text(self._line(self._heading), style="bold"), soft_wrap=True)
        self._console.print(Text(self._line(self._cells(pair))), soft_wrap=True)
        self._printed.add(number)

    def playing(self, progress: Sequence[PairProgress]) -> list[str]:
        """Lines of the pairs that are being played."""
        unfinished = [pair for pair in progress if not pair.finished]
        begun = [pair for pair in unfinished if pair.done] or unfinished[:1]
        room = max(1, min(_MOST_LIVE_ROWS, self._console.height - 4))
        heading = [] if any(pair.finished for pair in progress) else [self._line(self._heading)]
        return heading + [self._line(self._cells(pair)) for pair in begun[:room]]

    def _line(self, cells: Sequence[str]) -> str:
        padded = [
            cut_text(cell, width).ljust(width) if column < _LEFT_ALIGNED else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(map(printable, cells), self._widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    def _cells(self, pair: PairProgress) -> tuple[str, ...]:
        attempts = f"{pair.done:,}" if pair.finished else f"{pair.done:,}/{pair.target:,}"
        rate, interval = rate_cells(pair.wins, pair.done, pair.interval)
        cells = (pair.pair.name, agent_words(pair.pair.agent.spec), attempts, rate, interval)
        if len(self._heading) == len(cells):
            return cells
        time_left = "" if pair.finished else _duration(pair.seconds_left)
        speed = "starting" if pair.starting else _speed(pair.attempts_per_second)
        return (*cells, speed, time_left)


def _fitting(widths: list[int], room: int) -> list[int]:
    """Widths with the columns of names narrowed, the widest first, until a line fits into the room."""
    fitting = list(widths)
    while sum(fitting) + 2 * (len(fitting) - 1) >= room:
        widest = max(range(_LEFT_ALIGNED), key=lambda column: fitting[column])
        if fitting[widest] <= _NARROWEST:
            break
        fitting[widest] -= 1
    return fitting


def rate_cells(wins: int, attempts: int, interval: tuple[float, float]) -> tuple[str, str]:
    """A success rate and its interval in per cent, for two columns of a table."""
    if not attempts:
        return "-", "-"
    low, high = interval
    return f"{wins / attempts:.1%}", f"{100 * low:.1f} - {100 * high:.1f}%"


def _speed(attempts_per_second: float | None) -> str:
    if attempts_per_second is None:
        return "-"
    return f"{attempts_per_second:,.0f}" if attempts_per_second >= 10 else f"{attempts_per_second:.2g}"


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    whole = round(seconds)
    clock = f"{whole % _HOUR // _MINUTE:02}:{whole % _MINUTE:02}"
    return f"{whole // _HOUR}:{clock}" if whole >= _HOUR else clock.removeprefix("0")


def _outlook(progress: Sequence[PairProgress], stop: threading.Event) -> str:
    """How many attempts are done of all pairs, and the time left, or that the run is stopping."""
    if stop.is_set():
        return "stopping: the attempts under way are finished first; Ctrl-C again leaves at once"
    done, target = sum(pair.done for pair in progress), sum(pair.target for pair in progress)
    left = [pair.seconds_left for pair in progress]
    known = [seconds for seconds in left if seconds is not None]
    time_left = (
        f"about {_duration(sum(known))} left" if len(known) == len(left) else "time left not known yet"
    )
    return f"{done:,} of {target:,} attempts, {time_left}"


def note_wide_intervals(result: PlaytestResult, precision: float) -> None:
    """Notes the pairs that reached the ceiling of attempts before the precision."""
    for pair in result.pairs:
        low, high = pair.interval
        if pair.finished and (high - low) / 2 >= precision:
            note(
                f"{pair.pair.name}, {agent_words(pair.agent)}: after {pair.attempts:,} attempts, the "
                f"ceiling, the interval still reaches {(high - low) / 2:.3f} to either side"
            )


def result_data(result: PairResult) -> dict[str, Any]:
    """An agent's result at a level, as `levelsense playtest --json` prints it."""
    return {
        "level": result.pair.name,
        "digest": result.pair.digest,
        "agent": result.agent,
        "rules": RULES_VERSION,
        "seed": result.pair.seed,
        "attempts": result.attempts,
        "wins": result.wins,
        "success_rate": result.success_rate,
        "interval": result.interval,
        "finished": result.finished,
    }
