"""The words of a level file: colors, pieces, counts, cell names and the tokens a board is drawn with."""

import re
from dataclasses import dataclass
from typing import Final, Literal, get_args

Color = Literal["red", "orange", "yellow", "green", "blue", "purple", "cyan", "magenta"]
Special = Literal["striped", "wrapped", "color bomb"]
Ingredient = Literal["cherry", "hazelnut"]
DropPiece = Literal[
    "candy", "striped", "wrapped", "color bomb", "swirl", "cherry", "hazelnut", "sugar", "time", "countdown"
]
Order = Literal[
    Color,
    Special,
    "striped+striped",
    "striped+wrapped",
    "wrapped+wrapped",
    "color bomb+striped",
    "color bomb+wrapped",
    "color bomb+color bomb",
    "icing",
    "lock",
    "marmalade",
    "chocolate",
    "swirl",
    "countdown",
    "sugar",
    "time",
]

COLORS: Final[tuple[str, ...]] = get_args(Color)
INGREDIENTS: Final[tuple[str, ...]] = get_args(Ingredient)
ORDERS: Final[tuple[str, ...]] = get_args(Order)
COUNTS: Final[tuple[str, ...]] = ("jelly", *INGREDIENTS, *ORDERS)
DROP_PIECES: Final[tuple[str, ...]] = get_args(DropPiece)
COLORLESS_PIECES: Final = frozenset({"color bomb", "swirl", "cherry", "hazelnut"})

MAX_SIDE: Final = 12
MIN_SIDE: Final = 3

LETTERS: Final = {color[0]: color for color in COLORS}
COLUMN_LETTERS: Final = "abcdefghijkl"

CELL_PATTERN: Final = r"^[a-l]([1-9]|1[0-2])$"
TOKEN_PATTERN: Final = r"(?:[-*SCHX]|#[1-5]|[roygbpcm.](?:[=|+~@]|[1-9][0-9]?)?)"
TOKENS_IN_WORDS: Final = (
    "- . r o y g b p c m, one of these letters or . followed by = | + ~ @ or a number from 1 to 99, "
    "* S C H X, #1 to #5"
)

EMPTY_TOKEN: Final = ":"

_MARKED: Final = {"=": "striped row", "|": "striped column", "+": "wrapped", "~": "sugar", "@": "time"}
_COLORLESS: Final = {"*": "color bomb", "S": "swirl", "C": "cherry", "H": "hazelnut"}
_TOKEN: Final = re.compile(TOKEN_PATTERN)
_CELL: Final = re.compile(CELL_PATTERN)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a board: what a token, and the jelly and locks drawn over it, say.

    `color` is None when the piece has none, and in a level also when it is dealt at random.
    """

    tile: bool = True
    piece: str | None = None
    color: str | None = None
    blocker: str | None = None
    layers: int = 0
    jelly: int = 0
    timer: int = 0

    @property
    def colored(self) -> bool:
        """Whether the piece is a candy: one that has a color, stated or drawn."""
        return self.piece is not None and self.piece not in COLORLESS_PIECES

    @property
    def visible_color(self) -> str | None:
        """The color that takes part in lines: a lock shows it, marmalade hides it."""
        return self.color if self.blocker in (None, "lock") else None


def parse_token(token: str) -> Cell | None:
    """The cell that a board token draws, or None if there is no such token."""
    if _TOKEN.fullmatch(token) is None:
        return None
    first, rest = token[0], token[1:]
    if first == "-":
        return Cell(tile=False)
    if first == "#":
        return Cell(blocker="icing", layers=int(rest))
    if first == "X":
        return Cell(blocker="chocolate")
    if first in _COLORLESS:
        return Cell(piece=_COLORLESS[first])
    color = LETTERS.get(first)
    if rest.isdigit():
        return Cell(piece="countdown", color=color, timer=int(rest))
    return Cell(piece=_MARKED[rest] if rest else "candy", color=color)


def format_token(cell: Cell) -> str:
    """The token of a cell whose color is known; `:` for an empty tile, which only positions have."""
    if not cell.tile:
        return "-"
    if cell.piece is None:
        return {"icing": f"#{cell.layers}", "chocolate": "X"}.get(cell.blocker or "", EMPTY_TOKEN)
    for token, piece in _COLORLESS.items():
        if piece == cell.piece:
            return token
    letter = cell.color[0] if cell.color else "."
    if cell.piece == "countdown":
        return f"{letter}{cell.timer}"
    return letter + next((mark for mark, piece in _MARKED.items() if piece == cell.piece), "")


def cell_name(row: int, column: int) -> str:
    """The name of a cell by its row and column counted from 0: (3, 2) is c4."""
    return f"{COLUMN_LETTERS[column]}{row + 1}"


def parse_cell(name: str) -> tuple[int, int]:
    """The row and column, counted from 0, of a cell name such as c4; ValueError if it is none."""
    if _CELL.fullmatch(name) is None:
        raise ValueError(f"{name!r} is not a cell name; expected a letter a to l and a row 1 to 12, as in c4")
    return int(name[1:]) - 1, COLUMN_LETTERS.index(name[0])
