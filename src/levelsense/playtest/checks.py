"""Limits that were played themselves: for agents that play otherwise when they have another limit."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from levelsense.arithmetic import exp, log
from levelsense.game.level import Level
from levelsense.game.state import WON
from levelsense.playtest.estimate import Estimate, rate_estimate
from levelsense.playtest.limits import is_won_within, limit_of, longest_limit

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


def watches_limit(level: Level, rows: Any, longer: Level, past: Any) -> bool:
    """Whether an agent plays otherwise with its limit than past it, by attempts of the same seeds.

    One that does not wins the same attempts within the limit, with the same moves. Boards differ so much that
    a handful of attempts shows it.
    """
    both = min(len(rows), len(past))
    rows, past = rows[:both], past[:both]
    won = rows["status"] == WON
    if (won != is_won_within(longer, past, limit_of(level)[0])).any():
        return True
    return any((rows[name] != past[name])[won].any() for name in ("moves_made", "legal_moves"))


def limits_to_play(level: Level) -> list[int]:
    """The limits that show how an agent does that watches the limit: from an eighth of it to half more."""
    now, longest = limit_of(level)[0], longest_limit(level)
    return sorted({min(max(round(share * now), 1), longest) for share in SHARES})


def between(checks: Sequence[Check]) -> list[tuple[int, float]]:
    """Every limit from the shortest played to the longest, and a guess at its success rate.

    Where a limit was played it is what was found; between two it goes from one to the other along a line in
    log odds.
    """
    ordered = sorted(checks, key=lambda check: check.limit)
    found = [(ordered[0].limit, ordered[0].rate)] if ordered else []
    for start, end in pairwise(ordered):
        steps = np.arange(1, end.limit - start.limit + 1) / (end.limit - start.limit)
        found += [(start.limit + k, _on_the_way(start, end, share)) for k, share in enumerate(steps, start=1)]
    return found


def _on_the_way(start: Check, end: Check, share: float) -> float:
    first, last = _chance(start.log_odds), _chance(end.log_odds)
    if first == last:
        return start.rate + share * (end.rate - start.rate)
    here = _chance(start.log_odds + share * (end.log_odds - start.log_odds))
    return start.rate + (end.rate - start.rate) * (here - first) / (last - first)


def _chance(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))
