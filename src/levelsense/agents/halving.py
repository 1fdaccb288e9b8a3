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

from levelsense.agents.attempt import GAME, SCRATCH, AgentKernels
from levelsense.agents.heuristic import heuristic_values
from levelsense.agents.simple import any_of_the_best
from levelsense.game.cascade import play
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.score import progress
from levelsense.game.state import PLAYING, WON, Array, LevelRecord, Moves, States, Work
from levelsense.kernel import kernel
from levelsense.rng import WORD, Rng, below, next_word, uniform

# Where the options stand in their array.
SIMULATIONS, EPSILON, SIGNAL = range(3)
GOALS, BINARY = range(2)


class Rounds(NamedTuple):
    """The memory of a search at one position; a legal move is given by its place in the list of moves."""

    order: Any  # the moves, the best first; those that were dropped behind those that outlasted them
    total: Any  # the sum of the values of each move's simulations
    tried: Any  # the number of each move's simulations
    rng: Rng  # the generator of the simulation that is being played
    later: Any  # the legal moves inside a simulation
    worth: Any  # the values that the heuristic gives them


def new_rounds() -> Rounds:
    """The memory of a search, empty."""
    return Rounds(
        order=np.zeros(MOST_MOVES, np.int64),
        total=np.zeros(MOST_MOVES),
        tried=np.zeros(MOST_MOVES, np.int64),
        rng=np.zeros(1, WORD),
        later=np.zeros(MOST_MOVES, np.int64),
        worth=np.zeros(MOST_MOVES),
    )


@kernel
def simulations_each(remaining: int, moves: int, rounds: int) -> int:
    """How many simulations each move gets in a round; `remaining` are left for this and the later rounds."""
    return max(1, remaining // (moves * rounds))


@kernel
def _later_move(level: LevelRecord, states: States, work: Work, memory: Any, epsilon: float) -> int:
    """The next move of a simulation, states[SCRATCH]: any with probability epsilon, else the heuristic's."""
    count = list_moves(states[SCRATCH], memory.later)
    if uniform(memory.rng) < epsilon:
        return memory.later[below(memory.rng, count)]  # type: ignore[no-any-return]
    heuristic_values(level, states, SCRATCH, work, memory.later, count, memory.worth)
    return memory.later[any_of_the_best(memory.rng, memory.worth, count)]  # type: ignore[no-any-return]


@kernel
def _simulate(
    level: LevelRecord, states: States, work: Work, move: int, memory: Any, options: Array
) -> float:
    """The value of a simulation that begins with a move. All but level and options are modified."""
    states[SCRATCH] = states[GAME]
    state = states[SCRATCH]
    while state.status == PLAYING:
        play(level, state, memory.rng, work, move)
        if state.status == PLAYING:
            move = _later_move(level, states, work, memory, options[EPSILON])
    if state.status == WON:
        return 1.0
    return progress(level, state) if int(options[SIGNAL]) == GOALS else 0.0


@kernel
def rank(rng: Rng, memory: Any, moves: int) -> None:
    """Brings the first so many moves into order, the highest total first; equals in any order, drawn.

    They have been tried equally often. Modified in place.
    """
    order = memory.order
    for k in range(moves - 1, 0, -1):
        other = below(rng, k + 1)
        order[k], order[other] = order[other], order[k]
    for k in range(1, moves):
        move = order[k]
        at = k
        while at > 0 and memory.total[move] > memory.total[order[at - 1]]:
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
    memory: Any,
    options: Array,
    count: int,
) -> None:
    """Simulates the moves in rounds, and drops the worse half of the moves after each round.

    All but level, moves and options are modified in place.
    """
    for k in range(count):
        memory.order[k] = k
        memory.total[k] = 0.0
        memory.tried[k] = 0
    rounds = 1
    while 1 << rounds < count:
        rounds += 1
    remaining = int(options[SIMULATIONS])
    going_on = count
    while rounds:
        simulations = simulations_each(remaining, going_on, rounds)
        for _ in range(simulations):
            luck = next_word(rng)
            for k in range(going_on):
                memory.rng[0] = luck
                move = memory.order[k]
                memory.total[move] += _simulate(level, states, work, moves[move], memory, options)
                memory.tried[move] += 1
        rank(rng, memory, going_on)
        remaining -= simulations * going_on
        going_on = (going_on + 1) // 2
        rounds -= 1


def choose_by_halving(
    level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, memory: Rounds, options: Array
) -> int:
    """The move that is left when all others have been dropped; a single legal move needs no search."""
    count = list_moves(states[GAME], moves)
    if count > 1:
        halve_moves(level, states, rng, work, moves, memory, options, count)
    return int(moves[memory.order[0] if count > 1 else 0])


def value_by_halving(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    memory: Rounds,
    options: Array,
    values: Array,
) -> None:
    """The mean worth of each move's simulations, but no more than that of a move that outlasted it."""
    count = list_moves(states[GAME], moves)
    halve_moves(level, states, rng, work, moves, memory, options, count)
    most = np.inf
    for move in memory.order[:count]:
        most = min(most, memory.total[move] / memory.tried[move])
        values[move] = most


def kernels(options: Mapping[str, Any]) -> AgentKernels:
    """The kernels of this family; the loop over moves is plain Python, as that of other searches."""
    return AgentKernels(
        "halving",
        choose_by_halving,
        values=value_by_halving,
        scratch_states=1,
        memory=lambda level: new_rounds(),
        compiled=False,
    )
