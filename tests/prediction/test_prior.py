"""Priors of other populations, design effects, and a sigma that depends on the expected logit."""

from typing import Any

import numpy as np
import pytest
from scipy.special import expit

from levelsense.errors import PredictionError
from levelsense.prediction import MixedBinomial
from levelsense.prediction.mixed.calibration import SigmaCurve, fit_curve
from levelsense.prediction.mixed.data import fit_design
from levelsense.prediction.mixed.prior import Prior, SigmaPrior
from levelsense.prediction.populations import Populations, compare_populations

MEAN = np.array([-0.5, 1.0, -0.4])


def population(shift: float, slope: float, levels: int, seed: int = 0, sigma: float = 0.15) -> Any:
    rng = np.random.default_rng(seed)
    x, n = rng.normal(size=(levels, 2)), np.full(levels, 1000)
    average = MEAN[0] + x @ MEAN[1:]
    logits = shift + slope * average + sigma * rng.normal(size=levels)
    return x, rng.binomial(n, expit(logits)), n


def prior(shift: float = 0.4, slope: float = 0.1) -> Prior:
    return Populations(("a", "b", "c", "d"), 0.0, shift, slope, 0.15, 0.3).prior(MEAN)


def test_a_prior_by_hand() -> None:
    """The directions are (1, 0, 0) and the average coefficients, the center's logit taken off the first."""
    prior = Populations(("a", "b", "c"), 2.0, 0.5, 0.1, 0.2, 0.3).prior(MEAN)
    slope = np.array([-2.5, 1.0, -0.4])
    expected = 0.25 * np.outer([1, 0, 0], [1, 0, 0]) + 0.01 * np.outer(slope, slope)
    assert np.allclose(prior.shared, expected)
    covariance = expected + np.diag([1e-6, 0.1, 0.1])
    assert np.allclose(prior.precision(10.0), np.linalg.inv(covariance))


def test_three_levels_move_all_others() -> None:
    x, k, n = population(0.6, 1.0, 3)
    fitted = MixedBinomial(penalty=1000.0, prior=prior()).fit(x, k, n)
    assert fitted.coef_[0] == pytest.approx(MEAN[0] + 0.6, abs=0.25)
    assert np.allclose(fitted.coef_[1:], MEAN[1:], atol=0.15)
    x, k, n = population(0.6, 1.0, 200, seed=1)
    with_prior, without = (
        model.predict(x, n) for model in (fitted, MixedBinomial(penalty=1000.0).fit(*population(0.6, 1.0, 3)))
    )
    errors = [np.abs(prediction.rate - k / n).mean() for prediction in (with_prior, without)]
    assert errors[0] < 0.06 < errors[1]
    band = with_prior.bands[0.95]
    assert 0.02 <= np.mean((k / n < band.low) | (k / n > band.high)) + 0.02 <= 0.12


def test_many_levels_take_over() -> None:
    x, k, n = population(1.5, 0.6, 400)
    with_prior = MixedBinomial(penalty=1.0, prior=prior()).fit(x, k, n)
    without = MixedBinomial(penalty=1.0).fit(x, k, n)
    assert np.allclose(with_prior.coef_, without.coef_, atol=0.03)
    assert with_prior.sigma_interval()[1] == pytest.approx(without.sigma_interval()[1], rel=0.1)


def test_priors_that_do_not_fit() -> None:
    x, k, n = population(0.0, 1.0, 20)
    with pytest.raises(PredictionError, match="prior: 3 coefficients; expected 2"):
        MixedBinomial(penalty=1.0, prior=prior()).fit(x[:, :1], k, n)
    with pytest.raises(PredictionError, match="penalty: 0; expected a number above 0 beside a prior"):
        MixedBinomial(prior=prior())


def test_sigma_priors() -> None:
    weak, informed = SigmaPrior(), SigmaPrior(middle=0.2, spread=0.5)
    assert weak.log_density(0.0) == 0
    assert informed.log_density(0.0) < -30
    # Log-normal: at the same distance up and down the density differs by the change of variable alone.
    up, down = informed.log_density(0.4), informed.log_density(0.1)
    assert up + np.log(0.4) == pytest.approx(down + np.log(0.1))
    assert informed.start(0.0, 0.3)[0] == pytest.approx(0.2)


def test_populations_are_compared() -> None:
    rng = np.random.default_rng(5)
    shifts, slopes = rng.normal(0, 0.5, 12), 1 + rng.normal(0, 0.1, 12)
    populations = []
    for number, (shift, slope) in enumerate(zip(shifts, slopes, strict=True)):
        x, k, n = population(shift, slope, 150, seed=number)
        populations.append((MEAN[0] + x @ MEAN[1:], {"successes": k, "attempts": n}))
    differences = compare_populations([str(number) for number in range(12)], populations)
    at_center = shifts + (slopes - 1) * differences.center
    assert differences.shift == pytest.approx(np.sqrt(np.sum(at_center**2) / 11), rel=0.15)
    assert differences.slope == pytest.approx(np.sqrt(np.sum((slopes - 1) ** 2) / 11), rel=0.3)
    assert differences.sigma == pytest.approx(0.15, rel=0.15)
    with pytest.raises(PredictionError, match="2 populations; expected at least 3"):
        compare_populations(["a", "b"], populations[:2])


