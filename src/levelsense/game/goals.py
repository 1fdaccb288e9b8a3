"""Goals asked against counts kept: whether an attempt is won, and how far it has come."""

from typing import Any

from levelsense.kernel import kernel


@kernel
def goals_met(level: Any, state: Any) -> bool:
    """Whether every goal of the level is met."""
    if state.score < level.asked_score:
        return False
    for k in range(level.goals):
        count = level.goal_count[k]
        if state.count[count] < level.asked[count]:
            return False
    return True


@kernel
def progress(level: Any, state: Any) -> float:
    """The mean share of each goal that is done, from 0 to 1 (1 only if all goals are met)."""
    total = 0.0
    goals = level.goals
    if level.asked_score > 0:
        goals += 1
        total += min(1.0, state.score / level.asked_score)
    for k in range(level.goals):
        count = level.goal_count[k]
        total += min(1.0, state.count[count] / level.asked[count])
    return total / goals  # type: ignore[no-any-return]


@kernel
def status(state: Any) -> int:
    """PLAYING, WON or LOST."""
    return state.status  # type: ignore[no-any-return]
