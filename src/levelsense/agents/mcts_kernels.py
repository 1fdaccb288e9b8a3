"""Monte Carlo tree search with chance nodes: Sparse UCT as in Poromaa's thesis, chapter 3, with its variants.

A simulation descends the tree, plays on from the node that it adds, turns the end into a signal from 0 to 1
and backs it up. Everything random in it comes from the search's own generator: the game's future is not seen.
"""

import math
from typing import Any

import numpy as np

from levelsense.agents.attempt import GAME, OWN
from levelsense.agents.tree import (
    ACTIONS,
    CHOSEN,
    HAS_RANGE,
    HIGH,
    LEAF,
    LOW,
    MOVES,
    NODES,
    NONE,
    PENDING,
    ROOT,
    SCORES,
)
from levelsense.game.cascade import play
from levelsense.game.goals import progress
from levelsense.game.moves import list_moves
from levelsense.game.rng import below
from levelsense.game.state import CELLS, PLAYING, WON
from levelsense.kernel import kernel

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
) = range(12)
GOALS, BINARY, SCORE, COMBINED = range(4)
RANDOM, TO_MAST, HEURISTIC, CLOUDED = range(4)
MAX, ROBUST, ROBUST_MAX = range(3)

# states[OWN] is played to the end in playouts; the state of node n is states[FIRST_NODE + n].
FIRST_NODE = OWN + 1
MAST_TEMPERATURE = 0.25
MAST_UNSEEN = 1.0
UNIT = 1 << 24
SETTLE_EVERY = 8


@kernel
def uniform(rng: Any) -> float:
    """A number from 0 up to, but not, 1."""
    return below(rng, UNIT) / UNIT


@kernel
def ucb(value: float, visits: float, parent_visits: float, c: float) -> float:
    """The upper confidence bound of an action (equation 3.1)."""
    return value / visits + c * math.sqrt(math.log(parent_visits) / visits)


@kernel
def _new_node(tree: Any, action: int) -> int:
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
def _list_actions(states: Any, tree: Any, node: int) -> bool:
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
def _select_action(rng: Any, tree: Any, node: int, c: float) -> int:
    """An action of a node not tried yet, drawn; when all are, the one with the largest bound."""
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
    best = first
    highest = -1.0
    for action in range(first, first + count):
        bound = ucb(tree.action_value[action], tree.action_visits[action], tree.node_visits[node], c)
        if bound > highest:
            highest = bound
            best = action
    return best  # type: ignore[no-any-return]


@kernel
def _sampled_node(rng: Any, tree: Any, action: int) -> int:
    """One of the nodes sampled for an action, drawn."""
    skip = below(rng, tree.action_nodes[action])
    node = tree.action_first[action]
    while skip:
        node = tree.node_next[node]
        skip -= 1
    return node  # type: ignore[no-any-return]


@kernel
def descend(states: Any, rng: Any, tree: Any, options: Any) -> int:
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
        if tree.node_first[node] == NONE and not _list_actions(states, tree, node):
            break
        action = _select_action(rng, tree, node, options[C])
        is_full = tree.number[NODES] >= tree.node_from.shape[0]
        if tree.action_nodes[action] < options[BRANCHING] and not is_full:
            added = _new_node(tree, action)
            states[FIRST_NODE + added] = states[FIRST_NODE + node]
            tree.number[PENDING] = tree.action_move[action]
            return added
        if tree.action_nodes[action] == 0:
            break
        node = _sampled_node(rng, tree, action)
    return node  # type: ignore[no-any-return]


@kernel
def normalized_score(score: float, low: float, high: float) -> float:
    """A score on the scale of the previous search, from 0 to 1 (equation 3.3)."""
    if high <= low:
        return 1.0 if score > low else 0.0
    return max(0.0, min(1.0, (score - low) / (high - low)))


@kernel
def signal(level: Any, state: Any, score_range: Any, has_range: int, kind: int, shrinking: float) -> float:
    """What the end of a playout is worth: 1 if won, else by the kind of signal (equations 3.2 and 3.3)."""
    if state.status == WON:
        return 1.0
    goals = progress(level, state) if kind == GOALS or kind == COMBINED else 0.0
    score = 0.0
    if has_range and (kind == SCORE or kind == COMBINED):
        score = normalized_score(state.score, score_range[LOW], score_range[HIGH])
    if kind == COMBINED:
        return shrinking * (0.5 * goals + 0.5 * score)
    return shrinking * (goals + score)


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


@kernel
def draw_in_proportion(rng: Any, values: Any, count: int) -> int:
    """A place drawn with a probability in proportion to its value (equation 3.4).

    All alike if none has any.
    """
    total = 0.0
    for k in range(count):
        total += values[k]
    if total <= 0.0:
        return below(rng, count)
    point = uniform(rng) * total
    for k in range(count):
        point -= values[k]
        if point < 0.0:
            return k
    return count - 1


@kernel
def free_move(level: Any, states: Any, rng: Any, work: Any, tree: Any, kind: int) -> int:
    """A playout's move, drawn: all alike, or in proportion to exp(average / temperature) of TO-MAST."""
    count = list_moves(states[OWN], tree.playout_moves)
    if kind != TO_MAST:
        return tree.playout_moves[below(rng, count)]  # type: ignore[no-any-return]
    for k in range(count):
        move = tree.playout_moves[k]
        average = MAST_UNSEEN
        if tree.mast_visits[move] > 0:
            average = tree.mast_value[move] / tree.mast_visits[move]
        tree.playout_values[k] = math.exp(average / MAST_TEMPERATURE)
    return tree.playout_moves[draw_in_proportion(rng, tree.playout_values, count)]  # type: ignore[no-any-return]


