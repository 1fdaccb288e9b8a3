"""Near misses and the bottleneck, on attempts that are written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.playtest.statistics import bottleneck, goal_figures, is_near_miss, is_one_short
from tests.playtest.drawn_attempts import attempts_at, lost, small_level, won

BASE = small_level(goals={"score": 1000, "orders": {"red": 20, "striped": 3}})
ALMOST = {"score": 1000, "red": 20, "striped": 3}


def near(**fields: int) -> bool:
    """Whether a lost attempt is a near miss that has met all goals but what is said."""
    return bool(is_near_miss(attempts_at(BASE, lost(BASE, **(ALMOST | fields))))[0])


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"score": 900}, True),  # 10 % left
        ({"score": 899}, False),
        ({"red": 18}, True),  # 2 of 20 left
        ({"red": 17}, False),
        ({"striped": 2}, False),  # a single piece, but a third of the goal
        ({"score": 950, "red": 19}, True),  # two goals, of each 5 % left
        ({"score": 950, "red": 17}, False),
        ({"red": 18, "striped": 2}, False),
        ({"score": 5000, "red": 19}, True),  # more than asked makes up for nothing, and does no harm
    ],
)
def test_near_misses(fields: dict[str, int], expected: bool) -> None:
    assert near(**fields) is expected


def one_short(**fields: int) -> bool:
    """Whether a lost attempt is one piece short that has met all goals but what is said."""
    return bool(is_one_short(attempts_at(BASE, lost(BASE, **(ALMOST | fields))))[0])


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"striped": 2}, True),
        ({"striped": 1}, False),
        ({"striped": 2, "red": 19}, False),  # two pieces
        ({"striped": 2, "score": 999}, False),  # and a point
        ({"red": 19}, False),  # a near miss
        ({"score": 999}, False),
    ],
)
def test_one_piece_short(fields: dict[str, int], expected: bool) -> None:
    assert one_short(**fields) is expected


def test_a_goal_of_one_piece_is_met_or_not_begun() -> None:
    level = small_level(goals={"orders": {"color bomb": 1}})
    assert not is_near_miss(attempts_at(level, lost(level))).any()
    assert not is_one_short(attempts_at(level, lost(level))).any()


def test_of_two_pieces_one_is_half_the_way() -> None:
    level = small_level(goals={"orders": {"color bomb": 2}})
    attempts = attempts_at(level, lost(level, **{"color bomb": 1}), lost(level))
    assert not is_near_miss(attempts).any()
    assert is_one_short(attempts).tolist() == [True, False]


def test_a_small_score_has_points_and_no_pieces() -> None:
    level = small_level(goals={"score": 5})
    assert not is_one_short(attempts_at(level, lost(level, score=4))).any()


def test_won_attempts_are_no_misses() -> None:
    assert not is_near_miss(attempts_at(BASE, won(BASE))).any()
    assert not is_one_short(attempts_at(BASE, won(BASE, striped=2))).any()


def test_goals_of_lost_attempts_only() -> None:
    """In two lost attempts: score 40 % and 100 %, red 50 % both, striped met once."""
    attempts = attempts_at(
        BASE,
        won(BASE),
        lost(BASE, score=400, red=10, striped=3),
        lost(BASE, score=2000, red=10, striped=1),
    )
    score, red, striped = goal_figures(attempts)
    assert (score.name, score.asked, score.unmet, score.furthest) == ("score", 1000, 0.5, 0.5)
    assert score.done == (0.4, 0.4, 1.0)  # twice what is asked is no more than all of it
    assert (red.unmet, red.furthest, red.done) == (1.0, 0.0, (0.5, 0.5, 0.5))
    assert (striped.unmet, striped.furthest) == (0.5, 0.5)
    assert bottleneck(attempts) == "score"  # the first of equals


def test_goals_equally_far_share_an_attempt() -> None:
    attempts = attempts_at(
        BASE, lost(BASE, score=500, red=10, striped=3), lost(BASE, score=900, red=10, striped=3)
    )
    figures = {goal.name: goal.furthest for goal in goal_figures(attempts)}
    assert figures == {"score": 0.25, "red": 0.75, "striped": 0.0}
    assert bottleneck(attempts) == "red"


def test_nothing_lost_no_bottleneck() -> None:
    assert goal_figures(attempts_at(BASE, won(BASE))) == ()
    assert bottleneck(attempts_at(BASE, won(BASE))) is None


DONE = st.fixed_dictionaries(
    {"score": st.integers(0, 1500), "red": st.integers(0, 30), "striped": st.integers(0, 5)}
)


@given(st.lists(DONE, min_size=1, max_size=20))
def test_each_lost_attempt_has_one_furthest_goal(done: list[dict[str, int]]) -> None:
    unmet = [attempt for attempt in done if any(attempt[name] < BASE.asked[name] for name in attempt)]
    if not unmet:
        return
    attempts = attempts_at(BASE, *(lost(BASE, **attempt) for attempt in unmet))
    figures = goal_figures(attempts)
    assert sum(goal.furthest for goal in figures) == pytest.approx(1)
    assert all(goal.furthest <= goal.unmet + 1e-12 for goal in figures)
    assert all(list(goal.done) == sorted(goal.done) for goal in figures)
    assert bottleneck(attempts) == max(figures, key=lambda goal: goal.furthest).name
    assert attempts.goal_counts.tolist() == [[a["score"], a["red"], a["striped"]] for a in unmet]
    assert np.all(~is_near_miss(attempts) | ~attempts.won)
    assert not (is_near_miss(attempts) & is_one_short(attempts)).any()
