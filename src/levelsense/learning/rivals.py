"""The sums over rivals of a policy network, and their gradients, for many positions at a time."""

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.policy.inputs import COLUMN, FROM_TOP
from levelsense.agents.policy.network import FAR
from levelsense.game.moves import distance_between
from levelsense.game.state import STRIDE, Array
from levelsense.kernel import kernel

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]


def cells_of(inputs: Floats) -> Numbers:
    """The first cells of moves, by their inputs."""
    rows, columns = np.rint(inputs[..., FROM_TOP] * STRIDE), np.rint(inputs[..., COLUMN] * STRIDE)
    cells: Numbers = (rows * STRIDE + columns).astype(np.int64)
    return cells


@kernel
def _nearness(cells: Array, move: int, other: int) -> int:
    """The row of weights of a rival: by its distance, and whether it comes before a move or after."""
    distance = min(distance_between(cells[move], cells[other]), FAR)
    return distance + (FAR + 1) * (other > move)


@kernel
def sum_rivals(
    cells: Array, start: Array, count: Array, near: Array, rival: Array, baseline: Array, sums: Array
) -> None:
    """Adds to each move the sum over the other moves of its position, as in agents/policy/network.py.

    The moves of position i are the count[i] rows from start[i] on, of all but `near`. Sums are modified.
    """
    for i in range(start.shape[0]):
        for k in range(start[i], start[i] + count[i]):
            for other in range(start[i], start[i] + count[i]):
                if other == k:
                    continue
                row = _nearness(cells, k, other)
                for j in range(near.shape[1]):
                    sums[k, j] += near[row, j] * max(rival[other, j] - baseline[k, j], np.float32(0.0))


@kernel
def add_rival_gradients(
    cells: Array,
    start: Array,
    count: Array,
    near: Array,
    rival: Array,
    baseline: Array,
    of_sums: Array,
    of_near: Array,
    of_rival: Array,
    of_baseline: Array,
) -> None:
    """Adds the gradients of what goes into `sum_rivals` by that of its sums; the last three are modified."""
    for i in range(start.shape[0]):
        for k in range(start[i], start[i] + count[i]):
            for other in range(start[i], start[i] + count[i]):
                if other == k:
                    continue
                row = _nearness(cells, k, other)
                for j in range(near.shape[1]):
                    more = rival[other, j] - baseline[k, j]
                    slope = of_sums[k, j] * np.float32(more > 0)
                    of_near[row, j] += slope * more
                    of_rival[other, j] += slope * near[row, j]
                    of_baseline[k, j] -= slope * near[row, j]