def guided_move(level: Any, states: Any, rng: Any, work: Any, tree: Any, kind: int) -> int:
    """A playout's move by the heuristic: the best, or drawn in proportion to its value (equation 3.4)."""
    count = list_moves(states[OWN], tree.playout_moves)
    heuristic_values(level, states, OWN, work, tree.playout_moves, count, tree.playout_values)
    if kind == CLOUDED:
        return tree.playout_moves[draw_in_proportion(rng, tree.playout_values, count)]  # type: ignore[no-any-return]
    best = 0
    for k in range(1, count):
        if tree.playout_values[k] > tree.playout_values[best]:
            best = k
    return tree.playout_moves[best]  # type: ignore[no-any-return]


@kernel
def plant(states: Any, tree: Any) -> None:
    """Starts a new tree at the game's state; what was learned of scores and moves is kept.

    Modified in place.
    """
    tree.number[NODES] = 0
    tree.number[ACTIONS] = 0
    tree.number[SCORES] = 0
    tree.number[ROOT] = _new_node(tree, NONE)
    states[FIRST_NODE] = states[GAME]


@kernel
def _same_position(one: Any, other: Any) -> bool:
    """Whether two states have the same board and the same limit left."""
    if one.moves_left != other.moves_left or one.time_left != other.time_left or one.score != other.score:
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
    room = tree.node_from.shape[0] - tree.number[NODES]
    if options[KEEP_TREE] and chosen != NONE and room >= options[SIMULATIONS]:
        node = tree.action_first[chosen]
        while node != NONE:
            if _same_position(states[FIRST_NODE + node], states[GAME]):
                tree.number[ROOT] = node
                tree.number[SCORES] = 0
                return
            node = tree.node_next[node]
    plant(states, tree)


@kernel
def best_action(tree: Any, final: int) -> int:
    """The action to take, by the most visits or the highest mean.

    NONE if robust-max finds no action with both.
    """
    root = tree.number[ROOT]
    first, count = tree.node_first[root], tree.node_actions[root]
    by_mean = first
    by_visits = first
    highest = -1.0
    for action in range(first, first + count):
        visits = tree.action_visits[action]
        mean = tree.action_value[action] / visits if visits else -0.5
        if mean > highest or (mean == highest and visits > tree.action_visits[by_mean]):
            highest = mean
            by_mean = action
        if visits > tree.action_visits[by_visits]:
            by_visits = action
    if final == MAX:
        return by_mean  # type: ignore[no-any-return]
    if final == ROBUST or tree.action_visits[by_mean] == tree.action_visits[by_visits]:
        return by_visits if final == ROBUST else by_mean  # type: ignore[no-any-return]
    return NONE


@kernel
def is_settled(tree: Any, left: int) -> bool:
    """Whether one action has the highest mean, and more visits than another can reach with so many more."""
    action = best_action(tree, ROBUST_MAX)
    if action == NONE:
        return False
    root = tree.number[ROOT]
    first = tree.node_first[root]
    for other in range(first, first + tree.node_actions[root]):
        if other != action and tree.action_visits[other] + left >= tree.action_visits[action]:
            return False
    return True


@kernel
def learn_range(tree: Any) -> None:
    """Takes the range of scores from the quartiles of this search, for the next one (equation 3.3).

    Modified in place.
    """
    count = tree.number[SCORES]
    if count == 0:
        return
    scores = np.sort(tree.score[:count])
    first, third = quantile(scores, 0.25), quantile(scores, 0.75)
    reach = 1.5 * (third - first)
    tree.range[LOW] = max(0.0, first - reach)
    tree.range[HIGH] = third + reach
    tree.number[HAS_RANGE] = 1


@kernel
def quantile(ordered: Any, share: float) -> float:
    """The quantile of ordered numbers, by linear interpolation."""
    place = share * (ordered.shape[0] - 1)
    low = int(place)
    high = min(low + 1, ordered.shape[0] - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])  # type: ignore[no-any-return]


@kernel
def _note_score(tree: Any, score: int) -> None:
    """Keeps the final score of a playout for the quartiles. The tree is modified in place."""
    if tree.number[SCORES] < tree.score.shape[0]:
        tree.score[tree.number[SCORES]] = score
        tree.number[SCORES] += 1


@kernel
def forget(tree: Any) -> None:
    """Forgets everything before an attempt. The tree is modified in place."""
    tree.number[CHOSEN] = NONE
    tree.number[NODES] = 0
    tree.number[HAS_RANGE] = 0
    for move in range(MOVES):
        tree.mast_visits[move] = 0.0
        tree.mast_value[move] = 0.0


def playout_move(level: Any, states: Any, rng: Any, work: Any, tree: Any, kind: int) -> int:
    """Stands for the kernel that chooses the moves of playouts, in states[OWN]."""
    raise NotImplementedError


def heuristic_values(
    level: Any, states: Any, at: int, work: Any, moves: Any, count: int, values: Any
) -> None:
    """Stands for the heuristic agent's kernel; put in when its playouts are first asked for."""
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
        _note_score(tree, end.score)
        back_up(tree, leaf, value, int(end.status == WON))
        tree.number[LEAF] = leaf
        if options[SETTLE] and done % SETTLE_EVERY == 0 and is_settled(tree, simulations - done - 1):
            return
