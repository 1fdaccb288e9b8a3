"""Skill: how much better the strong agent does; luck: how much the board's seed decides."""

from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

from levelsense.playtest.attempts import Attempts
from levelsense.playtest.estimate import Estimate
from levelsense.playtest.interval import NORMAL_95, wilson
from levelsense.playtest.plan import attempt_seeds


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


LEAST_BOARDS, LEAST_REPEATS = 10, 2
# With fewer attempts won or lost, intervals hold what they promise too seldom (measured by simulation).
LEAST_OF_EACH = 20
SAME_PLAY, ONE_SIDED = "the agent plays a board the same way each time", "too few attempts were won or lost"


@dataclass(frozen=True)
class Luck:
    """The share of the variance of success that lies between boards, not between attempts at one board.

    0: every board is as good as any other. 1: the board decides. `share` is None where it cannot be told, and
    `why` then says the reason.
    """

    boards: int
    repeats: int
    share: Estimate | None
    why: str | None = None


def luck_seeds(
    level_digest: str, agent_spec: str, run_seed: int, boards: int, repeats: int
) -> NDArray[np.uint64]:
    """Seeds for `boards` boards that are each attempted `repeats` times, board by board.

    The first of a pair, the game's, is the same for all attempts at a board; the agent's always differs.
    """
    seeds = attempt_seeds(level_digest, f"{agent_spec} luck", run_seed, 0, boards * repeats)
    seeds[:, 0] = np.repeat(seeds[::repeats, 0], repeats)
    return seeds


def luck(attempts: Attempts, repeats: int) -> Luck:
    """Luck from attempts that luck_seeds started, with a 95 % interval.

    The variances within and between boards are the unbiased ones of a one-way analysis of variance; the share
    may come out a little below 0 where there is no luck. The interval is the jackknife's over boards.
    """
    wins = attempts.won.reshape(-1, repeats)
    boards = len(wins)
    if boards < LEAST_BOARDS or repeats < LEAST_REPEATS:
        raise ValueError(
            f"{boards} boards x {repeats}; expected at least {LEAST_BOARDS} boards x {LEAST_REPEATS} repeats"
        )
    if _plays_the_same(attempts, repeats):
        return Luck(boards, repeats, None, SAME_PLAY)
    if min(wins.sum(), wins.size - wins.sum()) < LEAST_OF_EACH:
        return Luck(boards, repeats, None, ONE_SIDED)
    return Luck(boards, repeats, _jackknife(wins.sum(axis=1), repeats))


def _plays_the_same(attempts: Attempts, repeats: int) -> bool:
    """Whether all attempts at a board went the same way to the last point, on every board."""
    score = attempts.score.reshape(-1, repeats)
    moves = attempts.moves_made.reshape(-1, repeats)
    return bool((score == score[:, :1]).all() and (moves == moves[:, :1]).all())


def variances(wins: NDArray[np.int64], repeats: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Unbiased variances of success between and within boards, from each board's wins (the last axis)."""
    boards = wins.shape[-1]
    rates = wins / repeats
    within = (wins * (1 - rates)).sum(axis=-1) / (boards * (repeats - 1))
    of_means = rates.var(axis=-1, ddof=1)
    return of_means - within / repeats, within


def _jackknife(wins: NDArray[np.int64], repeats: int) -> Estimate:
    from scipy.stats import t

    boards = len(wins)
    others = np.broadcast_to(wins, (boards, boards))[~np.eye(boards, dtype=bool)].reshape(boards, -1)
    share, without = _share(wins, repeats), _share(others, repeats)
    half = t.ppf(0.975, boards - 1) * np.sqrt((boards - 1) * without.var())
    low, high = np.clip((share - half, share + half), 0.0, 1.0)
    return Estimate(float(share), float(low), float(high))


def _share(wins: NDArray[np.int64], repeats: int) -> NDArray[np.float64]:
    between, within = variances(wins, repeats)
    total = np.asarray(between + within)
    # Without one board all attempts may have ended alike: nothing varies, and nothing is luck.
    return np.divide(between, total, out=np.zeros_like(total), where=total > 0)
