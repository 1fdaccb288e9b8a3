"""Limit curves: hand-made ones, and the proof that one batch past the limit tells them all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.agents.registry import parse_agent
from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.interval import wilson
from levelsense.playtest.limits import (
    LimitCurve,
    biting_limit,
    find_limit,
    limit_curve,
    limit_of,
    past_limit,
    with_limit,
)
from levelsense.playtest.plan import attempt_seeds
from tests.playtest.drawn_attempts import attempts_at, lost, small_level, won

LEVEL = small_level()


def test_moves_by_hand() -> None:
    wins = [won(LEVEL, moves_made=made) for made in (3, 3, 10)]
    curve = limit_curve(attempts_at(LEVEL, *wins, lost(LEVEL)))
    assert (curve.unit, curve.attempts, curve.longest) == ("moves", 4, 10)
    assert curve.wins.tolist() == [0, 0, 2, 2, 2, 2, 2, 2, 2, 3]
    assert curve.at(3) == (0.5, *wilson(2, 4))


def test_seconds_by_hand() -> None:
    """With 20 s on the clock, 12.5 s were left when it was least: any limit above 7.5 s is enough."""
    level = small_level(moves=None, seconds=20)
    wins = [won(level, least_time=12_500, time_left=9_000), won(level, least_time=12_000)]
    curve = limit_curve(attempts_at(level, *wins, lost(level)))
    assert curve.unit == "seconds"
    assert curve.wins[6:9].tolist() == [0, 1, 2]  # 7, 8, 9 s: with 8 s, 0 s would be left at the second


def test_a_limit_between_two_seconds() -> None:
    """Of two wins with 2.5 s one needs more than 2 s, which is as far as the curve goes, and one 1.5 s."""
    level = small_level(moves=None, seconds=2.5)
    attempts = attempts_at(level, won(level, least_time=300), won(level, least_time=1_000))
    assert limit_curve(attempts).wins.tolist() == [0, 1]


@pytest.mark.parametrize("agent", ["random", "greedy"])
@pytest.mark.parametrize("name", ["04-jelly-garden", "20-short-fuses", "11-beat-the-clock", "27-clockwork"])
def test_one_batch_past_the_limit_tells_every_limit(name: str, agent: str) -> None:
    """An agent that does not look at what is left wins with each limit as often as the curve says."""
    level, player = Level.load(name), parse_agent(agent)
    seeds = attempt_seeds(level.digest, agent, 0, 0, 40)
    now = int(limit_of(level)[0])
    longer = past_limit(level, 2 * now)
    curve = limit_curve(Attempts.from_records(longer, 0, player.attempts(longer, seeds)))
    for limit in {1, 2, now // 3, now // 2, now - 1, now, now + 1, now + now // 2}:
        changed = with_limit(level, limit)
        played = Attempts.from_records(changed, 0, player.attempts(changed, seeds))
        assert played.wins == curve.wins[limit - 1]


def test_another_limit_changes_nothing_else() -> None:
    level = small_level(bonus=True, stars=[1, 2, 3])
    assert with_limit(level, 77) == small_level(bonus=True, stars=[1, 2, 3], moves=77)
    assert past_limit(level, 77) == small_level(stars=[1, 2, 3], moves=77)
    timed = small_level(moves=None, seconds=20)
    assert with_limit(timed, 33) == small_level(moves=None, seconds=33)
    assert limit_of(timed) == (20.0, "seconds")


def curve_of(*wins: int, attempts: int = 100) -> LimitCurve:
    return LimitCurve("moves", attempts, np.array(wins))


def test_nearest_limit() -> None:
    """0, 10, 34, 60, 90 of 100: 34 is nearest to 35, and only its interval (25 to 44) holds 35."""
    nearest = find_limit(curve_of(0, 10, 34, 60, 90), 0.35)
    assert nearest is not None
    assert (nearest.limit, nearest.rate, nearest.low, nearest.high) == (3, 0.34, 3, 3)
    assert (nearest.rate_low, nearest.rate_high) == wilson(34, 100)


def test_the_shorter_of_equals() -> None:
    nearest = find_limit(curve_of(20, 40), 0.3)
    assert nearest is not None
    assert nearest.limit == 1


def test_a_target_between_two_steep_steps() -> None:
    nearest = find_limit(curve_of(0, 100), 0.6)
    assert nearest is not None
    assert (nearest.limit, nearest.low, nearest.high) == (2, 2, 2)


def test_uncertain_to_the_end_of_the_curve() -> None:
    nearest = find_limit(curve_of(20, 30, 33, 33), 0.35)
    assert nearest is not None
    assert (nearest.limit, nearest.low, nearest.high) == (3, 2, None)


def test_out_of_reach() -> None:
    assert find_limit(curve_of(0, 5, 10), 0.35) is None


def test_where_the_limit_bites() -> None:
    assert biting_limit(curve_of(0, 2, 4, 5, 8)) == 3
    assert biting_limit(curve_of(0, 0)) == 1


@st.composite
def curves(draw: st.DrawFn) -> LimitCurve:
    attempts = draw(st.integers(1, 200))
    wins = sorted(draw(st.lists(st.integers(0, attempts), min_size=1, max_size=40)))
    return curve_of(*wins, attempts=attempts)


@given(curves(), st.floats(0.01, 0.99))
def test_what_is_found(curve: LimitCurve, target: float) -> None:
    nearest = find_limit(curve, target)
    if nearest is None:
        assert wilson(int(curve.wins[-1]), curve.attempts)[1] < target
        return
    assert abs(nearest.rate - target) == min(abs(rate - target) for rate in curve.rates)
    assert 1 <= nearest.low <= nearest.limit
    assert nearest.high is None or nearest.limit <= nearest.high <= curve.longest


@given(st.integers(1, 300), st.data())
def test_the_band_is_wilsons(attempts: int, data: st.DataObject) -> None:
    wins = data.draw(st.lists(st.integers(0, attempts), min_size=1, max_size=10))
    low, high = curve_of(*wins, attempts=attempts).band
    expected = [wilson(number, attempts) for number in wins]
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == [pytest.approx(ends) for ends in expected]
