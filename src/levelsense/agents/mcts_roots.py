"""Where a search starts: with a new tree, or in the part of the last one that the game came to."""

from typing import Any

from levelsense.agents.attempt import GAME
from levelsense.agents.mcts_options import FIRST_NODE, KEEP_TREE, SIMULATIONS
from levelsense.agents.mcts_selection import new_node
from levelsense.agents.tree import ACTIONS, CHOSEN, HAS_RANGE, NODES, NONE, ROOT, SCORES
from levelsense.game.moves import MOST_MOVES
from levelsense.game.state import CELLS, COUNT_NAMES, MOST_DROPS
from levelsense.kernel import kernel


@kernel
def forget(tree: Any) -> None:
    """Forgets everything before an attempt. The tree is modified in place."""
    tree.number[CHOSEN] = NONE
    tree.number[NODES] = 0
    tree.number[HAS_RANGE] = 0
    for move in range(MOST_MOVES):
        tree.mast_visits[move] = 0.0
        tree.mast_value[move] = 0.0


@kernel
def plant(states: Any, tree: Any) -> None:
    """Starts a new tree at the game's state; what was learned of scores and moves is kept.

    Modified in place.
    """
    tree.number[NODES] = 0
    tree.number[ACTIONS] = 0
    tree.number[SCORES] = 0
    tree.number[ROOT] = new_node(tree, NONE)
    states[FIRST_NODE] = states[GAME]


@kernel
def same_position(one: Any, other: Any) -> bool:
    """Whether two states are the same in all that the rest of an attempt depends on.

    The legal swaps follow from the board; how many shuffles there were and how long cascades, nothing asks.
    """
    if one.moves_left != other.moves_left or one.time_left != other.time_left or one.score != other.score:
        return False
    if one.moves_made != other.moves_made or one.paid != other.paid or one.status != other.status:
        return False
    for k in range(len(COUNT_NAMES)):
        if one.count[k] != other.count[k]:
            return False
    for k in range(MOST_DROPS):
        if one.dropped[k] != other.dropped[k]:
            return False
    for i in range(CELLS):
        if one.piece[i] != other.piece[i] or one.color[i] != other.color[i] or one.timer[i] != other.timer[i]:
            return False
        if one.blocker[i] != other.blocker[i] or one.jelly[i] != other.jelly[i]:
            return False
    return True


@kernel
def plant_or_keep(states: Any, tree: Any, options: Any) -> None:
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
