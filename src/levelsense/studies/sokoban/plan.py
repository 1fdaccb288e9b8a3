"""The planner: looks a few pushes ahead, plays to the position that seems best, and starts again if stuck."""

from typing import Any

from levelsense.kernel import kernel
from levelsense.rng import Rng, uniform
from levelsense.studies.sokoban.board import DIRECTIONS, BoardRecord
from levelsense.studies.sokoban.moves import (
    Position,
    Pushes,
    is_dead,
    is_solved,
    list_pushes,
    look,
    place,
    push,
    pushes_left,
    unpush,
)
from levelsense.studies.sokoban.table import NOT_THERE, Seen, enter, has, keep, position_key
from levelsense.studies.sokoban.walk import NOT_SOLVED

NOWHERE = -1


@kernel
def plan(
    board: BoardRecord,
    position: Position,
    pushes: Pushes,
    nodes: Any,
    depths: Any,
    table: Seen,
    visited: Seen,
    stamps: Any,
    rng: Rng,
    budget: int,
    depth: int,
    noise: float,
    outcome: Any,
) -> None:
    """One attempt of up to `budget` pushes; writes the pushes made until it was solved, and the fewest left.

    From where it is, it looks `depth` pushes ahead and goes to the position with the fewest pushes left by
    its own judgment (a number drawn from 1 to 1 + `noise` times as many), never to one that it has been to
    since it started. All but the board are modified in place.
    """
    place(board, position, board.box, board.player)
    outcome[0], outcome[1] = NOT_SOLVED, pushes_left(board, position)
    spent = 0
    while spent < budget:
        place(board, position, board.box, board.player)
        stamps[1] += 1
        spent += 1  # to start takes as long as a push
        while spent < budget:
            enter(visited, stamps[1], position_key(board, position), 0)
            stamps[0] += 1
            best = _look_ahead(
                board, position, pushes, nodes, depths, table, visited, stamps, rng, depth, noise
            )
            if best == NOWHERE:
                break
            spent += depths[best]
            place(board, position, nodes[best], nodes[best, board.boxes])
            left = pushes_left(board, position)
            outcome[1] = min(outcome[1], left)
            if left == 0 and is_solved(board, position):
                outcome[0] = spent
                return


@kernel
def _look_ahead(
    board: BoardRecord,
    position: Position,
    pushes: Pushes,
    nodes: Any,
    depths: Any,
    table: Seen,
    visited: Seen,
    stamps: Any,
    rng: Rng,
    depth: int,
    noise: float,
) -> int:
    """The row of `nodes` with the position to go to, at most `depth` pushes away, or NOWHERE."""
    enter(table, stamps[0], position_key(board, position), 0)
    keep(board, position, nodes, 0)
    depths[0] = 0
    used, node, best, lowest = 1, 0, NOWHERE, 1e18
    while node < used and depths[node] < depth:
        place(board, position, nodes[node], nodes[node, board.boxes])
        count, player = list_pushes(board, position, pushes), position.player
        for k in range(count):
            push(board, position, pushes[k])
            if used < len(nodes) and not is_dead(board, position, pushes[k] // DIRECTIONS):
                look(board, position)
                key = position_key(board, position)
                if enter(table, stamps[0], key, used) == NOT_THERE:
                    keep(board, position, nodes, used)
                    depths[used] = depths[node] + 1
                    value = pushes_left(board, position) * (1.0 + noise * uniform(rng))
                    if value < lowest and not has(visited, stamps[1], key):
                        best, lowest = used, value
                    used += 1
            unpush(board, position, pushes[k], player)
        node += 1
    return best
