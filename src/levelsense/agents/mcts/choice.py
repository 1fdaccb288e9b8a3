"""The choice at the end of a search: which action is best, and whether that is settled."""

from levelsense.agents.mcts.tree import MAX, NONE, ROBUST, ROOT, Tree
from levelsense.kernel import kernel
from levelsense.rng import Rng, below

# Means that differ by less may be equal: sums of many signals are rounded.
ROUNDING = 1e-9


@kernel
def _mean(tree: Tree, action: int) -> float:
    """The mean signal of an action; less than any if it was never tried."""
    visits = tree.action_visits[action]
    return tree.action_value[action] / visits if visits else -0.5


@kernel
def _leader(tree: Tree, final: int) -> int:
    """The first of the best actions. NONE if robust-max finds no action with both."""
    root = tree.number[ROOT]
    first, count = tree.node_first[root], tree.node_actions[root]
    by_mean = first
    by_visits = first
    for action in range(first + 1, first + count):
        higher = _mean(tree, action) - _mean(tree, by_mean)
        more = tree.action_visits[action] - tree.action_visits[by_mean]
        if higher > 0.0 or (higher == 0.0 and more > 0):
            by_mean = action
        higher = _mean(tree, action) - _mean(tree, by_visits)
        more = tree.action_visits[action] - tree.action_visits[by_visits]
        if more > 0 or (more == 0 and higher > 0.0):
            by_visits = action
    if final == MAX:
        return by_mean  # type: ignore[no-any-return]
    if final == ROBUST:
        return by_visits  # type: ignore[no-any-return]
    has_both = tree.action_visits[by_mean] == tree.action_visits[by_visits]
    return by_mean if has_both else NONE


@kernel
def best_action(rng: Rng, tree: Tree, final: int) -> int:
    """The action to take: by the highest mean and then the most visits, or the other way round.

    Of equals in both it is any, each as likely as any other. NONE if robust-max finds no action with the
    highest mean and the most visits.
    """
    best = _leader(tree, final)
    if best == NONE:
        return NONE
    root = tree.number[ROOT]
    visits, mean = tree.action_visits[best], _mean(tree, best)
    equals = 1
    for action in range(best + 1, tree.node_first[root] + tree.node_actions[root]):
        if tree.action_visits[action] == visits and _mean(tree, action) == mean:
            equals += 1
            if below(rng, equals) == 0:
                best = action
    return best


@kernel
def _stays_most_visited(tree: Tree, action: int, other: int, left: int) -> bool:
    """Whether an action keeps more visits than another if all simulations that are left go to the other."""
    return bool(tree.action_visits[other] + left < tree.action_visits[action])


@kernel
def _stays_higher(tree: Tree, action: int, other: int, left: int) -> bool:
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
def is_settled(tree: Tree, final: int, left: int) -> bool:
    """Whether so many more simulations cannot change which action is taken.

    Nothing is drawn for it, so that a search that looks goes on as one that does not. An action that others
    equal is not settled.
    """
    action = _leader(tree, final)
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
