"""The policy network: a score for each legal move, by plain arithmetic on float32.

    h_m = relu(x_m A + a)                     of each move m, from its inputs x_m
    c   = relu([mean of h, maximum of h, p] B + b)    of the position, from its inputs p
    r_m = sum of N_mn * relu(h_n V + v - h_m W)       of each move, from all others n, its rivals
    g_m = relu(h_m D + c E + d_k + r_m R)     of each move, with the shift d_k of persona k
    s_m = g_m . u_k                           its score; probabilities are the softmax of the scores

N_mn is a row of weights by how far the moves are from each other, and which comes first in the list of legal
moves; it is multiplied unit by unit. Only networks WITH_RIVALS have r_m: a player who has seen a few of the
moves takes the best of these, so that a move's chance depends on which better ones are near.

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
from levelsense.game.moves import MOST_MOVES, distance_between, first_cell
from levelsense.game.state import Array, LevelRecord, Moves, States, Work
from levelsense.kernel import kernel

KIND: Final = "policy"
MOST_PERSONAS: Final = 8
EVERYONE: Final = 0  # the row of `shift` and `out` that stands for all players together

# The versions of files that can be read: as the inputs are, and with a layer of rivals over the same inputs.
WITH_RIVALS: Final = 3
ENCODINGS: Final = (ENCODING, WITH_RIVALS)
FAR: Final = 6  # cells: rivals further away count as if they were here
NEARNESS: Final = 2 * (FAR + 1)  # distances of rivals that come before a move, and of those that come after

# The arrays of a file of weights, with their shapes: F inputs of a move, P of a position, H, C, G and T
# hidden units of a move, of the position, of a move in its position and of rivals, K personas and everyone
# before them, N distances.
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
RIVAL_SHAPES: Final = {
    "rival": "HT",
    "rival_shift": "T",
    "rival_own": "HT",
    "rival_near": "NT",
    "of_rivals": "TG",
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
    rival: Array  # this and the four below have no columns in a network without rivals
    rival_shift: Array
    rival_own: Array
    rival_near: Array
    of_rivals: Array
    after: Array  # of_move, rival and rival_own side by side: all that hidden units of moves go through
    inputs: Array  # of the legal moves, a row each
    position: Array  # means and maxima of the hidden units of moves, and the inputs of the position
    hidden: Array  # of the legal moves, a row each
    of_position: Array
    mixed: Array  # of the position, and then of the legal moves, a row each, by the columns of `after`
    rivals: Array  # of the legal moves: sums over their rivals
    score: Array  # of the legal moves, and then their probabilities
    number: Array  # LAST_CELL and PERSONA

    @classmethod
    def from_weights(cls, weights: Weights) -> Self:
        """The network that weights are for; AgentError if their shapes are not those of one."""
        sizes = check_shapes(weights)
        shapes = SHAPES | RIVAL_SHAPES
        nothing = {name: np.zeros([sizes[letter] for letter in shapes[name]]) for name in RIVAL_SHAPES}
        given = nothing | dict(weights.arrays)
        arrays = {name: np.ascontiguousarray(given[name], np.float32) for name in shapes}
        return cls(
            **arrays,
            inputs=np.zeros((MOST_MOVES, MOVE_INPUTS), np.float32),
            position=np.zeros(sizes["Q"], np.float32),
            hidden=np.zeros((MOST_MOVES, sizes["H"]), np.float32),
            of_position=np.zeros(sizes["C"], np.float32),
            after=np.concatenate([arrays[name] for name in ("of_move", "rival", "rival_own")], 1),
            mixed=np.zeros((1 + MOST_MOVES, sizes["G"] + 2 * sizes["T"]), np.float32),
            rivals=np.zeros((MOST_MOVES, sizes["T"]), np.float32),
            score=np.zeros(MOST_MOVES),
            number=np.zeros(2, np.int64),
        )


LAST_CELL, PERSONA = 0, 1


def check_shapes(weights: Weights) -> dict[str, int]:
    """The sizes of a network's layers by their letters in SHAPES; AgentError names an array that is wrong."""
    sizes = {"F": MOVE_INPUTS, "N": NEARNESS}
    has_rivals = weights.encoding == WITH_RIVALS
    if not has_rivals:
        sizes["T"] = 0
        if unknown := sorted(set(RIVAL_SHAPES) & set(weights.arrays)):
            raise AgentError(
                f"weights of a policy: array {unknown[0]!r} in a file of version {weights.encoding}; "
                f"expected version {WITH_RIVALS}, or no layer of rivals"
            )
    for name, letters in (SHAPES | RIVAL_SHAPES if has_rivals else SHAPES).items():
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
    return Network.from_weights(read_weights(source, KIND, *ENCODINGS))


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
def _weigh_rivals(network: Network, moves: Moves, count: int) -> None:
    """Sums over the other moves of each one. The network's memory is modified."""
    units, sums = network.rival_shift.shape[0], network.rivals
    as_rival = network.mixed[1:, network.shift.shape[1] :]
    as_own = as_rival[:, units:]
    for k in range(count):
        sums[k] = 0.0
    for k in range(count):
        cell = first_cell(moves[k])
        for other in range(k + 1, count):
            distance = min(distance_between(cell, first_cell(moves[other])), FAR)
            before, after = network.rival_near[distance], network.rival_near[FAR + 1 + distance]
            for j in range(units):
                sums[k, j] += after[j] * max(as_rival[other, j] - as_own[k, j], np.float32(0.0))
                sums[other, j] += before[j] * max(as_rival[k, j] - as_own[other, j], np.float32(0.0))


