"""A position as text and as a picture: text is what the terminal shows, pictures are NumPy arrays."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.cli.terminal.board import CANDY_GROUND, JELLY_GROUND, draw_board
from levelsense.cli.terminal.play import progress
from levelsense.game.game import Game
from levelsense.level.elements import BLOCKER, Look, drawn_blocker
from levelsense.level.level import Level
from levelsense.level.tokens import Cell, parse_cell

Picture = NDArray[np.uint8]  # rows, columns, red green and blue
_Shape = NDArray[np.bool_]

CELL_PIXELS: Final = 36
# Every pixel is the mean of this many squared, so that edges are smooth.
_FINER: Final = 3
_SIDE: Final = CELL_PIXELS * _FINER
_axis = (np.arange(_SIDE) + 0.5) / _SIDE * 2 - 1
_across, _down = np.meshgrid(_axis, _axis)  # from -1 to 1; y grows downwards
_radius = np.hypot(_across, _down)
_wide, _high = np.absolute(_across), np.absolute(_down)

_PAGE, _INK, _CHALK = "#000000", "#121212", "#ffffff"
_CHERRY, _LEAF, _NUT, _CAP, _BOMB = "#d70000", "#5fd75f", "#af875f", "#5f3700", "#5f00af"
_SHADOW: Final = 0.55  # of a candy's color, around it

# Digits of three by five.
_DIGITS: Final = {
    "0": "111101101101111",
    "1": "010110010010111",
    "2": "111001111100111",
    "3": "111001111001111",
    "4": "101101111001001",
    "5": "111100111001111",
    "6": "111100111101111",
    "7": "111001010010010",
    "8": "111101111101111",
    "9": "111101111001111",
}

# Each color has a shape, too, for who cannot tell the colors apart.
_SHAPES: Final[dict[str | None, Callable[[float], _Shape]]] = {
    "red": lambda size: _radius < size,
    "orange": lambda size: _wide + _high < 1.3 * size,
    "yellow": lambda size: (_down < 0.8 * size) & (2 * _wide - _down < 1.1 * size),
    "green": lambda size: np.maximum(_wide, _high) < 0.88 * size,
    "blue": lambda size: np.maximum(0.87 * _wide + 0.5 * _high, _high) < 0.95 * size,
    "purple": lambda size: (np.minimum(_wide, _high) < 0.42 * size) & (_radius < 1.05 * size),
    "cyan": lambda size: (_across / 1.15) ** 2 + (_down / 0.72) ** 2 < size**2,
    "magenta": lambda size: (_down > -0.8 * size) & (2 * _wide + _down < 1.1 * size),
    None: lambda size: _radius < size,
}
_CANDY_SIZE: Final = 0.68


def draw_text(game: Game) -> str:
    """The board as `levelsense show` prints it without colors, and a line on how far the attempt is."""
    return f"{draw_board(game.level, game.cells).plain}\n\n{progress(game).plain}\n"


def draw_picture(level: Level, cells: Sequence[Cell]) -> Picture:
    """The board as an array of pixels, CELL_PIXELS for the side of a cell; its size is the level's."""
    picture = np.zeros((level.rows * CELL_PIXELS, level.columns * CELL_PIXELS, 3), np.uint8)
    marks = _marks(level)
    for index, cell in enumerate(cells):
        row, column = divmod(index, level.columns)
        top, left = row * CELL_PIXELS, column * CELL_PIXELS
        picture[top : top + CELL_PIXELS, left : left + CELL_PIXELS] = _cell(cell, marks.get(index, ""))
    return picture


def _marks(level: Level) -> dict[int, str]:
    """Where ingredients leave and teleporters begin and end, by the cells' row-major indexes."""
    marks = dict.fromkeys(level.exit_cells, "exit ")
    for teleporter in level.teleporters:
        for name, end in ((teleporter.from_, "from "), (teleporter.to, "to ")):
            row, column = parse_cell(name)
            index = row * level.columns + column
            marks[index] = marks.get(index, "") + end
    return marks


@lru_cache(maxsize=4096)
def _cell(cell: Cell, marks: str) -> Picture:
    """A cell as it is drawn; cached, since few different cells occur."""
    canvas = _Canvas(_PAGE)
    if cell.tile:
        canvas.fill(np.maximum(_wide, _high) < 0.97, JELLY_GROUND[cell.jelly])
        _draw_contents(canvas, cell)
        _draw_marks(canvas, marks)
    return canvas.pixels()


class _Canvas:
    """A cell being drawn, with _FINER times its pixels."""

    def __init__(self, ground: str) -> None:
        self._colors = np.empty((_SIDE, _SIDE, 3))
        self._colors[:] = _rgb(ground)

    def fill(self, shape: _Shape, color: str | NDArray[Any], cover: float = 1.0) -> None:
        """Paints a shape, `cover` of what is under it."""
        rgb = _rgb(color) if isinstance(color, str) else color
        self._colors[shape] = cover * rgb + (1 - cover) * self._colors[shape]

    def digits(self, text: str, color: str, middle: tuple[float, float] = (0.0, 0.0)) -> None:
        """Writes a number around a point."""
        pixel = 0.12
        x0, y0 = middle[0] - pixel * (4 * len(text) - 1) / 2, middle[1] - pixel * 5 / 2
        for k, digit in enumerate(text):
            for at, bit in enumerate(_DIGITS[digit]):
                left, top = x0 + pixel * (4 * k + at % 3), y0 + pixel * (at // 3)
                if bit == "1":
                    self.fill(_box(left, top, left + pixel, top + pixel), color)

    def pixels(self) -> Picture:
        """The pixels of the cell."""
        fine = self._colors.reshape(CELL_PIXELS, _FINER, CELL_PIXELS, _FINER, 3)
        pixels: Picture = np.rint(fine.mean(axis=(1, 3))).astype(np.uint8)
        return pixels


def _rgb(color: str) -> NDArray[Any]:
    return np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)], np.float64)


