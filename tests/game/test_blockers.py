"""What a hit and a touch do to blockers, swirls, ingredients and jelly (docs/rules.md, sections 1 and 6)."""

import pytest

from tests.game.drawn import show

# Touched: beside a line


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#1", ":"),
        ("#2", "#1"),
        ("#5", "#4"),
        ("X", ":"),
        ("oM", "o"),
        ("*M", "*"),
        ("CM", "C"),
        ("SM", "S"),
        ("S", ":"),
        ("oL", "oL"),
        ("SL", "SL"),
        ("o", "o"),
        ("o=", "o="),
        ("o+", "o+"),
        ("*", "*"),
        ("C", "C"),
        ("o3", "o3"),
    ],
)
def test_what_a_line_beside_it_does_to_a_cell(before: str, after: str) -> None:
    show(
        f"""
        before       cleared
        b r y g      b g y g
        r g r {before:3}    : : : {after}
        y b o b      y b o b
        """,
        "b1b2",
    )


def test_all_four_sides_of_a_line_are_touched_but_not_its_corners() -> None:
    show(
        """
        before             cleared
        #1 #1 r  #1 #1     #1 :  g  :  #1
        #1 r  g  r  #1     :  :  :  :  :
        #1 #1 #1 #1 #1     #1 :  :  :  #1
        """,
        "c1c2",
    )


def test_a_cell_is_changed_once_a_round_however_often_it_is_touched() -> None:
    show(
        """
        before       cleared
        y g  r b     y g  :  b
        b #3 r g     b #2 :  g     <- beside the line of the row and that of the column
        r r  b o     : :  r+ o
        y g  r y     y g  b  y
        """,
        "c3c4",
    )


# Hit: by a blast or a line


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#1", ":"),
        ("#3", "#2"),
        ("X", ":"),
        ("oM", "o"),
        ("oL", "o"),
        ("o|L", "o|"),
        ("o|M", "o|"),
        ("*L", "*"),
        ("CL", "C"),
        ("S", ":"),
        ("o", ":"),
        ("o~", ":"),
        ("o9", ":"),
        ("C", "C"),
        ("H", "H"),
        ("-", "-"),
        (":", ":"),
    ],
)
def test_what_a_blast_does_to_a_cell(before: str, after: str) -> None:
    show(
        f"""
        before             cleared
        y b r  g #1 o      y b : g #1 o
        b g r= y {before:3} p     : : : : {after:3} ?
        o y b  r #1 y      o y : b #1 y
        """,
        "c3d3",
        exits=["a1"],
    )


def test_a_line_through_a_lock_takes_the_lock_and_leaves_the_candy() -> None:
    played = show(
        """
        before      cleared
        b  r y      b g y
        rL g r      r : :
        y  b o      y b o
        """,
        "b1b2",
    )
    assert played.game.counts["lock"] == 1
    assert played.game.counts["red"] == 2


def test_only_lines_touch_their_neighbors_blasts_do_not() -> None:
    show(
        """
        before         cleared
        y b r  g #2    y b : g #2
        b g r= y o     : : : : :     <- a stripe passes beside the icing and the swirl
        S y b  r #1    S y : b #1
        """,
        "c3d3",
    )


def test_a_special_in_a_lock_waits_until_the_lock_is_gone() -> None:
    show(
        """
        before        cleared
        y b  r g      y b  : g
        b gL r o      b gL : o     <- beside the line, not in it
        o y  b r      o y  : b
        """,
        "c3d3",
    )
    show(
        """
        before       cleared
        b r   y      b g  y
        r g   r=L    : :  r=     <- in the line: no stripe yet
        y b   o      y b  o
        """,
        "b1b2",
    )


# Jelly


def test_a_layer_of_jelly_goes_with_the_piece_above_it() -> None:
    played = show(
        """
        before         cleared
        b'  r  y'      b' g  y'
        r'' g' r       :' :  :
        y   b  o       y  b  o
        """,
        "b1b2",
    )
    assert played.game.counts["jelly"] == 2


def test_jelly_goes_where_a_special_is_made() -> None:
    show(
        """
        before          cleared
        y  b r  g       y  b b   g
        r' r b'' r      :  : r|' :
        o  y g  b       o  y g   b
        """,
        "c1c2",
    )


def test_jelly_goes_at_both_blasts_of_a_wrapped_candy() -> None:
    played = show(
        """
        before         cleared      settled      cleared 2
        y b r    o     y b :  o     y S S  S     y S S S
        b r g    y     b : :  :     b S S  S     b : : :
        o g r+'' g     o : P' :     o b P' o     o : : :
        """,
        "b2c2",
    )
    assert played.game.counts["jelly"] == 2


@pytest.mark.parametrize("cell", ["#1'", "#2'", "X'", "oM'", "oL'", "C'", ":'"])
def test_jelly_stays_under_what_takes_the_hit_or_is_not_removed(cell: str) -> None:
    played = show(
        f"""
        before               cleared
        y b r  g #1  o       y b : g #1 o
        b g r= y {cell:4} p       : : : : ?  :
        o y b  r #1  y       o y : b #1 y
        """,
        "c3d3",
        exits=["a1"],
    )
    assert played.game.counts["jelly"] == 0
    assert played.turn.rounds[0].cleared_board[10].jelly == 1


def test_jelly_belongs_to_the_cell_and_does_not_move() -> None:
    show(
        """
        before     swapped    settled
        y r'' o    y g'' o    S S'' S
        r g   r    r r   r    y g   o
        g b'  o    g b'  o    g b'  o
        """,
        "b1b2",
    )
