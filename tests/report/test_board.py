"""Boards drawn as SVG: a tile a tile, what stands there, and heat where something was left."""

from xml.etree import ElementTree

import numpy as np
import pytest

from levelsense.level.level import Level, bundled_levels
from levelsense.playtest.statistics import HeatMap
from levelsense.report.board import MARGIN, SIDE, board_svg

LEVEL = Level.model_validate(
    {
        "name": "drawn",
        "moves": 10,
        "board": ["r . -  .", ". X #2 .", "g= .5 C ."],
        "jelly": ["1 . - .", ". . . 2", ". . . ."],
        "locks": [". L - .", ". . . .", ". . . ."],
        "goals": {"jelly": "all", "ingredients": {"cherry": 1}},
        "exits": ["d3"],
    }
)


def parts(svg: str, kind: str) -> list[ElementTree.Element]:
    """The elements of a class; the drawing has to be well-formed."""
    return [one for one in ElementTree.fromstring(svg).iter() if kind in one.get("class", "").split()]


def places(elements: list[ElementTree.Element]) -> set[tuple[int, int]]:
    """Rows and columns of rectangles."""
    return {
        (int((float(one.get("y", 0)) - MARGIN) // SIDE), int((float(one.get("x", 0)) - MARGIN) // SIDE))
        for one in elements
    }


def test_every_tile_is_drawn_and_no_gap() -> None:
    svg = board_svg(LEVEL)
    tiles = {divmod(index, 4) for index, cell in enumerate(LEVEL.cells) if cell.tile}
    assert places(parts(svg, "tile")) == tiles
    assert (0, 2) not in tiles
    assert places(parts(svg, "jelly-1")) == {(0, 0)}
    assert places(parts(svg, "jelly-2")) == {(1, 3)}


def test_columns_have_letters_and_rows_numbers_from_one() -> None:
    assert [one.text for one in parts(board_svg(LEVEL), "name")] == ["a", "b", "c", "d", "1", "2", "3"]


def test_what_stands_on_it() -> None:
    svg = board_svg(LEVEL)
    assert places(parts(svg, "blocker")) == {(1, 1), (1, 2)}
    assert places(parts(svg, "cover")) == {(0, 1)}
    tokens = [one.text for one in parts(svg, "token")]
    assert [token for token in tokens if token and "[" not in token] == ["X", "#2", "g=", "5", "C"]
    assert len(parts(svg, "mark")) == 1  # the exit


def test_heat_is_drawn_where_something_was_left() -> None:
    shares = np.zeros((3, 4))
    shares[0, 2] = np.nan
    shares[1, 1], shares[2, 3], shares[0, 0] = 0.95, 0.2, 0.004
    svg = board_svg(LEVEL, HeatMap("blockers", 40, shares))
    assert places(parts(svg, "heat")) == {(1, 1), (2, 3)}
    assert sorted(str(one.text) for one in parts(svg, "share")) == ["20", "95"]
    strengths = {
        place: float(one.get("style", "").removeprefix("opacity:"))
        for one in parts(svg, "heat")
        for place in places([one])
    }
    assert strengths[1, 1] > strengths[2, 3]
    label = ElementTree.fromstring(svg).get("aria-label")
    assert (
        label == "Board of 3 rows and 4 columns; blockers left in lost attempts, most often at b2 95%, d3 20%"
    )


@pytest.mark.parametrize("name", bundled_levels())
def test_every_bundled_level_can_be_drawn(name: str) -> None:
    level = Level.load(name)
    svg = board_svg(level)
    assert len(parts(svg, "tile")) == sum(cell.tile for cell in level.cells)
