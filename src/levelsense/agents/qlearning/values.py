"""Q of moves as a function of their features, linear or by a network, and how each learns."""

from collections.abc import Mapping
from math import sqrt
from typing import Final, Self

import numpy as np

from levelsense.agents.qlearning.features import FEATURES, UTILITY, Described
from levelsense.game.state import Array
from levelsense.kernel import kernel
from levelsense.rng import Draws

# Linear, equation 1 of Lee et al.: the step size for features of size 1, and after how many turns of training
# it is half of that.
LINEAR_STEP: Final = 0.01
LINEAR_STEP_HALVED: Final = 1_000

# The network of section 4.7. The paper counts 25, 11 and 1 neurons, with a bias neuron in the first and the
# second layer: 24 features, 10 hidden neurons, one output. All parameters are one array: for each hidden
# neuron its weights and its bias, then the output's weights and its bias.
HIDDEN: Final = 10
INPUTS: Final = FEATURES + 1  # the last is the bias
OUTPUT: Final = HIDDEN * INPUTS  # where the weights of the output begin
PARAMETERS: Final = OUTPUT + HIDDEN + 1

# Adam as published (Kingma and Ba, 2015), and after how many turns of training its step is half of that.
ADAM_STEP, FIRST_DECAY, SECOND_DECAY, TINY = 0.001, 0.9, 0.999, 1e-8
ADAM_STEP_HALVED: Final = 5_000


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
        share = LINEAR_STEP / (1.0 + turn / LINEAR_STEP_HALVED)
        return float(update_linear(self.learned["weights"], features, target, self._steps, share))

    @property
    def arrays(self) -> dict[str, Array]:
        """What goes into a file of weights."""
        return {"weights": self.learned["weights"].astype(np.float32)}


def first_parameters(draws: Draws) -> Array:
    """Parameters to begin with, uniform within the bounds of Glorot and Bengio (2010)."""
    bounds = [sqrt(6 / (FEATURES + HIDDEN))] * OUTPUT + [sqrt(6 / (HIDDEN + 1))] * (PARAMETERS - OUTPUT)
    return np.array([draws.uniform(-bound, bound) for bound in bounds])


@kernel
def forward(parameters: Array, features: Array, scales: Array, hidden: Array) -> float:
    """The network's output for the features, each divided by its scale; `hidden` gets the hidden layer's."""
    total = parameters[OUTPUT + HIDDEN]
    for n in range(HIDDEN):
        activation = parameters[n * INPUTS + FEATURES]
        for j in range(FEATURES):
            activation += parameters[n * INPUTS + j] * (features[j] / scales[j])
        hidden[n] = max(activation, 0.0)
        total += parameters[OUTPUT + n] * hidden[n]
    return total  # type: ignore[no-any-return]


@kernel
def network_values(
    described: Described,
    count: int,
    parameters: Array,
    scales: Array,
    points: float,
    hidden: Array,
    values: Array,
) -> None:
    """Writes Q of the first `count` moves: the network's output, times the points that it is counted in."""
    for k in range(count):
        values[k] = points * forward(parameters, described.features[k], scales, hidden)


@kernel
def gradient(
    parameters: Array, features: Array, scales: Array, hidden: Array, error: float, slopes: Array
) -> None:
    """Writes the slope of half the squared error in each parameter; `error` is the output less its target.

    `hidden` holds what `forward` has written there for these features.
    """
    for n in range(HIDDEN):
        back = error * parameters[OUTPUT + n] if hidden[n] > 0.0 else 0.0
        for j in range(FEATURES):
            slopes[n * INPUTS + j] = back * (features[j] / scales[j])
        slopes[n * INPUTS + FEATURES] = back
        slopes[OUTPUT + n] = error * hidden[n]
    slopes[OUTPUT + HIDDEN] = error


@kernel
def adam(parameters: Array, slopes: Array, first: Array, second: Array, powers: Array, step: float) -> None:
    """One step of Adam. `first` and `second` are its moments, `powers` the decays to the number of steps.

    All but the slopes are modified in place.
    """
    powers[0] *= FIRST_DECAY
    powers[1] *= SECOND_DECAY
    for k in range(parameters.shape[0]):
        first[k] = FIRST_DECAY * first[k] + (1.0 - FIRST_DECAY) * slopes[k]
        second[k] = SECOND_DECAY * second[k] + (1.0 - SECOND_DECAY) * slopes[k] * slopes[k]
        mean = first[k] / (1.0 - powers[0])
        spread = sqrt(second[k] / (1.0 - powers[1]))
        parameters[k] -= step * mean / (spread + TINY)


class NetworkQ:
    """Q by the network. `learned` holds all that training changes.

    Features are divided by their scales, and the output is counted in points: the scale of the utility.
    """

    kind = "q-network"
    shapes: Final = {"parameters": (PARAMETERS,), "scales": (FEATURES,)}

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        """From the arrays of a file of weights."""
        parameters = arrays["parameters"].astype(np.float64)
        self.learned = {
            "parameters": parameters,
            "first moments": np.zeros_like(parameters),
            "second moments": np.zeros_like(parameters),
            "decays": np.ones(2),
        }
        self._scales = arrays["scales"].astype(np.float64)
        self._points = float(self._scales[UTILITY])
        self._hidden = np.zeros(HIDDEN)
        self._slopes = np.zeros(PARAMETERS)

    @classmethod
    def untrained(cls, scales: Array, draws: Draws) -> Self:
        """With parameters drawn at random, to be trained on features of these sizes."""
        return cls({"parameters": first_parameters(draws), "scales": scales})

    def write_values(self, described: Described, count: int, values: Array) -> None:
        """Writes Q of the first `count` moves that are described. Values are modified in place."""
        parameters = self.learned["parameters"]
        network_values(described, count, parameters, self._scales, self._points, self._hidden, values)

    def learn(self, features: Array, target: float, turn: int) -> float:
        """Brings Q of the features nearer to the target, in a turn of training; returns Q less the target."""
        parameters, first, second, decays = self.learned.values()
        output = forward(parameters, features, self._scales, self._hidden)
        error = float(output - target / self._points)
        gradient(parameters, features, self._scales, self._hidden, error, self._slopes)
        adam(parameters, self._slopes, first, second, decays, ADAM_STEP / (1.0 + turn / ADAM_STEP_HALVED))
        return error * self._points

    @property
    def arrays(self) -> dict[str, Array]:
        """What goes into a file of weights."""
        parameters = self.learned["parameters"].astype(np.float32)
        return {"parameters": parameters, "scales": self._scales.astype(np.float32)}
