"""Skill: how much better the strong agent does than the weak one."""

from dataclasses import dataclass
from math import exp, log, sqrt

from levelsense.playtest.estimate import Estimate
from levelsense.playtest.interval import NORMAL_95, wilson


@dataclass(frozen=True)
class Skill:
    """What better play brings on a level.

    gain  the strong agent's success rate minus the weak one's
    odds  how many times better its odds of success are
    """

    gain: Estimate
    odds: Estimate


def skill(weak_wins: int, weak_attempts: int, strong_wins: int, strong_attempts: int) -> Skill | None:
    """Skill with 95 % intervals; None if one of the two made no attempt.

    The gain has Newcombe's interval (Statistics in Medicine 17, 1998, method 10), built from Wilson's. The
    odds ratio adds a half to each of the four counts (Haldane, Anscombe), so that it exists when an agent
    always or never wins, and its interval is the normal one of its logarithm.
    """
    if not weak_attempts or not strong_attempts:
        return None
    return Skill(
        _gain(weak_wins, weak_attempts, strong_wins, strong_attempts),
        _odds(weak_wins, weak_attempts, strong_wins, strong_attempts),
    )


def _gain(weak_wins: int, weak_attempts: int, strong_wins: int, strong_attempts: int) -> Estimate:
    weak, strong = weak_wins / weak_attempts, strong_wins / strong_attempts
    weak_low, weak_high = wilson(weak_wins, weak_attempts)
    strong_low, strong_high = wilson(strong_wins, strong_attempts)
    gain = strong - weak
    return Estimate(
        gain,
        gain - sqrt((strong - strong_low) ** 2 + (weak_high - weak) ** 2),
        gain + sqrt((strong_high - strong) ** 2 + (weak - weak_low) ** 2),
    )


def _odds(weak_wins: int, weak_attempts: int, strong_wins: int, strong_attempts: int) -> Estimate:
    counts = [
        count + 0.5
        for count in (strong_wins, strong_attempts - strong_wins, weak_wins, weak_attempts - weak_wins)
    ]
    center = log(counts[0] / counts[1]) - log(counts[2] / counts[3])
    half = NORMAL_95 * sqrt(sum(1 / count for count in counts))
    return Estimate(exp(center), exp(center - half), exp(center + half))
