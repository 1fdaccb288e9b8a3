"""Welch's test of two means: t and degrees of freedom by equations 5 and 6 of McAdams, and what they tell."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

Scores = NDArray[np.float64]
TWO_SIDED_95: Final = 1.96


@dataclass(frozen=True)
class Welch:
    """Two samples compared: the mean of the first less that of the second.

    t and its degrees of freedom are those of the equations. If samples are of the same boards (`paired`: the
    first entries of both, the second, ...; one may go on longer), the difference is known better than these
    say, and so are its p-value, its interval and the range of t.
    """

    first: Scores
    second: Scores
    paired: bool = False

    @cached_property
    def _errors(self) -> tuple[float, float]:
        """The squared standard errors of both means."""
        first, second = (float(sample.var(ddof=1)) / len(sample) for sample in (self.first, self.second))
        return first, second

    @property
    def difference(self) -> float:
        """The difference of means."""
        return float(self.first.mean() - self.second.mean())

    @property
    def t(self) -> float:
        """Equation 5; 0 if neither sample varies and their means are equal."""
        spread = float(sum(self._errors) ** 0.5)
        if spread == 0:
            return float(np.copysign(np.inf, self.difference)) if self.difference else 0.0
        return self.difference / spread

    @property
    def freedom(self) -> float:
        """Equation 6."""
        parts = zip(self._errors, (self.first, self.second), strict=True)
        below = sum(error**2 / (len(sample) - 1) for error, sample in parts)
        return sum(self._errors) ** 2 / below if below else float(len(self.first) + len(self.second) - 2)

    def _error(self, first: Scores, second: Scores) -> float:
        """The standard error of a difference of means over these attempts."""
        squared = float(first.var(ddof=1)) / len(first) + float(second.var(ddof=1)) / len(second)
        squared -= 2 * self._shared(first, second) / max(len(first), len(second))
        return float(max(0.0, squared) ** 0.5)  # where all is shared, rounding may leave less than nothing

    def _shared(self, first: Scores, second: Scores) -> float:
        """The covariance of what both have on the same boards."""
        count = min(len(first), len(second))
        return float(np.cov(first[:count], second[:count])[0, 1]) if self.paired else 0.0

    @property
    def p(self) -> float:
        """The two-tailed p-value."""
        error = self._error(self.first, self.second)
        return float(2 * stdtr(self.freedom, -abs(self.difference / error if error else self.t)))

    @property
    def confidence(self) -> float:
        """What the paper calls confidence: 1 less the p-value."""
        return 1 - self.p

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the difference of means."""
        half = float(stdtrit(self.freedom, 0.975)) * self._error(self.first, self.second)
        return self.difference - half, self.difference + half

    def t_of(self, attempts: int) -> float:
        """The t that so many attempts of each would have, if means and variances were these."""
        variance = sum(float(sample.var(ddof=1)) for sample in (self.first, self.second))
        return float(self.difference / (variance / attempts) ** 0.5) if variance else self.t

    def t_range(self, attempts: int) -> tuple[float, float]:
        """Where t of so many attempts of each falls in 95 of 100 repetitions.

        It is as uncertain as t of so many attempts is and, beside that, as these samples are: each has its
        own number of attempts, and its own part in t. By the delta method, from what an attempt adds to t
        by the mean and by the variance.
        """
        middle = self.t_of(attempts)
        variance = sum(float(sample.var(ddof=1)) for sample in (self.first, self.second))
        if not variance:
            return middle, middle
        added, taken = (
            (around + sign * self.difference / (2 * variance) * (around**2 - (around**2).mean()))
            / variance**0.5
            for around, sign in ((self.first - self.first.mean(), -1), (self.second - self.second.mean(), 1))
        )
        of_new = float(added.var(ddof=1) + taken.var(ddof=1)) - 2 * self._shared(added, taken)
        half = TWO_SIDED_95 * max(0.0, of_new + attempts * self._error(added, taken) ** 2) ** 0.5
        return middle - half, middle + half


def mean_interval(scores: Scores) -> tuple[float, float]:
    """The mean of a sample, and half its 95 % interval."""
    error = float(scores.std(ddof=1)) / len(scores) ** 0.5
    return float(scores.mean()), float(stdtrit(len(scores) - 1, 0.975)) * error
