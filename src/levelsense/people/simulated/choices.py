"""What simulated players would do in a position: how often each legal move is made, by choosing many times.

This is the most that can be known of a player of whom nothing else is known, and the ceiling for a policy.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.attempt import GAME, SCRATCH
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.record import level_record
from levelsense.game.state import (
    NO_CELL,
    STRIDE,
    Array,
    LevelRecord,
    Moves,
    States,
    Work,
    new_state,
    new_work,
)
from levelsense.kernel import kernel
from levelsense.level.level import Level
from levelsense.people.simulated import mind, planner
from levelsense.people.simulated.impression import new_impression
from levelsense.people.simulated.kinds import GLANCERS, KIND_OF, PLANNERS
from levelsense.people.simulated.traits import Population
from levelsense.rng import Rng, below, new_rng


@kernel
def _glancers_choices(
    level: LevelRecord,
    states: States,
    last: Array,
    traits: Array,
    draws: int,
    rng: Rng,
    moves: Moves,
    noticed: Any,
    impression: Array,
    made: Array,
) -> None:
    """Adds the moves that glancers make in each state to made[state, move]. All buffers are modified."""
    for k in range(states.shape[0]):
        for _ in range(draws):
            eye = last[k]
            if eye == NO_CELL:
                eye = below(rng, level.rows) * STRIDE + below(rng, level.columns)
            noticed[-1] = eye
            player = below(rng, traits.shape[0])
            made[k, mind.choose(level, states[k], rng, moves, noticed, impression, traits[player])] += 1


@kernel
def _planners_choices(
    level: LevelRecord,
    states: States,
    last: Array,
    traits: Array,
    draws: int,
    rng: Rng,
    work: Work,
    moves: Moves,
    later: Moves,
    weights: Array,
    room: States,
    made: Array,
) -> None:
    """Adds the moves that planners make in each state to made[state, move]. All buffers are modified."""
    for k in range(states.shape[0]):
        room[GAME] = states[k]
        for _ in range(draws):
            player = below(rng, traits.shape[0])
            move = planner.choose(level, room, rng, work, moves, later, weights, last[k], traits[player])
            made[k, move] += 1


def choice_counts(
    level: Level,
    states: States,
    last: NDArray[np.int64],
    population: Population,
    visitors: tuple[NDArray[np.int64], NDArray[np.int64]],
    draws: int,
    seed: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each legal move is made in each state by `draws` players, and where each state's moves begin.

    `last` holds the cells of the moves before, NO_CELL where there was none. Players are drawn among the
    `visitors`: who played the level, and in which attempt (from 0) each time.
    """
    made = np.zeros((len(states), MOST_MOVES), np.int64)
    rng, moves = new_rng(seed), np.zeros(MOST_MOVES, np.int64)
    record, states = level_record(level).level, np.ascontiguousarray(states)
    players, attempts = visitors
    kinds = np.array([KIND_OF[population.types[player]].name for player in players])
    for kind in (GLANCERS, PLANNERS):
        of_kind = kinds == kind.name
        if not of_kind.any():
            continue
        traits = _traits(population, players[of_kind], attempts[of_kind], kind.columns)
        share = round(draws * float(of_kind.mean()))
        if kind is GLANCERS:
            buffers = (rng, moves, mind.new_noticed(), new_impression(), made)
            _glancers_choices(record, states, last, traits, share, *buffers)
        else:
            later, weights = np.zeros(MOST_MOVES, np.int64), planner.new_weights()
            room = (new_work(), moves, later, weights, new_state(SCRATCH + 1), made)
            _planners_choices(record, states, last, traits, share, rng, *room)
    return _listed(states, moves, made)


def _traits(
    population: Population, players: NDArray[np.int64], attempts: NDArray[np.int64], columns: int
) -> NDArray[np.float64]:
    """The traits of players in their attempts, a row each, as the kernels of their kind read them."""
    rows = [
        population.at_attempt(players[attempts == attempt], int(attempt)) for attempt in np.unique(attempts)
    ]
    return np.ascontiguousarray(np.concatenate(rows)[:, :columns])


def _listed(
    states: States, moves: NDArray[np.int64], made: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The counts of the legal moves of all states, one after the other, and where each state's begin."""
    counts = [made[k, moves[: list_moves(states[k], moves)]] for k in range(len(states))]
    first = np.concatenate([[0], np.cumsum([len(part) for part in counts])])
    return np.concatenate(counts), first.astype(np.int64)
