"""What a game is made of: the records of a level, a state and the kernels' working memory, and their codes.

Cells are numbered row * STRIDE + column, whatever the board's size:

      0   1   2 ..  11
     12  13  14 ..  23
    ...
    132 133 134 .. 143
"""

from typing import Any

import numpy as np

from levelsense.level import tokens

STRIDE = 12
CELLS = STRIDE * STRIDE
NO_CELL = -1

# Pieces. The specials are consecutive; so are the pieces that have no color and never explode.
EMPTY, CANDY, STRIPED_ROW, STRIPED_COLUMN, WRAPPED, COLOR_BOMB = range(6)
SUGAR, TIME, COUNTDOWN, SWIRL, CHERRY, HAZELNUT, PRIMED, LARGE_PRIMED = range(6, 14)
PIECE_NAMES = (
    "empty",
    "candy",
    "striped row",
    "striped column",
    "wrapped",
    "color bomb",
    "sugar",
    "time",
    "countdown",
    "swirl",
    "cherry",
    "hazelnut",
    "primed",
    "large primed",
)

# Blockers: 1 to 5 is icing of so many layers.
NO_BLOCKER, ICING_MOST, CHOCOLATE, MARMALADE, LOCK = 0, 5, 6, 7, 8

# Counts over an attempt; goals ask for them. Color k (1 to 8) is counted at COUNT_COLOR + k.
COLOR_NAMES = tokens.COLORS
COUNT_NAMES = tokens.COUNTS
HIGHEST_COLOR = len(COLOR_NAMES)
COUNT_JELLY, COUNT_CHERRY, COUNT_HAZELNUT = 0, 1, 2
COUNT_COLOR = 2
COUNT_STRIPED, COUNT_WRAPPED, COUNT_COLOR_BOMB = 11, 12, 13
COUNT_STRIPED_STRIPED, COUNT_STRIPED_WRAPPED, COUNT_WRAPPED_WRAPPED = 14, 15, 16
COUNT_BOMB_STRIPED, COUNT_BOMB_WRAPPED, COUNT_BOMB_BOMB = 17, 18, 19
COUNT_ICING, COUNT_LOCK, COUNT_MARMALADE, COUNT_CHOCOLATE, COUNT_SWIRL = 20, 21, 22, 23, 24
COUNT_COUNTDOWN, COUNT_SUGAR, COUNT_TIME = 25, 26, 27

PLAYING, WON, LOST = 0, 1, 2
STATUS_NAMES = ("playing", "won", "lost")
NO_REASON, GOALS_MET, OUT_OF_MOVES, OUT_OF_TIME, BOMB_WENT_OFF, NO_MOVE_POSSIBLE = range(6)
REASON_NAMES = (None, "goals met", "moves", "time", "bomb", "no move possible")

SAGA, MCADAMS, PLAIN = 0, 1, 2
RULES_NAMES = ("saga", "mcadams", "plain")
SAGA_SCORING, PIECES_SCORING, QUADRATIC_SCORING = 0, 1, 2
SCORING_NAMES = ("saga", "pieces", "quadratic")

MOST_DROPS = 16
MOST_PAYS = 16
COLOR_TABLE = 256
NO_RATE = -1
NO_ENTRY = -1

# What never changes during an attempt.
LEVEL_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("rows", "i8"),
                ("columns", "i8"),
                ("rules", "i8"),
                ("scoring", "i8"),
                ("top_color", "i8"),  # the highest color that can appear
                ("table_size", "i8"),
                ("moves", "i8"),  # 0 in a level with seconds
                ("milliseconds", "i8"),  # 0 in a level with moves
                ("move_cost", "i8"),  # milliseconds
                ("round_cost", "i8"),
                ("time_bonus", "i8"),
                ("bonus", "i8"),
                ("has_blockers", "i8"),  # some cell may be blocked or stay empty
                ("has_touchables", "i8"),  # something is changed by a line beside it
                ("has_chocolate", "i8"),
                ("has_marmalade", "i8"),
                ("has_countdowns", "i8"),
                ("has_specials", "i8"),  # the rules make them, or the level brings them
                ("sugar_every", "i8"),
                ("pays", "i8"),
                ("exits", "i8"),
                ("chains", "i8"),
                ("goals", "i8"),
                ("asked_score", "i8"),
                ("asked", "i8", len(COUNT_NAMES)),
                ("goal_count", "i8", len(COUNT_NAMES)),  # the counts that are asked, goals of them
                ("rule_first", "i8", MOST_DROPS + 2),  # drops of entry rule k: first .. first[k+1]
                ("drop_piece", "i8", MOST_DROPS),
                ("drop_rate", "i8", MOST_DROPS),  # in 10,000; NO_RATE: on demand
                ("drop_keep", "i8", MOST_DROPS),
                ("drop_total", "i8", MOST_DROPS),  # 0: no limit
                ("drop_color", "i8", MOST_DROPS),
                ("drop_timer", "i8", MOST_DROPS),
                ("chain_first", "i8", CELLS + 1),
                ("chain_cell", "i8", CELLS),  # chain by chain, from its lower end to its top
                ("chain_of", "i8", CELLS),
                ("chain_entry", "i8", CELLS),  # the entry rule at the chain's top, or NO_ENTRY
                ("chain_columns", "i8", CELLS),  # bit mask of the columns a chain passes
                ("exit_cell", "i8", CELLS),
                ("tile_row", "i8", STRIDE),  # bit mask of the tiles of a row
                ("tile", "i1", CELLS),
                ("dealt", "i1", CELLS),  # the color is dealt at the start
                ("color_table", "i1", COLOR_TABLE),
                ("pay", "i1", MOST_PAYS),
            ],
            align=True,
        ),
    )
)

