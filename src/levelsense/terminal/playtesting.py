"""A playtest in the terminal: a living table where there is somebody to look at it, plain lines elsewhere."""

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, Final

from rich.console import Console
from rich.live import Live
from rich.text import Text

from levelsense.agents.registry import parse_agent
from levelsense.game.version import RULES_VERSION
from levelsense.playtest import NamedLevel, PairProgress, PairResult, PlaytestResult, gather_levels, playtest
from levelsense.playtest.runner import check_asked
from levelsense.printable import printable
from levelsense.store import Database, Recorder
from levelsense.store.address import public_command, shown_name
from levelsense.terminal.interruption import Interruption
from levelsense.terminal.screen import announce_compiling, note

Tell = Callable[[Sequence[PairProgress]], None]

_HEADING: Final = ("level", "agent", "attempts", "success", "95% interval")
_LIVE_HEADING: Final = (*_HEADING, "a second", "left")
_WIDTHS: Final = (5, 5, 8, 7, 13, 8, 5)
_ATTEMPTS: Final = 2  # the column
_LEFT_ALIGNED: Final = 2
_NARROWEST: Final = 8
_MOST_LIVE_ROWS: Final = 12
_MINUTE, _HOUR = 60, 3600


def run_playtest(
    console: Console, levels: Sequence[str], agents: Sequence[str], place: str, quiet: bool, **asked: Any
) -> PlaytestResult:
    """A playtest as a command: with its progress on the console unless it is quiet, and kept in a database.

    `asked` is what else `playtest` takes: without `keep_rows`, the attempts are in the database only.
    """
    keep_rows = asked.pop("keep_rows", False)
    most = check_asked(**asked).checkpoints[-1]
    parsed = [parse_agent(spec) for spec in agents]
    gathered = levels_to_play(levels)
    names = [(named.name, agent.spec) for named in gathered for agent in parsed]
    tell_of_twins(gathered)
    kept_in = shown_name(place)
    interruption = Interruption(
        f"interrupted: what was finished is kept in {kept_in}; the same command goes on from there"
    )
    with Database(place) as database, interruption:
        recorder, stop = Recorder(database, command_words()), interruption.stop
        with nullcontext() if quiet else telling(console, names, most, stop) as tell:
            result = playtest(
                gathered, parsed, sink=recorder, progress=tell, stop=stop, keep_rows=keep_rows, **asked
            )
    if result.interrupted:
        attempts = sum(pair.attempts for pair in result.pairs)
        interruption.conclude(
            f"interrupted: {attempts:,} attempts are kept in {kept_in}; the same command goes on from there"
        )
    else:
        _conclude(result, kept_in, asked.get("precision"))
    return result


def levels_to_play(words: Sequence[str]) -> tuple[NamedLevel, ...]:
    """The levels that words mean, each of which can be won; dealing shows that, so a first run compiles."""
    announce_compiling()
    return gather_levels(words)


def command_words() -> str:
    """What was typed, without the password of a database."""
    return public_command(["levelsense", *sys.argv[1:]])


def _conclude(result: PlaytestResult, database: str, precision: float | None) -> None:
    """Says what is still to be said at the end, to people."""
    if precision is not None:
        tell_of_wide_intervals(result, precision)
    if sys.stderr.isatty():
        attempts = sum(pair.attempts for pair in result.pairs)
        note(f"{attempts:,} attempts are kept in {database}; `levelsense results` shows them")


@contextmanager
def telling(
    console: Console, names: Sequence[tuple[str, str]], most: int, stop: threading.Event
) -> Iterator[Tell]:
    """Something to tell the progress to: it prints a line for each level and agent that are finished.

    `names` are the levels' and agents', `most` the most attempts that each may get. On a terminal, the pairs
    that are being played and the time left are shown below and kept up to date; elsewhere lines come in the
    order of the plan, whichever pair is finished first.
    """
    lines = _Lines(console, names, most)
    if not console.is_terminal:
        yield lines.print_in_order
    else:
        with Live(console=console, transient=True, auto_refresh=False) as live:

            def tell(progress: Sequence[PairProgress]) -> None:
                shown = "\n".join([*lines.playing(progress), _outlook(progress, stop)])
                live.update(Text(shown, style="dim"), refresh=True)
                lines.print_finished(progress)

            yield tell
    lines.print_begun()