def test_bands_for_an_unknown_population_hold_other_populations() -> None:
    average = MixedBinomial(penalty=1.0).fit(*population(0.0, 1.0, 300))
    unknown = average.for_unknown(prior(0.4, 0.1), 11)
    outside = []
    rng = np.random.default_rng(2)
    for number in range(60):
        x, k, n = population(rng.normal(0, 0.4), rng.normal(1, 0.1), 30, seed=100 + number)
        band = unknown.predict(x, n).bands[0.95]
        outside.append(np.mean((k / n < band.low) | (k / n > band.high)))
    assert 0.01 < np.mean(outside) < 0.09
    x, k, n = population(0.0, 1.0, 20, seed=9)
    wide, narrow = unknown.predict(x).bands[0.95], average.predict(x).bands[0.95]
    assert np.all(wide.high - wide.low > 1.5 * (narrow.high - narrow.low))


def test_units_of_the_columns_do_not_change_the_band_for_an_unknown_population() -> None:
    x, k, n = population(0.0, 1.0, 60)
    wide = prior(0.4, 0.5)
    # A coefficient of 10 x + 3 is a tenth, and the intercept is lower by what 3 adds.
    turned = np.array([[1.0, -0.3, -0.3], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]])
    other = Prior(turned @ wide.mean, turned @ wide.shared @ turned.T, wide.sigma)
    ours = MixedBinomial(penalty=1.0).fit(x, k, n).for_unknown(wide, 3).predict(x).bands[0.95]
    theirs = MixedBinomial(penalty=100.0).fit(10 * x + 3, k, n).for_unknown(other, 3).predict(10 * x + 3)
    assert theirs.bands[0.95].low == pytest.approx(ours.low, abs=1e-6)
    assert theirs.bands[0.95].high == pytest.approx(ours.high, abs=1e-6)


def test_a_design_effect_divides_the_attempts() -> None:
    x, k, n = population(0.0, 1.0, 80)
    halved = MixedBinomial(penalty=1.0).fit(x, 2 * k, 2 * n, design_effect=2.0)
    plain = MixedBinomial(penalty=1.0).fit(x, k, n)
    assert np.allclose(halved.coef_, plain.coef_, atol=1e-8)
    assert halved.sigma_ == pytest.approx(plain.sigma_, abs=1e-8)
    with pytest.raises(PredictionError, match=r"design_effect, row 0: 0\.5; expected at least 1"):
        MixedBinomial().fit(x, k, n, design_effect=0.5)


def test_observed_bands_widen_by_the_design_effect() -> None:
    x, k, n = population(0.0, 1.0, 80)
    model = MixedBinomial(penalty=1.0).fit(x, k, n)
    zeros = np.zeros((1, 2))
    true = model.predict(zeros).bands[0.95]

    def noise(attempts: int, effect: float) -> float:
        """The variance that is added to the true rate's, by the widths of 95 % bands."""
        band = model.predict(zeros, attempts, design_effect=effect).bands[0.95]
        return float((band.high - band.low)[0] ** 2 - (true.high - true.low)[0] ** 2)

    assert noise(200, 3.0) / noise(200, 1.0) == pytest.approx(3, rel=0.25)


def test_a_curve_of_sigma_is_found() -> None:
    rng = np.random.default_rng(0)
    logits, n = rng.uniform(-4, 2, 1500), np.full(1500, 4000)
    sigma = 0.1 * SigmaCurve(0.2, 0.8).stretch(logits)
    k = rng.binomial(n, expit(logits + sigma * rng.normal(size=1500)))
    curve = fit_curve(fit_design(logits[:, None], k, n, None), logits, 0.15)
    assert curve.bend == pytest.approx(0.8, abs=0.25)
    assert curve.slope == pytest.approx(0.2, abs=0.2)
    assert SigmaCurve().stretch(logits).tolist() == [1.0] * 1500
    few = fit_curve(fit_design(logits[:4, None], k[:4], n[:4], None), logits[:4], 0.15)
    assert abs(few.bend) < 0.5
    assert fit_curve(fit_design([[0.0]], [0], [2], None), np.array([-9.0]), 0.1) == SigmaCurve()


def test_what_is_known_of_errors_makes_no_curve() -> None:
    """Sigma is the same everywhere; what differs are the errors of counts and of columns, both known."""
    rng = np.random.default_rng(1)
    logits, n = rng.uniform(-3, 2, 1500), np.full(1500, 100)
    variance = 0.05 * (logits + 1) ** 2
    k = rng.binomial(n, expit(logits + np.sqrt(0.2**2 + variance) * rng.normal(size=1500)))
    curve = fit_curve(fit_design(logits[:, None], k, n, variance), logits, 0.2)
    assert curve.bend == pytest.approx(0, abs=0.3)
    assert curve.slope == pytest.approx(0, abs=0.3)


def lines(shifts: list[float], slopes: list[float]) -> Populations:
    """Populations whose rates are on lines against the average one's at 40 levels, to a millionth."""
    average, n = np.linspace(-2, 2, 40), np.full(40, 10**6)
    populations = [
        (average, {"successes": np.round(n * expit(shift + slope * average)).astype(int), "attempts": n})
        for shift, slope in zip(shifts, slopes, strict=True)
    ]
    return compare_populations([str(number) for number in range(len(shifts))], populations)


def test_populations_have_their_center_where_they_agree() -> None:
    slopes = [0.7, 0.9, 1.0, 1.1, 1.3]
    compared = lines([1.5 * (1 - slope) for slope in slopes], slopes)  # all are 1.5 where the average one is
    assert compared.center == pytest.approx(1.5, abs=1e-4)
    assert compared.shift == pytest.approx(0, abs=1e-4)
    assert compared.slope == pytest.approx(np.sqrt(0.2 / 4), rel=1e-4)


def test_populations_that_all_are_better_differ_from_the_average_one() -> None:
    compared = lines([0.5, 0.5, 0.5], [0.8, 1.0, 1.2])
    assert compared.center == pytest.approx(0, abs=1e-4)
    assert compared.shift == pytest.approx(0.5 * np.sqrt(3 / 2), rel=1e-4)
