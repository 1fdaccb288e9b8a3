"""Examples for a policy: the inputs of each position's legal moves, and which of them the player made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.policy.inputs import (
    MOVE_INPUTS,
    POSITION_INPUTS,
    write_move_inputs,
    write_position_inputs,
)
from levelsense.game.moves import MOST_MOVES, REVERSED, first_cell, list_moves
from levelsense.game.record import level_record
from levelsense.game.state import NO_CELL, Array, LevelRecord, Moves, States, Work, new_work
from levelsense.kernel import kernel
from levelsense.level.level import Level

NOT_LISTED: Final = -1


@dataclass(frozen=True)
class Examples:
    """Positions with the move that a player made in each.

    The moves of position k are the rows first[k] to first[k + 1] of `inputs`; made[k] is the place of the one
    made among them. `group` tells of each position whom it belongs to: a number for each level and player.
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
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(first[places] - ends + counts, counts)


@kernel
def _count_moves(states: States, moves: Moves, counts: Array) -> None:
    """Writes how many legal moves each state has."""
    for k in range(states.shape[0]):
        counts[k] = list_moves(states[k], moves)


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


@kernel
def _list_all(states: States, moves: Moves, first: Array, legal: Array) -> None:
    """Writes the legal moves of all states, one after the other."""
    for k in range(states.shape[0]):
        count = list_moves(states[k], moves)
        for j in range(count):
            legal[first[k] + j] = moves[j]


def legal_moves(states: States) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The legal moves of all states, one after the other, and where those of each state begin."""
    moves = np.zeros(MOST_MOVES, np.int64)
    counts = np.zeros(len(states), np.int64)
    _count_moves(states, moves, counts)
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    legal = np.zeros(first[-1], np.int64)
    _list_all(states, moves, first, legal)
    return legal, first


def last_cells(made: NDArray[np.int64], follows: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each position the cell of the move before it; NO_CELL where it does not follow the one before."""
    last = np.full(len(made), NO_CELL, np.int64)
    for k in np.flatnonzero(follows):
        last[k] = first_cell(int(made[k - 1]))
    return last


def encode(
    level: Level,
    number: int,
    states: States,
    made: NDArray[np.int64],
    last: NDArray[np.int64],
    player: NDArray[np.int64],
    own_moves: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
) -> Examples:
    """The examples of positions of one level, which the caller numbers.

    `own_moves` are the legal moves of another engine, as `legal_moves` gives those of the rules here.
    """
    legal, first = own_moves or legal_moves(states)
    inputs = np.zeros((len(legal), MOVE_INPUTS), np.float32)
    position = np.zeros((len(states), POSITION_INPUTS), np.float32)
    place = np.zeros(len(states), np.int64)
    # The states are the caller's: kernels change them while they look, and change them back.
    _encode(
        level_record(level).level,
        np.ascontiguousarray(states),
        np.ascontiguousarray(made, np.int64),
        np.ascontiguousarray(last, np.int64),
        legal,
        first,
        new_work(),
        inputs,
        position,
        place,
    )
    kept = place != NOT_LISTED
    examples = Examples(inputs, first, place, position, np.full(len(states), number), player)
    return examples if kept.all() else examples.chosen(kept)
