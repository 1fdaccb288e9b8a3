"""Falling.

Straight down chains, diagonally past what cannot move, new pieces at the entries, ingredients out at the
exits.
"""

from levelsense.game.moves import mark_loose
from levelsense.game.score import INGREDIENT, score_saga
from levelsense.game.state import (
    CANDY,
    CELLS,
    CHERRY,
    COLOR_BOMB,
    COUNT_CHERRY,
    COUNT_HAZELNUT,
    COUNTDOWN,
    EMPTY,
    HAZELNUT,
    LOWEST,
    MOST_COUNT,
    NO_BLOCKER,
    NO_CELL,
    NO_ENTRY,
    NO_RATE,
    STRIDE,
    STRIPED_COLUMN,
    STRIPED_ROW,
    SWIRL,
    LevelRecord,
    State,
    Work,
)
from levelsense.kernel import kernel
from levelsense.rng import Rng, below

MOST_SLIDES = 500
MOST_DEPARTURES = 100
RATE_UNIT = 10_000


@kernel
def move_piece(state: State, work: Work, source: int, target: int) -> None:
    """Moves a piece to an empty tile. Modified in place."""
    state.piece[target] = state.piece[source]
    state.color[target] = state.color[source]
    state.timer[target] = state.timer[source]
    work.came[target] = work.came[source]
    remove_piece(state, source)


@kernel
def remove_piece(state: State, i: int) -> None:
    """Leaves the tile empty. Modified in place."""
    state.piece[i] = EMPTY
    state.color[i] = 0
    state.timer[i] = 0


@kernel
def _present(state: State, piece: int) -> int:
    """How many pieces of a kind are on the board; striped counts both directions."""
    other = STRIPED_COLUMN if piece == STRIPED_ROW else piece
    count = 0
    for i in range(CELLS):
        if state.piece[i] == piece or state.piece[i] == other:
            count += 1
    return count


@kernel
def _choose_drop(level: LevelRecord, state: State, rng: Rng, rule: int) -> int:
    """The drop of an entry's list that applies now, or -1 for a plain candy.

    One draw serves all rates of the list: each has its share of the numbers.
    """
    drawn = -1
    for drop in range(level.rule_first[rule], level.rule_first[rule + 1]):
        if level.drop_total[drop] and state.dropped[drop] >= level.drop_total[drop]:
            continue
        if level.drop_rate[drop] == NO_RATE:
            if _present(state, level.drop_piece[drop]) < level.drop_keep[drop]:
                return drop
            continue
        if drawn < 0:
            drawn = below(rng, RATE_UNIT)
        if drawn < level.drop_rate[drop]:
            return drop
        drawn -= level.drop_rate[drop]
    return -1


@kernel
def _let_drop_in(level: LevelRecord, state: State, rng: Rng, drop: int, i: int) -> None:
    """Puts the piece of a drop into an empty tile. Modified in place."""
    state.dropped[drop] = min(state.dropped[drop] + 1, MOST_COUNT)
    piece = level.drop_piece[drop]
    if piece < SWIRL and piece != COLOR_BOMB:
        if level.drop_color[drop]:
            state.color[i] = level.drop_color[drop]
        else:
            state.color[i] = level.color_table[below(rng, level.table_size)]
    if piece == STRIPED_ROW and below(rng, 2) == 1:
        piece = STRIPED_COLUMN
    elif piece == COUNTDOWN:
        # It ticks at the end of the move that brings it.
        state.timer[i] = level.drop_timer[drop] + 1
    state.piece[i] = piece


@kernel
def _let_in(level: LevelRecord, state: State, rng: Rng, work: Work, rule: int, i: int) -> None:
    """A new piece enters an empty tile. Modified in place."""
    work.came[i] = NO_CELL
    if level.rule_first[rule] != level.rule_first[rule + 1]:
        drop = _choose_drop(level, state, rng, rule)
        if drop >= 0:
            _let_drop_in(level, state, rng, drop, i)
            return
    state.piece[i] = CANDY
    state.color[i] = level.color_table[below(rng, level.table_size)]


