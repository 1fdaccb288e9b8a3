"""Draws from a few choices."""

from typing import TypeVar

import numpy as np

T = TypeVar("T")


def pick(rng: np.random.Generator, *choices: T) -> T:
    """One of some choices, each as likely."""
    return choices[int(rng.integers(len(choices)))]
