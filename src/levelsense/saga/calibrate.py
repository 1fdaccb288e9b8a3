"""From a draft to a level: goals and limit such that a middling player succeeds as often as intended."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.registry import parse_agent
from levelsense.arithmetic import exp, log
from levelsense.draws import Draws
from levelsense.game.level import Level
from levelsense.game.state import WON
from levelsense.playtest.limits import LimitCurve, limit_curve, with_limit
from levelsense.playtest.stars import suggest_stars
from levelsense.saga.draft import SECONDS_A_MOVE, Draft

LEAST_MOVES, MOST_MOVES = 12, 35
_FAR: Final = 70  # moves: attempts to calibrate by go on to here
_SLOWEST: Final = 3.0  # no agent is taken to need more than so many times what the first one needs
_AGENTS: Final = ("heuristic", "greedy", "random")
# A middling player is a mixture of these agents, another one for each level.
_MIXTURE: Final = (4.0, 2.0, 1.5)
_NOISE: Final = 0.5  # of the intention, in log odds
_ROUGH, _FINE = 40, 120  # attempts of each agent
_STEPS: Final = 5
_NEAR: Final = 1.25  # a limit is near the one in mind within this factor
LEAST_WINS: Final = 3


@dataclass(frozen=True)
class Calibrated:
    """A level with its limit.

    wins   how many of the attempts of the heuristic agent were won
    miss   how far the limit is from the one that the intention asks for, as a logarithm
    """

    level: Level
    wins: int
    attempts: int
    miss: float


def calibrate(draft: Draft, intended: float, rng: Draws) -> Calibrated:
    """The draft with amounts and a limit that a middling player succeeds with about as often as intended.

    Goals grow or shrink until the limit is about the draft's own; then the limit is set.
    """
    target = _noisy(intended, rng)
    weights = rng.dirichlet(_MIXTURE)
    seeds = np.array([(rng.word(), rng.word()) for _ in range(_FINE)], np.uint64)
    effort = 1.0
    for _ in range(_STEPS):
        _, curves = _play(draft, effort, seeds[:_ROUGH])
        needed = _needed(curves, weights, target, draft)
        if 1 / _NEAR < needed / draft.moves < _NEAR:
            break
        effort = min(max(effort * min(max(draft.moves / needed, 0.4), 2.5), 0.02), 30.0)
    level, curves = _play(draft, effort, seeds)
    needed = _needed(curves, weights, target, draft)
    moves = min(max(needed, LEAST_MOVES), MOST_MOVES)
    limit = 5 * round(moves * SECONDS_A_MOVE / 5) if draft.timed else round(moves)
    return _finished(with_limit(level, limit), seeds, abs(log(needed / moves)))


def _noisy(intended: float, rng: Draws) -> float:
    odds = log(intended / (1 - intended)) + rng.normal(0, _NOISE)
    return 1 / (1 + exp(-odds))


def _play(draft: Draft, effort: float, seeds: NDArray[np.uint64]) -> tuple[Level, list[LimitCurve]]:
    """The draft at an effort, and the curve of each agent on it."""
    level = draft.level(effort, _FAR * (SECONDS_A_MOVE if draft.timed else 1))
    return level, [limit_curve(level, parse_agent(name).attempts(level, seeds)) for name in _AGENTS]


def _needed(curves: list[LimitCurve], weights: list[float], target: float, draft: Draft) -> float:
    """The moves that a middling player needs to succeed so often: the agents' own, their weighted mean."""
    first = _limit_at(curves[0], target)
    each = [min(_limit_at(curve, target), _SLOWEST * first) for curve in curves]
    total = 0.0
    for weight, needed in zip(weights, each, strict=True):
        total += weight * log(needed)
    limit = exp(total)
    return limit / SECONDS_A_MOVE if draft.timed else limit


def _limit_at(curve: LimitCurve, target: float) -> float:
    """The limit at which a curve gets to a rate, between whole limits too; twice the longest if never."""
    rates = curve.rates
    above = int(np.searchsorted(rates, target))
    if above == len(rates):
        return 2.0 * curve.longest
    before = rates[above - 1] if above else 0.0
    return above + float((target - before) / (rates[above] - before))


def _finished(level: Level, seeds: NDArray[np.uint64], miss: float) -> Calibrated:
    """The level with its stars, as the heuristic agent plays it."""
    rows = parse_agent("heuristic").attempts(level, seeds)
    stars = suggest_stars(level, rows)
    if stars is not None:
        level = Level.model_validate(
            {**level.model_dump(mode="json", by_alias=True, exclude_defaults=True), "stars": stars.scores}
        )
    return Calibrated(level, int((rows["status"] == WON).sum()), len(rows), miss)
