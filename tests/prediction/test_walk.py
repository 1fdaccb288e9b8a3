"""A random walk of the intercept: drift is found, told and carried forward with its uncertainty."""

from typing import Any

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import halfcauchy, norm

from levelsense.errors import PredictionError
from levelsense.prediction import MixedBinomial
from levelsense.prediction.mixed.walk import Walk

LEVELS, AHEAD = 200, 60


def saga(change: float, seed: int = 0) -> tuple[Any, Any, Any, Any]:
    """Levels whose logits rise by `change` over the first 200, and go on to rise."""
    rng = np.random.default_rng(seed)
    x, time = rng.normal(size=(LEVELS + AHEAD, 2)), np.arange(1.0, LEVELS + AHEAD + 1)
    n = np.full(LEVELS + AHEAD, 800)
    logits = -1 + x @ [0.8, -0.3] + change * time / LEVELS + 0.1 * rng.normal(size=LEVELS + AHEAD)
    return x, rng.binomial(n, expit(logits)), n, time


def test_columns_by_hand() -> None:
    walk = Walk(np.array([0.0, 10.0, 20.0]), 20)
    columns = walk.columns(np.array([0.0, 5.0, 10.0, 20.0, 30.0]))
    # The slope in spans of 20, then what of each step is still to come; beyond the end nothing is.
    expected = [[-1, -1, -1], [-0.75, -0.5, -1], [-0.5, 0, -1], [0, 0, 0], [0.5, 0, 0]]
    assert columns.tolist() == expected
    assert walk.ahead(np.array([5.0, 20.0, 25.0])).tolist() == [0, 0, 0.25]
    assert walk.variances(2.0).tolist() == [4.0, 2.0, 2.0]  # the slope's, and half of the walk's a step


def test_the_prior_of_a_size() -> None:
    """Half-Cauchy in the size, whose grid is even in its logarithm, and normal in each coefficient."""
    walk = Walk(np.array([0.0, 10.0, 20.0]), 100)  # a quarter of 400 levels: half of the scale, 0.25

    def density(size: float) -> float:
        coefficients = norm.logpdf(0, scale=size * np.sqrt([1.0, 0.5, 0.5])).sum()
        return float(halfcauchy.logpdf(size, scale=0.125) + np.log(size) + coefficients)

    for size in (0.1, 0.5):
        assert walk.log_prior(size) - walk.log_prior(0.02) == pytest.approx(density(size) - density(0.02))
    assert walk.sizes == [size / 2 for size in Walk(walk.knots, 400).sizes]


def test_too_few_levels_have_no_walk() -> None:
    assert Walk.over(np.arange(9.0)) is None
    assert Walk.over(np.zeros(50)) is None
    one = Walk.over(np.arange(10.0))
    assert one is not None
    assert one.width == 2


def test_drift_is_found_and_goes_on() -> None:
    x, k, n, time = saga(0.8)
    still = MixedBinomial(penalty=1.0).fit(x[:LEVELS], k[:LEVELS], n[:LEVELS])
    moving = MixedBinomial(penalty=1.0).fit(x[:LEVELS], k[:LEVELS], n[:LEVELS], time=time[:LEVELS])
    change, error = moving.drift(1.0)
    assert change == pytest.approx(0.8, abs=0.15)
    assert error < 0.12
    assert moving.sigma_ < still.sigma_  # drift is no difference between levels
    observed = k[LEVELS:] / n[LEVELS:]
    bias = [
        np.mean(model.predict(x[LEVELS:], **times).rate - observed)
        for model, times in ((still, {}), (moving, {"time": time[LEVELS:]}))
    ]
    assert bias[0] < -0.06
    assert abs(bias[1]) < 0.03
    band = moving.predict(x[LEVELS:], n[LEVELS:], time=time[LEVELS:]).bands[0.95]
    assert np.mean((observed < band.low) | (observed > band.high)) < 0.12


def test_without_drift_there_is_next_to_none() -> None:
    x, k, n, time = saga(0.0)
    model = MixedBinomial(penalty=1.0).fit(x[:LEVELS], k[:LEVELS], n[:LEVELS], time=time[:LEVELS])
    assert abs(model.drift(1.0)[0]) < 0.1
    assert model.walk_size_ < 0.1
    assert model.walked(time[:LEVELS])[-1] == pytest.approx(0, abs=1e-12)


def test_the_band_widens_with_the_levels_ahead() -> None:
    x, k, n, time = saga(0.8)
    model = MixedBinomial(penalty=1.0).fit(x[:LEVELS], k[:LEVELS], n[:LEVELS], time=time[:LEVELS])
    same = np.repeat(x[:1], 3, axis=0)
    band = model.predict(same, time=[200.0, 260.0, 400.0]).bands[0.95]
    widths = np.log(band.high / (1 - band.high)) - np.log(band.low / (1 - band.low))
    assert widths[0] < widths[1] < widths[2]
    grid, row = model._fitted(), np.array([[1.0, 0.3, -0.2, *np.zeros(model.walk_.width)]])  # type: ignore[union-attr]
    ends, halfway = (grid.logits(row, 0.0, ahead)[1] for ahead in (0.0, 0.5))
    # Of the variance of the whole time, half comes with half of it.
    assert (halfway**2 - ends**2)[:, 0] == pytest.approx(grid.walks**2 / 2)
    # Left out, the time is the end of the fit. As many rows both times: the last digits of products depend on
    # their sizes.
    left_out, at_end = (model.predict(same, time=when).bands[0.95] for when in (None, [200.0] * 3))
    assert [*left_out.low, *left_out.high] == [*at_end.low, *at_end.high]
    assert left_out.low[0] == pytest.approx(band.low[0], rel=1e-12)


def test_a_walk_is_saved_and_read() -> None:
    x, k, n, time = saga(0.5)
    model = MixedBinomial(penalty=1.0).fit(x[:60], k[:60], n[:60], time=time[:60])
    read = MixedBinomial.from_data(model.as_data())
    times = [3.0, 60.0, 90.0]
    assert np.array_equal(read.predict(x[:3], time=times).rate, model.predict(x[:3], time=times).rate)
    data = model.as_data()
    data["walk"] = data["walk"][::-1]
    with pytest.raises(ValueError, match="times that do not rise"):
        MixedBinomial.from_data(data)


def test_bad_times() -> None:
    x, k, n, time = saga(0.0)
    with pytest.raises(PredictionError, match="time"):
        MixedBinomial().fit(x, k, n, time=time[:5])
