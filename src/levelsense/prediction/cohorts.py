"""Several cohorts of players in one fit: what each adds to all logits, and their results as those of one.

logit p = s + a + kappa: s is the level's logit for the average cohort, a the cohort's offset, and kappa, what
the columns do not tell of a level, is the same for all cohorts. So cohorts that have played the same levels
are compared level by level, and those that have not by what the model expects of their levels.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import expit

from levelsense.errors import PredictionError
from levelsense.prediction.table import with_players

Array = NDArray[np.float64]
FEWEST_COHORTS: Final = 2
OFFSET_SPREAD: Final = 1.0  # logits; how far cohorts are expected to differ before any result is seen
STEPS: Final = 60  # of Newton's method at most
STEP_MOST: Final = 2.0  # logits
SETTLED: Final = 1e-8


@dataclass(frozen=True)
class CohortEffect:
    """What a cohort adds to the logit of every level, beside the average of the cohorts, and its error.

    The average is weighted by attempts.
    """

    offset: float
    error: float


@dataclass(frozen=True, eq=False)
class CohortCounts:
    """Results of cohorts, a row a cohort and a column a level; 0 attempts where a cohort has none there.

    effective  the attempts that count: over their design effect
    """

    names: tuple[str, ...]
    successes: Array
    attempts: Array
    effective: Array

    @classmethod
    def of(cls, table: pl.DataFrame, cohorts: Mapping[str, pl.DataFrame]) -> "CohortCounts":
        """The results of cohorts (`people.rates.success_rates`) at the levels of a table.

        PredictionError for fewer than two cohorts.
        """
        check_cohorts(len(cohorts))
        joined = [
            table.select("level").join(
                rates.select("level", "successes", "attempts", "design_effect"),
                on="level",
                how="left",
                maintain_order="left",
            )
            for rates in cohorts.values()
        ]
        successes, attempts = (
            np.array([part[name].fill_null(0).to_numpy() for part in joined], float)
            for name in ("successes", "attempts")
        )
        effects = np.array([part["design_effect"].fill_null(1.0).to_numpy() for part in joined])
        return cls(tuple(cohorts), successes, attempts, attempts / effects)

    @property
    def wins(self) -> Array:
        """The successes that count."""
        return self.effective * self.successes / np.maximum(self.attempts, 1)

    @property
    def weights(self) -> Array:
        """The share of each cohort in all attempts."""
        shares: Array = self.attempts.sum(axis=1) / self.attempts.sum()
        return shares


def check_cohorts(cohorts: int) -> None:
    """PredictionError unless there are several cohorts to tell apart."""
    if cohorts < FEWEST_COHORTS:
        raise PredictionError(
            f"{cohorts} cohort{'' if cohorts == 1 else 's'} with results of these levels; expected at least "
            f"{FEWEST_COHORTS}, to tell what they differ by"
        )


def pooled(table: pl.DataFrame, counts: CohortCounts, offsets: Array) -> pl.DataFrame:
    """A table with the results of all cohorts as those of the average one, given their offsets.

    At a level, as a function of its logit s, the likelihood of all cohorts together is nearly that of one
    binomial count with the same summit and the same curvature there: its rate and its number of independent
    attempts, told as a design effect. Without offsets it is the sum of the counts.
    """
    attempts = counts.attempts.sum(axis=0)
    rates, independent = _as_one(counts.wins, counts.effective, offsets)
    rows = pl.DataFrame(
        {
            "level": table["level"],
            "attempts": attempts.astype(int),
            "successes": np.clip(np.round(attempts * rates), 0, attempts).astype(int),
            "design_effect": np.maximum(attempts / np.maximum(independent, 1e-9), 1.0),
        }
    )
    return with_players(table, rows.filter(pl.col("attempts") > 0))


def _as_one(wins: Array, tried: Array, offsets: Array) -> tuple[Any, Any]:
    """The rate and the number of attempts of one binomial count a level that says as much as all cohorts."""
    total, won = tried.sum(axis=0), wins.sum(axis=0)
    never, always = won <= 0, won >= total
    started = np.clip(won / np.maximum(total, 1e-9), 1e-3, 1 - 1e-3)
    logits = np.log(started / (1 - started))
    for _ in range(STEPS):
        rates = expit(logits + offsets[:, None])
        curvature = np.maximum((tried * rates * (1 - rates)).sum(axis=0), 1e-12)
        step = np.clip((wins - tried * rates).sum(axis=0) / curvature, -STEP_MOST, STEP_MOST)
        step[never | always] = 0.0
        logits = logits + step
        if np.abs(step).max(initial=0.0) < SETTLED:
            break
    rates = expit(logits + offsets[:, None])
    one = expit(logits)
    independent = (tried * rates * (1 - rates)).sum(axis=0) / (one * (1 - one))
    # At 0 and 1 there is no summit: far out, attempts of a cohort that finds it easier to win say more.
    independent = np.where(never, (tried * np.exp(offsets)[:, None]).sum(axis=0), independent)
    independent = np.where(always, (tried * np.exp(-offsets)[:, None]).sum(axis=0), independent)
    return np.where(never, 0.0, np.where(always, 1.0, one)), independent


def cohort_effects(
    counts: CohortCounts, columns: Array, mean: Array, precision: Array, spread: Array
) -> dict[str, CohortEffect]:
    """The offset of each cohort, with its error, by the results of all at levels with columns.

    `mean` and `precision` are the prior of the columns' coefficients, `spread` the variance of kappa at each
    level. Coefficients, offsets and the kappa of each level are found together, where all of them are most
    likely. Errors grow by how much more cohorts scatter around that than chance allows.
    """
    summit = _Together(counts, columns, mean, precision, spread)
    offsets = summit.climb()
    center = np.eye(len(counts.names)) - counts.weights  # less the average, weighted by attempts
    errors = np.sqrt(np.diag(center @ summit.covariance() @ center.T) * summit.scatter())
    return {
        name: CohortEffect(float(offset), float(error))
        for name, offset, error in zip(counts.names, center @ offsets, errors, strict=True)
    }


class _Together:
    """Coefficients of columns, offsets and the kappa of every level, at their most likely together.

    theta holds the coefficients and the offsets. Given them, the kappa of a level depends on nothing else: it
    is taken out of the second derivatives level by level.
    """

    def __init__(
        self, counts: CohortCounts, columns: Array, mean: Array, precision: Array, spread: Array
    ) -> None:
        cohorts = len(counts.names)
        self.wins, self.tried, self.columns = counts.wins, counts.effective, columns
        self.width = columns.shape[1]
        self.prior = np.zeros((self.width + cohorts, self.width + cohorts))
        self.prior[: self.width, : self.width] = precision
        self.prior[self.width :, self.width :] = np.eye(cohorts) / OFFSET_SPREAD**2
        self.mean = np.concatenate([mean, np.zeros(cohorts)])
        self.held = 1 / np.maximum(spread, 1e-6)
        self.theta, self.kappa = self.mean.copy(), np.zeros(len(columns))

    def rates(self) -> Array:
        """The rate of each cohort at each level."""
        logits = self.columns @ self.theta[: self.width] + self.kappa
        rates: Array = expit(logits + self.theta[self.width :, None])
        return rates

    def climb(self) -> Array:
        """The offsets at the summit."""
        for _ in range(STEPS):
            rates = self.rates()
            residuals, curvature = self.wins - self.tried * rates, self.tried * rates * (1 - rates)
            of_kappa = residuals.sum(axis=0) - self.held * self.kappa
            diagonal = curvature.sum(axis=0) + self.held
            slopes = np.concatenate([self.columns.T @ residuals.sum(axis=0), residuals.sum(axis=1)])
            slopes = slopes - self.prior @ (self.theta - self.mean)
            cross = self._cross(curvature)
            reduced = self._information(curvature) - (cross / diagonal) @ cross.T
            step = np.linalg.solve(reduced, slopes - cross @ (of_kappa / diagonal))
            kappa_step = (of_kappa - cross.T @ step) / diagonal
            largest = max(np.abs(step).max(), np.abs(kappa_step).max())
            share = min(1.0, STEP_MOST / largest) if largest > 0 else 1.0
            self.theta, self.kappa = self.theta + share * step, self.kappa + share * kappa_step
            if largest < SETTLED:
                break
        offsets: Array = self.theta[self.width :]
        return offsets

    def _cross(self, curvature: Array) -> Array:
        """Second derivatives of theta and kappa, less their sign: a column a level."""
        cross: Array = np.vstack([self.columns.T * curvature.sum(axis=0), curvature])
        return cross

    def _information(self, curvature: Array) -> Array:
        """Second derivatives of theta, less their sign, with the prior's."""
        by_level = curvature.sum(axis=0)
        both = (curvature @ self.columns).T
        information = np.block(
            [
                [(self.columns.T * by_level) @ self.columns, both],
                [both.T, np.diag(curvature.sum(axis=1))],
            ]
        )
        summed: Array = information + self.prior
        return summed

    def covariance(self) -> Array:
        """The covariance of the offsets at the summit."""
        rates = self.rates()
        curvature = self.tried * rates * (1 - rates)
        cross = self._cross(curvature)
        reduced = self._information(curvature) - (cross / (curvature.sum(axis=0) + self.held)) @ cross.T
        inverse: Array = np.linalg.inv(reduced)
        return inverse[self.width :, self.width :]

    def scatter(self) -> float:
        """By how much cohorts scatter within levels beyond chance, as a factor of variances; at least 1."""
        rates, shared = self.rates(), (self.tried > 0).sum(axis=0) > 1
        played = (self.tried > 0) & shared
        freedom = played.sum() - shared.sum() - (len(self.tried) - 1)
        if freedom < 1:
            return 1.0
        squares = (self.wins - self.tried * rates) ** 2 / np.maximum(self.tried * rates * (1 - rates), 1e-9)
        return max(1.0, float(squares[played].sum() / freedom))
