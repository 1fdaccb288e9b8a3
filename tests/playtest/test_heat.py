"""Heat maps: what was left where, on the board's own shape."""

import numpy as np

from levelsense.playtest.attempts import Attempts
from levelsense.playtest.statistics import heat_maps
from tests.playtest.drawn_attempts import attempts_at, lost, records_of, small_level, won

LEVEL = small_level()


def test_shares_of_lost_attempts() -> None:
    attempts = attempts_at(
        LEVEL,
        lost(LEVEL, jelly_left=[(0, 1), (2, 3)]),
        lost(LEVEL, jelly_left=[(2, 3)], ingredient_left=[(1, 0)]),
        won(LEVEL, jelly_left=[(1, 1)]),
    )
    jelly, ingredients = heat_maps(attempts)
    gap = np.nan
    assert (jelly.kind, jelly.lost) == ("jelly", 2)
    np.testing.assert_equal(
        jelly.shares,
        [
            [gap, 0.5, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ],
    )
    assert jelly.hottest == (2, 3)
    assert ingredients.kind == "ingredients"
    assert ingredients.shares[1, 0] == 0.5


def test_nothing_left_no_map() -> None:
    assert heat_maps(attempts_at(LEVEL, lost(LEVEL))) == ()
    assert heat_maps(attempts_at(LEVEL, won(LEVEL, jelly_left=[(1, 1)]))) == ()


def test_layers_do_not_count_twice() -> None:
    records = records_of(lost(LEVEL, blocker_left=[(1, 1)]))
    records["blocker_left"] *= 5
    (blockers,) = heat_maps(Attempts.from_records(LEVEL, 0, records))
    assert blockers.shares[1, 1] == 1.0
