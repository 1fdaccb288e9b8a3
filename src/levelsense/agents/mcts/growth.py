"""Monte Carlo tree search with chance nodes: Sparse UCT as in Poromaa's thesis, chapter 3, with its variants.

A simulation descends the tree, plays on from the node that it adds, turns the end into a signal from 0 to 1
and backs it up. All its randomness comes from the search's own generator: the game's is not used.
"""

from typing import Any

from levelsense.agents.attempt import GAME, SCRATCH
from levelsense.agents.mcts.choice import is_settled
from levelsense.agents.mcts.playouts import note_score, signal
from levelsense.agents.mcts.selection import descend, move_into, new_node
from levelsense.agents.mcts.tree import (
    ACTIONS,
    CHOSEN,
    FINAL,
    FIRST_NODE,
    HAS_RANGE,
    KEEP_TREE,
    LAST_MOVE,
    LEAF,
    NODES,
    NONE,
    PENDING,
    PLAYOUT,
    ROOT,
    SCORES,
    SETTLE,
    SHRINKING,
    SIGNAL,
    SIMULATIONS,
    Tree,
)
from levelsense.game.cascade import play
from levelsense.game.moves import MOST_MOVES
from levelsense.game.state import (
    CELLS,
    COUNT_NAMES,
    MOST_DROPS,
    PLAYING,
    WON,
    Array,
    LevelRecord,
    States,
    Work,
)
from levelsense.kernel import kernel
from levelsense.rng import Rng

SETTLE_EVERY = 8


def playout_move(
    level: LevelRecord, states: States, rng: Rng, work: Work, tree: Tree, kind: int, last: int
) -> int:
    """Placeholder for the kernel that chooses a playout's next move, in states[SCRATCH], after a last one."""
    raise NotImplementedError


def grow_tree(
    level: LevelRecord, states: States, rng: Rng, work: Work, tree: Tree, options: Array, simulations: int
) -> None:
    """Makes so many simulations, or fewer if the choice is settled. All but level and options are modified.

    The move into a new node and those of the playout go through one call of play, which is most of what there
    is to compile.
    """
    for done in range(simulations):
        leaf = descend(level, states, rng, work, tree, options)
        states[SCRATCH] = states[FIRST_NODE + leaf]
        end = states[SCRATCH]
        is_new = tree.number[PENDING] != NONE
        move = move_into(tree, leaf)
        while is_new or end.status == PLAYING:
            if not is_new:
                move = playout_move(level, states, rng, work, tree, int(options[PLAYOUT]), move)
            play(level, end, rng, work, move)
            if is_new:
                states[FIRST_NODE + leaf] = states[SCRATCH]
                is_new = False
        value = signal(
            level, end, tree.range, tree.number[HAS_RANGE], int(options[SIGNAL]), options[SHRINKING]
        )
        note_score(tree, end.score)
        back_up(tree, leaf, value, int(end.status == WON))
        tree.number[LEAF] = leaf
        if options[SETTLE] and done % SETTLE_EVERY == 0:
            if is_settled(tree, int(options[FINAL]), simulations - done - 1):
                return


@kernel
def back_up(tree: Tree, leaf: int, value: float, won: int) -> None:
    """Adds a signal to every node and action above a leaf, and to the moves' TO-MAST table.

    The tree is modified in place.
    """
    node = leaf
    while True:
        tree.node_visits[node] += 1
        tree.node_wins[node] += won
        tree.node_value[node] += value
        action = tree.node_from[node]
        if node == tree.number[ROOT] or action == NONE:
            return
        tree.action_visits[action] += 1
        tree.action_wins[action] += won
        tree.action_value[action] += value
        tree.mast_visits[tree.action_move[action]] += 1
        tree.mast_value[tree.action_move[action]] += value
        node = tree.action_of[action]


@kernel
def forget(tree: Tree) -> None:
    """Forgets everything before an attempt. The tree is modified in place."""
    tree.number[CHOSEN] = NONE
    tree.number[NODES] = 0
    tree.number[HAS_RANGE] = 0
    tree.number[LAST_MOVE] = NONE
    for move in range(MOST_MOVES):
        tree.mast_visits[move] = 0.0
        tree.mast_value[move] = 0.0


@kernel
def plant(states: States, tree: Tree) -> None:
    """Starts a new tree at the game's state; what was learned of scores and moves is kept.

    Modified in place.
    """
    tree.number[NODES] = 0
    tree.number[ACTIONS] = 0
    tree.number[SCORES] = 0
    tree.number[ROOT] = new_node(tree, NONE)
    states[FIRST_NODE] = states[GAME]


@kernel
def same_position(first: Any, second: Any) -> bool:
    """Whether two states are the same in all that the rest of an attempt depends on.

    The legal swaps follow from the board; the number of shuffles and the longest cascade change nothing.
    """
    if (
        first.moves_left != second.moves_left
        or first.time_left != second.time_left
        or first.score != second.score
    ):
        return False
    if first.moves_made != second.moves_made or first.paid != second.paid or first.status != second.status:
        return False
    for k in range(len(COUNT_NAMES)):
        if first.count[k] != second.count[k]:
            return False
    for k in range(MOST_DROPS):
        if first.dropped[k] != second.dropped[k]:
            return False
    for i in range(CELLS):
        if (
            first.piece[i] != second.piece[i]
            or first.color[i] != second.color[i]
            or first.timer[i] != second.timer[i]
        ):
            return False
        if first.blocker[i] != second.blocker[i] or first.jelly[i] != second.jelly[i]:
            return False
    return True


@kernel
def plant_or_keep(states: States, tree: Tree, options: Array) -> None:
    """Goes on with the subtree of the last move if the game came to a state that was sampled there.

    Modified in place.
    """
    chosen = tree.number[CHOSEN]
    # The new root's actions may not be listed yet.
    has_room = (
        tree.node_from.shape[0] - tree.number[NODES] >= options[SIMULATIONS]
        and tree.action_of.shape[0] - tree.number[ACTIONS] >= MOST_MOVES
    )
    if options[KEEP_TREE] and chosen != NONE and has_room:
        node = tree.action_first[chosen]
        while node != NONE:
            if same_position(states[FIRST_NODE + node], states[GAME]):
                tree.number[ROOT] = node
                tree.number[SCORES] = 0
                return
            node = tree.node_next[node]
    plant(states, tree)
