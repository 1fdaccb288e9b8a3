"""The choice of a planner's move: a few moves played forward in its head, and habits.

A planner does not search the board with its eyes. A few legal moves come to its mind, by habit; each is
played forward in its head by the rules, with refills that it imagines, and the outcome is read with an error.
The move of the best outcome is made; and sometimes, out of boredom, any.
"""

from typing import Any, Final

import numpy as np

from levelsense.agents.attempt import GAME, SCRATCH, START, AttemptRecords, note_attempt
from levelsense.arithmetic import exp
from levelsense.game.cascade import play
from levelsense.game.deal import deal
from levelsense.game.moves import MOST_MOVES, first_cell, list_moves, second_cell
from levelsense.game.state import (
    NO_CELL,
    PLAYING,
    STRIDE,
    Array,
    LevelRecord,
    Moves,
    State,
    States,
    Work,
)
from levelsense.kernel import kernel
from levelsense.people.simulated.mind import uniform
from levelsense.people.simulated.outcome import (
    ACROSS,
    BOREDOM,
    CONSIDERED,
    DEEP,
    DOWN,
    ERROR,
    REPEAT,
    SAMPLES,
    WATCH,
    is_special,
    share_used,
    value_outcome,
)
from levelsense.rng import Rng, below

_ROOT_OF_6: Final = 2.449489742783178
_NEIGHBORHOOD: Final = 3  # steps along rows and columns from the last move


@kernel
def _misreading(rng: Rng) -> float:
    """An error with a standard deviation of 1: the sum of two uniform numbers, less their mean."""
    return _ROOT_OF_6 * (uniform(rng) + uniform(rng) - 1.0)


@kernel
def _place(cell: int, length: int) -> float:
    """A row or column on a board of so many, from -1 for the first to 1 for the last."""
    return 2.0 * cell / (length - 1) - 1.0 if length > 1 else 0.0


@kernel
def _readiness(level: LevelRecord, traits: Array, cell: int, last: int) -> float:
    """How readily a move at a cell comes to mind, after a last move at another cell, or NO_CELL."""
    row, column = cell // STRIDE, cell % STRIDE
    leaning = traits[ACROSS] * _place(column, level.columns) + traits[DOWN] * _place(row, level.rows)
    readiness = exp(leaning)
    if last != NO_CELL:
        steps = abs(row - last // STRIDE) + abs(column - last % STRIDE)
        if steps <= _NEIGHBORHOOD:
            readiness *= 1.0 + traits[REPEAT]
    return readiness


@kernel
def _draw_by_weight(rng: Rng, weights: Array, first: int, end: int) -> int:
    """A number from first to end - 1, each as likely as its weight."""
    total = 0.0
    for k in range(first, end):
        total += weights[k]
    point = uniform(rng) * total
    for k in range(first, end):
        point -= weights[k]
        if point < 0.0:
            return k
    return end - 1


@kernel
def recall_moves(
    level: LevelRecord, rng: Rng, moves: Moves, weights: Array, count: int, last: int, traits: Array
) -> int:
    """Puts the moves that come to mind before the others, in the order they come; returns how many.

    Moves and weights are modified in place, like rng.
    """
    for k in range(count):
        weights[k] = _readiness(level, traits, first_cell(moves[k]), last)
    considered = min(count, int(traits[CONSIDERED]))
    for k in range(considered):
        drawn = _draw_by_weight(rng, weights, k, count)
        moves[k], moves[drawn] = moves[drawn], moves[k]
        weights[k], weights[drawn] = weights[drawn], weights[k]
    return considered


@kernel
def follow_up(state: State, rng: Rng, later: Moves) -> int:
    """The second move in a planner's head: one that swaps most specials; of equals any, each as likely.

    Later is modified in place, like rng.
    """
    best, most, equals = 0, -1, 0
    for k in range(list_moves(state, later)):
        specials = is_special(state, first_cell(later[k])) + is_special(state, second_cell(later[k]))
        if specials > most:
            best, most, equals = k, specials, 1
        elif specials == most:
            equals += 1
            if below(rng, equals) == 0:
                best = k
    return later[best]  # type: ignore[no-any-return]


@kernel
def imagine(
    level: LevelRecord, states: States, rng: Rng, work: Work, later: Moves, move: int, deep: bool
) -> None:
    """Plays a move of states[GAME], and another one after it if `deep`, in states[SCRATCH].

    All but the level and states[GAME] are modified in place.
    """
    states[SCRATCH] = states[GAME]
    state = states[SCRATCH]
    goes_on = True
    # One call of play: a second one would be compiled in twice.
    while goes_on:
        play(level, state, rng, work, move)
        goes_on = deep and state.status == PLAYING
        if goes_on:
            move = follow_up(state, rng, later)
            deep = False


@kernel
def choose(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    later: Moves,
    weights: Array,
    last: int,
    traits: Array,
) -> int:
    """The move that a planner with these traits makes in states[GAME], `last` being the cell of its last one.

    All but level, states[GAME] and traits are modified in place.
    """
    count = list_moves(states[GAME], moves)
    if uniform(rng) < traits[BOREDOM] * share_used(level, states[GAME]):
        return moves[below(rng, count)]  # type: ignore[no-any-return]
    deep = uniform(rng) < traits[DEEP]
    watching = uniform(rng) < traits[WATCH]
    samples = int(traits[SAMPLES])
    best = 0
    best_value = 0.0
    for k in range(recall_moves(level, rng, moves, weights, count, last, traits)):
        value = traits[ERROR] * _misreading(rng)
        for _ in range(samples):
            imagine(level, states, rng, work, later, moves[k], deep)
            value += value_outcome(level, states[GAME], states[SCRATCH], traits, watching) / samples
        if k == 0 or value > best_value:
            best, best_value = k, value
    return moves[best]  # type: ignore[no-any-return]


@kernel
def play_planners(
    level: LevelRecord,
    states: States,
    seeds: Array,
    traits: Array,
    rows: AttemptRecords,
    played: Any,
    rng: Rng,
    work: Work,
    moves: Moves,
    later: Moves,
    weights: Array,
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
        last = NO_CELL
        legal_moves = 0
        least_time = int(state.time_left)
        while state.status == PLAYING:
            legal_moves += list_moves(state, moves)
            least_time = min(least_time, int(state.time_left))
            move = choose(level, states, rng[1], work, moves, later, weights, last, traits[k])
            if state.moves_made < played.shape[1]:
                played[k, state.moves_made] = move
            play(level, state, rng[0], work, move)
            last = first_cell(move)
        note_attempt(rows[k], state, legal_moves, least_time)


def new_weights() -> Any:
    """Room for how readily each legal move comes to mind."""
    return np.zeros(MOST_MOVES)
