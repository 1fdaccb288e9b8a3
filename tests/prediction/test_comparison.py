"""Saved models judged by results that came since, and two models compared level by level."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import binom, linregress, norm, t, ttest_1samp, ttest_rel

from levelsense.errors import PredictionError
from levelsense.prediction.covariates import Covariates
from levelsense.prediction.evaluation import (
    Departure,
    Evaluation,
    compared,
    evaluate,
    evaluate_model,
    evaluation_data,
    log_densities,
    paired_difference,
)
from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.verdict import departure_sentences
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
    densities = log_densities(rate, low, high, np.array([5, 60]), np.array([20, 100]))
    for density, center, sd, won, tried in zip(
        densities, logit(rate), spread, (5, 60), (20, 100), strict=True
    ):

        def weighed(u: float, center=center, sd=sd, won=won, tried=tried) -> float:
            return float(binom.pmf(won, tried, expit(u)) * norm.pdf(u, center, sd))

        exact = quad(weighed, center - 9 * sd, center + 9 * sd, points=[center])[0]
        assert density == pytest.approx(np.log(exact), abs=1e-3)


def test_two_models_are_compared_level_by_level(model: DifficultyModel, mean_only: DifficultyModel) -> None:
    comparison = compared(evaluate_model(model, REST), REST, "the mean", mean_only, REST)
    back = compared(evaluate_model(mean_only, REST), REST, "all", model, REST)
    assert comparison.comparison is not None
    assert back.comparison is not None
    theirs = comparison.baselines[-1]
    assert theirs.name == comparison.comparison.against == "the mean"
    assert comparison.comparison.mae.mean == pytest.approx(comparison.figures.mae - theirs.mae)
    assert comparison.comparison.mae.high < 0 < comparison.comparison.density.low
    assert back.comparison.mae.low == pytest.approx(-comparison.comparison.mae.high)
    assert back.comparison.density.mean == pytest.approx(-comparison.comparison.density.mean)


def test_a_model_is_no_better_than_itself(model: DifficultyModel) -> None:
    comparison = compared(evaluate_model(model, REST), REST, "itself", model, REST)
    assert comparison.comparison is not None
    assert (comparison.comparison.mae.low, comparison.comparison.density.high) == (0.0, 0.0)
    assert evaluation_data(comparison)["comparison"]["against"] == "itself"


def test_other_levels_are_refused(model: DifficultyModel) -> None:
    evaluation: Evaluation = evaluate_model(model, REST)
    with pytest.raises(PredictionError, match="`against`: other levels than those that are judged"):
        compared(evaluation, REST, "x", model, PAST.head(REST.height))


def since(seed: int, bias: float = 0.0, levels: int = 60, name: str = "new") -> pl.DataFrame:
    """Levels that came after the fit, whose players' logits are higher by `bias` than those of the fit."""
    table = made_up_table(levels, seed=seed, bias=bias)
    return table.with_columns(level=pl.lit(f"{name}-") + pl.col("level"))


def growing(seed: int) -> pl.DataFrame:
    """Levels along which players become better and better."""
    return pl.concat([since(seed + part, 0.45 * part, 20, f"part-{part}") for part in range(3)])


def test_a_model_of_the_same_players_is_not_warned_of(model: DifficultyModel) -> None:
    for seed in range(40, 45):
        evaluation = evaluate_model(model, since(seed))
        assert evaluation.departures is not None
        assert departure_sentences(evaluation) == []


@pytest.mark.parametrize(
    ("bias", "side", "succeed"), [(0.8, "too low", "more often"), (-0.8, "too high", "less often")]
)
def test_players_who_are_better_or_worse_than_those_of_the_fit_are_told_of(
    model: DifficultyModel, bias: float, side: str, succeed: str
) -> None:
    evaluation = evaluate_model(model, since(7, bias))
    departures, delta = evaluation.departures, evaluation.levels["delta"]
    assert departures is not None
    assert not departures.change.is_clear
    (sentence,) = departure_sentences(evaluation)
    count = int(((delta < 0) if bias > 0 else (delta > 0)).sum())
    off = 100 * abs(np.mean(delta.to_numpy()))
    assert f"predictions are {off:.1f} percentage points {side} on average" in sentence
    assert f"at {count} of 60 levels; players succeed {succeed} than it expects" in sentence
    assert evaluation_data(evaluation)["departures"]["side"]["mean"] == pytest.approx(departures.side.mean)


def test_players_who_change_along_the_saga_are_told_of(model: DifficultyModel) -> None:
    evaluation = evaluate_model(model, growing(7))
    departures, delta = evaluation.departures, evaluation.levels["delta"].to_numpy()
    assert departures is not None
    slope, intercept = np.polyfit(np.arange(60), delta, 1)
    assert departures.ends == pytest.approx((intercept, intercept + 59 * slope))
    assert departures.change.mean == pytest.approx(59 * slope)
    assert departures.change.high < 0
    sentence = departure_sentences(evaluation)[-1]
    assert sentence.startswith("The model drifts along the saga: predictions are")
    assert f"{-100 * departures.ends[1]:.1f} percentage points too low at the last" in sentence


def test_the_interval_of_a_departure_is_that_of_a_t_test_if_the_coefficients_are_sure(
    model: DifficultyModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsure = evaluate_model(model, REST).departures
    monkeypatch.setattr("levelsense.prediction.mixed.binomial.MixedBinomial.shared_error", lambda *_: 0.0)
    evaluation = evaluate_model(model, REST)
    departures, delta = evaluation.departures, evaluation.levels["delta"].to_numpy()
    assert departures is not None
    assert unsure is not None
    side = ttest_1samp(delta, 0).confidence_interval(0.99)
    line = linregress(np.linspace(0, 1, len(delta)), delta)
    half = t.ppf(0.995, len(delta) - 2) * line.stderr
    assert (departures.side.low, departures.side.high) == pytest.approx((side.low, side.high))
    assert departures.change.low == pytest.approx(line.slope - half)
    assert departures.change.high == pytest.approx(line.slope + half)
    assert unsure.side.low < departures.side.low
    assert unsure.change.high > departures.change.high


def test_a_departure_that_is_clear_but_tiny_is_none() -> None:
    assert not Departure(0.004, 0.003, 0.005).is_clear
    assert not Departure(0.02, -0.001, 0.041).is_clear
    assert Departure(-0.02, -0.03, -0.01).is_clear


def test_few_levels_are_not_enough_to_see_a_departure(model: DifficultyModel) -> None:
    assert evaluate_model(model, since(7, 2.0, 9)).departures is None


def test_the_shared_error_is_that_of_draws_of_the_coefficients() -> None:
    draws = np.random.default_rng(5)
    rows = draws.normal(size=(50, 2))
    logits = 0.3 + rows @ [0.8, -0.4] + 0.4 * draws.normal(size=50)
    fit = MixedBinomial().fit(rows, draws.binomial(80, expit(logits)), np.full(50, 80))
    weights = np.full(50, 1 / 50)
    row = np.concatenate([[1.0], weights @ rows])
    exact = np.sqrt(row @ fit.covariance_[:-1, :-1] @ row)
    assert fit.shared_error(rows, weights) == pytest.approx(exact, rel=0.1)
