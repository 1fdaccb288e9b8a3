"""Draws a board as text that reads the same with and without color."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.style import Style
from rich.text import Text

from levelsense.level.elements import BLOCKER, BLOCKERS, COVERS, ON_BOARD, SWIRL, Element, Look
from levelsense.level.level import Level
from levelsense.level.tokens import COLUMN_LETTERS, Cell, format_token, parse_cell

# Every style sets its own background, so that a board looks the same on dark and on light terminals.
# All are of the palette of 256 colors, so that it looks the same on terminals that have no more.
JELLY_GROUND = {0: "#3a3a3a", 1: "#5f5faf", 2: "#afafff"}
_INK, _CHALK = "#121212", "#ffffff"
CANDY_GROUND = {
    "red": "#ff5f5f",
    "orange": "#ff8700",
    "yellow": "#ffff5f",
    "green": "#5fd75f",
    "blue": "#5fafff",
    "purple": "#af87ff",
    "cyan": "#00d7d7",
    "magenta": "#ff87d7",
    None: "#9e9e9e",
}
_COLORLESS = {
    "color bomb": (_CHALK, "#5f00af"),
    "swirl": (SWIRL.look.ink, SWIRL.look.ground),
    "cherry": ("#d70000", _CHALK),
    "hazelnut": (_INK, "#d7af87"),
    "primed": (_CHALK, "#d70087"),
    "large primed": (_CHALK, "#d70087"),
}
_DRAWN = {element.name: element.look for element in ON_BOARD}
_COVER = {name: BLOCKER[name].look for name in COVERS.values()}

_LEGEND = [
    (element, element.legend)
    for element in sorted(BLOCKERS, key=lambda element: (element.place != "cover", element.token))
    if element.legend
]
_PRIMED = {"primed": "!", "large primed": "!!"}
_TICK = {0: " ", 1: "'", 2: '"'}


def token(cell: Cell) -> str:
    """The token of a cell; `!` is a primed wrapped candy, which only stands on a board during a cascade."""
    return _PRIMED.get(cell.piece or "") or format_token(cell)


@dataclass(frozen=True)
class Notes:
    """Marks written over and under cells, by row and column counted from 0."""

    above: dict[tuple[int, int], str] = field(default_factory=dict)
    below: dict[tuple[int, int], str] = field(default_factory=dict)


def notes_of(level: Level) -> Notes:
    """Where pieces enter, leave and jump: teleporters are numbered in the level's order."""
    notes = Notes()
    for dispenser in level.dispensers:
        for name in dispenser.at:
            notes.above[parse_cell(name)] = "↧"
    for number, teleporter in enumerate(level.teleporters, start=1):
        notes.below[parse_cell(teleporter.from_)] = f"↓{number}"
        notes.above[parse_cell(teleporter.to)] = f"{number}↓"
    for index in level.exit_cells:
        cell = divmod(index, level.columns)
        notes.below[cell] = notes.below.get(cell, "") + "▽"
    return notes


def legend(level: Level, *, shaded: bool = False, width: int = 80) -> Text:
    """What the marks on a level's board mean: only those that it has, in lines of about `width`."""
    grain = Grain(shaded)
    samples = [
        (Cell(piece="candy", jelly=1), "jelly", any(cell.jelly == 1 for cell in level.cells)),
        (Cell(piece="candy", jelly=2), "double jelly", any(cell.jelly == 2 for cell in level.cells)),
        *((_sample(element), words, _has_blocker(level, element.name)) for element, words in _LEGEND),
    ]
    marks = [
        ("↓1 1↓ teleporter", bool(level.teleporters)),
        ("↧ dispenser", bool(level.dispensers)),
        ("▽ exit", bool(level.exit_cells)),
    ]
    shown = [Text.assemble(grain.cell(cell), f" {words}") for cell, words, used in samples if used]
    return _packed([*shown, *(Text(words) for words, used in marks if used)], width)


_PIECE_WORDS = {
    "striped row": "striped (hits its row)",
    "striped column": "striped (hits its column)",
    "wrapped": "wrapped",
    "sugar": "sugar",
    "time": "time candy",
    "countdown": "countdown bomb",
    "primed": "about to go off again",
    "large primed": "about to go off again",
}


def token_legend(cells: Sequence[Cell]) -> dict[str, str]:
    """What each kind of token on a board means: colors first, such as `r red`, then pieces and blockers."""
    colors = {cell.color: f"{cell.color[0]} {cell.color}" for cell in cells if cell.color}
    others: dict[str, str] = {}
    for cell in cells:
        if cell.blocker in _DRAWN:
            others.setdefault(cell.blocker, f"{token(cell)} {_blocker_words(cell)}")
        elif cell.piece is not None and cell.piece != "candy":
            others.setdefault(cell.piece, f"{token(cell)} {_PIECE_WORDS.get(cell.piece, cell.piece)}")
    ordered = {color: colors[color] for color in CANDY_GROUND if color in colors}
    return {str(color): words for color, words in ordered.items()} | others


def _blocker_words(cell: Cell) -> str:
    layers = f" ({cell.layers} layer{'' if cell.layers == 1 else 's'})" if cell.layers else ""
    return f"{cell.blocker}{layers}"


def _sample(element: Element) -> Cell:
    """A cell with one layer of a blocker."""
    if element.place == "cover":
        return Cell(piece="candy", blocker=element.name)
    return Cell(blocker=element.name, layers=1)


def _has_blocker(level: Level, blocker: str) -> bool:
    return any(cell.blocker == blocker for cell in level.cells)


