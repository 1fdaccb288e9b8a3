"""What a round is worth, by each of the three scoring schemes."""

from typing import Any

from levelsense.game.state import PIECES_SCORING, SAGA_SCORING
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
def score_group(level: Any, state: Any, longest: int, crosses: bool, cascade_round: int) -> None:
    """Adds what a group of lines is worth. The state is modified in place."""
    if level.scoring == SAGA_SCORING:
        state.score += group_value(longest, crosses) * cascade_round


@kernel
def score_piece(level: Any, state: Any, in_line: bool) -> None:
    """Adds what a removed piece is worth by itself. The state is modified in place."""
    if level.scoring == PIECES_SCORING:
        state.score += 1
    elif level.scoring == SAGA_SCORING and not in_line:
        state.score += BLASTED_PIECE


@kernel
def score_saga(level: Any, state: Any, points: int) -> None:
    """Adds points that only the saga scheme knows. The state is modified in place."""
    if level.scoring == SAGA_SCORING:
        state.score += points


@kernel
def quadratic_value(longest: int, cascade_round: int) -> int:
    """Lee et al., section 4.1: (10 c^2 - 10 c) i for the longest line c of round i."""
    return (10 * longest * longest - 10 * longest) * cascade_round
