"""The regression of Gudmundsson et al.: players' success rates from an agent's and the type of the level."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import stdtrit

from levelsense.playtest.interval import wilson
from levelsense.playtest.levels import NamedLevel
from levelsense.prediction.features import level_features
from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.prediction.mixed.maximize import one_thread
from levelsense.studies.king.playing import Played

# The paper's covariates are features of the level's type: here what it asks for, and what its limit is.
TYPE_FEATURES: Final = (
    "score goal",
    "jelly goal",
    "ingredients goal",
    "color orders",
    "special orders",
    "blocker orders",
    "several goals",
    "seconds for a limit",
)
PENALTY: Final = 0.1  # on standardized columns: next to nothing, but every fit has an answer
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Column:
    """An agent's success rates as a column: whose, of how many attempts at a level."""

    played: Played
    attempts: int

    def logits(self, names: Sequence[str]) -> Numbers:
        """The logit of the success rate at each level, with half a success and half a failure added."""
        wins = self.played.wins(names, self.attempts)
        return np.log((wins + 0.5) / (self.attempts - wins + 0.5))


@dataclass(frozen=True)
class Players:
    """Players' results at levels, by name: a row of people.rates.success_rates each."""

    rates: pl.DataFrame

    def counts(self, names: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64], Numbers]:
        """Successes, attempts and design effects at levels."""
        rows = {row["level"]: row for row in self.rates.iter_rows(named=True)}
        return (
            np.array([rows[name]["successes"] for name in names]),
            np.array([rows[name]["attempts"] for name in names]),
            np.array([rows[name]["design_effect"] for name in names]),
        )

    def observed(self, names: Sequence[str]) -> Numbers:
        """The success rates at levels."""
        successes, attempts, _ = self.counts(names)
        return successes / attempts


@dataclass(frozen=True)
class Judged:
    """Predictions of levels that a regression was not fitted to, beside what players did there.

    names, observed  the levels, and the players' success rates
    rate, low, high  predictions with their 95 % bands of what so many attempts of players show
    sigma            the standard deviation of random effects, in logits, and where it lies with 95 %
    """

    names: tuple[str, ...]
    observed: Numbers
    rate: Numbers
    low: Numbers
    high: Numbers
    sigma: float
    sigma_band: tuple[float, float]

    @cached_property
    def errors(self) -> Numbers:
        """Absolute differences of predicted and observed rates."""
        return np.asarray(np.abs(self.rate - self.observed))

    @cached_property
    def outside(self) -> NDArray[np.bool_]:
        """Which observed rates are outside their bands."""
        return np.asarray((self.observed < self.low) | (self.observed > self.high))

    @property
    def mae(self) -> tuple[float, float, float]:
        """The mean absolute error, with its 95 % interval."""
        return mean_interval(self.errors)

    @property
    def out_of_band(self) -> tuple[float, float, float]:
        """The share of levels outside their bands, with its 95 % interval (Wilson)."""
        count, levels = int(self.outside.sum()), len(self.outside)
        return (count / levels, *wilson(count, levels))

    @property
    def width(self) -> float:
        """The mean width of the bands."""
        return float((self.high - self.low).mean())

    def at(self, names: Sequence[str]) -> "Judged":
        """The same at some of the levels."""
        places = [number for number, name in enumerate(self.names) if name in set(names)]
        return Judged(
            tuple(self.names[place] for place in places),
            self.observed[places],
            self.rate[places],
            self.low[places],
            self.high[places],
            self.sigma,
            self.sigma_band,
        )


def mean_interval(values: Numbers) -> tuple[float, float, float]:
    """A mean with its 95 % interval by Student's t."""
    mean, count = float(values.mean()), len(values)
    if count < 2:
        return mean, mean, mean
    half = float(stdtrit(count - 1, 0.975) * values.std(ddof=1) / np.sqrt(count))
    return mean, mean - half, mean + half


def fit_and_judge(
    fitted: Sequence[NamedLevel],
    judged: Sequence[NamedLevel],
    players: Players,
    column: Column | None,
    *,
    predicted_by: Column | None = None,
    typed: bool = True,
) -> Judged:
    """Fits to some levels and predicts others.

    `column` is the agent's; without one, types alone or the mean predict. `predicted_by` is the agent's at
    the levels to predict, if that is another one. `typed` says whether the features of types are columns.
    """
    past, later = ([named.name for named in levels] for levels in (fitted, judged))
    before, after = _columns(fitted, column, typed), _columns(judged, predicted_by or column, typed)
    center, spread = before.mean(axis=0), before.std(axis=0)
    varies = spread > 1e-9
    before, after = ((of[:, varies] - center[varies]) / spread[varies] for of in (before, after))
    successes, attempts, effect = players.counts(past)
    _, later_attempts, later_effect = players.counts(later)
    with one_thread():
        model = MixedBinomial(penalty=PENALTY).fit(before, successes, attempts, design_effect=effect)
        found = model.predict(after, later_attempts, design_effect=later_effect, levels=(0.95,))
        band = model.sigma_interval()
    return Judged(
        tuple(later),
        players.observed(later),
        np.asarray(found.rate),
        np.asarray(found.bands[0.95].low),
        np.asarray(found.bands[0.95].high),
        model.sigma_,
        band,
    )


def _columns(levels: Sequence[NamedLevel], column: Column | None, typed: bool) -> Numbers:
    parts: list[Numbers] = []
    if column is not None:
        parts.append(column.logits([named.name for named in levels])[:, None])
    if typed:
        features = [level_features(named.level) for named in levels]
        parts.append(np.array([[of[name] for name in TYPE_FEATURES] for of in features], np.float64))
    return np.hstack(parts) if parts else np.zeros((len(levels), 0))


def band_curve(
    fitted: Sequence[NamedLevel], players: Players, column: Column, points: int = 41
) -> list[dict[str, float]]:
    """The 95 % band of players' success rate over the agent's, by a fit without other columns: figure 4."""
    names = [named.name for named in fitted]
    logits = column.logits(names)
    successes, attempts, effect = players.counts(names)
    with one_thread():
        model = MixedBinomial(penalty=PENALTY).fit(logits[:, None], successes, attempts, design_effect=effect)
        end = np.log(2 * column.attempts + 1)  # the logit of an agent that has always won
        grid = np.linspace(-end, end, points)
        found = model.predict(grid[:, None], levels=(0.95,))
    band = found.bands[0.95]
    return [
        {"agent": float(x), "low": float(low), "high": float(high), "rate": float(rate)}
        for x, low, high, rate in zip(grid, band.low, band.high, found.rate, strict=True)
    ]
