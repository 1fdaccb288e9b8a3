"""The only source of randomness: a splitmix64 word that is kept beside the state, never in it."""

from typing import Any

import numpy as np

from levelsense.kernel import kernel

WORD = np.uint64
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FACTOR_1 = np.uint64(0xBF58476D1CE4E5B9)
_FACTOR_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


def new_rng(seed: int) -> Any:
    """A generator started from any whole number."""
    return np.array([seed & 0xFFFFFFFFFFFFFFFF], dtype=WORD)


@kernel
def next_word(rng: Any) -> Any:
    """The next 64 random bits."""
    rng[0] += _GAMMA
    z = rng[0]
    z = (z ^ (z >> _S30)) * _FACTOR_1
    z = (z ^ (z >> _S27)) * _FACTOR_2
    return z ^ (z >> _S31)


@kernel
def below(rng: Any, n: int) -> int:
    """A whole number from 0 to n - 1."""
    return np.int64(((next_word(rng) >> _S32) * np.uint64(n)) >> _S32)  # type: ignore[return-value]
