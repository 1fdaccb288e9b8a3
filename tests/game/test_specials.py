"""Specials going off alone, in combination and by each other (docs/rules.md, section 7)."""

import pytest

from tests.game.drawn import show

# Striped


def test_stripes_along_a_row_reach_its_ends_across_gaps() -> None:
    show(
        """
        before         cleared
        y b r  g o     y b : g o
        b g r= - p     : : : - :
        o y b  r y     o y : b y
        """,
        "c3d3",
    )


def test_stripes_down_a_column_reach_its_ends_across_gaps() -> None:
    show(
        """
        before     cleared
        y  o g     : o g
        b  r y     : b y
        r| b r     : : :
        -  g y     - g y
        y  o b     : o b
        """,
        "b2b3",
    )


def test_a_swirl_is_hit_and_stops_the_stripe() -> None:
    show(
        """
        before             cleared
        y b o r  g o b     y b o : g o b
        b S g r= y S p     b : : : : : p     <- the outer candies are shielded
        o y b g  r y o     o y b : g y o
        """,
        "d3e3",
    )
    show(
        """
        before     cleared
        p  y g     p y g
        S  b o     : b o
        g  r y     : b y
        r| b r     : : :
        """,
        "b3b4",
    )


@pytest.mark.parametrize("cover", ["M", "L"])
def test_a_covered_swirl_stops_the_stripe_too(cover: str) -> None:
    show(
        f"""
        before              cleared
        y b r  g o  b       y b : g o b
        b g r= y S{cover} p       : : : : S p     <- it loses its cover
        o y b  r y  o       o y : b y o
        """,
        "c3d3",
    )


# Wrapped


def test_a_wrapped_candy_blasts_the_cells_around_it_falls_and_does_so_again() -> None:
    played = show(
        """
        before         cleared       settled       cleared 2
        y b o  g y     y b o g y     y S S S y     y S S S y
        b o y  r o     b : : : o     b S S S o     b S S S o
        y r r+ b g     y : P : g     y S o S g     y : : : g
        o g b  y p     o : : : p     o b P g p     o : : : p
        g y o  b y     g y o b y     g y o b y     g : : : y
        """,
        "d2d3",
    )
    assert len(played.turn.rounds) == 2
    assert played.game.counts["red"] == 3  # the wrapped one is counted once


# A color bomb caught in a blast


def test_a_color_bomb_in_a_blast_hits_the_color_most_often_seen() -> None:
    show(
        """
        before         cleared
        y b r  g b     y : : g :
        * g r= b p     : : : : :
        o y b  r b     o y : : :     <- five blue candies on the board
        """,
        "c3d3",
    )


def test_of_equals_it_hits_the_first_in_the_order_of_colors() -> None:
    show(
        """
        before           cleared
        y o r  g o y     y : : g : y     <- four orange, four yellow
        * g r= b p g     : : : : : :
        o y b  r y o     : y : b y :
        """,
        "c3d3",
    )


def test_a_locked_candy_is_seen_and_one_in_marmalade_is_not() -> None:
    show(
        """
        before            cleared
        y  o r  g o y     y : : g : y
        *  g r= b p g     : : : : : :
        oL y b  r y o     o y : b y :
        """,
        "c3d3",
    )
    show(
        """
        before            cleared
        y  o r  g o y     :  o : g o :     <- only three orange candies are seen
        *  g r= b p g     :  : : : : :
        oM y b  r y o     oM : : b : o
        """,
        "c3d3",
    )


def test_when_no_color_is_seen_only_the_bomb_goes() -> None:
    show(
        """
        before              settled             cleared 2
        S  S  S  S S S      S  S  S S S S       : : : : S S
        r+ b+ *L S S S      S  S  S S S S       : : : : S S     <- out of the blasts' reach all stays
        S  S  S  S S S      PP PP * S S S       : : : : S S
        """,
        "a2b2",
    )


# Combinations


@pytest.mark.parametrize("pair", ["r= b|", "b| r=", "r= b=", "r| b|"])
def test_striped_and_striped_clear_a_row_and_a_column(pair: str) -> None:
    played = show(
        f"""
        before          cleared
        y b  o  g y     y b : g y
        b o  y  b o     b o : b o
        y {pair} o g     : : : : :     <- the center is the cell that the moved piece ends in
        o g  g  y p     o g : y p
        """,
        "b3c3",
    )
    assert played.game.counts["striped+striped"] == 1
    assert played.turn.move == "b3c3"


