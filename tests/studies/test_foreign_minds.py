"""Foreign kinds of simulated people on drawn boards: each has its habit, and nothing else decides."""

from typing import Any

import numpy as np
import pytest

from levelsense.agents.attempt import choose_move
from levelsense.game.game import Game
from levelsense.game.record import level_record
from levelsense.studies.foreign_kinds import CODES, FOREIGN
from levelsense.studies.foreign_minds import FOREIGN_KERNELS, line_of, pressure, share_left
from tests.game.drawn import position

# Around the candies that a test is about, o y p c m in every row, two further with each, can make no line.
FIELD = """
    o y p c m
    r c r o y    <- b2b3: three reds in a row
    m r y p c
    y p b m o
    c m o b b    <- c4c5: three blues in a row
    o y p c m
"""
UPPER, LOWER = "b2b3", "c4c5"
UPRIGHT = """
    o y p c m
    r c r o y    <- b2b3: three reds in a row
    m r y p c
    y p g m o
    c m o b p    <- c5d5: three blues in a column
    o y b c m
    m o b y c
"""
JELLY: dict[str, Any] = {"goals": {"jelly": "all"}}
# A player of plain tastes, who never errs.
PLAIN = {"alarm": 0, "size": 0, "error": 0, "spark": 0, "careless": 0}


def choice(kind: str, game: Game, seed: int = 0, **traits: float) -> str:
    """The move that a player of a kind makes, with these traits and otherwise plain ones."""
    of_kind = FOREIGN[kind]
    values = np.zeros(of_kind.columns)
    for name, value in {**PLAIN, **traits}.items():
        values[of_kind.table[name.replace("_", " ")].code] = value
    return str(choose_move(FOREIGN_KERNELS, [CODES[of_kind], len(values), *values], game, seed))


def choices(kind: str, game: Game, **traits: float) -> set[str]:
    """All that a player of a kind does, of 40 times."""
    return {choice(kind, game, seed, **traits) for seed in range(40)}


def with_jelly_below() -> Game:
    return position(FIELD.replace("b b ", "b' b "), **JELLY)


def with_jelly_above() -> Game:
    return position(FIELD.replace("r c r", "r' c r"), **JELLY)


def test_scanners_begin_in_their_corner() -> None:
    game = position(FIELD)
    common = {"standard": 0, "stamina": 9}
    assert choices("scanner", game, upward=-1, **common) == {UPPER}
    assert choices("scanner", game, upward=1, **common) == {LOWER}
    # By columns the reds, in column b, come before the blues, in column c, from the left.
    assert choices("scanner", game, upward=1, by_column=1, **common) == {UPPER}
    assert choices("scanner", game, upward=-1, rightward=1, by_column=1, **common) == {LOWER}


def test_scanners_go_on_to_the_first_that_is_good_enough() -> None:
    game = with_jelly_below()
    assert choices("scanner", game, upward=-1, standard=1, stamina=9) == {LOWER}
    assert choices("scanner", game, upward=-1, standard=1, stamina=1) == {UPPER}  # too long a way
    assert choices("scanner", game, upward=-1, standard=2, stamina=9) == {UPPER}  # none is good enough
    assert choices("scanner", game, upward=-1, stamina=9, overlooks=0.5) == {UPPER, LOWER}


def test_bottomers_stay_low_unless_goals_count_for_more() -> None:
    game = with_jelly_above()
    assert choices("bottomer", game, low=1, goals=0) == {LOWER}
    assert choices("bottomer", game, low=1, goals=1) == {UPPER}
    assert choices("bottomer", game, low=5, goals=1) == {LOWER}


def test_comparers_know_only_what_they_compare() -> None:
    game = with_jelly_above()
    assert choices("comparer", game, few=2) == {UPPER}
    assert choices("comparer", game, few=1) == {UPPER, LOWER}
    assert choices("comparer", game, few=2, error=3) == {UPPER, LOWER}


def test_rowers_do_not_see_columns() -> None:
    game = position(UPRIGHT.replace("c m o b p", "c m o' b p"), **JELLY)
    assert choices("rower", game, upright=0, length=1, goals=1) == {UPPER}
    assert choices("rower", game, upright=1, length=1, goals=1) == {"c5d5"}


def test_chasers_remember_goals_late() -> None:
    four = (
        FIELD.replace("y p b m o", "y b p m o").replace("c m o b b", "b m b b o").replace("r c r", "r' c r")
    )
    game = position(four, **JELLY)
    assert choices("chaser", game, spark=1, wakes=0.5, goals=9) == {"b4b5"}
    assert choices("chaser", game, spark=1, wakes=1.1, goals=9) == {UPPER}


def test_pressure_grows_with_what_is_used_and_missing() -> None:
    game = with_jelly_above()
    level = level_record(game.level).level
    assert (share_left(level, game.state), pressure(level, game.state)) == (1.0, 0.0)
    game.state.moves_left = level.moves // 2
    used = 1 - level.moves // 2 / level.moves
    assert pressure(level, game.state) == pytest.approx(min(1.0, used * used + used))


def test_panickers_are_calm_at_first() -> None:
    game = with_jelly_above()
    assert choices("panicker", game, freezes=1, nerves=50) == {UPPER}
    game.state.moves_left = 1
    assert choices("panicker", game, freezes=0.9) == {UPPER, LOWER}


def test_the_line_of_a_move() -> None:
    game = position(UPRIGHT)
    level = level_record(game.level).level
    lines = {str(move): line_of(level, game.state, move.code) for move in game.legal_moves}
    colors = {name: (game.level.color_table.index(name) + 1) for name in ("red", "blue")}
    assert lines == {UPPER: (colors["red"], True), "c5d5": (colors["blue"], False)}


def test_colorists_follow_their_colors() -> None:
    game = position(FIELD)
    tastes = [taste / 10 for taste in range(1, 60)]
    followed = {choice("colorist", game, love=1, taste=taste) for taste in tastes}
    assert followed == {UPPER, LOWER}
    # Whatever the taste, goals decide where love is none.
    assert {choice("colorist", with_jelly_above(), goals=1, taste=taste) for taste in tastes} == {UPPER}


def test_savers_combine_nothing_and_keep_specials() -> None:
    striped = FIELD.replace("c m o b b", "c m o b= b=")
    game = position(striped)
    assert len(game.legal_moves) > 2  # two striped candies can be swapped, either way
    assert choices("saver", game, keep=1, spends=0) == {UPPER}
    assert choices("saver", game, keep=1, spends=1.1) == {LOWER}


def test_the_tired_look_at_less() -> None:
    game = with_jelly_above()
    assert choices("tired", game, looks=9, fatigue=1) == {UPPER}
    game.state.moves_made = 60
    assert choices("tired", game, looks=9, fatigue=1) == {UPPER, LOWER}


@pytest.mark.parametrize("kind", FOREIGN)
def test_careless_people_make_any_move(kind: str) -> None:
    assert choices(kind, with_jelly_above(), careless=1) == {UPPER, LOWER}
