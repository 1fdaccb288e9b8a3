"""Every figure of an agent's attempts at a level: how they ended, what was left, the stars they suggest."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import PlaytestError
from levelsense.game.state import REASON_NAMES, STRIDE
from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.estimate import (
    AttemptsNeeded,
    Estimate,
    Spread,
    attempts_needed,
    quantile_interval,
    quantiles,
    rate_estimate,
    spread_of,
)
from levelsense.playtest.limits import LimitCurve, limit_curve, limit_of

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


# The share of won attempts that earns at least one, two and three stars.
STAR_SHARES = (0.90, 0.50, 0.10)
LEAST_WINS = 20


@dataclass(frozen=True)
class StarScores:
    """Suggested star scores.

    scores     three, ascending, rounded to two digits
    exact      the quantiles they are rounded from, with their intervals
    reached    the share of won attempts that earns each of them
    now        the share of won attempts that earns each of the level's present stars; None if it has none
    """

    scores: tuple[int, int, int]
    exact: tuple[Estimate, ...]
    reached: tuple[float, ...]
    now: tuple[float, ...] | None


def suggest_stars(attempts: Attempts) -> StarScores | None:
    """Star scores that 90, 50 and 10 % of the won attempts reach; None below LEAST_WINS of them."""
    level, scores = attempts.level, attempts.score[attempts.won]
    if len(scores) < LEAST_WINS:
        return None
    exact = [quantiles(-scores, (share,))[0] for share in STAR_SHARES]
    suggested = _ascending([-score for score in exact], level.asked.get("score", 1))
    return StarScores(
        suggested,
        tuple(
            Estimate(-score, *quantile_interval(scores, 1 - share))
            for score, share in zip(exact, STAR_SHARES, strict=True)
        ),
        _reached(scores, suggested),
        _reached(scores, level.stars) if level.stars else None,
    )


def _reached(scores: NDArray[np.int64], stars: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(float(np.mean(scores >= star)) for star in stars)


def _ascending(exact: list[float], least: int) -> tuple[int, int, int]:
    """Scores rounded to two digits, or as they are if rounding makes two equal; none below the score goal."""
    rounded = [round_to_two_digits(score) for score in exact]
    if not rounded[0] < rounded[1] < rounded[2]:
        rounded = [int(score) for score in exact]
    first = max(rounded[0], least, 1)
    second = max(rounded[1], first + 1)
    return first, second, max(rounded[2], second + 1)


def round_to_two_digits(number: float) -> int:
    """A number that is easy to read: 45,873 becomes 46,000."""
    if number < 10:
        return round(number)
    whole = round(number)
    return round(whole, 2 - len(str(whole)))


# From fewer won or lost attempts no picture is drawn, and none counts as typical of a level.
ENOUGH: Final = 10


@dataclass(frozen=True)
class Shuffles:
    """How often no legal move was left, so that the candies were shuffled.

    mean      shuffles an attempt
    attempts  the share of attempts with at least one
    """

    mean: float
    attempts: float


@dataclass(frozen=True, eq=False)
class LevelStatistics:
    """How an agent did on a level; docs/statistics.md defines each figure.

    left         moves or seconds left in won attempts (`unit`); None if none was won
    endings      how many attempts ended for each reason, the most frequent first
    near_misses  the share of lost attempts that were near misses
    one_short    the share of lost attempts that lacked one piece, though more than a near miss may lack
    goals        how each goal went in lost attempts
    bottleneck   the name of the goal that was most often the furthest from done
    heat         where something was left in lost attempts
    score        scores of won attempts; None if none was won
    stars        suggested star scores; None if too few attempts were won
    curve        the share of attempts won within so many moves or seconds, up to the level's limit
    legal_moves  how many moves there were to choose from, on average over positions; None if no move was made
    """

    unit: str
    attempts: int
    wins: int
    success: Estimate
    needed: AttemptsNeeded
    left: Spread | None
    endings: dict[str, int]
    near_misses: Estimate
    one_short: Estimate
    goals: tuple[GoalFigures, ...]
    bottleneck: str | None
    heat: tuple[HeatMap, ...]
    shuffles: Shuffles
    score: Spread | None
    stars: StarScores | None
    curve: LimitCurve
    legal_moves: float | None

    @property
    def lost(self) -> int:
        """How many attempts were lost."""
        return self.attempts - self.wins


def level_statistics(attempts: Attempts) -> LevelStatistics:
    """Every figure from an agent's attempts at a level; PlaytestError if there are none."""
    if not len(attempts):
        raise PlaytestError("no attempts: statistics need at least one")
    wins, lost = attempts.wins, len(attempts) - attempts.wins
    return LevelStatistics(
        unit=limit_of(attempts.level)[1],
        attempts=len(attempts),
        wins=wins,
        success=rate_estimate(wins, len(attempts)),
        needed=attempts_needed(wins, len(attempts)),
        left=spread_of(attempts.limit_left[attempts.won]),
        endings=endings(attempts),
        near_misses=rate_estimate(int(is_near_miss(attempts).sum()), lost),
        one_short=rate_estimate(int(is_one_short(attempts).sum()), lost),
        goals=goal_figures(attempts),
        bottleneck=bottleneck(attempts),
        heat=heat_maps(attempts),
        shuffles=Shuffles(float(attempts.shuffles.mean()), float((attempts.shuffles > 0).mean())),
        score=spread_of(attempts.score[attempts.won]),
        stars=suggest_stars(attempts),
        curve=limit_curve(attempts),
        legal_moves=_legal_moves(attempts),
    )


def endings(attempts: Attempts) -> dict[str, int]:
    """How many attempts ended for each reason, the most frequent first; equals in the order of the rules."""
    counts = Counter(attempts.frame["reason"])
    by_rules = {str(reason): counts[reason] for reason in REASON_NAMES if reason in counts}
    return dict(sorted(by_rules.items(), key=lambda item: -item[1]))


def _legal_moves(attempts: Attempts) -> float | None:
    moves = int(attempts.moves_made.sum())
    return float(attempts.legal_moves.sum() / moves) if moves else None
