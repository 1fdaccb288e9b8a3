"""Positions as they might as well have been: with their colors in another order, and mirrored left to right.

No rule tells one color from another, nor left from right, but for the side that candies slide to first. A
network that is shown a position in another of these ways each time has many times as many to learn by.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.convolution.planes import (
    ACROSS,
    BOMB_PLANE,
    COLOR_PLANE,
    GOAL_NAMES,
    GOAL_PLANE,
    PLANES,
    SIDE,
    SWAPS,
)
from levelsense.game.state import COLOR_NAMES, HIGHEST_COLOR

# The first plane of each group that has one for each color: of pieces, of special candies, and of goals.
COLORED: Final = (
    *range(COLOR_PLANE, BOMB_PLANE, HIGHEST_COLOR),
    GOAL_PLANE + GOAL_NAMES.index(COLOR_NAMES[0]),
)


def _mirrored_columns(width: int) -> NDArray[np.int64]:
    """The columns of a board that wide from right to left; those beyond it stay."""
    columns = np.arange(SIDE)
    columns[:width] = columns[:width][::-1]
    return columns


def _mirrored_swaps(width: int) -> NDArray[np.int64]:
    """The number of each swap on the mirrored board."""
    rows = np.arange(SIDE)[:, None]
    across = rows * (SIDE - 1) + _mirrored_columns(max(0, width - 1))[: SIDE - 1]
    down = ACROSS + rows * SIDE + _mirrored_columns(width)
    # A swap with a neighbor below the board has a number, too, and is never legal.
    return np.concatenate([across.ravel(), down.ravel()])[:SWAPS]


# By the width of the board; one of no width is not mirrored.
_COLUMNS: Final = np.array([_mirrored_columns(width) for width in range(SIDE + 1)])
_SWAPS: Final = np.array([_mirrored_swaps(width) for width in range(SIDE + 1)])

Batch = tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64]]


def draw_symmetries(batch: Batch, widths: NDArray[np.int64], rng: np.random.Generator) -> Batch:
    """Each position of a batch (planes, legal swaps, the swap made) in one of its ways, all equally likely.

    widths  of the boards, in columns
    """
    count = len(widths)
    colors = rng.permuted(np.tile(np.arange(HIGHEST_COLOR), (count, 1)), axis=1)
    return transformed(batch, np.where(rng.random(count) < 0.5, widths, 0), colors)


def transformed(batch: Batch, widths: NDArray[np.int64], colors: NDArray[np.int64]) -> Batch:
    """Each position of a batch with other colors, and mirrored; the batch is not modified.

    widths  of the boards, in columns; 0 where the board is not to be mirrored
    colors  for each position, which color comes to be seen as the first one, as the second one, and so on
    """
    planes, legal, swaps = batch
    plane = np.tile(np.arange(PLANES), (len(planes), 1))
    for first in COLORED:
        plane[:, first : first + HIGHEST_COLOR] = first + colors
    rows, columns = np.arange(SIDE)[:, None], _COLUMNS[widths][:, None, None, :]
    number = np.arange(len(planes))
    seen = planes[number[:, None, None, None], plane[:, :, None, None], rows, columns]
    # Mirrored twice, a swap is what it was: one table serves both ways.
    return seen, legal[number[:, None], _SWAPS[widths]], _SWAPS[widths, swaps]
