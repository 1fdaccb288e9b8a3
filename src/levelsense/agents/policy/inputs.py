"""The inputs of the policy network by name: a row of MOVE_INPUTS for each legal move, and POSITION_INPUTS.

The inputs of a move follow MOVE_NAMES, those of a position POSITION_NAMES; consequences.py and encoding.py
compute them.
"""

from typing import Final

# Raised by one with every change of the inputs; weights of another version are refused.
ENCODING: Final = 1

# What is struck, for each cell that a move strikes in its first round.
STRUCK_NAMES: Final = (
    "pieces",
    "asked jelly",
    "layers of asked blockers",
    "layers of blockers over asked jelly",
    "layers of other blockers",
    "layers of what grows",
    "pieces of asked colors",
    "striped and wrapped candies set off",
    "color bombs set off",
    "urgency of countdown bombs",
    "asked sugar, time candies and bombs",
    "other sugar and time candies",
    "asked swirls",
    "other swirls",
    "cells below asked ingredients",
    "bombs that blockers leave",
)
(
    PIECES,
    JELLY,
    ASKED_BLOCKER,
    OVER_JELLY,
    OTHER_BLOCKER,
    GROWTH,
    ASKED_COLOR,
    SPECIALS,
    BOMBS,
    URGENCY,
    ASKED_PIECE,
    BONUS_PIECE,
    ASKED_SWIRL,
    OTHER_SWIRL,
    WAY,
    LEFT_BOMB,
) = range(16)
STRUCK: Final = len(STRUCK_NAMES)

# The rest of a move's inputs, after those of its lines and those of the blasts that follow.
_REST_NAMES: Final = (
    "makes a striped candy",
    "makes a wrapped candy",
    "makes a color bomb",
    "makes or combines what is asked",
    "color bomb with a candy",
    "color bomb with a special",
    "two color bombs",
    "two striped candies",
    "striped with wrapped",
    "two wrapped candies",
    "steps of ingredients towards exits",
    "two lines",
    "longest line",
    "goals, of the move that does most for them",
    "goals, less than that",
    "specials, less than the most that a move makes or sets off",
    "pieces, less than the most that a move strikes",
    "swaps a column",
    "row from the top",
    "row from the bottom",
    "columns from the middle",
    "column",
    "not the first move",
    "cells from the last move",
    "at most 1 cell from the last move",
    "at most 2 cells from the last move",
    "at most 3 cells from the last move",
    "at most 5 cells from the last move",
    "moves within 2 cells",
    "moves within 4 cells",
    "rows from the last move",
    "columns from the last move",
    "asked blockers beside lines",
    "other blockers beside lines",
    "share of the jelly and blockers within 2 cells",
    "moves that do more",
    "moves that do more, within 3 cells",
    "less than the most that is done within 3 cells",
    "share of the 25 cells around that are on the board",
)
_REST: Final = 2 * STRUCK
(
    MAKES_STRIPED,
    MAKES_WRAPPED,
    MAKES_BOMB,
    MAKES_ASKED,
    BOMB_CANDY,
    BOMB_SPECIAL,
    BOMB_BOMB,
    STRIPED_STRIPED,
    STRIPED_WRAPPED,
    WRAPPED_WRAPPED,
    STEPS,
    TWO_LINES,
    LONGEST,
    MOST_GOALS,
    GOALS_GAP,
    SPECIALS_GAP,
    PIECES_GAP,
    IS_VERTICAL,
    FROM_TOP,
    FROM_BOTTOM,
    FROM_MIDDLE,
    COLUMN,
    HAS_LAST,
    DISTANCE,
    WITHIN_1,
    WITHIN_2,
    WITHIN_3,
    WITHIN_5,
    CROWD_2,
    CROWD_4,
    ROWS_AWAY,
    COLUMNS_AWAY,
    ASKED_BESIDE,
    OTHER_BESIDE,
    WORK_NEAR,
    BETTER,
    BETTER_NEAR,
    NEAR_GAP,
    AROUND,
) = range(_REST, _REST + len(_REST_NAMES))
MOVE_NAMES: Final = (
    *(f"lines: {name}" for name in STRUCK_NAMES),
    *(f"blasts: {name}" for name in STRUCK_NAMES),
    *_REST_NAMES,
)
MOVE_INPUTS: Final = len(MOVE_NAMES)

POSITION_NAMES: Final = (
    "legal moves",
    "share of the limit left",
    "moves left",
    "few moves left",
    "seconds left",
    "goals done",
    "asks for jelly",
    "asks for ingredients",
    "asks for colors",
    "asks for score alone",
    "colors",
    "size of the board",
    "share of the board with jelly or blockers",
)
POSITION_INPUTS: Final = len(POSITION_NAMES)
