"""The console that commands print to, and the ways they print: notes, tables, drawings, live progress."""

import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from levelsense.errors import CacheWarning, printable

if TYPE_CHECKING:
    from levelsense.lab import Progress
    from levelsense.playtest import PairProgress


class SafeConsole(Console):
    """A console that prints no control characters from texts such as names, only Rich's own codes."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(printable(text, lines=True), style)


def screen(*, stderr: bool = False) -> Console:
    """A console on today's stdout or stderr; colors only on a terminal, and never with NO_COLOR."""
    return SafeConsole(highlight=False, stderr=stderr, emoji=False, markup=False)


def shows_color(console: Console) -> bool:
    """Whether the console prints colors."""
    return console.color_system is not None and not console.no_color


def shows_shades(console: Console) -> bool:
    """Whether the console prints enough colors to tell jelly from double jelly."""
    return shows_color(console) and console.color_system in ("256", "truecolor")


def print_drawing(console: Console, drawing: Text) -> None:
    """Prints a drawing uncut; where no color is shown, without blanks at the ends of lines."""
    if not shows_color(console):
        drawing = Text("\n".join(line.rstrip() for line in drawing.plain.split("\n")))
    console.print(drawing, soft_wrap=True)


def print_words(console: Console, words: Text | str, indent: int = 0) -> None:
    """Prints a sentence in one line; on a terminal, in lines that end between words, later ones indented."""
    text = Text(words) if isinstance(words, str) else words
    lines = text.wrap(console, max(console.width - indent, 20)) if console.is_terminal else [text]
    for number, line in enumerate(lines):
        line.rstrip()
        console.print(Text(" " * indent if number else "").append_text(line), soft_wrap=True)


def complain(sentence: str, excerpt: str = "") -> None:
    """Prints an error on stderr in one line, with the excerpt of a file below it, if there is one."""
    console = screen(stderr=True)
    print_words(console, Text.assemble(("error: ", "bold red"), printable(sentence)))
    if excerpt:
        console.print(Text(excerpt), soft_wrap=True)


_quiet = False


def set_quiet(quiet: bool) -> None:
    """From now on, notes and progress are not shown, or shown again; errors and final lines always are."""
    global _quiet
    _quiet = quiet


def shows_progress() -> bool:
    """Whether progress is shown: on a terminal, unless the command is to be quiet."""
    return sys.stderr.isatty() and not _quiet


def is_live(console: Console) -> bool:
    """Whether a table on the console is kept up to date while it grows."""
    return console.is_terminal and not _quiet


def note(sentence: str, console: Console | None = None) -> None:
    """Prints a remark or a line about progress on stderr, apart from the results on stdout."""
    if not _quiet:
        print_aside(sentence, console)


def print_aside(sentence: str, console: Console | None = None) -> None:
    """Prints a line on stderr, also where notes are not shown."""
    print_words(console or screen(stderr=True), Text(printable(sentence), style="italic"))


def announce_compiling() -> None:
    """Notes from now on what is compiled, and about how long, where progress is shown; removes old code."""
    from levelsense.compiled.files import forget_old_code
    from levelsense.compiled.times import listen

    listen(_say_compiling if shows_progress() else None)
    with suppress(OSError):  # a cache that cannot be written to changes no result
        forget_old_code()


def _say_compiling(subject: str, seconds: float | None) -> None:
    about = "" if seconds is None else f" (about {max(1, round(seconds))} s)"
    note(f"compiling {subject}, first run only{about} ...")


