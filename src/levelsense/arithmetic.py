"""Logarithm and exponential by plain arithmetic: the same to the last bit on every machine.

The last bit of libm's and NumPy's functions depends on the processor and on the library: they have versions
with and without fused multiplication, and vectors of several widths. Sums, products, quotients and square
roots of floating-point numbers do not (IEEE 754), and Numba neither fuses nor reorders them. Whatever can
reach a game, an agent's choice, a simulated player or a generated level is made of these.
"""

from math import factorial
from typing import Final

from levelsense.kernel import kernel

LN2: Final = 0.6931471805599453
# LN2 in two parts: a whole number below 2,048 times the first is exact.
_LN2_HIGH: Final = 0.6931471803691238
_LN2_LOW: Final = 1.9082149292705877e-10
_ROOT_OF_2: Final = 1.4142135623730951
_INFINITY: Final = float("inf")
_INVERSE_FACTORIALS: Final = tuple(1.0 / factorial(k) for k in range(14, -1, -1))
_LARGEST: Final = 709.782712893384  # its exponential is still a number
_SMALLEST: Final = -745.14  # its exponential is not yet 0


@kernel
def _log_near_1(x: float) -> float:
    """The natural logarithm of a number from 1 / sqrt(2) to sqrt(2): the series of 2 artanh."""
    s = (x - 1.0) / (x + 1.0)
    square = s * s
    total = 0.0
    for odd in range(23, 1, -2):
        total = (total + 1.0 / odd) * square
    return 2.0 * (s + s * total)


@kernel
def _halvings(x: float) -> int:
    """How often a number above 0 is to be halved (or doubled, if negative) to lie near 1."""
    count = 0
    while x > _ROOT_OF_2:
        x *= 0.5
        count += 1
    while x < 1.0 / _ROOT_OF_2:
        x *= 2.0
        count -= 1
    return count


@kernel
def _doubled(x: float, times: int) -> float:
    """A number times 2 to a power, which may be negative."""
    for _ in range(times):
        x *= 2.0
    for _ in range(-times):
        x *= 0.5
    return x


@kernel
def log(x: float) -> float:
    """The natural logarithm, within 2 units in the last place; -inf for 0, not a number below 0."""
    if not 0.0 < x < _INFINITY:
        return x if x > 0.0 else -_INFINITY if x == 0.0 else _INFINITY - _INFINITY
    halvings = _halvings(x)
    return halvings * _LN2_HIGH + (halvings * _LN2_LOW + _log_near_1(_doubled(x, -halvings)))


@kernel
def log2(x: float) -> float:
    """The logarithm to base 2 of a number above 0; exact for powers of 2."""
    halvings = _halvings(x)
    return halvings + _log_near_1(_doubled(x, -halvings)) / LN2


@kernel
def exp(x: float) -> float:
    """The exponential, within 2 units in the last place where it is not nearly 0; inf if too large."""
    if not _SMALLEST < x < _LARGEST:
        return 0.0 if x <= _SMALLEST else x if x != x else _INFINITY
    doublings = int(x / LN2 + (0.5 if x >= 0.0 else -0.5))
    rest = (x - doublings * _LN2_HIGH) - doublings * _LN2_LOW
    total = 0.0
    for factor in _INVERSE_FACTORIALS:
        total = total * rest + factor
    return _doubled(total, doublings)
