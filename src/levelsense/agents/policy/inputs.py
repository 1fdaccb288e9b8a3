"""The inputs of the policy network: what each legal move does in its first round, and where it is.

Nothing is played or drawn: inputs are read off the board from the cells that a swap strikes. Those of a move
are a row of MOVE_INPUTS, in the order of MOVE_NAMES; those of a position follow POSITION_NAMES.
"""

from typing import Final

from levelsense.agents.swaps import (
    mark_ways,
    steps_nearer,
    strike_combination,
    strike_lines_through,
    wants_ingredients,
)
from levelsense.game.cascade import swap_pieces
from levelsense.game.items import is_combination, set_off_stack
from levelsense.game.moves import distance_between, first_cell, second_cell
from levelsense.game.score import is_asked, progress
from levelsense.game.state import (
    BLOCKER_COUNT,
    BLOW,
    CANDY,
    CHERRY,
    COLOR_BOMB,
    COUNT_BOMB_BOMB,
    COUNT_BOMB_STRIPED,
    COUNT_BOMB_WRAPPED,
    COUNT_COLOR,
    COUNT_COLOR_BOMB,
    COUNT_COUNTDOWN,
    COUNT_JELLY,
    COUNT_STRIPED,
    COUNT_STRIPED_STRIPED,
    COUNT_STRIPED_WRAPPED,
    COUNT_SUGAR,
    COUNT_SWIRL,
    COUNT_TIME,
    COUNT_WRAPPED,
    COUNT_WRAPPED_WRAPPED,
    COUNTDOWN,
    EMPTY,
    GROWS,
    HAZELNUT,
    IN_LINE,
    IS_TOUCHED,
    LAYERS,
    LEAVES_BOMB,
    NO_BLOCKER,
    NO_CELL,
    PLAIN,
    SAGA,
    STRIDE,
    STRIPED_ROW,
    SUGAR,
    SWIRL,
    TIME,
    WRAPPED,
    Array,
    LevelRecord,
    Moves,
    State,
    States,
    Work,
)
from levelsense.kernel import kernel

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
_FAR: Final = 8  # cells: no distance counts for more


@kernel
def _add_blocker(level: LevelRecord, state: State, row: Array, at: int, i: int, blows: int) -> None:
    """Adds a struck blocker to a move's inputs from `at` on. The row is modified in place."""
    blocker = state.blocker[i]
    layers = min(LAYERS[blocker], blows)
    if is_asked(level, state, BLOCKER_COUNT[blocker]):
        row[at + ASKED_BLOCKER] += layers
    elif state.jelly[i] and is_asked(level, state, COUNT_JELLY):
        row[at + OVER_JELLY] += layers
    else:
        row[at + OTHER_BLOCKER] += layers
    if GROWS[blocker]:
        row[at + GROWTH] += layers
    if LEAVES_BOMB[blocker]:
        row[at + LEFT_BOMB] += layers / LAYERS[blocker]
    if state.piece[i] == COUNTDOWN:
        row[at + URGENCY] += 0.5 / max(1, int(state.timer[i]))


@kernel
def _add_bonus(level: LevelRecord, state: State, row: Array, at: int, count: int) -> None:
    """Adds a struck piece that a goal may ask for. The row is modified in place."""
    row[at + (ASKED_PIECE if is_asked(level, state, count) else BONUS_PIECE)] += 1.0


@kernel
def _add_piece(level: LevelRecord, state: State, row: Array, at: int, i: int) -> None:
    """Adds a struck piece to a move's inputs from `at` on. The row is modified in place."""
    piece, color = state.piece[i], state.color[i]
    if piece == EMPTY or piece == CHERRY or piece == HAZELNUT:
        return
    row[at + PIECES] += 1.0
    if color and is_asked(level, state, COUNT_COLOR + color):
        row[at + ASKED_COLOR] += 1.0
    if piece == CANDY:
        return
    if STRIPED_ROW <= piece <= WRAPPED:
        row[at + SPECIALS] += 1.0
    elif piece == COLOR_BOMB:
        row[at + BOMBS] += 1.0
    elif piece == SUGAR:
        _add_bonus(level, state, row, at, COUNT_SUGAR)
    elif piece == TIME:
        _add_bonus(level, state, row, at, COUNT_TIME)
    elif piece == COUNTDOWN:
        row[at + URGENCY] += 1.0 / max(1, int(state.timer[i]))
        row[at + ASKED_PIECE] += 1.0 if is_asked(level, state, COUNT_COUNTDOWN) else 0.0
    elif piece == SWIRL:
        row[at + (ASKED_SWIRL if is_asked(level, state, COUNT_SWIRL) else OTHER_SWIRL)] += 1.0


