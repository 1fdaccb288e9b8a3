"""Specials going off, alone and in combination: which cells are hit."""

from levelsense.game.state import (
    BLOW,
    CANDY,
    CELLS,
    COLOR_BOMB,
    COUNT_BOMB_BOMB,
    COUNT_BOMB_STRIPED,
    COUNT_BOMB_WRAPPED,
    COUNT_STRIPED_STRIPED,
    COUNT_STRIPED_WRAPPED,
    COUNT_WRAPPED_WRAPPED,
    HIDES,
    HIGHEST_COLOR,
    HIT,
    IS_TOUCHED,
    LARGE_PRIMED,
    NO_BLOCKER,
    PRIMED,
    STRIDE,
    STRIPED_COLUMN,
    STRIPED_ROW,
    SWIRL,
    TOUCHED,
    WRAPPED,
    LevelRecord,
    State,
    Work,
)
from levelsense.kernel import kernel
from levelsense.rng import Rng, below


@kernel
def strike(state: State, work: Work, i: int, how: int) -> None:
    """Notes that a cell is hit or touched.

    A special that is hit for the first time is put on the stack to go off.
    """
    before = work.hit[i]
    if before == 0:
        work.hit_cell[work.hits] = i
        work.hits += 1
    work.hit[i] = (before | how) + BLOW
    if (
        how & HIT
        and not before & HIT
        and STRIPED_ROW <= state.piece[i] <= COLOR_BOMB
        and state.blocker[i] == NO_BLOCKER
    ):
        work.stack[work.top] = i
        work.top += 1


@kernel
def _touch(state: State, work: Work, i: int, group: int) -> None:
    """Touches a cell, if a touch can change it and the same group of lines has not done so yet."""
    if IS_TOUCHED[state.blocker[i]] or state.piece[i] == SWIRL:
        if work.touched_by[i] != group + 1:
            work.touched_by[i] = group + 1
            strike(state, work, i, TOUCHED)


@kernel
def touch_neighbors(level: LevelRecord, state: State, work: Work, i: int, group: int) -> None:
    """Touches the four neighbors of a cell of a group of lines."""
    row, column = i // STRIDE, i % STRIDE
    if row > 0:
        _touch(state, work, i - STRIDE, group)
    if row + 1 < level.rows:
        _touch(state, work, i + STRIDE, group)
    if column > 0:
        _touch(state, work, i - 1, group)
    if column + 1 < level.columns:
        _touch(state, work, i + 1, group)


@kernel
def _stripe(state: State, work: Work, i: int, step: int, cells_before: int, cells_after: int) -> None:
    """Hits a cell and the cells before and after it along a row or column.

    A swirl stops the stripe on its side.
    """
    strike(state, work, i, HIT)
    if state.piece[i] == SWIRL:
        return
    for k in range(1, cells_before + 1):
        strike(state, work, i - k * step, HIT)
        if state.piece[i - k * step] == SWIRL:
            break
    for k in range(1, cells_after + 1):
        strike(state, work, i + k * step, HIT)
        if state.piece[i + k * step] == SWIRL:
            break


@kernel
def stripe_row(level: LevelRecord, state: State, work: Work, i: int) -> None:
    """A stripe along the row of a cell."""
    column = i % STRIDE
    _stripe(state, work, i, 1, column, level.columns - 1 - column)


@kernel
def stripe_column(level: LevelRecord, state: State, work: Work, i: int) -> None:
    """A stripe along the column of a cell."""
    row = i // STRIDE
    _stripe(state, work, i, STRIDE, row, level.rows - 1 - row)


@kernel
def blast_square(level: LevelRecord, state: State, work: Work, i: int, reach: int) -> None:
    """Hits all cells up to so many rows and columns away."""
    row, column = i // STRIDE, i % STRIDE
    for r in range(max(0, row - reach), min(level.rows, row + reach + 1)):
        for c in range(max(0, column - reach), min(level.columns, column + reach + 1)):
            strike(state, work, r * STRIDE + c, HIT)


@kernel
def blast_color(state: State, work: Work, color: int) -> None:
    """Hits every cell that shows a color."""
    for i in range(CELLS):
        if state.color[i] == color and not HIDES[state.blocker[i]]:
            strike(state, work, i, HIT)


@kernel
def _most_frequent_color(state: State) -> int:
    """The color that most cells show, the first of equals; 0 if no cell shows one."""
    best = 0
    most = 0
    for color in range(1, HIGHEST_COLOR + 1):
        count = 0
        for i in range(CELLS):
            if state.color[i] == color and not HIDES[state.blocker[i]]:
                count += 1
        if count > most:
            most = count
            best = color
    return best


