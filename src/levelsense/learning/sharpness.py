"""How surely a persona has to play its likeliest moves to succeed as often as its players do.

A policy that tells moves well still fails more often than its players: what it cannot tell of their choices
it plays as chance. Scores times a factor above 1 make likelier moves likelier still.
"""

from collections.abc import Sequence
from math import exp, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.attempt import play_attempts
from levelsense.agents.policy.agent import OF_EVERYONE, SAMPLE, kernels_of
from levelsense.agents.policy.network import Network
from levelsense.agents.weights import Weights
from levelsense.game.state import WON
from levelsense.level.level import Level

ATTEMPTS: Final = 4_000  # for each sharpness tried
MOST_LEVELS: Final = 80
BOUNDS: Final = (0.5, 3.0)  # a factor beyond them would make another player of it
CLOSE: Final = 0.002  # as near as the mean success rate has to come
_TRIES: Final = 7


def success_rates(
    weights: Weights, persona: int, levels: Sequence[Level], attempts: int, sharpness: float, seed: int
) -> NDArray[np.float64]:
    """A persona's success rate at each level, sampled; a seed deals the same boards at any sharpness."""
    kernels = kernels_of(lambda: Network.from_weights(weights))
    codes = (0.0, SAMPLE, 1.0 / sharpness, 0.0, OF_EVERYONE + persona)
    rng = np.random.default_rng(seed)
    rates = []
    for level in levels:
        seeds = rng.integers(0, 2**64, (attempts, 2), np.uint64)
        rates.append((play_attempts(kernels, codes, level, seeds)["status"] == WON).mean())
    return np.array(rates)


def matching_sharpness(
    weights: Weights, persona: int, levels: Sequence[Level], target: NDArray[np.float64], seed: int
) -> float:
    """The sharpness with which a persona's mean success rate is that of its players, within BOUNDS.

    `target` holds their success rates at the levels. At most MOST_LEVELS of these are played, evenly spread.
    """
    places = np.unique(np.linspace(0, len(levels) - 1, min(len(levels), MOST_LEVELS)).round().astype(int))
    played = [levels[place] for place in places]
    attempts, wanted = -(-ATTEMPTS // len(played)), float(target[places].mean())

    def excess(value: float) -> float:
        return float(success_rates(weights, persona, played, attempts, exp(value), seed).mean()) - wanted

    low, high, value = log(BOUNDS[0]), log(BOUNDS[1]), 0.0
    for _ in range(_TRIES):
        apart = excess(value)
        if abs(apart) <= CLOSE:
            break
        # Success rises with sharpness: halve what is left of the bounds.
        low, high = (value, high) if apart < 0 else (low, value)
        value = (low + high) / 2
    return exp(value)
