"""Every figure of an agent's attempts at a level, and the star scores that they suggest."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import PlaytestError
from levelsense.game.state import REASON_NAMES
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
from levelsense.playtest.losses import (
    GoalFigures,
    HeatMap,
    bottleneck,
    goal_figures,
    heat_maps,
    is_near_miss,
    is_one_short,
)

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