class _Lines:
    """Aligned lines about pairs, as wide as the names need and the console has room for."""

    def __init__(self, console: Console, names: Sequence[tuple[str, str]], most: int) -> None:
        self._console = console
        live = console.is_terminal
        self._heading = _LIVE_HEADING if live else _HEADING
        widths = list(_WIDTHS[: len(self._heading)])
        for column in range(_LEFT_ALIGNED):
            widths[column] = max(widths[column], *(len(row[column]) for row in names))
        widths[_ATTEMPTS] = max(widths[_ATTEMPTS], len(f"{most:,}/{most:,}"))
        self._widths = _fitting(widths, console.width) if live else widths
        self._printed: set[int] = set()
        self._last: Sequence[PairProgress] = ()

    def print_finished(self, progress: Sequence[PairProgress]) -> None:
        """A line for each pair that is finished and has none yet."""
        self._last = progress
        for number, seen in enumerate(progress):
            if seen.finished:
                self._print(number, seen)

    def print_in_order(self, progress: Sequence[PairProgress]) -> None:
        """A line for each pair that is finished and has none yet, up to the first that is not."""
        self._last = progress
        for number, seen in enumerate(progress):
            if not seen.finished:
                return
            self._print(number, seen)

    def print_begun(self) -> None:
        """At the end of an interrupted run: a line for each other pair that got attempts."""
        for number, seen in enumerate(self._last):
            if seen.done:
                self._print(number, seen)

    def _print(self, number: int, seen: PairProgress) -> None:
        if number in self._printed:
            return
        if not self._printed:
            self._console.print(Text(self._line(self._heading), style="bold"), soft_wrap=True)
        self._console.print(Text(self._line(self._cells(seen))), soft_wrap=True)
        self._printed.add(number)

    def playing(self, progress: Sequence[PairProgress]) -> list[str]:
        """Lines of the pairs that are being played."""
        unfinished = [seen for seen in progress if not seen.finished]
        begun = [seen for seen in unfinished if seen.done] or unfinished[:1]
        room = max(1, min(_MOST_LIVE_ROWS, self._console.height - 4))
        heading = [] if any(seen.finished for seen in progress) else [self._line(self._heading)]
        return heading + [self._line(self._cells(seen)) for seen in begun[:room]]

    def _line(self, cells: Sequence[str]) -> str:
        padded = [
            _cut(cell, width).ljust(width) if column < _LEFT_ALIGNED else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(map(printable, cells), self._widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    def _cells(self, seen: PairProgress) -> tuple[str, ...]:
        attempts = f"{seen.done:,}" if seen.finished else f"{seen.done:,}/{seen.target:,}"
        rate, interval = rate_cells(seen.wins, seen.done, seen.interval)
        cells = (seen.pair.name, seen.pair.agent.spec, attempts, rate, interval)
        if len(self._heading) == len(cells):
            return cells
        time_left = "" if seen.finished else _duration(seen.seconds_left)
        speed = "starting" if seen.starting else _speed(seen.attempts_per_second)
        return (*cells, speed, time_left)


def _fitting(widths: list[int], room: int) -> list[int]:
    """Narrower names, the longest first, where the console has not room for all."""
    fitting = list(widths)
    while sum(fitting) + 2 * (len(fitting) - 1) >= room:
        widest = max(range(_LEFT_ALIGNED), key=lambda column: fitting[column])
        if fitting[widest] <= _NARROWEST:
            break
        fitting[widest] -= 1
    return fitting


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


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
    """How much is done of everything, and how long the rest will take."""
    if stop.is_set():
        return "stopping: the attempts under way are finished first; Ctrl-C again leaves at once"
    done, target = sum(seen.done for seen in progress), sum(seen.target for seen in progress)
    left = [seen.seconds_left for seen in progress]
    known = [seconds for seconds in left if seconds is not None]
    time_left = (
        f"about {_duration(sum(known))} left" if len(known) == len(left) else "time left not known yet"
    )
    return f"{done:,} of {target:,} attempts, {time_left}"


def tell_of_twins(levels: Sequence[NamedLevel]) -> None:
    """Says which levels play alike."""
    for named in levels:
        if len(named.names) > 1:
            first, *others = named.names
            note(f"{', '.join(others)}: the same level as {first} (equal digests), played once")


def tell_of_wide_intervals(result: PlaytestResult, precision: float) -> None:
    """Says where the ceiling came before the precision."""
    for pair in result.pairs:
        low, high = pair.interval
        if pair.finished and (high - low) / 2 >= precision:
            note(
                f"{pair.pair.name}, {pair.agent}: after {pair.attempts:,} attempts, the ceiling, "
                f"the interval still reaches {(high - low) / 2:.3f} to either side"
            )


def result_data(result: PairResult) -> dict[str, Any]:
    """How an agent did on a level, as `levelsense playtest --json` prints it."""
    return {
        "level": result.pair.name,
        "digest": result.pair.digest,
        "agent": result.agent,
        "rules": RULES_VERSION,
        "seed": result.pair.seed,
        "attempts": result.attempts,
        "wins": result.wins,
        "success_rate": result.success_rate,
        "interval": list(result.interval),
        "finished": result.finished,
    }
