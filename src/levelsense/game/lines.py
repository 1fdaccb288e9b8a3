"""Lines on the board, the groups that they form, and the specials that a group leaves."""

from levelsense.game.items import strike, touch_neighbors
from levelsense.game.moves import ALL_COLUMNS
from levelsense.game.score import quadratic_value, score_group
from levelsense.game.state import (
    COLOR_BOMB,
    COUNT_COLOR_BOMB,
    COUNT_STRIPED,
    COUNT_WRAPPED,
    EMPTY,
    HIT,
    IN_LINE,
    LOWEST,
    MASK_MARGIN,
    MCADAMS,
    NO_BLOCKER,
    NO_CELL,
    PLAIN,
    QUADRATIC_SCORING,
    SAGA,
    STRIDE,
    STRIPED_COLUMN,
    STRIPED_ROW,
    WRAPPED,
    LevelRecord,
    State,
    Work,
)
from levelsense.kernel import kernel

ACROSS, DOWN = 1, STRIDE


@kernel
def _any_line(level: LevelRecord, work: Work) -> bool:
    """Whether any line is on the board. Masks must be up to date."""
    starts = 0
    for color in range(1, level.top_color + 1):
        for row in range(MASK_MARGIN, level.rows + MASK_MARGIN):
            mask = work.mask[color, row]
            starts |= mask & (mask >> 1) & (mask >> 2)
            starts |= mask & work.mask[color, row + 1] & work.mask[color, row + 2]
    return starts != 0


@kernel
def _add_run(work: Work, cell: int, step: int, length: int, color: int) -> None:
    """Notes a line. Work is modified in place."""
    k = work.runs
    work.run_cell[k] = cell
    work.run_step[k] = step
    work.run_length[k] = length
    work.run_color[k] = color
    work.run_group[k] = k
    work.runs = k + 1


@kernel
def _length_down(work: Work, color: int, at: int, bit: int) -> int:
    """How many cells of a color stand on top of each other from a row down."""
    length = 0
    while work.mask[color, at + length] & bit:
        length += 1
    return length


@kernel
def _add_runs_of_row(work: Work, color: int, row: int) -> None:
    """Notes the lines of a color whose first cell is in a row. Work is modified in place."""
    at = row + MASK_MARGIN
    here, above = work.mask[color, at], work.mask[color, at - 1]
    starts = here & (here >> 1) & (here >> 2)
    while starts:
        column = LOWEST[starts]
        length = LOWEST[ALL_COLUMNS * 2 + 1 ^ (here >> column)]
        _add_run(work, row * STRIDE + column, ACROSS, length, color)
        starts &= -1 << (column + length)
    starts = here & work.mask[color, at + 1] & work.mask[color, at + 2]
    starts &= ALL_COLUMNS ^ above
    while starts:
        column = LOWEST[starts]
        _add_run(work, row * STRIDE + column, DOWN, _length_down(work, color, at, 1 << column), color)
        starts &= starts - 1


@kernel
def _keep_first_run(work: Work) -> None:
    """Drops all noted lines but the first in row-major order, across before down (McAdams, section II)."""
    best = 0
    for k in range(1, work.runs):
        if 2 * work.run_cell[k] + (work.run_step[k] == DOWN) < 2 * work.run_cell[best] + (
            work.run_step[best] == DOWN
        ):
            best = k
    work.run_cell[0] = work.run_cell[best]
    work.run_step[0] = work.run_step[best]
    work.run_length[0] = work.run_length[best]
    work.run_color[0] = work.run_color[best]
    work.run_group[0] = 0
    work.runs = 1


@kernel
def find_runs(level: LevelRecord, work: Work) -> int:
    """Notes the lines of the board that this round resolves; returns how many.

    Masks must be up to date. Work is modified in place.
    """
    work.runs = 0
    if not _any_line(level, work):
        return 0
    for color in range(1, level.top_color + 1):
        for row in range(level.rows):
            _add_runs_of_row(work, color, row)
    if level.rules == MCADAMS:
        _keep_first_run(work)
    return work.runs


@kernel
def _crossing(work: Work, across: int, down: int) -> int:
    """The cell that a horizontal and a vertical line of the same color share, or NO_CELL."""
    if work.run_color[across] != work.run_color[down]:
        return NO_CELL
    row, column = work.run_cell[across] // STRIDE, work.run_cell[down] % STRIDE
    left, top = work.run_cell[across] % STRIDE, work.run_cell[down] // STRIDE
    if left <= column < left + work.run_length[across] and top <= row < top + work.run_length[down]:
        return row * STRIDE + column  # type: ignore[no-any-return]
    return NO_CELL


@kernel
def _join_groups(work: Work) -> None:
    """Gives lines that cross the same group number, the lowest of its lines. Work is modified in place."""
    for across in range(work.runs):
        if work.run_step[across] != ACROSS:
            continue
        for down in range(work.runs):
            if work.run_step[down] != DOWN or _crossing(work, across, down) == NO_CELL:
                continue
            kept = min(work.run_group[across], work.run_group[down])
            dropped = max(work.run_group[across], work.run_group[down])
            for k in range(work.runs):
                if work.run_group[k] == dropped:
                    work.run_group[k] = kept


