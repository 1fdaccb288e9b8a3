"""The beam agent: McAdams' tree search, "Approximating Optimal Strategy in Match-Three Puzzle Games", III.

Before each move a tree of positions is grown depth-first from the game's. A node gets a child for each legal
move, played with the search's own refills, and keeps the best few (equations 2 and 3). Its value is then the
mean of its own and of its children's mean, from the leaves up. Nothing grows from a position where the
attempt is over, and so nothing beyond the last move.
"""

from collections.abc import Mapping
from math import isqrt
from typing import Any

import numpy as np

from levelsense.agents.attempt import GAME, SCRATCH, AgentKernels
from levelsense.agents.beam_heuristics import mean_row, node_value
from levelsense.game.cascade import play
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.state import PLAYING, Array, LevelRecord, Moves, States, Work
from levelsense.kernel import kernel
from levelsense.rng import Rng, below

DEEPEST = 5
WIDEST = DEEPEST**2

# Where the options stand in their array.
DEPTH, HEURISTIC, TIES = range(3)
TIES_LOWEST, TIES_FIRST = 0, 1
LOTS = 1 << 30

# The kept children of the node that is being looked at on one level of the tree, the best first.
TREE_LEVEL_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("width", "i8"),  # at most so many are kept
                ("room", "i8"),  # the first of the level's width + 1 states
                ("kept", "i8"),
                ("next", "i8"),  # the child whose value is still to be found
                ("state", "i8", WIDEST),  # where each child's position is
                ("move", "i8", WIDEST),
                ("value", "f8", WIDEST),
                ("row", "f8", WIDEST),  # the mean row of its move's lines
                ("lot", "i8", WIDEST),  # of children equal in both, the one with the highest comes first
                ("child_value", "f8", MOST_MOVES),  # of each legal move, without its own children
            ],
            align=True,
        ),
    )
)


def beam_widths(depth: int) -> tuple[int, ...]:
    """How many children are kept at each level: the square of the depth, then the root of the one before."""
    widths = [depth**2]
    while len(widths) < depth:
        widths.append(isqrt(widths[-1]))
    return tuple(widths)


def beam_states(depth: int) -> int:
    """How many scratch states a search needs: those kept on each level, and one to try a move in."""
    return sum(beam_widths(depth)) + depth


def new_tree(depth: int) -> Any:
    """The memory of a search: a record for each level of the tree."""
    tree = np.zeros(depth, TREE_LEVEL_DTYPE)
    room = SCRATCH
    for at, width in enumerate(beam_widths(depth)):
        tree[at].width = width
        tree[at].room = room
        room += width + 1
    return tree


@kernel
def is_better(
    value: float, row: float, lot: int, other_value: float, other_row: float, other_lot: int
) -> bool:
    """Whether a child ranks before another one: by value, then by the row of its move, then by lot."""
    if value != other_value:
        return value > other_value
    return row > other_row or (row == other_row and lot > other_lot)


@kernel
def _keep(branch: Any, state: int, move: int, value: float, row: float, lot: int) -> int:
    """Takes a child in if it is among the best so far. Returns where the next child may be tried.

    The branch is modified in place.
    """
    at = branch.kept
    while at > 0 and is_better(value, row, lot, branch.value[at - 1], branch.row[at - 1], branch.lot[at - 1]):
        at -= 1
    if at == branch.width:
        return state
    if branch.kept == branch.width:
        free = branch.state[branch.width - 1]
    else:
        branch.kept += 1
        free = branch.room + branch.kept
    for k in range(branch.kept - 1, at, -1):
        branch.state[k] = branch.state[k - 1]
        branch.move[k] = branch.move[k - 1]
        branch.value[k] = branch.value[k - 1]
        branch.row[k] = branch.row[k - 1]
        branch.lot[k] = branch.lot[k - 1]
    branch.state[at], branch.move[at], branch.value[at] = state, move, value
    branch.row[at], branch.lot[at] = row, lot
    return free  # type: ignore[no-any-return]


@kernel
def _grow(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    branch: Any,
    parent: int,
    options: Array,
) -> None:
    """Plays every legal move of a node and keeps its best children.

    All but level and options are modified in place.
    """
    heuristic, ties = int(options[HEURISTIC]), int(options[TIES])
    root_score, parent_score = states[GAME].score, states[parent].score
    branch.kept = 0
    branch.next = 0
    room = branch.room
    for k in range(list_moves(states[parent], moves)):
        states[room] = states[parent]
        child = states[room]
        # The lowest row decides between equals, and a lot between equally low ones; or the first listed.
        row, lot = 0.0, -k
        if ties != TIES_FIRST:
            row, lot = mean_row(level, child, moves[k]), below(rng, LOTS)
        play(level, child, rng, work, moves[k])
        value = node_value(level, child, rng, parent_score, root_score, heuristic)
        branch.child_value[k] = value
        room = _keep(branch, room, moves[k], value, row, lot)


@kernel
def _close(branch: Any, parent: Any) -> None:
    """FIND AVERAGE VALUE of Algorithm 1: gives the parent's next child its final value. Modified in place."""
    total = 0.0
    for k in range(branch.kept):
        total += branch.value[k]
    k = parent.next
    parent.value[k] = (parent.value[k] + total / branch.kept) / 2
    parent.next += 1


@kernel
def _best(branch: Any) -> int:
    """The move of the best child by their final values."""
    best = 0
    for k in range(1, branch.kept):
        if is_better(
            branch.value[k],
            branch.row[k],
            branch.lot[k],
            branch.value[best],
            branch.row[best],
            branch.lot[best],
        ):
            best = k
    return branch.move[best]  # type: ignore[no-any-return]


@kernel
def choose_beam(
    level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, memory: Any, options: Array
) -> int:
    """The legal move whose part of the tree has the best value. `memory` is a new_tree() of the depth."""
    at = 0
    parent = GAME
    while at >= 0:
        _grow(level, states, rng, work, moves, memory[at], parent, options)
        # On to the next node that has children to grow; levels without any are closed on the way.
        while at >= 0:
            branch = memory[at]
            while branch.next < branch.kept:
                if at + 1 < memory.shape[0] and states[branch.state[branch.next]].status == PLAYING:
                    break
                branch.next += 1
            if branch.next < branch.kept:
                parent = branch.state[branch.next]
                at += 1
                break
            if at > 0:
                _close(branch, memory[at - 1])
            at -= 1
    return _best(memory[0])


def value_by_beam(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    memory: Any,
    options: Array,
    values: Array,
) -> None:
    """The value of each legal move in a tree grown for it.

    A move that the beam dropped has its own value only, and at most that of the worst move that was kept.
    """
    choose_beam(level, states, rng, work, moves, memory, options)
    legal = list_moves(states[GAME], moves)
    root = memory[0]
    kept_values = dict(zip(root.move[: root.kept], root.value[: root.kept], strict=True))
    for k in range(legal):
        values[k] = kept_values.get(moves[k], min(root.child_value[k], *kept_values.values()))


def kernels(options: Mapping[str, Any]) -> AgentKernels:
    """The kernels of this family; their memory is the tree.

    The loop over moves stays Python: that spares the first run a third of its compiling, and costs little
    beside a search.
    """
    depth = int(options["depth"])
    return AgentKernels(
        "beam",
        choose_beam,
        values=value_by_beam,
        scratch_states=beam_states(depth),
        memory=lambda level: new_tree(depth),
        compiled=False,
    )
