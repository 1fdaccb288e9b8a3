"""The symmetry of a level's drawing, and the cells that belong together by it.

A level often mirrors left to right, less often top to bottom, or looks the same after half a turn. Shape,
jelly and what is in the way are looked at apart: one odd blocker does not make the jelly less symmetric. An
edit takes whole orbits, so that what was symmetric stays so.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace

from levelsense.edits.cells import in_the_way
from levelsense.level.level import Level
from levelsense.level.tokens import Cell

Look = Callable[[Cell], Hashable]
Orbit = tuple[int, ...]

# What a layer of the drawing shows of a cell. Colors are left out: candies are mirrored, not their colors.
LAYERS: dict[str, Look] = {
    "shape": lambda cell: cell.tile,
    "jelly": lambda cell: (cell.tile, cell.jelly),
    "blockers": lambda cell: (cell.tile, in_the_way(cell), cell.layers, cell.timer),
    "drawing": lambda cell: replace(cell, color=None),  # all of it
}


class Symmetry:
    """The orbits of a level's cells under the symmetries of a layer of its drawing."""

    def __init__(self, level: Level, layer: str) -> None:
        self._maps = tuple(_maps_that_keep(level, LAYERS[layer]))

    def __bool__(self) -> bool:
        return bool(self._maps)

    def orbit(self, cell: int) -> Orbit:
        """The cell and its images, ascending."""
        reached, open_cells = {cell}, [cell]
        while open_cells:
            start = open_cells.pop()
            for image in (mapping[start] for mapping in self._maps):
                if image not in reached:
                    reached.add(image)
                    open_cells.append(image)
        return tuple(sorted(reached))

    def orbits(self, cells: Sequence[int]) -> list[Orbit]:
        """The orbits of these cells, each once, in the order of their first cells."""
        return list(dict.fromkeys(self.orbit(cell) for cell in cells))

    def image(self, orbit: Orbit, step: tuple[int, int], columns: int, rows: int) -> Orbit | None:
        """The orbit of the first cell moved by rows and columns; None if it leaves the board, or overlaps.

        The images of a moved cell are the moved images, so that the whole orbit moves.
        """
        row, column = divmod(orbit[0], columns)
        row, column = row + step[0], column + step[1]
        if not (0 <= row < rows and 0 <= column < columns):
            return None
        moved = self.orbit(row * columns + column)
        return moved if len(moved) == len(orbit) and not set(moved) & set(orbit) else None


def _maps_that_keep(level: Level, look: Look) -> Iterator[tuple[int, ...]]:
    looks = [look(cell) for cell in level.cells]
    for mapping in _mappings(level.rows, level.columns):
        if all(looks[image] == looks[cell] for cell, image in enumerate(mapping)):
            yield mapping


def _mappings(rows: int, columns: int) -> Iterator[tuple[int, ...]]:
    """Left to right, top to bottom, and half a turn: for each cell its image."""
    for turn_rows, turn_columns in ((False, True), (True, False), (True, True)):
        yield tuple(
            (rows - 1 - row if turn_rows else row) * columns
            + (columns - 1 - column if turn_columns else column)
            for row in range(rows)
            for column in range(columns)
        )
