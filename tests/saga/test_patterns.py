"""Patterns: cells in an order, mirrored ones together."""

import pytest

from levelsense.saga.shapes import PATTERNS, Shape, first_cells, ordered, whole_orbits

BOARD = Shape("full", 3, 5, frozenset((row, column) for row in range(3) for column in range(5)))


def drawn(cells: list[tuple[int, int]]) -> list[str]:
    return ["".join("#" if (row, column) in cells else "." for column in range(5)) for row in range(3)]


@pytest.mark.parametrize(
    ("pattern", "count", "expected"),
    [
        ("floor", 5, [".....", ".....", "#####"]),
        ("belt", 3, [".....", ".###.", "....."]),
        ("column", 3, ["..#..", "..#..", "..#.."]),
        ("sides", 6, ["#...#", "#...#", "#...#"]),
        ("square", 9, [".###.", ".###.", ".###."]),
        ("diamond", 5, ["..#..", ".###.", "..#.."]),
        ("corners", 4, ["#...#", ".....", "#...#"]),
        ("pyramid", 4, [".....", "..#..", ".###."]),
        ("frame", 12, ["#####", "#...#", "#####"]),
    ],
)
def test_patterns_as_drawn(pattern: str, count: int, expected: list[str]) -> None:
    assert drawn(first_cells(ordered(BOARD, pattern, BOARD.tiles), count)) == expected


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("count", range(1, 16))
def test_whatever_is_taken_is_its_own_mirror_image(pattern: str, count: int) -> None:
    cells = first_cells(ordered(BOARD, pattern, BOARD.tiles), count)
    assert {BOARD.mirrored(cell) for cell in cells} == set(cells)
    assert abs(len(cells) - count) <= 1


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_orders_all_cells_once(pattern: str) -> None:
    cells = [cell for orbit in ordered(BOARD, pattern, BOARD.tiles) for cell in orbit]
    assert len(cells) == 15
    assert set(cells) == BOARD.tiles


def test_a_cell_whose_mirror_image_is_taken_is_left_out() -> None:
    assert ordered(BOARD, "floor", {(2, 0), (2, 4), (1, 1)}) == (((2, 0), (2, 4)),)


def test_cells_on_one_side_stand_alone() -> None:
    assert ordered(BOARD, "sides", {(0, 0), (0, 1)}) == (((0, 0),), ((0, 1),))


def test_whole_orbits_never_exceed_a_number() -> None:
    orbits = (((0, 0), (0, 4)), ((0, 2),), ((0, 1), (0, 3)))
    assert whole_orbits(orbits, 1) == [(0, 2)]
    assert whole_orbits(orbits, 2) == [(0, 0), (0, 4)]
    assert whole_orbits(orbits, 4) == [(0, 0), (0, 4), (0, 2)]
    assert whole_orbits(orbits, 0) == []
