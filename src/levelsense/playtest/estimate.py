"""A figure and how sure it is: what every statistic of a playtest is told by."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from levelsense.playtest.interval import wilson

QUANTILES = (0.10, 0.25, 0.50, 0.75, 0.90)


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval.

    `value` is None where the attempts do not give one, `high` is None where they set no bound: after no
    success in a hundred attempts, attempts per success are over something, and that is all one knows.
    """

    value: float | None
    low: float
    high: float | None


def rate_estimate(wins: int, attempts: int) -> Estimate:
    """A share of attempts with Wilson's interval; without a value if there are no attempts."""
    low, high = wilson(wins, attempts)
    return Estimate(wins / attempts if attempts else None, low, high)


@dataclass(frozen=True)
class Spread:
    """How numbers spread: how many there are, their mean, and their quantiles at QUANTILES."""

    count: int
    mean: float
    quantiles: tuple[float, ...]

    @property
    def median(self) -> float:
        """The number that half of them do not exceed."""
        return self.quantiles[QUANTILES.index(0.50)]


def spread_of(numbers: Any) -> Spread | None:
    """The spread of an array; None if it is empty."""
    if not len(numbers):
        return None
    return Spread(len(numbers), float(np.mean(numbers)), quantiles(numbers, QUANTILES))


def quantiles(numbers: Any, shares: Sequence[float]) -> tuple[float, ...]:
    """For each share the least of the numbers that at least this share of them does not exceed."""
    return tuple(float(found) for found in np.quantile(numbers, shares, method="inverted_cdf"))


def quantile_interval(numbers: Any, share: float) -> tuple[float, float]:
    """A 95 % interval of the quantile of what the numbers are a sample of, whatever its distribution.

    How many of n independent numbers lie below the quantile is binomial; the interval's ends are the order
    statistics that this puts outside with 2.5 % each. Where the sample is too small for that, an end is
    the least or the greatest number.
    """
    from scipy.stats import binom

    ordered = np.sort(numbers)
    low, high = binom.ppf((0.025, 0.975), len(ordered), share).astype(int)
    return float(ordered[max(low - 1, 0)]), float(ordered[min(high, len(ordered) - 1)])
