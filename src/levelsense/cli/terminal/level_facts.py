"""A level as `levelsense show` prints it: its board, then goals, limits and drops in a designer's words."""

import io
import json
import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from levelsense.cli.terminal.board import draw_board, legend
from levelsense.cli.terminal.screen import SafeConsole, print_drawing, print_rows, shows_shades
from levelsense.errors import printable
from levelsense.level.elements import BLOCKERS, ON_BOARD
from levelsense.level.level import Cell, Level, bundled_levels
from levelsense.level.words import color_words, counted, dispenser_words, drop_words, goal_words

_LAYERED = {element.name: f"{element.name} layers" for element in ON_BOARD if element.most_layers > 1}


def goals_sentence(level: Level) -> str:
    """What has to be done with the limit, as a sentence: `Clear 10 layers of jelly in 25 moves.`"""
    *others, last = (goal_words(*goal) for goal in level.asked.items())
    words = f"{', '.join(others)} and {last}" if others else last
    return f"{words[:1].upper()}{words[1:]} in {limit_words(level)}."


def board_words(level: Level, features: Mapping[str, int]) -> str:
    """The size of the board and what stands on it besides plain candies."""
    words = [f"{counted(level.rows, 'row')}, {counted(level.columns, 'column')}"]
    for name, number in features.items():
        if name == "jelly":
            words.append(f"jelly under {number}" + _aside(features.get("double jelly", 0), "double"))
        elif name in _LAYERED:
            words.append(counted(number, name) + _aside(features[_LAYERED[name]], "layers"))
        elif name != "double jelly" and name not in _LAYERED.values():
            words.append(counted(number, name))
    return ", ".join(words)


def _aside(number: int, word: str) -> str:
    return f" ({number} {word})" if number else ""


def limit_words(level: Level) -> str:
    """How long the player may play."""
    if level.moves is not None:
        return counted(level.moves, "move")
    return f"{level.seconds:g} seconds"


_PIECES = ("wrapped", "color bomb", "swirl", "cherry", "hazelnut")
_CARRIERS = ("sugar", "time", "countdown")
_LABEL_WIDTH = 8
_SVG_WIDTH = 76


def features(level: Level) -> dict[str, int]:
    """How many of each thing besides plain candies the level starts with; what is absent is left out."""
    cells = level.cells
    pieces = Counter(cell.piece for cell in cells)
    counts = {
        "gap": sum(not cell.tile for cell in cells),
        "jelly": sum(cell.jelly > 0 for cell in cells),
        "double jelly": sum(cell.jelly == 2 for cell in cells),
        **_blocker_counts(cells),
        "striped": pieces["striped row"] + pieces["striped column"],
        **{name: pieces[name] for name in (*_PIECES, *_CARRIERS)},
        "teleporter": len(level.teleporters),
        "dispenser": sum(len(dispenser.at) for dispenser in level.dispensers),
        "exit": len(level.exit_cells),
    }
    return {name: number for name, number in counts.items() if number}


def _blocker_counts(cells: Sequence[Cell]) -> dict[str, int]:
    """How many of each blocker there are and, where they may have more than one, their layers."""
    counts = {}
    for element in BLOCKERS:
        layers = [cell.layers for cell in cells if cell.blocker == element.name]
        counts[element.name] = len(layers)
        if element.name in _LAYERED:
            counts[_LAYERED[element.name]] = sum(layers)
    return counts


def level_facts(level: Level) -> dict[str, Any]:
    """The same as data: what `levelsense show --json` prints."""
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


def print_level(console: Console, level: Level, cells: Sequence[Cell]) -> None:
    """Prints a level's board and facts; `cells` is its board, as written or as dealt."""
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


def level_svg(level: Level, cells: Sequence[Cell], title: str) -> str:
    """What `print_level` prints as an SVG that fetches nothing: it takes a monospace font of the reader's."""
    console = SafeConsole(
        width=_SVG_WIDTH, record=True, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    print_level(console, level, cells)
    console.print()  # the picture ends with the last line, and cuts what hangs below it
    form = re.sub(r"@font-face {{.*?}}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    form = form.replace("Fira Code, monospace", "Menlo, Consolas, DejaVu Sans Mono, monospace")
    return console.export_svg(title=printable(title), code_format=form)


def _facts(level: Level) -> list[tuple[str, list[str]]]:
    """Labels and lines of the facts; a label without lines is left out."""
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


def catalog() -> list[dict[str, Any]]:
    """The bundled levels as data: what `levelsense levels --json` prints."""
    return [
        {
            "name": name,
            "title": level.name,
            "rows": level.rows,
            "columns": level.columns,
            "moves": level.moves,
            "seconds": level.seconds,
            "goals": level.asked,
            "rules": level.rules,
        }
        for name, level in ((name, Level.bundled(name)) for name in bundled_levels())
    ]


def print_catalog(console: Console) -> None:
    """A line a bundled level: its name, size, limit and goals."""
    rows = [("name", "board", "limit", "goals")]
    for name in bundled_levels():
        level = Level.bundled(name)
        goals = ", ".join(goal_words(*goal) for goal in level.asked.items())
        rows.append((name, f"{level.rows} x {level.columns}", limit_words(level), goals))
    print_rows(console, rows, cuts_last=True)
