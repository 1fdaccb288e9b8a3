"""The choice at the end of a search: which action is best, and whether that is settled."""

from typing import Any

from levelsense.agents.mcts_options import MAX, ROBUST, ROBUST_MAX
from levelsense.agents.tree import NONE, ROOT
from levelsense.kernel import kernel


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
