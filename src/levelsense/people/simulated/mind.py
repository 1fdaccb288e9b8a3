"""The choice of a simulated player's move: limited visual search, and satisficing instead of optimizing.

A player does not look at the whole board. The eye rests on one cell after the other; of the swaps around it
some are noticed, and each noticed one makes an impression (impression.py), read with an error. The player
takes the best one noticed so far as soon as it is good enough, or after so many looks; and sometimes, in
haste, the first one noticed. A player who notices nothing takes a random legal move, the hint of the game.
"""

from typing import Any, Final

import numpy as np

from levelsense.agents.attempt import GAME, START, AttemptRecords, note_attempt
from levelsense.game.cascade import play
from levelsense.game.deal import deal
from levelsense.game.moves import MOST_MOVES, distance_between, first_cell, list_moves
from levelsense.game.state import NO_BLOCKER, PLAYING, STRIDE, Array, LevelRecord, Moves, State, States, Work
from levelsense.kernel import kernel
from levelsense.people.simulated.impression import DANGER, GOAL, SIZE, SPECIAL, look_at_swap
from levelsense.rng import Rng, below, next_word

# The columns of a player's traits in the array that kernels read; traits.py says what they mean.
(LOOKS, SPAN, ACUITY, PURPOSE, GOALS, SPECIALS, OBVIOUS, ALARM, ERROR, CONTENT, HASTE) = range(11)
TRAITS: Final = 11

_MASK_BITS = np.uint64(11)
_UNIT: Final = 1.0 / (1 << 53)
_FAR: Final = 6.0  # cells; a swap further from the eye is not obvious at all
_PLAIN_SIZE: Final = 3.0
_SIZE_APPEAL: Final = 0.4
_NEAR: Final = 3  # cells that the eye moves when it stays in a region
_STAYS: Final = 0.5
_TRIES: Final = 4


@kernel
def uniform(rng: Rng) -> float:
    """A number from 0 up to 1."""
    return float(next_word(rng) >> _MASK_BITS) * _UNIT


@kernel
def _error(rng: Rng) -> float:
    """About normal, with a standard deviation of 1: a sum of three uniform numbers."""
    return 2.0 * (uniform(rng) + uniform(rng) + uniform(rng) - 1.5)


@kernel
def _shift_eye(level: LevelRecord, state: State, rng: Rng, traits: Array, eye: int) -> int:
    """The cell where the eye rests next: one nearby, one with jelly or a blocker, or any."""
    if uniform(rng) < _STAYS:
        row = eye // STRIDE + below(rng, 2 * _NEAR + 1) - _NEAR
        column = eye % STRIDE + below(rng, 2 * _NEAR + 1) - _NEAR
        row = min(max(row, 0), int(level.rows) - 1)
        column = min(max(column, 0), int(level.columns) - 1)
        return row * STRIDE + column
    seeks = uniform(rng) < traits[PURPOSE]
    i = eye
    for _ in range(_TRIES):
        i = below(rng, level.rows) * STRIDE + below(rng, level.columns)
        if not seeks or state.jelly[i] or state.blocker[i] != NO_BLOCKER:
            break
    return i


@kernel
def _appeal(traits: Array, impression: Array, distance: int) -> float:
    """The value of an impression to a player, before the error in reading it."""
    obvious = max(0.0, 1.0 - distance / _FAR)
    return float(
        traits[GOALS] * impression[GOAL]
        + traits[SPECIALS] * impression[SPECIAL]
        + traits[ALARM] * impression[DANGER]
        + traits[OBVIOUS] * obvious
        + _SIZE_APPEAL * (impression[SIZE] - _PLAIN_SIZE)
    )


@kernel
def choose(
    level: LevelRecord, state: State, rng: Rng, moves: Moves, noticed: Any, impression: Array, traits: Array
) -> int:
    """The move that a player with these traits makes.

    noticed[-1] is the cell where the eye rests, kept from move to move; the rest marks the moves noticed.
    Moves, noticed and impression are modified in place.
    """
    count = list_moves(state, moves)
    for k in range(count):
        noticed[k] = 0
    eye = noticed[-1]
    hasty = uniform(rng) < traits[HASTE]
    best = -1
    best_appeal = 0.0
    for _ in range(int(traits[LOOKS])):
        eye = _shift_eye(level, state, rng, traits, eye)
        for k in range(count):
            distance = distance_between(first_cell(moves[k]), eye)
            if noticed[k] or distance > traits[SPAN] or uniform(rng) >= traits[ACUITY]:
                continue
            noticed[k] = 1
            look_at_swap(level, state, impression, moves[k])
            appeal = _appeal(traits, impression, distance) + traits[ERROR] * _error(rng)
            if best < 0 or appeal > best_appeal:
                best, best_appeal = k, appeal
            if hasty:
                break
        if best >= 0 and (hasty or best_appeal >= traits[CONTENT]):
            break
    if best < 0:
        best = below(rng, count)
    noticed[-1] = first_cell(moves[best])
    return moves[best]  # type: ignore[no-any-return]


@kernel
def play_players(
    level: LevelRecord,
    states: States,
    seeds: Array,
    traits: Array,
    rows: AttemptRecords,
    played: Any,
    rng: Rng,
    work: Work,
    moves: Moves,
    noticed: Any,
    impression: Array,
) -> None:
    """Plays an attempt for each row of traits, and writes the moves made into the rows of `played`.

    seeds[k] starts the game's and the player's randomness. All but level, seeds and traits are modified.
    """
    for k in range(rows.shape[0]):
        states[GAME] = states[START]
        state = states[GAME]
        rng[0, 0] = seeds[k, 0]
        rng[1, 0] = seeds[k, 1]
        deal(level, state, rng[0], work)
        noticed[-1] = below(rng[1], level.rows) * STRIDE + below(rng[1], level.columns)
        legal_moves = 0
        least_time = int(state.time_left)
        while state.status == PLAYING:
            legal_moves += list_moves(state, moves)
            least_time = min(least_time, int(state.time_left))
            move = choose(level, state, rng[1], moves, noticed, impression, traits[k])
            if state.moves_made < played.shape[1]:
                played[k, state.moves_made] = move
            play(level, state, rng[0], work, move)
        note_attempt(rows[k], state, legal_moves, least_time)


def new_noticed() -> Any:
    """A buffer for the moves noticed, and the cell where the eye rests."""
    return np.zeros(MOST_MOVES + 1, np.int64)
