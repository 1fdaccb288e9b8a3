"""Boards that look designed: shapes from families, each with a symmetry, and mirrored patterns on them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.rng import Draws

Place = tuple[int, int]
Mask = NDArray[np.bool_]
Family = Callable[[int, int, Draws], Mask]

LEAST_TILES: Final = 22
LEAST_SHARE: Final = 0.5
_TRIES: Final = 20


@dataclass(frozen=True)
class Shape:
    """The tiles of a board, by row and column, and the family they were drawn from."""

    family: str
    rows: int
    columns: int
    tiles: frozenset[Place]

    def column(self, column: int) -> list[Place]:
        """The tiles of a column from the top."""
        return [(row, column) for row in range(self.rows) if (row, column) in self.tiles]

    @property
    def tops(self) -> list[Place]:
        """The highest tile of each column that has one: where new pieces enter."""
        return [tiles[0] for tiles in map(self.column, range(self.columns)) if tiles]

    @property
    def bottoms(self) -> list[Place]:
        """The lowest tile of each column that has one."""
        return [tiles[-1] for tiles in map(self.column, range(self.columns)) if tiles]

    def mirrored(self, place: Place) -> Place:
        """The place on the other side of the upright axis."""
        return place[0], self.columns - 1 - place[1]


def draw_shape(rng: Draws, rows: int, columns: int, family: str | None = None) -> Shape:
    """A shape of a size; of a family that fits it, or of the one given. A full board if none is found."""
    for _ in range(_TRIES):
        name = family or rng.choice(list(FAMILIES), _WEIGHTS)
        tiles = _with_lines(FAMILIES[name](rows, columns, rng))
        if len(tiles) >= max(LEAST_TILES, LEAST_SHARE * rows * columns) and _reaches_all_sides(
            tiles, rows, columns
        ):
            return Shape(name, rows, columns, tiles)
    return Shape("full", rows, columns, _with_lines(np.ones((rows, columns), bool)))


def _reaches_all_sides(tiles: frozenset[Place], rows: int, columns: int) -> bool:
    """Whether no row or column at the edge is empty: the board is as large as it is said to be."""
    at_rows, at_columns = {row for row, _ in tiles}, {column for _, column in tiles}
    return {0, rows - 1} <= at_rows and {0, columns - 1} <= at_columns


def _with_lines(mask: Mask) -> frozenset[Place]:
    """The tiles through which a line of three fits; a tile where none fits is taken away."""
    while True:
        kept = mask & (_in_threes(mask) | _in_threes(mask.T).T)
        if (kept == mask).all():
            return frozenset((int(row), int(column)) for row, column in np.argwhere(mask))
        mask = kept


def _in_threes(mask: Mask) -> Mask:
    """The tiles that have a run of three in their row."""
    start = mask[:, :-2] & mask[:, 1:-1] & mask[:, 2:]
    in_run = np.zeros_like(mask)
    for shift in range(3):
        in_run[:, shift : shift + start.shape[1]] |= start
    return in_run


def _grid(rows: int, columns: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far each cell is from the middle, down and across."""
    down = np.abs(np.arange(rows) - (rows - 1) / 2)[:, None]
    across = np.abs(np.arange(columns) - (columns - 1) / 2)[None, :]
    return down + 0 * across, across + 0 * down


def _corners(rows: int, columns: int) -> NDArray[np.float64]:
    """How many steps each cell is from the nearest corner."""
    down, across = _grid(rows, columns)
    return (rows - 1) / 2 - down + (columns - 1) / 2 - across


def _full(rows: int, columns: int, rng: Draws) -> Mask:
    return np.ones((rows, columns), bool)


def _cut_corners(rows: int, columns: int, rng: Draws) -> Mask:
    return _corners(rows, columns) >= rng.integers(1, 4)


def _house(rows: int, columns: int, rng: Draws) -> Mask:
    """A roof above, walls below; or turned over, a shield."""
    mask = _corners(rows, columns) >= rng.integers(2, 4)
    half = rows // 2
    if rng.random() < 0.6:
        mask[half:] = True
    else:
        mask[:half] = True
    return mask


def _diamond(rows: int, columns: int, rng: Draws) -> Mask:
    down, across = _grid(rows, columns)
    return down / (rows / 2) + across / (columns / 2) <= rng.pick(1.05, 1.15, 1.25)


def _hourglass(rows: int, columns: int, rng: Draws) -> Mask:
    down, across = _grid(rows, columns)
    neck = rng.pick(1.0, 1.5, 2.0)
    return across <= neck + down * rng.pick(0.75, 1.0)


def _bow_tie(rows: int, columns: int, rng: Draws) -> Mask:
    return np.ascontiguousarray(_hourglass(columns, rows, rng).T)


