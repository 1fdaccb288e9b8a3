"""Signals: what the end of a playout is worth, from 0 to 1, and the scale that scores are seen on."""

from typing import Any

import numpy as np

from levelsense.agents.mcts_options import COMBINED, GOALS, SCORE
from levelsense.agents.tree import HAS_RANGE, HIGH, LOW, SCORES
from levelsense.game.goals import progress
from levelsense.game.state import WON
from levelsense.kernel import kernel


@kernel
def normalized_score(score: float, low: float, high: float) -> float:
    """A score on the scale of the previous search, from 0 to 1 (equation 3.3)."""
    if high <= low:
        return 1.0 if score > low else 0.0
    return max(0.0, min(1.0, (score - low) / (high - low)))


@kernel
def signal(level: Any, state: Any, score_range: Any, has_range: int, kind: int, shrinking: float) -> float:
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
def note_score(tree: Any, score: int) -> None:
    """Keeps the final score of a playout for the quartiles. The tree is modified in place."""
    if tree.number[SCORES] < tree.score.shape[0]:
        tree.score[tree.number[SCORES]] = score
        tree.number[SCORES] += 1


@kernel
def learn_range(tree: Any) -> None:
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