@pytest.mark.parametrize("pair", ["r= b|", "b| r=", "r= b=", "r| b|"])
def test_moved_the_other_way_a_striped_pair_clears_the_other_column(pair: str) -> None:
    played = show(
        f"""
        before          cleared
        y b  o  g y     y : o g y
        b o  y  b o     b : y b o
        y {pair} o g     : : : : :
        o g  g  y p     o : g y p
        """,
        "c3b3",
    )
    assert played.game.counts["striped+striped"] == 1
    assert played.turn.move == "c3b3"


@pytest.mark.parametrize(
    ("move", "second", "third"), [("c2c3", "b o : b o", ": : : : :"), ("c3c2", ": : : : :", "y g : o g")]
)
def test_one_above_the_other_a_striped_pair_clears_the_row_that_the_moved_piece_ends_in(
    move: str, second: str, third: str
) -> None:
    show(
        f"""
        before         cleared
        y b o  g y     y b : g y
        b o r= b o     {second}
        y g b| o g     {third}
        o y g  y p     o y : y p
        """,
        move,
    )


def test_the_stripes_of_the_two_do_not_happen_by_themselves() -> None:
    show(
        """
        before         cleared
        y b o  g y     y b : g y
        b o r= b o     b o : b o     <- no stripe along this row
        y g b= o g     : : : : :
        """,
        "c2c3",
    )


@pytest.mark.parametrize("pair", ["r+ b=", "r| b+"])
def test_striped_and_wrapped_clear_three_rows_and_three_columns(pair: str) -> None:
    played = show(
        f"""
        before              cleared
        y b o  g  y b o     y b : : : b o
        o g y  b  o g y     o g : : : g y
        y b o  g  y b o     : : : : : : :
        o g {pair} o g y     : : : : : : :     <- both are gone, the wrapped one is not primed
        y b o  g  y b o     : : : : : : :
        o g y  b  o g y     o g : : : g y
        y b o  g  y b o     y b : : : b o
        """,
        "c4d4",
    )
    assert len(played.turn.rounds) == 1
    assert played.game.counts["striped+wrapped"] == 1


@pytest.mark.parametrize("pair", ["r+ b=", "r| b+"])
def test_striped_and_wrapped_moved_the_other_way(pair: str) -> None:
    played = show(
        f"""
        before              cleared
        y b o  g  y b o     y : : : y b o
        o g y  b  o g y     o : : : o g y
        y b o  g  y b o     : : : : : : :
        o g {pair} o g y     : : : : : : :
        y b o  g  y b o     : : : : : : :
        o g y  b  o g y     o : : : o g y
        """,
        "d4c4",
    )
    assert len(played.turn.rounds) == 1
    assert played.game.counts["striped+wrapped"] == 1


@pytest.mark.parametrize(
    ("move", "first", "last"), [("c2c3", "y : : : y", ": : : : :"), ("c3c2", ": : : : :", "y : : : y")]
)
@pytest.mark.parametrize(("upper", "lower"), [("r+", "b="), ("r|", "b+")])
def test_striped_on_top_of_wrapped_clears_the_rows_around_the_moved_piece(
    upper: str, lower: str, move: str, first: str, last: str
) -> None:
    show(
        f"""
        before         cleared
        y b o  g y     {first}
        o g {upper} b o     : : : : :
        y b {lower} g y     : : : : :
        y g y  b y     {last}
        """,
        move,
    )


def test_striped_and_wrapped_at_the_edge_clear_what_is_on_the_board() -> None:
    show(
        """
        before          cleared
        r+ b= o g y     : : : : :
        o  g  y b o     : : : : :
        y  b  o g y     : : : g y
        o  g  y b o     : : : b o
        """,
        "a1b1",
    )


def test_striped_and_wrapped_stripe_from_a_gap_too() -> None:
    show(
        """
        before          cleared
        y b  o  g y     y : : : y
        o g  -  b o     : : - : :
        y r+ b= g y     : : : : :
        o g  y  b o     : : : : :
        y b  o  g y     y : : : y
        """,
        "b3c3",
    )


def test_a_stripe_from_a_swirl_goes_no_further_in_either_direction() -> None:
    show(
        """
        before          cleared
        y b  o  g y     y : o : y     <- the stripe up this column ends at the swirl
        o g  S  b o     o : : : o     <- the one along this row at its own start
        y r+ b= g y     : : : : :
        o g  y  b o     : : : : :
        y b  o  g y     y : : : y
        """,
        "b3c3",
    )


