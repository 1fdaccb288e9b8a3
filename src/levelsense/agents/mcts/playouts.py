"""Playouts from a new node to the end of the attempt, and the signal that their end gives."""

from typing import Any

import numpy as np

from levelsense.agents.attempt import SCRATCH
from levelsense.agents.mcts.tree import (
    CLOUDED,
    COMBINED,
    GOALS,
    HAS_RANGE,
    HIGH,
    LOW,
    SCORE,
    SCORES,
    TO_MAST,
    Tree,
)
from levelsense.agents.simple import any_of_the_best
from levelsense.arithmetic import exp
from levelsense.game.moves import list_moves
from levelsense.game.score import progress
from levelsense.game.state import WON, Array, LevelRecord, Moves, State, States, Work
from levelsense.kernel import kernel
from levelsense.rng import Rng, below, draw_in_proportion


@kernel
def normalized_score(score: float, low: float, high: float) -> float:
    """A score on the scale of the previous search, from 0 to 1 (equation 3.3)."""
    if high <= low:
        return 1.0 if score > low else 0.0
    return max(0.0, min(1.0, (score - low) / (high - low)))


@kernel
def signal(
    level: LevelRecord, state: State, score_range: Any, has_range: int, kind: int, shrinking: float
) -> float:
    """What the end of a playout is worth: 1 if won, else by the kind of signal (equations 3.2 and 3.3)."""
    if state.status == WON:
        return 1.0
    goals = progress(level, state) if kind == GOALS or kind == COMBINED else 0.0
    score = 0.0
    if has_range and (kind == SCORE or kind == COMBINED):
        score = normalized_score(state.score, score_range[LOW], score_range[HIGH])
    if kind == COMBINED:
        return shrinking * (0.5 * goals + 0.5 * score)
    return shrinking * (goals + score)


@kernel
def note_score(tree: Tree, score: int) -> None:
    """Keeps the final score of a playout for the quartiles. The tree is modified in place."""
    if tree.number[SCORES] < tree.score.shape[0]:
        tree.score[tree.number[SCORES]] = score
        tree.number[SCORES] += 1


@kernel
def learn_range(tree: Tree) -> None:
    """Takes the range of scores from the quartiles of this search, for the next one (equation 3.3).

    Modified in place.
    """
    count = tree.number[SCORES]
    if count == 0:
        return
    scores = np.sort(tree.score[:count])
    first, third = quantile(scores, 0.25), quantile(scores, 0.75)
    reach = 1.5 * (third - first)
    tree.range[LOW] = max(0.0, first - reach)
    tree.range[HIGH] = third + reach
    tree.number[HAS_RANGE] = 1


@kernel
def quantile(ordered: Any, share: float) -> float:
    """The quantile of ordered numbers, by linear interpolation."""
    place = share * (ordered.shape[0] - 1)
    low = int(place)
    high = min(low + 1, ordered.shape[0] - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])  # type: ignore[no-any-return]


MAST_TEMPERATURE = 0.25
MAST_UNSEEN = 1.0


@kernel
def free_move(
    level: LevelRecord, states: States, rng: Rng, work: Work, tree: Tree, kind: int, last: int
) -> int:
    """A playout's move, drawn: all alike, or in proportion to exp(average / temperature) of TO-MAST."""
    count = list_moves(states[SCRATCH], tree.playout_moves)
    if kind != TO_MAST:
        return tree.playout_moves[below(rng, count)]  # type: ignore[no-any-return]
    for k in range(count):
        move = tree.playout_moves[k]
        average = MAST_UNSEEN
        if tree.mast_visits[move] > 0:
            average = tree.mast_value[move] / tree.mast_visits[move]
        tree.playout_values[k] = exp(average / MAST_TEMPERATURE)
    return tree.playout_moves[draw_in_proportion(rng, tree.playout_values, count)]  # type: ignore[no-any-return]


def guided_move(
    level: LevelRecord, states: States, rng: Rng, work: Work, tree: Tree, kind: int, last: int
) -> int:
    """A playout's move by the heuristic: any of the best, or in proportion to its value (equation 3.4)."""
    count = list_moves(states[SCRATCH], tree.playout_moves)
    heuristic_values(level, states, SCRATCH, work, tree.playout_moves, count, tree.playout_values)
    if kind == CLOUDED:
        return tree.playout_moves[draw_in_proportion(rng, tree.playout_values, count)]  # type: ignore[no-any-return]
    return tree.playout_moves[any_of_the_best(rng, tree.playout_values, count)]  # type: ignore[no-any-return]


def heuristic_values(
    level: LevelRecord, states: States, at: int, work: Work, moves: Moves, count: int, values: Array
) -> None:
    """Placeholder for the heuristic agent's kernel, which is put in when its playouts are first used."""
    raise NotImplementedError
