"""Predictions: what they promise of one another, and how often they hold."""

from typing import Any

import numpy as np
import pytest
from scipy.special import expit, logit, ndtr, ndtri
from scipy.stats import t

from levelsense.prediction import MixedBinomial
from levelsense.prediction.mixed.band import _ranks
from levelsense.prediction.mixed.quadrature import LevelLikelihood
from levelsense.studies.band_coverage import coverage
from tests.prediction.test_mixed_binomial import made_up


@pytest.fixture(scope="module")
def model() -> MixedBinomial:
    return MixedBinomial().fit(*made_up(200, 2, 0.4, seed=11))


NEW = np.array([[-2.0, 0.0], [0.0, 0.0], [1.0, 1.0], [4.0, 4.0]])


@pytest.mark.parametrize("attempts", [None, 150])
def test_bands_nest_around_the_median_within_0_and_1(model: MixedBinomial, attempts: Any) -> None:
    predicted = model.predict(NEW, attempts)
    half, most = predicted.bands[0.5], predicted.bands[0.95]
    ends = [most.low, half.low, predicted.rate, half.high, most.high]
    assert np.all(np.diff(ends, axis=0) >= 0)
    assert np.all(most.low < most.high)
    assert np.min(ends) >= 0
    assert np.max(ends) <= 1
    assert predicted.observed == (attempts is not None)
    assert (half.level, most.level) == (0.5, 0.95)


def test_the_rate_is_the_median_and_the_mean_is_nearer_to_a_half(model: MixedBinomial) -> None:
    predicted = model.predict(NEW)
    assert predicted.rate == pytest.approx(expit(model.coef_[0] + NEW @ model.coef_[1:]), abs=2e-3)
    assert np.all(np.abs(predicted.mean - 0.5)[[0, 2, 3]] < np.abs(predicted.rate - 0.5)[[0, 2, 3]])


def test_the_band_is_the_one_of_the_normal_distribution_where_all_is_well_known() -> None:
    model = MixedBinomial().fit(*made_up(3000, 1, 0.4, seed=12))
    band = model.predict([[0.5]]).bands[0.95]
    center = model.coef_ @ [1, 0.5]
    for end, share in ((band.low, 0.025), (band.high, 0.975)):
        assert end[0] == pytest.approx(expit(center + model.sigma_ * ndtri(share)), abs=3e-3)


@pytest.mark.parametrize("levels", [6, 200])
def test_draws_give_the_ends_of_the_mixture_that_they_are_drawn_from(levels: int) -> None:
    model = MixedBinomial().fit(*made_up(levels, 2, 0.4, seed=13))
    grid = model._fitted()
    center, spread = grid.logits(np.column_stack([np.ones(len(NEW)), NEW]), 0.0)
    for level, band in model.predict(NEW).bands.items():
        for ends, share in ((band.low, (1 - level) / 2), (band.high, (1 + level) / 2)):
            assert grid.weights @ ndtr((logit(ends) - center) / spread) == pytest.approx(share, abs=1.5e-3)


@pytest.mark.parametrize(
    ("successes", "is_zero"), [((38, 45, 38, 42, 41, 36), True), ((20, 60, 35, 70, 41, 30), False)]
)
def test_sigmas_weights_are_those_of_slow_integration(successes: tuple[int, ...], is_zero: bool) -> None:
    """Over the intercept and sigma, with a half-Student prior; where 0 is likely, and where it is not."""
    model = MixedBinomial().fit(np.empty((6, 0)), successes, 100)
    assert (model.sigma_ == 0) == is_zero
    centers, sigmas = np.linspace(-3, 2, 161), np.linspace(0, 4, 161)
    levels = LevelLikelihood(np.tile(successes, 161), np.full(6 * 161, 100), 15)
    density = t(3).pdf(sigmas)
    for place, sigma in enumerate(sigmas):
        logs = levels.slopes(np.repeat(centers, 6), np.full(6 * 161, sigma)).value.reshape(161, 6).sum(axis=1)
        density[place] *= np.trapezoid(np.exp(logs - model.loglik_), centers)
    grid, total = model._fitted(), np.trapezoid(density, sigmas)
    assert grid.weights.sum() == pytest.approx(1)
    for power in (1, 2):
        expected = np.trapezoid(density * sigmas**power, sigmas) / total
        assert grid.weights @ grid.sigmas**power == pytest.approx(expected, rel=0.02)


def test_a_band_holds_its_level_of_the_draws() -> None:
    """Of 100 draws in order, a 95 % band of the 3rd to the 98th holds 96, and a 50 % band 50."""
    assert _ranks(np.array([0.5, 0.025, 0.975, 0.25, 0.75]), 100).tolist() == [50, 2, 97, 25, 74]
    assert _ranks(np.array([0.001, 0.999]), 100).tolist() == [0, 99]


