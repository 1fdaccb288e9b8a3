"""Where jelly, blockers and ingredients were left on the boards of lost attempts."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsense.game.level import Level
from levelsense.game.state import LOST, STRIDE

KINDS = {"jelly": "jelly_left", "blockers": "blocker_left", "ingredients": "ingredient_left"}


@dataclass(frozen=True, eq=False)
class HeatMap:
    """For each cell the share of lost attempts that left something there.

    kind    jelly, blockers or ingredients
    lost    how many attempts were lost
    shares  rows x columns, NaN where the board has no tile
    """

    kind: str
    lost: int
    shares: NDArray[np.float64]

    @property
    def hottest(self) -> tuple[int, int]:
        """The row and column of the cell with the greatest share; the first of equals in reading order."""
        row, column = np.unravel_index(int(np.nanargmax(self.shares)), self.shares.shape)
        return int(row), int(column)


def heat_maps(level: Level, rows: Any) -> tuple[HeatMap, ...]:
    """A map for each kind of which any lost attempt left something."""
    lost = rows[rows["status"] == LOST]
    maps = (HeatMap(kind, len(lost), _shares(level, lost[field])) for kind, field in KINDS.items())
    return tuple(heat for heat in maps if np.nanmax(heat.shares) > 0)


def _shares(level: Level, left: NDArray[Any]) -> NDArray[np.float64]:
    board = (left != 0).reshape(-1, STRIDE, STRIDE)[:, : level.rows, : level.columns]
    shares = board.sum(axis=0) / max(len(board), 1)
    tiles = np.array([cell.tile for cell in level.cells]).reshape(level.rows, level.columns)
    return np.where(tiles, shares, np.nan)
