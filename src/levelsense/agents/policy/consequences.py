"""What a legal move does in its first round, as inputs of the policy network: what it strikes and makes.

Nothing is played or drawn: all is read off the board from the cells that a swap strikes.
"""

from levelsense.agents.policy.inputs import (
    ABOVE,
    ASKED_BESIDE,
    ASKED_BLOCKER,
    ASKED_COLOR,
    ASKED_PIECE,
    ASKED_SWIRL,
    BOMB_BOMB,
    BOMB_CANDY,
    BOMB_SPECIAL,
    BOMBS,
    BONUS_PIECE,
    GROWTH,
    JELLY,
    LEFT_BOMB,
    LINE_CELLS,
    LONGEST,
    MAKES_ASKED,
    MAKES_BOMB,
    MAKES_STRIPED,
    MAKES_WRAPPED,
    OTHER_BESIDE,
    OTHER_BLOCKER,
    OTHER_SWIRL,
    OVER_JELLY,
    PACE,
    PIECES,
    SPECIALS,
    STRIPED_STRIPED,
    STRIPED_WRAPPED,
    STRUCK,
    TWO_LINES,
    URGENCY,
    WAY,
    WRAPPED_WRAPPED,
)
from levelsense.agents.swaps import is_wanted, strike_combination, strike_lines_through
from levelsense.game.items import is_combination, set_off_stack
from levelsense.game.score import is_asked
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
    State,
    Work,
)
from levelsense.kernel import kernel


@kernel
def _add_asked(level: LevelRecord, row: Array, count: int, number: float) -> None:
    """Adds so many of a count that a goal asks for, as a share of that goal. The row is modified in place."""
    row[PACE] += number / level.asked[count]


@kernel
def _add_blocker(level: LevelRecord, state: State, row: Array, at: int, i: int, blows: int) -> None:
    """Adds a struck blocker to a move's inputs from `at` on. The row is modified in place."""
    blocker = state.blocker[i]
    layers = min(LAYERS[blocker], blows)
    if is_asked(level, state, BLOCKER_COUNT[blocker]):
        row[at + ASKED_BLOCKER] += layers
        _add_asked(level, row, BLOCKER_COUNT[blocker], layers)
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
    if is_asked(level, state, count):
        row[at + ASKED_PIECE] += 1.0
        _add_asked(level, row, count, 1.0)
    else:
        row[at + BONUS_PIECE] += 1.0


@kernel
def _add_piece(level: LevelRecord, state: State, row: Array, at: int, i: int) -> None:
    """Adds a struck piece to a move's inputs from `at` on. The row is modified in place."""
    piece, color = state.piece[i], state.color[i]
    if piece == EMPTY or piece == CHERRY or piece == HAZELNUT:
        return
    row[at + PIECES] += 1.0
    if color and is_asked(level, state, COUNT_COLOR + color):
        row[at + ASKED_COLOR] += 1.0
        _add_asked(level, row, COUNT_COLOR + color, 1.0)
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
        if is_asked(level, state, COUNT_COUNTDOWN):
            row[at + ASKED_PIECE] += 1.0
            _add_asked(level, row, COUNT_COUNTDOWN, 1.0)
    elif piece == SWIRL:
        if is_asked(level, state, COUNT_SWIRL):
            row[at + ASKED_SWIRL] += 1.0
            _add_asked(level, row, COUNT_SWIRL, 1.0)
        else:
            row[at + OTHER_SWIRL] += 1.0


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
                _add_asked(level, row, COUNT_JELLY, 1.0)
            _add_piece(level, state, row, at, i)


@kernel
def _add_made(level: LevelRecord, state: State, row: Array, count: int) -> None:
    """Adds a special that is made, or a combination, if a goal asks for it. The row is modified in place."""
    if is_asked(level, state, count):
        row[MAKES_ASKED] += 1.0
        _add_asked(level, row, count, 1.0)


@kernel
def _add_special(level: LevelRecord, state: State, row: Array, across: int, down: int) -> None:
    """Adds the special that lines of these lengths through one cell leave. The row is modified in place."""
    longest = max(across, down)
    row[LONGEST] = max(row[LONGEST], longest)
    if level.rules == PLAIN:
        return
    if longest >= 5:
        row[MAKES_BOMB] += 1.0
        made = COUNT_COLOR_BOMB
    elif min(across, down) >= 3 and level.rules == SAGA:
        row[MAKES_WRAPPED] += 1.0
        made = COUNT_WRAPPED
    elif longest == 4:
        row[MAKES_STRIPED] += 1.0
        made = COUNT_STRIPED
    else:
        return
    _add_made(level, state, row, made)


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
    _add_made(level, state, row, count)


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
def _add_lines(level: LevelRecord, state: State, work: Work, row: Array, has_ways: bool) -> None:
    """Adds how many cells are in lines, and the ingredients above them. The row is modified in place."""
    for k in range(work.hits):
        i = work.hit_cell[k]
        if work.hit[i] & IN_LINE == 0:
            continue
        row[LINE_CELLS] += 1.0
        if has_ways:
            for above in range(i - STRIDE, -1, -STRIDE):
                if is_wanted(level, state, above):
                    row[ABOVE] += 1.0


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
def write_consequences(
    level: LevelRecord, state: State, work: Work, row: Array, first: int, second: int, has_ways: bool
) -> None:
    """Writes what a swap that has been made strikes and makes. The row and work are modified in place.

    `has_ways` says that ingredients are asked for, and how far they are from exits is noted in work. PACE is
    left as the sum of the shares of goals that are done.
    """
    if is_combination(state.piece[first], state.piece[second], state.color[first], state.color[second]):
        _add_combination(level, state, row, strike_combination(level, state, work, first, second))
    else:
        across, down = strike_lines_through(level, state, work, first)
        has_line = max(across, down) >= 3
        _add_special(level, state, row, across, down)
        across, down = strike_lines_through(level, state, work, second)
        _add_special(level, state, row, across, down)
        row[TWO_LINES] = has_line and max(across, down) >= 3
    _add_lines(level, state, work, row, has_ways)
    if level.has_touchables:
        _add_beside(level, state, work, row)
    _add_struck(level, state, work, row, 0, 0)
    by_lines = work.hits
    if work.top > 0:
        set_off_stack(level, state, work)
        _add_struck(level, state, work, row, STRUCK, by_lines)
    _forget_struck(work)
