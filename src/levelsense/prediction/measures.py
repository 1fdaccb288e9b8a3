"""What an agent's attempts at a level say, in numbers: the covariates that come from playing.

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
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.errors import PredictionError
from levelsense.level.level import Level

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


def measure(level: Level, rows: pl.DataFrame) -> AgentMeasures:
    """The measures of an agent's attempts (ROW_SCHEMA) at a level; PredictionError if they are too few."""
    if rows.height < GROUPS:
        raise PredictionError(f"{level.name}: {rows.height} attempts of an agent; expected at least {GROUPS}")
    won = rows["won"].to_numpy()
    done = goal_shares(level, rows)
    left = np.where(won, _left(level, rows), 0.0)
    progress = np.where(won, 1.0, done.mean(axis=1))
    group = np.arange(rows.height) % GROUPS
    parts = [tuple(part[group != k] for part in (won, left, progress)) for k in range(GROUPS)]
    return AgentMeasures(
        int(won.sum()),
        rows.height,
        _values(won, left, progress),
        np.array([_values(*part) for part in parts]),
        _bottleneck(level, done[~won]),
    )


def _bottleneck(level: Level, lost: NDArray[np.float64]) -> str | None:
    """The goal most often the furthest from done; goals equally far share an attempt."""
    if not len(lost):
        return None
    furthest = (lost < 1) & (lost == lost.min(axis=1, keepdims=True))
    shares = furthest / np.maximum(furthest.sum(axis=1, keepdims=True), 1)
    return list(level.asked)[int(shares.mean(axis=0).argmax())]


def _values(won: Any, left: Any, progress: Any) -> NDArray[np.float64]:
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


def _left(level: Level, rows: pl.DataFrame) -> NDArray[np.float64]:
    """The share of the limit that is left."""
    if level.moves is not None:
        share = rows["moves_left"].to_numpy() / level.moves
    else:
        share = rows["time_left"].to_numpy() / (level.seconds or 1.0)
    return np.clip(share, 0.0, MOST_LEFT)


def goal_shares(level: Level, rows: pl.DataFrame) -> NDArray[np.float64]:
    """The share of each goal that is done, from 0 to 1: a row an attempt, a column a goal."""
    asked = level.asked
    done = rows["goals"].str.json_decode(pl.Struct(dict.fromkeys(asked, pl.Int64)))
    shares = [np.minimum(done.struct.field(name).to_numpy() / number, 1.0) for name, number in asked.items()]
    return np.column_stack(shares)


def replicate_variance(replicates: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sampling variance of figures from their replicates along the first axis."""
    groups = len(replicates)
    spread = ((replicates - replicates.mean(axis=0)) ** 2).sum(axis=0)
    return np.asarray((groups - 1) / groups * spread)
