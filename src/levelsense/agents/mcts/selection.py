"""Selection and expansion: the way of a simulation down the tree, and the node that it adds there."""

import math

from levelsense.agents.mcts.tree import (
    ACTIONS,
    BRANCHING,
    DEPTH,
    FIRST_NODE,
    LAST_MOVE,
    NODES,
    NONE,
    PENDING,
    ROOT,
    C,
    Tree,
)
from levelsense.agents.simple import any_of_the_best
from levelsense.arithmetic import log
from levelsense.game.moves import list_moves
from levelsense.game.state import PLAYING, Array, LevelRecord, States, Work
from levelsense.kernel import kernel, kernel_with
from levelsense.rng import Rng, below


@kernel
def ucb(value: float, visits: float, parent_visits: float, c: float) -> float:
    """The upper confidence bound of an action (equation 3.1)."""
    return value / visits + c * math.sqrt(log(float(parent_visits)) / visits)


@kernel
def new_node(tree: Tree, action: int) -> int:
    """Adds a node below an action (or a root below none). The tree is modified in place."""
    node = tree.number[NODES]
    tree.number[NODES] += 1
    tree.node_from[node] = action
    tree.node_first[node] = NONE
    tree.node_next[node] = NONE
    tree.node_visits[node] = 0
    tree.node_wins[node] = 0
    tree.node_value[node] = 0.0
    tree.node_depth[node] = 0
    if action != NONE:
        tree.node_depth[node] = tree.node_depth[tree.action_of[action]] + 1
        tree.node_next[node] = tree.action_first[action]
        tree.action_first[action] = node
        tree.action_nodes[action] += 1
    return node  # type: ignore[no-any-return]


@kernel
def _list_actions(states: States, tree: Tree, node: int) -> bool:
    """Lists the actions of a node; False if the tree is full. The tree is modified in place."""
    count = list_moves(states[FIRST_NODE + node], tree.playout_moves)
    first = tree.number[ACTIONS]
    if first + count > tree.action_of.shape[0]:
        return False
    for k in range(count):
        action = first + k
        tree.action_of[action] = node
        tree.action_move[action] = tree.playout_moves[k]
        tree.action_first[action] = NONE
        tree.action_nodes[action] = 0
        tree.action_visits[action] = 0
        tree.action_wins[action] = 0
        tree.action_value[action] = 0.0
    tree.node_first[node] = first
    tree.node_actions[node] = count
    tree.number[ACTIONS] = first + count
    return True


@kernel
def move_into(tree: Tree, node: int) -> int:
    """The move that led to a node: the game's last if no action did, NONE if there was none yet."""
    action = tree.node_from[node]
    return tree.number[LAST_MOVE] if action == NONE else tree.action_move[action]  # type: ignore[no-any-return]


def note_priors(level: LevelRecord, states: States, work: Work, tree: Tree, node: int) -> None:
    """Placeholder for the kernel that notes the priors of a node's actions, just listed in playout_moves."""
    raise NotImplementedError


@kernel
def note_nothing(level: LevelRecord, states: States, work: Work, tree: Tree, node: int) -> None:
    """The kernel `note_priors` of a search without priors."""


def select_action(rng: Rng, tree: Tree, node: int, c: float) -> int:
    """Placeholder for the kernel that chooses the action by which a simulation goes down from a node."""
    raise NotImplementedError


@kernel
def select_by_bound(rng: Rng, tree: Tree, node: int, c: float) -> int:
    """An action of a node not tried yet, drawn; when all are, the one with the largest bound.

    Of equal bounds it is any, each as likely as any other: while nothing was won, all of them are equal.
    """
    first, count = tree.node_first[node], tree.node_actions[node]
    untried = 0
    for action in range(first, first + count):
        untried += tree.action_visits[action] == 0
    if untried:
        skip = below(rng, untried)
        for action in range(first, first + count):
            if tree.action_visits[action] == 0:
                if skip == 0:
                    return action
                skip -= 1
    for k in range(count):
        value, visits = tree.action_value[first + k], tree.action_visits[first + k]
        tree.playout_values[k] = ucb(value, visits, tree.node_visits[node], c)
    return first + any_of_the_best(rng, tree.playout_values, count)  # type: ignore[no-any-return]


@kernel
def _sampled_node(rng: Rng, tree: Tree, action: int) -> int:
    """One of the nodes sampled for an action, drawn."""
    skip = below(rng, tree.action_nodes[action])
    node = tree.action_first[action]
    while skip:
        node = tree.node_next[node]
        skip -= 1
    return node  # type: ignore[no-any-return]


def descent(level: LevelRecord, states: States, rng: Rng, work: Work, tree: Tree, options: Array) -> int:
    """Goes down from the root to where the tree ends, and adds a node there if it may. Modified in place.

    Returns the node to play on from. If it is new, tree.number[PENDING] is the move that leads to it from the
    state that is in its place; otherwise NONE.
    """
    tree.number[PENDING] = NONE
    node = tree.number[ROOT]
    root_depth = tree.node_depth[node]
    while states[FIRST_NODE + node].status == PLAYING:
        if options[DEPTH] and tree.node_depth[node] - root_depth >= options[DEPTH]:
            break
        if tree.node_first[node] == NONE:
            if not _list_actions(states, tree, node):
                break
            note_priors(level, states, work, tree, node)
        action = select_action(rng, tree, node, options[C])
        is_full = tree.number[NODES] >= tree.node_from.shape[0]
        if tree.action_nodes[action] < options[BRANCHING] and not is_full:
            added = new_node(tree, action)
            states[FIRST_NODE + added] = states[FIRST_NODE + node]
            tree.number[PENDING] = tree.action_move[action]
            return added
        if tree.action_nodes[action] == 0:
            break
        node = _sampled_node(rng, tree, action)
    return node  # type: ignore[no-any-return]


descend = kernel_with(descent, "descend_by_bound", note_priors=note_nothing, select_action=select_by_bound)
