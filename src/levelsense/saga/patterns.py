"""Placement on a board: cells in the order of a mirrored pattern, so that it looks designed."""

from collections.abc import Callable, Iterable
from math import sqrt
from typing import Final

from levelsense.saga.shapes import Place, Shape

Orbits = tuple[tuple[Place, ...], ...]

# A pattern is a rank for each cell, the same on both sides of the upright axis; low ranks are taken first.
# It is given how far the cell is from the middle (down and across), its row, and the board's size.
Pattern = Callable[[float, float, int, int, int], float]

PATTERNS: Final[dict[str, Pattern]] = {
    "square": lambda down, across, row, rows, columns: max(down, across),
    "diamond": lambda down, across, row, rows, columns: down + across,
    "disk": lambda down, across, row, rows, columns: round(sqrt(down * down + across * across)),
    "floor": lambda down, across, row, rows, columns: rows - row,
    "belt": lambda down, across, row, rows, columns: down,
    "column": lambda down, across, row, rows, columns: across,
    "sides": lambda down, across, row, rows, columns: columns - across,
    "frame": lambda down, across, row, rows, columns: min(rows / 2 - down, columns / 2 - across),
    "corners": lambda down, across, row, rows, columns: rows / 2 - down + columns / 2 - across,
    "plus": lambda down, across, row, rows, columns: min(down, across),
    "x": lambda down, across, row, rows, columns: abs(down - across),
    "checkers": lambda down, across, row, rows, columns: 10 * ((row + int(across)) % 2) + rows - row,
    "stripes": lambda down, across, row, rows, columns: 10 * (int(across) % 2) + rows - row,
    "shelves": lambda down, across, row, rows, columns: 10 * (row % 2) + rows - row,
    "pyramid": lambda down, across, row, rows, columns: rows - row + across,
    "valley": lambda down, across, row, rows, columns: rows - row + columns / 2 - across,
    "dots": lambda down, across, row, rows, columns: 10 * (row % 2 + int(across) % 2) + rows - row,
}


def ordered(shape: Shape, pattern: str, free: Iterable[Place]) -> Orbits:
    """The free cells in the order of a pattern: cells that mirror each other together, outer ones last.

    A cell whose mirror image is taken is left out, unless all free cells are on one side.
    """
    cells = set(free)
    one_sided = all(shape.mirrored(place) not in cells for place in cells)
    middle_row, middle_column = (shape.rows - 1) / 2, (shape.columns - 1) / 2

    def rank(place: Place) -> tuple[float, float, int]:
        down, across = abs(place[0] - middle_row), abs(place[1] - middle_column)
        value = PATTERNS[pattern](down, across, place[0], shape.rows, shape.columns)
        return round(float(value), 3), across, place[0]

    orbits: list[tuple[Place, ...]] = []
    for place in sorted(cells, key=lambda place: (*rank(place), place[1])):
        other = shape.mirrored(place)
        if one_sided or other == place or other not in shape.tiles:
            orbits.append((place,))
        elif other in cells and place[1] < other[1]:
            orbits.append((place, other))
    return tuple(orbits)


def first_cells(orbits: Orbits, count: int) -> list[Place]:
    """The cells of the first orbits, as many as come nearest to a number; at least one orbit."""
    cells: list[Place] = []
    for orbit in orbits:
        if cells and len(cells) + len(orbit) / 2 > count:
            break
        cells += orbit
    return cells


def whole_orbits(orbits: Orbits, most: int) -> list[Place]:
    """The cells of the first orbits that fit into a number; an orbit too large is passed over."""
    cells: list[Place] = []
    for orbit in orbits:
        if len(cells) + len(orbit) <= most:
            cells += orbit
    return cells
