"""Examples for networks over planes: states, their legal moves, and which of them the player made.

Planes take 33 kilobytes a position and are written batch by batch; a state takes one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.convolution.planes import (
    SIDE,
    SWAPS,
    fits_planes,
    new_planes,
    swap_number,
    write_planes,
)
from levelsense.errors import TrainingError
from levelsense.game.moves import REVERSED
from levelsense.game.state import LEVEL_DTYPE, Array, States
from levelsense.kernel import kernel
from levelsense.learning.examples import rows_of
from levelsense.people.positions import Positions


@dataclass(frozen=True)
class Boards:
    """Positions with the move that a player made in each.

    The legal moves of position k are legal[first[k]:first[k + 1]]; made[k] is the place of the one made among
    them. record[k] is the place of its level in `records`; `level` and `player` are the caller's numbers.
    Judgements (judge.py) take these as they take Examples: positions and moves are in the same order.
    """

    records: NDArray[Any]  # of LEVEL_DTYPE
    states: States
    legal: NDArray[np.int64]
    first: NDArray[np.int64]
    made: NDArray[np.int64]
    record: NDArray[np.int64]
    level: NDArray[np.int64]
    player: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.made)

    @property
    def moves(self) -> NDArray[np.int64]:
        """How many legal moves each position has."""
        return np.diff(self.first)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The positions of several parts, in order."""
        starts = np.cumsum([0, *(len(part.records) for part in parts)])
        return cls(
            np.concatenate([part.records for part in parts]),
            np.concatenate([part.states for part in parts]),
            np.concatenate([part.legal for part in parts]),
            _offsets(np.concatenate([part.moves for part in parts])),
            np.concatenate([part.made for part in parts]),
            np.concatenate([part.record + start for part, start in zip(parts, starts, strict=False)]),
            np.concatenate([part.level for part in parts]),
            np.concatenate([part.player for part in parts]),
        )

    def chosen(self, which: NDArray[Any]) -> "Boards":
        """Some of the positions, by a mask or by their numbers."""
        places = np.flatnonzero(which) if which.dtype == bool else which
        return Boards(
            self.records,
            self.states[places],
            self.legal[rows_of(self.first, places)],
            _offsets(self.moves[places]),
            self.made[places],
            self.record[places],
            self.level[places],
            self.player[places],
        )

    def batch(self, places: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.bool_], Array]:
        """Planes, which of the 144 swaps are legal, and the number of the swap made, of some positions."""
        planes = new_planes(len(places))
        mask = np.zeros((len(places), SWAPS), np.bool_)
        swaps = np.zeros(len(places), np.int64)
        _write_batch(
            self.records,
            self.states,
            self.legal,
            self.first,
            self.made,
            self.record,
            np.ascontiguousarray(places, np.int64),
            planes,
            mask,
            swaps,
        )
        return planes, mask, swaps

    def widths(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The columns of the boards of some positions."""
        columns: NDArray[Any] = self.records["columns"][self.record[places]]
        return columns.astype(np.int64)

    def swaps(self, start: int, end: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Of the legal moves of positions start to end: position from 0, swap, and how many moves are it."""
        legal = self.legal[self.first[start] : self.first[end]]
        position = np.repeat(np.arange(end - start), self.moves[start:end])
        numbers = np.zeros(len(legal), np.int64)
        _number_swaps(np.ascontiguousarray(legal), numbers)
        _, of, counts = np.unique(position * SWAPS + numbers, return_inverse=True, return_counts=True)
        return position, numbers, counts[of]


def _offsets(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


@kernel
def _number_swaps(legal: Array, numbers: Array) -> None:
    """Writes the number of each move's swap."""
    for k in range(legal.shape[0]):
        numbers[k] = swap_number(legal[k])


@kernel
def _write_batch(
    records: Array,
    states: States,
    legal: Array,
    first: Array,
    made: Array,
    record: Array,
    places: Array,
    planes: Array,
    mask: Array,
    swaps: Array,
) -> None:
    """Writes planes, the mask of legal swaps and the swap made for each place."""
    for j in range(places.shape[0]):
        k = places[j]
        start, end = first[k], first[k + 1]
        write_planes(records[record[k]], states[k], legal[start:end], end - start, planes[j])
        for i in range(start, end):
            mask[j, swap_number(legal[i])] = True
        swaps[j] = swap_number(legal[start + made[k]])


@kernel
def _find_made(legal: Array, first: Array, codes: Array, made: Array) -> None:
    """Writes the place of each move made among the legal ones.

    A move that is listed only the other way round, since its direction makes no difference, counts as that.
    """
    for k in range(codes.shape[0]):
        for j in range(first[k], first[k + 1]):
            if legal[j] == codes[k] or (legal[j] % REVERSED == codes[k] % REVERSED and made[k] < 0):
                made[k] = j - first[k]


def encode_boards(positions: Positions, number: int, player: NDArray[np.int64]) -> Boards:
    """The examples of positions of one level; the caller numbers level and players.

    TrainingError if the board is larger than the planes.
    """
    level = positions.level
    if not fits_planes(level):
        raise TrainingError(
            f"{positions.name}: a board of {level.rows} rows and {level.columns} columns; "
            f"expected at most {SIDE} of each, which is all that networks over planes see"
        )
    legal, first = (np.ascontiguousarray(part, np.int64) for part in positions.legal)
    made = np.full(len(positions), -1, np.int64)
    _find_made(legal, first, np.ascontiguousarray(positions.codes, np.int64), made)
    return Boards(
        np.array([positions.record], LEVEL_DTYPE),
        np.ascontiguousarray(positions.states),
        legal,
        first,
        made,
        np.zeros(len(positions), np.int64),
        np.full(len(positions), number, np.int64),
        player,
    )
