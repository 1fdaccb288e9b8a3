"""What outcomes are worth to planners, on drawn boards, by hand and beside what a game tells."""

from typing import Any

import numpy as np
import pytest

from levelsense.agents.swaps import moves_in_limit
from levelsense.game.game import Game
from levelsense.level.elements import BLOCKERS as BLOCKER_TABLE
from levelsense.level.level import Level
from levelsense.people.simulated.outcome import (
    BLOCKERS,
    DISASTER,
    FORGOTTEN,
    FUSE,
    GOALS,
    HOARD,
    LATE,
    POINTS,
    SECONDS,
    SPEND,
    TRAITS,
    WIN,
    danger,
    layers_left,
    share_used,
    specials_kept,
    specials_made,
    value_outcome,
    way_done,
)
from tests.game.drawn import play, position

FIELD = """
    o y p c m
    r c r o y    <- b2b3
    m r y p c
    y p b m o
    c m o b b    <- c4c5
    o y p c m
"""
SPECIAL_NAMES = ("striped row", "striped column", "wrapped", "color bomb")


def worth(before: Game, move: str, watching: bool = False, **traits: float) -> float:
    """What a move is worth to a planner who cares for these parts only."""
    codes = {"points": POINTS, "goals": GOALS, "late": LATE, "blockers": BLOCKERS}
    codes |= {"hoard": HOARD, "spend": SPEND}
    row = np.zeros(TRAITS)
    for name, value in traits.items():
        row[codes[name]] = value
    after = play(before.copy(), move).game
    return float(value_outcome(before._record.level, before.state, after.state, row, watching))


def test_points_count_by_their_doublings() -> None:
    """A line of three is 60 points, one of four 120."""
    assert worth(position(FIELD), "b2b3", points=2) == pytest.approx(2 * np.log2(1 + 60 / 60))
    four = position(FIELD.replace("r c r o", "r c r r"))
    assert worth(four, "b2b3", points=1) == pytest.approx(np.log2(1 + 120 / 60))


def test_goals_count_by_the_moves_they_would_fairly_take() -> None:
    """Three reds of nine in one of 20 moves."""
    game = position(FIELD, goals={"orders": {"red": 9}})
    assert worth(game, "b2b3", goals=1) == pytest.approx(3 / 9 * 20)
    assert worth(game, "b2b3", goals=1, late=0.1) == pytest.approx(FORGOTTEN * 3 / 9 * 20)
    assert worth(game, "c4c5", goals=1) == 0


def test_an_ingredient_counts_by_how_far_down_it_is() -> None:
    """The cherry in row 1 of 6 sinks by one as the blues below it go."""
    game = position(
        FIELD.replace("o y p c m\n    r", "o y p C m\n    r"), goals={"ingredients": {"cherry": 2}}
    )
    level = game._record.level
    assert way_done(level, game.state) == 0
    after = play(game, "c4c5").game
    assert way_done(level, after.state) == pytest.approx(1 / (6 * 2))


def test_specials_kept_and_set_off() -> None:
    game = position(FIELD.replace("r c r o", "r= c r o").replace("c m o b b", "c b o b b"))
    assert worth(game, "c4c5", hoard=1, spend=10) == 1  # one made
    assert worth(game, "b2b3", hoard=1, spend=10) == -1 + 10  # one set off


def test_layers_of_blockers() -> None:
    game = position(FIELD.replace("c m o b b    <- c4c5\n    o y p c", "c m o b b\n    o y p #3"))
    assert layers_left(game.state) == 3
    assert worth(game, "c4c5", blockers=2) == 2
    assert worth(game, "b2b3", blockers=2) == 0


def test_bombs_by_their_moves_left() -> None:
    """A bomb of 3 has 2 left after a move elsewhere; one of 1 goes off."""
    bomb = FIELD.replace("o b b", "o b3 b")
    game = position(bomb)
    assert danger(game.state) == pytest.approx(1 / 3)
    assert worth(game, "c4c5", watching=True) == pytest.approx(FUSE / 3)
    assert worth(game, "b2b3", watching=True) == pytest.approx(FUSE * (1 / 3 - 1 / 2))
    assert worth(game, "b2b3", watching=False) == 0
    assert worth(position(FIELD.replace("o b b", "o b1 b")), "b2b3", watching=True) == -DISASTER


def test_marmalade_hides_a_bomb_from_the_alarm() -> None:
    assert danger(position(FIELD.replace("o y p c m\n    r", "o3M y p c m\n    r")).state) == 0


def test_time_won_counts_in_seconds() -> None:
    """A move and its round cost what the pace says; a time candy gives five seconds back."""
    keys: dict[str, Any] = {"seconds": 60, "pace": {"move": 2, "round": 1}}
    assert worth(position(FIELD, **keys), "b2b3", watching=True) == pytest.approx(-3 * SECONDS)
    candy = position(FIELD.replace("r c r o", "r@ c r o"), **keys)
    gain = candy._record.level.time_bonus / 1000
    assert gain > 0
    assert worth(candy, "b2b3", watching=True) == pytest.approx((gain - 3) * SECONDS)


def test_a_win_is_worth_more_than_anything() -> None:
    game = position(FIELD, goals={"orders": {"red": 3}})
    assert worth(game, "b2b3") == WIN


def test_the_share_used_of_moves_and_of_time() -> None:
    game = position(FIELD)
    assert share_used(game._record.level, game.state) == 0
    game.state.moves_left = 5
    assert share_used(game._record.level, game.state) == 0.75
    timed = position(FIELD, seconds=60, pace={"move": 2, "round": 1})
    timed.state.time_left = 15_000
    assert share_used(timed._record.level, timed.state) == 0.75
    timed.state.time_left = 90_000  # time candies give more than there was
    assert share_used(timed._record.level, timed.state) == 0
    assert moves_in_limit(timed._record.level) == 60 / 4
    assert moves_in_limit(game._record.level) == 20


@pytest.mark.parametrize("name", ["09-thin-ice", "20-short-fuses", "19-chocolate-box", "46-movie-night"])
def test_counts_are_those_of_the_cells_that_a_game_shows(name: str) -> None:
    game = Game(Level.load(name), 5)
    layered = {element.name for element in BLOCKER_TABLE if element.most_layers > 1}
    while game.status == "playing":
        cells = game.cells
        blockers = [cell for cell in cells if cell.blocker]
        assert layers_left(game.state) == sum(
            cell.layers if cell.blocker in layered else 1 for cell in blockers
        )
        assert specials_kept(game.state) == sum(cell.piece in SPECIAL_NAMES for cell in cells)
        assert specials_made(game.state) == sum(
            game.counts[made] for made in ("striped", "wrapped", "color bomb")
        )
        game.play(game.legal_moves[len(game.legal_moves) // 2])
    assert game.state.moves_made > 0