@kernel
def _fall_straight(level: LevelRecord, state: State, rng: Rng, work: Work, chain: int) -> None:
    """Straight falling of one chain, and what enters at its top. Modified in place."""
    first, end = level.chain_first[chain], level.chain_first[chain + 1]
    target = first
    for k in range(first, end):
        i = level.chain_cell[k]
        if state.blocker[i] != NO_BLOCKER:
            target = k + 1
        elif state.piece[i] != EMPTY:
            if target != k:
                move_piece(state, work, i, level.chain_cell[target])
            target += 1
    rule = level.chain_entry[chain]
    if rule != NO_ENTRY:
        for k in range(target, end):
            _let_in(level, state, rng, work, rule, level.chain_cell[k])


@kernel
def _slide_once(level: LevelRecord, state: State, work: Work) -> int:
    """One diagonal step, if there is one: returns source * CELLS + target, or NO_CELL."""
    for row in range(level.rows - 1, 0, -1):
        loose = work.loose_row[row - 1]
        reachable = work.open_row[row] & ((loose << 1) | (loose >> 1))
        if reachable:
            column = LOWEST[reachable]
            from_left = column > 0 and loose >> (column - 1) & 1
            source = (row - 1) * STRIDE + column + (-1 if from_left else 1)
            target = row * STRIDE + column
            move_piece(state, work, source, target)
            return source * CELLS + target  # type: ignore[no-any-return]
    return NO_CELL


@kernel
def _slide(level: LevelRecord, state: State, rng: Rng, work: Work) -> None:
    """Diagonal steps, each followed by straight falling, until none is left. Modified in place."""
    for _ in range(MOST_SLIDES):
        step = _slide_once(level, state, work)
        if step == NO_CELL:
            return
        # Only these two chains changed; the others have come to rest already.
        source_chain, target_chain = level.chain_of[step // CELLS], level.chain_of[step % CELLS]
        low, high = min(source_chain, target_chain), max(source_chain, target_chain)
        _fall_straight(level, state, rng, work, low)
        mark_loose(level, state, work, low)
        work.columns |= level.chain_columns[low] | level.chain_columns[high]
        if high != low:
            _fall_straight(level, state, rng, work, high)
            mark_loose(level, state, work, high)


@kernel
def _leave_by_exits(level: LevelRecord, state: State, work: Work) -> bool:
    """Ingredients on exits leave and are counted; returns whether any did. Modified in place."""
    left = False
    for k in range(level.exits):
        i = level.exit_cell[k]
        piece = state.piece[i]
        if (piece == CHERRY or piece == HAZELNUT) and state.blocker[i] == NO_BLOCKER:
            count = COUNT_CHERRY if piece == CHERRY else COUNT_HAZELNUT
            state.count[count] = min(state.count[count] + 1, MOST_COUNT)
            score_saga(level, state, INGREDIENT)
            remove_piece(state, i)
            work.dirty[level.chain_of[i]] = 1
            left = True
    return left


@kernel
def settle(level: LevelRecord, state: State, rng: Rng, work: Work) -> None:
    """Lets everything fall that can, in the chains marked dirty, and marks the columns that changed.

    Modified in place.
    """
    for departure in range(MOST_DEPARTURES + 1):
        for chain in range(level.chains):
            if work.dirty[chain]:
                work.dirty[chain] = 0
                work.columns |= level.chain_columns[chain]
                _fall_straight(level, state, rng, work, chain)
                if level.has_blockers:
                    mark_loose(level, state, work, chain)
        if level.has_blockers:
            _slide(level, state, rng, work)
        # Ingredients that leave may let others in, which may leave at once, and so on.
        if level.exits == 0 or departure == MOST_DEPARTURES or not _leave_by_exits(level, state, work):
            return
