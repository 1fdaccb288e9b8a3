"""The success rate to expect with other limits than a level has, for charts: from few attempts each.

The level is played with each limit on the same boards, so that chance does much the same to all of them. What
it does with the present limit is known, for there the prediction from all attempts stands: as far as the one
from few attempts is off there, in log odds, all are moved.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from levelsense.level.level import Level
from levelsense.playtest.limits import limit_of, longest_limit, with_limit
from levelsense.prediction.levels import LevelPrediction
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.paired import Played, table_of
from levelsense.prediction.tuning import log_odds, shortest_to_win

SHARES: Final = (1 / 4, 1 / 2, 3 / 4, 5 / 4, 3 / 2)  # of the present limit
ATTEMPTS: Final = 300  # of each agent, at most

Play = Callable[[Sequence[Level], Mapping[str, int]], list[Played]]


@dataclass(frozen=True)
class LimitRate:
    """The success rate to expect of players with a limit, and the ends of its 95 % band."""

    limit: float
    rate: float
    low: float
    high: float


def predict_limits(
    model: DifficultyModel, level: Level, expected: LevelPrediction, play: Play
) -> tuple[LimitRate, ...]:
    """The rates by limit, ascending; that of the present limit is what is `expected` of the level.

    `play` gives agents' attempts at levels, so many of each, all on the boards of the first.
    """
    levels = [level, *(with_limit(level, limit) for limit in _other_limits(level))]
    attempts = {agent: min(number, ATTEMPTS) for agent, number in model.origin_.attempts.items()}
    # By the level's name, so that it has the same place in the saga with every limit.
    table = table_of(levels, play(levels, attempts)).with_columns(level=pl.lit(expected.name))
    few = model.predict(table)
    off = log_odds(expected.rate) - log_odds(few["rate"][0])
    rates = [LimitRate(limit_of(level)[0], expected.rate, *expected.band_95)]
    for number, other in enumerate(levels[1:], start=1):
        moved = (_moved(few[name][number], off) for name in ("rate", "low_95", "high_95"))
        rates.append(LimitRate(limit_of(other)[0], *moved))
    return tuple(sorted(rates, key=lambda rate: rate.limit))


def _other_limits(level: Level) -> list[int]:
    """Limits around the present one with which the level can be won."""
    present = limit_of(level)[0]
    shortest, longest = shortest_to_win(level), longest_limit(level)
    limits = {min(max(round(share * present), shortest), longest) for share in SHARES}
    return sorted(limits - {present})


def _moved(rate: float, off: float) -> float:
    return float(1 / (1 + np.exp(-log_odds(rate) - off)))
