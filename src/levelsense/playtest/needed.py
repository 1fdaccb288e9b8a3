"""How many attempts the first success takes if each succeeds with the same chance."""

from dataclasses import dataclass
from math import ceil, log1p

from levelsense.playtest.estimate import Estimate
from levelsense.playtest.interval import wilson

MEDIAN, MOST = 0.50, 0.95


@dataclass(frozen=True)
class AttemptsNeeded:
    """Attempts up to the first success: on average, at most half of the time, at most 95 % of the time."""

    per_success: Estimate
    median: Estimate
    most: Estimate


def attempts_needed(wins: int, attempts: int) -> AttemptsNeeded:
    """Attempts needed at the success rate seen; the intervals are those of the rate, turned round.

    Attempts are independent and equally likely to succeed, so their number is geometric. Without a success
    only the low end is known: read it as `over so many`.
    """
    low, high = wilson(wins, attempts)
    rate = wins / attempts if wins else 0.0
    return AttemptsNeeded(
        Estimate(1 / rate if rate else None, 1 / high, 1 / low if low else None),
        *(Estimate(_percentile(share, rate), *_ends(share, low, high)) for share in (MEDIAN, MOST)),
    )


def _ends(share: float, low: float, high: float) -> tuple[float, float | None]:
    return _percentile(share, high) or 1.0, _percentile(share, low)


def _percentile(share: float, rate: float) -> float | None:
    """The least number of attempts within which a success comes with a chance; None if none ever comes."""
    if rate == 0:
        return None
    return 1.0 if rate == 1 else float(ceil(log1p(-share) / log1p(-rate)))
