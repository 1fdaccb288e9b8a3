"""Success rate as a function of the limit: read off attempts past it, or played limit by limit."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.arithmetic import exp, log
from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.estimate import Estimate, rate_estimate
from levelsense.playtest.interval import wilson

MOST_MOVES: Final = 999
MOST_SECONDS: Final = 3600


@dataclass(frozen=True, eq=False)
class LimitCurve:
    """How many of a batch's attempts are won with each limit: wins[k] with a limit of k + 1.

    unit      moves or seconds
    attempts  how many attempts the batch has
    """

    unit: str
    attempts: int
    wins: NDArray[np.int64]

    @property
    def longest(self) -> int:
        """The longest limit that the curve covers."""
        return len(self.wins)

    @property
    def limits(self) -> NDArray[np.int64]:
        """The limits: 1, 2, ... up to the longest."""
        return np.arange(1, self.longest + 1)

    @property
    def rates(self) -> NDArray[np.float64]:
        """The success rate with each limit."""
        return self.wins / self.attempts

    @cached_property
    def band(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The ends of Wilson's 95 % interval of each rate; of each by itself, not of all at once."""
        ends = {int(wins): wilson(int(wins), self.attempts) for wins in np.unique(self.wins)}
        low, high = np.array([ends[int(wins)] for wins in self.wins]).reshape(-1, 2).T
        return low, high

    def at(self, limit: int) -> tuple[float, float, float]:
        """The success rate with a limit and the ends of its interval."""
        low, high = self.band
        k = limit - 1
        return float(self.rates[k]), float(low[k]), float(high[k])


@dataclass(frozen=True)
class NearestLimit:
    """The limit whose success rate is nearest to a target.

    rate, rate_low, rate_high  that limit's success rate and its interval
    low, high                  the limits whose own intervals hold the target; high is None if there may be
                               longer ones than the curve covers
    """

    target: float
    limit: int
    rate: float
    rate_low: float
    rate_high: float
    low: int
    high: int | None


def limit_of(level: Level) -> tuple[float, str]:
    """A level's limit and its unit, moves or seconds."""
    return (level.moves, "moves") if level.moves is not None else (level.seconds or 0, "seconds")


def longest_limit(level: Level) -> int:
    """The longest limit that a level of this kind may have."""
    return MOST_MOVES if level.moves is not None else MOST_SECONDS


def with_limit(level: Level, limit: int) -> Level:
    """The same level with another limit."""
    return level.model_copy(update={"moves": limit} if level.moves is not None else {"seconds": float(limit)})


def past_limit(level: Level, limit: int) -> Level:
    """A level to play past its limit.

    It has no bonus: how remaining moves go off changes no win, and would take long where many remain.
    """
    return with_limit(level, limit).model_copy(update={"bonus": False})


def limit_curve(attempts: Attempts) -> LimitCurve:
    """The curve up to the limit of the level that the attempts were made on.

    An attempt that was won with so many moves is won with any limit from there on; one that was won in time
    is won with any limit that leaves time before each of its moves. That is exact for agents that do not
    watch the limit, and only for them: of others it says how many attempts were won within so many moves.
    """
    limit, unit = limit_of(attempts.level)
    needed = attempts.moves_made if unit == "moves" else _time_taken(attempts) // 1000 + 1
    # Of 12.5 seconds, the curve covers 12: what was won in the last half second is won with none of these.
    longest = int(limit)
    at_each = np.bincount(needed[attempts.won], minlength=longest + 1)[: longest + 1]
    return LimitCurve(unit, len(attempts), np.cumsum(at_each[1:]))


def is_won_within(attempts: Attempts, limit: float) -> NDArray[np.bool_]:
    """Which attempts were won within a limit, of moves or seconds, that is no longer than their level's."""
    if attempts.level.moves is not None:
        return attempts.won & (attempts.moves_made <= limit)
    return attempts.won & (_time_taken(attempts) < 1000 * limit)


def _time_taken(attempts: Attempts) -> NDArray[np.int64]:
    """How many milliseconds a limit has to exceed so that none of an attempt's moves comes too late."""
    return round(1000 * (attempts.level.seconds or 0)) - attempts.least_time


def find_limit(curve: LimitCurve, target: float) -> NearestLimit | None:
    """The limit whose success rate is nearest to a target, the shorter of equals.

    None if the target lies above the interval of the longest limit: it is not reached.
    """
    low, high = curve.band
    if high[-1] < target:
        return None
    limit = 1 + int(np.argmin(np.abs(curve.rates - target)))
    possible = curve.limits[(low <= target) & (target <= high)]
    longest = max(int(possible[-1]), limit) if len(possible) else limit
    return NearestLimit(
        target,
        limit,
        *curve.at(limit),
        low=min(int(possible[0]), limit) if len(possible) else limit,
        high=None if low[-1] <= target and longest == curve.longest else longest,
    )


def biting_limit(curve: LimitCurve) -> int:
    """The shortest limit with at least half of the wins that the longest has."""
    return 1 + int(np.argmax(2 * curve.wins >= curve.wins[-1]))


# What a report plays: so many times the present limit.
SHARES: Final = (1 / 8, 1 / 4, 1 / 2, 3 / 4, 1, 3 / 2)


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

    @property
    def log_odds(self) -> float:
        """Of success; with a half added on both sides, so that they are finite."""
        return log((self.wins + 0.5) / (self.attempts - self.wins + 0.5))


def watches_limit(attempts: Attempts, past: Attempts) -> bool:
    """Whether an agent plays otherwise with its limit than `past` it, by attempts of the same seeds.

    One that does not wins the same attempts within the limit, with the same moves. Boards differ so much that
    a handful of attempts shows it.
    """
    count = min(len(attempts), len(past))
    attempts, past = attempts.head(count), past.head(count)
    won = attempts.won
    if (won != is_won_within(past, limit_of(attempts.level)[0])).any():
        return True
    other_moves = attempts.moves_made != past.moves_made
    return bool((other_moves | (attempts.legal_moves != past.legal_moves))[won].any())


def limits_to_play(level: Level) -> list[int]:
    """The limits that show how an agent does that watches the limit: from an eighth of it to half more."""
    present, longest = limit_of(level)[0], longest_limit(level)
    return sorted({min(max(round(share * present), 1), longest) for share in SHARES})


def between(checks: Sequence[Check]) -> list[tuple[int, float]]:
    """Every limit from the shortest played to the longest, and a guess at its success rate.

    Where a limit was played it is what was found; between two it goes from one to the other along a line in
    log odds.
    """
    ordered = sorted(checks, key=lambda check: check.limit)
    rates = [(ordered[0].limit, ordered[0].rate)] if ordered else []
    for start, end in pairwise(ordered):
        steps = np.arange(1, end.limit - start.limit + 1) / (end.limit - start.limit)
        rates += [(start.limit + k, _on_the_way(start, end, share)) for k, share in enumerate(steps, start=1)]
    return rates


def _on_the_way(start: Check, end: Check, share: float) -> float:
    first, last = _chance(start.log_odds), _chance(end.log_odds)
    if first == last:
        return start.rate + share * (end.rate - start.rate)
    chance = _chance(start.log_odds + share * (end.log_odds - start.log_odds))
    return start.rate + (end.rate - start.rate) * (chance - first) / (last - first)


def _chance(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))
