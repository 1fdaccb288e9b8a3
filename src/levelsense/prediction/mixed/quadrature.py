"""The likelihood of a level's counts, its random effect integrated out by adaptive Gauss-Hermite quadrature.

A level has k successes in n attempts, and logit p = eta + tau z with z standard normal. Its nodes stand
around the mode of the integrand and are scaled by the curvature there: with thousands of attempts the
integrand is so narrow that nodes around 0 miss it. One node is Laplace's approximation.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, gammaln

Array = NDArray[Any]

MODE_STEPS = 60
MODE_TOLERANCE = 1e-9  # of the integrand's own width
LONGEST_STEP = (
    2.0  # logits a step; Newton's method on a logistic curve would otherwise leap off its flat ends
)
DIFFERENCE = 1e-3  # of a level's own width, for second derivatives from first ones


@cache
def _rule(nodes: int) -> tuple[Any, Any]:
    """The nodes in units of the integrand's width, and the logs of their weights."""
    points, weights = np.polynomial.hermite.hermgauss(nodes)
    return np.sqrt(2) * points, np.log(weights) + points**2 - np.log(np.pi) / 2


def _outcome(won: Array, lost: Array, u: Array) -> tuple[Any, Any]:
    """Log-likelihood of counts at a logit and its slope, exact even where nearly all was won or lost."""
    small = np.exp(-np.abs(u))
    near_one = 1 / (1 + small)
    near_zero = small * near_one
    up = u >= 0
    log_likelihood = -np.where(up, lost, won) * np.abs(u) - (won + lost) * np.log1p(small)
    return log_likelihood, won * np.where(up, near_zero, near_one) - lost * np.where(up, near_one, near_zero)


@dataclass(frozen=True, eq=False)
class Slopes:
    """A value a level of the log-likelihood, and its derivatives by eta and by tau."""

    value: Array
    eta: Array
    tau: Array


@dataclass(frozen=True, eq=False)
class Curvature:
    """Second derivatives a level of the log-likelihood."""

    eta_eta: Array
    eta_tau: Array
    tau_tau: Array


class LevelLikelihood:
    """The log-likelihood of each level as a function of its eta and tau, exact derivatives included."""

    def __init__(self, successes: Array, attempts: Array, nodes: int) -> None:
        self.successes, self.attempts = successes, attempts
        self._points, self._log_weights = _rule(nodes)
        self._log_binomial = (
            gammaln(attempts + 1) - gammaln(successes + 1) - gammaln(attempts - successes + 1)
        )
        won, lost = successes + 0.5, attempts - successes + 0.5
        self.logit, self.logit_variance = np.log(won / lost), 1 / won + 1 / lost

    def slopes(self, eta: Array, tau: Array) -> Slopes:
        """Value and first derivatives: the derivatives of the quadrature itself, moving nodes and all.

        They are therefore right for one node too, where averaging the score over the nodes would not be.
        """
        k, n, t = self.successes, self.attempts, self._points
        mode = self._mode(eta, tau)
        p = expit(eta + tau * mode)
        weight = n * p * (1 - p)
        bend = weight * (1 - 2 * p)
        sharpness = tau**2 * weight + 1
        width = sharpness**-0.5
        z = mode[:, None] + width[:, None] * t
        u = eta[:, None] + tau[:, None] * z
        log_likelihood, score = _outcome(k[:, None], (n - k)[:, None], u)
        log_terms = self._log_weights + log_likelihood - z**2 / 2
        top = log_terms.max(axis=1)
        terms = np.exp(log_terms - top[:, None])
        total = terms.sum(axis=1)
        share = terms / total[:, None]
        along = share * (tau[:, None] * score - z)  # what moving the nodes does
        shift, stretch = along.sum(axis=1), along @ t
        mode_eta = -tau * weight / sharpness
        mode_tau = (k - n * p - tau * mode * weight) / sharpness
        sharper_eta = tau**2 * bend * (1 + tau * mode_eta)
        sharper_tau = 2 * tau * weight + tau**2 * bend * (mode + tau * mode_tau)

        def moved(mode_slope: Array, sharper: Array) -> Any:
            width_slope = -0.5 * width / sharpness * sharper
            return width_slope / width + shift * mode_slope + stretch * width_slope

        return Slopes(
            self._log_binomial + np.log(width) + top + np.log(total),
            (share * score).sum(axis=1) + moved(mode_eta, sharper_eta),
            (share * score * z).sum(axis=1) + moved(mode_tau, sharper_tau),
        )

    def curvature(self, eta: Array, tau: Array) -> Curvature:
        """Second derivatives, by central differences of the first: four evaluations for any columns."""
        by_eta_eta, by_eta_tau = self._differences(eta, tau, 1.0, 0.0)
        _, by_tau_tau = self._differences(eta, tau, 0.0, 1.0)
        return Curvature(by_eta_eta, by_eta_tau, by_tau_tau)

    def eta_curvature(self, eta: Array, tau: Array) -> Any:
        """Second derivatives by eta alone; never above 0, for the likelihood is log-concave in eta.

        Few nodes may say otherwise far from the summit, where they miss part of a skewed integrand.
        """
        return np.minimum(self._differences(eta, tau, 1.0, 0.0)[0], 0)

    def width(self, eta: Array, tau: Array) -> Any:
        """The scale of the log-likelihood in logits: smaller where counts are far from what eta expects."""
        p = expit(eta)
        sharpest = np.maximum(self.attempts * p * (1 - p), (self.successes - self.attempts * p) ** 2)
        return np.sqrt(tau**2 + 1 / np.maximum(sharpest, 1 / self.logit_variance))

    def _differences(self, eta: Array, tau: Array, along_eta: float, along_tau: float) -> tuple[Any, Any]:
        step = DIFFERENCE * self.width(eta, tau)
        up = self.slopes(eta + along_eta * step, tau + along_tau * step)
        down = self.slopes(eta - along_eta * step, tau - along_tau * step)
        return (up.eta - down.eta) / (2 * step), (up.tau - down.tau) / (2 * step)

    def _mode(self, eta: Array, tau: Array) -> Any:
        """Where the integrand of each level is highest; it is log-concave, so there is one such place."""
        k, n = self.successes, self.attempts
        z = tau * (self.logit - eta) / (tau**2 + self.logit_variance)
        longest = LONGEST_STEP / np.maximum(np.abs(tau), 1e-12)
        for _ in range(MODE_STEPS):
            p = expit(eta + tau * z)
            sharpness = tau**2 * n * p * (1 - p) + 1
            step = np.clip((tau * (k - n * p) - z) / sharpness, -longest, longest)
            z = z + step
            if np.all(np.abs(step) * np.sqrt(sharpness) < MODE_TOLERANCE):
                break
        return z