def _packed(parts: Sequence[Text], width: int) -> Text:
    """Parts side by side, in as many lines as the width asks for."""
    lines = [Text()]
    for part in parts:
        if lines[-1] and len(lines[-1]) + len(part) + 3 > width:
            lines.append(Text())
        lines[-1].append_text(Text.assemble("   ", part) if lines[-1] else part)
    return Text("\n").join(lines)


def draw_board(level: Level, cells: Sequence[Cell], *, shaded: bool = False, airy: bool = False) -> Text:
    """The board with its column letters and row numbers.

    `shaded` shows jelly by the ground of a cell; else ticks behind it do. `airy` leaves a line between
    rows, which makes cells square.
    """
    return _Drawing(level, cells, shaded, airy).text()


class Grain:
    """How a cell is drawn: left cover, token, right cover and, without shades, ticks for its jelly."""

    def __init__(self, shaded: bool, ticks: bool = True, wide: bool = False) -> None:
        self.shaded = shaded
        self.ticks = ticks and not shaded
        self.token_width = 3 if shaded or wide else 2
        self.width = self.token_width + 2 + self.ticks

    def cell(self, cell: Cell) -> Text:
        """A cell as it is drawn."""
        if not cell.tile:
            return Text(" " * self.width)
        look = _COVER.get(cell.blocker or "") or Look(_INK, JELLY_GROUND[cell.jelly])
        edge = Style(color=look.ink, bgcolor=look.ground, bold=True)
        text = Text(look.edges[0], style=edge)
        text.append(self._token(cell), style=_token_style(cell))
        text.append(look.edges[1], style=edge)
        if self.ticks:
            text.append(_TICK[cell.jelly], style=_ground(cell))
        return text

    def label(self, words: str) -> str:
        """A label over or under a cell."""
        return words.center(self.width) if self.shaded else f" {words}".ljust(self.width)

    def _token(self, cell: Cell) -> str:
        """The token, its letter in the middle of a shaded block."""
        word = token(cell)
        return (f" {word}" if self.shaded and len(word) < 3 else word).ljust(self.token_width)


def grain_of(levels: Sequence[Level], shaded: bool) -> Grain:
    """A grain that is wide enough for all of these levels, and shows jelly if one of them has some."""
    ticks = any(cell.jelly for level in levels for cell in level.cells)
    return Grain(shaded, ticks, wide=any(map(_has_long_timers, levels)))


class _Drawing:
    """One board being drawn."""

    def __init__(self, level: Level, cells: Sequence[Cell], shaded: bool, airy: bool) -> None:
        self.rows, self.columns = level.rows, level.columns
        self.cells = cells
        self.airy = airy
        self.notes = notes_of(level)
        # Of the level, not of the cells, so that a board keeps its width while it is played.
        self.grain = grain_of([level], shaded)

    def text(self) -> Text:
        lines = [self._header(), *self._notes_lines(-1)]
        for row in range(self.rows):
            lines += [self._row(row), *self._notes_lines(row)]
        return Text("\n", no_wrap=True).join(lines)

    def _header(self) -> Text:
        return self._labels(dict(enumerate(COLUMN_LETTERS[: self.columns])))

    def _row(self, row: int) -> Text:
        line = Text.assemble((f"{row + 1:>3} ", "bold"))
        for cell in self.cells[row * self.columns : (row + 1) * self.columns]:
            line.append_text(self.grain.cell(cell))
        return line

    def _notes_lines(self, row: int) -> list[Text]:
        """Marks under the cells of a row and over those of the next; two lines if they collide."""
        below = _of_row(self.notes.below, row)
        above = _of_row(self.notes.above, row + 1)
        if below.keys() & above.keys():
            return [self._labels(below, row), self._labels(above, row)]
        spaced = self.airy and row >= 0
        return [self._labels(below | above, row)] if below or above or spaced else []

    def _labels(self, labels: Mapping[int, str], row: int = -1) -> Text:
        """A line of labels by column, on the ground of a row's cells where rows are spaced."""
        line = Text("    ")
        for column in range(self.columns):
            cell = self.cells[row * self.columns + column] if row >= 0 and self.airy else None
            label = self.grain.label(labels.get(column, ""))
            line.append(label, style=_ground(cell) if cell and cell.tile else Style(bold=True))
        return line


def _has_long_timers(level: Level) -> bool:
    """Whether countdown bombs may show two digits; those that drop in start one higher than written."""
    drawn = any(cell.timer > 9 for cell in level.cells)
    return drawn or any(drop.timer is not None and drop.timer > 8 for drop in level.all_drops)


def _of_row(marks: Mapping[tuple[int, int], str], row: int) -> dict[int, str]:
    return {column: mark for (at, column), mark in marks.items() if at == row}


def _ground(cell: Cell) -> Style:
    """What lies under a piece: the tile or its jelly."""
    return Style(color=_INK if cell.jelly == 2 else _CHALK, bgcolor=JELLY_GROUND[cell.jelly], bold=True)


def _token_style(cell: Cell) -> Style:
    if cell.blocker in _DRAWN:
        ink, ground = _DRAWN[cell.blocker].ink, _DRAWN[cell.blocker].ground
    elif cell.piece in _COLORLESS:
        ink, ground = _COLORLESS[cell.piece]
    elif cell.piece is None:
        ink, ground = _CHALK, JELLY_GROUND[cell.jelly]
    else:
        ink, ground = _INK, CANDY_GROUND[cell.color]
    return Style(color=ink, bgcolor=ground, bold=True)
