"""Success rates by level: a binomial regression with a random effect a level (docs/prediction.md)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import roots_genlaguerre, roots_hermitenorm

from levelsense.errors import PredictionError
from levelsense.prediction.mixed.band import (
    GRID_DROP,
    GridPart,
    Prediction,
    SigmaGrid,
    join_grids,
    predict_bands,
    sigma_grid,
)
from levelsense.prediction.mixed.data import (
    Design,
    Scale,
    attempts_of,
    check_finite,
    design_effect_of,
    fit_design,
    stretch_of,
    times_of,
    variance_of,
    with_intercept,
)
from levelsense.prediction.mixed.fit_data import NODES_MOST, FitData, grid_data, matrix_data
from levelsense.prediction.mixed.maximize import Objective, Summit, maximize
from levelsense.prediction.mixed.pairs import RateDifference, predict_difference
from levelsense.prediction.mixed.prior import Prior, SigmaPrior, ridge_precision
from levelsense.prediction.mixed.quadrature import Array
from levelsense.prediction.mixed.walk import Walk

DRAWS_LEAST = 100
SCALES, SIGMAS = 12, 5  # nodes of Gaussian quadratures: of another origin's departure, and of its sigma


class MixedBinomial:
    """k ~ Binomial(n, p), logit p = b0 + x b + kappa, kappa ~ N(0, sigma^2 + variance), one kappa a level.

    Maximum likelihood by adaptive Gauss-Hermite quadrature with `nodes` nodes (1 is Laplace's approximation).
    `penalty` is a ridge on the coefficients of the columns as given, never on the intercept: it maximizes
    loglik - penalty / 2 * sum(b_j^2), so standardize columns first. With a penalty, standard errors are those
    of the penalized fit: how far data and penalty together pin the estimate, not how it would scatter.
    With a `prior` the penalty is on how far coefficients are from those of the prior.

    coef_, se_       coefficients and standard errors, the intercept first
    sigma_           standard deviation of kappa; 0.0 where the likelihood is highest there
    sigma_se_log_    standard error of log sigma; infinite where sigma is 0
    covariance_      of (coefficients, log sigma) together
    loglik_          log-likelihood, binomial coefficients included and the penalty left out
    converged_       whether the climb ended on a summit
    n_levels_        how many levels it was fitted to
    walk_            the random walk of the intercept over time (walk.py); None without times

    Of new levels drawn from the model, 95.9, 94.8 and 94.6 % have their true rate in the 95 % band after fits
    to 10, 40 and 800 levels with four columns, and 96.3, 95.6 and 95.3 % their observed rate
    (`levelsense study band-coverage`).
    """

    coef_: Array
    se_: Array
    sigma_: float
    sigma_se_log_: float
    covariance_: Array
    loglik_: float
    converged_: bool
    n_levels_: int
    walk_: Walk | None

    def __init__(self, nodes: int = 15, penalty: float = 0.0, prior: Prior | None = None) -> None:
        whole = isinstance(nodes, int | np.integer) and not isinstance(nodes, bool)
        if not (whole and 1 <= nodes <= NODES_MOST):
            raise PredictionError(f"nodes: {nodes}; expected a whole number from 1 to {NODES_MOST}")
        number = isinstance(penalty, int | float | np.number) and not isinstance(penalty, bool)
        if not (number and np.isfinite(penalty) and penalty >= 0):
            raise PredictionError(f"penalty: {penalty}; expected a number of at least 0")
        if prior is not None and penalty == 0:
            raise PredictionError("penalty: 0; expected a number above 0 beside a prior")
        self.nodes, self.penalty, self.prior = int(nodes), float(penalty), prior
        self._grid: SigmaGrid | None = None
        self._make_grid: Callable[[], SigmaGrid] | None = None  # it takes time, and not every fit needs it

    def __repr__(self) -> str:
        return f"MixedBinomial(nodes={self.nodes}, penalty={self.penalty:g})"

    def fit(
        self,
        X: ArrayLike,  # noqa: N803
        successes: ArrayLike,
        attempts: ArrayLike,
        variance: ArrayLike | None = None,
        start: "MixedBinomial | None" = None,
        *,
        design_effect: ArrayLike | None = None,
        time: ArrayLike | None = None,
        stretch: ArrayLike | None = None,
    ) -> Self:
        """Fits to levels, one a row; `start` is a fit of the same columns to start from, to save time.

        `variance` is a known extra variance of each row's logit, such as the sampling error of a column.
        `design_effect` is how many attempts of a row say as much as an independent one: attempts of one
        player are alike. With `time`, a number a row, the intercept may drift over it (walk.py). `stretch` is
        by what sigma is multiplied at a row (calibration.py).
        """
        design = fit_design(X, successes, attempts, variance, design_effect, stretch)
        check_finite(design, self.penalty > 0)
        self.n_levels_ = len(design)
        times = None if time is None else times_of(time, len(design))
        self.walk_ = None if times is None else Walk.over(times)
        if self.walk_ is not None and times is not None:
            columns = np.column_stack([design.columns, self.walk_.columns(times)])
            self._fit_walk(replace(design, columns=columns), self.walk_, start)
            return self
        objective = self.objective(design)
        summit = maximize(objective, start._start(objective) if start else None)
        self._read(objective.scale, summit, len(summit.beta))
        prior = self._sigma_prior
        self._grid = None
        self._make_grid = lambda: join_grids(objective.scale, [sigma_grid(objective, summit, prior)])
        return self

    @property
    def walk_size_(self) -> float:
        """What a walk changes over the time of the fit, a standard deviation in logits; 0 without one."""
        grid = self._fitted()
        return float(np.sqrt(grid.weights @ grid.walks**2))

    @property
    def _sigma_prior(self) -> SigmaPrior:
        return SigmaPrior() if self.prior is None else self.prior.sigma

    def objective(self, design: Design, walk: Walk | None = None, size: float = 0.0) -> Objective:
        """What a fit to rows climbs; with a walk of a size, whose columns are the last of the rows."""
        count = design.columns.shape[1] - (walk.width if walk else 0)
        mean = np.zeros(design.columns.shape[1])
        if self.prior is None:
            precision = ridge_precision(self.penalty, count)
        else:
            if len(self.prior.mean) != count:
                raise PredictionError(
                    f"prior: {len(self.prior.mean)} coefficients; expected {count}, one a column of X"
                )
            precision, mean[:count] = self.prior.precision(self.penalty), self.prior.mean
        if walk is None:
            return Objective(design, self.nodes, precision, mean)
        whole = np.diag(np.concatenate([np.zeros(count), 1 / walk.variances(size)]))
        whole[:count, :count] = precision
        return Objective(design, self.nodes, whole, mean)

    def _fit_walk(self, design: Design, walk: Walk, start: "MixedBinomial | None") -> None:
        """Fits with walks of several sizes, and weighs these by their likelihood."""
        climbed, place = [], None
        for size in walk.sizes:
            objective = self.objective(design, walk, size)
            if place is None and start is not None:
                place = start._start(objective, walk.width)
            summit = maximize(objective, place)
            place = summit.beta, summit.sigma
            log_prior = walk.log_prior(size)
            height = objective.slopes(summit.beta, summit.sigma)[1]
            integrated = height - np.linalg.slogdet(summit.information[:-1, :-1])[1] / 2 + log_prior
            climbed.append((integrated, size, objective, summit, log_prior))
        highest, _, objective, best, _ = max(climbed, key=lambda entry: entry[0])
        self._read(objective.scale, best, design.columns.shape[1] - walk.width)
        prior, scale = self._sigma_prior, objective.scale
        likely = [entry for entry in climbed if entry[0] > highest - GRID_DROP]

        def make_grid() -> SigmaGrid:
            parts: list[GridPart] = [
                sigma_grid(objective, summit, prior, size, log_prior)
                for _, size, objective, summit, log_prior in likely
            ]
            return join_grids(scale, parts)

        self._grid, self._make_grid = None, make_grid

    def predict(
        self,
        X: ArrayLike,  # noqa: N803
        attempts: ArrayLike | None = None,
        variance: ArrayLike | None = None,
        draws: int = 4000,
        seed: int = 0,
        levels: Sequence[float] | float = (0.5, 0.95),
        *,
        design_effect: ArrayLike | None = None,
        time: ArrayLike | None = None,
        stretch: ArrayLike | None = None,
    ) -> Prediction:
        """Rates of new levels with bands: of the true rates, or with `attempts` of those observed.

        `time` is that of each row if the fit had times; the end of the fit if left out.
        """
        columns = self._columns(X)
        if draws < DRAWS_LEAST:
            raise PredictionError(f"draws: {draws}; expected at least {DRAWS_LEAST}")
        chances = (levels,) if isinstance(levels, int | float) else tuple(levels)
        for level in chances:
            if not 0 < level < 1:
                raise PredictionError(f"levels: {level}; expected chances between 0 and 1")
        if seed < 0:
            raise PredictionError(f"seed: {seed}; expected a whole number of at least 0")
        rows = len(columns)
        counts = None
        if attempts is not None:
            counts = attempts_of(attempts, rows), design_effect_of(design_effect, rows)
        columns, ahead = self._at_times(columns, time)
        return predict_bands(
            self._fitted(),
            columns,
            variance_of(variance, rows),
            ahead,
            stretch_of(stretch, rows),
            counts,
            draws,
            seed,
            chances,
        )

    def expected_logits(
        self,
        X: ArrayLike,  # noqa: N803
        *,
        time: ArrayLike | None = None,
        stretch: ArrayLike | None = None,
    ) -> tuple[Any, Any]:
        """Mean and variance of the true logits of new rows, by all that the fit does not know of them."""
        columns, ahead = self._at_times(self._columns(X), time)
        grid = self._fitted()
        centers, spreads = grid.logits(columns, 0.0, ahead, stretch_of(stretch, len(columns)))
        means = grid.weights @ centers
        return means, grid.weights @ (spreads**2 + (centers - means) ** 2)

    def _at_times(self, columns: Array, time: ArrayLike | None) -> tuple[Array, Array]:
        """The columns with those of the walk at some times, and how far these are beyond its end."""
        if self.walk_ is None:
            return columns, np.zeros(len(columns))
        times = times_of(self.walk_.end if time is None else time, len(columns))
        return np.column_stack([columns, self.walk_.columns(times)]), self.walk_.ahead(times)

    def shared_error(self, X: ArrayLike, weights: ArrayLike) -> float:  # noqa: N803
        """The standard deviation of a weighted sum of logits that comes from the coefficients.

        They move all levels at once: their part does not average away over levels, as that of kappa does. All
        levels are at the end of a walk.
        """
        columns = self._columns(X)
        if self.walk_ is not None:
            at_end = np.full(len(columns), self.walk_.end)
            columns = np.column_stack([columns, self.walk_.columns(at_end)])
        return float(np.sqrt(self._fitted().shared_variance(columns, np.asarray(weights, float))))

    def walked(self, time: ArrayLike) -> Any:
        """How much higher the intercept is expected at some times than at the end of the fit."""
        times = np.asarray(time, float)
        if self.walk_ is None:
            return np.zeros(len(times))
        grid, width = self._fitted(), self.walk_.width
        columns = self.walk_.columns(times) / grid.scale.spread[-width:]
        return columns @ (grid.weights @ grid.betas[:, -width:])

    def drift(self, time: float) -> tuple[float, float]:
        """How much higher the intercept is at the end of the fit than at a time: mean and standard deviation.

        Both are 0 without a walk.
        """
        if self.walk_ is None:
            return 0.0, 0.0
        grid, width = self._fitted(), self.walk_.width
        row = -self.walk_.columns(np.array([time]))[0] / grid.scale.spread[-width:]
        means = grid.betas[:, -width:] @ row
        variances = np.einsum("p,gpq,q->g", row, grid.covariances[:, -width:, -width:], row)
        mean = float(grid.weights @ means)
        return mean, float(np.sqrt(grid.weights @ (variances + (means - mean) ** 2)))

    def for_unknown(self, prior: Prior, freedom: float) -> "MixedBinomial":
        """The fit for counts of another origin, whose coefficients and sigma depart as the prior says.

        `freedom` is how many origins the prior was estimated from, less one: with few of them its covariance
        is unsure, and the bands have Student's tails.
        """
        grid, model = self._fitted(), self._copy()
        middle = int(np.argmax(grid.weights))
        back = np.linalg.inv(grid.scale.to_units())
        shared = back @ prior.shared @ back.T
        # A variance estimated with so much freedom: freedom / chi-square, where half a chi-square is a gamma.
        halves, of_scales = roots_genlaguerre(SCALES, freedom / 2 - 1)
        scales = freedom / (2 * halves)
        deviates, of_sigmas = roots_hermitenorm(SIGMAS)
        sigmas = np.full(SIGMAS, grid.sigmas[middle])
        if prior.sigma.middle is not None:
            sigmas = prior.sigma.middle * np.exp(prior.sigma.spread * deviates)
        weights = np.outer(of_sigmas / of_sigmas.sum(), of_scales / of_scales.sum()).ravel()
        model._grid = SigmaGrid(
            grid.scale,
            np.repeat(sigmas, SCALES),
            weights,
            np.tile(grid.betas[middle], (len(weights), 1)),
            grid.covariances[middle] + np.tile(scales, SIGMAS)[:, None, None] * shared,
            np.zeros(len(weights)),
        )
        return model

    def shifted(self, offset: float, error: float) -> "MixedBinomial":
        """The fit with another intercept, higher by an offset that is known with a standard error."""
        grid, model = self._fitted(), self._copy()
        betas, covariances = grid.betas.copy(), grid.covariances.copy()
        betas[:, 0] += offset
        covariances[:, 0, 0] += error**2
        model._grid = replace(grid, betas=betas, covariances=covariances)
        model.coef_, model.covariance_ = self.coef_.copy(), self.covariance_.copy()
        model.coef_[0] += offset
        model.covariance_[0, 0] += error**2
        model._read_errors()
        return model

    def rescaled(self, factor: float) -> "MixedBinomial":
        """The fit with the variance of all that it does not know multiplied by a factor."""
        grid, model = self._fitted(), self._copy()
        root = float(np.sqrt(factor))
        model._grid = replace(
            grid, sigmas=root * grid.sigmas, covariances=factor * grid.covariances, walks=root * grid.walks
        )
        scale = np.full(len(self.covariance_), root)
        scale[-1] = 1.0  # of the logarithm of sigma
        model.sigma_, model.covariance_ = root * self.sigma_, self.covariance_ * np.outer(scale, scale)
        model._read_errors()
        return model

    def predict_difference(
        self,
        X: ArrayLike,  # noqa: N803
        covariance: ArrayLike,
        shared: float,
        level: float = 0.95,
        stretch: ArrayLike | None = None,
    ) -> RateDifference:
        """The rate of the second row minus that of the first, with a band.

        `covariance` (2 x 2) is a known one of the rows' logits, such as the sampling error of their columns;
        `shared` how far kappa is the same for both, from 0 to 1. Both are at the end of a walk.
        """
        columns = self._columns(X)
        if self.walk_ is not None:
            columns = np.column_stack([columns, self.walk_.columns(np.full(2, self.walk_.end))])
        factors = stretch_of(stretch, 2)
        return predict_difference(self._fitted(), columns, np.asarray(covariance), shared, level, factors)

    def sigma_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Where sigma lies with the chance `level`, by the grid that the bands are made of."""
        grid = self._fitted()
        shares = np.cumsum(grid.weights) - grid.weights / 2
        low, high = np.interp([(1 - level) / 2, (1 + level) / 2], shares, grid.sigmas)
        return float(low), float(high)

    def as_data(self) -> dict[str, Any]:
        """The fit as plain lists and numbers for a JSON file."""
        grid = self._fitted()
        return {
            "nodes": self.nodes,
            "penalty": self.penalty,
            "levels": self.n_levels_,
            "coefficients": self.coef_.tolist(),
            "sigma": self.sigma_,
            "covariance": matrix_data(self.covariance_),
            "loglik": self.loglik_,
            "converged": self.converged_,
            "center": grid.scale.center.tolist(),
            "spread": grid.scale.spread.tolist(),
            "walk": None if self.walk_ is None else self.walk_.knots.tolist(),
            "grid": grid_data(grid),
        }

    @classmethod
    def from_data(cls, data: Any) -> "MixedBinomial":
        """The fit that `as_data` wrote; ValueError if the data cannot be one."""
        fit = FitData.model_validate(data)
        model = cls(fit.nodes, fit.penalty)
        model.coef_, model.sigma_ = np.array(fit.coefficients), fit.sigma
        model.covariance_ = np.array(fit.covariance, float)
        if fit.sigma == 0:
            model.covariance_[-1, -1] = np.inf
        model._read_errors()
        model.loglik_, model.converged_, model.n_levels_ = fit.loglik, fit.converged, fit.levels
        model._grid = fit.sigma_grid()
        model.walk_ = None if fit.walk is None else Walk(np.array(fit.walk), fit.levels)
        return model

    def _read(self, scale: Scale, summit: Summit, count: int) -> None:
        """Sets the estimates from a summit: the first coefficients, in the units of the columns as given."""
        units, all_of_them = scale.to_units(), len(summit.beta)
        self.coef_, self.sigma_ = (units @ summit.beta)[:count], summit.sigma
        if summit.sigma > 0:
            full = np.eye(all_of_them + 1)
            full[:-1, :-1], full[-1, -1] = units, 1 / summit.sigma
            covariance = full @ np.linalg.inv(summit.information) @ full.T
        else:
            covariance = np.zeros((all_of_them + 1, all_of_them + 1))
            covariance[:-1, :-1] = units @ np.linalg.inv(summit.information[:-1, :-1]) @ units.T
            covariance[-1, -1] = np.inf
        kept = [*range(count), all_of_them]
        self.covariance_ = covariance[np.ix_(kept, kept)]
        self._read_errors()
        self.loglik_, self.converged_ = summit.loglik, summit.converged

    def _copy(self) -> "MixedBinomial":
        """The same fit, to be changed; both share their arrays."""
        model = MixedBinomial()
        model.__dict__.update(self.__dict__)
        return model

    def _read_errors(self) -> None:
        errors = np.sqrt(np.diag(self.covariance_))
        self.se_, self.sigma_se_log_ = errors[:-1], float(errors[-1])

    def _start(self, objective: Objective, walked: int = 0) -> tuple[Any, float]:
        self._check_fitted()
        expected = objective.columns.shape[1]
        # The coefficients of a walk start from 0.
        coefficients = np.concatenate([self.coef_, np.zeros(walked)])
        if len(coefficients) != expected:
            raise PredictionError(
                f"start: {len(coefficients)} coefficients; expected {expected}, one a column of X"
            )
        return np.linalg.solve(objective.scale.to_units(), coefficients), self.sigma_

    def _columns(self, X: ArrayLike) -> Any:  # noqa: N803
        self._check_fitted()
        columns = with_intercept(X)
        if columns.shape[1] != len(self.coef_):
            expected = len(self.coef_) - 1
            raise PredictionError(f"X: {columns.shape[1] - 1} columns; expected {expected}, as in the fit")
        return columns

    def _fitted(self) -> SigmaGrid:
        if self._grid is None and self._make_grid is not None:
            self._grid, self._make_grid = self._make_grid(), None
        self._check_fitted()
        assert self._grid is not None
        return self._grid

    def _check_fitted(self) -> None:
        if self._grid is None and self._make_grid is None:
            raise PredictionError("the model is not fitted yet; expected a call of fit before")
