"""The saga itself, level by level: a draft calibrated to the intended success rate of a middling player."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.advice import advise
from levelsense.agents.registry import parse_agent
from levelsense.arithmetic import exp, log
from levelsense.errors import LevelError, SagaError
from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.limits import LimitCurve, limit_curve, with_limit
from levelsense.playtest.plan import check_seed
from levelsense.playtest.runner import default_threads
from levelsense.playtest.statistics import suggest_stars
from levelsense.rng import Draws
from levelsense.saga.compose import draft
from levelsense.saga.draft import SECONDS_A_MOVE, Draft
from levelsense.saga.schedule import elements_in, intention, introduced_at

LEAST_MOVES, MOST_MOVES = 12, 35
_FAR: Final = 70  # moves: attempts to calibrate by go on to here
_SLOWEST: Final = 3.0  # no agent is taken to need more than so many times what the first one needs
_AGENTS: Final = ("heuristic", "greedy", "random")
# A middling player is modeled as a mixture of these agents, a different one for each level.
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
    """The draft with amounts and a limit that give about the intended success rate of a middling player.

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
    return level, [limit_curve(_attempts(name, level, seeds)) for name in _AGENTS]


def _attempts(agent: str, level: Level, seeds: NDArray[np.uint64]) -> Attempts:
    return Attempts.from_records(level, 0, parse_agent(agent).attempts(level, seeds))


def _needed(curves: list[LimitCurve], weights: list[float], target: float, draft: Draft) -> float:
    """The moves that a middling player needs for a success rate: the agents' weighted geometric mean."""
    first = _limit_at(curves[0], target)
    limits = [min(_limit_at(curve, target), _SLOWEST * first) for curve in curves]
    total = 0.0
    for weight, needed in zip(weights, limits, strict=True):
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
    attempts = _attempts("heuristic", level, seeds)
    stars = suggest_stars(attempts)
    if stars is not None:
        level = Level.model_validate(
            {**level.model_dump(mode="json", by_alias=True, exclude_defaults=True), "stars": stars.scores}
        )
    return Calibrated(level, attempts.wins, len(attempts), miss)


MOST_LEVELS: Final = 9999
_DRAFTS: Final = 12
_GOOD: Final = log(1.15)  # the miss of a limit that is taken at once


@dataclass(frozen=True)
class SagaLevel:
    """A level of the saga.

    intended  the success rate it is meant to have
    shape     the family of its shape
    wins      how many of its attempts the heuristic agent won
    drafts    how many drafts were drawn
    miss      how far its limit is from the one that the intention asks for, as a logarithm
    """

    number: int
    level: Level
    intended: float
    shape: str
    wins: int
    attempts: int
    drafts: int
    miss: float = 0.0

    @property
    def elements(self) -> tuple[str, ...]:
        """The elements of the schedule that it has."""
        return elements_in(self.level)

    @property
    def file_name(self) -> str:
        """The name of its file."""
        return file_name(self.number)


def file_name(number: int) -> str:
    """The name of a level's file: names sort as numbers do."""
    return f"saga-{number:04}.json"


def saga_level(seed: int, number: int) -> SagaLevel:
    """Level `number` of the saga with a seed; it depends on these two only."""
    best: SagaLevel | None = None
    for candidate in saga_candidates(seed, number, intention(seed, number)):
        if best is None or candidate.miss < best.miss:
            best = candidate
        if best.miss <= _GOOD:
            return replace(best, drafts=candidate.drafts)
    if best is None:
        raise SagaError(f"level {number} of the saga with seed {seed}: no draft of {_DRAFTS} can be won")
    return replace(best, drafts=_DRAFTS)


def saga_candidates(seed: int, number: int, intended: float) -> Iterator[SagaLevel]:
    """Drafts of a level of the saga that can be won, each calibrated to about an intended success rate."""
    for again in range(_DRAFTS):
        tried = _tried(seed, number, again, intended)
        if tried is not None:
            done, drawn = tried
            yield SagaLevel(
                number,
                done.level,
                intended,
                drawn.shape.family,
                done.wins,
                done.attempts,
                again + 1,
                done.miss,
            )


def _tried(seed: int, number: int, again: int, intended: float) -> tuple[Calibrated, Draft] | None:
    """A calibrated draft; None if the level is unsuitable."""
    drawn = draft(seed, number, again)
    try:
        if not is_sound(drawn.level()):
            return None
        done = calibrate(drawn, intended, Draws("calibration", seed, number, again))
    except LevelError:
        return None
    new = introduced_at(number)
    if done.wins < LEAST_WINS or not is_sound(done.level) or (new and not new.is_in(done.level)):
        return None
    return done, drawn


def is_sound(level: Level) -> bool:
    """Whether a level has no errors and no warnings."""
    return all(advice.severity == "note" for advice in advise(level))


def generate(
    seed: int,
    count: int,
    first: int = 1,
    threads: int | None = None,
    progress: Callable[[SagaLevel], None] = lambda level: None,
) -> Iterator[SagaLevel]:
    """Levels first, first + 1, ... of the saga with a seed; SagaError if they cannot be had."""
    check_request(seed, count, first)
    pool = ThreadPoolExecutor(threads or default_threads())
    try:
        for level in pool.map(lambda number: saga_level(seed, number), range(first, first + count)):
            progress(level)
            yield level
    finally:
        pool.shutdown(cancel_futures=True)


def check_request(seed: int, count: int, first: int) -> None:
    """SagaError unless the seed and the numbers of levels are in range."""
    check_seed(seed, error=SagaError)
    if count < 1:
        raise SagaError(f"count: {count}; expected at least 1")
    if first < 1:
        raise SagaError(f"first: {first}; expected at least 1, the first level of the saga")
    if first + count - 1 > MOST_LEVELS:
        raise SagaError(f"levels {first} to {first + count - 1}; expected none above {MOST_LEVELS}")
