"""How lost attempts ended: goals that were not met, near misses, and where something was left."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levelsense.game.state import STRIDE
from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
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


def is_near_miss(attempts: Attempts) -> NDArray[np.bool_]:
    """Which attempts were near misses: lost, with at most 10 % left of each goal that was not met."""
    amounts = _goal_amounts(attempts.level)
    is_near: NDArray[np.bool_] = np.all(_missing(attempts) <= NEAR * amounts, axis=1)
    return ~attempts.won & is_near


def is_one_short(attempts: Attempts) -> NDArray[np.bool_]:
    """Which attempts were lost by one piece of one goal, though it is more than 10 % of the goal.

    A point of a score is no piece, and a goal of a single piece has then not been begun: these do not count.
    """
    amounts, missing = _goal_amounts(attempts.level), _missing(attempts)
    is_piece = np.array([name != "score" for name in attempts.level.asked]) & (amounts > 1)
    lacks_one: NDArray[np.bool_] = (missing.sum(axis=1) == 1) & ((missing == 1) & is_piece).any(axis=1)
    return ~attempts.won & lacks_one & ~is_near_miss(attempts)


def _goal_amounts(level: Level) -> NDArray[np.int64]:
    return np.array(list(level.asked.values()))


def _missing(attempts: Attempts) -> NDArray[np.int64]:
    """What was missing of each goal: a row an attempt, a column a goal."""
    return np.asarray(np.maximum(_goal_amounts(attempts.level) - attempts.goal_counts, 0))


def goal_figures(attempts: Attempts) -> tuple[GoalFigures, ...]:
    """How each goal went in the lost attempts; nothing if none was lost."""
    done = attempts.goal_shares[~attempts.won]
    if not len(done):
        return ()
    furthest = furthest_shares(done)
    return tuple(
        GoalFigures(
            name,
            asked,
            float((done[:, k] < 1).mean()),
            float(furthest[k]),
            quantiles(done[:, k], PROGRESS_QUANTILES),
        )
        for k, (name, asked) in enumerate(attempts.level.asked.items())
    )


def furthest_shares(done: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of lost attempts in which each goal was the furthest from done; equals share an attempt.

    `done` has a row for each lost attempt, at least one, and the share done of each goal in its columns.
    """
    is_furthest = (done < 1) & (done == done.min(axis=1, keepdims=True))
    shares = is_furthest / np.maximum(is_furthest.sum(axis=1, keepdims=True), 1)
    return np.array([share.mean() for share in shares.T])


def bottleneck(attempts: Attempts) -> str | None:
    """The goal that was most often furthest from done, the first of equals; None if no attempt was lost."""
    done = attempts.goal_shares[~attempts.won]
    return list(attempts.level.asked)[int(furthest_shares(done).argmax())] if len(done) else None


KINDS = {"jelly": "left_jelly", "blockers": "left_blocker", "ingredients": "left_ingredient"}  # their columns


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


def heat_maps(attempts: Attempts) -> tuple[HeatMap, ...]:
    """A map for each kind of which any lost attempt left something."""
    lost = len(attempts) - attempts.wins
    maps = (
        HeatMap(kind, lost, _shares(attempts.level, attempts.boards_left(column)))
        for kind, column in KINDS.items()
    )
    return tuple(heat for heat in maps if np.nanmax(heat.shares) > 0)


def _shares(level: Level, left: NDArray[np.bool_]) -> NDArray[np.float64]:
    board = left.reshape(-1, STRIDE, STRIDE)[:, : level.rows, : level.columns]
    shares = board.sum(axis=0) / max(len(board), 1)
    tiles = np.array([cell.tile for cell in level.cells]).reshape(level.rows, level.columns)
    return np.where(tiles, shares, np.nan)
