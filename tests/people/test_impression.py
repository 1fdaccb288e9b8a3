"""What swaps look like to simulated players, on drawn boards, by hand."""

from typing import Any

import pytest

from levelsense.game.game import Game, Move
from levelsense.people.simulated.impression import (
    BESIDE_BLOCKER,
    DANGER,
    GOAL,
    IN_THE_WAY,
    MAKES_BOMB,
    MAKES_STRIPED,
    MAKES_WRAPPED,
    SIZE,
    SPECIAL,
    STRIKES_SPECIAL,
    SWAPS_BOMB,
    SWAPS_SPECIALS,
    UNDER_INGREDIENT,
    look_at_swap,
    new_impression,
)
from tests.game.drawn import position

FIELD = """
    o y p c m
    r c r o y    <- b2b3: three reds
    m r y p c
    y p b m o
    c m o b b    <- c4c5: three blues
    o y p c m
"""
JELLY: dict[str, Any] = {"goals": {"jelly": "all"}}


def impression(game: Game, move: str) -> Any:
    seen = new_impression()
    before = game.state.copy()
    look_at_swap(game._record.level, game.state, seen, Move.parse(move).code)
    assert game.state == before
    return seen


def test_three_in_a_row_are_three() -> None:
    assert impression(position(FIELD), "b2b3").tolist() == [3, 0, 0, 0]


@pytest.mark.parametrize(
    ("drawn", "instead", "size", "special"),
    [
        ("r c r o y", "r c r r y", 4, MAKES_STRIPED),
        ("m r y p c\n    y p b m o", "m r y p c\n    y r b m o", 3, 0),
    ],
)
def test_longer_lines_make_specials(drawn: str, instead: str, size: int, special: float) -> None:
    seen = impression(position(FIELD.replace(drawn, instead)), "b2b3")
    assert (seen[SIZE], seen[SPECIAL]) == (size, special)


def test_five_make_a_color_bomb_and_a_corner_a_wrapped_candy() -> None:
    line = position("r r y r r\no y r p o\ny p o y p")
    seen = impression(line, "c1c2")
    assert (seen[SIZE], seen[SPECIAL]) == (5, MAKES_BOMB)
    corner = position("o r y p\nr y r r\np r y o\ny r o p")
    seen = impression(corner, "a2b2")
    assert (seen[SIZE], seen[SPECIAL]) == (7, MAKES_WRAPPED)


def test_jelly_counts_only_while_it_is_asked_for() -> None:
    drawing = FIELD.replace("r c r", "r' c'' r")
    assert impression(position(drawing, **JELLY), "b2b3")[GOAL] == 2
    assert impression(position(drawing), "b2b3")[GOAL] == 0


def test_ordered_colors_count_until_they_are_there() -> None:
    reds = {"orders": {"red": 9}}
    assert impression(position(FIELD, goals=reds), "b2b3")[GOAL] == 3
    assert impression(position(FIELD, goals=reds), "c4c5")[GOAL] == 0
    assert impression(position(FIELD, "counts: red 9", goals=reds), "b2b3")[GOAL] == 0


def test_a_blocker_beside_is_in_the_way_and_worth_more_if_asked_for() -> None:
    drawing = FIELD.replace("o y p c m\n    r", "o #2 p c m\n    r", 1)
    assert impression(position(drawing), "b2b3")[GOAL] == pytest.approx(BESIDE_BLOCKER * IN_THE_WAY)
    asked = position(drawing, goals={"orders": {"icing": 1}})
    assert impression(asked, "b2b3")[GOAL] == pytest.approx(BESIDE_BLOCKER)


@pytest.mark.parametrize(
    ("token", "name", "appeal"),
    [("T2", "toffee", 1.0), ("D1", "dark chocolate", 1.0), ("P1", "popcorn", 0.0)],
)
def test_what_a_line_beside_it_does_nothing_to_is_not_worth_a_glance(
    token: str, name: str, appeal: float
) -> None:
    drawing = FIELD.replace("o y p c m\n    r", f"o {token} p c m\n    r", 1)
    in_the_way = BESIDE_BLOCKER * IN_THE_WAY * appeal
    assert impression(position(drawing), "b2b3")[GOAL] == pytest.approx(in_the_way)
    asked = position(drawing, goals={"orders": {name: 1}})
    assert impression(asked, "b2b3")[GOAL] == pytest.approx(BESIDE_BLOCKER * appeal)


