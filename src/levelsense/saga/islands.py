"""Boards in two parts that teleporters join, and the ways that ingredients take down a board."""

from typing import Final

from levelsense.rng import Draws
from levelsense.saga.draft import Making, cell_names
from levelsense.saga.patterns import first_cells, ordered
from levelsense.saga.shapes import Place, Shape

LEAST_SIDE: Final = 7
DEEP: Final = 4  # tiles: ingredients start in columns so deep, if there are any


def draw_islands(rng: Draws, rows: int, columns: int) -> Shape:
    """Two islands side by side, or two storeys one above the other; at least 7 x 7."""
    rows, columns = max(rows, LEAST_SIDE), max(columns, LEAST_SIDE)
    board = {(row, column) for row in range(rows) for column in range(columns)}
    if rng.random() < 0.5:
        water = {columns // 2, (columns - 1) // 2}
        return Shape("islands", rows, columns, frozenset(place for place in board if place[1] not in water))
    gap = rng.integers(3, rows - 3)
    return Shape("storeys", rows, columns, frozenset(place for place in board if place[0] != gap))


def add_teleporters(making: Making) -> None:
    """Joins the parts: the left island feeds the right one, or columns cross between the storeys."""
    ways = _from_left(making) if making.shape.family == "islands" else _crossed(making)
    making.rest["teleporters"] = [
        {"from": cell_names([start])[0], "to": cell_names([end])[0]} for start, end in ways
    ]


def _from_left(making: Making) -> list[tuple[Place, Place]]:
    shape = making.shape
    half = len(shape.tops) // 2
    ends = shape.tops[half:]
    if making.rng.random() < 0.5:
        ends = ends[::-1]
    return list(zip(shape.bottoms[:half], ends, strict=True))


def _crossed(making: Making) -> list[tuple[Place, Place]]:
    """Some columns, from the sides, change over to their mirror images."""
    shape = making.shape
    gap = next(row for row in range(shape.rows) if (row, 0) not in shape.tiles)
    used = making.rng.integers(2, shape.columns // 2 + 1)
    return [
        ((gap - 1, column), (gap + 1, shape.columns - 1 - column))
        for column in range(shape.columns)
        if min(column, shape.columns - 1 - column) < used and 2 * column != shape.columns - 1
    ]


def add_exits(making: Making) -> list[Place]:
    """Chooses where ingredients leave; gives the cells where they start, on top of columns that lead there.

    They leave below every column, unless they come from dispensers: then below some.
    """
    shape, rng = making.shape, making.rng
    exits = shape.bottoms
    tops = shape.tops
    if shape.family == "islands":
        half = len(tops) // 2
        exits, tops = exits[half:], tops[:half]
    elif "dispensers" in making.plan.twists and shape.family != "storeys":
        pattern, most = rng.pick("column", "sides"), rng.integers(2, 5)
        exits = first_cells(ordered(shape, pattern, exits), most)
        if all(len(shape.column(column)) == 1 for _, column in exits):
            deeper = [place for place in shape.bottoms if len(shape.column(place[1])) > 1]
            exits = first_cells(ordered(shape, pattern, deeper), most)
        columns = {column for _, column in exits}
        tops = [place for place in tops if place[1] in columns]
    deep = [place for place in tops if len(shape.column(place[1])) >= DEEP]
    # In a column of one tile they would start on their exit.
    tops = deep or [place for place in tops if place not in exits]
    if len(exits) < len(shape.bottoms):
        making.rest["exits"] = cell_names(exits)
    making.kept.update(exits, tops)
    if "dispensers" in making.plan.twists:
        making.ways = tuple(tops)
    return tops


def entries(shape: Shape) -> list[Place]:
    """The cells where new pieces enter."""
    return shape.tops[: len(shape.tops) // 2] if shape.family == "islands" else shape.tops
