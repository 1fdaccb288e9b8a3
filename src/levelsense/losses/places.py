"""Cells of a level in words: mirrored cells together, neighbors as a region, corners by their names."""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from levelsense.edits.symmetry import Symmetry
from levelsense.level.level import Level
from levelsense.level.tokens import cell_name

MOST_PARTS: Final = 4  # of a region that is no rectangle; one of more is told by what it lies within
MOST_REGIONS: Final = 6
_FOUR: Final = 4


def orbits(level: Level, cells: Iterable[int]) -> list[tuple[int, ...]]:
    """Cells, by row-major index, with those that the level's symmetry maps them onto, in reading order."""
    return Symmetry(level, "drawing").orbits(sorted(set(cells)))


def regions(level: Level, cells: Iterable[int]) -> list[tuple[int, ...]]:
    """Cells in connected parts, by their sides, in reading order."""
    left = set(cells)
    parts = []
    while left:
        part, edge = set(), {min(left)}
        while edge:
            part |= edge
            left -= edge
            edge = {other for cell in edge for other in _beside(level, cell)} & left
        parts.append(tuple(sorted(part)))
    return parts


def _beside(level: Level, cell: int) -> Iterator[int]:
    row, column = divmod(cell, level.columns)
    for other_row, other_column in (
        (row - 1, column),
        (row, column - 1),
        (row, column + 1),
        (row + 1, column),
    ):
        if 0 <= other_row < level.rows and 0 <= other_column < level.columns:
            yield other_row * level.columns + other_column


def place_words(level: Level, cells: Collection[int], last: str = "and") -> str:
    """Cells in words: `a9 or i9`, `a8:b9`, `row 9`; `last` stands before the last of several places."""
    parts = [words for region in regions(level, cells) for words in _region_words(level, region)]
    if len(parts) > MOST_REGIONS:
        return f"{len(cells)} cells within {_box(level, cells)}"
    return joined(parts, last)


def joined(parts: list[str], last: str = "and") -> str:
    """Words as a list in a sentence: `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def _region_words(level: Level, region: tuple[int, ...]) -> list[str]:
    """A region as rectangles, if they are few, or as a number of cells within one."""
    for unit, number in (("row", level.columns), ("column", level.rows)):
        whole = _whole_line(level, region, unit)
        if whole is not None and len(region) == number:
            return [whole]
    pieces = min((_rectangles(level, region, by_rows) for by_rows in (True, False)), key=len)
    if len(pieces) > MOST_PARTS:
        return [f"{len(region)} cells within {_box(level, region)}"]
    return [_box(level, piece) for piece in pieces]


def _whole_line(level: Level, region: tuple[int, ...], unit: str) -> str | None:
    """`row 9` or `column a`, if all cells of a region are in one; else None."""
    numbers = {divmod(cell, level.columns)[unit == "column"] for cell in region}
    if len(numbers) != 1:
        return None
    (number,) = numbers
    return f"row {number + 1}" if unit == "row" else f"column {cell_name(0, number)[0]}"


def _rectangles(level: Level, region: tuple[int, ...], by_rows: bool) -> list[tuple[int, ...]]:
    """A region cut into runs along rows or columns, equal runs one beside the other put together."""
    places = {
        divmod(cell, level.columns) if by_rows else divmod(cell, level.columns)[::-1] for cell in region
    }
    runs: list[tuple[int, int, int]] = []  # line, first, last
    for line, place in sorted(places):
        if runs and runs[-1][0] == line and runs[-1][2] == place - 1:
            runs[-1] = (line, runs[-1][1], place)
        else:
            runs.append((line, place, place))
    blocks: list[list[tuple[int, int, int]]] = []
    for run in runs:
        block = next(
            (block for block in blocks if block[-1][0] == run[0] - 1 and block[-1][1:] == run[1:]), None
        )
        if block is None:
            blocks.append([run])
        else:
            block.append(run)
    corners = [((block[0][0], block[0][1]), (block[-1][0], block[-1][2])) for block in blocks]
    turned = [tuple(place if by_rows else place[::-1] for place in pair) for pair in corners]
    return [tuple(row * level.columns + column for row, column in pair) for pair in turned]


def _box(level: Level, cells: Collection[int]) -> str:
    """The smallest rectangle around cells: `a8:b9`, or the name of the only one."""
    places = [divmod(cell, level.columns) for cell in cells]
    rows, columns = zip(*places, strict=True)
    first, last = cell_name(min(rows), min(columns)), cell_name(max(rows), max(columns))
    return first if first == last else f"{first}:{last}"


def corner_words(level: Level, cells: Collection[int]) -> str | None:
    """The corners of the board that cells fill, if each of their regions is at one: `the bottom corners`."""
    corners = [_corner(level, region) for region in regions(level, cells)]
    if None in corners or not corners:
        return None
    distinct = {corner for corner in corners if corner is not None}
    if len(distinct) == 1:
        return f"the {' '.join(distinct.pop())} corner"
    if len(distinct) == _FOUR:
        return "the four corners"
    for place in (0, 1):
        shared = {corner[place] for corner in distinct}
        if len(shared) == 1 and len(distinct) == 2:
            return f"the {shared.pop()} corners"
    return "corners"


def _corner(level: Level, region: tuple[int, ...]) -> tuple[str, str] | None:
    """The corner that a region holds and does not go far from: (top or bottom, left or right)."""
    places = [divmod(cell, level.columns) for cell in region]
    for name_row, row in (("top", 0), ("bottom", level.rows - 1)):
        for name_column, column in (("left", 0), ("right", level.columns - 1)):
            near = all(
                abs(at_row - row) <= level.rows // 3 and abs(at_column - column) <= level.columns // 3
                for at_row, at_column in places
            )
            if (row, column) in places and near:
                return name_row, name_column
    return None