def _box(left: float, top: float, right: float, bottom: float) -> _Shape:
    shape: _Shape = (_across >= left) & (_across < right) & (_down >= top) & (_down < bottom)
    return shape


def _disk(x: float, y: float, size: float) -> _Shape:
    shape: _Shape = np.hypot(_across - x, _down - y) < size
    return shape


def _draw_contents(canvas: _Canvas, cell: Cell) -> None:
    """The piece of a cell, and its blocker."""
    element = drawn_blocker(cell.blocker)
    if element is not None:
        canvas.fill(_box(-0.85, -0.85, 0.85, 0.85), element.look.ground)
        canvas.digits(str(cell.layers or 1), element.look.ink)
        return
    if cell.piece in _COLORLESS:
        _COLORLESS[cell.piece](canvas)
    elif cell.piece is not None:
        _draw_candy(canvas, cell)
    if cell.blocker is not None:
        _draw_cover(canvas, BLOCKER[cell.blocker].look, BLOCKER[cell.blocker].hides)


def _draw_candy(canvas: _Canvas, cell: Cell) -> None:
    """A candy in its color's shape, with what it carries."""
    shape = _SHAPES[cell.color](_CANDY_SIZE)
    color = _rgb(CANDY_GROUND[cell.color])
    if cell.piece == "wrapped":
        canvas.fill(_box(-0.85, -0.85, 0.85, 0.85), color * _SHADOW)
        canvas.fill(_box(-0.77, -0.77, 0.77, 0.77), _CHALK)
    canvas.fill(_SHAPES[cell.color](_CANDY_SIZE + 0.1), color * _SHADOW)
    canvas.fill(shape, color)
    along = {"striped row": _down, "striped column": _across}.get(cell.piece or "")
    if along is not None:
        canvas.fill(shape & (np.abs(np.abs(along) - 0.25) < 0.09), _CHALK)
    elif cell.piece == "sugar":
        canvas.fill(_disk(0, 0, 0.25), _CHALK)
    elif cell.piece == "time":
        canvas.fill(_disk(0, 0, 0.38), _CHALK)
        canvas.fill(_box(-0.05, -0.3, 0.05, 0.05) | _box(-0.05, -0.05, 0.25, 0.05), _INK)
    elif cell.piece == "countdown":
        canvas.fill(_disk(0, 0, 0.55), _INK)
        canvas.digits(str(cell.timer), _CHALK)


def _draw_bomb(canvas: _Canvas) -> None:
    canvas.fill(_disk(0, 0, 0.78), _BOMB)
    sprinkles = [color for name, color in CANDY_GROUND.items() if name is not None]
    for k, color in enumerate(sprinkles):
        turn = 2 * np.pi * k / len(sprinkles)
        canvas.fill(_disk(0.48 * np.cos(turn), 0.48 * np.sin(turn), 0.14), color)


def _draw_swirl(canvas: _Canvas) -> None:
    canvas.fill(_disk(0, 0, 0.78), _INK)
    turns = (_radius / 0.28 - np.arctan2(_down, _across) / (2 * np.pi)) % 1
    canvas.fill((_radius < 0.7) & (turns < 0.3), _CHALK)


def _draw_cherry(canvas: _Canvas) -> None:
    canvas.fill(np.abs(_wide - 0.32 * (_down + 0.7)) + 0.1 * (_down > 0.2) + (_down < -0.7) < 0.07, _LEAF)
    for x in (-0.38, 0.38):
        canvas.fill(_disk(x, 0.3, 0.4), _CHERRY)


def _draw_hazelnut(canvas: _Canvas) -> None:
    canvas.fill(_disk(0, 0.05, 0.7), _NUT)
    canvas.fill(_disk(0, 0.05, 0.7) & (_down < -0.15), _CAP)


_COLORLESS: Final[dict[str, Callable[[_Canvas], None]]] = {
    "color bomb": _draw_bomb,
    "swirl": _draw_swirl,
    "cherry": _draw_cherry,
    "hazelnut": _draw_hazelnut,
}


def _draw_cover(canvas: _Canvas, look: Look, hides: bool) -> None:
    """A blocker over a piece: a veil if it hides the piece, else bars."""
    if hides:
        canvas.fill(_radius < 0.95, look.ground, 0.6)
    else:
        bars = (np.abs(_wide - 0.4) < 0.07) | (np.abs(_high - 0.4) < 0.07)
        canvas.fill(bars & (np.maximum(_wide, _high) < 0.97), look.ground)


def _draw_marks(canvas: _Canvas, marks: str) -> None:
    """An arrow at the edge where ingredients leave; bars where teleporters begin and end."""
    if "exit" in marks:
        canvas.fill((_down > 0.72) & (_wide < 0.97 - _down), _CHALK)
    if "from" in marks:
        canvas.fill(_box(-0.97, 0.87, 0.97, 0.97), _BOMB)
    if "to" in marks:
        canvas.fill(_box(-0.97, -0.97, 0.97, -0.87), _BOMB)
