"""People's success rates predicted at levels that a model was not fitted to, and how good that is.

A question is which levels are left out together, single levels or whole collections, and whether models know
collections: then each has a column of its own. Which levels are left out together is drawn once, by a fixed
seed; the penalty is chosen anew in each fold among the levels that are fitted to, in an order that is drawn,
by predicting forward as the model of difficulty does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.prediction.evaluation import log_densities
from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.prediction.mixed.maximize import one_thread
from levelsense.prediction.mixed.selection import choose_penalty, rolling_folds
from levelsense.rng import Draws

FOLDS: Final = 10
CHOOSING: Final = 4  # blocks by which a penalty is chosen
PENALTIES: Final = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
# The column of a collection may have a slope three times as large at the same price.
COLLECTION_FREEDOM: Final = 3.0
BANDS: Final = (0.5, 0.8, 0.95)

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    """What is asked of every model.

    whole_collections  whether whole collections are left out, not levels drawn at random
    knows_collections  whether every model has a column for each collection
    """

    name: str
    whole_collections: bool
    knows_collections: bool


WITHIN: Final = Question("within collections", whole_collections=False, knows_collections=True)
NOT_KNOWN: Final = Question("collection not known", whole_collections=False, knows_collections=False)
ACROSS: Final = Question("across collections", whole_collections=True, knows_collections=False)
QUESTIONS: Final = (WITHIN, NOT_KNOWN, ACROSS)


@dataclass(frozen=True, eq=False)
class Counts:
    """People's results: plays, solved plays, and the collection of each level."""

    played: NDArray[np.int64]
    solved: NDArray[np.int64]
    collections: Sequence[str]

    @property
    def rate(self) -> Values:
        """The share of plays that were solved."""
        rate: Values = self.solved / self.played
        return rate


@dataclass(frozen=True, eq=False)
class Judged:
    """Predictions of all levels, each by a model that was not fitted to it.

    levels  a row a level: predicted `rate`, `observed`, the ends of the bands of observed rates (`low_95`,
            ...), the log predictive density of its counts (`density`), and its `fold`
    sigma   the mean of the folds' sigmas
    """

    levels: pl.DataFrame
    sigma: float

    @property
    def errors(self) -> Values:
        """How far each prediction is from what was observed."""
        errors: Values = np.abs(self.levels["rate"].to_numpy() - self.levels["observed"].to_numpy())
        return errors

    def outside(self, band: float) -> NDArray[np.bool_]:
        """Whether each observed rate is outside its band."""
        low, high = (self.levels[f"{end}_{round(100 * band)}"].to_numpy() for end in ("low", "high"))
        observed = self.levels["observed"].to_numpy()
        outside: NDArray[np.bool_] = (observed < low) | (observed > high)
        return outside


def draw_folds(question: Question, collections: Sequence[str]) -> NDArray[np.int64]:
    """The number of the fold in which each level is judged.

    Of whole collections, the largest that is left goes to the fold that has the fewest levels.
    """
    count = len(collections)
    if not question.whole_collections:
        folds = np.empty(count, np.int64)
        folds[Draws("sokoban", "folds").sample(range(count), count)] = np.arange(count) % FOLDS
        return folds
    names = sorted(set(collections))
    sizes = {name: sum(other == name for other in collections) for name in names}
    drawn = Draws("sokoban", "collections").sample(names, len(names))
    fold_of, loads = dict[str, int](), [0] * FOLDS
    for name in sorted(drawn, key=lambda name: -sizes[name]):
        fold_of[name] = loads.index(min(loads))
        loads[fold_of[name]] += sizes[name]
    return np.array([fold_of[name] for name in collections])


def judge(question: Question, columns: Values, counts: Counts) -> Judged:
    """Predicts each level by a model fitted to the levels of the other folds."""
    folds = draw_folds(question, counts.collections)
    parts, sigmas = [], []
    with one_thread():
        for fold in sorted(set(folds.tolist())):
            part, sigma = _judge_fold(question, columns, counts, folds, fold)
            parts.append(part)
            sigmas.append(sigma)
    return Judged(pl.concat(parts).sort("number"), float(np.mean(sigmas)))


def _judge_fold(
    question: Question, columns: Values, counts: Counts, folds: NDArray[np.int64], fold: int
) -> tuple[pl.DataFrame, float]:
    fit, rest = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
    rows = _rows(question, columns, counts, fit)
    model = MixedBinomial(penalty=_penalty(question, rows, counts, fit, fold))
    model.fit(rows[fit], counts.solved[fit], counts.played[fit])
    observed = model.predict(rows[rest], counts.played[rest], levels=BANDS)
    true = model.predict(rows[rest], levels=(0.95,)).bands[0.95]
    bands: dict[str, Any] = {}
    for band in BANDS:
        name = round(100 * band)
        bands |= {f"low_{name}": observed.bands[band].low, f"high_{name}": observed.bands[band].high}
    return pl.DataFrame(
        {
            "number": rest,
            "fold": np.full(len(rest), fold),
            "rate": observed.rate,
            "observed": counts.rate[rest],
            "density": log_densities(
                observed.rate, true.low, true.high, counts.solved[rest], counts.played[rest]
            ),
            **bands,
        }
    ), model.sigma_


def _rows(question: Question, columns: Values, counts: Counts, fit: NDArray[np.intp]) -> Values:
    """Columns standardized by the levels of the fit; if collections are known, one for each besides."""
    spread = columns[fit].std(axis=0)
    rows: Values = (columns - columns[fit].mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    if question.knows_collections:
        names = sorted({counts.collections[level] for level in fit})
        member = np.array([[name == of_level for name in names] for of_level in counts.collections], float)
        rows = np.hstack([rows, COLLECTION_FREEDOM * member])
    return rows


def _penalty(question: Question, rows: Values, counts: Counts, fit: NDArray[np.intp], fold: int) -> float:
    """The penalty that predicts later levels best; the order is drawn, of whole collections if these are."""
    if not rows.shape[1]:
        return 0.0
    draws = Draws("sokoban", "order", question.name, fold)
    order = np.array(draws.sample(fit.tolist(), len(fit)))
    if question.whole_collections:
        names = sorted({counts.collections[level] for level in fit})
        place = {name: number for number, name in enumerate(draws.sample(names, len(names)))}
        order = np.array(sorted(order, key=lambda level: place[counts.collections[level]]))
    choice = choose_penalty(
        rows[order],
        counts.solved[order],
        counts.played[order],
        None,
        PENALTIES,
        rolling_folds(len(order), len(order) // 2, CHOOSING),
    )
    return choice.penalty
