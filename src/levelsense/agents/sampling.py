"""The sampling agent: Lee et al., "CandyCrush.ai: An AI Agent for Candy Crush", section 4.5.

Before each move it simulates the rest of the attempt many times. A move's value Q is the mean final score of
the simulations that began with it; the best one is played. Q is not kept: positions never come again.

The paper's simulations are epsilon-greedy by Q, and random where Q has no values: everywhere but in the
game's position. per=turn is that. With per=move every legal move has simulations of its own, so that Q has no
say in how they begin; what they are greedy for after that is the sure gain, as the greedy agent is.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from levelsense.agents.attempt import GAME, SCRATCH, AgentKernels
from levelsense.agents.simple import any_of_the_best, sure_gains
from levelsense.game.cascade import play
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.score import progress
from levelsense.game.state import PLAYING, Array, LevelRecord, Moves, States, Work
from levelsense.kernel import kernel
from levelsense.rng import Rng, below

# Where the options stand in their array.
SIMULATIONS, PER, EPSILON, OF = range(4)
PER_MOVE, PER_TURN = 0, 1
OF_SCORE, OF_GOALS = 0, 1

NO_BEST = -1

# The results of the simulations of one turn, by a legal move's place in the list of moves.
SAMPLES_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("legal", "i8"),
                ("best", "i8"),  # the move of the highest mean so far
                ("tried", "i8", MOST_MOVES),  # how many simulations began with each move
                ("total", "f8", MOST_MOVES),  # their results, added up
                ("average", "f8", MOST_MOVES),  # and their mean, minus infinity if there are none
                ("later", "i8", MOST_MOVES),  # the legal moves inside a simulation
                ("gain", "f8", MOST_MOVES),  # what they are sure to gain
            ],
            align=True,
        ),
    )
)


@kernel
def _explores(rng: Rng, epsilon: float) -> bool:
    """True with probability epsilon."""
    return bool(below(rng, 1 << 30) < epsilon * (1 << 30))


@kernel
def _later_move(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    samples: Any,
    legal: int,
    epsilon: float,
    of: int,
) -> int:
    """The next move of a simulation, states[SCRATCH]: any with probability epsilon, else one of most gain."""
    if epsilon >= 1.0 or _explores(rng, epsilon):
        return samples.later[below(rng, legal)]  # type: ignore[no-any-return]
    sure_gains(level, states, SCRATCH, rng, work, samples.later, legal, of, samples.gain)
    return samples.later[any_of_the_best(rng, samples.gain, legal)]  # type: ignore[no-any-return]


@kernel
def _simulate(
    level: LevelRecord, states: States, rng: Rng, work: Work, move: int, samples: Any, epsilon: float, of: int
) -> None:
    """Plays a copy of the game, states[SCRATCH], to its end: by the move, then epsilon-greedily.

    All but the level are modified in place.
    """
    states[SCRATCH] = states[GAME]
    state = states[SCRATCH]
    while state.status == PLAYING:
        play(level, state, rng, work, move)
        legal = list_moves(state, samples.later)
        if state.status == PLAYING:
            move = _later_move(level, states, rng, work, samples, legal, epsilon, of)


@kernel
def _first_move(samples: Any, rng: Rng, per: int, number: int, epsilon: float) -> int:
    """Which move simulation `number` begins with: each in turn, or the epsilon-greedy choice of the paper."""
    if per == PER_MOVE:
        return number % samples.legal  # type: ignore[no-any-return]
    is_greedy = samples.best != NO_BEST and not _explores(rng, epsilon)
    return samples.best if is_greedy else below(rng, samples.legal)


@kernel
def _find_best(samples: Any, rng: Rng) -> None:
    """Finds the tried move of the highest mean; of equals any, each as likely. Modified in place."""
    for k in range(samples.legal):
        samples.average[k] = samples.total[k] / samples.tried[k] if samples.tried[k] else -np.inf
    samples.best = any_of_the_best(rng, samples.average, samples.legal)


@kernel
def choose_sampling(
    level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, memory: Any, options: Array
) -> int:
    """The legal move whose simulations ended best."""
    samples = memory[0]
    per, of = int(options[PER]), int(options[OF])
    samples.legal = list_moves(states[GAME], moves)
    samples.best = NO_BEST
    for k in range(samples.legal):
        samples.tried[k] = 0
        samples.total[k] = 0.0
    simulations = int(options[SIMULATIONS]) * (samples.legal if per == PER_MOVE else 1)
    # Beyond the game's position Q has no values, and the policy of per=turn is random.
    later_epsilon = options[EPSILON] if per == PER_MOVE else 1.0
    for number in range(simulations):
        k = _first_move(samples, rng, per, number, options[EPSILON])
        _simulate(level, states, rng, work, moves[k], samples, later_epsilon, of)
        state = states[SCRATCH]
        samples.total[k] += progress(level, state) if of == OF_GOALS else state.score
        samples.tried[k] += 1
        if per == PER_TURN or number + 1 == simulations:
            _find_best(samples, rng)
    return moves[samples.best]  # type: ignore[no-any-return]


def value_by_samples(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    memory: Any,
    options: Array,
    values: Array,
) -> None:
    """The mean result of the simulations that began with each legal move, minus infinity where none did."""
    choose_sampling(level, states, rng, work, moves, memory, options)
    samples = memory[0]
    values[: samples.legal] = samples.average[: samples.legal]


def kernels(options: Mapping[str, Any]) -> AgentKernels:
    """The kernels of this family; their memory holds the results of the simulations of a turn.

    The loop over moves stays Python: that spares the first run a third of its compiling, and costs little
    beside a search.
    """
    return AgentKernels(
        "sampling",
        choose_sampling,
        values=value_by_samples,
        scratch_states=2,
        memory=lambda level: np.zeros(1, SAMPLES_DTYPE),
        compiled=False,
    )
