"""A position as 102 planes of 9 x 9 numbers, and the numbers of the 144 swaps on such a board.

The groups are those of Gudmundsson et al., "Human-Like Playtesting with Deep Learning" (2018), section III.B:
80 planes of items, 20 of goals that are not met yet, one of the cells that a legal move swaps, and one of
ones. All numbers are 0 or 1. A board smaller than 9 x 9 lies in the upper left corner; beyond it, planes of
items and legal moves are 0. PLANE_NAMES says what each plane shows.

    planes 0 to 47   pieces, jelly and tiles       one plane for each kind, of some kinds one for each color
           48 to 79  blockers                      one for each code: an element with a number of layers
           80 to 99  goals                         all ones while a goal of the group is not met
           100       cells of legal moves
           101       ones

Swaps are numbered along the inner edges of the board: first those of a cell and its right neighbor, row by
row, then those of a cell and the one below.

     +--+--+--+        0  1  2 ..  7          72 73 74 .. 80
     |  0  1  |        8  9 10 .. 15          81 82 83 .. 89
     +72+73+74+        ...                    ...
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import AgentError
from levelsense.game.moves import REVERSED, first_cell, second_cell
from levelsense.game.state import (
    CODED_BLOCKERS,
    COLOR_BOMB,
    COLOR_NAMES,
    COUNT_NAMES,
    COUNTDOWN,
    EMPTY,
    HIGHEST_COLOR,
    NO_BLOCKER,
    NO_ENTRY,
    STRIDE,
    STRIPED_ROW,
    WRAPPED,
    Array,
    LevelRecord,
    Moves,
    State,
)
from levelsense.kernel import kernel
from levelsense.level.elements import BLOCKER
from levelsense.level.level import Level

# Raised by one with every change of the planes or of the numbers of swaps; networks say which they expect.
ENCODING: Final = 1

SIDE: Final = 9
PLANES: Final = 102
ACROSS: Final = SIDE * (SIDE - 1)  # swaps with the right neighbor; the others follow
SWAPS: Final = 2 * ACROSS

# Planes of items. A piece with a color is shown by its color's plane, whatever its kind, and by its kind's.
COLOR_PLANE: Final = 0
SPECIAL_PLANE: Final = HIGHEST_COLOR  # striped along the row, along the column, and wrapped, by color
BOMB_PLANE: Final = SPECIAL_PLANE + 3 * HIGHEST_COLOR
_PIECE_NAMES: Final = (
    "color bomb",
    "sugar candy",
    "time candy",
    "countdown bomb",
    "swirl",
    "cherry",
    "hazelnut",
)
FUSE_PLANE: Final = BOMB_PLANE + len(_PIECE_NAMES)
FUSES: Final = np.array([2, 4, 8])  # moves
JELLY_PLANE: Final = FUSE_PLANE + len(FUSES)
TILE_PLANE, EMPTY_PLANE, EXIT_PLANE, ENTRY_PLANE = range(JELLY_PLANE + 2, JELLY_PLANE + 6)
BLOCKER_PLANE: Final = 48
GOAL_PLANE: Final = 80
LEGAL_PLANE: Final = 100
ONES_PLANE: Final = 101

# Goals, of which there are more than planes: those that are alike to a player share one.
GOAL_NAMES: Final = (
    "score",
    "jelly",
    "ingredients",
    *COLOR_NAMES,
    "striped candies",
    "wrapped candies",
    "color bombs",
    "combinations with a color bomb",
    "combinations of striped and wrapped candies",
    "blockers that stay",
    "blockers that grow",
    "covers",
    "swirls, countdown bombs, sugar and time candies",
)
_SHARED: Final = {
    "cherry": "ingredients",
    "hazelnut": "ingredients",
    "striped": "striped candies",
    "wrapped": "wrapped candies",
    "color bomb": "color bombs",
    "color bomb+striped": "combinations with a color bomb",
    "color bomb+wrapped": "combinations with a color bomb",
    "color bomb+color bomb": "combinations with a color bomb",
    "striped+striped": "combinations of striped and wrapped candies",
    "striped+wrapped": "combinations of striped and wrapped candies",
    "wrapped+wrapped": "combinations of striped and wrapped candies",
    "swirl": "swirls, countdown bombs, sugar and time candies",
    "countdown": "swirls, countdown bombs, sugar and time candies",
    "sugar": "swirls, countdown bombs, sugar and time candies",
    "time": "swirls, countdown bombs, sugar and time candies",
}


def _goal_group(count: str) -> str:
    """The group of goals that a count belongs to, by its name."""
    if count in BLOCKER:
        element = BLOCKER[count]
        if element.place == "cover":
            return "covers"
        return "blockers that grow" if element.grows else "blockers that stay"
    return _SHARED.get(count, count)


# The plane of each count that a goal may ask for.
PLANE_OF_COUNT: Final = np.array(
    [GOAL_PLANE + GOAL_NAMES.index(_goal_group(count)) for count in COUNT_NAMES], np.int64
)


def _plane_names() -> tuple[str, ...]:
    """What each plane shows; an empty text for a plane that is always 0."""
    names = [""] * PLANES
    names[:SPECIAL_PLANE] = [f"{color} piece" for color in COLOR_NAMES]
    kinds = ("candy striped along the row", "candy striped along the column", "wrapped candy")
    names[SPECIAL_PLANE:BOMB_PLANE] = [f"{color} {kind}" for kind in kinds for color in COLOR_NAMES]
    names[BOMB_PLANE:FUSE_PLANE] = _PIECE_NAMES
    names[FUSE_PLANE:JELLY_PLANE] = [f"countdown bomb with at most {fuse} moves left" for fuse in FUSES]
    names[JELLY_PLANE : JELLY_PLANE + 2] = ["jelly", "two layers of jelly"]
    names[TILE_PLANE : ENTRY_PLANE + 1] = ["tile", "empty tile", "exit", "cell that new pieces enter at"]
    for code, blocker in enumerate(CODED_BLOCKERS):
        if blocker is not None:
            name, layers = blocker
            has_layers = BLOCKER[name].most_layers > 1
            names[BLOCKER_PLANE + code - 1] = f"{name}, layers: {layers}" if has_layers else name
    names[GOAL_PLANE:LEGAL_PLANE] = [f"goal: {name}" for name in GOAL_NAMES]
    names[LEGAL_PLANE:] = ["cell of a legal move", "ones"]
    return tuple(names)


PLANE_NAMES: Final = _plane_names()


@kernel
def swap_number(move: int) -> int:
    """The number, from 0 to 143, of the swap that a move makes; its two directions are one swap."""
    swap = move % REVERSED
    row, column = swap // 2 // STRIDE, swap // 2 % STRIDE
    return ACROSS + row * SIDE + column if swap & 1 else row * (SIDE - 1) + column


def swap_move(number: int) -> int:
    """The move that a number from 0 to 143 stands for: the piece of the left or upper cell is moved."""
    if number < ACROSS:
        row, column = divmod(number, SIDE - 1)
        return 2 * (row * STRIDE + column)
    row, column = divmod(number - ACROSS, SIDE)
    return 2 * (row * STRIDE + column) + 1


@kernel
def _write_piece(state: State, i: int, planes: Array, row: int, column: int) -> None:
    """Writes the piece of a cell. Planes are modified in place."""
    piece, color = state.piece[i], state.color[i]
    if color > 0:
        planes[COLOR_PLANE + color - 1, row, column] = 1.0
        if STRIPED_ROW <= piece <= WRAPPED:
            kind = piece - STRIPED_ROW
            planes[SPECIAL_PLANE + kind * HIGHEST_COLOR + color - 1, row, column] = 1.0
    # The pieces from the color bomb to the hazelnut are in the order of their planes.
    plane = BOMB_PLANE + piece - COLOR_BOMB
    if BOMB_PLANE <= plane < FUSE_PLANE:
        planes[plane, row, column] = 1.0
    if piece == COUNTDOWN:
        for k in range(FUSES.shape[0]):
            planes[FUSE_PLANE + k, row, column] = state.timer[i] <= FUSES[k]


@kernel
def _write_cells(level: LevelRecord, state: State, planes: Array) -> None:
    """Writes what is in the cells of the board. Planes are modified in place."""
    for row in range(level.rows):
        for column in range(level.columns):
            i = row * STRIDE + column
            if not level.tile[i]:
                continue
            planes[TILE_PLANE, row, column] = 1.0
            planes[JELLY_PLANE, row, column] = state.jelly[i] >= 1
            planes[JELLY_PLANE + 1, row, column] = state.jelly[i] >= 2
            blocker = state.blocker[i]
            if blocker != NO_BLOCKER:
                planes[BLOCKER_PLANE + blocker - 1, row, column] = 1.0
            if state.piece[i] != EMPTY:
                _write_piece(state, i, planes, row, column)
            elif blocker == NO_BLOCKER:
                planes[EMPTY_PLANE, row, column] = 1.0
    for k in range(level.exits):
        i = level.exit_cell[k]
        planes[EXIT_PLANE, i // STRIDE, i % STRIDE] = 1.0
    for chain in range(level.chains):
        if level.chain_entry[chain] != NO_ENTRY:
            i = level.chain_cell[level.chain_first[chain + 1] - 1]
            planes[ENTRY_PLANE, i // STRIDE, i % STRIDE] = 1.0


@kernel
def _write_goals(level: LevelRecord, state: State, planes: Array) -> None:
    """Writes which goals are not met yet. Planes are modified in place."""
    if state.score < level.asked_score:
        planes[GOAL_PLANE] = 1.0
    for k in range(level.goals):
        count = level.goal_count[k]
        if state.count[count] < level.asked[count]:
            planes[PLANE_OF_COUNT[count]] = 1.0


@kernel
def write_planes(level: LevelRecord, state: State, moves: Moves, count: int, planes: Array) -> None:
    """Writes the planes of a state whose legal moves are the first `count`. Planes are modified in place.

    The board must be at most 9 x 9.
    """
    planes[:] = 0.0
    _write_cells(level, state, planes)
    _write_goals(level, state, planes)
    for k in range(count):
        first, second = first_cell(moves[k]), second_cell(moves[k])
        planes[LEGAL_PLANE, first // STRIDE, first % STRIDE] = 1.0
        planes[LEGAL_PLANE, second // STRIDE, second % STRIDE] = 1.0
    planes[ONES_PLANE] = 1.0


def new_planes(count: int = 1) -> NDArray[np.float32]:
    """Room for the planes of some positions."""
    return np.zeros((count, PLANES, SIDE, SIDE), np.float32)


def fits_planes(level: Level) -> bool:
    """Whether the board of a level is not larger than the planes."""
    return level.rows <= SIDE and level.columns <= SIDE


def refuse_large(level: Level) -> None:
    """AgentError if the board of a level is larger than the planes."""
    if not fits_planes(level):
        raise AgentError(
            f"{level.name}: a board of {level.rows} rows and {level.columns} columns; "
            f"expected at most {SIDE} of each, which is all that networks over planes see"
        )
