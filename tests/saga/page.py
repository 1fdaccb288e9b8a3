"""The levels that docs/saga.md shows, as they are drawn now."""

import re
from io import StringIO
from pathlib import Path

from rich.console import Console

from levelsense.cli.terminal.level_facts import print_level
from levelsense.saga.generate import saga_level

PAGE = Path(__file__).parents[2] / "docs" / "saga.md"
DRAWING = re.compile(r"^```text\n(Saga (\d+)\n.*?)^```", re.DOTALL | re.MULTILINE)


def drawn(number: int) -> str:
    """A level of the saga with seed 1 as `levelsense show` draws it."""
    level, printed = saga_level(1, number).level, StringIO()
    print_level(Console(file=printed, width=80, emoji=False, highlight=False), level, level.cells)
    return "".join(f"{line.rstrip()}\n" for line in printed.getvalue().splitlines())


def redraw() -> None:
    """Draws the levels of the page anew."""
    text = PAGE.read_text(encoding="utf-8")
    changed = DRAWING.sub(lambda match: f"```text\n{drawn(int(match[2]))}```", text)
    PAGE.write_text(changed, encoding="utf-8")
