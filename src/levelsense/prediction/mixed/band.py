"""Bands of predictions, from the uncertainty of the coefficients, of sigma and of the level together.

Sigma's uncertainty is a grid with weights (`SigmaGrid`): each sigma has the best coefficients for it and
their covariance. A weight is the likelihood with the coefficients integrated out, times a weak prior.
Drawing the logarithm of sigma from its standard error would explode near 0 and stay too low with few
levels, where sigma is biased down; integrating the coefficients out corrects for their number, as dividing
by n - p does, and gives the band a Student-like tail.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, ndtri

from levelsense.errors import PredictionError
from levelsense.prediction.mixed.data import Scale
from levelsense.prediction.mixed.maximize import SIGMA_MOST, Objective, Summit, climb_beta
from levelsense.prediction.mixed.quadrature import Array

PRIOR_SCALE, PRIOR_FREEDOM = (
    1.0,
    3.0,
)  # a half-Student prior of sigma in logits; it matters with few levels only
GRID_STEP = 0.75  # of sigma's standard error
GRID_DROP = 9.0  # the grid ends where the log of the weight is this much below the highest
GRID_SIDE = 40  # points a side at most
ROWS_AT_ONCE = 256
GOLDEN = 0.6180339887498949  # its multiples, less their whole parts, are spread evenly over 0 to 1


@dataclass(frozen=True, eq=False)
class Band:
    """The ends, a row each, between which a rate lies with the chance `level`."""

    level: float
    low: Array
    high: Array


@dataclass(frozen=True, eq=False)
class Prediction:
    """Success rates to expect, a row a level.

    rate          the median of the true rate
    mean          its mean over such levels, nearer to 0.5 than the median
    bands         of the true rate, or of the one that will be observed, by their levels
    needed        attempts per success at the median, 1 / rate
    needed_bands  of the attempts per success, by their levels; infinite where the rate may be 0
    observed      True for bands of the rate that will be observed, False for those of the true rate
    """

    rate: Array
    mean: Array
    bands: dict[float, Band]
    needed: Array
    needed_bands: dict[float, Band]
    observed: bool


@dataclass(frozen=True, eq=False)
class SigmaGrid:
    """Sigmas with weights, and for each the coefficients of standardized columns with their covariance."""

    scale: Scale
    sigmas: Array
    weights: Array
    betas: Array
    covariances: Array

    def logits(self, columns: Array, variance: Array | float) -> tuple[Any, Any]:
        """Mean and standard deviation of the logits, a row a sigma and a column a level."""
        rows = self.scale.standardize(columns)
        spread = np.einsum("rp,gpq,rq->gr", rows, self.covariances, rows, optimize=True)
        return self.betas @ rows.T, np.sqrt(spread + self.sigmas[:, None] ** 2 + variance)


def sigma_grid(objective: Objective, summit: Summit) -> SigmaGrid:
    """The grid from the summit up and down in sigma until the weights are negligible."""
    error = float(max(summit.information[-1, -1], 1e-6)) ** -0.5
    unit = min(error, 1.0)  # sigma = unit sinh(x): even steps near 0, growing ones far from it
    top = float(np.arcsinh(summit.sigma / unit))
    step = min(GRID_STEP * error / float(np.hypot(summit.sigma, unit)), 0.5)
    if top > 0:
        step = top / max(round(top / step), 1)  # so that 0 is a point of the grid
    first = _point(objective, summit.beta, unit, top)
    below = _walk(objective, first, unit, -step)
    points = [*reversed(below), first, *_walk(objective, first, unit, step)]
    points = [point for point in points if np.isfinite(point[1])]
    if not points:
        raise PredictionError(
            "successes: too little to tell the coefficients by; expected more levels with attempts won and "
            "attempts lost, or a larger penalty"
        )
    places, logs = np.array([point[0] for point in points]), np.array([point[1] for point in points])
    weights = np.exp(logs - logs.max())
    weights[places < step / 2] /= 2  # 0 is the end of the range
    return SigmaGrid(
        objective.scale,
        unit * np.sinh(places),
        weights / weights.sum(),
        np.array([point[2] for point in points]),
        np.array([np.linalg.inv(point[3]) for point in points]),
    )


def _walk(
    objective: Objective, first: tuple[float, float, Any, Any], unit: float, step: float
) -> list[tuple[float, float, Any, Any]]:
    points, highest = [first], first[1]
    while len(points) <= GRID_SIDE and points[-1][1] > highest - GRID_DROP:
        place = points[-1][0] + step
        if place < -1e-9 or unit * np.sinh(place) > SIGMA_MOST:
            break
        points.append(_point(objective, points[-1][2], unit, max(place, 0.0)))
        highest = max(highest, points[-1][1])
    return points[1:]


def _point(objective: Objective, beta: Array, unit: float, place: float) -> tuple[float, float, Any, Any]:
    """A point of the grid: its place, the log of its weight, the best coefficients, their information."""
    sigma = unit * float(np.sinh(place))
    beta, height, information = climb_beta(objective, beta, sigma)
    prior = -(PRIOR_FREEDOM + 1) / 2 * np.log1p((sigma / PRIOR_SCALE) ** 2 / PRIOR_FREEDOM)
    sign, size = np.linalg.slogdet(information)
    # A summit that is numerically flat in some direction has no width to integrate over.
    integrated = height - size / 2 if sign > 0 else -np.inf
    return place, float(integrated + prior + np.log(np.cosh(place))), beta, information


def predict_bands(
    grid: SigmaGrid,
    columns: Array,
    variance: Array,
    attempts: Array | None,
    draws: int,
    seed: int,
    levels: tuple[float, ...],
) -> Prediction:
    """Quantiles of draws of each row's rate; `attempts` (or None) adds the noise of as many attempts."""
    shares = np.array([0.5, *((1 + side * level) / 2 for level in levels for side in (-1, 1))])
    which, normal = _spread_draws(grid.weights, draws, seed)
    quantiles, means = np.empty((len(shares), len(columns))), np.empty(len(columns))
    for start in range(0, len(columns), ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        center, spread = grid.logits(columns[part], variance[part])
        rates = expit(center.T[:, which] + spread.T[:, which] * normal)
        means[part] = rates.mean(axis=1)
        ends = rates if attempts is None else _observed(rates, attempts[part], seed)
        rates, ends = np.sort(rates, axis=1), np.sort(ends, axis=1)
        quantiles[:, part] = ends[:, _ranks(shares, draws)].T
        quantiles[0, part] = rates[:, _ranks(shares[:1], draws)[0]]
    return _prediction(quantiles, means, levels, attempts is not None)


def _prediction(quantiles: Array, means: Array, levels: tuple[float, ...], observed: bool) -> Prediction:
    with np.errstate(divide="ignore"):
        needed = 1 / quantiles
    pairs = [(level, 1 + 2 * index, 2 + 2 * index) for index, level in enumerate(levels)]
    return Prediction(
        quantiles[0],
        means,
        {level: Band(level, quantiles[low], quantiles[high]) for level, low, high in pairs},
        needed[0],
        {level: Band(level, needed[high], needed[low]) for level, low, high in pairs},
        observed,
    )


def _spread_draws(weights: Array, draws: int, seed: int) -> tuple[Any, Any]:
    """The index of the sigma and the normal deviate of each draw: points spread evenly over a square.

    All rows share them, so that a prediction does not depend on the rows beside it and moves smoothly with
    its columns. The seed shifts the points.
    """
    shift = np.random.default_rng(seed).random(2)
    count = np.arange(draws)
    which = np.searchsorted(np.cumsum(weights)[:-1], (shift[0] + count * GOLDEN) % 1, side="right")
    return which, ndtri(np.clip((shift[1] + count) / draws, 1e-9, 1 - 1e-9))


def _observed(rates: Array, attempts: Array, seed: int) -> Any:
    """Observed rates in so many attempts; rows share the generator's seed, as they do in `_spread_draws`."""
    return np.array(
        [
            np.random.default_rng((seed, 1)).binomial(int(n), row) / n
            for n, row in zip(attempts, rates, strict=True)
        ]
    )


def _ranks(shares: Array, draws: int) -> Any:
    """The indices of quantiles among sorted draws, rounded outwards: a band holds its level of them."""
    low = np.floor(shares * draws)
    return np.clip(np.where(shares > 0.5, np.ceil(shares * draws) - 1, low), 0, draws - 1).astype(int)
