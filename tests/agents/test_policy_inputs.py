"""The inputs of the policy, counted by hand on drawn boards; also run without the compiler."""

from typing import Any

import numpy as np
import pytest

from levelsense.agents.policy.encoding import write_move_inputs, write_position_inputs
from levelsense.agents.policy.inputs import (
    MOVE_INPUTS,
    MOVE_NAMES,
    POSITION_INPUTS,
    POSITION_NAMES,
)
from levelsense.game.game import Game, Move
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.record import level_record
from levelsense.game.state import NO_CELL, STRIDE, new_state, new_work
from tests.game.drawn import position

# Around the candies that a test is about, o y p c m in every row, two further with each, can make no line.
FIELD = """
    o y p c m
    r c r o y    <- b2b3: three reds
    m r y p c
    y p b m o
    c m o b b    <- c4c5: three blues
    o y p c m
"""
TOP = "o y p c m"
LAST = 5 * STRIDE + 1  # b6
PACE = "goals, share done of what a move has to do on average"


def inputs(game: Game, last: int = NO_CELL) -> dict[str, dict[str, float]]:
    """The inputs of each legal move that are not 0, by their names."""
    states, moves, work = new_state(), np.zeros(MOST_MOVES, np.int64), new_work()
    states[0] = game.state
    before = states[0].tobytes()
    count = list_moves(states[0], moves)
    rows = np.full((count, MOVE_INPUTS), np.nan, np.float32)
    write_move_inputs(level_record(game.level).level, states, 0, work, moves, count, last, rows)
    assert states[0].tobytes() == before
    return {
        str(Move.from_code(int(moves[k]))): {
            name: float(value) for name, value in zip(MOVE_NAMES, rows[k], strict=True) if value
        }
        for k in range(count)
    }


def changed(drawn: str, instead: str) -> str:
    assert drawn in FIELD
    return FIELD.replace(drawn, instead, 1)


# What lines and blasts strike, counted by hand: how the drawing changes, the level, and inputs of b2b3.
COUNTED: dict[str, tuple[str, str, dict[str, Any], dict[str, float]]] = {
    "a line": (TOP, TOP, {}, {"lines: pieces": 3, "longest line": 3, "cells of lines": 3}),
    # Two of three layers, and 20 moves for all of them.
    "jelly": ("r c r", "r' c'' r", {"goals": {"jelly": "all"}}, {"lines: asked jelly": 2, PACE: 20 * 2 / 3}),
    "jelly nobody asks for": ("r c r", "r' c r", {}, {"lines: asked jelly": 0}),
    "ordered color": (
        "r c r",
        "r c r",
        {"goals": {"orders": {"red": 9}}},
        {"lines: pieces of asked colors": 3, PACE: 20 * 3 / 9},
    ),
    "one of two goals": (
        "r c r",
        "r c r",
        {"goals": {"orders": {"red": 9, "blue": 4}}},
        {PACE: 20 * 3 / 9 / 2},
    ),
    "asked icing": (
        TOP,
        "o #2 p c m",
        {"goals": {"orders": {"icing": 1}}},
        {"lines: layers of asked blockers": 1, "lines: layers of other blockers": 0},
    ),
    "icing": (
        TOP,
        "o #2 p c m",
        {},
        {
            "lines: layers of other blockers": 1,
            "other blockers beside lines": 1,
            "asked blockers beside lines": 0,
            "share of the jelly and blockers within 1 cell": 1,
            "share of the jelly and blockers within 2 cells": 1,
            "share of the jelly and blockers within 3 cells": 1,
        },
    ),
    "icing beside two cells of a line": (
        "r c r o y    <- b2b3: three reds\n    m r y",
        "r c r o y\n    #1 r #1",
        {},
        {"lines: layers of other blockers": 2, "other blockers beside lines": 2},
    ),
    "far icing": (
        "c m o b b    <- c4c5: three blues\n    o y p c m",
        "c m o b b\n    o y p c #1",
        {},
        {"other blockers beside lines": 0, "share of the jelly and blockers within 3 cells": 0},
    ),
    "icing over jelly": (
        TOP,
        "o #2' p c m",
        {"goals": {"jelly": "all"}},
        {"lines: layers of blockers over asked jelly": 1, "lines: asked jelly": 0},
    ),
    "chocolate": (TOP, "o X p c m", {}, {"lines: layers of what grows": 1}),
    "popcorn": (
        TOP,
        "o P1 p c m",
        {},
        {"lines: layers of other blockers": 0, "lines: bombs that blockers leave": 0},
    ),
    "a swirl": (TOP, "o S p c m", {}, {"lines: other swirls": 1, "lines: asked swirls": 0}),
    "an asked swirl": (TOP, "o S p c m", {"goals": {"orders": {"swirl": 9}}}, {"lines: asked swirls": 1}),
    "a countdown": ("r c r", "r4 c r", {}, {"lines: urgency of countdown bombs": 0.25}),
    "a time candy": ("r c r", "r@ c r", {"seconds": 60}, {"lines: other sugar and time candies": 1}),
    "sugar": (
        "r c r",
        "r~ c r",
        {"goals": {"orders": {"sugar": 9}}},
        {"lines: asked sugar, time candies and bombs": 1},
    ),
    "a cherry above": (
        TOP,
        "o C p c m",
        {"goals": {"ingredients": {"cherry": 1}}},
        {"lines: cells below asked ingredients": 1, "asked ingredients above cells of lines": 1},
    ),
    "a striped candy": (
        "m r y",
        "m r= y",
        {},
        {
            "lines: pieces": 3,
            "lines: striped and wrapped candies set off": 1,
            "blasts: pieces": 2,
            "blasts: asked jelly": 0,
        },
    ),
    "four": ("r c r o", "r c r r", {}, {"makes a striped candy": 1, "longest line": 4, "lines: pieces": 4}),
    "four that are asked for": (
        "r c r o",
        "r c r r",
        {"goals": {"orders": {"striped": 1}}},
        {"makes or combines what is asked": 1, PACE: 20},
    ),
    "no specials by plain rules": ("r c r o", "r c r r", {"rules": "plain"}, {"makes a striped candy": 0}),
}


