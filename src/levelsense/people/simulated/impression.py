"""What a swap looks like to a simulated player: lines it sees at a glance, not what they set off.

An impression is four numbers, each about 1 for something worth a glance. Nothing is played: a player sees
the candies that will line up, what lies under and beside them, and a special that would be made or struck.
"""

from typing import Any

import numpy as np

from levelsense.agents.swaps import is_wanted, lines_through, wants_ingredients
from levelsense.game.cascade import swap_pieces
from levelsense.game.items import is_combination
from levelsense.game.moves import first_cell, second_cell
from levelsense.game.score import is_asked
from levelsense.game.state import (
    BLOCKER_COUNT,
    COLOR_BOMB,
    COUNT_COLOR,
    COUNT_COUNTDOWN,
    COUNT_JELLY,
    COUNT_SWIRL,
    COUNTDOWN,
    IS_TOUCHED,
    NO_BLOCKER,
    PLAIN,
    STRIDE,
    STRIPED_ROW,
    SWIRL,
    TIME,
    WRAPPED,
    Array,
    LevelRecord,
    State,
)
from levelsense.kernel import kernel

# The parts of an impression, and what players see in specials that are made, struck and swapped.
SIZE, GOAL, SPECIAL, DANGER, PARTS = 0, 1, 2, 3, 4
MAKES_STRIPED, MAKES_WRAPPED, MAKES_BOMB = 1.0, 1.6, 3.0
STRIKES_SPECIAL, SWAPS_SPECIALS, SWAPS_BOMB = 0.8, 2.5, 3.0
BESIDE_BLOCKER, UNDER_INGREDIENT, IN_THE_WAY = 0.8, 0.7, 0.25


def new_impression() -> Any:
    """Room for one impression."""
    return np.zeros(PARTS)


@kernel
def _blocker_appeal(level: LevelRecord, state: State, i: int) -> float:
    """How much a player wants to strike the blocker or swirl of a cell."""
    blocker = state.blocker[i]
    if blocker == NO_BLOCKER:
        if state.piece[i] != SWIRL:
            return 0.0
        return 1.0 if is_asked(level, state, COUNT_SWIRL) else IN_THE_WAY
    if is_asked(level, state, BLOCKER_COUNT[blocker]):
        return 1.0
    return 1.0 if state.jelly[i] and is_asked(level, state, COUNT_JELLY) else IN_THE_WAY


@kernel
def _appeal_beside(level: LevelRecord, state: State, i: int) -> float:
    """How much a player wants a line beside a cell, for the blocker or swirl in it."""
    blocker = state.blocker[i]
    if blocker == NO_BLOCKER or IS_TOUCHED[blocker]:
        return _blocker_appeal(level, state, i)
    return 0.0


@kernel
def _look_beside(level: LevelRecord, state: State, impression: Array, i: int) -> None:
    """Adds what a line touches beside one of its cells. The impression is modified in place."""
    row, column = i // STRIDE, i % STRIDE
    appeal = 0.0
    if row > 0:
        appeal += _appeal_beside(level, state, i - STRIDE)
    if row + 1 < level.rows:
        appeal += _appeal_beside(level, state, i + STRIDE)
    if column > 0:
        appeal += _appeal_beside(level, state, i - 1)
    if column + 1 < level.columns:
        appeal += _appeal_beside(level, state, i + 1)
    impression[GOAL] += BESIDE_BLOCKER * appeal


@kernel
def _look_above(level: LevelRecord, state: State, impression: Array, i: int) -> None:
    """Adds the ingredients above a cell, which would sink. The impression is modified in place."""
    above = i - STRIDE
    while above >= 0:
        if is_wanted(level, state, above):
            impression[GOAL] += UNDER_INGREDIENT
        above -= STRIDE


@kernel
def _look_at(level: LevelRecord, state: State, impression: Array, i: int) -> None:
    """Adds what a line takes with one of its cells. The impression is modified in place."""
    impression[SIZE] += 1.0
    if state.blocker[i] != NO_BLOCKER:
        impression[GOAL] += _blocker_appeal(level, state, i)
    elif state.jelly[i] and is_asked(level, state, COUNT_JELLY):
        impression[GOAL] += 1.0
    color, piece = state.color[i], state.piece[i]
    if color and level.asked[COUNT_COLOR + color] and is_asked(level, state, COUNT_COLOR + color):
        impression[GOAL] += 1.0
    if STRIPED_ROW <= piece <= COLOR_BOMB:
        impression[SPECIAL] += STRIKES_SPECIAL
    elif piece == COUNTDOWN:
        impression[DANGER] += 1.0 / max(1, int(state.timer[i]))
        if is_asked(level, state, COUNT_COUNTDOWN):
            impression[GOAL] += 1.0
    elif piece == TIME:
        impression[DANGER] += 0.5


@kernel
def _look_along(
    level: LevelRecord, state: State, impression: Array, first: int, step: int, length: int
) -> None:
    """Adds what a line takes and touches. The impression is modified in place."""
    has_ingredients = wants_ingredients(level, state)
    for k in range(length):
        i = first + k * step
        _look_at(level, state, impression, i)
        if level.has_touchables:
            _look_beside(level, state, impression, i)
        if has_ingredients:
            _look_above(level, state, impression, i)


@kernel
def _look_through(level: LevelRecord, state: State, impression: Array, i: int) -> None:
    """Adds the lines through a cell, and the special they leave. The impression is modified in place."""
    if state.color[i] == 0:
        return
    left, across, up, down = lines_through(level, state, i)
    if across >= 3:
        _look_along(level, state, impression, i - left, 1, across)
    if down >= 3:
        _look_along(level, state, impression, i - up * STRIDE, STRIDE, down)
    if level.rules == PLAIN:
        return
    if max(across, down) >= 5:
        impression[SPECIAL] += MAKES_BOMB
    elif min(across, down) >= 3:
        impression[SPECIAL] += MAKES_WRAPPED
    elif max(across, down) == 4:
        impression[SPECIAL] += MAKES_STRIPED


@kernel
def look_at_swap(level: LevelRecord, state: State, impression: Array, move: int) -> None:
    """Writes the impression that a legal swap makes.

    The impression is modified in place; so is the state, but it is as before when all is done.
    """
    impression[:] = 0.0
    first, second = first_cell(move), second_cell(move)
    first_piece, second_piece = state.piece[first], state.piece[second]
    if is_combination(first_piece, second_piece, state.color[first], state.color[second]):
        has_bomb = first_piece == COLOR_BOMB or second_piece == COLOR_BOMB
        impression[SPECIAL] = SWAPS_BOMB if has_bomb else SWAPS_SPECIALS
        impression[SIZE] = 3.0 + (first_piece == WRAPPED) + (second_piece == WRAPPED)
        return
    swap_pieces(state, first, second)
    _look_through(level, state, impression, first)
    _look_through(level, state, impression, second)
    swap_pieces(state, first, second)
