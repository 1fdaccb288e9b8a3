"""Limits that were played themselves, and guesses between them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.agents.registry import parse_agent
from levelsense.level.level import Level
from levelsense.playtest.figures import play_past_limit, play_seeds
from levelsense.playtest.limits import Check, between, limits_to_play, watches_limit
from levelsense.playtest.plan import attempt_seeds
from tests.playtest.drawn_attempts import attempts_at, lost, small_level, won

LEVEL = small_level()


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        ("random", False),
        ("first", False),
        ("greedy", False),
        ("heuristic", False),
        ("mcts:simulations=10", True),
        ("sampling:simulations=2", True),
    ],
)
@pytest.mark.parametrize("name", ["04-jelly-garden", "11-beat-the-clock"])
def test_who_watches_the_limit(name: str, agent: str, expected: bool) -> None:
    level, player = Level.load(name), parse_agent(agent)
    attempts = play_seeds(player, level, attempt_seeds(level.digest, player.spec, 0, 0, 8))
    assert watches_limit(attempts, play_past_limit(player, level, 8, 0)) is expected


def test_watching_shows_in_wins_and_in_moves() -> None:
    longer = small_level(moves=16)
    attempts = attempts_at(LEVEL, won(LEVEL, moves_made=4), lost(LEVEL, moves_made=10))

    def watches(*past: dict[str, Any]) -> bool:
        return watches_limit(attempts, attempts_at(longer, *past))

    later = lost(LEVEL, moves_made=16), won(LEVEL, moves_made=11)
    for second in later:
        assert not watches(won(LEVEL, moves_made=4), second)
        assert watches(won(LEVEL, moves_made=5), second)
        assert watches(won(LEVEL, moves_made=4, legal_moves=20), second)
    assert watches(lost(LEVEL, moves_made=16), later[0])
    assert watches(won(LEVEL, moves_made=4), won(LEVEL, moves_made=10))


def test_watching_in_one_attempt_of_several() -> None:
    """Two wins, of which one took another number of moves past the limit, or had another choice."""
    longer = small_level(moves=16)
    first = won(LEVEL, moves_made=4, legal_moves=9)
    attempts = attempts_at(LEVEL, first, won(LEVEL, moves_made=6, legal_moves=9))
    for moves, legal, expected in ((6, 9, False), (7, 9, True), (6, 8, True)):
        second = won(LEVEL, moves_made=moves, legal_moves=legal)
        assert watches_limit(attempts, attempts_at(longer, first, second)) is expected


def test_seconds_that_are_no_whole_number() -> None:
    """With 7.5 s, an attempt that took just 7.5 s before its last move is too late; one of 7.499 s is not."""
    level, longer = small_level(moves=None, seconds=7.5), small_level(moves=None, seconds=12)
    just, late = won(longer, least_time=4_501), won(longer, least_time=4_500)
    past = attempts_at(longer, just, late)
    assert not watches_limit(attempts_at(level, won(level), lost(level)), past)
    assert watches_limit(attempts_at(level, won(level), won(level)), past)


def test_limits_to_play() -> None:
    assert limits_to_play(small_level(moves=40)) == [5, 10, 20, 30, 40, 60]
    assert limits_to_play(small_level(moves=15)) == [2, 4, 8, 11, 15, 22]
    assert limits_to_play(small_level(moves=1)) == [1, 2]
    assert limits_to_play(small_level(moves=999))[-1] == 999
    assert limits_to_play(small_level(moves=None, seconds=12.5)) == [2, 3, 6, 9, 12, 19]


def test_between_is_a_line_in_log_odds() -> None:
    """Odds of 1/9 and of 9, with very many attempts: halfway they are even, a third of the way 9^(-1/3)."""
    checks = [Check(7, 900_000, 1_000_000), Check(1, 100_000, 1_000_000)]
    shares = dict(between(checks))
    assert (shares[1], shares[7]) == (0.1, 0.9)
    assert shares[4] == pytest.approx(0.5)
    odds = 9 ** (-1 / 3)
    assert shares[3] == pytest.approx(odds / (1 + odds), abs=1e-4)


def test_between_ends_exactly_where_nothing_or_everything_was_won() -> None:
    shares = dict(between([Check(1, 0, 20), Check(3, 20, 20), Check(5, 20, 20)]))
    assert shares[2] == pytest.approx(0.5)
    assert (shares[1], shares[3], shares[4], shares[5]) == (0, 1, 1, 1)
    assert between([]) == []
    assert between([Check(3, 1, 2)]) == [(3, 0.5)]


CHECKS = st.dictionaries(st.integers(1, 60), st.tuples(st.integers(0, 50), st.integers(50, 80)), min_size=1)


@given(CHECKS)
def test_between_passes_through_and_never_beyond_its_neighbors(played: dict[int, tuple[int, int]]) -> None:
    checks = [Check(limit, wins, attempts) for limit, (wins, attempts) in played.items()]
    shares = between(checks)
    assert [limit for limit, _ in shares] == list(range(min(played), max(played) + 1))
    rates = {check.limit: check.rate for check in checks}
    for limit, rate in shares:
        left = max(other for other in played if other <= limit)
        right = min(other for other in played if other >= limit)
        low, high = sorted((rates[left], rates[right]))
        assert low - 1e-9 <= rate <= high + 1e-9
        assert limit not in rates or rate == pytest.approx(rates[limit])
    assert not np.isnan([rate for _, rate in shares]).any()
