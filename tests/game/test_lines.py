"""Lines, the groups they form, what a group leaves and where (docs/rules.md, section 5).

A line in a later round is drawn by the help of marmalade: a candy in it shows no color until the line of
round 1 beside it takes the marmalade away.
"""

import pytest

from levelsense.game.moves import rebuild_masks
from levelsense.game.record import level_record
from levelsense.game.state import STRIDE, new_work
from tests.game.drawn import assert_drawn, play, position, show

# What a line is


def test_three_in_a_row_go_and_leave_nothing() -> None:
    show(
        """
        before    swapped   cleared
        b r y     b g y     b g y
        r g r     r r r     : : :
        y b o     y b o     y b o
        """,
        "b1b2",
    )


def test_three_in_a_column_go_and_leave_nothing() -> None:
    show(
        """
        before    swapped   cleared
        r b y     r b y     : b y
        g r b     r g b     : g b
        r y o     r y o     : y o
        """,
        "a2b2",
    )


def test_two_side_by_side_are_no_line() -> None:
    show(
        """
        before        cleared
        b b r g o     b b g g o
        o r g r y     o : : : y
        y b o b y     y b o b y
        """,
        "c1c2",
    )


@pytest.mark.parametrize("end", ["-", "S", "*", "C", "#1", "X", "rM", ":"])
def test_what_shows_no_color_ends_a_run(end: str) -> None:
    show(
        f"""
        before               cleared
        b r y g  o b         b g y g o b
        r g r {end:2} r r         : : : ? r r     <- not six in a row
        y b o #1 b y         y b o ? b y
        """,
        "b1b2",
        exits=["a1"],
    )


def test_a_locked_candy_does_not_end_a_run() -> None:
    show(
        """
        before        cleared
        b r y  g      b g  y g
        r g rL r      : r| r :     <- a line of four; the lock takes the hit, its candy stays
        y b o  b      y b  o b
        """,
        "b1b2",
    )


# What a group leaves


def test_four_in_a_row_leave_a_candy_striped_down_its_column() -> None:
    show(
        """
        before      cleared
        y b r g     y b b  g
        r r b r     : : r| :
        o y g b     o y g  b
        """,
        "c1c2",
    )


def test_four_in_a_column_leave_a_candy_striped_along_its_row() -> None:
    show(
        """
        before    cleared
        r b y     :  b y
        r y g     :  y g
        b r o     r= b o
        r g y     :  g y
        """,
        "a3b3",
    )


def test_five_in_a_row_leave_a_color_bomb() -> None:
    show(
        """
        before        cleared
        y b r g y     y b b g y
        r r b r r     : : * : :
        o y g b o     o y g b o
        """,
        "c1c2",
    )


def test_five_in_a_column_leave_a_color_bomb() -> None:
    show(
        """
        before    cleared
        r b y     : b y
        r y g     : y g
        b r o     * b o
        r g y     : g y
        r y g     : y g
        """,
        "a3b3",
    )


@pytest.mark.parametrize(
    ("drawing", "move"),
    [
        (
            """
            before      cleared
            y g r b     y g :  b
            b y r g     b y :  g
            r r b o     : : r+ o     <- L
            y g r y     y g b  y
            """,
            "c3c4",
        ),
        (
            """
            before        cleared
            y g r b o     y g :  b o
            b y r g y     b y :  g y
            g r b r g     g : r+ : g     <- T
            y g r y o     y g b  y o
            """,
            "c3c4",
        ),
        (
            """
            before      cleared
            y g r b     y g :  b
            r r b r     : : r+ b     <- T on its side
            y g r o     y g :  o
            """,
            "c2d2",
        ),
        (
            """
            before      cleared
            y g r b     y g b  b
            r r b r     : : r+ :     <- T with a line of four: still wrapped
            y g r y     y g :  y
            b y r g     b y :  g
            """,
            "c1c2",
        ),
    ],
    ids=["L", "T", "T on its side", "T with four"],
)
def test_lines_that_cross_leave_a_wrapped_candy(drawing: str, move: str) -> None:
    assert show(drawing, move).game.counts["wrapped"] == 1


def test_a_line_of_five_goes_before_a_crossing() -> None:
    played = show(
        """
        before        cleared
        y g r b o     y g b b o
        r r b r r     : : * : :
        y g r y o     y g : y o
        b y r g b     b y : g b
        """,
        "c1c2",
    )
    assert (played.game.counts["color bomb"], played.game.counts["wrapped"]) == (1, 0)


def test_each_group_leaves_a_special_of_its_own() -> None:
    show(
        """
        before      cleared
        r r g r     : : r| :
        g g r g     : : g| :
        y b o y     y b o  y
        """,
        "c1c2",
    )


def test_lines_side_by_side_that_share_no_cell_are_two_groups() -> None:
    played = show(
        """
        before    settled   cleared 2
        r r y     S S S     : : S
        r r b     r r y     : : y     <- two columns of three, no row of three
        g g o     r r b     : : b
        r r g     r r o     : : o
        """,
        "c3c4",
    )
    assert (
        played.turn.rounds[1].score == 2 * (60 + 60) + 2 * 60
    )  # two groups of three in round 2, two swirls beside them


