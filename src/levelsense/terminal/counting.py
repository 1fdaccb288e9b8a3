"""How many levels a command has done, for somebody who looks on."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def counting(total: int, doing: str = "playing") -> Iterator[Callable[[int], None] | None]:
    """Something that hears how many levels are done and shows it on a terminal; None if there is none."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from levelsense.terminal.screen import screen

    columns = (
        TextColumn(doing),
        MofNCompleteColumn(),
        TextColumn("levels, about"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=screen(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)

        def tell(done: int) -> None:
            bar.update(task, completed=done)

        yield tell
