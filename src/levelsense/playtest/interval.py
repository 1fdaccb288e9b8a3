"""How sure a success rate is: Wilson's interval."""

from math import sqrt

NORMAL_95 = 1.959963984540054  # the 97.5th percentile of the normal distribution


def wilson(wins: int, attempts: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a success rate (JASA 22, 1927); 0 to 1 when nothing was attempted."""
    if attempts == 0:
        return 0.0, 1.0
    rate, spread = wins / attempts, NORMAL_95**2 / attempts
    center = (rate + spread / 2) / (1 + spread)
    half = NORMAL_95 * sqrt(rate * (1 - rate) / attempts + spread / (4 * attempts)) / (1 + spread)
    # At the ends the bounds are exactly 0 and 1, which rounding may miss.
    low = 0.0 if wins == 0 else max(0.0, center - half)
    high = 1.0 if wins == attempts else min(1.0, center + half)
    return low, high


def half_width(wins: int, attempts: int) -> float:
    """Half the width of Wilson's 95 % interval."""
    low, high = wilson(wins, attempts)
    return (high - low) / 2
