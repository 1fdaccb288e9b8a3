"""The score of a round by each of the three scoring schemes, and the progress of the goals."""

from levelsense.game.state import PIECES_SCORING, SAGA_SCORING, LevelRecord, State
from levelsense.kernel import kernel

LINE_OF_THREE, LINE_OF_FOUR, LINE_OF_FIVE_OR_CROSSING = 60, 120, 200
BLASTED_PIECE = 60
JELLY_LAYER = 1_000
BLOCKER_LAYER = 20
COUNTDOWN_REMOVED = 3_000
INGREDIENT = 10_000
REMAINING_MOVE = 3_000


@kernel
def group_value(longest: int, crosses: bool) -> int:
    """The saga value of a group of lines, before the cascade's factor."""
    if longest >= 5 or crosses:
        return LINE_OF_FIVE_OR_CROSSING
    if longest == 4:
        return LINE_OF_FOUR
    return LINE_OF_THREE


@kernel
def score_group(level: LevelRecord, state: State, longest: int, crosses: bool, cascade_round: int) -> None:
    """Adds what a group of lines is worth. The state is modified in place."""
    if level.scoring == SAGA_SCORING:
        state.score += group_value(longest, crosses) * cascade_round


@kernel
def score_piece(level: LevelRecord, state: State, in_line: bool) -> None:
    """Adds what a removed piece is worth by itself. The state is modified in place."""
    if level.scoring == PIECES_SCORING:
        state.score += 1
    elif level.scoring == SAGA_SCORING and not in_line:
        state.score += BLASTED_PIECE


@kernel
def score_saga(level: LevelRecord, state: State, points: int) -> None:
    """Adds points that only the saga scheme knows. The state is modified in place."""
    if level.scoring == SAGA_SCORING:
        state.score += points


@kernel
def quadratic_value(longest: int, cascade_round: int) -> int:
    """Lee et al., section 4.1: (10 c^2 - 10 c) i for the longest line c of round i."""
    return (10 * longest * longest - 10 * longest) * cascade_round


@kernel
def is_asked(level: LevelRecord, state: State, count: int) -> bool:
    """Whether a goal still asks for a count."""
    return bool(state.count[count] < level.asked[count])


@kernel
def goals_met(level: LevelRecord, state: State) -> bool:
    """Whether every goal of the level is met."""
    if state.score < level.asked_score:
        return False
    for k in range(level.goals):
        count = level.goal_count[k]
        if state.count[count] < level.asked[count]:
            return False
    return True


@kernel
def progress(level: LevelRecord, state: State) -> float:
    """The mean share of each goal that is done, from 0 to 1 (1 only if all goals are met)."""
    total = 0.0
    goals = level.goals
    if level.asked_score > 0:
        goals += 1
        total += min(1.0, state.score / level.asked_score)
    for k in range(level.goals):
        count = level.goal_count[k]
        total += min(1.0, state.count[count] / level.asked[count])
    return total / goals


@kernel
def status(state: State) -> int:
    """PLAYING, WON or LOST."""
    return state.status
