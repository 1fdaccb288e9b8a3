"""By what the variance of predictions is to be multiplied, so that it is as large as their errors were."""

from typing import Final

import numpy as np
from scipy.optimize import minimize_scalar

from levelsense.prediction.mixed.quadrature import Array

PRIOR_SPREAD: Final = 0.3  # of the logarithm of the factor, which is 1 if nothing speaks for another value
MOST: Final = 3.0  # of its absolute value


def variance_factor(errors: Array, own: Array, known: Array) -> float:
    """The likeliest factor on `own`, where errors are normal with the variance factor * own + known.

    `own` is the variance that predictions had by their model, `known` one that it does not answer for, such
    as that of the counts that they are judged by. Few errors, or errors that are mostly of the known
    variance, leave the factor near 1.
    """

    def unlikely(log_factor: float) -> float:
        variance = np.exp(log_factor) * own + known
        likelihood = np.sum(np.log(variance) + errors**2 / variance) / 2
        return float(likelihood + log_factor**2 / (2 * PRIOR_SPREAD**2))

    return float(np.exp(minimize_scalar(unlikely, bounds=(-MOST, MOST), method="bounded").x))
