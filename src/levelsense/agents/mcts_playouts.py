"""Playouts: how the moves are chosen from a new node to the end of the attempt."""

from typing import Any

from levelsense.agents.attempt import OWN
from levelsense.agents.greedy import any_of_the_best
from levelsense.agents.mcts_options import CLOUDED, TO_MAST
from levelsense.arithmetic import exp
from levelsense.game.moves import list_moves
from levelsense.game.rng import below
from levelsense.kernel import kernel

MAST_TEMPERATURE = 0.25
MAST_UNSEEN = 1.0
UNIT = 1 << 24


@kernel
def uniform(rng: Any) -> float:
    """A number from 0 up to, but not, 1."""
    return below(rng, UNIT) / UNIT


@kernel
def draw_in_proportion(rng: Any, values: Any, count: int) -> int:
    """A place drawn with a probability in proportion to its value (equation 3.4).

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


@kernel
def free_move(level: Any, states: Any, rng: Any, work: Any, tree: Any, kind: int) -> int:
    """A playout's move, drawn: all alike, or in proportion to exp(average / temperature) of TO-MAST."""
    count = list_moves(states[OWN], tree.playout_moves)
    if kind != TO_MAST:
        return tree.playout_moves[below(rng, count)]  # type: ignore[no-any-return]
    for k in range(count):
        move = tree.playout_moves[k]
        average = MAST_UNSEEN
        if tree.mast_visits[move] > 0:
            average = tree.mast_value[move] / tree.mast_visits[move]
        tree.playout_values[k] = exp(average / MAST_TEMPERATURE)
    return tree.playout_moves[draw_in_proportion(rng, tree.playout_values, count)]  # type: ignore[no-any-return]


def guided_move(level: Any, states: Any, rng: Any, work: Any, tree: Any, kind: int) -> int:
    """A playout's move by the heuristic: any of the best, or in proportion to its value (equation 3.4)."""
    count = list_moves(states[OWN], tree.playout_moves)
    heuristic_values(level, states, OWN, work, tree.playout_moves, count, tree.playout_values)
    if kind == CLOUDED:
        return tree.playout_moves[draw_in_proportion(rng, tree.playout_values, count)]  # type: ignore[no-any-return]
    return tree.playout_moves[any_of_the_best(rng, tree.playout_values, count)]  # type: ignore[no-any-return]


def heuristic_values(
    level: Any, states: Any, at: int, work: Any, moves: Any, count: int, values: Any
) -> None:
    """Stands for the heuristic agent's kernel; put in when its playouts are first asked for."""
    raise NotImplementedError
