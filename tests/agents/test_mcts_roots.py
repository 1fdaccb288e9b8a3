"""Kept trees: when two positions are the same, and when there is no room to go on."""

from typing import Any

import numpy as np
import pytest

from levelsense.agents.attempt import GAME
from levelsense.agents.mcts.growth import plant, plant_or_keep, same_position
from levelsense.agents.mcts.selection import descend, new_node
from levelsense.agents.mcts.tree import (
    ACTIONS,
    CHOSEN,
    FIRST_NODE,
    KEEP_TREE,
    NODES,
    NONE,
    ROOT,
    SIMULATIONS,
    Tree,
    new_tree,
)
from levelsense.agents.registry import parse_agent
from levelsense.game.game import Game
from levelsense.game.moves import MOST_MOVES
from levelsense.game.record import level_record
from levelsense.game.state import STATE_DTYPE, new_state, new_work
from levelsense.level.level import Level
from levelsense.rng import new_rng

# What nothing in the rest of an attempt depends on, and what follows from the board.
TOLD_ONLY = {"shuffles", "longest_cascade"}
FOLLOWING = {"right", "down", "reason"}


@pytest.mark.parametrize("field", sorted(set(STATE_DTYPE.names or ()) - TOLD_ONLY - FOLLOWING))
def test_positions_differ_in_everything_that_matters(field: str) -> None:
    states = new_state(2)
    states[0] = states[1] = Game(Level.load("30-grand-tour"), 1).state
    assert same_position(states[0], states[1])
    values = states[1:][field]
    values.reshape(-1)[-1] += 1
    assert not same_position(states[0], states[1])


@pytest.mark.parametrize("field", sorted(TOLD_ONLY))
def test_what_is_only_told_makes_no_other_position(field: str) -> None:
    states = new_state(2)
    states[1:][field] += 1
    assert same_position(states[0], states[1])


def planted() -> tuple[Any, Tree, Any]:
    """A search whose chosen action has one sampled state, which the game then came to."""
    options = np.array(parse_agent("mcts:simulations=10,keep_tree=true").codes)
    tree, states = new_tree(40), new_state(FIRST_NODE + 41)
    game = Game(Level.load("01-first-steps"), seed=1)
    states[GAME] = game.state
    plant(states, tree)
    level = level_record(game.level).level
    leaf = descend(level, states, new_rng(5), new_work(), tree, options)
    tree.number[CHOSEN] = tree.node_from[leaf]
    states[FIRST_NODE + leaf] = states[GAME]
    return states, tree, options


def test_a_tree_is_kept_while_there_is_room() -> None:
    states, tree, options = planted()
    assert (options[SIMULATIONS], options[KEEP_TREE]) == (10, 1)
    plant_or_keep(states, tree, options)
    assert tree.number[ROOT] == 1


def test_a_tree_is_not_kept_without_room_for_its_roots_moves() -> None:
    """Or the new root would have no action to choose."""
    states, tree, options = planted()
    tree.number[ACTIONS] = len(tree.action_of) - MOST_MOVES + 1
    plant_or_keep(states, tree, options)
    assert (tree.number[ROOT], tree.number[NODES], tree.number[ACTIONS]) == (0, 1, 0)


def test_a_tree_is_not_kept_without_room_for_the_next_simulations() -> None:
    states, tree, options = planted()
    while len(tree.node_from) - tree.number[NODES] >= 10:
        new_node(tree, NONE)
    plant_or_keep(states, tree, options)
    assert (tree.number[ROOT], tree.number[NODES]) == (0, 1)
