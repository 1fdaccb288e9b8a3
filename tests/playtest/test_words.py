"""Figures in words."""

import pytest

from levelsense.playtest.estimate import Estimate, attempts_needed, rate_estimate
from levelsense.playtest.skill_and_luck import ONE_SIDED, SAME_PLAY, Luck, skill
from levelsense.playtest.statistics import level_statistics
from levelsense.playtest.words import (
    bottleneck_words,
    left_words,
    legal_words,
    limit_words,
    luck_words,
    near_miss_words,
    needed_words,
    number_words,
    rate_words,
    score_words,
    shuffle_words,
    skill_words,
    star_words,
)
from tests.playtest.drawn_attempts import attempts_at, lost, small_level, won


def test_rates() -> None:
    assert rate_words(rate_estimate(35, 100)) == "35.0% (26.4 - 44.7%)"
    assert rate_words(rate_estimate(0, 0)) == "-"


@pytest.mark.parametrize(
    ("number", "words"),
    [(1.0, "1"), (1.26, "1.3"), (9.94, "9.9"), (9.97, "10"), (10.4, "10"), (1234.6, "1,235")],
)
def test_numbers_of_attempts(number: float, words: str) -> None:
    assert number_words(number) == words


def test_attempts_needed() -> None:
    assert needed_words(attempts_needed(10, 100)) == (
        "10 attempts per success; the first takes at most 7 half of the time, at most 29 95% of the time"
    )
    assert needed_words(attempts_needed(0, 100)) == (
        "over 27 attempts per success; the first takes over 19 half of the time, over 80 95% of the time"
    )


def test_limits() -> None:
    assert limit_words(small_level()) == "10 moves"
    assert limit_words(small_level(moves=1)) == "1 move"
    assert limit_words(small_level(moves=None, seconds=12.5)) == "12.5 seconds"


def test_a_level_that_is_always_won() -> None:
    level = small_level()
    statistics = level_statistics(attempts_at(level, *[won(level, moves_left=3)] * 20))
    assert near_miss_words(statistics) == "none was lost"
    assert bottleneck_words(statistics) == "none was lost"
    assert left_words(statistics.left, "moves") == "3 moves in the median win, 3 to 3 in the middle half"
    assert star_words(statistics.stars) == "1,000 / 1,001 / 1,002, reached by 100% / 0% / 0% of wins"


def test_a_level_that_is_never_won() -> None:
    level = small_level(goals={"score": 1000, "orders": {"red": 4}})
    statistics = level_statistics(attempts_at(level, lost(level, score=1000, red=1)))
    assert bottleneck_words(statistics) == (
        "red: furthest from done in 100% of 1 lost attempt, 25% of it done in the median"
    )
    alone = small_level(goals={"orders": {"red": 4}})
    assert bottleneck_words(level_statistics(attempts_at(alone, lost(alone), lost(alone, red=2)))) == (
        "red, the only goal: 0% of it done in the median of 2 lost attempts"
    )
    most = attempts_at(alone, lost(alone), lost(alone, red=2), lost(alone, red=3))
    assert bottleneck_words(level_statistics(most)) == (
        "red, the only goal: 50% of it done in the median of 3 lost attempts"
    )
    assert left_words(statistics.left, "moves") == "none was won"
    assert star_words(statistics.stars) == "too few wins to suggest any"


def test_near_misses() -> None:
    level = small_level(goals={"score": 1000, "orders": {"red": 4}})
    near, short, far = (lost(level, score=score, red=red) for score, red in ((900, 4), (1000, 3), (0, 0)))
    assert near_miss_words(level_statistics(attempts_at(level, near, far))) == (
        "50.0% (9.5 - 90.5%) of 2 lost attempts"
    )
    assert near_miss_words(level_statistics(attempts_at(level, near, short, far, far))) == (
        "25.0% (4.6 - 69.9%) of 4 lost attempts; another 25.0% lacked one piece, more than 10% of a goal"
    )


def test_skill() -> None:
    measured = skill(20, 200, 160, 200)
    assert measured is not None
    assert skill_words(measured, "random", "mcts") == (
        "decides: mcts wins 70.0 percentage points more than random (95% interval +62.2 to +76.0)"
    )
    some, few = skill(100, 1000, 300, 1000), skill(2, 10, 8, 10)
    assert some is not None
    assert few is not None
    assert skill_words(some, "random", "mcts").startswith("matters a little or matters much: mcts wins 20.0")
    assert skill_words(few, "random", "mcts").startswith("how much it matters cannot be told: mcts wins 60.0")
    same, worse = skill(50, 100, 52, 100), skill(80, 100, 10, 100)
    assert same is not None
    assert worse is not None
    assert skill_words(same, "random", "mcts").startswith("cannot be told from none: mcts wins 2.0")
    assert skill_words(worse, "random", "mcts").startswith("the weak agent does better: mcts wins 70.0")


@pytest.mark.parametrize(
    ("value", "low", "high", "expected"),
    [
        (0.25, 0.21, 0.4, "matters much: the board's seed decides 25.0% (21.0 - 40.0%) of it"),
        (
            0.25,
            0.1,
            0.4,
            "matters a little or matters much: the board's seed decides 25.0% (10.0 - 40.0%) of it",
        ),
        (-0.02, 0.0, 0.04, "hardly matters: the board's seed decides 0.0% (0.0 - 4.0%) of it"),
        (0.036, 0.0, 0.301, "cannot be told by 50 boards: the board's seed decides 3.6% (0.0 - 30.1%) of it"),
        (0.9, 0.5, 1.0, "decides: the board's seed decides 90.0% (50.0 - 100.0%) of it"),
        (0.3, 0.06, 0.55, "cannot be told by 50 boards: the board's seed decides 30.0% (6.0 - 55.0%) of it"),
    ],
)
def test_luck(value: float, low: float, high: float, expected: str) -> None:
    """The word is for the whole interval, however near to nothing the share itself is."""
    assert luck_words(Luck(50, 4, Estimate(value, low, high))) == expected


def test_luck_that_cannot_be_told() -> None:
    assert luck_words(Luck(50, 4, None, SAME_PLAY)) == (
        f"cannot be told: {SAME_PLAY}; agents that draw random numbers show it, such as random or mcts"
    )
    assert luck_words(Luck(50, 4, None, ONE_SIDED)) == f"cannot be told: {ONE_SIDED}"


def test_scores_shuffles_and_legal_moves() -> None:
    level = small_level()
    wins = [won(level, score=1000 * k, shuffles=k // 10, moves_made=2, legal_moves=9) for k in range(1, 11)]
    statistics = level_statistics(attempts_at(level, *wins))
    assert score_words(statistics.score) == (
        "5,000 in the median win; 1,000 / 3,000 / 8,000 / 9,000 at 10 / 25 / 75 / 90%"
    )
    assert shuffle_words(statistics) == "0.10 an attempt, some in 10.0% of attempts"
    assert legal_words(statistics) == "4.5 on average"
    nothing = level_statistics(attempts_at(level, lost(level)))
    assert (score_words(nothing.score), legal_words(nothing)) == ("none was won", "-")
