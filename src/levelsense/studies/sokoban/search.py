"""The searcher: best-first search that misjudges positions, and gives up after a number of them."""

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
from levelsense.studies.sokoban.table import NOT_THERE, Seen, enter, keep, position_key
from levelsense.studies.sokoban.walk import NOT_SOLVED


@kernel
def search(
    board: BoardRecord,
    position: Position,
    pushes: Pushes,
    nodes: Any,
    heap: Any,
    priority: Any,
    table: Seen,
    stamp: int,
    rng: Rng,
    budget: int,
    noise: float,
    outcome: Any,
) -> None:
    """One attempt: looks at up to `budget` positions, and writes at how many until it was solved.

    A position's priority is the pushes left, times a number drawn from 1 to 1 + `noise` for it. `nodes` has a
    row a position, its boxes and the player; all but the board are modified in place.
    """
    place(board, position, board.box, board.player)
    outcome[0], outcome[1] = NOT_SOLVED, pushes_left(board, position)
    enter(table, stamp, position_key(board, position), 0)
    keep(board, position, nodes, 0)
    used, waiting = 1, _add(heap, priority, 0, 0, 0.0)
    for looked in range(1, budget + 1):
        if waiting == 0:
            return
        node = heap[0]
        waiting = _take(heap, priority, waiting)
        place(board, position, nodes[node], nodes[node, board.boxes])
        count, player = list_pushes(board, position, pushes), position.player
        for k in range(count):
            push(board, position, pushes[k])
            if not is_dead(board, position, pushes[k] // DIRECTIONS) and used < len(nodes):
                if is_solved(board, position):
                    outcome[0], outcome[1] = looked, 0
                    return
                look(board, position)
                if enter(table, stamp, position_key(board, position), used) == NOT_THERE:
                    left = pushes_left(board, position)
                    outcome[1] = min(outcome[1], left)
                    waiting = _add(heap, priority, waiting, used, left * (1.0 + noise * uniform(rng)))
                    keep(board, position, nodes, used)
                    used += 1
            unpush(board, position, pushes[k], player)


@kernel
def _add(heap: Any, priority: Any, waiting: int, node: int, value: float) -> int:
    """Adds a node to a binary heap of `waiting` nodes, the lowest priority first; gives their new number."""
    priority[node] = value
    child = waiting
    while child > 0:
        parent = (child - 1) // 2
        if priority[heap[parent]] <= value:
            break
        heap[child] = heap[parent]
        child = parent
    heap[child] = node
    return waiting + 1


@kernel
def _take(heap: Any, priority: Any, waiting: int) -> int:
    """Removes the first node of a heap; gives the number of those left."""
    waiting -= 1
    node = heap[waiting]
    parent = 0
    while True:
        child = 2 * parent + 1
        if child >= waiting:
            break
        if child + 1 < waiting and priority[heap[child + 1]] < priority[heap[child]]:
            child += 1
        if priority[heap[child]] >= priority[node]:
            break
        heap[parent] = heap[child]
        parent = child
    heap[parent] = node
    return waiting
