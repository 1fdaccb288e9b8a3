"""The records of a level, of a state and of the kernels' working memory, and the codes in them.

Cells are numbered row * STRIDE + column, whatever the board's size:

      0   1   2 ..  11
     12  13  14 ..  23
    ...
    132 133 134 .. 143
"""

from collections.abc import Iterable
from typing import Annotated, Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from levelsense.level import tokens
from levelsense.level.elements import BLOCKERS

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

# Counts over an attempt; goals ask for them. Color k (1 to 8) is counted at COUNT_COLOR + k.
COLOR_NAMES = tokens.COLORS
COUNT_NAMES = tokens.COUNTS
HIGHEST_COLOR = len(COLOR_NAMES)
COUNT_JELLY, COUNT_CHERRY, COUNT_HAZELNUT = map(COUNT_NAMES.index, ("jelly", "cherry", "hazelnut"))
COUNT_COLOR = COUNT_NAMES.index(COLOR_NAMES[0]) - 1
COUNT_STRIPED, COUNT_WRAPPED, COUNT_COLOR_BOMB = map(COUNT_NAMES.index, ("striped", "wrapped", "color bomb"))
COUNT_STRIPED_STRIPED = COUNT_NAMES.index("striped+striped")
COUNT_STRIPED_WRAPPED = COUNT_NAMES.index("striped+wrapped")
COUNT_WRAPPED_WRAPPED = COUNT_NAMES.index("wrapped+wrapped")
COUNT_BOMB_STRIPED = COUNT_NAMES.index("color bomb+striped")
COUNT_BOMB_WRAPPED = COUNT_NAMES.index("color bomb+wrapped")
COUNT_BOMB_BOMB = COUNT_NAMES.index("color bomb+color bomb")
COUNT_SWIRL, COUNT_COUNTDOWN = map(COUNT_NAMES.index, ("swirl", "countdown"))
COUNT_SUGAR, COUNT_TIME = map(COUNT_NAMES.index, ("sugar", "time"))

# Blockers, by the table of elements: each has a run of codes, one for each number of layers, the fewest
# first. So a code less one is the same blocker with a layer less, as long as it has more than one.
NO_BLOCKER = 0
_ROWS = [(element, layers) for element in BLOCKERS for layers in range(1, element.most_layers + 1)]
BLOCKER_CODES = {(element.name, layers): code for code, (element, layers) in enumerate(_ROWS, 1)}
CODED_BLOCKERS = (None, *((element.name, layers) for element, layers in _ROWS))


def _of_codes(values: Iterable[int]) -> NDArray[np.int64]:
    """An array by the codes of blockers, with 0 for none."""
    return np.array([0, *values], np.int64)


# Each is read by the code of a blocker.
ELEMENT = _of_codes(BLOCKERS.index(element) + 1 for element, _ in _ROWS)  # the number of its row, from 1
LAYERS = _of_codes(layers for _, layers in _ROWS)
BLOCKER_COUNT = _of_codes(COUNT_NAMES.index(element.name) for element, _ in _ROWS)
IS_TOUCHED = _of_codes(element.beside for element, _ in _ROWS)  # a line beside it takes a layer off
HIDES = _of_codes(element.hides for element, _ in _ROWS)  # its cell shows no color
GROWS = _of_codes(element.grows for element, _ in _ROWS)
LEAVES_BOMB = _of_codes(element.left == "bomb" for element, _ in _ROWS)
# What grows takes a cell with one layer.
GROWING = np.array([BLOCKER_CODES[element.name, 1] for element in BLOCKERS if element.grows], np.int64)

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

Array = NDArray[Any]
States = NDArray[Any]  # of State records
Moves = NDArray[np.int64]  # codes of moves
I8 = Annotated[int, "i8"]
I4 = Annotated[int, "i4"]
I2 = Annotated[int, "i2"]
I1 = Annotated[int, "i1"]