@kernel
def score_moves(
    level: LevelRecord, states: States, at: int, work: Work, moves: Moves, count: int, network: Network
) -> None:
    """Writes the score of each of the first `count` moves, legal in states[at], to network.score.

    network.number holds the cell of the last move and the persona. The network's memory and work are
    modified in place; so is states[at], but it is as before when all is done.
    """
    units, mixed_units = network.move_shift.shape[0], network.shift.shape[1]
    rival_units = network.rival_shift.shape[0]
    persona = network.number[PERSONA]
    write_move_inputs(level, states, at, work, moves, count, network.number[LAST_CELL], network.inputs)
    _hide_moves(network, count)
    write_position_inputs(level, states[at], count, network.position[2 * units :])
    context = network.of_position
    context[:] = network.context_shift
    _transform(network.position, network.context, context)
    _rectify(context)
    base = network.mixed[0]
    base[:mixed_units] = network.shift[persona]
    base[mixed_units : mixed_units + rival_units] = network.rival_shift
    _transform(context, network.of_context, base[:mixed_units])
    for k in range(count):
        network.mixed[1 + k] = base
        _transform(network.hidden[k], network.after, network.mixed[1 + k])
    if rival_units:
        _weigh_rivals(network, moves, count)
    out = network.out[persona]
    for k in range(count):
        mixed = network.mixed[1 + k, :mixed_units]
        if rival_units:
            _transform(network.rivals[k], network.of_rivals, mixed)
        total = 0.0
        for j in range(mixed_units):
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
    """The names of the personas of weights, everyone first, as on their card."""
    personas = weights.card.get("personas", [])
    return ["everyone", *(str(persona["name"]) for persona in personas)]


def sizes_of(
    moves: int, context: int, mixed: int, personas: int = 1, rivals: int = 0
) -> dict[str, tuple[int, ...]]:
    """The shapes of the arrays of a network with so many hidden units and rows of personas."""
    size = {
        "F": MOVE_INPUTS,
        "H": moves,
        "Q": 2 * moves + POSITION_INPUTS,
        "C": context,
        "G": mixed,
        "K": personas,
        "T": rivals,
        "N": NEARNESS,
    }
    shapes = SHAPES | RIVAL_SHAPES if rivals else SHAPES
    return {name: tuple(size[letter] for letter in letters) for name, letters in shapes.items()}


Floats = NDArray[np.float32]
