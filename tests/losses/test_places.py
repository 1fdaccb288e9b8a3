"""Cells in words: mirrored ones together, neighbors as regions."""

import pytest

from levelsense.level.level import Level
from levelsense.losses.places import corner_words, orbits, place_words, regions

OPEN = ". . . . ."


def level_of(*rows: str, **keys: object) -> Level:
    return Level.model_validate(
        {"name": "drawn", "moves": 10, "board": list(rows), "goals": {"score": 100}, **keys}
    )


PLAIN = level_of(*[OPEN] * 5)


def cells(text: str, level: Level = PLAIN) -> tuple[int, ...]:
    return tuple(level.index(name) for name in text.split())


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("a5", "a5"),
        ("a5 e5", "a5 or e5"),
        ("a1 c3 e5", "a1, c3 or e5"),
        ("a4 b4 a5 b5", "a4:b5"),
        ("b2 b3 b4", "b2:b4"),
        ("a5 b5 c5 d5 e5", "row 5"),
        ("c1 c2 c3 c4 c5", "column c"),
        ("a4 a5 b5", "a4 or a5:b5"),  # an L: the row of two, and the one above it
        ("a1 b1 a2 b2 d4 e4 d5 e5", "a1:b2 or d4:e5"),
        ("a1 c1 e1 b2 d2 a3 c3 e3", "8 cells within a1:e3"),
    ],
)
def test_places(named: str, words: str) -> None:
    assert place_words(PLAIN, cells(named), "or") == words


def test_a_whole_row_is_one_of_a_board_with_other_sides() -> None:
    wide = level_of(*[". . . . . ."] * 4)
    assert place_words(wide, cells("a4 b4 c4 d4 e4 f4", wide)) == "row 4"
    assert place_words(wide, cells("a1 a2 a3 a4", wide)) == "column a"
    assert place_words(wide, cells("a4 b4 c4 d4", wide)) == "a4:d4"


def test_regions_join_by_sides_not_by_corners() -> None:
    assert regions(PLAIN, cells("a1 b1 c2 e5")) == [cells("a1 b1"), cells("c2"), cells("e5")]


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("a5", "the bottom left corner"),
        ("e1", "the top right corner"),
        ("a5 e5", "the bottom corners"),
        ("a1 a5", "the left corners"),
        ("a1 e5", "corners"),
        ("a1 e1 a5 e5", "the four corners"),
        ("a4 b4 a5 b5", "the bottom left corner"),
        ("b5", None),
        ("a5 c3", None),
        ("a3 a4 a5", None),  # half of an edge
    ],
)
def test_corners(named: str, words: str | None) -> None:
    assert corner_words(PLAIN, cells(named)) == words


def test_mirrored_cells_are_together_where_the_level_is_mirrored() -> None:
    mirrored = level_of("#1 . . . #1", OPEN, OPEN, OPEN, "X . . . X")
    assert orbits(mirrored, cells("a1 e1 a5 b3")) == [cells("a1 e1"), cells("b3 d3"), cells("a5 e5")]
    one_sided = level_of("#1 . . . #1", OPEN, OPEN, OPEN, "X . . . .")
    assert orbits(one_sided, cells("a1 e1")) == [cells("a1"), cells("e1")]


def test_an_open_board_is_mirrored_both_ways() -> None:
    assert orbits(PLAIN, cells("a1 e1 a5 e5 c3 c1 c5")) == [cells("a1 e1 a5 e5"), cells("c1 c5"), cells("c3")]


def test_a_drawn_color_is_no_part_of_the_symmetry() -> None:
    colored = level_of("r . . . g", OPEN, OPEN, OPEN, OPEN)
    assert orbits(colored, cells("a2 e2")) == [cells("a2 e2 a4 e4")]  # top to bottom, too
