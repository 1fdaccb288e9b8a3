"""Tuning: the limit for a target, also for agents that play otherwise when they know the limit."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.agents.registry import parse_agent
from levelsense.errors import PlaytestError
from levelsense.level.level import Level
from levelsense.playtest.limits import Check, LimitCurve
from levelsense.playtest.tuning import MOST_CHECKS, _fitting_checks, next_limit, tune
from tests.playtest.drawn_attempts import lost, records_of, small_level, won


class Scripted:
    """An agent that needs as many moves as its seed says: 1 to `hardest`, evenly."""

    spec = "scripted"

    def __init__(self, hardest: int, rash: int = 0, bombs: bool = False) -> None:
        self.hardest, self.rash, self.bombs = hardest, rash, bombs
        self.limits: list[int] = []

    def attempts(self, level: Level, seeds: Any) -> Any:
        """Needs `rash` moves less when the limit is the real one, that is below 30."""
        assert level.moves is not None
        self.limits.append(level.moves)
        needed = 1 + (np.asarray(seeds)[:, 0] % np.uint64(self.hardest)).astype(int)
        needed -= self.rash * (level.moves < 30)
        blown = self.bombs * (np.asarray(seeds)[:, 1] % np.uint64(2)).astype(bool)
        return records_of(*(self._row(level, k, bomb) for k, bomb in zip(needed, blown, strict=True)))

    def _row(self, level: Level, needed: int, bomb: bool) -> dict[str, Any]:
        if bomb:
            return lost(level, reason=4)
        if needed <= (level.moves or 0):
            return won(level, moves_made=max(needed, 1))
        return lost(level, moves_made=level.moves)


LEVEL = small_level(moves=20)


def test_finds_the_limit() -> None:
    """Of 1 to 40 moves, evenly, 35 % need at most 14; the batch is played with twice the limit."""
    agent = Scripted(40)
    tuning = tune(LEVEL, agent, 0.35, attempts=2000, threads=1)
    assert tuning.best is not None
    assert 13 <= tuning.best.limit <= 15
    assert tuning.low <= tuning.best.limit <= (tuning.high or 0)
    assert tuning.curve is not None
    assert tuning.tuned == small_level(moves=tuning.best.limit)
    assert set(agent.limits) == {40, tuning.best.limit}


def test_goes_on_until_the_target_is_reached() -> None:
    agent = Scripted(120)
    tuning = tune(LEVEL, agent, 0.5, attempts=500, threads=1)
    assert tuning.best is not None
    assert 52 <= tuning.best.limit <= 68
    assert set(agent.limits) == {40, 100, tuning.best.limit}


def test_goes_no_further_than_four_times_the_limit() -> None:
    agent = Scripted(900)
    tuning = tune(small_level(moves=30), agent, 0.5, attempts=200, threads=1)
    assert tuning.best is None
    assert set(agent.limits) == {60, 120}


def test_an_agent_that_knows_the_limit_moves_the_curve() -> None:
    """With 4 moves less once it knows the limit, it is 35 % at 10 moves instead of 14."""
    tuning = tune(LEVEL, Scripted(40, rash=4), 0.35, attempts=2000, threads=1)
    assert tuning.best is not None
    assert 9 <= tuning.best.limit <= 11
    assert tuning.curve is None
    assert tuning.is_settled
    assert tuning.best.rate == pytest.approx(0.35, abs=0.03)
    played = sorted(check.limit for check in tuning.checks)
    assert played[0] <= tuning.low <= tuning.best.limit <= (tuning.high or 0) <= played[-1]


def test_next_limit() -> None:
    """One check after the other: by the curve, then on from where it was off, then between two."""
    curve = LimitCurve("moves", 100, np.array([0, 10, 20, 30, 40, 50, 60, 70, 80]))
    assert next_limit(curve, [], 0.4) == 5
    assert next_limit(curve, [Check(5, 40, 100)], 0.4) is None
    assert next_limit(curve, [Check(5, 70, 100)], 0.4) == 3
    assert next_limit(curve, [Check(5, 70, 100), Check(2, 10, 100)], 0.4) in (3, 4)
    assert next_limit(curve, [Check(5, 45, 100), Check(4, 30, 100)], 0.4) is None
    assert next_limit(curve, [Check(4, 60, 100), Check(8, 30, 100)], 0.4) is not None
    assert next_limit(curve, [], 0.95) is None


def test_next_limit_where_the_curve_points_at_what_was_played() -> None:
    """By the curve nothing is won with three moves: four is the nearest whatever it is moved by."""
    steep = LimitCurve("moves", 60, np.array([0, 0, 0, 28, 50, 55]))
    assert next_limit(steep, [Check(4, 28, 60)], 0.35) == 3
    assert next_limit(steep, [Check(4, 28, 60), Check(3, 20, 60)], 0.35) is None
    assert next_limit(steep, [Check(4, 28, 60), Check(3, 25, 60)], 0.35) in (1, 2)
    assert next_limit(steep, [Check(1, 28, 60)], 0.35) is None
    assert next_limit(steep, [Check(4, 14, 60)], 0.35) == 5
    assert next_limit(steep, [Check(6, 14, 60)], 0.35) is None


def test_between_two_it_goes_along_the_line() -> None:
    """From 20 % with 2 moves to 80 % with 14: 60 % lie two thirds of the way."""
    curve = LimitCurve("moves", 100, np.arange(20))
    assert next_limit(curve, [Check(2, 20, 100), Check(14, 80, 100)], 0.6) == 10


def test_limits_that_fit_are_those_whose_intervals_hold_the_target() -> None:
    """At 100 attempts, 30 to 49 wins hold 40 %; the nearest, which comes last, fits if none does."""
    checks = [Check(9, 80, 100), Check(3, 25, 100), Check(6, 46, 100), Check(4, 33, 100), Check(5, 38, 100)]
    assert _fitting_checks(checks, 0.4) == (4, 6)
    assert _fitting_checks(checks[:2], 0.4) == (3, 3)


def test_next_limit_by_chance_the_other_way_round() -> None:
    """With 3 moves it went better than with 4: shorter ones than 3 could still be nearer."""
    curve = LimitCurve("moves", 100, np.array([10, 20, 30, 40, 50, 60]))
    checks = [Check(5, 60, 100), Check(4, 30, 100), Check(3, 36, 100)]
    assert next_limit(curve, checks, 0.35) in (1, 2)
    assert next_limit(curve, [*checks, Check(2, 20, 100)], 0.35) is None


@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=30),
    st.lists(st.integers(0, 60), min_size=30, max_size=30),
)
def test_no_nearer_limit_is_left(past: list[int], truth: list[int]) -> None:
    """Whatever the curve says: when it ends, no limit is nearer to the target than what was played."""
    curve, wins, target = LimitCurve("moves", 60, np.array(sorted(past))), sorted(truth), 0.351
    checks: list[Check] = []
    while (limit := next_limit(curve, checks, target)) is not None:
        assert limit not in {check.limit for check in checks}
        checks.append(Check(limit, wins[limit - 1], 60))
    if checks:
        best = min(abs(wins[k] / 60 - target) for k in range(curve.longest))
        assert min(abs(check.rate - target) for check in checks) == best


class Fickle(Scripted):
    """Needs one move past the limit; with a limit each move gives it 4 %, which the curve cannot know."""

    def attempts(self, level: Level, seeds: Any) -> Any:
        assert level.moves is not None
        self.limits.append(level.moves)
        chance = 1.0 if level.moves >= 30 else 0.04 * level.moves
        lucky = (np.asarray(seeds)[:, 0] % np.uint64(1000)).astype(int) < 1000 * chance
        return records_of(*(won(level, moves_made=1) if luck else lost(level) for luck in lucky))


def test_a_curve_that_knows_nothing() -> None:
    """By the curve one move is enough for all; played, it takes 9 for 36 %. Steps of one do not get there."""
    tuning = tune(LEVEL, Fickle(1), 0.35, attempts=500, threads=1)
    assert tuning.best is not None
    assert (len(tuning.checks), tuning.is_settled) == (MOST_CHECKS, False)
    assert tuning.best.limit == max(check.limit for check in tuning.checks)


def test_a_search_agent_goes_on_to_the_nearest_limit() -> None:
    """By attempts past the limit four moves are the nearest to 35 %; played, three are nearer."""
    tuning = tune(Level.load("04-jelly-garden"), parse_agent("mcts:simulations=20"), 0.35, attempts=60)
    assert tuning.best is not None
    assert tuning.best.limit in (2, 3)
    assert {tuning.best.limit - 1, tuning.best.limit + 1} & {check.limit for check in tuning.checks}
    assert tuning.curve is None


def test_out_of_reach() -> None:
    """Half of the attempts end by a bomb, whatever the limit: it stops as soon as that is clear."""
    agent = Scripted(40, bombs=True)
    tuning = tune(LEVEL, agent, 0.9, attempts=200, threads=1)
    assert (tuning.best, tuning.tuned, tuning.checks) == (None, None, ())
    assert set(agent.limits) == {40}
    assert tuning.endings["bomb"] > 60


def test_below_the_shortest_limit() -> None:
    tuning = tune(LEVEL, Scripted(2), 0.1, attempts=100, threads=1)
    assert tuning.best is not None
    assert tuning.best.limit == 1


def test_seconds() -> None:
    tuning = tune(Level.load("11-beat-the-clock"), parse_agent("greedy"), 0.5, attempts=60)
    assert tuning.best is not None
    assert tuning.curve is not None
    assert tuning.tuned is not None
    assert tuning.tuned.seconds == tuning.best.limit
    assert tuning.best.success.value == pytest.approx(0.5, abs=0.15)


def test_same_seed_same_limit_whatever_the_threads() -> None:
    level, agent = Level.load("04-jelly-garden"), parse_agent("random")
    one, two = (tune(level, agent, 0.4, attempts=50, seed=3, threads=threads) for threads in (1, 3))
    assert one.checks == two.checks
    assert one.curve is not None
    assert two.curve is not None
    assert (one.curve.wins == two.curve.wins).all()


@pytest.mark.parametrize("target", [0, 1, -0.5, 35])
def test_wrong_target(target: float) -> None:
    with pytest.raises(PlaytestError, match="expected a success rate between 0 and 1"):
        tune(LEVEL, Scripted(5), target)


def test_wrong_attempts() -> None:
    with pytest.raises(PlaytestError, match="attempts: 3; expected at least 20"):
        tune(LEVEL, Scripted(5), 0.5, attempts=3)
