"""Planes of drawn boards, and the numbers of swaps."""

from typing import Any

import numpy as np
import pytest

from levelsense.agents.convolution.planes import (
    BLOCKER_PLANE,
    GOAL_NAMES,
    GOAL_PLANE,
    LEGAL_PLANE,
    PLANE_NAMES,
    PLANE_OF_COUNT,
    PLANES,
    SIDE,
    SWAPS,
    new_planes,
    refuse_large,
    swap_move,
    swap_number,
    write_planes,
)
from levelsense.errors import AgentError
from levelsense.game.game import Game, Move
from levelsense.game.moves import MOST_MOVES, REVERSED, list_moves
from levelsense.game.record import level_record
from levelsense.game.state import CODED_BLOCKERS, COUNT_NAMES
from levelsense.level.level import Level
from tests.game.drawn import position


def planes_of(game: Game) -> np.ndarray:
    """The planes of a game's position, written over what was there."""
    moves, planes = np.zeros(MOST_MOVES, np.int64), new_planes()
    planes[:] = 7
    count = list_moves(game.state, moves)
    write_planes(level_record(game.level).level, game.state, moves, count, planes[0])
    return planes[0]


def shown(game: Game) -> dict[str, str]:
    """The planes of a position that are not all 0, as drawings, row by row."""
    drawings = {}
    for name, plane in zip(PLANE_NAMES, planes_of(game), strict=True):
        if plane.any():
            drawings[name] = " ".join("".join(map(str, row)) for row in plane.astype(int))
    return drawings


def drawn(*rows: str) -> str:
    """A plane as `shown` gives it, from its first rows and columns."""
    return " ".join(row.ljust(SIDE, "0") for row in (*rows, *[""] * (SIDE - len(rows))))


ALL = drawn(*["1" * SIDE] * SIDE)


# Planes


def test_there_are_as_many_planes_in_each_group_as_in_the_paper() -> None:
    assert (len(PLANE_NAMES), PLANES) == (102, 102)
    assert len(GOAL_NAMES) == LEGAL_PLANE - GOAL_PLANE == 20
    assert PLANE_NAMES[GOAL_PLANE].startswith("goal")
    assert not any(name.startswith("goal") for name in PLANE_NAMES[:GOAL_PLANE])
    named = [name for name in PLANE_NAMES if name]
    assert len(named) == len(set(named))


def test_every_blocker_has_a_plane() -> None:
    """A table with more codes needs other planes, and another version of them."""
    assert BLOCKER_PLANE + len(CODED_BLOCKERS) - 1 <= GOAL_PLANE
    assert all(PLANE_NAMES[BLOCKER_PLANE + code - 1] for code in range(1, len(CODED_BLOCKERS)))


def test_a_plain_board() -> None:
    game = position(
        """
        r r o p
        c y r c    <- c1c2 is the only move
        p o c y
        """
    )
    assert [str(move) for move in game.legal_moves] == ["c1c2"]
    assert shown(game) == {
        "red piece": drawn("1100", "0010"),
        "orange piece": drawn("0010", "0000", "0100"),
        "yellow piece": drawn("0000", "0100", "0001"),
        "purple piece": drawn("0001", "0000", "1000"),
        "cyan piece": drawn("0000", "1001", "0010"),
        "tile": drawn("1111", "1111", "1111"),
        "cell that new pieces enter at": drawn("1111"),
        "goal: score": ALL,
        "cell of a legal move": drawn("0010", "0010"),
        "ones": ALL,
    }


def test_pieces() -> None:
    game = position(
        """
        r= o| y+ *
        g~ b@ p4 S
        C  H  r2 o9
        """,
        exits=["c3"],
        seconds=50,
    )
    planes = shown(game)
    assert {name: planes[name] for name in planes if not name.endswith(" piece")} == {
        "red candy striped along the row": drawn("1"),
        "orange candy striped along the column": drawn("01"),
        "yellow wrapped candy": drawn("001"),
        "color bomb": drawn("0001"),
        "sugar candy": drawn("", "1"),
        "time candy": drawn("", "01"),
        "countdown bomb": drawn("", "001", "0011"),
        "countdown bomb with at most 2 moves left": drawn("", "", "001"),
        "countdown bomb with at most 4 moves left": drawn("", "001", "001"),
        "countdown bomb with at most 8 moves left": drawn("", "001", "001"),
        "swirl": drawn("", "0001"),
        "cherry": drawn("", "", "1"),
        "hazelnut": drawn("", "", "01"),
        "tile": drawn(*["1111"] * 3),
        "exit": drawn("", "", "001"),
        "cell that new pieces enter at": drawn("1111"),
        "goal: score": ALL,
        "cell of a legal move": planes["cell of a legal move"],
        "ones": ALL,
    }
    colors = {name: plane for name, plane in planes.items() if name.endswith(" piece")}
    assert colors == {
        "red piece": drawn("1", "", "001"),
        "orange piece": drawn("01", "", "0001"),
        "yellow piece": drawn("001"),
        "green piece": drawn("", "1"),
        "blue piece": drawn("", "01"),
        "purple piece": drawn("", "001"),
    }


