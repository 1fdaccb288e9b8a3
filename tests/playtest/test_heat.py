"""Heat maps: what was left where, on the board's own shape."""

import numpy as np

from levelsense.playtest.losses import heat_maps
from tests.playtest.drawn_rows import lost, rows_of, small_level, won

LEVEL = small_level()


def test_shares_of_lost_attempts() -> None:
    rows = rows_of(
        lost(LEVEL, jelly_left=[(0, 1), (2, 3)]),
        lost(LEVEL, jelly_left=[(2, 3)], ingredient_left=[(1, 0)]),
        won(LEVEL, jelly_left=[(1, 1)]),
    )
    jelly, ingredients = heat_maps(LEVEL, rows)
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
    assert heat_maps(LEVEL, rows_of(lost(LEVEL))) == ()
    assert heat_maps(LEVEL, rows_of(won(LEVEL, jelly_left=[(1, 1)]))) == ()


def test_layers_do_not_count_twice() -> None:
    rows = rows_of(lost(LEVEL, blocker_left=[(1, 1)]))
    rows["blocker_left"] *= 5
    (blockers,) = heat_maps(LEVEL, rows)
    assert blockers.shares[1, 1] == 1.0
