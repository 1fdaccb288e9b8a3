"""The tree of a Monte Carlo tree search, and the options of mcts as its kernels see them.

Flat arrays with links, as in Poromaa's thesis, section 3.3.2: an action taken in a node leads to one of at
most `branching` sampled nodes, since what falls in is a matter of chance. Node 0 is the first root.
"""

from typing import Any, NamedTuple

import numpy as np

from levelsense.agents.attempt import SCRATCH
from levelsense.game.moves import MOST_MOVES
from levelsense.game.state import Array

# The options of the agent, in the order of its table.
(
    SIMULATIONS,
    SECONDS,
    C,
    BRANCHING,
    DEPTH,
    SIGNAL,
    SHRINKING,
    PLAYOUT,
    FINAL,
    KEEP_TREE,
    SETTLE,
    NOISE,
    PRIOR,
    MODEL,
) = range(14)
GOALS, BINARY, SCORE, COMBINED = range(4)
RANDOM, TO_MAST, HEURISTIC, CLOUDED, POLICY = range(5)
MAX, ROBUST, ROBUST_MAX = range(3)

# states[SCRATCH] is played to the end in playouts; the state of node n is states[FIRST_NODE + n].
FIRST_NODE = SCRATCH + 1


NONE = -1
ACTIONS_PER_NODE = 32  # on average; a search that needs more goes on without growing

# What tree.number holds. LAST_MOVE is the game's, NONE before its first.
NODES, ACTIONS, ROOT, CHOSEN, LEAF, PENDING, SCORES, HAS_RANGE, LAST_MOVE, NUMBERS = range(10)
# What tree.range holds: the scores that count as 0 and as 1.
LOW, HIGH = 0, 1


class Tree(NamedTuple):
    """Nodes and actions by number; visits, wins and the sum of signals of each."""

    node_from: Array  # the action that led to a node, NONE for the first root
    node_next: Array  # the next node sampled for the same action
    node_first: Array  # the first of a node's actions, NONE before they are listed
    node_actions: Array
    node_depth: Array
    node_visits: Array
    node_wins: Array
    node_value: Array
    action_of: Array  # the node that an action is taken in
    action_move: Array
    action_first: Array  # the first node sampled for an action
    action_nodes: Array
    action_visits: Array
    action_wins: Array
    action_value: Array
    score: Array  # the final scores of this search's playouts
    range: Array
    number: Array
    mast_visits: Array  # TO-MAST: by the position of a move on the board, over the tree's moves
    mast_value: Array
    playout_moves: Array  # room for the legal moves of one state, and for what each is worth
    playout_values: Array
    action_prior: Array  # the policy's probability of an action; empty unless the prior is the policy's
    network: Any  # the policy's Network; an empty array where no policy is used


def nodes_for(simulations: int) -> int:
    """How many nodes so many simulations make at most: the root, and one each."""
    return simulations + 1


def new_tree(simulations: int) -> Tree:
    """An empty tree with room for so many simulations."""
    nodes = nodes_for(simulations)
    actions = nodes * ACTIONS_PER_NODE + MOST_MOVES
    of_nodes = ("from", "next", "first", "actions", "depth", "visits", "wins")
    of_actions = ("of", "move", "first", "nodes", "visits", "wins")
    arrays = {f"node_{name}": np.zeros(nodes, np.int64) for name in of_nodes}
    arrays |= {f"action_{name}": np.zeros(actions, np.int64) for name in of_actions}
    return Tree(
        **arrays,
        node_value=np.zeros(nodes),
        action_value=np.zeros(actions),
        score=np.zeros(simulations),
        range=np.zeros(2),
        number=np.zeros(NUMBERS, np.int64),
        mast_visits=np.zeros(MOST_MOVES),
        mast_value=np.zeros(MOST_MOVES),
        playout_moves=np.zeros(MOST_MOVES, np.int64),
        playout_values=np.zeros(MOST_MOVES),
        action_prior=np.zeros(0),
        network=np.zeros(0),
    )
