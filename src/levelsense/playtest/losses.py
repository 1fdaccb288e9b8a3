"""How lost attempts ended: goals that were not met, near misses, and where something was left."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.attempt import Attempts
from levelsense.game.state import COUNT_NAMES, LOST, STRIDE
from levelsense.level.level import Level
from levelsense.playtest.estimate import quantiles

NEAR = 0.10  # of each goal that was not met, at most so much left
PROGRESS_QUANTILES = (0.10, 0.50, 0.90)


@dataclass(frozen=True)
class GoalFigures:
    """How a goal went in lost attempts.

    unmet     the share of lost attempts that did not meet it
    furthest  the share in which it was the furthest from done; goals equally far share an attempt
    done      how much of it was done, from 0 to 1, in the lost attempts at PROGRESS_QUANTILES
    """

    name: str
    asked: int
    unmet: float
    furthest: float
    done: tuple[float, ...]


def goal_counts(level: Level, rows: Attempts) -> NDArray[np.int64]:
    """What was done of each goal: a row an attempt, a column a goal in the order of level.asked."""
    columns = [
        rows["score"] if name == "score" else rows["count"][:, COUNT_NAMES.index(name)]
        for name in level.asked
    ]
    return np.stack(columns, axis=1).astype(np.int64)


def is_near_miss(level: Level, rows: Attempts) -> NDArray[np.bool_]:
    """Which attempts were near misses: lost, with at most 10 % left of each goal that was not met."""
    asked = _asked(level)
    found: NDArray[np.bool_] = (rows["status"] == LOST) & (_left(level, rows) <= NEAR * asked).all(axis=1)
    return found


def is_one_short(level: Level, rows: Attempts) -> NDArray[np.bool_]:
    """Which attempts were lost by one piece of one goal, though it is more than 10 % of the goal.

    A point of a score is no piece, and a goal of a single piece has then not been begun: these do not count.
    """
    asked, left = _asked(level), _left(level, rows)
    is_piece = np.array([name != "score" for name in level.asked]) & (asked > 1)
    lacks_one = (left.sum(axis=1) == 1) & ((left == 1) & is_piece).any(axis=1)
    found: NDArray[np.bool_] = (rows["status"] == LOST) & lacks_one & ~is_near_miss(level, rows)
    return found


def _asked(level: Level) -> NDArray[np.int64]:
    return np.array(list(level.asked.values()))


def _left(level: Level, rows: Attempts) -> NDArray[np.int64]:
    """What was missing of each goal: a row an attempt, a column a goal."""
    left: NDArray[np.int64] = np.maximum(_asked(level) - goal_counts(level, rows), 0)
    return left


def goal_figures(level: Level, rows: Attempts) -> tuple[GoalFigures, ...]:
    """How each goal went in the lost attempts; nothing if none was lost."""
    lost = rows[rows["status"] == LOST]
    if not len(lost):
        return ()
    asked = _asked(level)
    done = np.minimum(goal_counts(level, lost) / asked, 1.0)
    unmet = done < 1
    at_furthest = unmet & (done == done.min(axis=1, keepdims=True))
    furthest = at_furthest / np.maximum(at_furthest.sum(axis=1, keepdims=True), 1)
    return tuple(
        GoalFigures(
            name,
            int(asked[k]),
            float(unmet[:, k].mean()),
            float(furthest[:, k].mean()),
            quantiles(done[:, k], PROGRESS_QUANTILES),
        )
        for k, name in enumerate(level.asked)
    )


def bottleneck(goals: tuple[GoalFigures, ...]) -> GoalFigures | None:
    """The goal that was most often furthest from done, the first of equals; None if no attempt was lost."""
    return max(goals, key=lambda goal: goal.furthest, default=None)


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


def heat_maps(level: Level, rows: Attempts) -> tuple[HeatMap, ...]:
    """A map for each kind of which any lost attempt left something."""
    lost = rows[rows["status"] == LOST]
    maps = (HeatMap(kind, len(lost), _shares(level, lost[field])) for kind, field in KINDS.items())
    return tuple(heat for heat in maps if np.nanmax(heat.shares) > 0)


def _shares(level: Level, left: NDArray[Any]) -> NDArray[np.float64]:
    board = (left != 0).reshape(-1, STRIDE, STRIDE)[:, : level.rows, : level.columns]
    shares = board.sum(axis=0) / max(len(board), 1)
    tiles = np.array([cell.tile for cell in level.cells]).reshape(level.rows, level.columns)
    return np.where(tiles, shares, np.nan)
