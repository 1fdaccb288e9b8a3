"""By what the variance of predictions is to be multiplied, so that it is as large as their errors were."""

from typing import Final

import numpy as np
from scipy.optimize import minimize_scalar

from levelsense.prediction.mixed.quadrature import Array

PRIOR_SPREAD: Final = 0.3  # of the logarithm of the factor, which is 1 if nothing speaks for another value
MOST: Final = 3.0  # of its absolute value


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
        return float(likelihood + log_factor**2 / (2 * PRIOR_SPREAD**2))

    return float(np.exp(minimize_scalar(unlikely, bounds=(-MOST, MOST), method="bounded").x))
