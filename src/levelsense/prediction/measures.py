"""The measures of an agent's attempts at a level: the covariates that come from playing.

Every attempt has a margin: what is left of the limit if it was won, as a share of it, and if it was lost
minus the share of the goals that was left. It tells two levels apart that an agent always wins, or never.

    rate      log((wins + 1/2) / (losses + 1/2))
    margin    mean of the margins
    best      mean of the best 5 % of the margins
    worst     mean of the worst 5 %
    left      mean share of the limit left, 0 for lost attempts
    progress  mean share of the goals done at the end

Each is known with a sampling error, since attempts are few. It is found by leaving out one part of the
attempts after the other (delete-a-group jackknife), for all measures of a level together.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import PredictionError
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.limits import limit_of
from levelsense.playtest.statistics import bottleneck

MEASURES: Final = ("rate", "margin", "best", "worst", "left", "progress")
TAIL: Final = 0.05
GROUPS: Final = 20
MOST_LEFT: Final = 1.0  # time candies can leave more than the limit


@dataclass(frozen=True, eq=False)
class AgentMeasures:
    """An agent's measures of a level, in the order of MEASURES.

    `replicates` has a row for each part of the attempts left out: their spread is the sampling error's.
    `bottleneck` is the goal that was most often the furthest from done in lost attempts, if any was lost.
    """

    wins: int
    attempts: int
    values: NDArray[np.float64]
    replicates: NDArray[np.float64]
    bottleneck: str | None


def measure(attempts: Attempts) -> AgentMeasures:
    """The measures of an agent's attempts at a level; PredictionError if they are too few."""
    if len(attempts) < GROUPS:
        raise PredictionError(
            f"{attempts.level.name}: {len(attempts)} attempts of an agent; expected at least {GROUPS}"
        )
    won = attempts.won
    left = np.where(won, np.clip(attempts.limit_left / limit_of(attempts.level)[0], 0.0, MOST_LEFT), 0.0)
    progress = np.where(won, 1.0, attempts.goal_shares.mean(axis=1))
    group = np.arange(len(attempts)) % GROUPS
    parts = [tuple(part[group != k] for part in (won, left, progress)) for k in range(GROUPS)]
    return AgentMeasures(
        attempts.wins,
        len(attempts),
        _values(won, left, progress),
        np.array([_values(*part) for part in parts]),
        bottleneck(attempts),
    )


def _values(
    won: NDArray[np.bool_], left: NDArray[np.float64], progress: NDArray[np.float64]
) -> NDArray[np.float64]:
    margin = np.sort(left + progress - 1.0)
    tail = max(1, round(TAIL * len(margin)))
    wins = int(won.sum())
    return np.array(
        [
            np.log((wins + 0.5) / (len(won) - wins + 0.5)),
            margin.mean(),
            margin[-tail:].mean(),
            margin[:tail].mean(),
            left.mean(),
            progress.mean(),
        ]
    )


def replicate_variance(replicates: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sampling variance of figures from their replicates along the first axis."""
    groups = len(replicates)
    spread = ((replicates - replicates.mean(axis=0)) ** 2).sum(axis=0)
    return np.asarray((groups - 1) / groups * spread)
