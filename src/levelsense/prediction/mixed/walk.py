"""A random walk of the intercept over time, as columns whose coefficients have a common, unknown variance.

The intercept drifts from level to level, such as by players who leave: a slope that goes on, and a random
walk around it. `size` is the standard deviation of what the walk changes over the whole time of a fit, and of
the change by the slope as well; over a part of that time the walk's variance is that part of it. The walk is
cut into steps, straight in between. The coefficient of a step is how far it goes, and the columns are 0 at
the end of the fit: there the intercept is the present one. Beyond the end the slope goes on, and the walk's
variance grows with the time ahead.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from levelsense.prediction.mixed.quadrature import Array

STEPS_MOST: Final = 12
LEVELS_A_STEP: Final = 10  # at least
# Sizes that are tried, in logits, and the scale of a half-Cauchy prior of the size: over so many levels, for
# more levels have more time to drift.
SIZES: Final = (0.03, 0.1, 0.25, 0.6, 1.5)
SIZE_SCALE: Final = 0.25
SIZE_LEVELS: Final = 400


@dataclass(frozen=True, eq=False)
class Walk:
    """The steps of a walk: from `knots[k]` to `knots[k + 1]`, of which the last is the end of the fit.

    rows  how many rows it was fitted to
    """

    knots: Array
    rows: int

    @classmethod
    def over(cls, times: Array) -> "Walk | None":
        """The walk over the times of a fit's rows; None if there are too few of them for one."""
        steps = min(STEPS_MOST, len(times) // LEVELS_A_STEP)
        if steps < 1 or np.ptp(times) <= 0:
            return None
        return cls(np.linspace(times.min(), times.max(), steps + 1), len(times))

    @property
    def sizes(self) -> list[float]:
        """The sizes to try."""
        return [size * float(np.sqrt(self.rows / SIZE_LEVELS)) for size in SIZES]

    def log_prior(self, size: float) -> float:
        """The log prior of a size in a grid that is even in its logarithm, with that of the coefficients."""
        share = size / (SIZE_SCALE * float(np.sqrt(self.rows / SIZE_LEVELS)))
        normalized = float(np.log(self.variances(size)).sum()) / 2
        return float(np.log(share) - np.log1p(share**2)) - normalized

    @property
    def end(self) -> float:
        """The last time of the fit."""
        return float(self.knots[-1])

    @property
    def span(self) -> float:
        """The whole time of the fit."""
        return float(self.knots[-1] - self.knots[0])

    @property
    def width(self) -> int:
        """How many columns it has: the slope's, and one a step."""
        return len(self.knots)

    def columns(self, times: Array) -> Any:
        """The columns at some times."""
        lengths = np.diff(self.knots)
        done = np.clip((np.asarray(times)[:, None] - self.knots[:-1]) / lengths, 0, 1)
        return np.column_stack([(np.asarray(times) - self.end) / self.span, done - 1])

    def variances(self, size: float) -> Any:
        """The prior variance of each column's coefficient."""
        return size**2 * np.concatenate([[1.0], np.diff(self.knots) / self.span])

    def ahead(self, times: Array) -> Any:
        """The time beyond the end of the fit, in spans of it."""
        return np.maximum(0.0, np.asarray(times) - self.end) / self.span
