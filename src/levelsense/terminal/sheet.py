"""A level on one sheet: its board, then what a designer wants to know about it."""

import io
import json
import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from levelsense.game.level import Cell, Level
from levelsense.printable import printable
from levelsense.terminal.board import draw_board, legend
from levelsense.terminal.screen import SafeConsole, print_drawing, shows_shades
from levelsense.terminal.wording import (
    board_words,
    color_words,
    dispenser_words,
    drop_words,
    goal_words,
    limit_words,
)

_PIECES = ("wrapped", "color bomb", "swirl", "cherry", "hazelnut")
_CARRIERS = ("sugar", "time", "countdown")
_LABEL_WIDTH = 8
_SVG_WIDTH = 76
_BLOCKERS = ("chocolate", "marmalade", "lock")


def features(level: Level) -> dict[str, int]:
    """How many of each thing besides plain candies the level starts with; what is absent is left out."""
    cells = level.cells
    pieces = Counter(cell.piece for cell in cells)
    blockers = Counter(cell.blocker for cell in cells)
    found = {
        "gap": sum(not cell.tile for cell in cells),
        "jelly": sum(cell.jelly > 0 for cell in cells),
        "double jelly": sum(cell.jelly == 2 for cell in cells),
        "icing": blockers["icing"],
        "icing layers": sum(cell.layers for cell in cells),
        **{name: blockers[name] for name in _BLOCKERS},
        "striped": pieces["striped row"] + pieces["striped column"],
        **{name: pieces[name] for name in (*_PIECES, *_CARRIERS)},
        "teleporter": len(level.teleporters),
        "dispenser": sum(len(dispenser.at) for dispenser in level.dispensers),
        "exit": len(level.exit_cells),
    }
    return {name: number for name, number in found.items() if number}


def level_facts(level: Level) -> dict[str, Any]:
    """The sheet as data: what `levelsense show --json` prints."""
    return {
        "name": level.name,
        "about": level.about,
        "digest": level.digest,
        "rows": level.rows,
        "columns": level.columns,
        "moves": level.moves,
        "seconds": level.seconds,
        "goals": level.asked,
        "colors": dict(Counter(level.color_table)),
        "features": features(level),
        "stars": level.stars,
        "rules": level.rules,
        "scoring": level.scoring_scheme,
        "level": json.loads(level.to_json()),
    }


def print_sheet(console: Console, level: Level, cells: Sequence[Cell]) -> None:
    """The level's sheet, for people; `cells` is its board, as written or as dealt."""
    shaded = shows_shades(console)
    console.print(Text(printable(level.name), style="bold"))
    if level.about:
        console.print(Text(level.about))
    console.print()
    print_drawing(console, draw_board(level, cells, shaded=shaded, airy=shaded))
    console.print()
    if marks := legend(level, shaded=shaded, width=console.width):
        print_drawing(console, marks)
        console.print()
    for label, lines in _facts(level):
        print_fact(console, label, lines)


def print_fact(console: Console, label: str, lines: Sequence[str]) -> None:
    """Lines behind a label, broken to the console's width and indented alike."""
    width = max(console.width - _LABEL_WIDTH, 20)
    broken = [part for line in lines for part in textwrap.wrap(line, width)]
    for shown, line in zip_longest([label], broken, fillvalue=""):
        console.print(Text.assemble((f"{shown:<{_LABEL_WIDTH}}", "bold"), line), soft_wrap=True)


def sheet_svg(level: Level, cells: Sequence[Cell], title: str) -> str:
    """The sheet as an SVG picture that fetches nothing: it is drawn in a monospace font of the reader's."""
    console = SafeConsole(
        width=_SVG_WIDTH, record=True, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    print_sheet(console, level, cells)
    console.print()  # the picture ends with the last line, and cuts what hangs below it
    form = re.sub(r"@font-face {{.*?}}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    form = form.replace("Fira Code, monospace", "Menlo, Consolas, DejaVu Sans Mono, monospace")
    return console.export_svg(title=printable(title), code_format=form)


def _facts(level: Level) -> list[tuple[str, list[str]]]:
    """Labels and lines of the sheet; a label without lines is left out."""
    facts = [
        ("goals", [goal_words(name, asked) for name, asked in level.asked.items()]),
        ("limit", [limit_words(level)]),
        ("colors", [color_words(level)]),
        ("board", [board_words(level, features(level))]),
        ("drops", [drop_words(drop) for drop in level.drops] + dispenser_words(level)),
        ("stars", [" / ".join(f"{score:,}" for score in level.stars)] if level.stars else []),
        ("rules", [f"{level.rules}, {level.scoring_scheme} scoring" + (", bonus" if level.bonus else "")]),
    ]
    return [(label, lines) for label, lines in facts if lines]
