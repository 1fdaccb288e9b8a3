"""Suggested star scores part the winners as they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.playtest.statistics import round_to_two_digits, suggest_stars
from tests.playtest.drawn_attempts import attempts_at, lost, small_level, won

LEVEL = small_level(stars=[1000, 2000, 60000], goals={"orders": {"red": 1}})


def test_a_hundred_scores() -> None:
    """Scores 1,000 to 100,000: 90 % reach 11,000, half 51,000, a tenth 91,000."""
    wins = [won(LEVEL, score=1000 * k) for k in range(1, 101)]
    stars = suggest_stars(attempts_at(LEVEL, lost(LEVEL, score=999_999), *wins))
    assert stars is not None
    assert stars.scores == (11_000, 51_000, 91_000)
    assert stars.reached == (0.90, 0.50, 0.10)
    assert stars.now == (1.0, 0.99, 0.41)
    assert [estimate.value for estimate in stars.exact] == [11_000, 51_000, 91_000]
    # Of 100, as many as 5 to 16 lie below the first tenth with 95 %, 40 to 60 below the median, 84 to 95 ...
    ends = [(estimate.low, estimate.high) for estimate in stars.exact]
    assert ends == [(5_000, 17_000), (40_000, 61_000), (84_000, 96_000)]


def test_too_few_wins() -> None:
    assert suggest_stars(attempts_at(LEVEL, *[won(LEVEL, score=5)] * 19)) is None
    assert suggest_stars(attempts_at(LEVEL, *[won(LEVEL, score=5)] * 20)) is not None


def test_scores_ascend_where_all_wins_are_alike() -> None:
    stars = suggest_stars(attempts_at(LEVEL, *[won(LEVEL, score=5000)] * 20))
    assert stars is not None
    assert stars.scores == (5000, 5001, 5002)


def test_no_star_below_the_score_goal() -> None:
    """90 % reach 1,049, which rounds down to 1,000; the goal itself asks 1,040."""
    level = small_level(goals={"score": 1040})
    stars = suggest_stars(attempts_at(level, *(won(level, score=1049 + 50 * k) for k in range(20))))
    assert stars is not None
    assert stars.scores[0] >= 1040
    assert stars.now is None
    scores = [1044] * 5 + [2000 + 100 * k for k in range(15)]
    stars = suggest_stars(attempts_at(level, *(won(level, score=score) for score in scores)))
    assert stars is not None
    assert stars.exact[0].value == 1044
    assert stars.scores[0] == 1040


@pytest.mark.parametrize(
    ("number", "rounded"), [(0, 0), (7, 7), (45, 45), (456, 460), (45_873, 46_000), (999_999, 1_000_000)]
)
def test_rounding(number: int, rounded: int) -> None:
    assert round_to_two_digits(number) == rounded


@given(st.lists(st.integers(0, 10**6), min_size=20, max_size=80))
def test_stars_are_valid_and_near_their_shares(scores: list[int]) -> None:
    stars = suggest_stars(attempts_at(LEVEL, *(won(LEVEL, score=score) for score in scores)))
    assert stars is not None
    first, second, third = stars.scores
    assert 1 <= first < second < third
    for estimate, share in zip(stars.exact, (0.9, 0.5, 0.1), strict=True):
        assert estimate.value is not None
        assert np.mean(np.array(scores) >= estimate.value) >= share
        assert np.mean(np.array(scores) > estimate.value) < share
