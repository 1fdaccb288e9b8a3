"""Falling, sliding, what enters and what leaves (docs/rules.md, section 8)."""

from collections import Counter
from typing import Any

import pytest

from levelsense.game.game import Game
from levelsense.level.level import Level
from tests.game.drawn import GAMMA, SWIRLS, Played, show

# Straight down


def test_pieces_fall_straight_down_and_new_ones_come_in_on_top() -> None:
    show(
        """
        before    cleared   settled
        o y g     o y g     S S S
        b r p     b b p     o y g
        r b r     : : :     b b p
        y g o     y g o     y g o
        """,
        "b2b3",
    )


def test_pieces_fall_across_gaps() -> None:
    show(
        """
        before    settled
        o y g     S S S
        - r y     - y g
        r b r     o b y
        """,
        "b2b3",
    )


def test_new_pieces_enter_at_the_uppermost_tile_of_a_column() -> None:
    show(
        """
        before    settled
        - y g     - S S
        o r y     S y g
        r b r     o b y
        """,
        "b2b3",
    )


def test_a_blocker_holds_its_piece_and_what_is_above_it() -> None:
    show(
        """
        before      settled
        o  y  g     o  y  S
        bL #5 y     bL #5 S
        g  r  p     :  g  y     <- a3 stays empty: no loose piece is diagonally above it
        r  b  r     g  b  p
        """,
        "b3b4",
    )


# Teleporters and dispensers


def test_pieces_fall_into_a_teleporter_and_out_of_its_exit() -> None:
    show(
        """
        before    settled
        o y g     o S S
        y r p     y S g
        r b r     p b y     <- a3 takes from c2; c3 is dry and lets a piece slide in
        """,
        "b2b3",
        teleporters=[{"from": "c2", "to": "a3"}],
    )


def test_nothing_enters_below_a_teleporters_entrance() -> None:
    show(
        """
        before    settled
        o y g     o S S
        y - r     y - g
        r r p     p y :     <- nothing is above c3, nor diagonally
        """,
        "c2c3",
        teleporters=[{"from": "c2", "to": "a3"}],
    )


def test_a_teleporters_exit_on_top_of_a_column_is_no_entry() -> None:
    show(
        """
        before    settled
        r y g     g y S
        r g y     y g S
        b r p     p b S     <- the whole of column c went on to column a
        """,
        "a3b3",
        teleporters=[{"from": "c3", "to": "a1"}],
    )


def test_new_pieces_enter_at_a_dispenser_and_what_is_above_it_stays() -> None:
    show(
        """
        before    settled
        o y g     S y S
        y r p     o H g
        r b r     y b p
        """,
        "b2b3",
        dispensers=[{"at": ["b2"], "drops": [{"piece": "hazelnut", "rate": 1}]}],
        exits=["a1"],
    )


def test_a_dispenser_without_drops_lets_in_plain_candies() -> None:
    show(
        """
        before    settled
        o y g     S y S
        y r p     o b g
        r b r     y b p     <- the level's drops, swirls, are not its own
        """,
        "b2b3",
        dispensers=[{"at": ["b2"]}],
        colors=["blue", "purple"],
    )


# Diagonally


def test_a_piece_slides_in_from_the_upper_left() -> None:
    show(
        """
        before     settled
        o y  g     S y  S
        b #5 y     S #5 g
        g r  p     b o  y     <- from a2, once column a had fallen
        r b  r     g b  p
        """,
        "b3b4",
    )


def test_or_else_from_the_upper_right() -> None:
    show(
        """
        before       settled
        o y  g  p    S y  g  S
        b #5 #5 y    S #4 #4 p
        r r  g  r    b o  y  g     <- b3 from the left, c3 from the right
        """,
        "c3d3",
    )


def test_the_leftmost_tile_of_a_row_is_first() -> None:
    show(
        """
        before          settled
        - y  o p  -     - y  S p  -
        - #5 b #5 -     - #4 S #4 -
        - r  r g  -     - o  b S  -     <- b3 before d3
        - y  g r  -     - y  g g  -
        """,
        "d3d4",
    )


def test_the_lowest_row_is_first() -> None:
    show(
        """
        before     settled
        o #5 y     S #4 y
        y r  g     S S  g
        g r  p     y o  p
        b p  r     b g  p     <- a3 slid into b4 before a2 slid into b3
        """,
        "b4c4",
    )


# Exits


def test_an_ingredient_leaves_when_it_comes_to_rest_on_an_exit() -> None:
    played = show(
        """
        before    cleared   settled
        o y g     o y g     S S S
        b C r     b C y     o S g
        r r y     : : :     b y y
        """,
        "c2c3",
    )
    assert played.turn.rounds[0].collected == ("cherry",)


def test_an_ingredient_that_is_swapped_onto_an_exit_leaves_too() -> None:
    played = show(
        """
        before    swapped   settled
        o y g     o y g     S S S
        r H r     r r r     o S g
        b r y     b H y     b y y
        """,
        "b2b3",
    )
    assert played.turn.rounds[0].collected == ("hazelnut",)