def test_wrapped_and_wrapped_blast_five_by_five_twice_each() -> None:
    played = show(
        """
        before                cleared               settled               cleared 2
        y b o g  y  b o g     y b o g  y  b o g     y S S S  S  S S g     y S S S S S S g
        o g y b  o  g y b     o : : :  :  : : b     o S S S  S  S S b     o S S S S S S b
        y b o g  y  b o g     y : : :  :  : : g     y S S S  S  S S g     y S S S S S S g
        o g y r+ b+ g y b     o : : PP PP : : b     o S S S  S  S S b     o : : : : : : b
        y b o g  y  b o g     y : : :  :  : : g     y S S g  y  S S g     y : : : : : : g
        o g y b  o  g y b     o : : :  :  : : b     o b o PP PP b o b     o : : : : : : b
        y b o g  y  b o g     y b o g  y  b o g     y b o g  y  b o g     y : : : : : : g
        """,
        "d4e4",
    )
    assert len(played.turn.rounds) == 2
    assert played.game.counts["wrapped+wrapped"] == 1
    assert (played.game.counts["red"], played.game.counts["blue"]) == (1, 11)  # each of the two once


def test_a_color_bomb_and_a_candy_hit_every_cell_that_shows_the_color() -> None:
    show(
        """
        before         cleared
        r b  rL y      : b r y      <- the lock takes the hit
        * r  g  rM     : : g rM     <- in marmalade no color shows
        y g  r~ r7     y g : :
        b r= o  g      : : : :      <- specials of the color go off
        """,
        "a1a2",
    )


def test_a_color_bomb_and_a_striped_candy() -> None:
    played = show(
        """
        before           swapped           cleared
        y r  g b  y      y  r| g  b  y     : : g b y
        * r| o y  g      r| *  o  y  g     : : o y g     <- the swapped one goes off its own way
        y b  r g  o      y  b  r= g  o     : : : : :
        b r~ y b  p      b  r~ y  b  p     : : y b p     <- only plain candies take stripes
        g o  b rL y      g  o  b  rL y     : : b r y     <- and uncovered ones
        """,
        "a2b2",
        "word: 0",  # whose first two draws below 2 are 1 and 0
    )
    assert played.game.counts["color bomb+striped"] == 1
    assert played.game.counts["striped"] == 0  # those were not made by lines


def test_a_color_bomb_and_a_wrapped_candy() -> None:
    played = show(
        """
        before          swapped          cleared
        y g  o b r      y  g o b r+      : : o : P
        * r+ o y g      r+ * o y g       P : o : :
        y b  g o b      y  b g o b       : : g o b
        b g  y o r~     b  g y o r~      b g y o :     <- only plain candies are wrapped
        g o  b g y      g  o b g y       g o b g y
        """,
        "a2b2",
    )
    assert played.game.counts["color bomb+wrapped"] == 1
    assert played.game.counts["wrapped"] == 0


def test_a_color_bomb_and_a_color_bomb_hit_every_cell() -> None:
    played = show(
        """
        before         cleared
        * * y  b       : : :  :
        g b r+ *       : : P  :     <- the wrapped one goes off, the third bomb does nothing
        y C #3 bL      : C #1 b     <- one blow from the pair, one from the wrapped candy
        o g b  y       : : :  :
        """,
        "a1b1",
    )
    assert played.game.counts["color bomb+color bomb"] == 1


def test_other_bombs_do_nothing_when_two_are_swapped() -> None:
    played = show(
        """
        before       cleared
        *  *  y      :  :  :
        g  b  *      :  :  :
        y  b  bM     :  :  b     <- each cell is changed once
        """,
        "a1b1",
    )
    assert played.game.counts["marmalade"] == 1


def test_a_combination_goes_off_in_place_of_lines() -> None:
    played = show(
        """
        before       swapped       cleared
        b b r= g     b b b| g      b b : g     <- the line of blue candies is not resolved
        y o b| y     y o r= y      : : : :
        g y o  b     g y o  b      g y : b
        """,
        "c1c2",
    )
    assert played.turn.rounds[0].score == 6 * 60


# Chains


def test_specials_set_each_other_off_unless_they_are_covered() -> None:
    show(
        """
        before             cleared
        y   b r  g o       y  b : g :
        g|L y r= b p|      g| : : : :     <- the lock takes the hit, the stripes down column a wait
        o   y b  r y       o  y : b :
        """,
        "c3d3",
    )


def test_a_chain_of_stripes_a_wrapped_candy_and_a_bomb() -> None:
    show(
        """
        before            cleared
        y b r  g o  y     : b : : : :     <- the bomb in f3 takes all five yellow candies
        b y r= o g+ b     : : : : P :
        o y b  r y  *     o : : : : :
        """,
        "c3d3",
    )
