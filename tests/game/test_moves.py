"""Which swaps are legal (docs/rules.md, section 4)."""

from typing import Any

import pytest

from levelsense.errors import IllegalMoveError
from levelsense.game.game import Move
from tests.game.drawn import position


def legal(drawing: str, values: str = "", **keys: Any) -> list[str]:
    """The legal moves of a drawn board by name."""
    return [str(move) for move in position(drawing, values, **keys).legal_moves]


def test_a_swap_that_makes_a_line_in_a_row() -> None:
    board = """
        r g r r
        b r b y     <- the red candy may go up, or b1 aside
        y o g b
    """
    assert legal(board) == ["a1b1", "b1b2"]


def test_a_swap_that_makes_a_line_in_a_column() -> None:
    board = """
        r g b
        r b y
        o r p
        r y g
    """
    assert legal(board) == ["a3b3", "a3a4"]


def test_the_line_may_be_made_by_either_cell_of_the_swap() -> None:
    left = """
        o r b
        r b y
        r y p
    """
    assert legal(left) == ["a1b1"]
    right = """
        b r o
        y b r
        p y r
    """
    assert legal(right) == ["b1c1"]


def test_the_candy_of_a_swap_cannot_be_counted_in_the_line_it_leaves() -> None:
    board = """
        r r g
        b o r
        y b p
    """
    assert legal(board) == ["c1c2"]
    assert legal(board.replace("b o r", "b r o")) == []  # b2 would leave r . r


def test_cells_at_the_edges_are_not_neighbors_around_the_board() -> None:
    board = """
        r r b
        g o y
        b y g
        y p r
    """
    assert legal(board) == []
    board = """
        b y r r
        r o g b
        y b p g
    """
    assert legal(board) == []


@pytest.mark.parametrize(
    ("pair", "is_legal"),
    [
        ("r= b+", True),
        ("r= b=", True),
        ("r| r=", True),
        ("r+ b+", True),
        ("*  r=", True),
        ("b+ *", True),
        ("*  *", True),
        ("*  r", True),
        ("r  *", True),
        ("*  r~", True),
        ("*  r@", True),
        ("*  r7", True),
        ("*  S", False),
        ("C  *", False),
        ("*  H", False),
        ("r= b", False),
        ("r+ b", False),
        ("r= S", False),
        ("r  S", False),
        ("S  C", False),
        ("r  b", False),
        ("r  r", False),
    ],
)
def test_swaps_that_make_no_line(pair: str, is_legal: bool) -> None:
    beside = f"""
        -  -  -  -
        - {pair} -
        -  -  -  -
    """
    upper, lower = pair.split()
    directed = {upper[1:], lower[1:]} in ({"="}, {"|"}, {"=", "|"}, {"=", "+"}, {"|", "+"})
    assert legal(beside, exits=[]) == ["b2c2", "c2b2"][: is_legal + directed]
    on_top = f"""
        -  -       -
        -  {upper} -
        -  {lower} -
        -  -       -
    """
    assert legal(on_top, exits=[]) == ["b2b3", "b3b2"][: is_legal + directed]


@pytest.mark.parametrize("piece", ["S", "C", "H"])
def test_swirls_and_ingredients_may_be_swapped_if_a_line_results(piece: str) -> None:
    board = f"""
        b       r y
        r {piece} r
        y       b g
    """
    assert legal(board, exits=["c3"]) == ["b1b2"]


@pytest.mark.parametrize("cover", [":", "#1", "#5", "X", "gL", "gM", "-"])
def test_both_cells_must_have_a_tile_a_piece_and_no_blocker(cover: str) -> None:
    board = """
        b r y
        r g r     <- swapping b1 and b2 would make a line of reds
        y b #1
    """
    assert legal(board) == ["b1b2"]
    assert legal(board.replace("r g r", f"r {cover} r")) == []


@pytest.mark.parametrize("cover", ["rL", "rM"])
def test_a_covered_candy_does_not_move_itself(cover: str) -> None:
    board = f"""
        b {cover} y
        r g       r
        y b       o
    """
    assert legal(board) == []


def test_a_locked_candy_shows_its_color_and_one_in_marmalade_does_not() -> None:
    board = """
        b  r y
        rL g r
        y  b o
    """
    assert legal(board) == ["b1b2"]
    assert legal(board.replace("rL", "rM")) == []