def test_attempts_per_success_is_the_rate_turned_round(model: MixedBinomial) -> None:
    predicted = model.predict(NEW)
    assert predicted.needed == pytest.approx(1 / predicted.rate)
    assert predicted.needed_bands[0.95].low == pytest.approx(1 / predicted.bands[0.95].high)
    assert predicted.needed_bands[0.95].high == pytest.approx(1 / predicted.bands[0.95].low)
    rare = model.predict([[-10.0, -10.0]], attempts=5)
    assert rare.bands[0.95].low[0] == 0
    assert rare.needed_bands[0.95].high[0] == np.inf


def test_attempts_change_the_band_and_not_the_rate(model: MixedBinomial) -> None:
    true, seen = model.predict(NEW), model.predict(NEW, attempts=1)
    for ours, theirs in ((true.rate, seen.rate), (true.mean, seen.mean), (true.needed, seen.needed)):
        assert np.array_equal(ours, theirs)
    assert {*seen.bands[0.5].low, *seen.bands[0.5].high} <= {0.0, 1.0}


def test_few_attempts_widen_the_observed_band_and_many_do_not(model: MixedBinomial) -> None:
    true, few, many = (model.predict(NEW, attempts).bands[0.95] for attempts in (None, 50, 10_000_000))
    assert np.all(few.high - few.low > true.high - true.low)
    assert many.low == pytest.approx(true.low, abs=2e-3)
    assert many.high == pytest.approx(true.high, abs=2e-3)
    # Of 10 attempts, whole numbers of successes can be seen and nothing else.
    ten = model.predict(NEW, 10).bands[0.5]
    assert ten.low * 10 == pytest.approx(np.round(ten.low * 10))


def test_a_known_variance_widens_the_band_of_its_row_only(model: MixedBinomial) -> None:
    plain, noisy = model.predict(NEW), model.predict(NEW, variance=[0, 0.5, 0, 0])
    wider = noisy.bands[0.95].high - noisy.bands[0.95].low > plain.bands[0.95].high - plain.bands[0.95].low
    assert wider.tolist() == [False, True, False, False]


def test_far_from_the_fitted_levels_the_band_is_wider(model: MixedBinomial) -> None:
    logits = [
        np.log(ends / (1 - ends))
        for band in [model.predict([[0.0, 0.0], [12.0, -12.0]]).bands[0.95]]
        for ends in (band.low, band.high)
    ]
    near, far = logits[1] - logits[0]
    assert far > 1.2 * near


@pytest.mark.parametrize("attempts", [None, np.arange(100, 700)])
def test_a_row_does_not_depend_on_the_rows_beside_it(model: MixedBinomial, attempts: Any) -> None:
    x = np.random.default_rng(1).normal(size=(600, 2))
    together = model.predict(x, attempts).bands[0.95]
    for row in (0, 255, 256, 599):
        alone = model.predict(x[[row]], None if attempts is None else attempts[[row]]).bands[0.95]
        assert (alone.low[0], alone.high[0]) == pytest.approx(
            (together.low[row], together.high[row]), abs=1e-12
        )


def test_the_seed_decides_and_hardly_matters(model: MixedBinomial) -> None:
    bands = [model.predict(NEW, seed=seed).bands[0.95].low for seed in (0, 0, 1)]
    assert np.array_equal(bands[0], bands[1])
    assert not np.array_equal(bands[0], bands[2])
    assert bands[0] == pytest.approx(bands[2], rel=0.02)


def test_any_levels_may_be_asked_for(model: MixedBinomial) -> None:
    predicted = model.predict(NEW, levels=(0.8,))
    assert list(predicted.bands) == list(predicted.needed_bands) == [0.8]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("levels", "columns", "games", "seed", "tolerance"),
    [(10, 1, 60, 1, 0.03), (40, 4, 60, 2, 0.02), (800, 4, 8, 3, 0.03)],
)
def test_95_percent_of_new_levels_lie_in_the_95_percent_band(
    levels: int, columns: int, games: int, seed: int, tolerance: float
) -> None:
    """The tolerance is about three standard errors of so many games with 40 new levels each."""
    covered = coverage(levels, columns, 0.4, games, seed)
    assert covered.true_95 == pytest.approx(0.95, abs=tolerance)
    assert covered.observed_95 == pytest.approx(0.95, abs=tolerance)
    assert covered.true_50 == pytest.approx(0.5, abs=0.08)


@pytest.mark.slow
def test_without_a_correction_few_levels_would_be_overconfident() -> None:
    """At 10 levels with four columns the fitted sigma is about half of the true one; the band holds."""
    covered = coverage(10, 4, 0.4, 60, 4)
    assert covered.fitted_sigma < 0.3
    assert 0.93 < covered.true_95 < 0.99
