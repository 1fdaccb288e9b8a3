"""The greedy agent: the move that is sure to gain most, whatever falls in (Lee et al., section 4.3)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from levelsense.agents.attempt import GAME
from levelsense.agents.kernels import AgentKernels
from levelsense.game.cascade import clear_round, start_move
from levelsense.game.effects import forget_hits
from levelsense.game.goals import progress
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.rng import below
from levelsense.kernel import kernel

OF_GOALS = 1
# A million of score is a thousandth of a goal: score decides between moves that bring goals equally far.
SCORE_SHARE = 1e-9


@kernel
def clear_first_round(level: Any, state: Any, rng: Any, work: Any, move: int) -> None:
    """Plays a move as far as it is certain: the swap and the clearing of round 1. Nothing falls.

    The state, which cannot be played on, and work are modified in place; rng only where a color bomb meets a
    striped candy, whose stripes are drawn.
    """
    start_move(level, state, rng, work, move)
    clear_round(level, state, rng, work)
    # What comes next on this board does not concern the next one that is played with this working memory.
    forget_hits(work)
    for chain in range(level.chains):
        work.dirty[chain] = 0


@kernel
def sure_gains(
    level: Any, states: Any, at: int, rng: Any, work: Any, moves: Any, count: int, of: int, values: Any
) -> None:
    """The sure gain of each of the moves of states[at]: of score, or of progress and then score.

    The moves are tried in states[at + 1]. All but the level, states[at] and moves are modified in place.
    """
    score = states[at].score
    done = progress(level, states[at])
    for k in range(count):
        states[at + 1] = states[at]
        clear_first_round(level, states[at + 1], rng, work, moves[k])
        gain = float(states[at + 1].score - score)
        if of == OF_GOALS:
            gain = progress(level, states[at + 1]) - done + SCORE_SHARE * gain
        values[k] = gain


@kernel
def any_of_the_best(rng: Any, values: Any, count: int) -> int:
    """The place of the largest value; of equals any, each as likely as any other."""
    best = 0
    equals = 1
    for k in range(1, count):
        if values[k] > values[best]:
            best = k
            equals = 1
        elif values[k] == values[best]:
            equals += 1
            if below(rng, equals) == 0:
                best = k
    return best


@kernel
def value_greedily(
    level: Any, states: Any, rng: Any, work: Any, moves: Any, memory: Any, options: Any, values: Any
) -> None:
    """The sure gain of each legal move: of score, or of progress and then score."""
    count = list_moves(states[GAME], moves)
    sure_gains(level, states, GAME, rng, work, moves, count, int(options[0]), values)


@kernel
def choose_greedily(
    level: Any, states: Any, rng: Any, work: Any, moves: Any, memory: Any, options: Any
) -> int:
    """A move of the largest sure gain; of equals any, each as likely as any other."""
    count = list_moves(states[GAME], moves)
    sure_gains(level, states, GAME, rng, work, moves, count, int(options[0]), memory)
    return moves[any_of_the_best(rng, memory, count)]  # type: ignore[no-any-return]


def kernels(options: Mapping[str, Any]) -> AgentKernels:
    """What plays for this family; its memory holds the values of the moves while it chooses."""
    return AgentKernels(
        "greedy",
        choose_greedily,
        values=value_greedily,
        own_states=1,
        memory=lambda level: np.zeros(MOST_MOVES),
    )