def never_fail_on_a_letter() -> None:
    """Makes stdout and stderr write `?` for a character that their encoding does not have."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def warnings_as_notes() -> None:
    """Prints CacheWarnings as notes, without the place in the code; others as before."""
    show_other = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, CacheWarning):
            note(str(message))
        else:
            show_other(message, category, filename, lineno, file, line)

    warnings.showwarning = show


def print_figures(console: Console, figures: Mapping[str, float]) -> None:
    """A line a figure of a benchmark, and the speeds as shares of the yardstick's, if that was measured."""
    rows = [("measured", "figure")]
    rows += [(name.replace("_", " "), _short(figure)) for name, figure in figures.items()]
    yardstick = figures.get("yardstick_moves_per_second")
    if yardstick:
        rows += [
            (f"{name.split('_')[0]}, of the yardstick's speed", f"{figure / yardstick:.0%}")
            for name, figure in figures.items()
            if name.endswith("_moves_per_second") and not name.startswith("yardstick")
        ]
    print_rows(console, rows)


def _short(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


_NARROWEST_NAME = 20


def print_rows(
    console: Console, rows: Sequence[tuple[str, ...]], *, keys: int = 1, cuts_last: bool = False
) -> None:
    """Aligned columns under the heading in the first row.

    Where a terminal is too narrow, names in the first column are cut, or the columns are printed in several
    tables below each other, each with the first `keys` columns; with `cuts_last` the last column is cut.
    """
    rows = [tuple(map(printable, row)) for row in rows]
    if not console.is_terminal:
        _print_table(console, rows)
        return
    tables = [rows] if cuts_last else _fitting_tables(rows, keys, console.width)
    for number, table in enumerate(tables):
        if number:
            console.print()
        _print_table(console, table, console.width)


def _print_table(console: Console, rows: Sequence[tuple[str, ...]], room: int | None = None) -> None:
    """Prints aligned columns, each line cut to the room, if there is a bound."""
    widths = _widths(rows)[:-1]
    for number, (*cells, last) in enumerate(rows):
        line = "".join(f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=True)) + last
        text = Text(line.rstrip(), style="bold" if number == 0 else "")
        if room is not None:
            text.truncate(room, overflow="ellipsis")
        console.print(text, soft_wrap=True)


def _fitting_tables(rows: Sequence[tuple[str, ...]], keys: int, room: int) -> list[list[tuple[str, ...]]]:
    """The rows as tables that fit into the room, each with the first columns, which tell rows apart."""
    first, *others = _widths(rows)
    spare = room - sum(others) - 2 * len(others)
    name_width = min(first, spare if spare >= _NARROWEST_NAME else max(room // 2, _NARROWEST_NAME))
    widths = [name_width, *others]
    begun = [*range(keys)]
    beside_keys = room - sum(widths[:keys]) - 2 * (keys - 1)
    tables, columns, left = [], begun, beside_keys
    for column in range(keys, len(widths)):
        if widths[column] + 2 > left and columns != begun:
            tables.append(columns)
            columns, left = begun, beside_keys
        columns = [*columns, column]
        left -= widths[column] + 2
    named = [(cut_text(row[0], name_width), *row[1:]) for row in rows]
    return [[tuple(row[column] for column in table) for row in named] for table in (*tables, columns)]


def _widths(rows: Sequence[tuple[str, ...]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def cut_text(text: str, width: int) -> str:
    """A text of at most so many characters, the last of which says if it was cut."""
    return text if len(text) <= width else text[: width - 1] + "…"


@contextmanager
def working(doing: str) -> Iterator[None]:
    """Shows a spinner during its block, for work that cannot be counted: reading, loading, computing."""
    if not shows_progress():
        yield
        return
    from rich.live import Live
    from rich.spinner import Spinner

    line = Spinner("dots", f"{doing} ...")
    with Live(line, console=screen(stderr=True), transient=True, refresh_per_second=10) as live:
        live.refresh()  # now: the block may hold the interpreter for a while
        yield


class Counting:
    """A progress bar: how many levels are done and what is under way; notes are printed above it.

    `watch` takes the progress; it is None where none is shown.
    """

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._bar: Any = None
        self.watch = self._show if shows_progress() else None

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
        note(sentence, self._bar.console if self._bar is not None else None)


@contextmanager
def counting() -> Iterator[Counting]:
    """A progress bar for the progress and the notes of an action, removed when the block ends."""
    with ExitStack() as stack:
        yield Counting(stack)


def _bar() -> Any:
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

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