@kernel
def _first_crossing(work: Work, group: int) -> int:
    """The first crossing of a group in row-major order, or NO_CELL."""
    first = NO_CELL
    for across in range(work.runs):
        if work.run_group[across] != group or work.run_step[across] != ACROSS:
            continue
        for down in range(work.runs):
            if work.run_group[down] != group or work.run_step[down] != DOWN:
                continue
            cell = _crossing(work, across, down)
            if cell != NO_CELL and (first == NO_CELL or cell < first):
                first = cell
    return first


@kernel
def _longest_run(work: Work, group: int) -> int:
    """The longest line of a group; of equals across before down, then the first in row-major order."""
    best = group
    for k in range(group + 1, work.runs):
        if work.run_group[k] != group or work.run_length[k] < work.run_length[best]:
            continue
        longer = work.run_length[k] > work.run_length[best]
        same_step = work.run_step[k] == work.run_step[best]
        if (
            longer
            or work.run_step[k] < work.run_step[best]
            or (same_step and work.run_cell[k] < work.run_cell[best])
        ):
            best = k
    return best


@kernel
def _holds(work: Work, run: int, cell: int) -> bool:
    """Whether a cell is part of a line."""
    for k in range(work.run_length[run]):
        if work.run_cell[run] + k * work.run_step[run] == cell:
            return True
    return False


@kernel
def _group_holds(work: Work, group: int, cell: int) -> bool:
    """Whether a cell is part of a group."""
    for run in range(work.runs):
        if work.run_group[run] == group and _holds(work, run, cell):
            return True
    return False


@kernel
def _first_removed(state: State, work: Work, group: int) -> int:
    """The first cell of a group, in row-major order, whose piece is removed; NO_CELL if all are locked."""
    first = NO_CELL
    for run in range(work.runs):
        if work.run_group[run] != group:
            continue
        for k in range(work.run_length[run]):
            cell = work.run_cell[run] + k * work.run_step[run]
            if state.blocker[cell] == NO_BLOCKER and (first == NO_CELL or cell < first):
                first = cell
    return first


@kernel
def _leave(level: LevelRecord, state: State, work: Work, group: int, longest: int, crossing: int) -> None:
    """Notes which special a group leaves, and where. Work is modified in place."""
    length, step = work.run_length[longest], work.run_step[longest]
    middle = work.run_cell[longest] + (length - 1) // 2 * step
    if length >= 5:
        special, cell = COLOR_BOMB, middle
    elif crossing != NO_CELL and level.rules == SAGA:
        special, cell = WRAPPED, crossing
    elif length == 4:
        special, cell = (STRIPED_COLUMN if step == ACROSS else STRIPED_ROW), middle
    else:
        return
    if level.rules == MCADAMS:
        cell = work.run_cell[longest]
    elif work.first != NO_CELL and _group_holds(work, group, work.first):
        cell = work.first
    elif work.second != NO_CELL and _group_holds(work, group, work.second):
        cell = work.second
    if state.blocker[cell] != NO_BLOCKER:
        cell = _first_removed(state, work, group)
    if cell != NO_CELL:
        work.born[cell] = special


@kernel
def _strike_group(level: LevelRecord, state: State, work: Work, group: int) -> None:
    """Hits the cells of a group's lines and touches what is beside them. Modified in place."""
    for run in range(group, work.runs):
        if work.run_group[run] != group:
            continue
        for k in range(work.run_length[run]):
            cell = work.run_cell[run] + k * work.run_step[run]
            strike(state, work, cell, HIT | IN_LINE)
            if level.has_touchables:
                touch_neighbors(level, state, work, cell, group)


@kernel
def strike_lines(level: LevelRecord, state: State, work: Work) -> None:
    """Hits the cells of all lines noted, scores their groups and notes the specials they leave.

    Modified in place.
    """
    if work.runs > 1:
        _join_groups(work)
    longest_of_all = 0
    for run in range(work.runs):
        longest_of_all = max(longest_of_all, work.run_length[run])
        if work.run_group[run] != run:
            continue
        _strike_group(level, state, work, run)
        longest, crossing = run, NO_CELL
        if work.runs > 1:
            longest, crossing = _longest_run(work, run), _first_crossing(work, run)
        score_group(level, state, work.run_length[longest], crossing != NO_CELL, work.round_number)
        if level.rules != PLAIN:
            _leave(level, state, work, run, longest, crossing)
    if level.scoring == QUADRATIC_SCORING:
        state.score += quadratic_value(longest_of_all, work.round_number)


@kernel
def place_special(state: State, cell: int, special: int, color: int) -> None:
    """A special appears in a cell and is counted as made. The state is modified in place."""
    state.piece[cell] = special
    state.color[cell] = 0 if special == COLOR_BOMB else color
    state.timer[cell] = EMPTY
    if special == COLOR_BOMB:
        state.count[COUNT_COLOR_BOMB] += 1
    elif special == WRAPPED:
        state.count[COUNT_WRAPPED] += 1
    else:
        state.count[COUNT_STRIPED] += 1
