"""Examples for a policy: the inputs of each position's legal moves, and which of them the player made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.policy.encoding import write_move_inputs, write_position_inputs
from levelsense.agents.policy.inputs import (
    MOVE_INPUTS,
    POSITION_INPUTS,
)
from levelsense.game.moves import REVERSED, first_cell
from levelsense.game.state import NO_CELL, Array, LevelRecord, States, Work, new_work
from levelsense.kernel import kernel
from levelsense.people.positions import Positions

NOT_LISTED: Final = -1


@dataclass(frozen=True)
class Examples:
    """Positions with the move that a player made in each.

    The moves of position k are the rows first[k] to first[k + 1] of `inputs`; made[k] is the place of the one
    made among them. Levels and players have numbers.
    """

    inputs: NDArray[np.float32]
    first: NDArray[np.int64]
    made: NDArray[np.int64]
    position: NDArray[np.float32]
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
        """The examples of several parts, in order."""
        counts = np.concatenate([part.moves for part in parts])
        first = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        return cls(
            np.concatenate([part.inputs for part in parts]),
            first,
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("made", "position", "level", "player")
            ),
        )

    def chosen(self, which: NDArray[Any]) -> "Examples":
        """Some of the positions, by a mask or by their numbers."""
        places = np.flatnonzero(which) if which.dtype == bool else which
        rows = rows_of(self.first, places)
        first = np.concatenate([np.zeros(1, np.int64), np.cumsum(self.moves[places])])
        return Examples(
            self.inputs[rows],
            first,
            self.made[places],
            self.position[places],
            self.level[places],
            self.player[places],
        )


def rows_of(first: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of the moves of some positions, one after the other."""
    counts = first[places + 1] - first[places]
    ends = np.cumsum(counts)
    starts: NDArray[np.int64] = np.repeat(first[places] - ends + counts, counts)
    return starts + np.arange(len(starts))


@kernel
def _encode(
    level: LevelRecord,
    states: States,
    made: Array,
    last: Array,
    legal: Array,
    first: Array,
    work: Work,
    inputs: Array,
    position: Array,
    place: Array,
) -> None:
    """Writes the inputs of the moves legal[first[k]:first[k + 1]] of each state, and which was made.

    A move that is listed only the other way round, since its direction makes no difference, counts as that.
    """
    for k in range(states.shape[0]):
        start, end = first[k], first[k + 1]
        write_move_inputs(level, states, k, work, legal[start:end], end - start, last[k], inputs[start:end])
        write_position_inputs(level, states[k], end - start, position[k])
        place[k] = NOT_LISTED
        for j in range(start, end):
            if legal[j] == made[k] or (legal[j] % REVERSED == made[k] % REVERSED and place[k] == NOT_LISTED):
                place[k] = j - start


def last_cells(positions: Positions) -> NDArray[np.int64]:
    """The cell that the piece of the move before came from, of each position; NO_CELL where there is none."""
    last = np.full(len(positions), NO_CELL, np.int64)
    follows = positions.turn[1:] == positions.turn[:-1] + 1
    for name in ("attempt", "player", "cohort"):
        column = getattr(positions, name)
        follows &= column[1:] == column[:-1]
    for k in np.flatnonzero(follows):
        last[k + 1] = first_cell(int(positions.codes[k]))
    return last


def encode(
    positions: Positions, number: int, player: NDArray[np.int64], last: NDArray[np.int64] | None = None
) -> Examples:
    """The examples of positions of one level; the caller numbers level and players.

    `last` holds the cells of the moves before, where not all positions of an attempt are there.
    """
    legal, first = positions.legal
    inputs = np.zeros((len(legal), MOVE_INPUTS), np.float32)
    position = np.zeros((len(positions), POSITION_INPUTS), np.float32)
    place = np.zeros(len(positions), np.int64)
    # A copy: kernels change the states while they look, and change them back.
    _encode(
        positions.record,
        positions.states.copy(),
        np.ascontiguousarray(positions.codes, np.int64),
        last_cells(positions) if last is None else last,
        np.ascontiguousarray(legal, np.int64),
        np.ascontiguousarray(first, np.int64),
        new_work(),
        inputs,
        position,
        place,
    )
    return Examples(inputs, first, place, position, np.full(len(positions), number), player)
