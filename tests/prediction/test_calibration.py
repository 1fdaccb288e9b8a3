"""Bands that are as wide as forward predictions were off: the factor, and models that take it."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.special import logit

from levelsense.errors import PredictionError
from levelsense.prediction import DifficultyModel, MixedBinomial
from levelsense.prediction.mixed.calibration import FACTOR_SPREAD, variance_factor
from tests.prediction.made_up import made_up_table
from tests.prediction.test_mixed_binomial import made_up


def errors_of(count: int, variance: float, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, np.sqrt(variance), count)


@pytest.mark.parametrize("factor", [0.5, 1.0, 1.8])
def test_many_errors_tell_the_factor(factor: float) -> None:
    model_variance, known = np.full(5000, 0.2), np.full(5000, 0.1)
    estimate = variance_factor(errors_of(5000, factor * 0.2 + 0.1), model_variance, known)
    assert estimate == pytest.approx(factor, rel=0.06)


def test_the_factor_by_hand() -> None:
    # With no known variance and n errors of mean square s, n / 2 (1 - s exp(-l)) + l / spread^2 is 0 at the
    # factor's logarithm l.
    errors = np.full(20, np.sqrt(0.5))
    log_factor = np.log(variance_factor(errors, np.ones(20), np.zeros(20)))
    assert 10 * (1 - 0.5 * np.exp(-log_factor)) + log_factor / FACTOR_SPREAD**2 == pytest.approx(0, abs=1e-3)


def test_what_errors_do_not_tell_leaves_the_factor_at_1() -> None:
    assert variance_factor(np.zeros(0), np.zeros(0), np.zeros(0)) == pytest.approx(1, abs=1e-4)
    # A hundred errors that are nearly all of the known variance.
    assert variance_factor(errors_of(100, 10.0), np.full(100, 0.01), np.full(100, 10.0)) == pytest.approx(
        1, abs=0.01
    )


def test_a_fit_with_more_variance_has_wider_bands_around_the_same_medians() -> None:
    fit = MixedBinomial().fit(*made_up(200, 2, 0.4, seed=11))
    new = np.array([[-2.0, 0.0], [0.0, 0.0], [1.0, 1.0]])
    wider = fit.rescaled(4.0)
    before, after = fit.predict(new), wider.predict(new)
    # Each sigma of the mixture has coefficients of its own, so that medians are equal but for a little.
    assert after.rate == pytest.approx(before.rate, abs=1e-3)
    for side in ("low", "high"):
        distances = [
            logit(getattr(prediction.bands[0.95], side)) - logit(prediction.rate)
            for prediction in (before, after)
        ]
        assert distances[1] == pytest.approx(2 * distances[0], rel=0.01)
    assert wider.sigma_ == pytest.approx(2 * fit.sigma_)
    assert wider.se_ == pytest.approx(2 * fit.se_)
    assert wider.sigma_se_log_ == pytest.approx(fit.sigma_se_log_)
    assert wider.sigma_interval() == pytest.approx(2 * np.array(fit.sigma_interval()))


def test_a_walk_with_more_variance_goes_further_ahead() -> None:
    columns, successes, attempts = made_up(200, 2, 0.4, seed=11)
    fit = MixedBinomial().fit(columns, successes, attempts, time=np.arange(200.0))
    new, later = np.zeros((1, 2)), np.array([400.0])
    _, variance = fit.expected_logits(new, time=later)
    means, more = fit.rescaled(2.0).expected_logits(new, time=later)
    # All but what the sizes of the walk and the sigmas differ by in their means, which is next to nothing.
    assert more == pytest.approx(2 * variance, rel=0.02)
    assert means == pytest.approx(fit.expected_logits(new, time=later)[0])


def test_expected_logits_are_those_that_bands_are_made_of() -> None:
    fit = MixedBinomial().fit(*made_up(400, 2, 0.4, seed=3))
    new = np.array([[0.5, -0.5]])
    mean, variance = fit.expected_logits(new)
    band = fit.predict(new).bands[0.95]
    half = 1.96 * np.sqrt(variance)
    assert logit(band.low) == pytest.approx(mean - half, abs=0.02)
    assert logit(band.high) == pytest.approx(mean + half, abs=0.02)
    _, stretched = fit.expected_logits(new, stretch=2.0)
    assert stretched - variance == pytest.approx(3 * fit.sigma_**2, rel=0.05)


def saga_with(first: float, second: float) -> pl.DataFrame:
    """160 levels whose kappas have one standard deviation in the first half, and another in the second."""
    parts = [made_up_table(80, seed, 400, sigma, 2000) for seed, sigma in ((1, first), (2, second))]
    return pl.concat(parts).with_columns(level=pl.Series([f"level-{k:03}" for k in range(160)]))


@pytest.fixture(scope="module")
def quieter() -> DifficultyModel:
    return DifficultyModel().fit(saga_with(0.6, 0.2))


@pytest.mark.slow
def test_bands_are_narrower_where_later_levels_were_nearer_than_expected(quieter: DifficultyModel) -> None:
    louder, even = (DifficultyModel().fit(saga_with(*sigmas)) for sigmas in ((0.2, 0.6), (0.4, 0.4)))
    assert quieter.calibration_ < 0.8
    assert 0.8 < even.calibration_ < 1.25
    assert louder.calibration_ > 1.25


def test_a_fit_takes_the_factor_into_its_bands(quieter: DifficultyModel) -> None:
    # A single penalty is not chosen by forward predictions, and its bands are left as they are.
    as_it_is = DifficultyModel(penalties=(quieter.penalty_,)).fit(quieter.table_)
    assert as_it_is.calibration_ == 1.0
    assert quieter.mixed_.sigma_**2 == pytest.approx(quieter.calibration_ * as_it_is.mixed_.sigma_**2)
    new = quieter.table_.tail(5).with_columns(level=pl.lit("new") + pl.col("level"))
    before, after = as_it_is.predict(new), quieter.predict(new)
    assert (after["high_95"] - after["low_95"] < before["high_95"] - before["low_95"]).all()
    assert after["rate"].to_numpy() == pytest.approx(before["rate"].to_numpy(), abs=1e-3)


def test_a_saved_model_has_the_bands_of_the_fit(quieter: DifficultyModel, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    quieter.save(path)
    new = quieter.table_.tail(5)
    # Numbers of the file are rounded.
    numbers = [model.predict(new).drop("level").to_numpy() for model in (DifficultyModel.load(path), quieter)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-5)


@pytest.mark.slow
def test_few_levels_leave_the_bands_as_they_are() -> None:
    assert DifficultyModel().fit(made_up_table(79)).calibration_ == 1.0


@pytest.mark.slow
def test_levels_before_that_have_no_model_leave_the_bands_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, fit = saga_with(0.6, 0.2), DifficultyModel.fit

    def fail_with_few(model: DifficultyModel, levels: pl.DataFrame) -> DifficultyModel:
        if levels.height < table.height:
            raise PredictionError("too little to tell")
        return fit(model, levels)

    monkeypatch.setattr(DifficultyModel, "fit", fail_with_few)
    assert DifficultyModel().fit(table).calibration_ == 1.0