def test_blockers_jelly_gaps_and_empty_tiles() -> None:
    game = position(
        """
        r'  -  rL  o''
        #1  #5 oM  X
        P3  T2 D3  :
        """
    )
    planes = shown(game)
    assert planes["jelly"] == drawn("1001")
    assert planes["two layers of jelly"] == drawn("0001")
    assert planes["tile"] == drawn("1011", "1111", "1111")
    assert planes["empty tile"] == drawn("", "", "0001")
    assert planes["lock"] == drawn("001")
    assert planes["marmalade"] == drawn("", "001")
    assert planes["red piece"] == drawn("1010")
    assert planes["orange piece"] == drawn("0001", "001")
    assert planes["icing, layers: 1"] == drawn("", "1")
    assert planes["icing, layers: 5"] == drawn("", "01")
    assert planes["chocolate"] == drawn("", "0001")
    assert planes["popcorn, layers: 3"] == drawn("", "", "1")
    assert planes["toffee, layers: 2"] == drawn("", "", "01")
    assert planes["dark chocolate, layers: 3"] == drawn("", "", "001")
    assert "icing, layers: 2" not in planes
    assert "exit" not in planes


BOARD = """
    r r o p
    c y r c
    p o c y
"""


def goals(values: str = "", **asked: object) -> set[str]:
    """The planes of goals that are not 0, all of which must be all ones."""
    planes = shown(position(BOARD, values, goals=asked))
    names = {name.removeprefix("goal: ") for name in planes if name.startswith("goal")}
    assert all(planes[f"goal: {name}"] == ALL for name in names)
    return names


def test_goals_until_they_are_met() -> None:
    orders = {"red": 10, "striped": 2, "chocolate": 1, "icing": 3, "lock": 1}
    asked: dict[str, Any] = {"score": 1_000, "orders": orders}
    every = {"score", "red", "striped candies", "blockers that grow", "blockers that stay", "covers"}
    assert goals(**asked) == every
    assert goals("score: 999\ncounts: red 9", **asked) == every
    assert goals("score: 1000", **asked) == every - {"score"}
    assert goals("counts: red 10", **asked) == every - {"red"}


def test_goals_that_are_alike_share_a_plane() -> None:
    assert goals(orders={"toffee": 1, "popcorn": 1}) == {"blockers that stay"}
    assert goals("counts: toffee 1", orders={"toffee": 1, "popcorn": 1}) == {"blockers that stay"}
    assert goals(orders={"dark chocolate": 1}) == {"blockers that grow"}
    assert goals(orders={"marmalade": 1, "lock": 1}) == {"covers"}
    assert goals(orders={"color bomb+striped": 1, "color bomb+color bomb": 1}) == {
        "combinations with a color bomb"
    }
    assert goals(orders={"swirl": 1, "countdown": 1}) == {"swirls, countdown bombs, sugar and time candies"}


def test_every_plane_of_goals_has_a_count() -> None:
    assert len(PLANE_OF_COUNT) == len(COUNT_NAMES)
    assert set(PLANE_OF_COUNT) == set(range(GOAL_PLANE + 1, LEGAL_PLANE))


def test_boards_larger_than_the_planes_are_refused() -> None:
    refuse_large(Level.load("03-open-field"))
    with pytest.raises(AgentError, match="Long shelf: a board of 5 rows and 10 columns; expected at most 9 "):
        refuse_large(Level.load("32-long-shelf"))


# Numbers of swaps


def test_swaps_are_numbered_along_the_inner_edges() -> None:
    named = {0: "a1b1", 7: "h1i1", 8: "a2b2", 71: "h9i9", 72: "a1a2", 80: "i1i2", 81: "a2a3", 143: "i8i9"}
    for number, move in named.items():
        assert swap_number(Move.parse(move).code) == number
        assert str(Move.from_code(swap_move(number))) == move


def test_every_number_is_that_of_one_swap_in_both_directions() -> None:
    assert [swap_number(swap_move(number)) for number in range(SWAPS)] == list(range(SWAPS))
    assert [swap_number(swap_move(number) + REVERSED) for number in range(SWAPS)] == list(range(SWAPS))
    moves = [Move.from_code(swap_move(number)) for number in range(SWAPS)]
    assert all(0 <= place < SIDE for move in moves for cell in move for place in cell)
    assert len(set(moves)) == SWAPS
