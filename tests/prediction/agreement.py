"""MixedBinomial beside lme4 on the same levels.

Run it with `python -m tests.prediction.agreement`; docs/prediction.md shows its table.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from levelsense.prediction import MixedBinomial

DATA = Path(__file__).parents[1] / "data"
AGENT_ATTEMPTS = 1000


@dataclass(frozen=True)
class Levels:
    """The columns, counts and true rates of a set of levels, and which of them to fit to."""

    x: Any
    successes: Any
    attempts: Any
    rates: Any
    fit: Any


@dataclass(frozen=True)
class Gap:
    """How far MixedBinomial is from lme4: the largest distances, relative for standard errors."""

    levels: str
    nodes: int
    coefficients: float
    sigma: float
    errors: float
    loglik: float


def read_levels(name: str) -> Levels:
    with np.load(DATA / "mixed_binomial.npz") as sets:
        moves, goals, blocker, won, attempts, successes, rates, fit = sets[name].T
    logit = np.log((won + 0.5) / (AGENT_ATTEMPTS - won + 0.5))
    return Levels(
        np.column_stack([logit, moves, goals, blocker]), successes, attempts, rates, fit.astype(bool)
    )


def lme4_fits() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((DATA / "lme4.json").read_text())
    return data


def fitted(levels: Levels, nodes: int) -> MixedBinomial:
    fit = levels.fit
    return MixedBinomial(nodes).fit(levels.x[fit], levels.successes[fit], levels.attempts[fit])


def compare() -> list[Gap]:
    gaps = []
    for name, fits in lme4_fits().items():
        levels = read_levels(name)
        for nodes, theirs in fits.items():
            ours = fitted(levels, int(nodes))
            errors = np.append(ours.se_, ours.sigma_se_log_) / np.append(theirs["se"], theirs["se_log_sigma"])
            gaps.append(
                Gap(
                    name,
                    int(nodes),
                    float(np.abs(ours.coef_ - theirs["coef"]).max()),
                    abs(ours.sigma_ - theirs["sigma"]),
                    float(np.abs(errors - 1).max()),
                    abs(ours.loglik_ - theirs["loglik"]),
                )
            )
    return gaps


def main() -> None:
    heads = "levels", "nodes", "coefficients", "sigma", "standard errors, relative", "log-likelihood"
    sys.stdout.write(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}\n")
    for gap in compare():
        figures = " | ".join(
            f"{value:.0e}" for value in (gap.coefficients, gap.sigma, gap.errors, gap.loglik)
        )
        sys.stdout.write(f"| {gap.levels} | {gap.nodes} | {figures} |\n")


if __name__ == "__main__":
    main()
