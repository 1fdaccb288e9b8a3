"""The highest point of the log-likelihood, by Newton's method in (coefficients, sigma).

Columns are standardized here, whatever their units. Sigma itself is the coordinate, not its logarithm: the
likelihood is the same for sigma and -sigma, so that a best value of 0 is an ordinary summit, found as fast
as any other.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from levelsense.errors import PredictionError
from levelsense.prediction.design import Design
from levelsense.prediction.quadrature import LevelLikelihood

STEPS = 100
HALVINGS = 20  # of a step that leads down, before there is none better
TOLERANCE = 1e-12  # of twice the rise that the next step promises: 1e-6 of a standard error
SIGMA_START = 0.05  # the least to start from, for at 0 the slope is 0 even where the likelihood rises
SIGMA_MOST = 30.0  # in logits; a sigma on its way there has no finite best value
ZERO_SIGMA = 1e-4  # of its own standard error: less than this is 0


@dataclass(frozen=True)
class Scale:
    """The units of the columns: standardized they are (columns - center) / spread, the intercept's apart."""

    center: Any
    spread: Any

    @classmethod
    def of(cls, columns: Any) -> "Scale":
        """Mean and standard deviation of the columns; a constant column keeps its unit."""
        center, spread = columns[:, 1:].mean(axis=0), columns[:, 1:].std(axis=0)
        still = spread <= 1e-12 * np.maximum(np.abs(center), 1e-300)
        return cls(center, np.where(still, 1.0, spread))

    def standardize(self, columns: Any) -> Any:
        """Columns in their own units to standardized ones, both with the intercept's first."""
        return np.column_stack([columns[:, 0], (columns[:, 1:] - self.center) / self.spread])

    def to_units(self) -> Any:
        """The matrix that takes coefficients of standardized columns to those of the columns as given."""
        matrix = np.diag(np.concatenate([[1.0], 1 / self.spread]))
        matrix[0, 1:] = -self.center / self.spread
        return matrix


@dataclass(frozen=True, eq=False)
class Summit:
    """The best standardized coefficients and sigma; `information` is minus the second derivatives there."""

    beta: Any
    sigma: float
    loglik: float
    information: Any
    converged: bool


class Objective:
    """Log-likelihood less the penalty, as a function of standardized coefficients and sigma."""

    def __init__(self, design: Design, nodes: int, penalty: float) -> None:
        self.scale = Scale.of(design.columns)
        self.columns = self.scale.standardize(design.columns)
        self.variance = design.variance
        self.ridge = np.concatenate([[0.0], penalty / self.scale.spread**2])
        self.levels = LevelLikelihood(design.successes, design.attempts, nodes)
        self.rounding = 1e-10 + 1e-13 * float(
            design.attempts.sum()
        )  # of the objective: no fall worth minding

    def start(self) -> tuple[Any, float]:
        """Least squares on the logits seen, weighted by their sampling error and a spread between levels."""
        y, noise = self.levels.logit, self.levels.logit_variance + self.variance
        spread = 0.5**2
        for _ in range(3):
            weight = 1 / (noise + spread)
            gram = self.columns.T @ (self.columns * weight[:, None]) + np.diag(self.ridge + 1e-9)
            beta = np.linalg.solve(gram, self.columns.T @ (weight * y))
            left = y - self.columns @ beta
            spread = max(float(np.sum(weight * (left**2 - noise)) / np.sum(weight)), SIGMA_START**2)
        return beta, float(np.sqrt(spread))

    def slopes(self, beta: Any, sigma: float) -> tuple[float, float, Any]:
        """Log-likelihood, objective, and the objective's gradient."""
        tau, tau_sigma, _ = self._tau(sigma)
        found = self.levels.slopes(self.columns @ beta, tau)
        loglik = float(found.value.sum())
        gradient = np.append(self.columns.T @ found.eta - self.ridge * beta, found.tau @ tau_sigma)
        return loglik, loglik - float(self.ridge @ beta**2) / 2, gradient

    def information(self, beta: Any, sigma: float) -> Any:
        """Minus the second derivatives of the objective by (beta, sigma)."""
        eta = self.columns @ beta
        tau, tau_sigma, tau_sigma_sigma = self._tau(sigma)
        bend, slope = self.levels.curvature(eta, tau), self.levels.slopes(eta, tau).tau
        count = len(beta)
        found = np.empty((count + 1, count + 1))
        found[:count, :count] = self._gram(bend.eta_eta)
        found[:count, count] = found[count, :count] = -self.columns.T @ (bend.eta_tau * tau_sigma)
        found[count, count] = -(bend.tau_tau @ tau_sigma**2 + slope @ tau_sigma_sigma)
        return found

    def beta_information(self, beta: Any, sigma: float) -> Any:
        """Minus the second derivatives of the objective by beta alone."""
        return self._gram(self.levels.eta_curvature(self.columns @ beta, self._tau(sigma)[0]))

    def _gram(self, curvature: Any) -> Any:
        return -self.columns.T @ (self.columns * curvature[:, None]) + np.diag(self.ridge)

    def _tau(self, sigma: float) -> tuple[Any, Any, Any]:
        """The whole standard deviation of each level's logit, and its first two derivatives by sigma."""
        known = self.variance > 0
        tau = np.sqrt(sigma**2 + self.variance)
        safe = np.where(known, tau, 1.0)
        return tau, np.where(known, sigma / safe, 1.0), np.where(known, self.variance / safe**3, 0.0)


