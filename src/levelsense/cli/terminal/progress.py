"""The progress of a command as a live line on stderr, on terminals only."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from levelsense.lab import Progress
    from levelsense.playtest import PairProgress


@contextmanager
def working(doing: str) -> Iterator[None]:
    """Shows a spinner during its block, for work that cannot be counted: reading, loading, computing."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.live import Live
    from rich.spinner import Spinner

    from levelsense.cli.terminal.screen import screen

    line = Spinner("dots", f"{doing} ...")
    with Live(line, console=screen(stderr=True), transient=True, refresh_per_second=10) as live:
        live.refresh()  # now: the block may hold the interpreter for a while
        yield


class Counting:
    """A progress bar: how many levels are done and what is under way; notes are printed above it.

    `watch` takes the progress; it is None if stderr is no terminal.
    """

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._bar: Any = None
        self.watch = self._show if sys.stderr.isatty() else None

    def _show(self, progress: "Progress") -> None:
        if self._bar is None:
            self._bar = self._stack.enter_context(_bar())
            self._task = self._bar.add_task("", doing="", under_way="")
        self._bar.update(
            self._task,
            total=progress.levels,
            completed=progress.done,
            doing=progress.doing,
            under_way=under_way_words(progress.pairs) if progress.pairs else "",
            refresh=True,
        )

    def note(self, sentence: str) -> None:
        """Prints a line above the progress bar."""
        from levelsense.cli.terminal.screen import note

        note(sentence, self._bar.console if self._bar is not None else None)


@contextmanager
def counting() -> Iterator[Counting]:
    """A progress bar for the progress and the notes of an action, removed when the block ends."""
    with ExitStack() as stack:
        yield Counting(stack)


def _bar() -> Any:
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

    from levelsense.cli.terminal.screen import screen

    columns = (
        SpinnerColumn(),
        TextColumn("{task.fields[doing]}", markup=False),
        MofNCompleteColumn(),
        TextColumn("levels{task.fields[under_way]}, about", markup=False),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=screen(stderr=True), transient=True)


def under_way_words(progress: Sequence["PairProgress"]) -> str:
    """The attempts done at the levels under way: `, 340/3,000 attempts`.

    It adds `starting` while an agent may be compiling.
    """
    done, target = sum(pair.done for pair in progress), sum(pair.target for pair in progress)
    is_starting = any(pair.starting and not pair.finished for pair in progress)
    return f", {done:,}/{target:,} attempts{', starting' if is_starting else ''}"
