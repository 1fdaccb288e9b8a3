"""Skill: differences of success rates and odds, with their intervals."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.playtest.skill_and_luck import skill


def test_gain_as_published() -> None:
    """Newcombe (1998), table II, method 10: 56/70 against 48/80 gives 0.2000 with 0.0524 to 0.3339."""
    measured = skill(48, 80, 56, 70)
    assert measured is not None
    assert measured.gain.value == pytest.approx(0.2)
    assert (measured.gain.low, measured.gain.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_gain_as_published_at_the_edge() -> None:
    """The same table: 10/10 against 0/10 gives 1 with 0.6075 to 1."""
    measured = skill(0, 10, 10, 10)
    assert measured is not None
    assert (measured.gain.low, measured.gain.high) == pytest.approx((0.6075, 1.0), abs=5e-5)


def test_odds_by_hand() -> None:
    """(30.5 / 10.5) / (10.5 / 30.5) = 8.4376; the error of its logarithm is sqrt(2/30.5 + 2/10.5) = 0.506."""
    measured = skill(10, 40, 30, 40)
    assert measured is not None
    assert measured.odds.value == pytest.approx((30.5 / 10.5) ** 2)
    error = math.sqrt(2 / 30.5 + 2 / 10.5)
    assert measured.odds.high == pytest.approx((30.5 / 10.5) ** 2 * math.exp(1.959964 * error), rel=1e-6)


def test_nobody_played() -> None:
    assert skill(0, 0, 3, 5) is None
    assert skill(3, 5, 0, 0) is None


@st.composite
def two_agents(draw: st.DrawFn) -> tuple[int, int, int, int]:
    weak, strong = draw(st.integers(1, 300)), draw(st.integers(1, 300))
    return draw(st.integers(0, weak)), weak, draw(st.integers(0, strong)), strong


@given(two_agents())
def test_turned_round_it_changes_its_sign(counts: tuple[int, int, int, int]) -> None:
    weak_wins, weak, strong_wins, strong = counts
    measured, turned = skill(*counts), skill(strong_wins, strong, weak_wins, weak)
    assert measured is not None
    assert turned is not None
    for one, other in ((measured.gain, turned.gain),):
        assert one.value is not None
        assert one.high is not None
        assert one.low <= one.value <= one.high
        assert one.low >= -1.0000001
        assert one.high <= 1.0000001
        assert (one.value, one.low) == pytest.approx((-(other.value or 0.0), -(other.high or 0.0)))
    assert (measured.odds.value or 0) * (turned.odds.value or 0) == pytest.approx(1)