@kernel
def _add_struck(level: LevelRecord, state: State, work: Work, row: Array, at: int, start: int) -> None:
    """Adds the cells struck from number `start` on to a move's inputs. The row is modified in place."""
    for k in range(start, work.hits):
        i = work.hit_cell[k]
        row[at + WAY] += work.list[i]
        if state.blocker[i] != NO_BLOCKER:
            _add_blocker(level, state, row, at, i, work.hit[i] // BLOW)
        else:
            if state.jelly[i] and is_asked(level, state, COUNT_JELLY):
                row[at + JELLY] += 1.0
            _add_piece(level, state, row, at, i)


@kernel
def _add_special(level: LevelRecord, state: State, row: Array, across: int, down: int) -> None:
    """Adds the special that lines of these lengths through one cell leave. The row is modified in place."""
    longest = max(across, down)
    row[LONGEST] = max(row[LONGEST], longest)
    if level.rules == PLAIN:
        return
    if longest >= 5:
        row[MAKES_BOMB] += 1.0
        asked = is_asked(level, state, COUNT_COLOR_BOMB)
    elif min(across, down) >= 3 and level.rules == SAGA:
        row[MAKES_WRAPPED] += 1.0
        asked = is_asked(level, state, COUNT_WRAPPED)
    elif longest == 4:
        row[MAKES_STRIPED] += 1.0
        asked = is_asked(level, state, COUNT_STRIPED)
    else:
        return
    if asked:
        row[MAKES_ASKED] += 1.0


@kernel
def _add_combination(level: LevelRecord, state: State, row: Array, count: int) -> None:
    """Adds which two pieces are combined, by the count that they add to. The row is modified in place."""
    if count < 0:
        row[BOMB_CANDY] = 1.0
        return
    if count == COUNT_BOMB_STRIPED or count == COUNT_BOMB_WRAPPED:
        row[BOMB_SPECIAL] = 1.0
    elif count == COUNT_BOMB_BOMB:
        row[BOMB_BOMB] = 1.0
    elif count == COUNT_STRIPED_STRIPED:
        row[STRIPED_STRIPED] = 1.0
    elif count == COUNT_STRIPED_WRAPPED:
        row[STRIPED_WRAPPED] = 1.0
    elif count == COUNT_WRAPPED_WRAPPED:
        row[WRAPPED_WRAPPED] = 1.0
    if is_asked(level, state, count):
        row[MAKES_ASKED] += 1.0


@kernel
def _add_neighbor(level: LevelRecord, state: State, row: Array, i: int) -> None:
    """Adds a blocker or swirl beside a cell of a line, if a line beside it can change it."""
    blocker = state.blocker[i]
    if blocker == NO_BLOCKER:
        if state.piece[i] == SWIRL:
            row[ASKED_BESIDE if is_asked(level, state, COUNT_SWIRL) else OTHER_BESIDE] += 1.0
    elif IS_TOUCHED[blocker]:
        covers_jelly = state.jelly[i] and is_asked(level, state, COUNT_JELLY)
        asked = covers_jelly or is_asked(level, state, BLOCKER_COUNT[blocker])
        row[ASKED_BESIDE if asked else OTHER_BESIDE] += 1.0


@kernel
def _add_beside(level: LevelRecord, state: State, work: Work, row: Array) -> None:
    """Adds what is beside the cells of lines, as often as a cell of a line is beside it."""
    for k in range(work.hits):
        i = work.hit_cell[k]
        if work.hit[i] & IN_LINE == 0:
            continue
        if i >= STRIDE:
            _add_neighbor(level, state, row, i - STRIDE)
        if i // STRIDE + 1 < level.rows:
            _add_neighbor(level, state, row, i + STRIDE)
        if i % STRIDE > 0:
            _add_neighbor(level, state, row, i - 1)
        if i % STRIDE + 1 < level.columns:
            _add_neighbor(level, state, row, i + 1)


@kernel
def _write_work_near(level: LevelRecord, state: State, rows: Array, moves: Moves, count: int) -> None:
    """Writes how much of all jelly and blockers is near each move. The rows are modified in place."""
    cells = 0
    for row in range(level.rows):
        for i in range(row * STRIDE, row * STRIDE + level.columns):
            if state.jelly[i] or state.blocker[i] != NO_BLOCKER:
                cells += 1
                for k in range(count):
                    if distance_between(first_cell(moves[k]), i) <= 2:
                        rows[k, WORK_NEAR] += 1.0
    if cells:
        for k in range(count):
            rows[k, WORK_NEAR] /= cells


@kernel
def _forget_struck(work: Work) -> None:
    """Clears the notes of what was struck. Work is modified in place."""
    for k in range(work.hits):
        i = work.hit_cell[k]
        work.hit[i] = 0
        work.touched_by[i] = 0
    work.hits = 0
    work.spent_bombs = 0


@kernel
def _write_consequences(
    level: LevelRecord, state: State, work: Work, row: Array, first: int, second: int
) -> None:
    """Writes what a swap that has been made strikes and makes. The row and work are modified in place."""
    if is_combination(state.piece[first], state.piece[second], state.color[first], state.color[second]):
        _add_combination(level, state, row, strike_combination(level, state, work, first, second))
    else:
        across, down = strike_lines_through(level, state, work, first)
        has_line = max(across, down) >= 3
        _add_special(level, state, row, across, down)
        across, down = strike_lines_through(level, state, work, second)
        _add_special(level, state, row, across, down)
        row[TWO_LINES] = has_line and max(across, down) >= 3
    if level.has_touchables:
        _add_beside(level, state, work, row)
    _add_struck(level, state, work, row, 0, 0)
    by_lines = work.hits
    if work.top > 0:
        set_off_stack(level, state, work)
        _add_struck(level, state, work, row, STRUCK, by_lines)
    _forget_struck(work)


@kernel
def _within_2(place: int, length: int) -> int:
    """How many rows or columns of so many are at most 2 away from one of them."""
    return min(place + 3, length) - max(place - 2, 0)


@kernel
def _write_place(level: LevelRecord, row: Array, move: int, last: int) -> None:
    """Writes where a move is, and how far from the cell of the last one. The row is modified in place."""
    first, second = first_cell(move), second_cell(move)
    row[IS_VERTICAL] = abs(first - second) == STRIDE
    row[FROM_TOP] = (first // STRIDE) / STRIDE
    row[FROM_BOTTOM] = (level.rows - 1 - first // STRIDE) / STRIDE
    row[FROM_MIDDLE] = abs(first % STRIDE - 0.5 * (level.columns - 1)) / STRIDE
    row[COLUMN] = (first % STRIDE) / STRIDE
    row[AROUND] = _within_2(first // STRIDE, level.rows) * _within_2(first % STRIDE, level.columns) / 25.0
    if last == NO_CELL:
        return
    distance = distance_between(first, last)
    row[HAS_LAST] = 1.0
    row[DISTANCE] = min(distance, _FAR) / _FAR
    row[ROWS_AWAY] = min(abs(first // STRIDE - last // STRIDE), _FAR) / _FAR
    row[COLUMNS_AWAY] = min(abs(first % STRIDE - last % STRIDE), _FAR) / _FAR
    row[WITHIN_1] = distance <= 1
    row[WITHIN_2] = distance <= 2
    row[WITHIN_3] = distance <= 3
    row[WITHIN_5] = distance <= 5


@kernel
def _compare(rows: Array, k: int, more: float, distance: int) -> None:
    """Notes that a move at a distance does so much more than move k. The rows are modified in place."""
    if more > 0.0:
        rows[k, BETTER] += 0.2
        if distance <= 3:
            rows[k, BETTER_NEAR] += 0.2
            rows[k, NEAR_GAP] = max(rows[k, NEAR_GAP], more)


@kernel
def _write_crowds(rows: Array, moves: Moves, count: int) -> None:
    """Writes how many other legal moves are near each one and do more. The rows are modified in place."""
    for k in range(count):
        done = _done_by(rows[k])
        for other in range(k):
            distance = distance_between(first_cell(moves[k]), first_cell(moves[other]))
            more = _done_by(rows[other]) - done
            _compare(rows, k, more, distance)
            _compare(rows, other, -more, distance)
            if distance <= 4:
                rows[k, CROWD_4] += 0.2
                rows[other, CROWD_4] += 0.2
                if distance <= 2:
                    rows[k, CROWD_2] += 0.2
                    rows[other, CROWD_2] += 0.2


@kernel
def _goals_of(row: Array) -> float:
    """How much of what goals ask for a move does, in pieces, layers and steps."""
    total = row[MAKES_ASKED] + row[STEPS]
    for at in (0, STRUCK):
        total += row[at + JELLY] + row[at + ASKED_BLOCKER] + row[at + OVER_JELLY] + row[at + ASKED_COLOR]
        total += row[at + ASKED_PIECE] + row[at + ASKED_SWIRL] + row[at + WAY]
    return total  # type: ignore[no-any-return]


@kernel
def _specials_of(row: Array) -> float:
    """How much a move has to do with specials, about by what they are worth."""
    made = row[MAKES_STRIPED] + 2.0 * row[MAKES_WRAPPED] + 3.0 * row[MAKES_BOMB]
    swapped = row[STRIPED_STRIPED] + row[STRIPED_WRAPPED] + row[WRAPPED_WRAPPED]
    return made + 3.0 * (row[BOMB_CANDY] + row[BOMB_SPECIAL] + row[BOMB_BOMB] + swapped) + row[SPECIALS]  # type: ignore[no-any-return]


@kernel
def _done_by(row: Array) -> float:
    """How much a move does in all, about as it looks: goals, specials, blockers and pieces."""
    pieces = row[PIECES] + row[STRUCK + PIECES]
    blockers = row[OTHER_BLOCKER] + row[STRUCK + OTHER_BLOCKER]
    return _goals_of(row) + _specials_of(row) + 0.25 * blockers + 0.1 * pieces + 3.0 * row[URGENCY]  # type: ignore[no-any-return]


@kernel
def _write_gaps(rows: Array, count: int) -> None:
    """Writes how far each move falls short of the best in three respects. The rows are modified in place."""
    goals = rows[0, PIECES] * 0.0
    specials = goals
    pieces = goals
    for k in range(count):
        goals = max(goals, _goals_of(rows[k]))
        specials = max(specials, _specials_of(rows[k]))
        pieces = max(pieces, rows[k, PIECES] + rows[k, STRUCK + PIECES])
    for k in range(count):
        rows[k, MOST_GOALS] = goals
        rows[k, GOALS_GAP] = goals - _goals_of(rows[k])
        rows[k, SPECIALS_GAP] = specials - _specials_of(rows[k])
        rows[k, PIECES_GAP] = pieces - rows[k, PIECES] - rows[k, STRUCK + PIECES]


@kernel
def write_move_inputs(
    level: LevelRecord, states: States, at: int, work: Work, moves: Moves, count: int, last: int, rows: Array
) -> None:
    """Writes a row of MOVE_INPUTS for each of the first `count` moves, all legal in states[at].

    `last` is the cell that the piece of the last move came from, NO_CELL before the first move. Rows and
    work are modified in place; so is states[at], but it is as before when all is done.
    """
    state = states[at]
    work.hits = 0
    work.top = 0
    work.spent_bombs = 0
    for row in range(level.rows):
        for i in range(row * STRIDE, row * STRIDE + level.columns):
            work.list[i] = 0
    has_ways = wants_ingredients(level, state)
    if has_ways:
        mark_ways(level, state, work, 1)
    for k in range(count):
        row = rows[k]
        row[:] = 0.0
        first, second = first_cell(moves[k]), second_cell(moves[k])
        swap_pieces(state, first, second)
        _write_consequences(level, state, work, row, first, second)
        swap_pieces(state, first, second)
        if has_ways:
            row[STEPS] = steps_nearer(level, state, work, first, second)
        _write_place(level, row, moves[k], last)
    _write_gaps(rows, count)
    _write_crowds(rows, moves, count)
    _write_work_near(level, state, rows, moves, count)


@kernel
def write_position_inputs(level: LevelRecord, state: State, count: int, inputs: Array) -> None:
    """Writes the inputs of a position with so many legal moves; all are about from 0 to 1."""
    inputs[:] = 0.0
    inputs[0] = min(count, 40) / 20.0
    if level.moves:
        inputs[1] = state.moves_left / level.moves
        inputs[2] = min(int(state.moves_left), 40) / 40.0
        inputs[3] = 1.0 / max(1, int(state.moves_left))
    else:
        inputs[1] = min(1.0, state.time_left / max(1, level.milliseconds))
        inputs[4] = min(int(state.time_left), 60_000) / 60_000.0
    inputs[5] = progress(level, state)
    inputs[6] = is_asked(level, state, COUNT_JELLY)
    inputs[7] = wants_ingredients(level, state)
    for color in range(1, level.top_color + 1):
        if is_asked(level, state, COUNT_COLOR + color):
            inputs[8] = 1.0
    inputs[9] = level.goals == 0
    inputs[10] = level.top_color / 8.0
    inputs[11] = (level.rows * level.columns) / (STRIDE * STRIDE)
    cells = 0
    for row in range(level.rows):
        for i in range(row * STRIDE, row * STRIDE + level.columns):
            cells += state.jelly[i] != 0 or state.blocker[i] != NO_BLOCKER
    inputs[12] = cells / (level.rows * level.columns)