@pytest.mark.parametrize("case", COUNTED)
def test_inputs_counted_by_hand(case: str) -> None:
    drawn, instead, keys, expected = COUNTED[case]
    counted = inputs(position(changed(drawn, instead), **keys))["b2b3"]
    assert {name: counted.get(name, 0) for name in expected} == pytest.approx(expected)


def test_where_a_move_is_and_how_far_from_the_last() -> None:
    before, after = inputs(position(FIELD)), inputs(position(FIELD), LAST)
    assert before["b2b3"]["swaps a column"] == 1
    assert before["b2b3"]["row from the top"] == pytest.approx(1 / 12)
    assert before["b2b3"]["row from the bottom"] == pytest.approx(4 / 12)
    assert before["b2b3"]["columns from the middle"] == pytest.approx(1 / 12)
    # Rows 1 to 4 and columns a to d, of 6 rows and 5 columns.
    assert before["b2b3"]["share of the 25 cells around that are on the board"] == pytest.approx(16 / 25)
    assert before["b2b3"]["share of the 9 cells around that are on the board"] == 1
    assert before["b2b3"]["share of the 49 cells around that are on the board"] == pytest.approx(25 / 49)
    assert "not the first move" not in before["b2b3"]
    near = {name: value for name, value in after["c4c5"].items() if "last move" in name}
    assert near == pytest.approx(
        {
            "cells from the last move": 2 / 8,
            "at most 2 cells from the last move": 1,
            "at most 3 cells from the last move": 1,
            "at most 5 cells from the last move": 1,
            "rows from the last move": 2 / 8,
            "columns from the last move": 1 / 8,
            # Around b6 are rows 3, 4, 5, 6, and 6 for the three below; columns a, a, a, b, c, d, e.
            "places around the last move, share within 1 cell": 3 * 3 / 49,
            "places around the last move, share within 2 cells": 1,
            "places around the last move, share within 3 cells": 1,
        }
    )
    for most, share in ((1, 1 * 5 / 49), (2, 2 * 6 / 49), (3, 3 * 7 / 49)):
        name = f"places around the last move, share within {most} cell{'s' * (most > 1)}"
        assert after["b2b3"][name] == pytest.approx(share)
    assert after["b2b3"]["cells from the last move"] == 4 / 8


def test_how_near_and_how_much_better_other_moves_are() -> None:
    field = inputs(position(changed("r c r", "r' c' r"), goals={"jelly": "all"}))
    for move, gap in (("b2b3", 0), ("c4c5", 2)):
        assert field[move].get("goals, less than that", 0) == gap
        assert field[move]["goals, of the move that does most for them"] == 2
        assert field[move]["moves within 2 cells"] == pytest.approx(0.2)
        assert field[move]["moves within 4 cells"] == pytest.approx(0.2)
        assert field[move].get("less than the most that is done within 3 cells", 0) == gap
        for name in ("moves that do more", "moves that do more, within 3 cells"):
            assert field[move].get(name, 0) == pytest.approx(0.2 if gap else 0)


def test_inputs_of_the_position() -> None:
    game = position(changed("r c r", "r' c r"), goals={"jelly": "all", "orders": {"red": 6}})
    row = np.zeros(POSITION_INPUTS, np.float32)
    write_position_inputs(level_record(game.level).level, game.state, 2, row)
    values = dict(zip(POSITION_NAMES, row.tolist(), strict=True))
    assert values["legal moves"] == pytest.approx(0.1)
    assert (values["share of the limit left"], values["moves left"]) == (1, 0.5)
    assert (values["asks for jelly"], values["asks for colors"], values["asks for ingredients"]) == (1, 1, 0)
    assert (values["goals done"], values["asks for score alone"]) == (0, 0)
