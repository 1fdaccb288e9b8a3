"""What a command is doing and how far it is, for somebody who looks on: a living line, on terminals only."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from levelsense.playtest import PairProgress


@contextmanager
def working(doing: str) -> Iterator[None]:
    """A line that lives while something is done that cannot be counted: reading, loading, computing."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.live import Live
    from rich.spinner import Spinner

    from levelsense.cli.terminal.screen import screen

    line = Spinner("dots", f"{doing} ...")
    with Live(line, console=screen(stderr=True), transient=True, refresh_per_second=10) as live:
        live.refresh()  # now: what follows may not let others draw for a while
        yield


class Counting(NamedTuple):
    """Who is to be told of what is done: how many levels, and how far those under way are."""

    levels: Callable[[int], None] | None = None
    attempts: Callable[[Sequence["PairProgress"]], None] | None = None


@contextmanager
def counting(total: int, doing: str = "playing") -> Iterator[Counting]:
    """Shows how many levels are done and what is under way; where nobody looks on, nobody is to be told."""
    if not sys.stderr.isatty():
        yield Counting()
        return
    from rich.progress import (
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    from levelsense.cli.terminal.screen import screen

    columns = (
        SpinnerColumn(),
        TextColumn(doing),
        MofNCompleteColumn(),
        TextColumn("levels{task.fields[under_way]}, about", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=screen(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, under_way="")
        bar.refresh()

        def tell_levels(done: int) -> None:
            bar.update(task, completed=done, under_way="", refresh=True)

        def tell_attempts(progress: Sequence["PairProgress"]) -> None:
            bar.update(task, under_way=under_way_words(progress), refresh=True)

        yield Counting(tell_levels, tell_attempts)


def under_way_words(progress: Sequence["PairProgress"]) -> str:
    """What is done of the levels under way, in few words, as a line has room for: `, 340/3,000 attempts`.

    Somebody who starts may be compiling.
    """
    done, target = sum(seen.done for seen in progress), sum(seen.target for seen in progress)
    is_starting = any(seen.starting and not seen.finished for seen in progress)
    return f", {done:,}/{target:,} attempts{', starting' if is_starting else ''}"
