"""Predictions with other limits: the limit that comes nearest to a target, and a curve of rates for charts.

The curve is made from few attempts with each limit, on the same boards, so that chance does much the same to
all of them. With the present limit the prediction from all attempts is known: as far as the one from few
attempts is off there, in log odds, all are moved.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, log
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.advice import first_error
from levelsense.level.level import Level
from levelsense.playtest.figures import named_with_limit
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.limits import limit_of, longest_limit, with_limit
from levelsense.playtest.plan import check_target
from levelsense.playtest.tuning import longest_to_tune
from levelsense.prediction.levels import LevelPrediction, predict_levels
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.paired import Played, table_of
from levelsense.prediction.table import play_table

FIRST_SHARES: Final = (1 / 4, 1 / 2, 3 / 4, 1, 3 / 2, 2)  # of the present limit
AROUND: Final = 2  # limits on either side of the one to take
STEPS_BY_LINE: Final = 4  # then halves, which are never far off
_LEAST_RATE: Final = 1e-12

Play = Callable[[Sequence[NamedLevel]], pl.DataFrame]
CURVE_SHARES: Final = (1 / 4, 1 / 2, 3 / 4, 5 / 4, 3 / 2)  # of the present limit
CURVE_ATTEMPTS: Final = 300  # of each agent, at most

PlayOnSameBoards = Callable[[Sequence[Level], Mapping[str, int]], list[Played]]


@dataclass(frozen=True, eq=False)
class LimitPrediction:
    """The prediction of a level with a limit, the same as `predict` gives for that level."""

    limit: float
    level: Level
    prediction: LevelPrediction

    @property
    def rate(self) -> float:
        """The success rate to expect."""
        return self.prediction.rate

    @property
    def verdict(self) -> str:
        """The verdict on the target."""
        assert self.prediction.verdict is not None
        return self.prediction.verdict


@dataclass(frozen=True, eq=False)
class PlayersTuning:
    """The limit for a target, and the predictions that it was chosen from.

    now          what is predicted of the level as it is
    predictions  of all limits that were looked at, ascending; of whole moves or seconds
    rising       their success rates, made not to fall with the limit: by these limits are compared
    best         the limit to take; None if none reaches the target
    """

    level: Level
    target: float
    now: LimitPrediction
    predictions: tuple[LimitPrediction, ...]
    rising: NDArray[np.float64]
    best: LimitPrediction | None

    @property
    def falls(self) -> bool:
        """Whether the predictions fall anywhere as the limit grows, so that rates had to be evened out."""
        return any(shorter.rate > longer.rate for shorter, longer in pairwise(self.predictions))

    @property
    def on_target(self) -> tuple[float, float] | None:
        """The shortest and the longest limit that are on target, around the one to take."""
        limits = [prediction.limit for prediction in self.predictions if prediction.verdict == "on target"]
        return (min(limits), max(limits)) if limits else None


def tune_for_players(
    model: DifficultyModel,
    named: NamedLevel,
    target: float,
    seed: int = 0,
    threads: int | None = None,
    play: Play | None = None,
) -> PlayersTuning:
    """Finds the limit with which players' predicted success rate is nearest to a target between 0 and 1.

    Every limit that is looked at is predicted as `predict` would: the model's agents play the level with that
    limit, by the same seeds for all limits. `play` gives the table of agents at levels, as play_table does.

    An agent that does not watch the limit wins no less with more of it, but the model has other columns, and
    the rate may fall a little from one limit to the next. To compare limits, rates that fall are evened out
    (isotonic regression of the log odds over limits). What is reported of a limit is its own prediction.
    """
    check_target(target)
    search = _Search(model, named, target, play or _played_by(model, seed, threads))
    search.look_at(search.ladder())
    if search.rising[-1] < target:
        search.look_at(search.further())
    while (limit := search.next_limit()) is not None:
        search.look_at([limit])
    search.look_at(search.neighbors())
    return search.result()


def _played_by(model: DifficultyModel, seed: int, threads: int | None) -> Play:
    return lambda levels: play_table(levels, model.origin_.attempts, seed, threads)


class _Search:
    """The limits that were looked at so far, and which to look at next."""

    def __init__(self, model: DifficultyModel, named: NamedLevel, target: float, play: Play) -> None:
        self._model, self._named, self._target, self._play = model, named, target, play
        self._present = limit_of(named.level)[0]
        self._shortest = shortest_to_win(named.level)
        self._longest = longest_to_tune(named.level)
        self._by_limit: dict[float, LimitPrediction] = {}
        self._steps = 0
        self._look([named])

    def ladder(self) -> list[int]:
        """The limits to begin with."""
        return [round(share * self._present) for share in FIRST_SHARES]

    def further(self) -> list[int]:
        """Limits beyond these, for a target that is not reached yet."""
        reached = self._limits[-1]
        return [round(reached + share * (self._longest - reached)) for share in (1 / 2, 1)]

    def neighbors(self) -> list[int]:
        """Limits around the one to take."""
        best = int(self._best().limit)
        return list(range(best - AROUND, best + AROUND + 1))

    def look_at(self, limits: Iterable[int]) -> None:
        """Predicts the level with limits that were not looked at, those that it may have."""
        fitting = {min(max(limit, self._shortest), self._longest) for limit in limits}
        self._look(
            [named_with_limit(self._named, limit) for limit in sorted(fitting - self._by_limit.keys())]
        )

    def _look(self, levels: Sequence[NamedLevel]) -> None:
        if not levels:
            return
        table = self._play(levels)
        for number, named in enumerate(levels):
            # A row by itself, as if one level were asked about: in a larger table sums may round otherwise.
            predicted = self._predicted(named.level, table[number : number + 1])
            self._by_limit[predicted.limit] = predicted

    def _predicted(self, level: Level, row: pl.DataFrame) -> LimitPrediction:
        (prediction,) = predict_levels(self._model, row, self._target)
        limit = limit_of(level)[0]
        return LimitPrediction(int(limit) if limit == int(limit) else limit, level, prediction)

    @property
    def _limits(self) -> list[int]:
        """The whole limits that were looked at, ascending."""
        return sorted(int(limit) for limit in self._by_limit if limit == int(limit))

    @property
    def rising(self) -> NDArray[np.float64]:
        """The success rates of these, made not to fall."""
        return rising_rates([self._by_limit[limit].rate for limit in self._limits])

    def next_limit(self) -> int | None:
        """A limit between two on both sides of the target; None if they are neighbors, or there are none."""
        limits, rates = self._limits, self.rising
        if rates[0] >= self._target:
            return max(limits[0] // 2, self._shortest) if limits[0] > self._shortest else None
        above = int(np.searchsorted(rates, self._target))
        if above == len(limits) or limits[above] - limits[above - 1] == 1:
            return None
        self._steps += 1
        low, high = limits[above - 1], limits[above]
        start, end = (log_odds(rates[place]) for place in (above - 1, above))
        by_line = (log_odds(self._target) - start) / (end - start)
        share = by_line if self._steps <= STEPS_BY_LINE else 0.5
        return min(max(round(low + share * (high - low)), low + 1), high - 1)

    def _best(self) -> LimitPrediction:
        """The limit whose evened rate is nearest to the target.

        Of equals it is the present one, then the one whose own rate is nearest, then the shortest.
        """
        rising = dict(zip(self._limits, self.rising.tolist(), strict=True))

        def distance(limit: int) -> tuple[float, bool, float, int]:
            rate = self._by_limit[limit].rate
            off = round(abs(rising[limit] - self._target), 9)
            return off, limit != self._present, abs(rate - self._target), limit

        return self._by_limit[min(self._limits, key=distance)]

    def result(self) -> PlayersTuning:
        """The limit to take, and all that were looked at."""
        predictions, best = tuple(self._by_limit[limit] for limit in self._limits), self._best()
        is_reached = self.rising[0] <= self._target <= self.rising[-1] or best.verdict == "on target"
        return PlayersTuning(
            self._named.level,
            self._target,
            self._by_limit[self._present],
            predictions,
            self.rising,
            best if is_reached else None,
        )


def shortest_to_win(level: Level) -> int:
    """The shortest limit with which the level can be won at all."""
    longest = ceil(limit_of(level)[0])
    return next(
        (limit for limit in range(1, longest) if first_error(with_limit(level, limit)) is None), longest
    )


def rising_rates(rates: Sequence[float]) -> NDArray[np.float64]:
    """Rates made not to fall: the nearest such, in log odds, by pooling neighbors that fall.

    >>> rising_rates([0.1, 0.5, 0.5, 0.9]).round(3).tolist()
    [0.1, 0.5, 0.5, 0.9]
    """
    pools: list[tuple[float, int]] = []  # mean of the log odds, and of how many
    for rate in rates:
        mean, count = log_odds(rate), 1
        while pools and pools[-1][0] > mean:
            before, number = pools.pop()
            mean, count = (before * number + mean * count) / (number + count), number + count
        pools.append((mean, count))
    pooled = np.concatenate([np.full(count, mean) for mean, count in pools])
    return np.asarray(1 / (1 + np.exp(-pooled)))


def log_odds(rate: float) -> float:
    """The logarithm of the odds of a rate; finite at 0 and 1."""
    inside = min(max(float(rate), _LEAST_RATE), 1 - _LEAST_RATE)
    return log(inside / (1 - inside))


@dataclass(frozen=True)
class LimitRate:
    """The success rate to expect of players with a limit, and the ends of its 95 % band."""

    limit: float
    rate: float
    low: float
    high: float


def predict_limits(
    model: DifficultyModel, level: Level, expected: LevelPrediction, play: PlayOnSameBoards
) -> tuple[LimitRate, ...]:
    """The rates by limit, ascending; that of the present limit is what is `expected` of the level.

    `play` gives agents' attempts at levels, so many of each, all on the boards of the first.
    """
    levels = [level, *(with_limit(level, limit) for limit in _other_limits(level))]
    attempts = {agent: min(number, CURVE_ATTEMPTS) for agent, number in model.origin_.attempts.items()}
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
    limits = {min(max(round(share * present), shortest), longest) for share in CURVE_SHARES}
    return sorted(limits - {present})


def _moved(rate: float, off: float) -> float:
    return float(1 / (1 + np.exp(-log_odds(rate) - off)))
