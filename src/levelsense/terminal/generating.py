"""Generating a saga from the terminal: progress, and what was written."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.text import Text

from levelsense.saga.files import Written
from levelsense.saga.generate import SagaLevel, generate
from levelsense.saga.schedule import ELEMENTS
from levelsense.terminal.listing import print_rows
from levelsense.terminal.screen import screen


def generate_watched(seed: int, count: int, first: int) -> list[SagaLevel]:
    """The levels, with a bar on stderr while they are made, on a terminal."""
    console = screen(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("levels", total=count)
        return list(generate(seed, count, first, progress=lambda level: bar.advance(task)))


def saga_data(levels: Sequence[SagaLevel], written: Written) -> dict[str, Any]:
    """What was generated as data: what `levelsense generate --json` prints."""
    return {
        "written": written.written,
        "known": written.known,
        "levels": [
            {
                "number": level.number,
                "file": level.file_name,
                "digest": level.level.digest,
                "shape": level.shape,
                "rows": level.level.rows,
                "columns": level.level.columns,
                "moves": level.level.moves,
                "seconds": level.level.seconds,
                "goals": level.level.asked,
                "elements": list(level.elements),
                "intended": round(level.intended, 4),
                "heuristic": {"wins": level.wins, "attempts": level.attempts},
            }
            for level in levels
        ],
    }


def print_saga(console: Console, folder: Path, levels: Sequence[SagaLevel], written: Written) -> None:
    """How many levels of each element there are, and where they lie."""
    seen = Counter(name for level in levels for name in level.elements)
    rows = [("element", "levels", "from level")]
    rows += [
        (element.name, str(seen[element.name]), str(element.first))
        for element in ELEMENTS
        if seen[element.name]
    ]
    print_rows(console, rows)
    console.print()
    known = f", {written.known} were there already" if written.known else ""
    console.print(Text(f"{folder}: {written.written} levels written{known}"), soft_wrap=True)
