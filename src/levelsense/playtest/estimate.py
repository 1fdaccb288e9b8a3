"""Figures and how sure they are: rates, spreads, quantiles and attempts needed, with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log1p

import numpy as np
from numpy.typing import NDArray

from levelsense.playtest.interval import wilson

Numbers = NDArray[np.int64] | NDArray[np.float64]
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


def spread_of(numbers: Numbers) -> Spread | None:
    """The spread of an array; None if it is empty."""
    if not len(numbers):
        return None
    return Spread(len(numbers), float(np.mean(numbers)), quantiles(numbers, QUANTILES))


def quantiles(numbers: Numbers, shares: Sequence[float]) -> tuple[float, ...]:
    """For each share the least of the numbers that at least this share of them does not exceed."""
    return tuple(float(quantile) for quantile in np.quantile(numbers, shares, method="inverted_cdf"))


def quantile_interval(numbers: Numbers, share: float) -> tuple[float, float]:
    """A 95 % interval of the quantile of what the numbers are a sample of, whatever its distribution.

    How many of n independent numbers lie below the quantile is binomial; the interval's ends are the order
    statistics that this puts outside with 2.5 % each. Where the sample is too small for that, an end is
    the least or the greatest number.
    """
    from scipy.stats import binom

    ordered = np.sort(numbers)
    low, high = binom.ppf((0.025, 0.975), len(ordered), share).astype(int)
    return float(ordered[max(low - 1, 0)]), float(ordered[min(high, len(ordered) - 1)])


MEDIAN, MOST = 0.50, 0.95


@dataclass(frozen=True)
class AttemptsNeeded:
    """Attempts up to the first success: on average, at most half of the time, at most 95 % of the time."""

    per_success: Estimate
    median: Estimate
    most: Estimate


def attempts_needed(wins: int, attempts: int) -> AttemptsNeeded:
    """Attempts needed at the success rate seen; the intervals are those of the rate, turned round.

    Attempts are independent and equally likely to succeed, so their number is geometric. Without a success
    only the low end is known: read it as `over so many`.
    """
    low, high = wilson(wins, attempts)
    rate = wins / attempts if wins else 0.0
    return AttemptsNeeded(
        Estimate(1 / rate if rate else None, 1 / high, 1 / low if low else None),
        *(Estimate(_percentile(share, rate), *_ends(share, low, high)) for share in (MEDIAN, MOST)),
    )


def _ends(share: float, low: float, high: float) -> tuple[float, float | None]:
    return _percentile(share, high) or 1.0, _percentile(share, low)


def _percentile(share: float, rate: float) -> float | None:
    """The least number of attempts within which a success comes with a chance; None if none ever comes."""
    if rate == 0:
        return None
    return 1.0 if rate == 1 else float(ceil(log1p(-share) / log1p(-rate)))
