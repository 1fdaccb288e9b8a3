"""Tables in the terminal: the bundled levels, and the figures of a benchmark."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from levelsense.game.level import Level, bundled_levels
from levelsense.printable import printable
from levelsense.terminal.wording import goal_words, limit_words


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
    print_rows(console, rows)


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
