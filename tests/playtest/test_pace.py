"""How fast agents play: batches of a quarter of a second, and what is told of the time left."""

import pytest

from levelsense.playtest import playtest
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.plan import Extent, Pair
from levelsense.playtest.work import Batch, Pace, Work
from tests.playtest.drawn_attempts import small_level
from tests.playtest.players import CoinPlayer

PLENTY = 1_000_000


def work(spec: str = "coin") -> Work:
    return Work(Pair(NamedLevel(small_level(), ("small",)), CoinPlayer(spec=spec), 0), Extent(1000))


def note(pace: Pace, of: Work, count: int, seconds: float) -> None:
    """A batch of so many attempts that took so long."""
    pace.note(Batch(of, 0, count, seconds=seconds))


def test_batches_take_a_quarter_of_a_second_and_grow_eightfold_at_most() -> None:
    pace, mine = Pace(2), work()
    assert pace.size(mine, PLENTY) == 1
    note(pace, mine, 1, 0.01)
    assert pace.size(mine, PLENTY) == 8
    note(pace, mine, 8, 0.08)
    assert pace.size(mine, PLENTY) == 25
    assert Pace(2, batch=7).size(mine, PLENTY) == 7


def test_a_level_that_an_agent_has_not_played_gets_a_quarter_of_that() -> None:
    pace, mine, new, another = Pace(2), work(), work(), work("another")
    note(pace, mine, 10, 0.1)
    assert pace.size(new, PLENTY) == 6
    assert pace.size(another, PLENTY) == 1


def test_towards_the_end_two_batches_for_each_thread() -> None:
    pace, mine = Pace(3), work()
    note(pace, mine, 10, 0.1)
    assert [pace.size(mine, left) for left in (PLENTY, 90, 19, 6, 1)] == [25, 15, 4, 1, 1]


def test_threads_have_enough_with_two_batches_each_or_six_short_ones() -> None:
    pace, mine = Pace(2), work()
    note(pace, mine, 10, 0.1)
    long, short = Batch(mine, 0, 25), Batch(mine, 0, 1)
    for batch in (long, short):
        pace.expect(batch)
    assert (long.expected, short.expected) == pytest.approx((0.25, 0.01))
    assert [pace.has_enough([long] * count) for count in (3, 4)] == [False, True]
    assert [pace.has_enough([short] * count) for count in (11, 12)] == [False, True]


def test_all_threads_play_at_once() -> None:
    """12 attempts in 3 seconds of one thread: two threads play 8 a second."""
    pace, mine = Pace(2), work()
    assert pace.attempts_per_second(mine) is None
    assert pace.seconds_left(mine) is None
    note(pace, mine, 6, 1.0)
    note(pace, mine, 6, 2.0)
    assert pace.attempts_per_second(mine) == pytest.approx(8)
    assert pace.seconds_left(mine) == pytest.approx(1000 * (2 / 6) / 2)  # by the last batch
    assert pace.seconds_left(work()) == pytest.approx(1000 * (2 / 6) / 2)  # by the agent's other level
    mine.done = 1000
    assert pace.seconds_left(mine) == 0


def test_the_time_that_an_agent_takes_to_compile_is_not_its_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first attempt is played alone, and not noted; the others are, ten at a time."""
    noted: list[tuple[int, int]] = []
    monkeypatch.setattr(Pace, "note", lambda pace, batch: noted.append((batch.first, batch.count)))
    playtest([small_level()], [CoinPlayer()], 31, threads=1, batch=10)
    assert sorted(noted) == [(1, 10), (11, 10), (21, 10)]
