"""How sure a success rate is: Wilson's interval, exact everywhere, since it decides how much is played."""

from math import sqrt

NORMAL_95 = 1.959963984540054  # the 97.5th percentile of the normal distribution


def wilson(wins: float, attempts: float, quantile: float = NORMAL_95) -> tuple[float, float]:
    """Wilson's interval of a success rate (JASA 22, 1927), 95 % by default; 0 to 1 without attempts.

    Attempts that tell less than independent ones would may be counted as fewer, not whole.
    """
    if attempts == 0:
        return 0.0, 1.0
    rate, spread = wins / attempts, quantile * quantile / attempts
    center = (rate + spread / 2) / (1 + spread)
    half = quantile * sqrt(rate * (1 - rate) / attempts + spread / (4 * attempts)) / (1 + spread)
    # At the ends the bounds are exactly 0 and 1, which rounding may miss.
    low = 0.0 if wins == 0 else max(0.0, center - half)
    high = 1.0 if wins == attempts else min(1.0, center + half)
    return low, high


def half_width(wins: int, attempts: int) -> float:
    """Half the width of Wilson's 95 % interval."""
    low, high = wilson(wins, attempts)
    return (high - low) / 2