def record_dtype(record: type) -> "np.dtype[Any]":
    """The dtype of a record, by the formats and lengths in the annotations of its class."""
    hints = get_type_hints(record, include_extras=True)
    fields = [(name, *hint.__metadata__) for name, hint in hints.items()]
    return np.dtype((np.record, np.dtype(fields, align=True)))


class LevelRecord:
    """What never changes during an attempt."""

    rows: I8
    columns: I8
    rules: I8
    scoring: I8
    top_color: I8  # the highest color that can appear
    table_size: I8
    moves: I8  # 0 in a level with seconds
    milliseconds: I8  # 0 in a level with moves
    move_cost: I8  # milliseconds
    round_cost: I8
    time_bonus: I8
    bonus: I8
    has_blockers: I8  # some cell may be blocked or stay empty
    has_touchables: I8  # something is changed by a line beside it
    growing: I8  # bit mask of the elements that grow in it
    has_hidden_pieces: I8  # a blocker hides the piece inside it
    has_countdowns: I8
    has_specials: I8  # the rules make them, or the level brings them
    sugar_every: I8
    pays: I8
    exits: I8
    chains: I8
    goals: I8
    asked_score: I8
    asked: Annotated[Array, "i8", len(COUNT_NAMES)]
    goal_count: Annotated[Array, "i8", len(COUNT_NAMES)]  # the counts that are asked, goals of them
    rule_first: Annotated[Array, "i8", MOST_DROPS + 2]  # drops of entry rule k: first .. first[k+1]
    drop_piece: Annotated[Array, "i8", MOST_DROPS]
    drop_rate: Annotated[Array, "i8", MOST_DROPS]  # in 10,000; NO_RATE: on demand
    drop_keep: Annotated[Array, "i8", MOST_DROPS]
    drop_total: Annotated[Array, "i8", MOST_DROPS]  # 0: no limit
    drop_color: Annotated[Array, "i8", MOST_DROPS]
    drop_timer: Annotated[Array, "i8", MOST_DROPS]
    chain_first: Annotated[Array, "i8", CELLS + 1]
    chain_cell: Annotated[Array, "i8", CELLS]  # chain by chain, from its lower end to its top
    chain_of: Annotated[Array, "i8", CELLS]
    chain_entry: Annotated[Array, "i8", CELLS]  # the entry rule at the chain's top, or NO_ENTRY
    chain_columns: Annotated[Array, "i8", CELLS]  # bit mask of the columns a chain passes
    exit_cell: Annotated[Array, "i8", CELLS]
    tile_row: Annotated[Array, "i8", STRIDE]  # bit mask of the tiles of a row
    tile: Annotated[Array, "i1", CELLS]
    dealt: Annotated[Array, "i1", CELLS]  # the color is dealt at the start
    color_table: Annotated[Array, "i1", COLOR_TABLE]
    pay: Annotated[Array, "i1", MOST_PAYS]


LEVEL_DTYPE = record_dtype(LevelRecord)

# No counter overflows. A round removes at most CELLS pieces; 999 moves and 1,049 cascades of a bonus with
# 2,000 rounds each make 590 million, on top of MOST_COUNT in a position that was read from text. What may
# enter and leave without being removed (ingredients, drops) and time that is given back stop at these bounds.
MOST_COUNT = 1_000_000_000
MOST_TIME = 1_000_000_000  # milliseconds


class State:
    """The state of a game. A copy is a copy of the game; the generator is not part of it."""

    score: I8
    time_left: I4  # milliseconds
    paid: I4
    count: Annotated[Array, "i4", len(COUNT_NAMES)]
    dropped: Annotated[Array, "i4", MOST_DROPS]
    moves_left: I2
    moves_made: I2
    shuffles: I2
    longest_cascade: I2
    right: Annotated[Array, "i2", STRIDE]  # legal swaps with the cell to the right, a bit a column
    down: Annotated[Array, "i2", STRIDE]  # legal swaps with the cell below
    status: I1
    reason: I1
    piece: Annotated[Array, "i1", CELLS]
    color: Annotated[Array, "i1", CELLS]
    blocker: Annotated[Array, "i1", CELLS]
    jelly: Annotated[Array, "i1", CELLS]
    timer: Annotated[Array, "i1", CELLS]


