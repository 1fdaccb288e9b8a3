"""The console that commands print to, and the few ways they print: notes, tables, drawings."""

import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from levelsense.errors import CacheWarning, printable


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


def complain(sentence: str, excerpt: str = "") -> None:
    """Prints an error on stderr in one line, with the excerpt of a file below it, if there is one."""
    console = screen(stderr=True)
    console.print(Text.assemble(("error: ", "bold red"), printable(sentence)), soft_wrap=True)
    if excerpt:
        console.print(Text(excerpt), soft_wrap=True)


def note(sentence: str, console: Console | None = None) -> None:
    """Prints a line about progress on stderr, apart from the results on stdout."""
    text = Text(printable(sentence), style="italic")
    (console or screen(stderr=True)).print(text, soft_wrap=True)


def announce_compiling() -> None:
    """Notes from now on what is compiled, and about how long, if stderr is a terminal; removes old code."""
    from levelsense.compiled.files import forget_old_code
    from levelsense.compiled.times import listen

    listen(_say_compiling if sys.stderr.isatty() else None)
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


def print_rows(console: Console, rows: Sequence[tuple[str, ...]]) -> None:
    """Aligned columns under the heading in the first row; a terminal cuts lines too long for it."""
    rows = [tuple(map(printable, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    for number, (*cells, last) in enumerate(rows):
        line = "".join(f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=True)) + last
        text = Text(line.rstrip(), style="bold" if number == 0 else "")
        if console.is_terminal:
            text.truncate(console.width, overflow="ellipsis")
        console.print(text, soft_wrap=True)
