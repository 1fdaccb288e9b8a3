"""The highest point of the log-likelihood, by Newton's method in (coefficients, sigma).

Columns are standardized here, whatever their units. Sigma itself is the coordinate, not its logarithm: the
likelihood is the same for sigma and -sigma, so that a best value of 0 is an ordinary summit, found as fast
as any other.
"""

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from levelsense.errors import PredictionError
from levelsense.prediction.mixed.data import Design, Scale
from levelsense.prediction.mixed.quadrature import Array, LevelLikelihood

STEPS = 100
BETA_STEPS = 25
HALVINGS = 20  # of a step that leads down, before there is none better
TOLERANCE = 1e-12  # of twice the rise that the next step promises: 1e-6 of a standard error
SIGMA_START = 0.05  # the least to start from, for at 0 the slope is 0 even where the likelihood rises
SIGMA_MOST = 30.0  # in logits; a sigma on its way there has no finite best value
ZERO_SIGMA = 1e-4  # of sigma's standard error: less than this is 0


@dataclass(frozen=True, eq=False)
class Summit:
    """The best standardized coefficients and sigma; `information` is minus the second derivatives there."""

    beta: Array
    sigma: float
    loglik: float
    information: Array
    converged: bool


class Objective:
    """Log-likelihood less the penalty, as a function of standardized coefficients and sigma.

    The penalty is half of the squared distance from `mean` by `precision`, a matrix, both of the coefficients
    of columns as given: a normal prior.
    """

    def __init__(self, design: Design, nodes: int, precision: Array, mean: Array | None = None) -> None:
        self.scale = Scale.of(design.columns)
        self.columns = self.scale.standardize(design.columns)
        self.variance, self.stretch = design.variance, design.stretch
        units = self.scale.to_units()
        self.ridge = units.T @ precision @ units
        self.mean = np.zeros(len(units)) if mean is None else np.linalg.solve(units, mean)
        self.levels = LevelLikelihood(design.successes, design.attempts, nodes)
        self.rounding = 1e-10 + 1e-13 * float(
            design.attempts.sum()
        )  # of the objective: a smaller fall is ignored

    def start(self) -> tuple[Any, float]:
        """Least squares on the observed logits, weighted by their sampling error and a spread of levels."""
        y, noise = self.levels.logit, self.levels.logit_variance + self.variance
        spread = 0.5**2
        for _ in range(3):
            weight = 1 / (noise + spread)
            gram = self.columns.T @ (self.columns * weight[:, None]) + self.ridge
            gram += 1e-9 * np.eye(len(gram))
            beta = np.linalg.solve(gram, self.columns.T @ (weight * y) + self.ridge @ self.mean)
            residual = y - self.columns @ beta
            spread = max(float(np.sum(weight * (residual**2 - noise)) / np.sum(weight)), SIGMA_START**2)
        return beta, float(np.sqrt(spread))

    def slopes(self, beta: Array, sigma: float) -> tuple[float, float, Any]:
        """Log-likelihood, objective, and the objective's gradient."""
        tau, tau_sigma, _ = self._tau(sigma)
        slopes = self.levels.slopes(self.columns @ beta, tau)
        loglik = float(slopes.value.sum())
        pull = self.ridge @ (beta - self.mean)
        gradient = np.append(self.columns.T @ slopes.eta - pull, slopes.tau @ tau_sigma)
        return loglik, loglik - float(pull @ (beta - self.mean)) / 2, gradient

    def information(self, beta: Array, sigma: float) -> Any:
        """Minus the second derivatives of the objective by (beta, sigma)."""
        eta = self.columns @ beta
        tau, tau_sigma, tau_sigma_sigma = self._tau(sigma)
        bend, slope = self.levels.curvature(eta, tau), self.levels.slopes(eta, tau).tau
        count = len(beta)
        information = np.empty((count + 1, count + 1))
        information[:count, :count] = self._gram(bend.eta_eta)
        information[:count, count] = information[count, :count] = -self.columns.T @ (bend.eta_tau * tau_sigma)
        information[count, count] = -(bend.tau_tau @ tau_sigma**2 + slope @ tau_sigma_sigma)
        return information

    def beta_information(self, beta: Array, sigma: float) -> Any:
        """Minus the second derivatives of the objective by beta alone."""
        return self._gram(self.levels.eta_curvature(self.columns @ beta, self._tau(sigma)[0]))

    def _gram(self, curvature: Array) -> Any:
        return -self.columns.T @ (self.columns * curvature[:, None]) + self.ridge

    def _tau(self, sigma: float) -> tuple[Any, Any, Any]:
        """The whole standard deviation of each level's logit, and its first two derivatives by sigma."""
        known, stretched = self.variance > 0, sigma * self.stretch
        tau = np.sqrt(stretched**2 + self.variance)
        safe = np.where(known, tau, 1.0)
        first = np.where(known, stretched / safe, 1.0) * self.stretch
        return tau, first, np.where(known, self.variance / safe**3, 0.0) * self.stretch**2


