"""The halving agent: simulations of the rest of the attempt, shared out by sequential halving.

Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits" (2013): all legal moves get the
same number of simulations, the better half of them goes on to the next round, until one is left. A move is
judged by simulations alone, there is no tree; so all of them can be played well, by the heuristic.

Simulations are compared under the same luck: number k of each move in a round starts from the same random
word. What they differ by is then more the moves and less what happened to fall in.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from levelsense.agents.attempt import GAME, OWN, AgentKernels
from levelsense.agents.heuristic import heuristic_values
from levelsense.agents.mcts.playouts import uniform
from levelsense.agents.simple import any_of_the_best
from levelsense.game.cascade import play
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.score import progress
from levelsense.game.state import PLAYING, WON, Array, LevelRecord, Moves, States, Work
from levelsense.kernel import kernel
from levelsense.rng import WORD, Rng, below, next_word

# Where the options stand in their array.
SIMULATIONS, EPSILON, SIGNAL = range(3)
GOALS, BINARY = range(2)


class Rounds(NamedTuple):
    """What the simulations at one position have found. A legal move is named by its place in the list."""

    order: Any  # the moves, the best first; those that were dropped behind those that outlasted them
    total: Any  # what the ends of each move's simulations were worth, added up
    tried: Any  # how many there were
    rng: Rng  # the luck of the simulation that is being played
    later: Any  # the legal moves inside a simulation
    worth: Any  # and what they are worth to the heuristic


def new_rounds() -> Rounds:
    """The memory of a search."""
    return Rounds(
        order=np.zeros(MOST_MOVES, np.int64),
        total=np.zeros(MOST_MOVES),
        tried=np.zeros(MOST_MOVES, np.int64),
        rng=np.zeros(1, WORD),
        later=np.zeros(MOST_MOVES, np.int64),
        worth=np.zeros(MOST_MOVES),
    )


@kernel
def simulations_each(left: int, moves: int, rounds: int) -> int:
    """How many simulations each move gets in a round, of so many left for this and the later rounds."""
    return max(1, left // (moves * rounds))


@kernel
def _later_move(level: LevelRecord, states: States, work: Work, found: Any, epsilon: float) -> int:
    """The next move of a simulation, states[OWN]: any with probability epsilon, else the heuristic's."""
    count = list_moves(states[OWN], found.later)
    if uniform(found.rng) < epsilon:
        return found.later[below(found.rng, count)]  # type: ignore[no-any-return]
    heuristic_values(level, states, OWN, work, found.later, count, found.worth)
    return found.later[any_of_the_best(found.rng, found.worth, count)]  # type: ignore[no-any-return]


@kernel
def _simulate(level: LevelRecord, states: States, work: Work, move: int, found: Any, options: Array) -> float:
    """What the end of an attempt is worth that begins with a move. All but level and options are modified."""
    states[OWN] = states[GAME]
    state = states[OWN]
    while state.status == PLAYING:
        play(level, state, found.rng, work, move)
        if state.status == PLAYING:
            move = _later_move(level, states, work, found, options[EPSILON])
    if state.status == WON:
        return 1.0
    return progress(level, state) if int(options[SIGNAL]) == GOALS else 0.0


@kernel
def rank(rng: Rng, found: Any, moves: int) -> None:
    """Brings the first so many moves into order, the highest total first; equals in any order, drawn.

    They have been tried equally often. Modified in place.
    """
    order = found.order
    for k in range(moves - 1, 0, -1):
        other = below(rng, k + 1)
        order[k], order[other] = order[other], order[k]
    for k in range(1, moves):
        move = order[k]
        at = k
        while at > 0 and found.total[move] > found.total[order[at - 1]]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = move


@kernel
def halve_moves(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    found: Any,
    options: Array,
    count: int,
) -> None:
    """Simulates the moves in rounds, and after each drops the worse half of those left.

    All but level, moves and options are modified in place.
    """
    for k in range(count):
        found.order[k] = k
        found.total[k] = 0.0
        found.tried[k] = 0
    rounds = 1
    while 1 << rounds < count:
        rounds += 1
    left = int(options[SIMULATIONS])
    going_on = count
    while rounds:
        each = simulations_each(left, going_on, rounds)
        for _ in range(each):
            luck = next_word(rng)
            for k in range(going_on):
                found.rng[0] = luck
                move = found.order[k]
                found.total[move] += _simulate(level, states, work, moves[move], found, options)
                found.tried[move] += 1
        rank(rng, found, going_on)
        left -= each * going_on
        going_on = (going_on + 1) // 2
        rounds -= 1


def choose_by_halving(
    level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, found: Rounds, options: Array
) -> int:
    """The move that is left when all others have been dropped; a single legal move needs no search."""
    count = list_moves(states[GAME], moves)
    if count > 1:
        halve_moves(level, states, rng, work, moves, found, options, count)
    return int(moves[found.order[0] if count > 1 else 0])


def value_by_halving(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    found: Rounds,
    options: Array,
    values: Array,
) -> None:
    """The mean worth of each move's simulations, but no more than that of a move that outlasted it."""
    count = list_moves(states[GAME], moves)
    halve_moves(level, states, rng, work, moves, found, options, count)
    most = np.inf
    for move in found.order[:count]:
        most = min(most, found.total[move] / found.tried[move])
        values[move] = most


def kernels(options: Mapping[str, Any]) -> AgentKernels:
    """What plays for this family; its loop over moves is plain Python, as that of other searches."""
    return AgentKernels(
        "halving",
        choose_by_halving,
        values=value_by_halving,
        own_states=1,
        memory=lambda level: new_rounds(),
        compiled=False,
    )
