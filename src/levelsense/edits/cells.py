"""The cells of a level to be changed: its drawing taken apart into tokens, and made a level again."""

import re
from collections.abc import Collection, Mapping
from typing import Any, Self

from levelsense.errors import LevelError
from levelsense.level.elements import COVERS, Element
from levelsense.level.level import Level
from levelsense.level.tokens import Cell, cell_name, parse_cell

PLAIN = "."
GAP = "-"


def changed(level: Level, **keys: Any) -> Level:
    """The level with other values of keys of its file; LevelError if they do not fit together."""
    data = level.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return Level.model_validate({**data, **keys})


class Canvas:
    """The tokens of a level's board, jelly and locks in row-major order. Changed in place."""

    def __init__(self, level: Level) -> None:
        self._level = level
        self.board = _tokens(level.board)
        blank = [GAP if token == GAP else PLAIN for token in self.board]
        self.jelly = _tokens(level.jelly) or list(blank)
        self.locks = _tokens(level.locks) or list(blank)

    def clear(self, cells: Collection[int]) -> Self:
        """Leaves a plain candy where a blocker, or a piece in the way, was; a cover's piece stays."""
        for cell in cells:
            if self.locks[cell] in COVERS:
                self.locks[cell] = PLAIN
            else:
                self.board[cell] = PLAIN
        return self

    def put(self, cells: Collection[int], element: Element, layers: int = 1) -> Self:
        """Puts an element there: a cover over the piece, others in its place."""
        for cell in cells:
            if element.place == "cover":
                self.locks[cell] = element.token
            else:
                self.board[cell] = element.token_of(layers)
        return self

    def cover_with_jelly(self, layers: Mapping[int, int]) -> Self:
        """Sets the layers of jelly of cells."""
        for cell, number in layers.items():
            self.jelly[cell] = str(number) if number else PLAIN
        return self

    def cut(self, cells: Collection[int]) -> Self:
        """Takes tiles away."""
        return self._fill(cells, GAP)

    def add_tiles(self, cells: Collection[int]) -> Self:
        """Makes tiles with a plain candy of gaps."""
        return self._fill(cells, PLAIN)

    def _fill(self, cells: Collection[int], token: str) -> Self:
        for cell in cells:
            self.board[cell] = self.jelly[cell] = self.locks[cell] = token
        return self

    def level(self, **keys: Any) -> Level:
        """The level that is drawn now, with other values of further keys; LevelError if it is none."""
        overlays = {
            name: self._rows(tokens) if any(token not in (PLAIN, GAP) for token in tokens) else []
            for name, tokens in (("jelly", self.jelly), ("locks", self.locks))
        }
        return changed(self._level, board=self._rows(self.board), **overlays, **keys)

    def _rows(self, tokens: list[str]) -> list[str]:
        width = self._level.columns
        return [" ".join(tokens[start : start + width]) for start in range(0, len(tokens), width)]


def _tokens(rows: Collection[str]) -> list[str]:
    return [token for row in rows for token in row.split()]


def in_the_way(cell: Cell) -> str | None:
    """The name of the blocker in a cell, or of the piece that is in a player's way; None if there is none."""
    return cell.blocker or (cell.piece if cell.piece in ("swirl", "countdown") else None)


def is_plain(cell: Cell) -> bool:
    """Whether a cell is a tile with a candy of any color, and nothing else but jelly."""
    return cell.tile and cell.piece == "candy" and cell.color is None and cell.blocker is None


_RANGE = re.compile(r"([a-z]\d+)(?::([a-z]\d+))?")


def parse_cells(words: str, level: Level) -> frozenset[int]:
    """The cells that `a1:c3,e5` means; LevelError, naming the part, if it is no cells of the board."""
    cells: set[int] = set()
    for word in filter(None, (part.strip().lower() for part in words.split(","))):
        cells |= _range(word, level)
    return frozenset(cells)


def _range(word: str, level: Level) -> set[int]:
    match = _RANGE.fullmatch(word)
    if match is None:
        raise LevelError([f"`keep` {word!r}: no cells; expected a cell such as a9, or two as in a1:c3"])
    corner = cell_name(level.rows - 1, level.columns - 1)
    off_board = LevelError([f"`keep` {word!r}: off the board; expected cells from a1 to {corner}"])
    try:
        first, last = parse_cell(match[1]), parse_cell(match[2] or match[1])
    except ValueError:  # beyond the largest board
        raise off_board from None
    rows, columns = (sorted(ends) for ends in zip(first, last, strict=True))
    if rows[1] >= level.rows or columns[1] >= level.columns:
        raise off_board
    return {
        row * level.columns + column
        for row in range(rows[0], rows[1] + 1)
        for column in range(columns[0], columns[1] + 1)
    }


def cell_words(cells: Collection[int], columns: int, most: int = 6) -> str:
    """The names of cells, by row: `a9, i9`, or the first ones and how many more."""
    names = [cell_name(*divmod(cell, columns)) for cell in sorted(cells)]
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
