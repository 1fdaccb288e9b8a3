"""The least time left before a move decides short time limits, and is estimated where it was not noted."""

import polars as pl
import pytest

from levelsense.errors import PlaytestError
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.limits import is_won_within, limit_curve
from tests.playtest.drawn_attempts import attempts_at, small_level, won

# Every move takes 1 s, and every round of its cascade 1 s.
LEVEL = small_level(moves=None, seconds=20, pace={"move": 1, "round": 1})


def of_older_version(attempts: Attempts) -> Attempts:
    """The same attempts without the least time, as databases up to schema 3 keep them."""
    nothing = pl.lit(None, pl.Float64).alias("least_time")
    return Attempts.from_frame(attempts.level, attempts.frame.with_columns(nothing))


def test_time_that_came_back_does_not_hide_how_little_was_left() -> None:
    """Five moves, the least time before the third; then a time candy gives ten seconds back.

    left before each move   20  11   2   9   7
    left in the end                              5

    A limit of 18 s would leave 0 s before the third move, so that it takes 19 s. The last move and one round
    took 2 s, so that by the end alone 7 s were the least, and 14 s would be enough.
    """
    attempts = attempts_at(LEVEL, won(LEVEL, moves_made=5, least_time=2_000, time_left=5_000))
    assert [bool(is_won_within(attempts, limit)[0]) for limit in (14, 18, 19, 20)] == [
        False,
        False,
        True,
        True,
    ]
    assert limit_curve(attempts).wins.tolist() == [0] * 18 + [1, 1]
    estimated = of_older_version(attempts)
    assert [bool(is_won_within(estimated, limit)[0]) for limit in (13, 14, 18)] == [False, True, True]


def test_a_last_move_that_cascades_takes_no_time_from_the_limit() -> None:
    """It began with 9 s left, made eight rounds and ended with 0 s: any limit above 11 s is enough.

    By the end alone it had begun with 2 s.
    """
    attempts = attempts_at(LEVEL, won(LEVEL, moves_made=4, least_time=9_000, time_left=0))
    assert limit_curve(attempts).wins.tolist() == [0] * 11 + [1] * 9
    assert limit_curve(of_older_version(attempts)).wins.tolist() == [0] * 18 + [1] * 2


def test_the_estimate_is_never_above_the_limit() -> None:
    estimated = of_older_version(attempts_at(LEVEL, won(LEVEL, moves_made=1, time_left=25_000)))
    assert estimated.least_time.tolist() == [20_000]


def test_rows_of_both_kinds_stand_together() -> None:
    old, new = (attempts_at(LEVEL, won(LEVEL, least_time=2_000, time_left=5_000)) for _ in range(2))
    both = Attempts.joined(LEVEL, [of_older_version(old), new])
    assert both.least_time.tolist() == [7_000, 2_000]


def test_moves_have_no_least_time() -> None:
    attempts = attempts_at(small_level(), won(small_level()))
    assert attempts.frame["least_time"].to_list() == [None]
    with pytest.raises(PlaytestError, match="small: the least time left; expected a level with seconds"):
        _ = attempts.least_time
