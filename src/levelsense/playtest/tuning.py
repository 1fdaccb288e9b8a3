"""The limit that gives a target success rate: one batch played past the limit, then checks at it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.arithmetic import exp, log
from levelsense.errors import PlaytestError
from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.figures import play_seeds
from levelsense.playtest.limits import (
    Check,
    LimitCurve,
    find_limit,
    limit_curve,
    limit_of,
    longest_limit,
    past_limit,
    watches_limit,
    with_limit,
)
from levelsense.playtest.plan import AgentLike, attempt_seeds, check_target
from levelsense.playtest.runner import check_asked
from levelsense.playtest.statistics import endings

MOST_CHECKS: Final = 6
# A longer limit is of no use to a level, and agents that simulate to its end would take hours.
MOST_TIMES, LEAST_REACH = 4, 100
LEAST_ATTEMPTS: Final = 20
Note = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Tuning:
    """The limit for a target, and what it was read from.

    curve       success rate by limit, from attempts played past the limit; None if the agent watches it
    checks      what was played with limits that were found, the nearest to the target last; none if it is
                out of reach
    low, high   the limits that the target may belong to as well, by their intervals: any limits, or of those
                played if the agent watches the limit; high is None if there may be longer ones
    attempts    how many each limit was played with
    reached     what was played with the longest limit
    endings     how many attempts with the longest limit ended for each reason
    is_settled  whether no limit is left that could be nearer to the target, rather than no check
    """

    level: Level
    agent: str
    target: float
    curve: LimitCurve | None
    checks: tuple[Check, ...]
    low: int
    high: int | None
    attempts: int
    reached: Check
    endings: dict[str, int]
    is_settled: bool = True

    @property
    def best(self) -> Check | None:
        """What was played with the limit to take; None if the target is out of reach."""
        return self.checks[-1] if self.checks else None

    @property
    def tuned(self) -> Level | None:
        """The level with that limit."""
        return None if self.best is None else with_limit(self.level, self.best.limit)


def tune(
    level: Level,
    agent: AgentLike,
    target: float,
    attempts: int = 1000,
    seed: int = 0,
    threads: int | None = None,
    note: Note = lambda sentence: None,
) -> Tuning:
    """Finds the limit with which an agent's success rate is nearest to a target between 0 and 1.

    A batch is played with twice the limit, and if the target is not reached and could be, again with four
    times the limit, or 100 if that is more. Then the limit found is played itself, by the same seeds. An
    agent that watches the limit plays otherwise there; other limits are then played, MOST_CHECKS at most,
    until none that could be nearer to the target is left. `note` is called with what is being done.
    """
    _check_request(target, attempts, seed, threads)
    seeds = attempt_seeds(level.digest, agent.spec, seed, 0, attempts)
    past = _play_past(level, agent, target, seeds, threads, note)
    curve = limit_curve(past)
    checks: list[Check] = []
    watches = False
    limit = next_limit(curve, checks, target)
    while limit is not None and len(checks) < MOST_CHECKS:
        note(f"playing {attempts:,} attempts with {limit} {curve.unit} ...")
        played = play_seeds(agent, with_limit(level, limit), seeds, threads)
        checks.append(Check(limit, played.wins, attempts))
        watches = watches or watches_limit(played, past)
        limit = next_limit(curve, checks, target) if watches else None
    checks.sort(key=lambda check: -abs(check.rate - target))
    low, high = _fitting_checks(checks, target) if watches else _fitting_limits(curve, target)
    return Tuning(
        level,
        agent.spec,
        target,
        None if watches else curve,
        tuple(checks),
        low,
        high,
        attempts,
        Check(curve.longest, int(curve.wins[-1]), attempts),
        endings(past),
        is_settled=limit is None,
    )


def next_limit(curve: LimitCurve, checks: Sequence[Check], target: float) -> int | None:
    """The limit to play next, for an agent that watches the limit: one that could be nearer to the target.

    That is one between two that lie on both sides of the target. Until there are such, it is where the curve
    points if it is off everywhere as it was at the last limit, or the next limit on the side that is missing.
    None if there is none left, or if the target is out of reach.
    """
    if any(check.rate == target for check in checks):
        return None
    above = min((check for check in checks if check.rate > target), key=_limit, default=None)
    shorter = [check for check in checks if above is None or check.limit < above.limit]
    below = max(shorter, key=_limit, default=None)
    if below and above:
        return _halfway(below, above, target)
    nearest_check = above or below
    nearest = find_limit(curve, moved_target(curve, nearest_check, target) if nearest_check else target)
    if nearest_check is None:
        return nearest.limit if nearest else None
    if nearest and (nearest.limit < nearest_check.limit if above else nearest.limit > nearest_check.limit):
        return nearest.limit
    neighbor = nearest_check.limit - 1 if above else nearest_check.limit + 1
    return neighbor if 1 <= neighbor <= curve.longest else None


def _limit(check: Check) -> int:
    return check.limit


def _halfway(below: Check, above: Check, target: float) -> int | None:
    """A limit between two whose rates lie on both sides of the target; None if they are neighbors."""
    if above.limit - below.limit == 1:
        return None
    share = (target - below.rate) / (above.rate - below.rate)
    between = round(below.limit + share * (above.limit - below.limit))
    return min(max(between, below.limit + 1), above.limit - 1)


def _fitting_limits(curve: LimitCurve, target: float) -> tuple[int, int | None]:
    """The limits that the target may belong to, by the curve."""
    nearest = find_limit(curve, target)
    return (nearest.low, nearest.high) if nearest else (curve.longest, None)


def _fitting_checks(checks: Sequence[Check], target: float) -> tuple[int, int]:
    """The limits that the target may belong to, of those that were played; the nearest is among them."""
    fitting = [
        check.limit for check in checks if check.success.low <= target <= (check.success.high or 1.0)
    ] + [checks[-1].limit]
    return min(fitting), max(fitting)


def moved_target(curve: LimitCurve, check: Check, target: float) -> float:
    """What the curve must show for the target to be met, if it is off everywhere as where it was checked."""
    on_curve = Check(check.limit, int(curve.wins[check.limit - 1]), curve.attempts)
    return 1 / (1 + exp(check.log_odds - on_curve.log_odds - log(target / (1 - target))))


def longest_to_tune(level: Level) -> int:
    """The longest limit that is looked at: four times the present one, or 100 if that is more."""
    return min(max(MOST_TIMES * int(limit_of(level)[0]), LEAST_REACH), longest_limit(level))


def _check_request(target: float, attempts: int, seed: int, threads: int | None) -> None:
    check_target(target)
    if attempts < LEAST_ATTEMPTS:
        raise PlaytestError(f"attempts: {attempts}; expected at least {LEAST_ATTEMPTS}")
    check_asked(attempts, seed, threads)


def _play_past(
    level: Level,
    agent: AgentLike,
    target: float,
    seeds: NDArray[np.uint64],
    threads: int | None,
    note: Note,
) -> Attempts:
    """Attempts at the level with a limit that goes far enough."""
    most = longest_to_tune(level)
    limit = min(2 * int(limit_of(level)[0]), most)
    while True:
        note(f"playing {len(seeds):,} attempts with up to {limit} {limit_of(level)[1]} ...")
        past = play_seeds(agent, past_limit(level, limit), seeds, threads)
        reasons, wanted = endings(past), target * len(past)
        ran_out = reasons.get("moves", 0) + reasons.get("time", 0)
        if past.wins >= wanted or limit == most or past.wins + ran_out < wanted:
            return past
        limit = most