def test_lines_are_one_group_through_other_lines_too() -> None:
    played = show(
        """
        before        settled    cleared 2
        y  g b        S S S      S  S S
        g  b g        y b b      y  b b
        rM r rM       r r r      r+ : :     <- the first of two crossings
        r  y r        r y r      :  y :
        r  o r        r o r      :  o :
        """,
        "b1b2",
    )
    assert played.turn.rounds[1].score == 2 * 200  # once for the whole group


# Where


def test_in_round_1_the_special_appears_where_the_move_ended() -> None:
    show(
        """
        before      cleared
        b r y g     b g  y g
        r g r r     : r| : :
        y b o b     y b  o b
        """,
        "b1b2",
    )
    show(
        """
        before      cleared
        b y r g     b y g  g
        r r g r     : : r| :     <- not in the middle
        y b o b     y b o  b
        """,
        "c1c2",
    )


def test_later_the_middle_of_a_row_of_four() -> None:
    show(
        """
        before        settled     cleared 2
        y g  b o      S S S o     S S  S o
        g b  g y      y b b y     y b  b y
        r rM r r      r r r r     : r| : :     <- number (4 - 1) // 2 = 1 from 0
        """,
        "b1b2",
    )


def test_later_the_middle_of_a_column_of_four() -> None:
    show(
        """
        before      settled   cleared 2
        r  y g      r S y     :  : y
        rM g y      r S y     r= : y     <- the swirls are beside the line and go too
        r  g o      r S o     :  : o
        r  o y      r o y     :  o y
        """,
        "b1c1",
    )


def test_later_the_middle_of_five() -> None:
    show(
        """
        before          settled       cleared 2
        y o g  b y      y S S S y     y S S S y
        b g b  g o      b o b b o     b o b b o
        r r rM r r      r r r r r     : : * : :
        """,
        "c1c2",
    )


def test_later_the_middle_of_six() -> None:
    show(
        """
        before             settled         cleared 2
        y o g  b  y o      y S S S y o     y S S S y o
        b g b  g  o y      b o b b o y     b o b b o y
        r r rM rM r r      r r r r r r     : : * : : :     <- number (6 - 1) // 2 = 2 from 0
        """,
        "c1c2",
    )


def test_later_the_crossing() -> None:
    show(
        """
        before        settled       cleared 2
        y b r g o     y b S S S     y b :  S S
        b y r r y     b y r g o     b y :  g o
        o r g b g     o r r r y     o : r+ : y
        y o r g b     y o r b b     y o :  b b
        """,
        "d3d4",
    )


def test_of_two_longest_lines_a_row_goes_before_a_column() -> None:
    show(
        """
        before           settled       cleared 2
        y o g| b y       y S S S y     y S S S y
        b g b  g o       b o S b o     b o : b o
        r r rM r r       r r r r r     : : * : :     <- not in c5, the middle of the column
        y o rM y o       y o r y o     y o : y o
        o y rM o y       o y r o y     o y : o y
        y o rM y o       y o r y o     y o : y o
        o y rM o y       o y r o y     o y : o y
        """,
        "c1c2",
    )


def test_of_two_longest_rows_the_upper_one_is_taken() -> None:
    show(
        """
        before           settled       cleared 2
        y o g| b y       y S S S y     y S S S y
        b g b  g o       b o S b o     b o : b o
        r r rM r r       r r r r r     : : * : :
        y o rM y o       y o r y o     y o : y o
        r r rM r r       r r r r r     : : : : :
        """,
        "c1c2",
    )


def test_a_locked_place_gives_way_to_the_first_cell_whose_piece_is_removed() -> None:
    show(
        """
        before         settled      cleared 2
        y o  g  b      y S  S S     y  S S S
        b g  b  g      b o  b b     b  o b b
        r rL rM r      r rL r r     r| r : :     <- the middle is locked, and its candy stays
        """,
        "c1c2",
    )


def test_a_group_of_locked_candies_leaves_nothing() -> None:
    game = position("""
        b  r  y  g
        r  g  r  o
        oL oL pL oL
    """)
    # No move leads to a line of locked candies, and no position may be drawn with one.
    game.state.color[2 * STRIDE + 2] = game.state.color[2 * STRIDE]
    rebuild_masks(level_record(game.level).level, game.state, new_work())
    played = play(game, "b1b2")
    assert_drawn(
        game.level,
        played.turn.rounds[0].cleared_board,
        """
        b g y g
        : : : o
        o o o o     <- the locks take all hits
        """,
    )
    assert (played.game.counts["lock"], played.game.counts["striped"]) == (4, 1)  # the four go in round 2


# The special that is made, and one that stood there


def test_a_new_special_cannot_go_off_in_the_round_that_made_it() -> None:
    show(
        """
        before         cleared
        y  b r g o     y b b  g o
        r= r b r y     : : r| : :     <- the stripe along the row passes over the new one
        o  y g b o     o y g  b o
        """,
        "c1c2",
    )


def test_a_striped_candy_in_the_place_of_the_new_one_goes_off() -> None:
    show(
        """
        before         cleared
        y b r= g o     y b b  g o
        r r b  r y     : : r| : :
        o y g  b o     o y g  b o
        """,
        "c1c2",
    )


def test_a_wrapped_candy_in_the_place_of_the_new_one_goes_off_only_once() -> None:
    played = show(
        """
        before         cleared
        y b r+ g o     y : :  : o
        r r b  r y     : : r| : y
        o y g  b o     o : :  : o
        """,
        "c1c2",
    )
    assert len(played.turn.rounds) == 1
