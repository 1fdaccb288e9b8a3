"""The policy network: a score for each legal move, by plain arithmetic on float32.

    h_m = relu(x_m A + a)                     of each move m, from its inputs x_m
    c   = relu([mean of h, maximum of h, p] B + b)    of the position, from its inputs p
    g_m = relu(h_m D + c E + d_k)             of each move, with the shift d_k of persona k
    s_m = g_m . u_k                           its score; probabilities are the softmax of the scores

Sums run in one order and numbers are neither fused nor reordered: a network plays the same on every machine.
"""

from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.policy.encoding import write_move_inputs, write_position_inputs
from levelsense.agents.policy.inputs import (
    ENCODING,
    MOVE_INPUTS,
    POSITION_INPUTS,
)
from levelsense.agents.weights import Weights, read_weights
from levelsense.arithmetic import exp
from levelsense.errors import AgentError
from levelsense.game.moves import MOST_MOVES
from levelsense.game.state import Array, LevelRecord, Moves, States, Work
from levelsense.kernel import kernel

KIND: Final = "policy"
MOST_PERSONAS: Final = 8
EVERYONE: Final = 0  # the row of `shift` and `out` that stands for all players together

# The arrays of a file of weights, with their shapes: F inputs of a move, P of a position, H, C and G hidden
# units of a move, of the position and of a move in its position, K personas and everyone before them.
SHAPES: Final = {
    "move": "FH",
    "move_shift": "H",
    "context": "QC",
    "context_shift": "C",
    "of_move": "HG",
    "of_context": "CG",
    "shift": "KG",
    "out": "KG",
    "share": "K",
}


class Network(NamedTuple):
    """The weights of a policy, and the memory that its kernels work in."""

    move: Array
    move_shift: Array
    context: Array
    context_shift: Array
    of_move: Array
    of_context: Array
    shift: Array
    out: Array
    share: Array  # of each persona among the players; that of everyone is 0
    inputs: Array  # of the legal moves, a row each
    position: Array  # means and maxima of the hidden units of moves, and the inputs of the position
    hidden: Array  # of the legal moves, a row each
    of_position: Array
    mixed: Array
    score: Array  # of the legal moves, and then their probabilities
    number: Array  # LAST_CELL and PERSONA

    @classmethod
    def from_weights(cls, weights: Weights) -> Self:
        """The network that weights are for; AgentError if their shapes are not those of one."""
        sizes = check_shapes(weights)
        arrays = {name: np.ascontiguousarray(weights.arrays[name], np.float32) for name in SHAPES}
        return cls(
            **arrays,
            inputs=np.zeros((MOST_MOVES, MOVE_INPUTS), np.float32),
            position=np.zeros(sizes["Q"], np.float32),
            hidden=np.zeros((MOST_MOVES, sizes["H"]), np.float32),
            of_position=np.zeros(sizes["C"], np.float32),
            mixed=np.zeros((2, sizes["G"]), np.float32),
            score=np.zeros(MOST_MOVES),
            number=np.zeros(2, np.int64),
        )


LAST_CELL, PERSONA = 0, 1


def check_shapes(weights: Weights) -> dict[str, int]:
    """The sizes of a network's layers by their letters in SHAPES; AgentError names an array that is wrong."""
    sizes = {"F": MOVE_INPUTS}
    for name, letters in SHAPES.items():
        shape = weights.arrays[name].shape if name in weights.arrays else None
        if shape is None or len(shape) != len(letters):
            raise AgentError(f"weights of a policy: array {name!r} has the shape {shape}; expected {letters}")
        for letter, size in zip(letters, shape, strict=True):
            expected = sizes.setdefault(letter, size)
            if letter == "Q":
                expected = 2 * sizes["H"] + POSITION_INPUTS
            if size != expected or size == 0:
                raise AgentError(
                    f"weights of a policy: array {name!r} has the shape {shape}; "
                    f"expected {expected} in the place of {letter}"
                )
    return sizes


def read_network(source: str) -> Network:
    """The network of shipped weights or of a file."""
    return Network.from_weights(read_weights(source, KIND, ENCODING))


@kernel
def _transform(inputs: Array, matrix: Array, sums: Array) -> None:
    """Adds the product of inputs and a matrix to the sums, which are modified in place."""
    for i in range(inputs.shape[0]):
        number = inputs[i]
        if number != 0:
            for j in range(sums.shape[0]):
                sums[j] += number * matrix[i, j]


@kernel
def _rectify(sums: Array) -> None:
    """Replaces numbers below 0 by 0. Modified in place."""
    for j in range(sums.shape[0]):
        sums[j] = max(sums[j], np.float32(0.0))


@kernel
def _hide_moves(network: Network, count: int) -> None:
    """Computes the hidden units of each move, their means and maxima. The network's memory is modified."""
    units = network.move_shift.shape[0]
    position = network.position
    for j in range(2 * units):
        position[j] = 0.0
    for k in range(count):
        hidden = network.hidden[k]
        hidden[:] = network.move_shift
        _transform(network.inputs[k], network.move, hidden)
        _rectify(hidden)
        for j in range(units):
            position[j] += hidden[j]
            position[units + j] = max(position[units + j], hidden[j])
    part = np.float32(1.0) / np.float32(count)
    for j in range(units):
        position[j] *= part


@kernel
def score_moves(
    level: LevelRecord, states: States, at: int, work: Work, moves: Moves, count: int, network: Network
) -> None:
    """Writes the score of each of the first `count` moves, legal in states[at], to network.score.

    network.number holds the cell of the last move and the persona. The network's memory and work are
    modified in place; so is states[at], but it is as before when all is done.
    """
    units = network.move_shift.shape[0]
    persona = network.number[PERSONA]
    write_move_inputs(level, states, at, work, moves, count, network.number[LAST_CELL], network.inputs)
    _hide_moves(network, count)
    write_position_inputs(level, states[at], count, network.position[2 * units :])
    context = network.of_position
    context[:] = network.context_shift
    _transform(network.position, network.context, context)
    _rectify(context)
    base, mixed = network.mixed[0], network.mixed[1]
    base[:] = network.shift[persona]
    _transform(context, network.of_context, base)
    out = network.out[persona]
    for k in range(count):
        mixed[:] = base
        _transform(network.hidden[k], network.of_move, mixed)
        total = 0.0
        for j in range(mixed.shape[0]):
            total += max(mixed[j], np.float32(0.0)) * out[j]
        network.score[k] = total


@kernel
def soften(score: Array, count: int, temperature: float) -> None:
    """Turns scores into probabilities: the softmax of score / temperature. Modified in place."""
    best = score[0]
    for k in range(1, count):
        best = max(best, score[k])
    total = 0.0
    for k in range(count):
        score[k] = exp((score[k] - best) / temperature)
        total += score[k]
    for k in range(count):
        score[k] /= total


def persona_names(weights: Weights) -> list[str]:
    """The names of the personas of weights, everyone first, as their card tells them."""
    personas = weights.card.get("personas", [])
    return ["everyone", *(str(persona["name"]) for persona in personas)]


def sizes_of(moves: int, context: int, mixed: int, personas: int = 1) -> dict[str, tuple[int, ...]]:
    """The shapes of the arrays of a network with so many hidden units and rows of personas."""
    size = {
        "F": MOVE_INPUTS,
        "H": moves,
        "Q": 2 * moves + POSITION_INPUTS,
        "C": context,
        "G": mixed,
        "K": personas,
    }
    return {name: tuple(size[letter] for letter in letters) for name, letters in SHAPES.items()}


Floats = NDArray[np.float32]