def test_a_blocker_over_jelly_is_worth_as_much_as_the_jelly() -> None:
    drawing = FIELD.replace("o y p c m\n    r", "o #2' p c m\n    r", 1)
    assert impression(position(drawing, **JELLY), "b2b3")[GOAL] == pytest.approx(BESIDE_BLOCKER)


@pytest.mark.parametrize(
    ("drawn", "instead", "move"),
    [
        ("o y p c m\n    r", "o yL p c m\n    r", "b2b3"),  # above the line
        ("r c r o y", "r c r oL y", "b2b3"),  # to its right
        ("c m o b b", "c mL o b b", "c4c5"),  # to its left
        ("o y p c m\n", "o y p cL m\n", "c4c5"),  # below it
    ],
)
def test_a_lock_beside_a_line_is_not_touched(drawn: str, instead: str, move: str) -> None:
    changed = instead.join(FIELD.rsplit(drawn, 1)) if move == "c4c5" else FIELD.replace(drawn, instead, 1)
    locks = position(changed, goals={"orders": {"lock": 1}})
    assert impression(locks, move)[GOAL] == 0


def test_a_line_under_an_ingredient_brings_it_down() -> None:
    drawing = FIELD.replace("o y p c m\n    r", "o C p c m\n    r", 1)
    cherry: dict[str, Any] = {"goals": {"ingredients": {"cherry": 1}}, "exits": ["b6"]}
    assert impression(position(drawing, **cherry), "b2b3")[GOAL] == pytest.approx(UNDER_INGREDIENT)


def test_a_short_fuse_alarms_more_than_a_long_one() -> None:
    assert impression(position(FIELD.replace("r c r", "r2 c r")), "b2b3")[DANGER] == 0.5
    assert impression(position(FIELD.replace("r c r", "r8 c r")), "b2b3")[DANGER] == 0.125


def test_a_bomb_that_is_ordered_is_a_goal_too() -> None:
    drawing = FIELD.replace("r c r", "r4 c r")
    assert impression(position(drawing, goals={"orders": {"countdown": 1}}), "b2b3")[GOAL] == 1
    assert impression(position(drawing), "b2b3")[GOAL] == 0


def test_a_time_candy_is_half_an_alarm() -> None:
    assert impression(position(FIELD.replace("r c r", "r@ c r"), seconds=60), "b2b3")[DANGER] == 0.5


def test_plain_rules_make_no_specials() -> None:
    for rules, special in (("saga", MAKES_STRIPED), ("plain", 0)):
        game = position(FIELD.replace("r c r o y", "r c r r y"), rules=rules, drops=[])
        seen = impression(game, "b2b3")
        assert (seen[SIZE], seen[SPECIAL]) == (4, special)


def test_a_special_in_the_line_is_seen_but_not_what_it_strikes() -> None:
    game = position(FIELD.replace("m r y", "m r= y").replace("r c r o y", "r c r o' y"), **JELLY)
    seen = impression(game, "b2b3")
    assert (seen[SPECIAL], seen[GOAL]) == (STRIKES_SPECIAL, 0)


def test_swapped_specials_and_bombs() -> None:
    for pieces, size in (("p= b=", 3), ("p= b+", 4), ("p+ b+", 5)):
        pair = position(FIELD.replace("y p b m o", f"y {pieces} m o"))
        seen = impression(pair, "b4c4")
        assert (seen[SPECIAL], seen[SIZE]) == (SWAPS_SPECIALS, size)
    bomb = position(FIELD.replace("y p b m o", "y * b m o"))
    assert impression(bomb, "b4c4")[SPECIAL] == SWAPS_BOMB
