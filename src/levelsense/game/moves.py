"""Row bit masks of the board, and from them the legal moves.

mask[k][row + MASK_MARGIN] has a bit for each column that shows color k; the margins stand for the rows
beyond the board, so that a look two rows up or down needs no test. A move is a number: 2 * cell takes the
piece of a cell to its right neighbor, 2 * cell + 1 to the one below; REVERSED more is the same swap with the
other piece as the one that was moved, a move of its own only where that makes a difference.
"""

from levelsense.game.state import (
    CELLS,
    COLOR_BOMB,
    EMPTY,
    HIDES,
    LOWEST,
    MASK_BOMB,
    MASK_MARGIN,
    MASK_SPECIAL,
    MASKS,
    NO_BLOCKER,
    STRIDE,
    STRIPED_ROW,
    WRAPPED,
    LevelRecord,
    Moves,
    State,
    Work,
)
from levelsense.kernel import kernel

ALL_COLUMNS = (1 << STRIDE) - 1
REVERSED = 2 * CELLS
MOST_MOVES = 2 * REVERSED  # numbers of moves are below this, too


@kernel
def refresh_masks(level: LevelRecord, state: State, work: Work, columns: int) -> None:
    """Brings the masks of some columns (a bit mask) up to date. Work is modified in place."""
    kept = ALL_COLUMNS ^ columns
    rows = level.rows
    for k in range(1, MASKS):
        for row in range(MASK_MARGIN, rows + MASK_MARGIN):
            work.mask[k, row] &= kept
    while columns:
        column = LOWEST[columns]
        columns &= columns - 1
        bit = 1 << column
        for row in range(rows):
            i = row * STRIDE + column
            if level.has_hidden_pieces and HIDES[state.blocker[i]]:
                continue
            work.mask[state.color[i], row + MASK_MARGIN] |= bit
            if STRIPED_ROW <= state.piece[i] <= COLOR_BOMB:
                work.mask[MASK_SPECIAL, row + MASK_MARGIN] |= bit
                if state.piece[i] == COLOR_BOMB:
                    work.mask[MASK_BOMB, row + MASK_MARGIN] |= bit


@kernel
def mark_loose(level: LevelRecord, state: State, work: Work, chain: int) -> None:
    """Brings the row masks of open tiles and loose pieces up to date for the cells of a chain.

    Work is modified in place.
    """
    for k in range(level.chain_first[chain], level.chain_first[chain + 1]):
        i = level.chain_cell[k]
        row, bit = i // STRIDE, 1 << (i % STRIDE)
        is_free = state.blocker[i] == NO_BLOCKER
        is_empty = state.piece[i] == EMPTY
        work.open_row[row] = (work.open_row[row] | bit) ^ (0 if is_free and is_empty else bit)
        work.loose_row[row] = (work.loose_row[row] | bit) ^ (bit if is_empty or not is_free else 0)


@kernel
def rebuild_masks(level: LevelRecord, state: State, work: Work) -> None:
    """Computes all masks from the board, whatever they were before. Work is modified in place."""
    for k in range(1, MASKS):
        for row in range(work.mask.shape[1]):
            work.mask[k, row] = 0
    refresh_masks(level, state, work, (1 << level.columns) - 1)
    for row in range(level.rows):
        blocked = 0
        empty = 0
        if level.has_blockers:
            for column in range(level.columns):
                i = row * STRIDE + column
                blocked |= (state.blocker[i] != NO_BLOCKER) << column
                empty |= (state.piece[i] == EMPTY) << column
        work.open_row[row] = level.tile_row[row] & (ALL_COLUMNS ^ blocked) & empty
        work.loose_row[row] = level.tile_row[row] & (ALL_COLUMNS ^ (blocked | empty))


@kernel
def _swaps_by_line(level: LevelRecord, state: State, work: Work) -> None:
    """Sets state.right and state.down to the swaps that make a line. Masks must be up to date."""
    rows = level.rows
    for row in range(rows):
        state.right[row] = 0
        state.down[row] = 0
    for color in range(1, level.top_color + 1):
        for row in range(rows):
            at = row + MASK_MARGIN
            up2, up1, here = work.mask[color, at - 2], work.mask[color, at - 1], work.mask[color, at]
            below1, below2, below3 = (
                work.mask[color, at + 1],
                work.mask[color, at + 2],
                work.mask[color, min(at + 3, rows + 3)],
            )
            # A candy that arrives here completes a line with two above, two below, or one of each.
            column_pair = (up1 & up2) | (below1 & below2) | (up1 & below1)
            left_pair = (here << 1) & (here << 2)
            right_pair = (here >> 1) & (here >> 2)
            state.right[row] |= ((here >> 1) & (left_pair | column_pair)) | (
                here & ((right_pair | column_pair) >> 1)
            )
            row_pair = left_pair | right_pair | ((here << 1) & (here >> 1))
            row_pair_below = (
                ((below1 << 1) & (below1 << 2))
                | ((below1 >> 1) & (below1 >> 2))
                | ((below1 << 1) & (below1 >> 1))
            )
            state.down[row] |= (below1 & ((up1 & up2) | row_pair)) | (
                here & ((below2 & below3) | row_pair_below)
            )


