"""Bands of predictions, from the uncertainty of the coefficients, of sigma and of the level together.

Sigma's uncertainty is a grid with weights (`SigmaGrid`): each sigma has the best coefficients for it and
their covariance. A weight is the likelihood with the coefficients integrated out, times a weak prior.
Drawing the logarithm of sigma from its standard error would explode near 0 and stay too low with few
levels, where sigma is biased down; integrating the coefficients out corrects for their number, as dividing
by n - p does, and gives the band a Student-like tail.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, ndtri

from levelsense.errors import PredictionError
from levelsense.prediction.mixed.data import Scale
from levelsense.prediction.mixed.maximize import SIGMA_MOST, Objective, Summit, climb_beta
from levelsense.prediction.mixed.prior import SigmaPrior
from levelsense.prediction.mixed.quadrature import Array

GRID_STEP = 0.75  # of sigma's standard error
GRID_DROP = 9.0  # the grid ends where the log of the weight is this much below the highest
GRID_SIDE = 40  # points a side at most
WEIGHT_LEAST = 1e-3  # of a point of several grids together
MOST_ALIKE = 0.95  # correlation of attempts, at which they say next to nothing beside the first
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
    """Sigmas with weights, and for each the coefficients of standardized columns with their covariance.

    walks  the size of a random walk that goes with each sigma; 0 without a walk
    """

    scale: Scale
    sigmas: Array
    weights: Array
    betas: Array
    covariances: Array
    walks: Array

    def logits(
        self,
        columns: Array,
        variance: Array | float,
        ahead: Array | float = 0.0,
        stretch: Array | float = 1.0,
    ) -> tuple[Any, Any]:
        """Mean and standard deviation of the logits, a row a sigma and a column a level.

        `ahead` is how far each level is beyond the end of a walk, `stretch` by what its sigma is multiplied.
        """
        rows = self.scale.standardize(columns)
        spread = np.einsum("rp,gpq,rq->gr", rows, self.covariances, rows, optimize=True)
        walked = self.walks[:, None] ** 2 * ahead
        level_variance = (self.sigmas[:, None] * stretch) ** 2
        return self.betas @ rows.T, np.sqrt(spread + level_variance + walked + variance)

    def shared_variance(self, columns: Array, weights: Array) -> float:
        """The variance of a weighted sum of the logits of rows that comes from the coefficients."""
        row = weights @ self.scale.standardize(columns)
        means = self.betas @ row
        spread = np.einsum("p,gpq,q->g", row, self.covariances, row)
        return float(self.weights @ (spread + (means - self.weights @ means) ** 2))


@dataclass(frozen=True, eq=False)
class GridPart:
    """A grid of sigma at one size of a walk, with the logarithms of the weights, up to a constant."""

    sigmas: Array
    logs: Array
    betas: Array
    covariances: Array
    walk: float


def join_grids(scale: Scale, parts: Sequence[GridPart]) -> SigmaGrid:
    """The grids of all sizes of a walk as one; points of negligible weight are left out."""
    logs = np.concatenate([part.logs for part in parts])
    weights = np.exp(logs - logs.max())
    # Of a single grid every point counts: its ends were chosen for it.
    kept = weights >= (WEIGHT_LEAST * weights.sum() if len(parts) > 1 else 0.0)
    weights = np.where(kept, weights, 0.0)

    def joined(arrays: Sequence[Array]) -> Any:
        return np.concatenate(arrays)[kept]

    return SigmaGrid(
        scale,
        joined([part.sigmas for part in parts]),
        weights[kept] / weights.sum(),
        joined([part.betas for part in parts]),
        joined([part.covariances for part in parts]),
        joined([np.full(len(part.sigmas), part.walk) for part in parts]),
    )


def sigma_grid(
    objective: Objective, summit: Summit, prior: SigmaPrior, walk: float = 0.0, log_prior: float = 0.0
) -> GridPart:
    """The grid from the summit up and down in sigma until the weights are negligible.

    `log_prior` belongs to the whole grid: the normalization of the coefficients' prior, and that of the walk.
    """
    peak, error = prior.start(summit.sigma, float(max(summit.information[-1, -1], 1e-6)) ** -0.5)
    unit = min(error, 1.0)  # sigma = unit sinh(x): even steps near 0, growing ones far from it
    top = float(np.arcsinh(peak / unit))
    step = min(GRID_STEP * error / float(np.hypot(peak, unit)), 0.5)
    if top > 0:
        step = top / max(round(top / step), 1)  # so that 0 is a point of the grid

    def point(beta: Array, place: float) -> _Point:
        return _point(objective, prior, beta, unit, place)

    first = point(summit.beta, top)
    below = _go(point, first, unit, -step)
    points = [*reversed(below), first, *_go(point, first, unit, step)]
    points = [point for point in points if np.isfinite(point[1])]
    if not points:
        raise PredictionError(
            "successes: too little to tell the coefficients by; expected more levels with attempts won and "
            "attempts lost, or a larger penalty"
        )
    places, logs = np.array([point[0] for point in points]), np.array([point[1] for point in points])
    logs[places < step / 2] -= np.log(2)  # 0 is the end of the range
    return GridPart(
        unit * np.sinh(places),
        logs + np.log(step) + log_prior,
        np.array([point[2] for point in points]),
        np.array([np.linalg.inv(point[3]) for point in points]),
        walk,
    )


_Point = tuple[float, float, Any, Any]


def _go(point: Callable[[Array, float], _Point], first: _Point, unit: float, step: float) -> list[_Point]:
    """The points of the grid on one side of the first."""
    points, highest = [first], first[1]
    while len(points) <= GRID_SIDE and points[-1][1] > highest - GRID_DROP:
        place = points[-1][0] + step
        if place < -1e-9 or unit * np.sinh(place) > SIGMA_MOST:
            break
        points.append(point(points[-1][2], max(place, 0.0)))
        highest = max(highest, points[-1][1])
    return points[1:]


def _point(objective: Objective, prior: SigmaPrior, beta: Array, unit: float, place: float) -> _Point:
    """A point of the grid: its place, the log of its weight, the best coefficients, their information."""
    sigma = unit * float(np.sinh(place))
    beta, height, information = climb_beta(objective, beta, sigma)
    sign, size = np.linalg.slogdet(information)
    # A summit that is numerically flat in some direction has no width to integrate over.
    integrated = height - size / 2 if sign > 0 else -np.inf
    log_weight = integrated + prior.log_density(sigma) + np.log(unit * np.cosh(place))
    return place, float(log_weight), beta, information


def predict_bands(
    grid: SigmaGrid,
    columns: Array,
    variance: Array,
    ahead: Array,
    stretch: Array,
    attempts: tuple[Array, Array] | None,
    draws: int,
    seed: int,
    levels: tuple[float, ...],
) -> Prediction:
    """Quantiles of draws of each row's rate.

    `attempts` (or None) adds the noise of as many attempts, of which so many say as much as an independent
    one: two arrays.
    """
    shares = np.array([0.5, *((1 + side * level) / 2 for level in levels for side in (-1, 1))])
    which, normal = _spread_draws(grid.weights, draws, seed)
    quantiles, means = np.empty((len(shares), len(columns))), np.empty(len(columns))
    for start in range(0, len(columns), ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        center, spread = grid.logits(columns[part], variance[part], ahead[part], stretch[part])
        rates = expit(center.T[:, which] + spread.T[:, which] * normal)
        means[part] = rates.mean(axis=1)
        ends = rates if attempts is None else _observed(rates, attempts[0][part], attempts[1][part], seed)
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


def _observed(rates: Array, attempts: Array, effects: Array, seed: int) -> Any:
    """Observed rates in so many attempts; rows share the generator's seed, as they do in `_spread_draws`.

    With a design effect above 1 a row's rate in these attempts is drawn first, so that the variance of the
    observed rate is as many times the binomial's (a beta-binomial distribution).
    """
    observed = np.empty_like(rates)
    for row, (n, effect) in enumerate(zip(attempts, effects, strict=True)):
        generator = np.random.default_rng((seed, 1))
        shown = rates[row]
        alike = min((effect - 1) / (n - 1), MOST_ALIKE) if n > 1 else 0.0
        if alike > 0:
            certain = np.clip(rates[row], 1e-12, 1 - 1e-12) * (1 / alike - 1), 1 / alike - 1
            shown = generator.beta(certain[0], np.maximum(certain[1] - certain[0], 1e-12))
        observed[row] = generator.binomial(int(n), shown) / n
    return observed


def _ranks(shares: Array, draws: int) -> Any:
    """The indices of quantiles among sorted draws, rounded outwards: a band holds its level of them."""
    low = np.floor(shares * draws)
    return np.clip(np.where(shares > 0.5, np.ceil(shares * draws) - 1, low), 0, draws - 1).astype(int)
