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
        ("T1", ":"),
        ("T5", "T4"),
        ("D1", ":"),
        ("D3", "D2"),
        ("P1", "P1"),
        ("P3", "P3"),
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


def test_one_group_is_one_blow_however_many_of_its_cells_are_beside_the_icing() -> None:
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


def test_each_group_beside_the_icing_is_a_blow() -> None:
    show(
        """
        before          cleared
        y g r  o y      y g :  o y
        o y r  g p      o y :  g p
        g o b  r y      g o :  : y
        y p #3 b g      y p #1 : g     <- below the red line and left of the blue one
        p g o  b y      p g o  : y
        """,
        "c3d3",
    )


# Blows to icing


def test_a_line_and_a_stripe_are_two_blows() -> None:
    show(
        """
        before      cleared
        #3 b g      #1 b g     <- beside the line, and in the column of the stripe
        r| y r      :  : :
        y  r b      :  y b
        """,
        "b2b3",
    )


def test_two_stripes_are_two_blows() -> None:
    show(
        """
        before             cleared
        y b r  g p  o      y b : g p o
        b g r= y o= #5     : : : : : #3     <- one stripe sets off the other, in the same row
        o y b  r y  b      o y : b y b
        """,
        "c3d3",
    )


@pytest.mark.parametrize(
    ("layers", "left", "removed", "score"),
    [
        ("#5", "#2", 0, 60 + 3 * 20),
        ("#4", "#1", 0, 60 + 3 * 20),
        ("#3", ":", 1, 60 + 3 * 20),
        ("#2", ":", 1, 60 + 2 * 20),
        ("#1", ":", 1, 60 + 1 * 20),
    ],
)
def test_three_blows_take_three_layers_and_those_beyond_the_last_are_lost(
    layers: str, left: str, removed: int, score: int
) -> None:
    played = show(
        f"""
        before           cleared
        b  r  y  g       b g y g
        r= g  r= {layers}      : : : {left}     <- a line and two stripes
        y  b  o  b       y b o b
        """,
        "b1b2",
    )
    assert played.game.counts["icing"] == removed
    assert played.turn.rounds[0].score == score


def test_the_blast_of_a_wrapped_candy_is_one_blow_to_each_cell() -> None:
    show(
        """
        before           cleared
        y b  #3 g  y     y b  #3 g  y     <- out of reach
        b #3 y  r  #3    b #1 :  :  #3    <- b2 is beside the line too
        y r  r+ b  g     y :  P  :  g
        o #3 b  #3 p     o #1 :  #1 p
        """,
        "d2d3",
    )


def test_a_row_and_a_column_of_striped_and_wrapped_are_two_blows() -> None:
    show(
        """
        before             cleared
        y  b  #5 g  o      y  :  #4 :  o      <- one of the column
        o  #5 #5 #5 y      :  #3 #3 #3 :      <- one of the row and one of the column
        #5 r+ b= g  #5     #4 :  :  :  #4     <- one of the row
        y  b  o  #5 g      :  :  :  #3 :
        p  g  y  b  p      p  :  :  :  p
        """,
        "b3c3",
    )


def test_a_striped_pair_is_one_blow_to_each_cell_of_its_row_and_column() -> None:
    show(
        """
        before           cleared
        y  #3 #3 g o     y  #3 #2 g o
        #3 r= b| y #3    #2 :  :  : #2
        p  #3 #3 b g     p  #3 #2 b g
        """,
        "b2c2",
    )


def test_a_wrapped_pair_is_two_blows_where_its_squares_overlap() -> None:
    show(
        """
        before              cleared
        #5 y  b  o  g  #5   #4 :  :  :  :  #4
        g  #5 r+ b+ y  p    :  #3 PP PP :  :
        y  b  o  g  #5 o    :  :  :  :  #3 :
        """,
        "c2d2",
    )


def test_a_pair_of_color_bombs_is_one_blow() -> None:
    show(
        """
        before       cleared
        *  *  #3     :  :  #2
        #1 b  y      :  :  :
        y  b  #5     :  :  #4
        """,
        "a1b1",
    )


# Hit: by a blast or a line


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#1", ":"),
        ("#3", "#2"),
        ("X", ":"),
        ("T1", ":"),
        ("T4", "T3"),
        ("D1", ":"),
        ("D2", "D1"),
        ("P1", "*"),
        ("P3", "P2"),
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


@pytest.mark.parametrize("cell", ["#1'", "#2'", "X'", "T1'", "D3'", "P2'", "oM'", "oL'", "C'", ":'"])
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
