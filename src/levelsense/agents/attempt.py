"""One loop for every compiled agent: deal, choose, play, until the attempt is over, and note how it went."""

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from levelsense.game.cascade import play
from levelsense.game.deal import deal
from levelsense.game.moves import list_moves
from levelsense.game.state import (
    CELLS,
    CHERRY,
    COUNT_NAMES,
    HAZELNUT,
    NO_BLOCKER,
    PLAYING,
)
from levelsense.kernel import kernel, kernel_with

# How an attempt went. What is left on the board is kept only of lost attempts.
ATTEMPT_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("score", "i8"),
                ("legal_moves", "i8"),  # over all positions, added up
                ("time_left", "i4"),  # milliseconds
                ("least_time", "i4"),  # milliseconds left when it was least, before a move
                ("count", "i4", len(COUNT_NAMES)),
                ("moves_made", "i2"),
                ("moves_left", "i2"),
                ("shuffles", "i2"),
                ("longest_cascade", "i2"),
                ("status", "i1"),
                ("reason", "i1"),
                ("jelly_left", "i1", CELLS),
                ("blocker_left", "i1", CELLS),
                ("ingredient_left", "i1", CELLS),
            ],
            align=True,
        ),
    )
)

# The states that an agent is handed: the level's start, the game itself, and room of its own.
START, GAME, OWN = 0, 1, 2


@kernel
def note_attempt(row: Any, state: Any, legal_moves: int, least_time: int) -> None:
    """Writes how a finished attempt went. The row is modified in place."""
    row.score = state.score
    row.legal_moves = legal_moves
    row.time_left = state.time_left
    row.least_time = least_time
    row.moves_made = state.moves_made
    row.moves_left = state.moves_left
    row.shuffles = state.shuffles
    row.longest_cascade = state.longest_cascade
    row.status = state.status
    row.reason = state.reason
    for k in range(len(COUNT_NAMES)):
        row.count[k] = state.count[k]
    for i in range(CELLS):
        row.jelly_left[i] = state.jelly[i]
        row.blocker_left[i] = state.blocker[i] != NO_BLOCKER
        row.ingredient_left[i] = state.piece[i] == CHERRY or state.piece[i] == HAZELNUT


def begin(level: Any, states: Any, memory: Any, options: Any) -> None:
    """Stands for the agent's kernel that prepares its memory before an attempt."""


def choose(level: Any, states: Any, rng: Any, work: Any, moves: Any, memory: Any, options: Any) -> int:
    """Stands for the agent's kernel that chooses a move for states[GAME], which it must leave as it is.

    `rng` is the agent's own randomness; the game's is not handed to it. `moves` has room for the legal moves.
    `memory` and `options` are whatever the agent's family made them. Returns a legal move's number.
    """
    raise NotImplementedError


def _attempts(
    level: Any, states: Any, seeds: Any, rows: Any, rng: Any, work: Any, moves: Any, memory: Any, options: Any
) -> None:
    """Plays an attempt for each row: seeds[k] starts the game's and the agent's generator, rng[0] and rng[1].

    All but level, seeds and options are modified in place.
    """
    for k in range(rows.shape[0]):
        states[GAME] = states[START]
        state = states[GAME]
        rng[0, 0] = seeds[k, 0]
        rng[1, 0] = seeds[k, 1]
        deal(level, state, rng[0], work)
        begin(level, states, memory, options)
        legal_moves = 0
        least_time = int(state.time_left)
        while state.status == PLAYING:
            legal_moves += list_moves(state, moves)
            least_time = min(least_time, int(state.time_left))
            move = choose(level, states, rng[1], work, moves, memory, options)
            play(level, state, rng[0], work, move)
        note_attempt(rows[k], state, legal_moves, least_time)


@kernel
def begin_nothing(level: Any, states: Any, memory: Any, options: Any) -> None:
    """For agents that remember nothing."""


def attempts_kernel(name: str, choose_move: Callable[..., Any], begin_attempt: Any = begin_nothing) -> Any:
    """The loop with an agent's own kernels in it."""
    return kernel_with(_attempts, f"attempts_of_{name}", choose=choose_move, begin=begin_attempt)


def attempts_in_python(choose_move: Callable[..., Any], begin_attempt: Any = begin_nothing) -> Any:
    """The same loop uncompiled, for an agent whose choice is no kernel: one that watches the clock."""
    parts = {"choose": choose_move, "begin": begin_attempt}
    return FunctionType(_attempts.__code__, {**_attempts.__globals__, **parts}, "attempts_in_python")
