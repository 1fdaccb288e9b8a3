"""All positions of a board: how many there are, which can still be solved, and a shortest solution."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.kernel import kernel
from levelsense.studies.sokoban.board import DIRECTIONS, Board, BoardRecord
from levelsense.studies.sokoban.moves import (
    MOST_PUSHES,
    Position,
    Pushes,
    is_dead,
    is_solved,
    list_pushes,
    look,
    new_position,
    place,
    push,
    unpush,
)
from levelsense.studies.sokoban.table import NOT_THERE, Seen, enter, keep, new_table, position_key

MOST_POSITIONS: Final = 1_000_000
PUSHES_A_POSITION: Final = 9  # at most, on average
NO_NODE: Final = -1
LOST: Final = -2  # a push after which the board cannot be solved, as is easily seen


@kernel
def _explore(
    board: BoardRecord,
    position: Position,
    pushes: Pushes,
    nodes: Any,
    parents: Any,
    first: Any,
    children: Any,
    table: Seen,
    counts: Any,
) -> None:
    """Breadth-first over pushes: writes how many positions and pushes there are, and the first solved one.

    `children` lists where each push of a position leads (LOST: to one that cannot be solved), those of node k
    from first[k] on. If nodes or children do not suffice, the number of positions is NO_NODE. All but the
    board are modified in place.
    """
    place(board, position, board.box, board.player)
    enter(table, 1, position_key(board, position), 0)
    keep(board, position, nodes, 0)
    parents[0] = NO_NODE
    used, edges, node = 1, 0, 0
    solved = 0 if is_solved(board, position) else NO_NODE
    while node < used:
        place(board, position, nodes[node], nodes[node, board.boxes])
        count, player = list_pushes(board, position, pushes), position.player
        first[node] = edges
        if used + count > len(nodes) or edges + count > len(children):
            counts[0] = NO_NODE
            return
        for k in range(count):
            push(board, position, pushes[k])
            child = LOST
            if not is_dead(board, position, pushes[k] // DIRECTIONS):
                look(board, position)
                child = enter(table, 1, position_key(board, position), used)
                if child == NOT_THERE:
                    child = used
                    keep(board, position, nodes, used)
                    parents[used] = node
                    used += 1
                    if solved == NO_NODE and is_solved(board, position):
                        solved = child
            children[edges] = child
            edges += 1
            unpush(board, position, pushes[k], player)
        node += 1
    first[node] = edges
    counts[0], counts[1], counts[2] = node, edges, solved


@kernel
def _mark_solvable(
    board: BoardRecord, nodes: Any, first: Any, children: Any, count: int, solvable: Any
) -> None:
    """Marks the nodes from which a solved position can be reached. Modifies `solvable`."""
    for node in range(count):
        solvable[node] = 1
        for k in range(board.boxes):
            if board.is_goal[nodes[node, k]] == 0:
                solvable[node] = 0
                break
    changed = True
    while changed:
        changed = False
        for node in range(count - 1, -1, -1):
            if solvable[node] == 0:
                for edge in range(first[node], first[node + 1]):
                    if children[edge] >= 0 and solvable[children[edge]] == 1:
                        solvable[node] = 1
                        changed = True
                        break


@dataclass(frozen=True, eq=False)
class Space:
    """All positions of a board that can be reached, the player's place apart as far as it can walk.

    positions  how many there are
    pushes     how many pushes lead from one to another, in all
    solvable   the share of positions from which the board can be solved
    traps      of the pushes at solvable positions, the share after which the board cannot be solved any more
    solution   the positions of a solution with the fewest pushes: a row each, its boxes and the player
    risk       the share of such pushes at each position of the solution but the last
    choices    the number of pushes there
    """

    positions: int
    pushes: int
    solvable: float
    traps: float
    solution: NDArray[np.int16]
    risk: NDArray[np.float64]
    choices: NDArray[np.int64]


def count_positions(board: Board, most: int = MOST_POSITIONS) -> Space | None:
    """Counts all positions; None if they are more than `most`, or if none of them is solved."""
    record = board.record
    nodes = np.zeros((most, record.boxes + 1), np.int16)
    parents, first = np.zeros(most, np.int64), np.zeros(most + 1, np.int64)
    children = np.zeros(PUSHES_A_POSITION * most, np.int64)
    counts = np.zeros(3, np.int64)
    pushes = np.zeros(MOST_PUSHES, np.int64)
    _explore(record, new_position(), pushes, nodes, parents, first, children, new_table(most), counts)
    count, edges, solved = (int(number) for number in counts)
    if count == NO_NODE or solved == NO_NODE:
        return None
    solvable = np.zeros(count, np.int8)
    _mark_solvable(record, nodes, first, children, count, solvable)
    leads_on = (children[:edges] >= 0) & (solvable[np.maximum(children[:edges], 0)] == 1)
    at_solvable = np.repeat(solvable == 1, np.diff(first[: count + 1]))
    path = _path(parents, solved)
    starts, ends = first[path[:-1]], first[path[:-1] + 1]
    return Space(
        count,
        edges,
        float(solvable.mean()),
        float(1 - leads_on[at_solvable].mean()) if at_solvable.any() else 0.0,
        nodes[path],
        np.array([1 - leads_on[a:b].mean() for a, b in zip(starts, ends, strict=True)]),
        ends - starts,
    )


def _path(parents: NDArray[np.int64], node: int) -> NDArray[np.int64]:
    """The nodes from the start to a node."""
    path = [node]
    while parents[path[-1]] != NO_NODE:
        path.append(int(parents[path[-1]]))
    return np.array(path[::-1])
