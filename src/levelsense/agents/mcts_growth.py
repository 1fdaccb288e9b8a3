"""Monte Carlo tree search with chance nodes: Sparse UCT as in Poromaa's thesis, chapter 3, with its variants.

A simulation descends the tree, plays on from the node that it adds, turns the end into a signal from 0 to 1
and backs it up. Everything random in it comes from the search's own generator: the game's future is not seen.
"""

from typing import Any

from levelsense.agents.attempt import OWN
from levelsense.agents.mcts_choice import is_settled
from levelsense.agents.mcts_options import FINAL, FIRST_NODE, PLAYOUT, SETTLE, SHRINKING, SIGNAL
from levelsense.agents.mcts_selection import descend
from levelsense.agents.mcts_signals import note_score, signal
from levelsense.agents.tree import HAS_RANGE, LEAF, NONE, PENDING, ROOT
from levelsense.game.cascade import play
from levelsense.game.state import PLAYING, WON
from levelsense.kernel import kernel

SETTLE_EVERY = 8


def playout_move(level: Any, states: Any, rng: Any, work: Any, tree: Any, kind: int) -> int:
    """Stands for the kernel that chooses the moves of playouts, in states[OWN]."""
    raise NotImplementedError


def grow_tree(
    level: Any, states: Any, rng: Any, work: Any, tree: Any, options: Any, simulations: int
) -> None:
    """Makes so many simulations, or fewer if the choice is settled. All but level and options are modified.

    The move into a new node and those of the playout go through one call of play, which is most of what there
    is to compile.
    """
    for done in range(simulations):
        leaf = descend(states, rng, tree, options)
        states[OWN] = states[FIRST_NODE + leaf]
        end = states[OWN]
        is_new = tree.number[PENDING] != NONE
        while is_new or end.status == PLAYING:
            if is_new:
                move = tree.number[PENDING]
            else:
                move = playout_move(level, states, rng, work, tree, int(options[PLAYOUT]))
            play(level, end, rng, work, move)
            if is_new:
                states[FIRST_NODE + leaf] = states[OWN]
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
def back_up(tree: Any, leaf: int, value: float, won: int) -> None:
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
