"""The layout of a level, whatever is on it: where lines fit, and where pieces enter, fall and slide."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from levelsense.level.checks import fall_sources
from levelsense.level.fields import Drop
from levelsense.level.level import Level
from levelsense.level.problems import Place
from levelsense.level.tokens import cell_name


class Layout:
    """The tiles of a level, by row-major index.

    Blockers are taken for removed: what the layout rules out can never happen, and what it allows might.
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        self._rows, self._columns = level.rows, level.columns  # counted from the drawing each time otherwise
        self.tiles = frozenset(index for index, cell in enumerate(level.cells) if cell.tile)
        self._sources = fall_sources(level)
        self._below = {above: tile for tile, above in self._sources.items() if above is not None}

    def cell_names(self, cells: Iterable[int]) -> tuple[str, ...]:
        """The names of cells, in row-major order."""
        return tuple(cell_name(*divmod(cell, self._columns)) for cell in sorted(cells))

    def names(self, cells: Iterable[int], most: int = 6) -> str:
        """The names of cells for a sentence: the first few, and how many more."""
        names = self.cell_names(cells)
        more = len(names) - most
        return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")

    def neighbors(self, cell: int) -> Iterator[int]:
        """The tiles beside, above and below a cell."""
        row, column = divmod(cell, self._columns)
        for step_row, step_column in ((-1, 0), (0, -1), (0, 1), (1, 0)):
            neighbor = self._tile_at(row + step_row, column + step_column)
            if neighbor is not None:
                yield neighbor

    def _tile_at(self, row: int, column: int) -> int | None:
        inside = 0 <= row < self._rows and 0 <= column < self._columns
        index = row * self._columns + column
        return index if inside and index in self.tiles else None

    # Lines

    @cached_property
    def runs(self) -> tuple[tuple[int, ...], ...]:
        """The rows and columns of tiles without a gap, each as long as it can be."""
        columns, rows = self._columns, self._rows
        across = [[row * columns + column for column in range(columns)] for row in range(rows)]
        down = [[row * columns + column for row in range(rows)] for column in range(columns)]
        return tuple(run for cells in (*across, *down) for run in self._split(cells))

    def _split(self, cells: list[int]) -> Iterator[tuple[int, ...]]:
        run: list[int] = []
        for cell in cells:
            if cell in self.tiles:
                run.append(cell)
            elif run:
                yield tuple(run)
                run = []
        if run:
            yield tuple(run)

    @cached_property
    def longest_line(self) -> int:
        """The length of the longest line that fits anywhere."""
        return max(len(run) for run in self.runs)

    @cached_property
    def crossing_fits(self) -> bool:
        """Whether an L, T or + of two lines fits anywhere."""
        long = [set(run) for run in self.runs if len(run) >= 3]
        return any(not first.isdisjoint(second) for first in long for second in long if first is not second)

    @cached_property
    def _threes(self) -> dict[int, list[frozenset[int]]]:
        """For each tile the places of three in a line through it."""
        threes: dict[int, list[frozenset[int]]] = {tile: [] for tile in self.tiles}
        for run in self.runs:
            for start in range(len(run) - 2):
                three = frozenset(run[start : start + 3])
                for cell in three:
                    threes[cell].append(three)
        return threes

    def lines_through(self, cell: int) -> int:
        """In how many places three in a line fit through a cell: 6 in the open, 2 in a corner."""
        return len(self._threes[cell])

    def line_fits(self, cell: int, without: int | None = None) -> bool:
        """Whether a line fits through the cell, if need be `without` another."""
        return any(without not in three for three in self._threes[cell])

    def line_fits_beside(self, cell: int) -> bool:
        """Whether a line fits through a neighbor of the cell but not through the cell."""
        return any(self.line_fits(neighbor, without=cell) for neighbor in self.neighbors(cell))

    # Falling

    @cached_property
    def entries(self) -> dict[int, tuple[Drop, ...]]:
        """The cells where new pieces enter, with their drops."""
        dispensed = {self.level.index(at): entry.drops for entry in self.level.dispensers for at in entry.at}
        tops: dict[int, int] = {}
        for tile in sorted(self.tiles):
            tops.setdefault(tile % self._columns, tile)
        open_tops = {tile: self.level.drops for tile in tops.values() if self._sources[tile] is None}
        return {**open_tops, **dispensed}

    @cached_property
    def drop_lists(self) -> dict[Place, tuple[Drop, ...]]:
        """The drops in use, by the key they stand at: the level's only if a column's top has no dispenser."""
        of_dispensers: dict[Place, tuple[Drop, ...]] = {
            ("dispensers", number, "drops"): entry.drops for number, entry in enumerate(self.level.dispensers)
        }
        dispensers = {self.level.index(at) for entry in self.level.dispensers for at in entry.at}
        return (
            of_dispensers
            if dispensers.issuperset(self.entries)
            else {("drops",): self.level.drops, **of_dispensers}
        )

    @cached_property
    def dry(self) -> set[int]:
        """The cells that nothing falls into straight: cut off by a teleporter's entrance above."""
        tops = [tile for tile, above in self._sources.items() if above is None and tile not in self.entries]
        return {cell for top in tops for cell in self.way_down(top)}

    def way_down(self, cell: int) -> list[int]:
        """The cells that a piece falls through from a cell, itself first."""
        way = [cell]
        while way[-1] in self._below:
            way.append(self._below[way[-1]])
        return way

    def reached(self, starts: Iterable[int], swaps: bool = False) -> set[int]:
        """The cells that pieces may get to by falling and sliding and, if asked, by legal swaps."""
        reachable = set(starts)
        open_cells = list(reachable)
        while open_cells:
            for cell in self._next_cells(open_cells.pop(), swaps):
                if cell not in reachable:
                    reachable.add(cell)
                    open_cells.append(cell)
        return reachable

    def _next_cells(self, cell: int, swaps: bool) -> Iterator[int]:
        if cell in self._below:
            yield self._below[cell]
        yield from self._slides(cell)
        if swaps:
            # The candy that comes in exchange must make a line where the piece was.
            yield from (near for near in self.neighbors(cell) if self.line_fits(cell, without=near))

    def sliding_back(self, entrance: int, way_out: int) -> set[int]:
        """The dry cells that pieces slide into on a way from a teleporter's exit back to its entrance.

        Falling alone never leads back, and other cells are filled by falling before anything slides in.
        """
        slides = {slide for cell in self.reached([way_out]) for slide in self._slides(cell)}
        return {slide for slide in slides & self.dry if entrance in self.reached([slide])}

    def _slides(self, cell: int) -> Iterator[int]:
        """The tiles diagonally below a cell."""
        row, column = divmod(cell, self._columns)
        for side in (column - 1, column + 1):
            slide = self._tile_at(row + 1, side)
            if slide is not None:
                yield slide

    @cached_property
    def fed(self) -> set[int]:
        """The cells that a new piece can get to."""
        return self.reached(self.entries)