# No counter overflows. A round removes at most CELLS pieces; 999 moves and 1,049 cascades of a bonus with
# 2,000 rounds each make 590 million, on top of MOST_COUNT in a position that was read from text. What may
# enter and leave without being removed (ingredients, drops) and time that is given back stop at these bounds.
MOST_COUNT = 1_000_000_000
MOST_TIME = 1_000_000_000  # milliseconds

# One game. Copying it copies the game; what is random stays outside.
STATE_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("score", "i8"),
                ("time_left", "i4"),  # milliseconds
                ("paid", "i4"),
                ("count", "i4", len(COUNT_NAMES)),
                ("dropped", "i4", MOST_DROPS),
                ("moves_left", "i2"),
                ("moves_made", "i2"),
                ("shuffles", "i2"),
                ("longest_cascade", "i2"),
                ("right", "i2", STRIDE),  # legal swaps with the cell to the right, a bit a column
                ("down", "i2", STRIDE),  # legal swaps with the cell below
                ("status", "i1"),
                ("reason", "i1"),
                ("piece", "i1", CELLS),
                ("color", "i1", CELLS),
                ("blocker", "i1", CELLS),
                ("jelly", "i1", CELLS),
                ("timer", "i1", CELLS),
            ],
            align=True,
        ),
    )
)

# Row masks of the board: 0 takes the colorless, 1..8 the colors; two spare rows above and below.
MASK_SPECIAL, MASK_BOMB, MASKS = HIGHEST_COLOR + 1, HIGHEST_COLOR + 2, HIGHEST_COLOR + 3
MASK_MARGIN = 2
MASK_ROWS = STRIDE + 2 * MASK_MARGIN
MOST_RUNS = 2 * CELLS // 3

# Working memory of a thread; means nothing between two moves.
WORK_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("mask", "i8", (MASKS, MASK_ROWS)),
                ("open_row", "i8", STRIDE),
                ("loose_row", "i8", STRIDE),
                ("round_number", "i8"),  # of the cascade
                ("first", "i8"),  # the cells of the swap, NO_CELL after round 1
                ("second", "i8"),
                ("combination", "i8"),  # whether round 1 is a combination or a single hit
                (
                    "pair_reach",
                    "i8",
                ),  # of a swapped pair with a wrapped candy: 1 with striped, 2 with wrapped; else 0
                ("spent_bombs", "i8"),  # color bombs do nothing this round (bomb + bomb)
                ("primed", "i8"),
                ("columns", "i8"),  # bit mask of columns whose masks are out of date
                ("chocolate_gone", "i8"),
                ("runs", "i8"),
                ("hits", "i8"),
                ("top", "i8"),
                ("bonus_left", "i8"),  # remaining moves to go off
                ("bonus_specials", "i8"),  # how often specials may still go off in this bonus
                ("run_cell", "i8", MOST_RUNS),
                ("run_step", "i8", MOST_RUNS),
                ("run_length", "i8", MOST_RUNS),
                ("run_color", "i8", MOST_RUNS),
                ("run_group", "i8", MOST_RUNS),
                ("hit_cell", "i8", CELLS),
                ("stack", "i8", CELLS),
                ("came", "i8", CELLS),  # where the piece of a cell came from in this fall; NO_CELL: it is new
                ("list", "i8", CELLS),
                ("hit", "i2", CELLS),  # how a cell is struck, and its blows (BLOW) beyond that
                ("touched_by", "i2", CELLS),  # the group of lines that touched a cell last, plus one
                ("born", "i1", CELLS),
                ("dirty", "i1", CELLS),  # chains to settle
                ("held_piece", "i1", CELLS),
                ("held_color", "i1", CELLS),
                ("held_timer", "i1", CELLS),
            ],
            align=True,
        ),
    )
)

# How a cell is struck in a round, as flags; every strike adds one BLOW.
TOUCHED, HIT, IN_LINE, BLOW = 1, 2, 4, 8

# Index of the lowest bit set; number 0 gives 13, one past any board.
LOWEST = np.array([13] + [(n & -n).bit_length() - 1 for n in range(1, 1 << 13)], dtype=np.int64)


def new_state(count: int = 1) -> Any:
    """An array of empty state records."""
    return np.zeros(count, STATE_DTYPE)


def new_work() -> Any:
    """One record of working memory; each thread needs its own."""
    return np.zeros(1, WORK_DTYPE)[0]


# A change of docs/rules.md that can change any attempt adds one: stored attempts of older rules are then kept
# apart and never mixed with new ones. The golden transcripts in tests/golden show when that is due.
RULES_VERSION = 2
