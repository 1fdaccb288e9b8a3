"""The limit that gives a target success rate: one batch played past the limit, then checks at it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any, Final

from levelsense.errors import PlaytestError
from levelsense.game.level import Level
from levelsense.game.state import WON
from levelsense.playtest.batches import play_seeds
from levelsense.playtest.estimate import Estimate, rate_estimate
from levelsense.playtest.limits import (
    LimitCurve,
    find_limit,
    limit_curve,
    limit_of,
    longest_limit,
    moved_curve,
    off_by,
    past_limit,
    with_limit,
)
from levelsense.playtest.plan import Player
from levelsense.playtest.runner import check_asked
from levelsense.playtest.seeds import attempt_seeds
from levelsense.playtest.statistics import endings

MOST_CHECKS: Final = 6
# Further than this nobody would go to tune a level, and agents that think to the end would think for hours.
MOST_TIMES, LEAST_REACH = 4, 100
LEAST_ATTEMPTS: Final = 20
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Check:
    """How the agent did when it played with a limit, rather than past it."""

    limit: int
    wins: int
    attempts: int

    @property
    def rate(self) -> float:
        """The success rate."""
        return self.wins / self.attempts

    @property
    def success(self) -> Estimate:
        """The success rate with its interval."""
        return rate_estimate(self.wins, self.attempts)


@dataclass(frozen=True, eq=False)
class Tuning:
    """What was found for a target.

    curve      success rate by limit, from attempts played past the limit
    checks     what was played with limits that were found, the nearest to the target last; none if it is
               out of reach
    low, high  the limits that the target may belong to as well, by the curve's intervals; high is None if
               there may be longer ones than the curve covers
    endings    how many attempts of the curve's batch ended for each reason
    """

    level: Level
    agent: str
    target: float
    curve: LimitCurve
    checks: tuple[Check, ...]
    low: int
    high: int | None
    endings: dict[str, int]

    @property
    def best(self) -> Check | None:
        """What was played with the limit to take; None if the target is out of reach."""
        return self.checks[-1] if self.checks else None

    @property
    def tuned(self) -> Level | None:
        """The level with that limit."""
        return None if self.best is None else with_limit(self.level, self.best.limit)

    @property
    def fitted(self) -> LimitCurve:
        """The curve, moved in log odds so that it passes through what was played with the limit to take."""
        best = self.best
        return moved_curve(self.curve, best.limit, best.wins, best.attempts) if best else self.curve

    @property
    def is_exact(self) -> bool:
        """Whether playing with a limit gave just what the curve says, as when the agent never looks at it."""
        return all(check.wins == self.curve.wins[check.limit - 1] for check in self.checks)


def tune(
    level: Level,
    agent: Player,
    target: float,
    attempts: int = 1000,
    seed: int = 0,
    threads: int | None = None,
    tell: Tell = lambda sentence: None,
) -> Tuning:
    """Finds the limit with which an agent's success rate is nearest to a target between 0 and 1.

    A batch is played with twice the limit, and if the target is not reached and could be, again with four
    times the limit, or 100 if that is more. Then the limit found is played itself, by the same seeds. An
    agent that looks at what is left plays otherwise there; other limits are then played, MOST_CHECKS at most,
    until none that could be nearer to the target is left. `tell` is told what is being done.
    """
    _check_request(target, attempts, seed, threads)
    seeds = attempt_seeds(level.digest, agent.spec, seed, 0, attempts)
    curve, ended = _curve(level, agent, target, seeds, threads, tell)
    checks: list[Check] = []
    while len(checks) < MOST_CHECKS and (limit := next_limit(curve, checks, target)) is not None:
        tell(f"playing {attempts:,} attempts with {limit} {curve.unit} ...")
        rows = play_seeds(agent, with_limit(level, limit), seeds, threads)
        checks.append(Check(limit, int((rows["status"] == WON).sum()), attempts))
    checks.sort(key=lambda check: -abs(check.rate - target))
    low, high = _range(curve, checks[-1], target) if checks else (curve.longest, None)
    return Tuning(level, agent.spec, target, curve, tuple(checks), low, high, ended)


def next_limit(curve: LimitCurve, checks: Sequence[Check], target: float) -> int | None:
    """The limit to play next: between two that lie on both sides of the target, or where the curve points.

    None if that has been played, or if the target is out of reach.
    """
    below = max((check for check in checks if check.rate < target), key=_limit, default=None)
    above = min((check for check in checks if check.rate >= target), key=_limit, default=None)
    if below and above and below.limit < above.limit:
        share = (target - below.rate) / (above.rate - below.rate)
        between = round(below.limit + share * (above.limit - below.limit))
        return min(max(between, below.limit + 1), above.limit - 1) if above.limit - below.limit > 1 else None
    found = find_limit(curve, moved_target(curve, checks[-1], target) if checks else target)
    if found is None or found.limit in {check.limit for check in checks}:
        return None
    return found.limit


def _limit(check: Check) -> int:
    return check.limit


def _range(curve: LimitCurve, best: Check, target: float) -> tuple[int, int | None]:
    """The limits that the target may belong to, with the one that was taken among them."""
    found = find_limit(curve, moved_target(curve, best, target))
    if found is None:
        return best.limit, None
    return min(found.low, best.limit), None if found.high is None else max(found.high, best.limit)


def moved_target(curve: LimitCurve, check: Check, target: float) -> float:
    """What the curve must show for the target to be met, if it is off everywhere as where it was checked."""
    off = off_by(curve, check.limit, check.wins, check.attempts)
    return 1 / (1 + exp(off - log(target / (1 - target))))


def _check_request(target: float, attempts: int, seed: int, threads: int | None) -> None:
    if not 0 < target < 1:
        raise PlaytestError(f"target: {target:g}; expected a success rate between 0 and 1, such as 0.35")
    if attempts < LEAST_ATTEMPTS:
        raise PlaytestError(f"attempts: {attempts}; expected at least {LEAST_ATTEMPTS}")
    check_asked(attempts, seed, threads)


def _curve(
    level: Level, agent: Player, target: float, seeds: Any, threads: int | None, tell: Tell
) -> tuple[LimitCurve, dict[str, int]]:
    """The curve from a batch that goes far enough past the limit, and how its attempts ended."""
    now = int(limit_of(level)[0])
    most = min(max(MOST_TIMES * now, LEAST_REACH), longest_limit(level))
    limit = min(2 * now, most)
    while True:
        longer = past_limit(level, limit)
        tell(f"playing {len(seeds):,} attempts with up to {limit} {limit_of(level)[1]} ...")
        rows = play_seeds(agent, longer, seeds, threads)
        curve = limit_curve(longer, rows)
        ended = endings(rows)
        ran_out = ended.get("moves", 0) + ended.get("time", 0)
        if curve.rates[-1] >= target or limit == most or curve.wins[-1] + ran_out < target * len(rows):
            return curve, ended
        limit = most
