"""The policy in a search: priors of a node's actions, the selection by them (PUCT), and playouts.

Silver et al., "Mastering the game of Go without human knowledge" (2017), Methods, "Search algorithm".
"""

import math

from levelsense.agents.attempt import SCRATCH
from levelsense.agents.mcts.selection import descent, move_into
from levelsense.agents.mcts.tree import FIRST_NODE, NONE, Tree
from levelsense.agents.policy.network import EVERYONE, LAST_CELL, PERSONA, score_moves, soften
from levelsense.agents.simple import any_of_the_best
from levelsense.game.moves import first_cell, list_moves
from levelsense.game.state import NO_CELL, LevelRecord, States, Work
from levelsense.kernel import kernel, kernel_with
from levelsense.rng import Rng, draw_in_proportion

TEMPERATURE = 1.0


@kernel
def puct(mean: float, prior: float, visits: float, parent_visits: float, c: float) -> float:
    """What an action is worth to the selection: its mean, and its share of what there is to explore.

    Silver et al. have the square root of the visits of all actions, which is 0 before the first and would
    leave it to chance; here it is at least 1, so that the first goes by the prior.
    """
    return mean + c * prior * math.sqrt(max(1.0, parent_visits)) / (1.0 + visits)


@kernel
def _weigh(
    level: LevelRecord, states: States, at: int, work: Work, tree: Tree, count: int, last: int
) -> None:
    """Writes the policy's probabilities of the moves in tree.playout_moves, legal in states[at].

    They are in tree.network.score then. `last` is the move before them, NONE if there is none. The network's
    memory and work are modified in place.
    """
    network = tree.network
    network.number[LAST_CELL] = NO_CELL if last == NONE else first_cell(last)
    network.number[PERSONA] = EVERYONE
    score_moves(level, states, at, work, tree.playout_moves, count, network)
    soften(network.score, count, TEMPERATURE)


@kernel
def note_priors(level: LevelRecord, states: States, work: Work, tree: Tree, node: int) -> None:
    """Notes the policy's probabilities of a node's actions. The tree and work are modified in place."""
    first, count = tree.node_first[node], tree.node_actions[node]
    _weigh(level, states, FIRST_NODE + node, work, tree, count, move_into(tree, node))
    for k in range(count):
        tree.action_prior[first + k] = tree.network.score[k]


@kernel
def select_by_prior(rng: Rng, tree: Tree, node: int, c: float) -> int:
    """The action of the largest PUCT; one not tried yet counts with the node's own mean. Of equals any."""
    first, count = tree.node_first[node], tree.node_actions[node]
    parent_visits = tree.node_visits[node]
    parent_mean = tree.node_value[node] / parent_visits if parent_visits else 0.0
    for k in range(count):
        visits = tree.action_visits[first + k]
        mean = tree.action_value[first + k] / visits if visits else parent_mean
        tree.playout_values[k] = puct(mean, tree.action_prior[first + k], visits, parent_visits, c)
    return first + any_of_the_best(rng, tree.playout_values, count)  # type: ignore[no-any-return]


descend_by_prior = kernel_with(
    descent, "descend_by_prior", note_priors=note_priors, select_action=select_by_prior
)


@kernel
def policy_move(
    level: LevelRecord, states: States, rng: Rng, work: Work, tree: Tree, kind: int, last: int
) -> int:
    """A playout's move, drawn by the policy's probabilities."""
    count = list_moves(states[SCRATCH], tree.playout_moves)
    _weigh(level, states, SCRATCH, work, tree, count, last)
    return tree.playout_moves[draw_in_proportion(rng, tree.network.score, count)]  # type: ignore[no-any-return]
