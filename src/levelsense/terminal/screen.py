"""The console that commands print to, and the few ways they print."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from levelsense.errors import CacheWarning
from levelsense.printable import printable


class SafeConsole(Console):
    """A console on which a name cannot do anything: a terminal obeys Rich's own codes, and no others."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(printable(text, lines=True), style)


def screen(*, stderr: bool = False) -> Console:
    """A console on today's stdout or stderr; colors only on a terminal, and never with NO_COLOR."""
    return SafeConsole(highlight=False, stderr=stderr, emoji=False, markup=False)


def shows_color(console: Console) -> bool:
    """Whether colors reach the reader's eye."""
    return console.color_system is not None and not console.no_color


def shows_shades(console: Console) -> bool:
    """Whether there are colors enough to tell jelly from double jelly by them."""
    return shows_color(console) and console.color_system in ("256", "truecolor")


def print_drawing(console: Console, drawing: Text) -> None:
    """Prints a drawing uncut; where no color is shown, without blanks at the ends of lines."""
    if not shows_color(console):
        drawing = Text("\n".join(line.rstrip() for line in drawing.plain.split("\n")))
    console.print(drawing, soft_wrap=True)


def complain(sentence: str, excerpt: str = "") -> None:
    """One line on stderr that says what is wrong, with the excerpt of a file below it, if there is one."""
    console = screen(stderr=True)
    console.print(Text.assemble(("error: ", "bold red"), printable(sentence)), soft_wrap=True)
    if excerpt:
        console.print(Text(excerpt), soft_wrap=True)


def note(sentence: str) -> None:
    """One line on stderr about what is being done, which does not mix with the results on stdout."""
    screen(stderr=True).print(Text(printable(sentence), style="italic"), soft_wrap=True)


def announce_compiling() -> None:
    """From now on, says on a terminal what is being compiled and about how long; clears old code away."""
    from levelsense.compiled.files import forget_old_code
    from levelsense.compiled.times import listen

    listen(_say_compiling if sys.stderr.isatty() else None)
    with suppress(OSError):  # a cache that cannot be written to is none of the user's worries
        forget_old_code()


def _say_compiling(subject: str, seconds: float | None) -> None:
    about = "" if seconds is None else f" (about {max(1, round(seconds))} s)"
    note(f"compiling {subject}, first run only{about} ...")


def never_fail_on_a_letter() -> None:
    """Lets a terminal that cannot show an arrow show a `?` in its place."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def warnings_as_notes() -> None:
    """Lets what the library warns of be a line like others, without the place in the code it comes from."""
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
