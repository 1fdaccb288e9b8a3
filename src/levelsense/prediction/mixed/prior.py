"""Prior distributions of the coefficients and of sigma."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from levelsense.prediction.mixed.quadrature import Array

INTERCEPT_VARIANCE = 1e-6  # of the intercept beside the shared variance, so that the prior has an inverse
LOWEST_LOG = -40.0  # of the density of sigma: it is never quite impossible


@dataclass(frozen=True)
class SigmaPrior:
    """A prior of sigma in logits.

    Without a middle it is half of a Student distribution, weak: it matters with few levels only. With a
    middle it is log-normal: log sigma is normal around log `middle` with the standard deviation `spread`.
    """

    scale: float = 1.0
    freedom: float = 3.0
    middle: float | None = None
    spread: float = 0.5

    def log_density(self, sigma: float) -> float:
        """The logarithm of the density, up to a constant."""
        if self.middle is None:
            return float(-(self.freedom + 1) / 2 * np.log1p((sigma / self.scale) ** 2 / self.freedom))
        if sigma <= 0:
            return LOWEST_LOG
        away = np.log(sigma / self.middle) / self.spread
        return float(max(-(away**2) / 2 - np.log(sigma / self.middle), LOWEST_LOG))

    def start(self, sigma: float, error: float) -> tuple[float, float]:
        """Where the posterior of sigma is high, and how wide, from the likelihood's summit and its error."""
        if self.middle is None:
            return sigma, error
        relative = error / max(sigma, error)
        weight = 1 / relative**2 if sigma > 0 else 0.0
        precision = weight + 1 / self.spread**2
        log_sigma = weight * np.log(max(sigma, 1e-9)) + np.log(self.middle) / self.spread**2
        middle = float(np.exp(log_sigma / precision))
        return middle, middle * precision**-0.5


@dataclass(frozen=True, eq=False)
class Prior:
    """A normal prior of (intercept, coefficients) of the columns as given, around those of an earlier fit.

    mean    the intercept and coefficients that are expected
    shared  the covariance of departures from them in which coefficients go together, such as all slopes at
            once; each coefficient has the variance 1 / penalty besides
    sigma   the prior of sigma
    """

    mean: Array
    shared: Array
    sigma: SigmaPrior = field(default_factory=SigmaPrior)

    def precision(self, penalty: float) -> Any:
        """The inverse of the prior's covariance with a penalty on each coefficient's own departure."""
        alone = np.full(len(self.mean), 1 / penalty)
        alone[0] = INTERCEPT_VARIANCE
        return np.linalg.inv(self.shared + np.diag(alone))


def ridge_precision(penalty: float, coefficients: int) -> Any:
    """The precision of independent coefficients around 0; of the intercept nothing is known."""
    return np.diag([0.0, *([penalty] * (coefficients - 1))])
