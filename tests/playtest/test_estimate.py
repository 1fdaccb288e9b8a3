"""Rates, spreads and quantiles with their intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.playtest.estimate import (
    QUANTILES,
    Estimate,
    Spread,
    quantile_interval,
    quantiles,
    rate_estimate,
    spread_of,
)

NUMBERS = st.lists(st.integers(-1000, 1000), min_size=1, max_size=60).map(np.array)


def test_rate_with_wilsons_interval() -> None:
    """Newcombe (1998), table I: 81 of 263 gives 0.2553 to 0.3662, none of 20 gives 0 to 0.1611."""
    rate = rate_estimate(81, 263)
    assert rate.value == 81 / 263
    assert (rate.low, rate.high) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert rate_estimate(0, 20).high == pytest.approx(0.1611, abs=5e-5)


def test_no_attempts_no_rate() -> None:
    assert rate_estimate(0, 0) == Estimate(None, 0.0, 1.0)


def test_quantiles_are_numbers_that_were_seen() -> None:
    assert quantiles(np.array([4, 1, 3, 2]), (0.25, 0.26, 0.5, 0.75, 1.0)) == (1, 2, 2, 3, 4)


def test_spread() -> None:
    assert spread_of(np.array([1, 2, 3, 4, 10])) == Spread(5, 4.0, (1, 2, 3, 4, 10))
    assert Spread(5, 4.0, (1, 2, 3, 4, 10)).median == 3
    assert spread_of(np.array([])) is None


@given(NUMBERS)
def test_at_least_the_share_does_not_exceed_a_quantile(numbers: np.ndarray) -> None:
    for share, quantile in zip(QUANTILES, quantiles(numbers, QUANTILES), strict=True):
        assert np.mean(numbers <= quantile) >= share - 1e-12
        assert np.mean(numbers < quantile) < share + 1e-12


@given(NUMBERS, st.floats(0.01, 0.99))
def test_interval_holds_the_quantile(numbers: np.ndarray, share: float) -> None:
    low, high = quantile_interval(numbers, share)
    assert low <= quantiles(numbers, (share,))[0] <= high


def test_interval_of_the_median_of_a_hundred() -> None:
    """The usual table of order statistics: the 40th and the 61st of 100 hold the median with 95 %."""
    assert quantile_interval(np.arange(1, 101), 0.5) == (40, 61)


def test_interval_covers_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        low, high = quantile_interval(rng.random(80), 0.3)
        held += low <= 0.3 <= high
    assert held / 400 >= 0.93
