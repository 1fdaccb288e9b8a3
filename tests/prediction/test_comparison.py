"""Saved models judged by results that came since, and two models compared level by level."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import binom, norm, ttest_rel

from levelsense.errors import PredictionError
from levelsense.prediction.covariates import Covariates
from levelsense.prediction.evaluation import (
    Evaluation,
    compared,
    evaluate,
    evaluate_model,
    evaluation_data,
    log_densities,
    paired_difference,
)
from levelsense.prediction.model import DifficultyModel
from tests.prediction.made_up import made_up_table

TABLE = made_up_table(160, seed=21)
FIRST = 100
PAST, REST = TABLE.head(FIRST), TABLE.slice(FIRST)


@pytest.fixture(scope="module")
def model() -> DifficultyModel:
    return DifficultyModel().fit(PAST, "people of then")


@pytest.fixture(scope="module")
def mean_only() -> DifficultyModel:
    return DifficultyModel(columns=Covariates((), features=())).fit(PAST)


def test_a_saved_model_is_judged_as_the_same_model_just_fitted(
    model: DifficultyModel, tmp_path: Path
) -> None:
    model.save(tmp_path / "model.json")
    saved = evaluate_model(DifficultyModel.load(tmp_path / "model.json"), REST, "people of now")
    fitted = evaluate(TABLE, FIRST)
    assert saved.figures.mae == pytest.approx(fitted.figures.mae, abs=1e-6)
    assert saved.levels["outside"].equals(fitted.levels["outside"])
    assert (saved.fitted, saved.saved, saved.baselines) == (FIRST, True, ())
    assert (saved.origin.players, saved.model.origin_.players) == ("people of now", "people of then")
    assert evaluation_data(saved)["players"] == "people of now"


def test_a_model_is_not_judged_by_two_levels(model: DifficultyModel) -> None:
    with pytest.raises(PredictionError, match="2 levels with players' results to judge by; expected at"):
        evaluate_model(model, REST.head(2))


def test_a_paired_difference_is_that_of_the_paired_t_test() -> None:
    draws = np.random.default_rng(3)
    ours = draws.normal(size=40)
    theirs = ours + draws.normal(0.2, 0.5, size=40)
    interval = ttest_rel(ours, theirs).confidence_interval(0.95)
    difference = paired_difference(ours, theirs)
    assert difference.mean == pytest.approx((ours - theirs).mean())
    assert (difference.low, difference.high) == pytest.approx((interval.low, interval.high))


def test_log_densities_are_integrals_of_the_binomial_over_the_band() -> None:
    rate, spread = np.array([0.2, 0.7]), np.array([0.3, 0.8])
    low, high = (expit(logit(rate) + sign * norm.ppf(0.975) * spread) for sign in (-1, 1))
    found = log_densities(rate, low, high, np.array([5, 60]), np.array([20, 100]))
    for density, center, sd, won, tried in zip(found, logit(rate), spread, (5, 60), (20, 100), strict=True):

        def weighed(u: float, center=center, sd=sd, won=won, tried=tried) -> float:
            return float(binom.pmf(won, tried, expit(u)) * norm.pdf(u, center, sd))

        exact = quad(weighed, center - 9 * sd, center + 9 * sd, points=[center])[0]
        assert density == pytest.approx(np.log(exact), abs=1e-3)


def test_two_models_are_compared_level_by_level(model: DifficultyModel, mean_only: DifficultyModel) -> None:
    found = compared(evaluate_model(model, REST), REST, "the mean", mean_only, REST)
    back = compared(evaluate_model(mean_only, REST), REST, "all", model, REST)
    assert found.comparison is not None
    assert back.comparison is not None
    theirs = found.baselines[-1]
    assert theirs.name == found.comparison.against == "the mean"
    assert found.comparison.mae.mean == pytest.approx(found.figures.mae - theirs.mae)
    assert found.comparison.mae.high < 0 < found.comparison.density.low
    assert back.comparison.mae.low == pytest.approx(-found.comparison.mae.high)
    assert back.comparison.density.mean == pytest.approx(-found.comparison.density.mean)


def test_a_model_is_no_better_than_itself(model: DifficultyModel) -> None:
    found = compared(evaluate_model(model, REST), REST, "itself", model, REST)
    assert found.comparison is not None
    assert (found.comparison.mae.low, found.comparison.density.high) == (0.0, 0.0)
    assert evaluation_data(found)["comparison"]["against"] == "itself"


def test_other_levels_are_refused(model: DifficultyModel) -> None:
    evaluation: Evaluation = evaluate_model(model, REST)
    with pytest.raises(PredictionError, match="`against`: other levels than those that are judged"):
        compared(evaluation, REST, "x", model, PAST.head(REST.height))
