"""The words of a level file: colors, pieces, counts, cell names and the tokens a board is drawn with."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from levelsense.level.elements import COVERS, ELEMENTS, ON_BOARD, drawn_blocker, is_hidden_by

Color = Literal["red", "orange", "yellow", "green", "blue", "purple", "cyan", "magenta"]
Special = Literal["striped", "wrapped", "color bomb"]
Ingredient = Literal["cherry", "hazelnut"]
DropPiece = Literal[
    "candy", "striped", "wrapped", "color bomb", "swirl", "cherry", "hazelnut", "sugar", "time", "countdown"
]

COLORS: Final[tuple[str, ...]] = get_args(Color)
INGREDIENTS: Final[tuple[str, ...]] = get_args(Ingredient)
# A count keeps its place in the list, for stored attempts and golden files: elements that came later follow.
FIRST_ORDERS: Final = (
    *COLORS,
    *get_args(Special),
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
)
LATER_ELEMENTS: Final = tuple(element for element in ELEMENTS if element.name not in FIRST_ORDERS)
ORDERS: Final = (*FIRST_ORDERS, *(element.name for element in LATER_ELEMENTS))
FIRST_COUNTS: Final = ("jelly", *INGREDIENTS, *FIRST_ORDERS)
COUNTS: Final = ("jelly", *INGREDIENTS, *ORDERS)
if TYPE_CHECKING:
    Order = str  # a type checker cannot read the table
else:
    Order = Literal[ORDERS]

DROP_PIECES: Final[tuple[str, ...]] = get_args(DropPiece)
COLORLESS_PIECES: Final = frozenset({"color bomb", "swirl", "cherry", "hazelnut"})

MAX_SIDE: Final = 12
MIN_SIDE: Final = 3

LETTERS: Final = {color[0]: color for color in COLORS}
COLUMN_LETTERS: Final = "abcdefghijkl"

CELL_PATTERN: Final = r"^[a-l]([1-9]|1[0-2])$"
_PLAIN: Final = [element.token for element in ON_BOARD if element.most_layers == 1]
_LAYERED: Final = [element for element in ON_BOARD if element.most_layers > 1]
TOKEN_PATTERN: Final = "".join(
    (
        f"(?:[-*SCH{''.join(_PLAIN)}]|",
        *(f"{element.token}[1-{element.most_layers}]|" for element in _LAYERED),
        r"[roygbpcm.](?:[=|+~@]|[1-9][0-9]?)?)",
    )
)
TOKENS_IN_WORDS: Final = ", ".join(
    (
        "- . r o y g b p c m",
        "one of these letters or . followed by = | + ~ @ or a number from 1 to 99",
        " ".join(("* S C H", *_PLAIN)),
        *(element.tokens_in_words for element in _LAYERED),
    )
)
BLOCKERS_IN_WORDS: Final = ", ".join(f"{element.tokens_in_words} {element.name}" for element in ON_BOARD)
COVERS_IN_WORDS: Final = ", ".join(f"{token} {name}" for token, name in sorted(COVERS.items()))
COVER_TOKENS: Final = "".join(sorted(COVERS))

EMPTY_TOKEN: Final = ":"

_MARKED: Final = {"=": "striped row", "|": "striped column", "+": "wrapped", "~": "sugar", "@": "time"}
_COLORLESS: Final = {"*": "color bomb", "S": "swirl", "C": "cherry", "H": "hazelnut"}
_TOKEN: Final = re.compile(TOKEN_PATTERN)
_CELL: Final = re.compile(CELL_PATTERN)
_DRAWN: Final = {element.token: element for element in ON_BOARD}


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a board, as its token and the jelly and locks drawn over it give it.

    `color` is None when the piece has none, and in a level also when it is dealt at random. `layers` are
    those of a blocker whose token has their number.
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
        """The color that takes part in lines, unless a blocker hides it."""
        return None if is_hidden_by(self.blocker) else self.color


def parse_token(token: str) -> Cell | None:
    """The cell that a board token draws, or None if there is no such token."""
    if _TOKEN.fullmatch(token) is None:
        return None
    first, rest = token[0], token[1:]
    if first == "-":
        return Cell(tile=False)
    if first in _DRAWN:
        return Cell(blocker=_DRAWN[first].name, layers=int(rest or 0))
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
        element = drawn_blocker(cell.blocker)
        return element.token_of(cell.layers) if element else EMPTY_TOKEN
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
