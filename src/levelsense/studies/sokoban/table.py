"""Positions in arrays: rows of boxes and player, and a table of hashes by which they are found again."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.kernel import kernel
from levelsense.studies.sokoban.board import BoardRecord
from levelsense.studies.sokoban.moves import Position

# Columns: the hash of a position, the stamp of the search that entered it, and a number kept with it.
KEY, STAMP, VALUE = range(3)
NOT_THERE: Final = -1
Seen = NDArray[np.int64]


def new_table(entries: int) -> Seen:
    """An empty table that holds so many entries and stays half empty."""
    return np.zeros((1 << (2 * entries - 1).bit_length(), 3), np.int64)


@kernel
def position_key(board: BoardRecord, position: Position) -> int:
    """The hash of a position that was looked at; two positions have the same one in 1 of 2^63 cases."""
    return position.hash ^ board.key[1, position.lowest]  # type: ignore[no-any-return]


@kernel
def enter(table: Seen, stamp: int, key: int, value: int) -> int:
    """The number that is kept for a key under a stamp; if there is none, NOT_THERE, and the value is kept."""
    mask = len(table) - 1
    slot = key & mask
    while table[slot, STAMP] == stamp:
        if table[slot, KEY] == key:
            return table[slot, VALUE]  # type: ignore[no-any-return]
        slot = (slot + 1) & mask
    table[slot, KEY] = key
    table[slot, STAMP] = stamp
    table[slot, VALUE] = value
    return NOT_THERE


@kernel
def has(table: Seen, stamp: int, key: int) -> bool:
    """Whether there is a number for a key under a stamp; the table stays as it is."""
    mask = len(table) - 1
    slot = key & mask
    while table[slot, STAMP] == stamp:
        if table[slot, KEY] == key:
            return True
        slot = (slot + 1) & mask
    return False


@kernel
def keep(board: BoardRecord, position: Position, nodes: Any, row: int) -> None:
    """Writes a position into a row of `nodes`: its boxes, then the player."""
    for k in range(board.boxes):
        nodes[row, k] = position.box[k]
    nodes[row, board.boxes] = position.player
