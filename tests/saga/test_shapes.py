"""Shapes: drawn from families, symmetric, without dead corners."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levelsense.advice import advise
from levelsense.advice.layout import Layout
from levelsense.level.level import Level
from levelsense.rng import Draws
from levelsense.saga.shapes import FAMILIES, LEAST_SHARE, LEAST_TILES, Shape, _with_lines, draw_shape

sides = st.integers(5, 12)
seeds = st.integers(0, 10_000)


def level_of(shape: Shape) -> Level:
    """A plain level on a shape."""
    rows = [
        " ".join("." if (row, column) in shape.tiles else "-" for column in range(shape.columns))
        for row in range(shape.rows)
    ]
    return Level.model_validate(
        {"name": "shape", "moves": 9, "colors": 5, "board": rows, "goals": {"score": 1}}
    )


@given(sides, sides, seeds, st.sampled_from(list(FAMILIES)))
@settings(max_examples=150, deadline=None)
def test_every_tile_is_filled_and_in_a_line(rows: int, columns: int, seed: int, family: str) -> None:
    shape = draw_shape(Draws("shape", seed), rows, columns, family)
    layout = Layout(level_of(shape))
    assert layout.fed == layout.tiles
    assert all(layout.line_fits(tile) for tile in layout.tiles)
    assert len(shape.tiles) >= max(LEAST_TILES, LEAST_SHARE * rows * columns)


@given(sides, sides, seeds)
@settings(max_examples=40, deadline=None)
def test_a_first_board_can_be_dealt(rows: int, columns: int, seed: int) -> None:
    level = level_of(draw_shape(Draws("shape", seed), rows, columns))
    assert not [advice for advice in advise(level) if advice.severity != "note"]


@given(sides, sides, seeds, st.sampled_from(list(FAMILIES)))
@settings(max_examples=150, deadline=None)
def test_shapes_are_symmetric(rows: int, columns: int, seed: int, family: str) -> None:
    shape = draw_shape(Draws("shape", seed), rows, columns, family)
    mirrored = {shape.mirrored(place) for place in shape.tiles}
    turned = {(rows - 1 - row, columns - 1 - column) for row, column in shape.tiles}
    assert shape.tiles in (mirrored, turned)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_drawn_on_a_board_of_usual_size(family: str) -> None:
    drawn = [draw_shape(Draws("shape", seed), 9, 9, family) for seed in range(20)]
    assert {shape.family for shape in drawn} == {family}
    if family != "full":
        assert all(len(shape.tiles) < 81 for shape in drawn)


def test_a_tile_without_a_line_is_taken_away() -> None:
    """First the lone tiles go, then what has lost its line by that."""
    drawn = ["#.#.#", "#####", "....#", ".##.#", "....."]
    mask = np.array([[mark == "#" for mark in row] for row in drawn])
    kept = [(row, column) for row in range(5) for column in range(5) if (row, column) in _with_lines(mask)]
    assert kept == [(0, 4), *((1, column) for column in range(5)), (2, 4), (3, 4)]


def test_tops_and_bottoms() -> None:
    shape = Shape("two", 3, 3, frozenset({(0, 0), (1, 0), (2, 0), (1, 2)}))
    assert shape.tops == [(0, 0), (1, 2)]
    assert shape.bottoms == [(2, 0), (1, 2)]
    assert shape.mirrored((1, 2)) == (1, 0)
