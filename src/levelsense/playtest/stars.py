"""Star scores that part the winners as a designer would: nearly all, half, and the best."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from levelsense.game.level import Level
from levelsense.game.state import WON
from levelsense.playtest.estimate import Estimate, quantile_interval, quantiles

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


def suggest_stars(level: Level, rows: Any) -> StarScores | None:
    """Star scores that 90, 50 and 10 % of the won attempts reach; None below LEAST_WINS of them."""
    scores = rows["score"][rows["status"] == WON]
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


def _reached(scores: Any, stars: tuple[int, ...]) -> tuple[float, ...]:
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