@kernel
def _swaps_by_special(level: LevelRecord, state: State, work: Work) -> None:
    """Adds to state.right and state.down the swaps of two specials, and of a color bomb and a candy."""
    for row in range(level.rows):
        at = row + MASK_MARGIN
        special, special_below = work.mask[MASK_SPECIAL, at], work.mask[MASK_SPECIAL, at + 1]
        bomb, bomb_below = work.mask[MASK_BOMB, at], work.mask[MASK_BOMB, at + 1]
        if special == 0 and special_below == 0:
            continue
        state.right[row] |= special & (special >> 1)
        state.down[row] |= special & special_below
        if bomb == 0 and bomb_below == 0:
            continue
        candy = 0
        candy_below = 0
        for color in range(1, level.top_color + 1):
            candy |= work.mask[color, at]
            candy_below |= work.mask[color, at + 1]
        state.right[row] |= (bomb & (candy >> 1)) | (candy & (bomb >> 1))
        state.down[row] |= (bomb & candy_below) | (candy & bomb_below)


@kernel
def find_moves(level: LevelRecord, state: State, work: Work) -> bool:
    """Sets state.right and state.down to the legal swaps; returns whether there is any.

    Masks must be up to date.
    """
    _swaps_by_line(level, state, work)
    if level.has_specials:
        _swaps_by_special(level, state, work)
    anything = 0
    loose = work.loose_row[0]
    for row in range(level.rows):
        loose_below = 0
        if row + 1 < level.rows:
            loose_below = work.loose_row[row + 1]
        state.right[row] &= loose & (loose >> 1)
        state.down[row] &= loose & loose_below
        anything |= state.right[row] | state.down[row]
        loose = loose_below
    return anything != 0


@kernel
def no_moves(state: State) -> None:
    """Clears the legal moves, as at the end of an attempt. The state is modified in place."""
    for row in range(STRIDE):
        state.right[row] = 0
        state.down[row] = 0


@kernel
def has_direction(state: State, first: int, second: int) -> bool:
    """Whether a swap goes off around the cell that the moved piece ends in.

    Swaps of striped with striped and of striped with wrapped do.
    """
    first_piece, second_piece = state.piece[first], state.piece[second]
    return (
        STRIPED_ROW <= first_piece <= WRAPPED
        and STRIPED_ROW <= second_piece <= WRAPPED
        and not (first_piece == WRAPPED and second_piece == WRAPPED)
    )


@kernel
def list_moves(state: State, moves: Moves) -> int:
    """Writes the legal moves into an array of MOST_MOVES numbers, in order; returns how many."""
    count = 0
    for row in range(STRIDE):
        right = state.right[row]
        down = state.down[row]
        left = right | down
        while left:
            column = LOWEST[left]
            left &= left - 1
            cell = row * STRIDE + column
            if right >> column & 1:
                moves[count] = 2 * cell
                count += 1
                if has_direction(state, cell, cell + 1):
                    moves[count] = 2 * cell + REVERSED
                    count += 1
            if down >> column & 1:
                moves[count] = 2 * cell + 1
                count += 1
                if has_direction(state, cell, cell + STRIDE):
                    moves[count] = 2 * cell + 1 + REVERSED
                    count += 1
    return count


@kernel
def is_legal(state: State, move: int) -> bool:
    """Whether a number below MOST_MOVES is that of a legal move, or of its swap the other way round."""
    swap = move % REVERSED
    bits = state.down[swap // 2 // STRIDE] if swap & 1 else state.right[swap // 2 // STRIDE]
    return bool(bits >> (swap // 2 % STRIDE) & 1)


@kernel
def _neighbor(move: int) -> int:
    """The right or lower cell of a swap that is numbered below REVERSED."""
    return move // 2 + (STRIDE if move & 1 else 1)


@kernel
def first_cell(move: int) -> int:
    """The cell that the moved piece comes from."""
    return move // 2 if move < REVERSED else _neighbor(move - REVERSED)


@kernel
def second_cell(move: int) -> int:
    """The cell that the moved piece ends in."""
    return _neighbor(move) if move < REVERSED else (move - REVERSED) // 2


@kernel
def distance_between(first: int, second: int) -> int:
    """The distance of two cells, in moves of a chess king."""
    rows = abs(first // STRIDE - second // STRIDE)
    columns = abs(first % STRIDE - second % STRIDE)
    return max(rows, columns)
