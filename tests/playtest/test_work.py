"""How far a pair has come: what is open, and how many attempts it will likely have in the end."""

import numpy as np

from levelsense.playtest.interval import half_width
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.plan import LOST, MISSING, WON, Extent, Pair
from levelsense.playtest.work import Work
from tests.playtest.drawn_attempts import small_level
from tests.playtest.players import CoinPlayer

PAIR = Pair(NamedLevel(small_level(), ("small",)), CoinPlayer(), 0)


def work(extent: Extent, wins: int = 0, done: int = 0) -> Work:
    """A pair of which the first attempts are known: those that were won, then those that were lost."""
    known = np.full(extent.checkpoints[-1], MISSING, np.int8)
    known[:done] = LOST
    known[:wins] = WON
    return Work(PAIR, extent, known)


def test_without_a_precision_it_is_what_was_asked_for() -> None:
    assert work(Extent(100)).expected == 100
    assert work(Extent(100), wins=20, done=60).expected == 100


def test_what_a_precision_will_likely_take_by_the_rate_so_far() -> None:
    """Two wins in four attempts more: p = 22 / 104, and p (1 - p) (1.96 / 0.05)^2 = 256.3; at 1/2: 384.1."""
    assert work(Extent(100, 0.05), wins=20, done=100).expected == 256
    assert work(Extent(100, 0.05), wins=50, done=100).expected == 384
    assert work(Extent(100, 0.05), wins=80, done=100).expected == 256


def test_no_less_than_the_next_checkpoint_and_no_more_than_the_ceiling() -> None:
    """At p = 1/2, a precision of 0.25 takes 15 attempts, and one of 0.01 takes 9,604."""
    assert work(Extent(100, 0.25)).expected == 100
    assert work(Extent(100, 0.01, 2000), wins=50, done=100).expected == 2000


def test_what_is_finished_needs_no_more() -> None:
    """80 of 400 are just precise enough, though p = 82 / 404 would say 406."""
    precision = 0.03912
    assert half_width(80, 400) < precision
    pair = work(Extent(400, precision), wins=80, done=400)
    assert pair.finished
    assert pair.expected == 400


def test_what_is_handed_out_is_not_open() -> None:
    pair = work(Extent(10), wins=1, done=3)
    assert pair.open == 7
    batch = pair.take(4)
    assert batch is not None
    assert (batch.first, batch.count) == (3, 4)
    assert (pair.open, pair.done, pair.wins) == (3, 3, 1)