def maximize(objective: Objective, start: tuple[Any, float] | None = None) -> Summit:
    """The maximum, climbed to from a start (beta, sigma); PredictionError if sigma passes SIGMA_MOST."""
    beta, sigma = start or objective.start()
    place = np.append(beta, max(sigma, SIGMA_START))
    slopes, converged = objective.slopes(place[:-1], place[-1]), False
    for _ in range(STEPS):
        information = objective.information(place[:-1], place[-1])
        step, dome = _newton(information, slopes[2], place[-1])
        if slopes[2] @ step < TOLERANCE:
            converged = dome
            if dome or place[-1] >= SIGMA_START:
                break
            place[-1] = SIGMA_START  # 0 is no summit here: start up the slope again
            slopes = objective.slopes(place[:-1], place[-1])
            continue
        ahead = _uphill(objective, place, step, slopes[1])
        if ahead is None:
            break
        place, slopes = ahead
        _check_sigma(place[-1])
    summit = Summit(place[:-1], float(place[-1]), slopes[0], information, converged)
    sigma_is_zero = converged and summit.sigma**2 * information[-1, -1] < ZERO_SIGMA**2
    return _at_zero(objective, summit) if sigma_is_zero else summit


def _uphill(objective: Objective, place: Array, step: Array, height: float) -> tuple[Any, Any] | None:
    """The place after the step, halved until it is not below the height, with its slopes; None if none is."""
    for _ in range(HALVINGS):
        ahead = place + step
        ahead[-1] = abs(ahead[-1])
        slopes = objective.slopes(ahead[:-1], ahead[-1])
        if slopes[1] >= height - objective.rounding:
            return ahead, slopes
        step = step / 2
    return None


def climb_beta(objective: Objective, beta: Array, sigma: float) -> tuple[Any, float, Any]:
    """The best beta at a given sigma, the objective there, and minus its second derivatives by beta."""
    _, height, gradient = objective.slopes(beta, sigma)
    for _ in range(BETA_STEPS):
        information = objective.beta_information(beta, sigma)
        floor = 1e-9 * np.diag(information) + 1e-12  # where every level is far up or down its curve
        step = np.linalg.solve(information + np.diag(floor), gradient[:-1])
        if gradient[:-1] @ step < 1e-8:
            break
        for _ in range(HALVINGS):
            slopes = objective.slopes(beta + step, sigma)
            if slopes[1] >= height - objective.rounding:
                break
            step = step / 2
        else:
            break
        beta, (_, height, gradient) = beta + step, slopes
    return beta, height, information


def _newton(information: Array, gradient: Array, sigma: float) -> tuple[Any, bool]:
    """Newton's step, turned uphill where the surface is no dome, and whether it is one.

    It raises sigma threefold at most, so as not to leap over a summit to a far flat.
    """
    unit = 1 / np.sqrt(np.maximum(np.abs(np.diag(information)), 1e-12))
    bends, axes = np.linalg.eigh(information * unit * unit[:, None])
    step = unit * (axes @ ((axes.T @ (unit * gradient)) / np.maximum(np.abs(bends), 1e-10)))
    longest = 2 * sigma + 0.5
    return step * min(1.0, longest / max(float(step[-1]), longest)), bool(bends[0] > 0)


def _check_sigma(sigma: float) -> None:
    if sigma > SIGMA_MOST:
        raise PredictionError(
            f"successes: sigma beyond {SIGMA_MOST:g} logits, with no finite best value; "
            "expected more levels with attempts won and attempts lost"
        )


def _at_zero(objective: Objective, summit: Summit) -> Summit:
    loglik, _, _ = objective.slopes(summit.beta, 0.0)
    return replace(summit, sigma=0.0, loglik=loglik, information=objective.information(summit.beta, 0.0))


def one_thread() -> AbstractContextManager[Any]:
    """Within its block, BLAS uses one thread, in the whole process.

    A fit multiplies small matrices thousands of times. BLAS hands each product to all processors, which costs
    more than the product: fitting 800 levels took 3 to 5 s on two busy cores, and takes 1 s on one thread.
    """
    limits: AbstractContextManager[Any] = threadpool_limits(limits=1, user_api="blas")
    return limits
