"""The first board, and the shuffle of a board without legal moves.

No line stands, and a legal move exists.
"""

from levelsense.game.moves import find_moves, no_moves, rebuild_masks
from levelsense.game.state import (
    CELLS,
    EMPTY,
    HIDES,
    LOST,
    NO_BLOCKER,
    NO_MOVE_POSSIBLE,
    STRIDE,
    SWIRL,
    LevelRecord,
    State,
    Work,
)
from levelsense.kernel import kernel
from levelsense.rng import Rng, below

MOST_DEALS = 100
MOST_ROW_TRIES = 100
MOST_SHUFFLES = 50


@kernel
def _color_at(level: LevelRecord, state: State, row: int, column: int) -> int:
    """The color that a cell shows; 0 beyond the board."""
    if row < 0 or row >= level.rows or column < 0 or column >= level.columns:
        return 0
    i = row * STRIDE + column
    return 0 if HIDES[state.blocker[i]] else int(state.color[i])


@kernel
def _barred_by(far_before: int, before: int, after: int, far_after: int) -> int:
    """Bit mask of the colors that would make a line between these four cells; bit 0 means nothing."""
    barred = 0
    if before == far_before or before == after:
        barred |= 1 << before
    if after == far_after:
        barred |= 1 << after
    return barred


@kernel
def barred_colors(level: LevelRecord, state: State, i: int) -> int:
    """Bit mask of the colors that would be part of a line in this cell; bit 0 means nothing."""
    if HIDES[state.blocker[i]]:
        return 0
    row, column = i // STRIDE, i % STRIDE
    return _barred_by(
        _color_at(level, state, row, column - 2),
        _color_at(level, state, row, column - 1),
        _color_at(level, state, row, column + 1),
        _color_at(level, state, row, column + 2),
    ) | _barred_by(
        _color_at(level, state, row - 2, column),
        _color_at(level, state, row - 1, column),
        _color_at(level, state, row + 1, column),
        _color_at(level, state, row + 2, column),
    )


@kernel
def _deal_cell(level: LevelRecord, state: State, rng: Rng, i: int) -> bool:
    """Draws a color that makes no line; False if there is none. The state is modified in place."""
    barred = barred_colors(level, state, i)
    if barred <= 1:
        state.color[i] = level.color_table[below(rng, level.table_size)]
        return True
    allowed = 0
    for k in range(level.table_size):
        allowed += 1 - (barred >> int(level.color_table[k]) & 1)
    if allowed == 0:
        return False
    skip = below(rng, allowed)
    k = 0
    while skip or barred >> int(level.color_table[k]) & 1:
        skip -= 1 - (barred >> int(level.color_table[k]) & 1)
        k += 1
    state.color[i] = level.color_table[k]
    return True


@kernel
def _deal_row(level: LevelRecord, state: State, rng: Rng, row: int) -> bool:
    """Deals the candies of a row; False if it came to a dead end too often.

    The state is modified in place.
    """
    for _ in range(MOST_ROW_TRIES):
        _clear_dealt(level, state, row, row + 1)
        done = True
        for column in range(level.columns):
            i = row * STRIDE + column
            if level.dealt[i] and not _deal_cell(level, state, rng, i):
                done = False
                break
        if done:
            return True
    return False


@kernel
def _clear_dealt(level: LevelRecord, state: State, first_row: int, end_row: int) -> None:
    """Makes the dealt cells of some rows colorless. The state is modified in place."""
    for i in range(first_row * STRIDE, end_row * STRIDE):
        if level.dealt[i]:
            state.color[i] = 0


@kernel
def deal(level: LevelRecord, state: State, rng: Rng, work: Work) -> None:
    """Deals the first board onto a fresh copy of the level's start; a board that has no move is lost.

    Modified in place.
    """
    for _ in range(MOST_DEALS):
        _clear_dealt(level, state, 0, level.rows)
        done = True
        for row in range(level.rows):
            if not _deal_row(level, state, rng, row):
                done = False
                break
        if done:
            rebuild_masks(level, state, work)
            if find_moves(level, state, work):
                return
    state.status = LOST
    state.reason = NO_MOVE_POSSIBLE
    no_moves(state)


@kernel
def _pick_up(state: State, work: Work) -> int:
    """Notes the candies and color bombs that may be shuffled, in row-major order; returns how many."""
    count = 0
    for i in range(CELLS):
        if state.piece[i] != EMPTY and state.piece[i] < SWIRL and state.blocker[i] == NO_BLOCKER:
            work.list[count] = i
            work.held_piece[count] = state.piece[i]
            work.held_color[count] = state.color[i]
            work.held_timer[count] = state.timer[i]
            work.hit_cell[count] = count
            count += 1
    return count


@kernel
def _put(state: State, work: Work, i: int, held: int) -> None:
    """Puts a held piece into a cell. Modified in place."""
    state.piece[i] = work.held_piece[held]
    state.color[i] = work.held_color[held]
    state.timer[i] = work.held_timer[held]
    work.came[i] = work.list[held]


@kernel
def _lay_out(level: LevelRecord, state: State, work: Work, count: int) -> bool:
    """Puts the held pieces on their places, each the first that makes no line; False at a dead end.

    Modified in place.
    """
    for k in range(count):
        state.color[work.list[k]] = 0
        work.stack[k] = work.hit_cell[k]
    for k in range(count):
        place = work.list[k]
        barred = barred_colors(level, state, place) & -2
        chosen = -1
        for n in range(count - k):
            if not barred >> int(work.held_color[work.stack[n]]) & 1:
                chosen = n
                break
        if chosen < 0:
            return False
        _put(state, work, place, work.stack[chosen])
        for n in range(chosen, count - k - 1):
            work.stack[n] = work.stack[n + 1]
    return True


@kernel
def shuffle(level: LevelRecord, state: State, rng: Rng, work: Work) -> bool:
    """Shuffles the candies until no line stands and a move is legal; False, all in place, if that fails.

    Modified in place.
    """
    state.shuffles += 1
    count = _pick_up(state, work)
    for _ in range(MOST_SHUFFLES):
        for k in range(count - 1, 0, -1):
            j = below(rng, k + 1)
            work.hit_cell[k], work.hit_cell[j] = work.hit_cell[j], work.hit_cell[k]
        if _lay_out(level, state, work, count):
            rebuild_masks(level, state, work)
            if find_moves(level, state, work):
                return True
    for k in range(count):
        _put(state, work, work.list[k], k)
    rebuild_masks(level, state, work)
    find_moves(level, state, work)
    return False
