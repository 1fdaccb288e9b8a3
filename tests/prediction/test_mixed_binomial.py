"""The fit: summits that can be worked out by hand, penalties, known variances, few levels, sigma at 0."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from levelsense.errors import PredictionError
from levelsense.prediction import MixedBinomial
from levelsense.prediction.mixed.quadrature import LevelLikelihood

NONE = np.empty((3, 0))


def made_up(levels: int, columns: int, sigma: float, seed: int, attempts: int = 300) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(levels, columns))
    logits = 0.3 + 0.5 * x.sum(axis=1) + sigma * rng.normal(size=levels)
    n = np.full(levels, attempts)
    return x, rng.binomial(n, expit(logits)), n


def value(x: Any, coefficients: Any, sigma: float, k: Any, n: Any) -> float:
    eta = coefficients[0] + x @ coefficients[1:]
    return float(LevelLikelihood(k, n, 15).slopes(eta, np.full(len(k), sigma)).value.sum())


def test_equal_levels_have_no_spread_and_the_pooled_rate() -> None:
    model = MixedBinomial().fit(NONE, [3, 3, 3], [4, 4, 4])
    assert model.converged_
    assert model.sigma_ == 0.0
    assert model.coef_ == pytest.approx([np.log(3)], abs=1e-6)
    assert model.se_ == pytest.approx([(12 * 0.75 * 0.25) ** -0.5], rel=1e-4)
    assert model.loglik_ == pytest.approx(3 * np.log(4 * 0.75**3 * 0.25))
    assert model.sigma_se_log_ == np.inf
    assert np.isinf(model.covariance_[-1, -1])
    assert not model.covariance_[-1, :-1].any()


def test_every_way_from_the_summit_leads_down() -> None:
    x, k, n = made_up(60, 2, 0.5, seed=1)
    model = MixedBinomial().fit(x, k, n)
    assert value(x, model.coef_, model.sigma_, k, n) == pytest.approx(model.loglik_, abs=1e-9)
    for column in range(3):
        for shift in (-0.01, 0.01):
            moved = model.coef_.copy()
            moved[column] += shift
            assert value(x, moved, model.sigma_, k, n) < model.loglik_
    for factor in (0.95, 1.05):
        assert value(x, model.coef_, factor * model.sigma_, k, n) < model.loglik_


def test_the_covariance_is_that_of_the_surface() -> None:
    """Minus the inverse of its second differences by the coefficients and the logarithm of sigma."""
    x, k, n = made_up(60, 1, 0.5, seed=1)
    model = MixedBinomial().fit(x, k, n)
    summit = np.append(model.coef_, np.log(model.sigma_))
    steps = 0.02 * np.eye(3)

    def height(place: Any) -> float:
        return value(x, place[:2], float(np.exp(place[2])), k, n)

    bends = [
        [
            height(summit + one + other) - height(summit + one - other)
            - height(summit - one + other) + height(summit - one - other)
            for other in steps
        ]
        for one in steps
    ]  # fmt: skip
    expected = np.linalg.inv(-np.array(bends) / (2 * 0.02) ** 2)
    assert model.covariance_ == pytest.approx(expected, rel=0.02, abs=1e-4)
    assert model.sigma_se_log_ == pytest.approx(np.sqrt(expected[2, 2]), rel=0.01)


def test_a_known_variance_is_taken_off_sigma() -> None:
    x, k, n = made_up(80, 1, 0.6, seed=2)
    plain, known = MixedBinomial().fit(x, k, n), MixedBinomial().fit(x, k, n, variance=0.1)
    assert known.sigma_**2 + 0.1 == pytest.approx(plain.sigma_**2, rel=1e-6)
    assert known.loglik_ == pytest.approx(plain.loglik_, abs=1e-6)
    assert known.coef_ == pytest.approx(plain.coef_, abs=1e-6)
    assert known.se_ == pytest.approx(plain.se_, rel=1e-4)
    assert MixedBinomial().fit(x, k, n, variance=1.0).sigma_ == 0.0


def test_levels_with_a_larger_known_variance_count_less() -> None:
    variance = np.array([0.0, 0.0, 4.0])
    model = MixedBinomial().fit(NONE, [500, 500, 900], [1000, 1000, 1000], variance)
    plain = MixedBinomial().fit(NONE, [500, 500, 900], [1000, 1000, 1000])
    assert abs(model.coef_[0]) < 0.05 < 0.5 < plain.coef_[0]


def test_units_of_the_columns_change_nothing_but_the_coefficients() -> None:
    x, k, n = made_up(50, 2, 0.4, seed=3)
    plain = MixedBinomial().fit(x, k, n)
    moved = MixedBinomial().fit(x * [1e6, 1e-3] + [5e6, 20], k, n)
    assert moved.coef_[1:] == pytest.approx(plain.coef_[1:] / [1e6, 1e-3], rel=1e-5)
    assert moved.se_[1:] == pytest.approx(plain.se_[1:] / [1e6, 1e-3], rel=1e-4)
    assert moved.loglik_ == pytest.approx(plain.loglik_, abs=1e-6)


def test_a_penalty_shrinks_the_slopes_and_never_the_intercept() -> None:
    x, k, n = made_up(60, 3, 0.4, seed=4)
    alone = MixedBinomial().fit(np.empty((60, 0)), k, n)
    slopes = [MixedBinomial(penalty=penalty).fit(x, k, n).coef_[1:] for penalty in (0.0, 10.0, 1000.0)]
    sizes = [float(np.abs(slope).sum()) for slope in slopes]
    assert sizes == sorted(sizes, reverse=True)
    crushed = MixedBinomial(penalty=1e9).fit(x, k, n)
    assert crushed.coef_[1:] == pytest.approx(0, abs=1e-5)
    assert crushed.coef_[0] == pytest.approx(alone.coef_[0], abs=1e-4)
    assert crushed.loglik_ == pytest.approx(alone.loglik_, abs=1e-3)


def test_the_penalty_is_on_columns_as_given_and_left_out_of_the_likelihood() -> None:
    x, k, n = made_up(60, 2, 0.4, seed=5)
    plain = MixedBinomial(penalty=7.0).fit(x, k, n)
    tenfold = MixedBinomial(penalty=700.0).fit(10 * x, k, n)
    assert tenfold.coef_[1:] * 10 == pytest.approx(plain.coef_[1:], abs=1e-6)
    assert tenfold.loglik_ == pytest.approx(plain.loglik_, abs=1e-6)
    # At the summit the slope of the log-likelihood is what the penalty pulls: penalty times coefficient.
    step = 1e-4
    for column in (1, 2):
        ends = []
        for sign in (1, -1):
            moved = plain.coef_.copy()
            moved[column] += sign * step
            ends.append(value(x, moved, plain.sigma_, k, n))
        assert (ends[0] - ends[1]) / (2 * step) == pytest.approx(7 * plain.coef_[column], rel=1e-4)


def test_a_start_from_another_fit_ends_on_the_same_summit() -> None:
    x, k, n = made_up(60, 2, 0.4, seed=6)
    cold = MixedBinomial(penalty=1.0).fit(x, k, n)
    warm = MixedBinomial(penalty=1.0).fit(x, k, n, start=MixedBinomial(penalty=50.0).fit(x, k, n))
    assert warm.coef_ == pytest.approx(cold.coef_, abs=1e-6)
    assert warm.sigma_ == pytest.approx(cold.sigma_, abs=1e-6)
    zero = MixedBinomial().fit(x, np.round(n * expit(0.3 + 0.5 * x.sum(axis=1))), n)
    assert zero.sigma_ == 0.0
    assert MixedBinomial(penalty=1.0).fit(x, k, n, start=zero).sigma_ == pytest.approx(cold.sigma_, abs=1e-6)


def test_three_levels_and_a_column_get_a_wide_band() -> None:
    few = MixedBinomial().fit([[-1.0], [0.0], [1.0]], [100, 160, 210], [300, 300, 300])
    x, k, n = made_up(400, 1, 0.3, seed=7)
    many = MixedBinomial().fit(x, k, n)
    band, narrow = (model.predict([[0.2]]).bands[0.95] for model in (few, many))
    assert band.high[0] - band.low[0] > 0.5 > 0.35 > narrow.high[0] - narrow.low[0]


def test_as_many_coefficients_as_levels_still_give_a_band() -> None:
    band = MixedBinomial().fit([[0.0], [1.0]], [10, 20], [40, 40]).predict([[0.5]]).bands[0.95]
    assert 0 < band.low[0] < 0.2
    assert 0.6 < band.high[0] < 1


def test_bands_stay_sane_where_sigma_is_nearly_nothing() -> None:
    """A standard error of log sigma of thousands, taken at its word, would make rates of 0 and 1."""
    x, _, n = made_up(50, 1, 0.0, seed=8, attempts=2000)
    rng = np.random.default_rng(8)
    seen = []
    for _ in range(10):
        model = MixedBinomial().fit(x, rng.binomial(n, expit(x[:, 0])), n)
        band = model.predict([[0.0]]).bands[0.95]
        seen.append(model.sigma_)
        assert 0 < band.high[0] - band.low[0] < 0.08
    assert min(seen) == 0.0
    assert 0 < max(seen) < 0.06


def test_sigmas_interval_by_hand() -> None:
    """Ten sigmas of the same weight: a tenth each lies around 0, 1, ... 9, so that 10 % are below 0.5."""
    model = MixedBinomial().fit(NONE, [3, 3, 3], [4, 4, 4])
    model._grid = replace(model._fitted(), sigmas=np.arange(10.0), weights=np.full(10, 0.1))
    assert model.sigma_interval(0.8) == pytest.approx((0.5, 8.5))
    assert model.sigma_interval(0.5) == pytest.approx((2.0, 7.0))


def test_sigma_beyond_all_bounds_is_told() -> None:
    x = np.tile([[0.0], [1.0]], (20, 1))
    k = np.tile([0, 0, 1000, 1000], 10)
    with pytest.raises(PredictionError, match="sigma beyond 30 logits, with no finite best value"):
        MixedBinomial().fit(x, k, np.full(40, 1000))


def test_a_fit_written_down_and_read_again_predicts_the_same() -> None:
    for sigma in (0.0, 0.5):
        x, k, n = made_up(30, 2, sigma, seed=9)
        model = MixedBinomial(penalty=0.5).fit(x, k, n)
        again = MixedBinomial.from_data(json.loads(json.dumps(model.as_data(), allow_nan=False)))
        assert repr(again) == "MixedBinomial(nodes=15, penalty=0.5)"
        for name in (
            "coef_",
            "se_",
            "sigma_",
            "sigma_se_log_",
            "covariance_",
            "loglik_",
            "converged_",
            "n_levels_",
        ):
            assert np.array_equal(getattr(again, name), getattr(model, name)), name
        assert np.array_equal(
            again.predict(x, n, variance=0.1).bands[0.95].low,
            model.predict(x, n, variance=0.1).bands[0.95].low,
        )


def test_sigma_0_is_left_where_it_is_no_summit() -> None:
    """Nearly all attempts won: the climb passes by 0, where the slope is 0 and the surface bends up."""
    n = np.array([123, 817, 116, 701, 896, 854, 179, 189, 893, 331, 319, 173, 99])
    k = np.array([123, 817, 115, 700, 896, 854, 177, 189, 893, 331, 318, 173, 98])
    x = np.random.default_rng(0).normal(size=(13, 1))
    model = MixedBinomial().fit(x, k, n)
    zero = value(x, model.coef_, 0.0, k, n)
    assert model.converged_
    assert model.sigma_ > 0.5
    assert model.loglik_ > zero


@settings(max_examples=60, deadline=None)
@given(
    levels=st.integers(1, 20),
    columns=st.integers(0, 3),
    penalty=st.sampled_from([0.0, 1e-6, 1.0, 1e5]),
    nodes=st.sampled_from([1, 5, 15]),
    most=st.sampled_from([1, 10, 1000, 1_000_000]),
    center=st.sampled_from([-3.0, 0.0, 8.0]),
    sigma=st.sampled_from([0.0, 0.5, 8.0]),
    seed=st.integers(0, 2**32 - 1),
)
def test_any_counts_get_a_finite_band_or_a_sentence(
    levels: int, columns: int, penalty: float, nodes: int, most: int, center: float, sigma: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(levels, columns)) * 10.0 ** rng.integers(-3, 4, columns)
    n = rng.integers(1, most + 1, levels)
    k = rng.binomial(n, expit(center + sigma * rng.normal(size=levels)))
    try:
        model = MixedBinomial(nodes, penalty).fit(x, k, n)
    except PredictionError:
        return
    band = model.predict(x, draws=200).bands[0.95]
    # So weak a penalty lets columns that separate run far, in steps that hardly pay: then it is told.
    assert model.converged_ or penalty == 1e-6
    assert np.all(np.isfinite(np.concatenate([model.coef_, model.se_, band.low, band.high])))
    assert np.all(band.low <= band.high)