def _ring(rows: int, columns: int, rng: Draws) -> Mask:
    down, across = _grid(rows, columns)
    high, wide = rng.pick(0.5, 1.0, 1.5), rng.pick(0.5, 1.0, 1.5)
    mask = ~((down <= high) & (across <= wide))
    return mask & (_corners(rows, columns) >= rng.integers(0, 3))


def _pillars(rows: int, columns: int, rng: Draws) -> Mask:
    """Holes in pairs beside the middle, above one another."""
    down, across = _grid(rows, columns)
    at = (columns - 1) / 2 - rng.integers(2, 4) + (0 if columns > 6 else 1)
    hole: Mask = (across == at) & (down <= rng.pick(0.5, 1.0, 1.5))
    return ~hole


def _four_holes(rows: int, columns: int, rng: Draws) -> Mask:
    down, across = _grid(rows, columns)
    high, wide = (rows - 1) / 2 - rng.integers(1, 3), (columns - 1) / 2 - rng.integers(1, 3)
    hole: Mask = (down == high) & (across == wide)
    return ~hole


def _cross(rows: int, columns: int, rng: Draws) -> Mask:
    down, across = _grid(rows, columns)
    return (down <= rows / 2 - rng.integers(2, 4)) | (across <= columns / 2 - rng.integers(2, 4))


def _castle(rows: int, columns: int, rng: Draws) -> Mask:
    """Battlements above: every second or third place of the upper edge is open."""
    _, across = _grid(rows, columns)
    mask = np.ones((rows, columns), bool)
    step = rng.integers(2, 4)
    mask[: rng.integers(1, 3), np.floor(across[0]) % step == step - 1] = False
    return mask


def _letter_h(rows: int, columns: int, rng: Draws) -> Mask:
    down, across = _grid(rows, columns)
    return ~((down >= rows / 2 - rng.integers(1, 4)) & (across <= rng.pick(0.5, 1.0, 1.5)))


def _letter_u(rows: int, columns: int, rng: Draws) -> Mask:
    _, across = _grid(rows, columns)
    mask = np.ones((rows, columns), bool)
    mask[: rng.integers(2, max(3, rows // 2 + 1)), across[0] <= rng.pick(0.5, 1.0, 1.5)] = False
    return mask if rng.random() < 0.7 else np.ascontiguousarray(mask[::-1])


def _floors(rows: int, columns: int, rng: Draws) -> Mask:
    """Two floors with a gap between, which pieces fall across; there may be stairs at the sides or amid."""
    _, across = _grid(rows, columns)
    mask = np.ones((rows, columns), bool)
    row = rng.integers(3, rows - 2) if rows > 6 else rows // 2
    stairs = rng.pick("none", "sides", "middle")
    gap = np.ones(columns, bool)
    if stairs == "sides":
        gap = across[0] < (columns - 1) / 2 - 0.5
    elif stairs == "middle":
        gap = across[0] > 1
    mask[row, gap] = False
    return mask


def _twins(rows: int, columns: int, rng: Draws) -> Mask:
    """Two islands side by side, joined by a bridge."""
    down, across = _grid(rows, columns)
    water = across <= (0 if columns % 2 else 0.5)
    bridge = down <= rng.pick(0.5, 1.0, 1.5)
    if rng.random() < 0.4:
        bridge = np.zeros_like(water)
        bridge[rows - rng.integers(2, 4) :] = True
    return ~water | bridge


def _stairs(rows: int, columns: int, rng: Draws) -> Mask:
    """Two opposite corners cut away: the same when turned by half a circle."""
    row, column = np.mgrid[0:rows, 0:columns]
    cut = rng.integers(2, 5)
    mask: Mask = (row + column >= cut) & (row + column <= rows + columns - 2 - cut)
    return mask if rng.random() < 0.5 else np.ascontiguousarray(mask[:, ::-1])


def _lattice(rows: int, columns: int, rng: Draws) -> Mask:
    down, across = _grid(rows, columns)
    hole: Mask = (np.floor(down + 0.5) % 3 == 2) & (np.floor(across + 0.5) % 3 == 2)
    return ~hole


FAMILIES: Final[dict[str, Family]] = {
    "full": _full,
    "cut corners": _cut_corners,
    "house": _house,
    "diamond": _diamond,
    "hourglass": _hourglass,
    "bow tie": _bow_tie,
    "ring": _ring,
    "pillars": _pillars,
    "four holes": _four_holes,
    "cross": _cross,
    "castle": _castle,
    "letter H": _letter_h,
    "letter U": _letter_u,
    "floors": _floors,
    "twins": _twins,
    "stairs": _stairs,
    "lattice": _lattice,
}
_WEIGHTS: Final = (4, 4, 2, 1.5, 2, 1.5, 2, 1.5, 2, 2, 1.5, 1.5, 2, 1.5, 1.5, 1, 1)


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