def test_after_one_has_left_the_next_may_fall_onto_the_exit_and_leave() -> None:
    played = show(
        """
        before    settled
        o H g     S S S
        b C r     o S g
        r r y     b S y
        """,
        "c2c3",
    )
    assert played.turn.rounds[0].collected == ("cherry", "hazelnut")


def test_a_locked_ingredient_does_not_leave_and_an_uncovered_one_does() -> None:
    show(
        """
        before     settled
        o r  g     S S  S
        r y  r     o y  g
        b CL y     b CL y
        """,
        "b1b2",
    )
    show(
        """
        before     settled
        o r  g     S S S
        r y  r     o S g
        b CM y     b y y     <- the line beside it took the marmalade away
        """,
        "b1b2",
    )


def test_an_ingredient_that_only_passes_an_exit_stays() -> None:
    played = show(
        """
        before    settled
        o C g     o S g
        y r p     y S p
        b r y     b S y     <- the only exit is b3
        g y r     g C y
        """,
        "b4c4",
        exits=["b3"],
    )
    assert played.turn.rounds[0].collected == ()


def test_an_exit_takes_nothing_but_ingredients() -> None:
    show(
        """
        before    settled
        o y g     S S S
        b * r     o y g
        r r y     b * y
        """,
        "c2c3",
        exits=["b3"],
    )


def test_ingredients_leave_at_most_100_times_before_the_board_rests() -> None:
    played = show(
        """
        before    cleared   settled
        r b g     : b g     C b g
        r y p     : y p     C y p     <- as one leaves by a3, the next enters
        o r c     : o c     C o c
        """,
        "a3b3",
        drops=[{"piece": "cherry", "keep": 3}],
    )
    assert played.turn.rounds[0].collected == ("cherry",) * 100
    assert played.turn.score == 60 + 100 * 10_000


def test_a_level_of_ingredients_that_enter_and_leave_for_ever_can_be_won() -> None:
    level = Level.model_validate(
        {
            "name": "endless",
            "moves": 5,
            "colors": 8,
            "board": ["r b g", "r y p", "o r c"],
            "drops": [{"piece": "cherry", "keep": 3}],
            "goals": {"ingredients": {"cherry": 3}},
        }
    )
    game = Game(level, 0)
    game.play("a3b3")
    assert game.status == "won"
    assert game.counts["cherry"] == 100


# What enters

KEPT_SWIRLS: dict[str, Any] = {"piece": "swirl", "keep": 99}  # without a draw, unlike SWIRLS


def enter(row: str, *drops: dict[str, Any], bottom: str = "p y b", **keys: Any) -> Played:
    """Three new pieces enter in a1, b1 and c1, in this order; it is the last move, and nothing else draws."""
    return show(
        f"""
        before      settled
        o y g       {row}
        b r p       o y g
        r b r       b b p
        y o g       y o g
        {bottom:12}{bottom}
        """,
        "b2b3",
        **{"drops": drops, "moves": 1, "exits": ["c5"], **keys},
    )


def test_columns_are_filled_from_the_left() -> None:
    enter("H S S", {"piece": "hazelnut", "keep": 9, "total": 1}, *SWIRLS)


def test_a_column_is_filled_from_below() -> None:
    show(
        """
        before    settled
        r y g     S y g
        r g y     S g y
        b r p     H b p
        """,
        "a3b3",
        drops=[{"piece": "hazelnut", "keep": 9, "total": 1}, *SWIRLS],
        exits=["b1"],
    )


def test_without_drops_plain_candies_enter() -> None:
    played = enter("? ? ?")
    entered = played.turn.rounds[0].after[:3]
    assert {cell.piece for cell in entered} == {"candy"}
    assert played.draws == 3  # a color each


def test_the_first_drop_of_the_list_that_applies_is_taken() -> None:
    once = {"keep": 9, "total": 1}
    enter("C H S", {"piece": "cherry", **once}, {"piece": "hazelnut", **once}, *SWIRLS)
    enter("H C S", {"piece": "hazelnut", **once}, {"piece": "cherry", **once}, *SWIRLS)


def test_a_drop_is_passed_over_without_a_draw_once_its_total_is_reached() -> None:
    assert (
        enter("S S ?", {"piece": "swirl", "rate": 1, "total": 2}).draws == 2 + 1
    )  # two rates, the color of a candy
    assert enter("? ? ?", {"piece": "swirl", "rate": 1, "total": 2}, values="dropped: 2").draws == 3


@pytest.mark.parametrize(("rate", "row"), [(0.8833, "S C S"), (0.8834, "C S S")])
def test_a_rate_is_compared_with_a_draw_in_ten_thousand(rate: float, row: str) -> None:
    """The first draws below 10,000 of word 0 are 8833 and 4315."""
    enter(row, {"piece": "cherry", "rate": rate, "total": 1}, {"piece": "swirl", "keep": 3})


