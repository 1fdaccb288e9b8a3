"""The choice at the end of a search: which action is best, and whether that is settled."""

from typing import Any

from levelsense.agents.mcts_options import MAX, ROBUST
from levelsense.agents.tree import NONE, ROOT
from levelsense.kernel import kernel

# Means that differ by less may be equal: sums of many signals are rounded.
ROUNDING = 1e-9


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
def _stays_most_visited(tree: Any, action: int, other: int, left: int) -> bool:
    """Whether an action keeps more visits than another if all simulations that are left go to the other."""
    return bool(tree.action_visits[other] + left < tree.action_visits[action])


@kernel
def _stays_higher(tree: Any, action: int, other: int, left: int) -> bool:
    """Whether an action's mean stays above another's, whatever the simulations that are left find.

    Signals are from 0 to 1. At worst k of those left go to the other and are worth 1 each, the rest go to
    the action and are worth 0. For every k, value / (visits + left - k) has to stay above the other's
    (value + k) / (visits + k). Multiplied out that is a parabola in k, looked at where it is lowest.
    """
    value, visits = tree.action_value[action], float(tree.action_visits[action])
    other_value, other_visits = tree.action_value[other], float(tree.action_visits[other])
    k = max(0.0, min(float(left), 0.5 * (visits + left - value - other_value)))
    lowest = value * (other_visits + k) - (other_value + k) * (visits + left - k)
    return bool(lowest > ROUNDING * (visits + left) * (other_visits + left))


@kernel
def is_settled(tree: Any, final: int, left: int) -> bool:
    """Whether so many more simulations cannot change which action is taken."""
    action = best_action(tree, final)
    if action == NONE:
        return False
    root = tree.number[ROOT]
    first = tree.node_first[root]
    for other in range(first, first + tree.node_actions[root]):
        if other == action:
            continue
        if final != MAX and not _stays_most_visited(tree, action, other, left):
            return False
        if final != ROBUST and not _stays_higher(tree, action, other, left):
            return False
    return True
