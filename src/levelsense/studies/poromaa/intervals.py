"""Differences with intervals, of setups and of bots and players, and whether published findings agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, stdtrit

from levelsense.playtest.interval import NORMAL_95, wilson
from levelsense.studies.page import StudyPage
from levelsense.studies.poromaa.playing import Wins
from levelsense.studies.welch import Welch, mean_interval

RESAMPLES: Final = 4_000
Values = NDArray[np.float64]
UNSURE: Final = "cannot be told"
PARTLY: Final = "in part"
SURE: Final = 0.05  # a probability below which differences are not taken for chance


@dataclass(frozen=True)
class Interval:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Whether a value lies in the interval."""
        return self.low <= value <= self.high

    @property
    def sign(self) -> int:
        """1 if it is surely above 0, -1 if surely below, 0 if that cannot be told."""
        return 1 if self.low > 0 else -1 if self.high < 0 else 0

    @property
    def points(self) -> str:
        """In percentage points."""
        return f"{100 * self.value:+.1f} ({100 * self.low:+.1f} to {100 * self.high:+.1f})"

    @property
    def share(self) -> str:
        """As a share, in percent."""
        return f"{100 * self.value:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f})"

    def number(self, digits: int = 3) -> str:
        """As a number."""
        return f"{self.value:.{digits}f} ({self.low:.{digits}f} to {self.high:.{digits}f})"


def rate(won: Wins) -> Interval:
    """The success rate of attempts, with Wilson's interval."""
    return Interval(float(won.mean()), *wilson(int(won.sum()), len(won)))


def difference(ours: Mapping[str, Wins], theirs: Sequence[Mapping[str, Wins]]) -> Interval:
    """The mean over levels of one setup's success rate less that of others, taken together.

    Attempt k of a level is played from the same board by all, so that attempts are compared in pairs.
    """
    means, variances = [], []
    for level, won in ours.items():
        count = min(len(won), *(len(other[level]) for other in theirs))
        others = np.mean([other[level][:count] for other in theirs], axis=0)
        each = won[:count].astype(float) - others
        means.append(each.mean())
        variances.append(each.var(ddof=1) / count if count > 1 else 1.0)
    mean, half = float(np.mean(means)), NORMAL_95 * float(np.sqrt(np.sum(variances))) / len(means)
    return Interval(mean, mean - half, mean + half)


def alike(setups: Sequence[Mapping[str, Wins]]) -> float:
    """The probability of differences as large as these if all setups were equally good, by Cochran's Q.

    Attempt k of a level is played from the same board by all: boards are the blocks of the test, and only
    those that some setups win and others lose count. Statistics and degrees of freedom of levels are added.
    Q is chi-square if any two setups go along alike. But a search that is hardly limited plays as one without
    a limit, and others do not: then Q varies more, and statistic and degrees of freedom are made smaller by
    Box's epsilon, to a chi-square of the same mean and variance. So a setup that is there twice changes
    nothing.
    """
    total = mean = variance = 0.0
    for level in setups[0]:
        count = min(len(setup[level]) for setup in setups)
        won = np.array([setup[level][:count] for setup in setups], float)
        within = won - won.mean(axis=0)
        products = within @ within.T
        if spread := float(np.trace(products)):
            freedom = len(setups) - 1
            total += freedom * float((within.sum(axis=1) ** 2).sum()) / spread
            mean += freedom
            variance += 2 * freedom**2 * float((products**2).sum()) / spread**2
    if not mean:
        return 1.0
    scale = variance / (2 * mean)
    return float(chdtrc(mean / scale, total / scale))


def mean_over_levels(values: Values) -> Interval:
    """A mean over levels, by Student's t."""
    mean, half = mean_interval(values)
    return Interval(mean, mean - half, mean + half)


def deviation_over_levels(values: Values) -> Interval:
    """A standard deviation over levels; the interval is of levels drawn anew, the middle 95 %."""
    draws = np.random.default_rng(1).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.quantile(values[draws].std(axis=1, ddof=1), (0.025, 0.975))
    return Interval(float(values.std(ddof=1)), float(low), float(high))


def difference_of_means(ours: Values, theirs: Values) -> Interval:
    """The difference of two means over different levels, by Welch's t."""
    test = Welch(ours, theirs)
    return Interval(test.difference, *test.interval)


def slope(x: Values, y: Values) -> Interval:
    """The slope of the straight line through points, by least squares, with Student's t."""
    centered = x - x.mean()
    steep = float((centered * y).sum() / (centered**2).sum())
    residuals = y - y.mean() - steep * centered
    error = np.sqrt((residuals**2).sum() / (len(x) - 2) / (centered**2).sum())
    half = float(stdtrit(len(x) - 2, 0.975) * error)
    return Interval(steep, steep - half, steep + half)


@dataclass(frozen=True)
class Check:
    """A published finding, ours with its interval, and whether they agree: yes, no, or it cannot be told."""

    finding: str
    published: str
    ours: str
    verdict: str


def check_sign(finding: str, published: str, estimate: Interval, expected: int, why: str = "") -> Check:
    """A difference that should be above 0 (1) or below (-1)."""
    if estimate.sign == expected:
        verdict = "yes"
    elif estimate.sign == 0:
        toward = "the same" if estimate.value * expected > 0 else "the other"
        verdict = f"{UNSURE}: {toward} way, and the interval holds 0"
    else:
        verdict = f"no{': ' + why if why else ''}"
    return Check(finding, published, f"{estimate.points} points", verdict)


def check_value(
    finding: str, published: float, estimate: Interval, text: str, ours: str, why: str, near: float = 0.0
) -> Check:
    """A figure that should be in our interval, or not further from it than `near`."""
    agrees = estimate.low - near <= published <= estimate.high + near
    return Check(finding, text, ours, "yes" if agrees else f"no: {why}")


def check_alike(finding: str, published: str, probability: float, spread: float, why: str) -> Check:
    """Setups that should be equally good, by the probability of differences as large by chance alone."""
    ours = f"means differ by up to {100 * spread:.1f} points (chance alone: p = {probability:.2f})"
    return Check(finding, published, ours, "yes" if probability >= SURE else f"no: {why}")


def add_checks(page: StudyPage, checks: Sequence[Check]) -> None:
    """Adds a table of findings to a page."""
    page.table(
        ("finding", "published", "ours, with 95 % intervals", "agrees"),
        [(check.finding, check.published, check.ours, check.verdict) for check in checks],
    )


def summary(checks: Sequence[Check]) -> str:
    """How many findings agree, do not, cannot be told, and hold in part."""
    words = {"yes": "agree", "no": "do not", UNSURE: "cannot be told", PARTLY: "in part"}
    counts = {word: sum(check.verdict.startswith(word) for check in checks) for word in words}
    return ", ".join(
        f"{counts[word]} {phrase}" for word, phrase in words.items() if counts[word] or word != PARTLY
    )
