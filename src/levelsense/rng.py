"""Randomness: the splitmix64 word that games draw from, and draws outside of games.

NumPy's generators promise the same stream neither on every machine nor in every version. These are made of
the game's random words and of plain arithmetic alone.
"""

import hashlib
from collections.abc import Sequence
from math import sqrt
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from levelsense.arithmetic import log
from levelsense.kernel import kernel

WORD = np.uint64
Rng = NDArray[np.uint64]  # a generator: one word, which every draw changes
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FACTOR_1 = np.uint64(0xBF58476D1CE4E5B9)
_FACTOR_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


def new_rng(seed: int) -> Rng:
    """A generator started from any whole number."""
    return np.array([seed & 0xFFFFFFFFFFFFFFFF], dtype=WORD)


@kernel
def next_word(rng: Rng) -> Any:
    """The next 64 random bits."""
    rng[0] += _GAMMA
    z = rng[0]
    z = (z ^ (z >> _S30)) * _FACTOR_1
    z = (z ^ (z >> _S27)) * _FACTOR_2
    return z ^ (z >> _S31)


@kernel
def below(rng: Rng, n: int) -> int:
    """A whole number from 0 to n - 1."""
    return np.int64(((next_word(rng) >> _S32) * np.uint64(n)) >> _S32)  # type: ignore[return-value]


_STEPS: Final = 1 << 24


@kernel
def uniform(rng: Rng) -> float:
    """A number from 0 up to, but not, 1."""
    return below(rng, _STEPS) / _STEPS


@kernel
def draw_in_proportion(rng: Rng, values: Any, count: int) -> int:
    """A place drawn with a probability in proportion to its value.

    All alike if none has any.
    """
    total = 0.0
    for k in range(count):
        total += values[k]
    if total <= 0.0:
        return below(rng, count)
    point = uniform(rng) * total
    for k in range(count):
        point -= values[k]
        if point < 0.0:
            return k
    return count - 1


T = TypeVar("T")

_UNIT: Final = 1.0 / (1 << 53)
_SEED_BYTES: Final = 8


class Draws:
    """A stream of random draws, by what it is for: the same words and numbers give the same stream."""

    def __init__(self, *purpose: str | int) -> None:
        """The stream starts from BLAKE2b, 8 bytes, of the parts with a zero byte after each."""
        text = b"".join(str(part).encode() + b"\0" for part in purpose)
        seed = hashlib.blake2b(text, digest_size=_SEED_BYTES).digest()
        self._rng = new_rng(int.from_bytes(seed, "little"))

    def word(self) -> int:
        """A whole number of 64 random bits."""
        return int(next_word(self._rng))

    def random(self) -> float:
        """A number from 0 up to, but not, 1."""
        return (self.word() >> 11) * _UNIT

    def uniform(self, low: float, high: float) -> float:
        """A number from low up to high."""
        return low + (high - low) * self.random()

    def integers(self, low: int, high: int) -> int:
        """A whole number from low up to, but not, high; fewer than 2^32 of them."""
        return low + int(below(self._rng, high - low))

    def pick(self, *choices: T) -> T:
        """One of some choices, each as likely."""
        return choices[self.integers(0, len(choices))]

    def choice(self, choices: Sequence[T], weights: Sequence[float]) -> T:
        """One of some choices, each as likely as its weight among the weights; their sum is above 0."""
        total = 0.0
        for weight in weights:
            total += weight
        point = self.random() * total
        for chosen, weight in zip(choices, weights, strict=True):
            point -= weight
            if point < 0:
                return chosen
        # Rounding may leave a point behind the last: it belongs to the last choice that can be drawn.
        return next(chosen for chosen, weight in zip(choices[::-1], weights[::-1], strict=True) if weight > 0)

    def sample(self, choices: Sequence[T], count: int) -> list[T]:
        """Some of the choices, none twice, in the order drawn; all sets are as likely."""
        left = list(choices)
        return [left.pop(self.integers(0, len(left))) for _ in range(count)]

    def binomial(self, trials: int, probability: float) -> int:
        """How many of some trials succeed."""
        return sum(self.random() < probability for _ in range(trials))

    def normal(self, middle: float = 0.0, deviation: float = 1.0) -> float:
        """A normal number, by Marsaglia's polar method (SIAM Review 6, 1964)."""
        while True:
            x, y = 2.0 * self.random() - 1.0, 2.0 * self.random() - 1.0
            square = x * x + y * y
            if 0.0 < square < 1.0:
                return middle + deviation * x * sqrt(-2.0 * log(square) / square)

    def gamma(self, shape: float) -> float:
        """A gamma number of scale 1; the shape is a multiple of one half.

        It is the sum of as many exponential numbers as the shape has wholes, and of half the square of a
        normal number for the half.
        """
        wholes, half = divmod(shape, 1)
        total = 0.0
        for _ in range(int(wholes)):
            total -= log(1.0 - self.random())
        if half:
            normal = self.normal()
            total += normal * normal / 2
        return total

    def dirichlet(self, shapes: Sequence[float]) -> list[float]:
        """Shares that add up to 1, from gamma numbers of these shapes."""
        parts = [self.gamma(shape) for shape in shapes]
        total = 0.0
        for part in parts:
            total += part
        return [part / total for part in parts]