@pytest.mark.parametrize("cover", ["r=L *", "r=M *", "* bL", "* bM", "*L b", "b+ r=L"])
def test_covered_specials_cannot_be_swapped(cover: str) -> None:
    board = f"""
        - -      - -
        - {cover}  -
        - -      - -
    """
    assert legal(board) == []


def test_cells_across_a_gap_are_no_neighbors() -> None:
    board = """
        r= - b+
        -  - -
        r= - b+
    """
    assert legal(board) == []


def test_moves_are_listed_in_row_major_order_the_right_before_the_down_swap() -> None:
    board = """
        * * r
        * * r
        g b o
    """
    assert legal(board) == ["a1b1", "a1a2", "b1c1", "b1b2", "a2b2", "a2a3", "b2c2", "b2b3"]


def test_both_directions_are_listed_where_they_differ_the_one_to_the_right_or_down_first() -> None:
    board = """
        r= b| o  *
        y+ o+ r= g     <- wrapped with wrapped, and what a color bomb is swapped with, are one move each
        g  b  y  p
    """
    assert legal(board) == [
        *("a1b1", "b1a1"),  # striped and striped
        *("a1a2", "a2a1"),  # striped and wrapped
        *("b1b2", "b2b1"),
        "c1d1",
        "d1d2",
        "a2b2",
        *("b2c2", "c2b2"),
    ]


def test_a_covered_special_has_no_directions() -> None:
    board = """
        r=L b| -
        -   y+ -
        -   -  -
    """
    assert legal(board) == ["b1b2", "b2b1"]


@pytest.mark.parametrize("name", ["b1b2", "b2b1"])
def test_the_name_of_any_other_move_may_be_written_either_way(name: str) -> None:
    board = """
        b r y
        r g r
        y b o
    """
    game = position(board)
    assert [str(move) for move in game.legal_moves] == ["b1b2"]
    assert game.play(name).move == "b1b2"


@pytest.mark.parametrize("pair", ["r+ b+", "* r", "* r=", "b+ *", "* *"])
def test_combinations_without_a_direction_are_the_same_move_either_way(pair: str) -> None:
    board = f"""
        y b o  g y
        b {pair} b o
        y g p  o g
    """
    one, other = position(board), position(board)
    one.play("b2c2")
    assert other.play("c2b2").move == "b2c2"
    assert str(one) == str(other)


def test_a_move_is_named_by_the_cell_of_the_moved_piece_first() -> None:
    assert str(Move.parse("c4d4")) == "c4d4"
    assert str(Move.parse("d4c4")) == "d4c4"
    assert str(Move.parse("c5c4")) == "c5c4"
    assert str(Move.parse("a12a11")) == "a12a11"
    assert Move.parse("c4d4") == Move((3, 2), (3, 3))
    assert Move.parse("d4c4") == Move((3, 3), (3, 2))


@pytest.mark.parametrize("text", ["", "c4", "c4d", "c4m4", "c0c1", "c13c12", "c4d4e4", "C4D4", "44"])
def test_what_is_no_move_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(IllegalMoveError, match="not a move; expected two neighboring cells, as in c4d4"):
        Move.parse(text)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("a1b1", "; a move must make a line or set off special candies"),
        ("a1a3", ": these cells are not neighbors"),
        ("a1b2", ": these cells are not neighbors"),
        ("b2b2", ": these cells are not neighbors"),
        ("c3d3", ": d3 is off the board; expected cells from a1 to c3"),
        ("k1k2", ": k1 is off the board; expected cells from a1 to c3"),
    ],
)
def test_a_swap_that_is_not_legal_is_refused(move: str, why: str) -> None:
    game = position("""
        b r y
        r g r
        y b o
    """)
    before = str(game)
    with pytest.raises(IllegalMoveError, match=f"{move}: not legal here{why}"):
        game.play(move)
    assert str(game) == before


@pytest.mark.parametrize("status", ["won (goals met)", "lost (moves)"])
def test_a_finished_attempt_has_no_legal_moves(status: str) -> None:
    board = """
        b r y
        r g r
        y b o
    """
    assert legal(board) == ["b1b2"]
    assert legal(board, f"status: {status}") == []
    game = position(board, f"status: {status}")
    with pytest.raises(IllegalMoveError, match=r"b1b2: the attempt is over"):
        game.play("b1b2")
