"""The variance of predictions, calibrated by their errors: a factor on all of it, and sigma by the logit.

Levels at the ends of the scale differ by more than those in between: `SigmaCurve` multiplies sigma there.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit

from levelsense.prediction.mixed.data import Design
from levelsense.prediction.mixed.quadrature import Array

FACTOR_SPREAD: Final = 0.3  # of the logarithm of the factor, which is 1 if nothing speaks for another value
MOST_FACTOR: Final = 3.0  # of the absolute value of that logarithm
CENTER: Final = -1.0  # the logit around which the curve bends
LEAST, MOST = -5.0, 3.0  # logits beyond which it goes on level
SCALE: Final = 2.0  # logits from the center, where slope and bend count fully
PRIOR_SPREAD: Final = 0.5  # of slope and bend, which are 0 if nothing speaks for another value
FEWEST_OUTCOMES: Final = 3.0  # expected information of a row's counts, for its logit to be taken as normal


def variance_factor(errors: Array, model_variance: Array, other_variance: Array) -> float:
    """The maximum-likelihood factor on the variance of predictions, shrunk toward 1.

    Errors are taken as normal with the variance factor * model_variance + other_variance. `model_variance` is
    that of the predictions by their model, `other_variance` what the model does not account for, such as the
    sampling variance of observed counts. Few errors, or errors that are mostly other variance, leave the
    factor near 1.
    """

    def unlikely(log_factor: float) -> float:
        variance = np.exp(log_factor) * model_variance + other_variance
        likelihood = np.sum(np.log(variance) + errors**2 / variance) / 2
        return float(likelihood + log_factor**2 / (2 * FACTOR_SPREAD**2))

    return float(np.exp(minimize_scalar(unlikely, bounds=(-MOST_FACTOR, MOST_FACTOR), method="bounded").x))


@dataclass(frozen=True)
class SigmaCurve:
    """log sigma^2 = log of the fit's own + slope u + bend u^2, u = (logit - center) / scale."""

    slope: float = 0.0
    bend: float = 0.0

    def stretch(self, logits: Array) -> Any:
        """By what sigma is multiplied at these logits."""
        u = _units(logits)
        return np.exp((self.slope * u + self.bend * u**2) / 2)


def fit_curve(design: Design, logits: Array, sigma: float) -> SigmaCurve:
    """The likeliest curve given the residuals of a fit, from its rows and the logits it expects of them.

    Observed logits are taken as normal around the expected ones, with the variance of the counts, the known
    one and sigma's. Slope and bend have normal priors around 0, so that few rows leave sigma as it is.
    """
    p = expit(logits)
    information = design.attempts * p * (1 - p)
    use = information > FEWEST_OUTCOMES
    if use.sum() < 2:
        return SigmaCurve()
    won, lost = design.successes + 0.5, design.attempts - design.successes + 0.5
    squares = (np.log(won / lost) - logits)[use] ** 2
    known = 1 / information[use] + design.variance[use]
    u = _units(logits[use])

    def height(place: Array) -> float:
        variance = known + np.exp(place[0] + place[1] * u + place[2] * u**2)
        unlikely = np.sum(np.log(variance) + squares / variance) / 2
        return float(unlikely + np.sum(place[1:] ** 2) / (2 * PRIOR_SPREAD**2))

    start = np.array([2 * np.log(max(sigma, 0.05)), 0.0, 0.0])
    _, slope, bend = minimize(height, start).x
    return SigmaCurve(float(slope), float(bend))


def _units(logits: Array) -> Any:
    return (np.clip(logits, LEAST, MOST) - CENTER) / SCALE