def maximize(objective: Objective, start: tuple[Any, float] | None = None) -> Summit:
    """Climbs from a start (beta, sigma) to the summit; PredictionError if sigma runs off."""
    beta, sigma = start or objective.start()
    sigma = max(sigma, SIGMA_START)
    loglik, height, gradient = objective.slopes(beta, sigma)
    damping, converged = 0.0, False
    information = objective.information(beta, sigma)
    for _ in range(STEPS):
        step = _newton(information, gradient, damping)
        if step is not None and gradient @ step < TOLERANCE:
            converged = damping == 0
            if converged:
                break
            damping = 0.0
            continue
        if step is not None:
            ahead = beta + step[:-1], abs(sigma + float(step[-1]))
            found = objective.slopes(*ahead)
            if np.isfinite(found[1]) and found[1] >= height - objective.rounding:
                (beta, sigma), (loglik, height, gradient) = ahead, found
                _check_sigma(sigma)
                information = objective.information(beta, sigma)
                damping = damping / 10 if damping > 1e-4 else 0.0
                continue
        damping = max(10 * damping, 1e-3)
    summit = Summit(beta, sigma, loglik, information, converged)
    return _at_zero(objective, summit) if sigma**2 * information[-1, -1] < ZERO_SIGMA**2 else summit


def climb_beta(objective: Objective, beta: Any, sigma: float) -> tuple[Any, float, Any]:
    """The best beta at a given sigma, the objective there, and minus its second derivatives by beta."""
    _, height, gradient = objective.slopes(beta, sigma)
    for _ in range(STEPS):
        information = objective.beta_information(beta, sigma)
        floor = (
            1e-9 * float(np.diag(information).max()) + 1e-12
        )  # where every level is far up or down its curve
        step = np.linalg.solve(information + floor * np.eye(len(beta)), gradient[:-1])
        if gradient[:-1] @ step < 1e-8:
            break
        for _ in range(HALVINGS):
            found = objective.slopes(beta + step, sigma)
            if found[1] >= height - objective.rounding:
                break
            step = step / 2
        else:
            break
        beta, (_, height, gradient) = beta + step, found
    return beta, height, information


def _newton(information: Any, gradient: Any, damping: float) -> Any:
    """Newton's step, shortened by the damping; None where the surface is not a dome."""
    try:
        factor = cho_factor(information + damping * np.diag(np.abs(np.diag(information)) + 1e-9))
    except LinAlgError:
        return None
    return cho_solve(factor, gradient)


def _check_sigma(sigma: float) -> None:
    if sigma > SIGMA_MOST:
        raise PredictionError(
            f"successes: sigma beyond {SIGMA_MOST:g} logits, with no finite best value; "
            "expected more levels with attempts won and attempts lost"
        )


def _at_zero(objective: Objective, summit: Summit) -> Summit:
    loglik, _, _ = objective.slopes(summit.beta, 0.0)
    return replace(summit, sigma=0.0, loglik=loglik, information=objective.information(summit.beta, 0.0))
