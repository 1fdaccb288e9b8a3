"""Values of moves that are linear in their features, and how they are learned: equation 1 of Lee et al."""

from collections.abc import Mapping
from typing import Final, Self

import numpy as np

from levelsense.agents.qlearning.features import FEATURES, Described
from levelsense.game.state import Array
from levelsense.kernel import kernel
from levelsense.rng import Draws

# The step size of features of size 1, and after how many turns of training it is half of that.
STEP: Final = 0.01
HALF_STEP_AFTER: Final = 1_000


@kernel
def linear_values(described: Described, count: int, weights: Array, values: Array) -> None:
    """Writes Q of the first `count` moves: the sum of their features, each times its weight."""
    for k in range(count):
        total = 0.0
        for j in range(FEATURES):
            total += weights[j] * described.features[k, j]
        values[k] = total


@kernel
def update_linear(weights: Array, features: Array, target: float, steps: Array, share: float) -> float:
    """Equation 1 with a step size for each feature, `share` times its own; returns Q less its target.

    The weights are modified in place.
    """
    error = -target
    for j in range(FEATURES):
        error += weights[j] * features[j]
    for j in range(FEATURES):
        weights[j] -= share * steps[j] * error * features[j]
    return error


class LinearQ:
    """Q as a sum of features, each times its weight. `learned` holds all that training changes."""

    kind = "q-linear"
    shapes: Final = {"weights": (FEATURES,)}

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        """From the arrays of a file of weights."""
        self.learned = {"weights": arrays["weights"].astype(np.float64)}
        self._steps = np.zeros(FEATURES)

    @classmethod
    def untrained(cls, scales: Array, draws: Draws) -> Self:
        """With all weights 0, to be trained on features of these sizes; nothing is drawn."""
        untrained = cls({"weights": np.zeros(FEATURES)})
        untrained._steps = 1.0 / (scales * scales)
        return untrained

    def write_values(self, described: Described, count: int, values: Array) -> None:
        """Writes Q of the first `count` moves that are described. Values are modified in place."""
        linear_values(described, count, self.learned["weights"], values)

    def learn(self, features: Array, target: float, turn: int) -> float:
        """Brings Q of the features nearer to the target, in a turn of training; returns Q less the target."""
        share = STEP / (1.0 + turn / HALF_STEP_AFTER)
        return float(update_linear(self.learned["weights"], features, target, self._steps, share))

    @property
    def arrays(self) -> dict[str, Array]:
        """What goes into a file of weights."""
        return {"weights": self.learned["weights"].astype(np.float32)}
