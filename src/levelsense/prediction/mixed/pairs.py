"""The difference of two rates by the same fit: most of what is not known of one is not known of the other.

The coefficients are the same for both, so that only the difference of the columns is multiplied by their
error. Of kappa, what the columns do not tell, two levels share so much as `shared` says: 1 where they are the
same level, 0 where they have nothing to do with each other.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, ndtri

from levelsense.prediction.mixed.band import SigmaGrid
from levelsense.prediction.mixed.quadrature import Array

DRAWS = 4000
# Multiples of these, less their whole parts, are spread evenly over a cube (Roberts' sequence R3).
STEPS = np.array([0.8191725133961645, 0.6710436067037893, 0.5497004779019703])


@dataclass(frozen=True)
class RateDifference:
    """The second rate minus the first, with the ends of its band, and the same in logits.

    logit        the difference of the logits
    variance     of that, from coefficients and kappa; the known variance left out
    """

    value: float
    low: float
    high: float
    logit: float
    variance: float


def predict_difference(
    grid: SigmaGrid,
    columns: Array,
    covariance: Array,
    shared: float,
    level: float,
    stretch: Array | float = 1.0,
) -> RateDifference:
    """The second row of columns minus the first; `covariance` (2 x 2) is a known one of their logits.

    `stretch` is by what sigma is multiplied at each of them.
    """
    rows = grid.scale.standardize(columns)
    means = grid.betas @ rows.T
    stretched = np.broadcast_to(stretch, 2)
    of_kappa = np.array([[1.0, shared], [shared, 1.0]]) * np.outer(stretched, stretched)
    of_model = np.einsum("rp,gpq,sq->grs", rows, grid.covariances, rows, optimize=True)
    of_model = of_model + (grid.sigmas**2)[:, None, None] * of_kappa
    points = (0.5 + np.arange(1, DRAWS + 1)[:, None] * STEPS) % 1
    which = np.searchsorted(np.cumsum(grid.weights)[:-1], points[:, 0], side="right")
    normal = ndtri(np.clip(points[:, 1:], 1e-9, 1 - 1e-9))
    roots = np.array([_root(matrix) for matrix in of_model + covariance])
    logits = means[which] + np.einsum("drs,ds->dr", roots[which], normal)
    differences = np.diff(expit(logits), axis=1)[:, 0]
    low, high = np.quantile(differences, [(1 - level) / 2, (1 + level) / 2])
    medians = expit(np.median(logits, axis=0))
    sides = np.array([-1.0, 1.0])
    return RateDifference(
        float(medians[1] - medians[0]),
        float(low),
        float(high),
        float(grid.weights @ (means @ sides)),
        float(grid.weights @ np.einsum("r,grs,s->g", sides, of_model, sides)),
    )


def _root(matrix: Array) -> Array:
    """A lower triangular root of a 2 x 2 covariance; of one that is singular, too."""
    first = np.sqrt(max(matrix[0, 0], 0.0))
    below = matrix[1, 0] / first if first else 0.0
    return np.array([[first, 0.0], [below, np.sqrt(max(matrix[1, 1] - below**2, 0.0))]])