@kernel
def set_off_stack(level: LevelRecord, state: State, work: Work) -> None:
    """Specials that were hit go off, and those that they hit, until all have.

    Nothing on the board changes yet.
    """
    while work.top > 0:
        work.top -= 1
        i = work.stack[work.top]
        piece = state.piece[i]
        if piece == STRIPED_ROW:
            stripe_row(level, state, work, i)
        elif piece == STRIPED_COLUMN:
            stripe_column(level, state, work, i)
        elif piece == WRAPPED:
            blast_square(level, state, work, i, 1)
        elif not work.spent_bombs:
            color = _most_frequent_color(state)
            if color:
                blast_color(state, work, color)


@kernel
def set_off_primed(level: LevelRecord, state: State, work: Work) -> None:
    """Wrapped candies that fell after their first blast go off again."""
    for i in range(CELLS):
        if state.piece[i] == PRIMED:
            blast_square(level, state, work, i, 1)
        elif state.piece[i] == LARGE_PRIMED:
            blast_square(level, state, work, i, 2)


@kernel
def is_combination(first: int, second: int, first_color: int, second_color: int) -> bool:
    """Whether swapping two pieces sets them off without a line."""
    if first == COLOR_BOMB:
        return second == COLOR_BOMB or second_color != 0
    if second == COLOR_BOMB:
        return first_color != 0
    return STRIPED_ROW <= first <= WRAPPED and STRIPED_ROW <= second <= WRAPPED


@kernel
def _strike_quietly(state: State, work: Work, i: int) -> None:
    """Hits a cell of the swap; its special has no blast of its own."""
    strike(state, work, i, HIT)
    work.top = 0


@kernel
def _combine_bomb(state: State, rng: Rng, work: Work, bomb: int, other: int) -> None:
    """A color bomb swapped with a candy.

    Its color is hit, after taking the candy's kind if that is special.
    """
    _strike_quietly(state, work, bomb)
    color, kind = state.color[other], state.piece[other]
    is_striped = STRIPED_ROW <= kind <= STRIPED_COLUMN
    if is_striped:
        state.count[COUNT_BOMB_STRIPED] += 1
    elif kind == WRAPPED:
        state.count[COUNT_BOMB_WRAPPED] += 1
    if is_striped or kind == WRAPPED:
        for i in range(CELLS):
            if state.color[i] == color and state.piece[i] == CANDY and state.blocker[i] == NO_BLOCKER:
                state.piece[i] = STRIPED_ROW + below(rng, 2) if is_striped else WRAPPED
    blast_color(state, work, color)


@kernel
def _combine_striped_wrapped(level: LevelRecord, state: State, work: Work, center: int) -> None:
    """Three rows and three columns around the center."""
    row, column = center // STRIDE, center % STRIDE
    for r in range(max(0, row - 1), min(level.rows, row + 2)):
        stripe_row(level, state, work, r * STRIDE + column)
    for c in range(max(0, column - 1), min(level.columns, column + 2)):
        stripe_column(level, state, work, row * STRIDE + c)


@kernel
def combine(level: LevelRecord, state: State, rng: Rng, work: Work, first: int, second: int) -> None:
    """The combination of two swapped pieces goes off, centered on the second cell. Modified in place."""
    first_piece, second_piece = state.piece[first], state.piece[second]
    if first_piece == COLOR_BOMB and second_piece == COLOR_BOMB:
        state.count[COUNT_BOMB_BOMB] += 1
        work.spent_bombs = 1
        for row in range(level.rows):
            for column in range(level.columns):
                strike(state, work, row * STRIDE + column, HIT)
    elif first_piece == COLOR_BOMB:
        _combine_bomb(state, rng, work, first, second)
    elif second_piece == COLOR_BOMB:
        _combine_bomb(state, rng, work, second, first)
    else:
        _strike_quietly(state, work, first)
        _strike_quietly(state, work, second)
        if first_piece == WRAPPED and second_piece == WRAPPED:
            state.count[COUNT_WRAPPED_WRAPPED] += 1
            work.pair_reach = 2
            blast_square(level, state, work, first, 2)
            blast_square(level, state, work, second, 2)
        elif first_piece == WRAPPED or second_piece == WRAPPED:
            state.count[COUNT_STRIPED_WRAPPED] += 1
            work.pair_reach = 1
            _combine_striped_wrapped(level, state, work, second)
        else:
            state.count[COUNT_STRIPED_STRIPED] += 1
            stripe_row(level, state, work, second)
            stripe_column(level, state, work, second)