STATE_DTYPE = record_dtype(State)

# Row masks of the board: 0 takes the colorless, 1..8 the colors; two spare rows above and below.
MASK_SPECIAL, MASK_BOMB, MASKS = HIGHEST_COLOR + 1, HIGHEST_COLOR + 2, HIGHEST_COLOR + 3
MASK_MARGIN = 2
MASK_ROWS = STRIDE + 2 * MASK_MARGIN
MOST_RUNS = 2 * CELLS // 3


class Work:
    """Working memory of a thread; its contents do not outlast a move."""

    mask: Annotated[Array, "i8", (MASKS, MASK_ROWS)]
    open_row: Annotated[Array, "i8", STRIDE]
    loose_row: Annotated[Array, "i8", STRIDE]
    round_number: I8  # of the cascade
    first: I8  # the cells of the swap, NO_CELL after round 1
    second: I8
    combination: I8  # whether round 1 is a combination or a single hit
    pair_reach: I8  # of a swapped pair with a wrapped candy: 1 with striped, 2 with wrapped; else 0
    spent_bombs: I8  # color bombs do nothing this round (bomb + bomb)
    primed: I8
    columns: I8  # bit mask of columns whose masks are out of date
    worn: I8  # bit mask of the elements that lost a layer in this move
    runs: I8
    hits: I8
    top: I8
    bonus_left: I8  # remaining moves to go off
    bonus_specials: I8  # how often specials may still go off in this bonus
    run_cell: Annotated[Array, "i8", MOST_RUNS]
    run_step: Annotated[Array, "i8", MOST_RUNS]
    run_length: Annotated[Array, "i8", MOST_RUNS]
    run_color: Annotated[Array, "i8", MOST_RUNS]
    run_group: Annotated[Array, "i8", MOST_RUNS]
    hit_cell: Annotated[Array, "i8", CELLS]
    stack: Annotated[Array, "i8", CELLS]
    came: Annotated[
        Array, "i8", CELLS
    ]  # where the piece of a cell came from in this fall; NO_CELL: it is new
    list: Annotated[Array, "i8", CELLS]
    hit: Annotated[Array, "i2", CELLS]  # how a cell is struck, and its blows (BLOW) beyond that
    touched_by: Annotated[Array, "i2", CELLS]  # the group of lines that touched a cell last, plus one
    born: Annotated[Array, "i1", CELLS]
    dirty: Annotated[Array, "i1", CELLS]  # chains to settle
    held_piece: Annotated[Array, "i1", CELLS]
    held_color: Annotated[Array, "i1", CELLS]
    held_timer: Annotated[Array, "i1", CELLS]


WORK_DTYPE = record_dtype(Work)

# How a cell is struck in a round, as flags; every strike adds one BLOW.
TOUCHED, HIT, IN_LINE, BLOW = 1, 2, 4, 8

# Index of the lowest bit set; number 0 gives 13, one past any board.
LOWEST = np.array([13] + [(n & -n).bit_length() - 1 for n in range(1, 1 << 13)], dtype=np.int64)


def new_state(count: int = 1) -> States:
    """An array of empty state records."""
    return np.zeros(count, STATE_DTYPE)


def new_work() -> Work:
    """One record of working memory; each thread needs its own."""
    work: Work = np.zeros(1, WORK_DTYPE)[0]
    return work


# A change of docs/rules.md that can change any attempt adds one: stored attempts of older rules are then kept
# apart and never mixed with new ones. The golden transcripts in tests/golden show when that is due.
RULES_VERSION = 2
