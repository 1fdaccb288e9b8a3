"""The penalty that predicts best, judged in saga order: fitted to the levels before, never to later ones."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levelsense.errors import PredictionError
from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.prediction.mixed.data import Design, check_finite, fit_design
from levelsense.prediction.mixed.maximize import Objective, Summit, maximize
from levelsense.prediction.mixed.prior import Prior
from levelsense.prediction.mixed.quadrature import Array, LevelLikelihood

Fold = tuple[Any, Any]  # the rows to fit to, and the rows after them to judge


@dataclass(frozen=True, eq=False)
class PenaltyChoice:
    """The penalty chosen, and the scores that it was chosen by.

    penalties  those tried, from the smallest
    means      the mean log predictive density a judged level, by penalty; -inf where a fold has no fit
    errors     the standard error of how far each mean is below the best one, level by level
    rows       the judged rows, in order
    scores     the log predictive density of each penalty (rows) and judged level (columns)
    """

    penalty: float
    penalties: tuple[float, ...]
    means: Array
    errors: Array
    rows: NDArray[np.intp]
    scores: Array


def rolling_folds(n: int, first: int, folds: int) -> list[Fold]:
    """Cuts n levels in saga order: the `first` only to fit to, then blocks, each judged by all before."""
    if not 1 <= first < n:
        raise PredictionError(
            f"first: {first}; expected from 1 to {n - 1}, so that some of {n} levels are judged"
        )
    if not 1 <= folds <= n - first:
        raise PredictionError(f"folds: {folds}; expected from 1 to {n - first}, a level each at least")
    cuts = [first + (n - first) * block // folds for block in range(folds + 1)]
    return [(np.arange(start), np.arange(start, end)) for start, end in pairwise(cuts)]


def choose_penalty(
    X: ArrayLike,  # noqa: N803
    successes: ArrayLike,
    attempts: ArrayLike,
    variance: ArrayLike | None,
    penalties: Sequence[float],
    folds: Sequence[Fold],
    one_se: bool = False,
    nodes: int = 15,
    *,
    design_effect: ArrayLike | None = None,
    prior: Prior | None = None,
) -> PenaltyChoice:
    """The penalty with the best mean log predictive density of the judged levels.

    With `one_se` it is the largest penalty whose mean is at most one standard error below the best. The
    columns are taken as they are: standardize them by the first levels alone, or the scale leaks later ones.
    """
    tried = _checked(penalties, folds)
    design = fit_design(X, successes, attempts, variance, design_effect)
    parts, problems = [], []
    for fit, judge in folds:
        part, problem = _scores(_rows(design, fit), _rows(design, judge), tried, nodes, prior)
        parts.append(part)
        problems += problem
    scores = np.concatenate(parts, axis=1)
    means = scores.mean(axis=1)
    if not np.any(np.isfinite(means)):
        raise PredictionError(
            f"penalties: none of them can be fitted to every fold; the first says: {problems[0]}"
        )
    best = int(np.argmax(means))
    errors = _errors_below(scores, best)
    close = means >= means[best] - errors if one_se else np.arange(len(tried)) == best
    chosen = tried[int(np.flatnonzero(close)[-1])]
    rows = np.concatenate([np.asarray(judge) for _, judge in folds])
    return PenaltyChoice(chosen, tried, means, errors, rows, scores)


def _checked(penalties: Sequence[float], folds: Sequence[Fold]) -> tuple[float, ...]:
    tried = tuple(sorted(float(penalty) for penalty in penalties))
    if not tried or not all(np.isfinite(penalty) and penalty >= 0 for penalty in tried):
        raise PredictionError(f"penalties: {list(penalties)}; expected numbers of at least 0")
    if not folds:
        raise PredictionError("folds: none; expected at least one")
    for number, (fit, judge) in enumerate(folds):
        if len(fit) == 0 or len(judge) == 0 or np.max(fit) >= np.min(judge):
            raise PredictionError(
                f"folds, fold {number}: expected rows to fit to, and only later rows to judge"
            )
    return tried


def _rows(design: Design, rows: NDArray[np.intp]) -> Design:
    return Design(*(getattr(design, field.name)[rows] for field in fields(design)))


def _scores(
    fit: Design, judge: Design, tried: tuple[float, ...], nodes: int, prior: Prior | None
) -> tuple[Any, list[str]]:
    """The log predictive densities of judged levels, a row a penalty; -inf and a reason without a fit.

    The largest penalty comes first: it is the easiest fit, and each fit starts from the one before.
    """
    scores, problems = np.full((len(tried), len(judge)), -np.inf), []
    start = None
    for index, penalty in reversed(list(enumerate(tried))):
        try:
            check_finite(fit, penalty > 0)
            objective = MixedBinomial(nodes, penalty, prior).objective(fit)
            summit = maximize(objective, start)
        except PredictionError as problem:
            problems.append(str(problem))
            continue
        start = summit.beta, summit.sigma
        scores[index] = _log_density(objective, summit, judge, nodes)
    return scores, problems


def _log_density(objective: Objective, summit: Summit, judge: Design, nodes: int) -> Any:
    """Of each judged level's counts, with its kappa and the coefficients' uncertainty integrated out."""
    columns = objective.scale.standardize(judge.columns)
    covariance = np.linalg.inv(summit.information[:-1, :-1])
    uncertain = np.einsum("rp,pq,rq->r", columns, covariance, columns, optimize=True)
    tau = np.sqrt((summit.sigma * judge.stretch) ** 2 + judge.variance + uncertain)
    return LevelLikelihood(judge.successes, judge.attempts, nodes).slopes(columns @ summit.beta, tau).value


def _errors_below(scores: Array, best: int) -> Any:
    """The standard error of each mean's distance from the best; 0 where it is not defined."""
    usable = np.isfinite(scores).all(axis=1)
    errors = np.zeros(len(scores))
    if scores.shape[1] > 1:
        gaps = scores[usable] - scores[best]
        errors[usable] = gaps.std(axis=1, ddof=1) / np.sqrt(scores.shape[1])
    return errors