@pytest.mark.parametrize(
    ("first", "second", "row"),
    [
        (0.8834, 0.0001, "C ? ?"),
        (0.8833, 0.0001, "H ? ?"),
        (0.8832, 0.0001, "S ? ?"),
        (0.88, 0.0034, "H ? ?"),
        (0.88, 0.0033, "S ? ?"),
        (0.0001, 0.8833, "H ? ?"),
        (0.0001, 0.8832, "S ? ?"),
    ],
)
def test_the_rates_of_a_list_are_shares_side_by_side(first: float, second: float, row: str) -> None:
    """The first draw below 10,000 of word 0 is 8833; a share of 8833 ends just before it."""
    rates = {"piece": "cherry", "rate": first}, {"piece": "hazelnut", "rate": second}
    assert enter(row, *rates, KEPT_SWIRLS, exits=[]).draws == 3  # one for each new piece


def test_a_rate_whose_total_is_reached_has_no_share() -> None:
    passed = {"piece": "cherry", "rate": 0.1, "total": 1}
    for rate, row in ((0.8834, "H ? ?"), (0.8833, "S ? ?")):
        played = enter(row, passed, {"piece": "hazelnut", "rate": rate}, KEPT_SWIRLS, values="dropped: 1")
        assert played.draws == 3


def test_two_rates_of_a_half_are_halves() -> None:
    halves = {"piece": "cherry", "rate": 0.5}, {"piece": "swirl", "rate": 0.5}
    entered: Counter[str | None] = Counter()
    for number in range(50):
        played = enter("? ? ?", *halves, values=f"word: {3 * number * GAMMA % 2**64}")
        entered.update(cell.piece for cell in played.turn.rounds[0].after[:3])
        assert played.draws == 3
    assert entered.keys() == {"cherry", "swirl"}
    assert 60 < entered["cherry"] < 90


def test_what_is_kept_enters_while_there_are_too_few_of_it() -> None:
    assert enter("C S S", {"piece": "cherry", "keep": 1}, *SWIRLS).draws == 2  # no draw for the cherry
    enter("C C S", {"piece": "cherry", "keep": 2}, *SWIRLS)
    enter("C S S", {"piece": "cherry", "keep": 2}, *SWIRLS, bottom="p C b")
    enter("H H H", {"piece": "hazelnut", "keep": 9}, *SWIRLS)


@pytest.mark.parametrize("bottom", ["CM y b", "CL y b", "C  y b"])
def test_covered_pieces_count_among_those_kept(bottom: str) -> None:
    enter("S S S", {"piece": "cherry", "keep": 1}, *SWIRLS, bottom=bottom)


@pytest.mark.parametrize("bottom", ["y= p b", "y| p b"])
def test_striped_candies_of_either_direction_count_as_striped(bottom: str) -> None:
    enter("S S S", {"piece": "striped", "keep": 1}, *SWIRLS, bottom=bottom)


@pytest.mark.parametrize(
    ("drop", "token", "draws"),
    [
        ({"piece": "candy", "color": "red"}, "r", 1),
        ({"piece": "wrapped", "color": "red"}, "r+", 1),
        ({"piece": "sugar", "color": "red"}, "r~", 1),
        ({"piece": "time", "color": "red"}, "r@", 1),
        ({"piece": "countdown", "timer": 7, "color": "red"}, "r8", 1),
        ({"piece": "color bomb"}, "*", 1),
        ({"piece": "striped", "color": "red"}, "r=", 2),
        ({"piece": "candy"}, "?", 2),
        ({"piece": "wrapped"}, "?", 2),
        ({"piece": "sugar"}, "?", 2),
        ({"piece": "countdown", "timer": 7}, "?", 2),
        ({"piece": "striped"}, "?", 3),
    ],
)
def test_the_draws_of_each_drop(drop: dict[str, Any], token: str, draws: int) -> None:
    """The rate, then a color unless it is stated or there is none, then the direction of stripes."""
    played = enter(f"{token} S S", {"rate": 1, "total": 1, **drop}, KEPT_SWIRLS)
    piece = played.turn.rounds[0].after[0].piece
    assert piece is not None
    assert piece.split()[0] == drop["piece"].split()[0]
    assert played.draws == draws  # none for the two swirls after it


@pytest.mark.parametrize(("drawn_before", "token"), [(0, "r="), (1, "r="), (2, "r|"), (3, "r=")])
def test_stripes_run_along_the_row_if_the_draw_is_0_and_down_the_column_if_it_is_1(
    drawn_before: int, token: str
) -> None:
    """From word 0 on, the draws below 2 are 1, 0, 0, 1, 0; the first one here is for the rate."""
    drop = {"piece": "striped", "rate": 1, "total": 1, "color": "red"}
    enter(f"{token} S S", drop, KEPT_SWIRLS, values=f"word: {drawn_before * GAMMA % 2**64}")


def test_a_countdown_bomb_has_ticked_down_to_its_number_after_the_move_that_brought_it() -> None:
    played = enter(
        "r8 S S", {"piece": "countdown", "timer": 7, "rate": 1, "total": 1, "color": "red"}, KEPT_SWIRLS
    )
    assert played.game.cells[0].timer == 7


def test_colors_enter_by_their_weights() -> None:
    """The first draws below 256 of word 0 are 226, 110 and 6: places among the colors repeated by weight."""
    enter("m o o", colors={"orange": 220, "red": 6, "magenta": 1, "cyan": 29})
