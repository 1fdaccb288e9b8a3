"""Boards as SVG: what a level starts with, and how often things were left there; styled by page.css."""

from collections.abc import Iterator
from html import escape
from typing import Final

from levelsense.level.elements import BLOCKER, COVERS, drawn_blocker
from levelsense.level.level import Level
from levelsense.level.tokens import COLUMN_LETTERS, Cell, cell_name, format_token
from levelsense.playtest.statistics import HeatMap

SIDE: Final = 36  # of a cell, in units of the drawing
MARGIN: Final = 20  # for letters and numbers
_GAP: Final = 1.5
_LEAST_SHOWN: Final = 0.005
_MOST_TOLD: Final = 6  # cells in the text for screen readers
CANDY: Final = {
    "red": "#e5484d",
    "orange": "#f28c28",
    "yellow": "#e3c51e",
    "green": "#46a758",
    "blue": "#3e8ede",
    "purple": "#9b6ddb",
    "cyan": "#2bb3c0",
    "magenta": "#d95bb0",
}


def board_svg(level: Level, heat: HeatMap | None = None) -> str:
    """The board of a level; with heat, in how many lost attempts something was left in each cell (%)."""
    width, height = (SIDE * number + MARGIN + 2 for number in (level.columns, level.rows))
    tiles = [(index, cell) for index, cell in enumerate(level.cells) if cell.tile]
    parts = [
        f'<svg class="board" viewBox="0 0 {width} {height + SIDE // 3}" role="img" '
        f'aria-label="{escape(_label(level, heat), quote=True)}">',
        *_names(level),
        *(part for index, cell in tiles for part in _cell(level, index, cell, _share(level, heat, index))),
        *_marks(level),
        *(part for index, _ in tiles for part in _share_text(level, index, _share(level, heat, index))),
        "</svg>",
    ]
    return "".join(parts)


def _share(level: Level, heat: HeatMap | None, index: int) -> float:
    """In how many lost attempts something was left in a cell; 0 without heat."""
    share = 0.0 if heat is None else float(heat.shares[divmod(index, level.columns)])
    return share if share >= _LEAST_SHOWN else 0.0


def _label(level: Level, heat: HeatMap | None) -> str:
    board = f"Board of {level.rows} rows and {level.columns} columns"
    if heat is None:
        return board
    shares = {
        cell_name(row, column): float(heat.shares[row, column])
        for row in range(level.rows)
        for column in range(level.columns)
        if heat.shares[row, column] >= _LEAST_SHOWN
    }
    hottest = sorted(shares, key=lambda name: -shares[name])[:_MOST_TOLD]
    hottest_shares = ", ".join(f"{name} {shares[name]:.0%}" for name in hottest)
    return f"{board}; {heat.kind} left in lost attempts, most often at {hottest_shares}"


def _corner(level: Level, index: int) -> tuple[int, int]:
    """The left and upper end of a cell."""
    row, column = divmod(index, level.columns)
    return MARGIN + SIDE * column, MARGIN + SIDE * row


def _names(level: Level) -> Iterator[str]:
    for column in range(level.columns):
        yield _text(MARGIN + SIDE * (column + 0.5), MARGIN - 7, COLUMN_LETTERS[column], "name")
    for row in range(level.rows):
        yield _text(MARGIN / 2 - 2, MARGIN + SIDE * (row + 0.5) + 4, str(row + 1), "name")


def _text(x: float, y: float, words: str, kind: str, style: str = "") -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}"{style}>{escape(words)}</text>'


def _block(x: float, y: float, inset: float, kind: str, style: str = "") -> str:
    side = SIDE - 2 * inset
    return (
        f'<rect class="{kind}" x="{x + inset:g}" y="{y + inset:g}" width="{side:g}" height="{side:g}" '
        f'rx="5"{style}/>'
    )


def _cell(level: Level, index: int, cell: Cell, share: float) -> Iterator[str]:
    """A tile with its jelly and heat, what stands on it, and the cover over that.

    Heat lies below what stands there, so that both can be seen.
    """
    x, y = _corner(level, index)
    yield _block(x, y, _GAP, f"tile jelly-{cell.jelly}" if cell.jelly else "tile")
    if share:
        yield _block(x, y, _GAP, "heat", f' style="opacity:{0.15 + 0.8 * share:.2f}"')
    element = drawn_blocker(cell.blocker)
    if element is not None:
        yield _block(x, y, 7, "blocker", f' style="fill:{element.look.ground}"')
        ink = f' style="fill:{element.look.ink}"'
        yield _text(
            x + SIDE / 2, y + SIDE / 2 + (1 if share else 4), element.token_of(cell.layers), "token", ink
        )
    else:
        yield _piece(x + SIDE / 2, y + SIDE / 2, cell)
    if cell.blocker in COVERS.values():
        look = BLOCKER[str(cell.blocker)].look
        yield _block(x, y, 4, f"cover {'locked' if cell.blocker == 'lock' else ''}".strip())
        edges = f"{look.edges[0]}   {look.edges[1]}"
        yield _text(x + SIDE / 2, y + SIDE / 2 + 5, edges, "token edges")


def _piece(x: float, y: float, cell: Cell) -> str:
    """A piece: a plain candy as a dot, filled if its color is drawn; others with their tokens."""
    fill = f' style="fill:{CANDY[cell.color]}"' if cell.color else ""
    kind = "candy" if cell.color else "candy dealt"
    if cell.piece in (None, "candy"):
        radius = 9 if cell.color else 4
        return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius}"{fill}/>'
    token = format_token(cell) if cell.color or not cell.colored else format_token(cell).lstrip(".")
    return f'<circle class="{kind} special" cx="{x:g}" cy="{y:g}" r="12"{fill}/>' + _text(
        x, y + 4, token, "token on-piece"
    )


def _marks(level: Level) -> Iterator[str]:
    """Where pieces enter, leave and jump; teleporters are numbered as in the terminal."""
    for dispenser in level.dispensers:
        for name in dispenser.at:
            x, y = _corner(level, level.index(name))
            yield f'<path class="mark" d="M{x + 12} {y - 1}h12l-6 7z"/>'
    for number, teleporter in enumerate(level.teleporters, start=1):
        x, y = _corner(level, level.index(teleporter.from_))
        yield _text(x + 9, y + SIDE - 3, f"↓{number}", "mark-name")
        x, y = _corner(level, level.index(teleporter.to))
        yield _text(x + SIDE - 9, y + 11, f"{number}↓", "mark-name")
    for index in level.exit_cells:
        x, y = _corner(level, index)
        yield f'<path class="mark" d="M{x + 11} {y + SIDE - 1}h14l-7 8z"/>'


def _share_text(level: Level, index: int, share: float) -> Iterator[str]:
    """A share in per cent, in the lower right of its cell."""
    if share:
        x, y = _corner(level, index)
        yield _text(x + SIDE - 3, y + SIDE - 3, f"{100 * share:.0f}", "share")
