"""The tutorial: its commands and edits, done one after the other in one folder.

`python -m tests.tutorial` does them all and writes what is printed today into the page.
"""

import re
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

from typer.testing import CliRunner

from levelsense.cli import app

PAGE = Path(__file__).parents[1] / "docs" / "tutorial.md"
# A command with what it prints, or an edit of the file that is worked on.
STEP = re.compile(
    r"^    levelsense (?P<command>[^\n]*)\n\n```text\n(?P<shown>.*?)^```$"
    r"|^```diff\n(?P<edit>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
FILE = "mine.json"
PROMPT = "move (? for help): "


class Done(NamedTuple):
    """A command of the page: where what it prints stands, what the page shows and what was printed."""

    command: str
    place: tuple[int, int]
    shown: str
    printed: str


def follow(text: str, folder: Path) -> Iterator[Done]:
    """Does what the page says in a folder, step by step; gives each command when it has run."""
    for step in STEP.finditer(text):
        if step["edit"] is not None:
            _edit(folder / FILE, step["edit"])
        else:
            printed = _run(step["command"], _typed(step["shown"]), folder)
            yield Done(step["command"], step.span("shown"), step["shown"], printed)


def _edit(file: Path, edit: str) -> None:
    """Replaces the lines of a file that begin with - in an edit by those that begin with +."""
    lines = edit.splitlines()
    before = "\n".join(line[1:] for line in lines if line.startswith("-"))
    after = "\n".join(line[1:] for line in lines if line.startswith("+"))
    text = file.read_text("utf-8")
    assert text.count(before) == 1, f"{before!r} is not once in {file.name}"
    file.write_text(text.replace(before, after), "utf-8")


def _typed(shown: str) -> list[str]:
    """What a reader types at the prompts of a game."""
    return re.findall(rf"^{re.escape(PROMPT)}(.*)$", shown, re.MULTILINE)


def _run(command: str, typed: list[str], folder: Path) -> str:
    """What a command prints in a folder, with what is typed behind the prompts, as a terminal shows it."""
    with chdir(folder):
        done = CliRunner().invoke(app, command.split(), input="".join(f"{line}\n" for line in typed))
    assert done.exit_code in (0, 1), f"levelsense {command}: exit code {done.exit_code}: {done.stderr}"
    answers = iter(typed)
    return re.sub(re.escape(PROMPT), lambda prompt: f"{prompt[0]}{next(answers, '')}\n", done.stdout)


def main() -> None:
    """Writes what the commands print today into the page."""
    text = PAGE.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for done in reversed(list(follow(text, Path(folder)))):
            start, end = done.place
            text = text[:start] + done.printed + text[end:]
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
