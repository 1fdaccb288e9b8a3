"""Attempts up to the first success: the geometric distribution, turned round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import geom

from levelsense.playtest.estimate import attempts_needed
from levelsense.playtest.interval import wilson


def test_half_of_the_attempts_succeed() -> None:
    """A coin: half of the time 1 toss is enough; 1 - 0.5^4 = 0.94 have won after 4, 0.97 after 5."""
    needed = attempts_needed(50, 100)
    assert (needed.per_success.value, needed.median.value, needed.most.value) == (2.0, 1.0, 5.0)


def test_one_in_ten() -> None:
    """log 0.5 / log 0.9 = 6.58 and log 0.05 / log 0.9 = 28.4, rounded up."""
    needed = attempts_needed(10, 100)
    assert (needed.per_success.value, needed.median.value, needed.most.value) == (10.0, 7.0, 29.0)
    low, high = wilson(10, 100)
    assert (needed.per_success.low, needed.per_success.high) == pytest.approx((1 / high, 1 / low))


def test_always_won() -> None:
    needed = attempts_needed(30, 30)
    assert (needed.per_success.value, needed.median.value, needed.most.value) == (1.0, 1.0, 1.0)
    assert needed.most.high is not None
    assert needed.most.high >= 1


def test_never_won_gives_only_a_bound() -> None:
    """Of 100 lost attempts Wilson's interval ends at 3.84 / 103.84: over 27 attempts per success."""
    needed = attempts_needed(0, 100)
    for estimate in (needed.per_success, needed.median, needed.most):
        assert (estimate.value, estimate.high) == (None, None)
    assert needed.per_success.low == pytest.approx(103.8415 / 3.8415, rel=1e-4)
    assert needed.median.low < needed.per_success.low < needed.most.low


@given(st.integers(1, 500), st.integers(0, 500))
def test_percentiles_are_those_of_scipy(wins: int, losses: int) -> None:
    needed = attempts_needed(wins, wins + losses)
    rate = wins / (wins + losses)
    if losses:
        assert needed.median.value == geom.ppf(0.50, rate)
        assert needed.most.value == geom.ppf(0.95, rate)
    for estimate in (needed.per_success, needed.median, needed.most):
        assert estimate.value is not None
        assert estimate.low <= estimate.value
        assert estimate.high is None or estimate.value <= estimate.high
