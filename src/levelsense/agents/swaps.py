"""What a swap would do, read off the board: what it strikes in its first round, how ingredients come nearer.

Nothing is played, nothing drawn. Working memory is borrowed for ingredients: work.held_timer holds each
cell's distance from the exit of its chain, work.held_piece marks the exits, and work.list holds what the
ground of each cell is worth.
"""

from levelsense.game.items import (
    blast_color,
    blast_square,
    strike,
    stripe_column,
    stripe_row,
    touch_neighbors,
)
from levelsense.game.state import (
    CELLS,
    CHERRY,
    COLOR_BOMB,
    COUNT_BOMB_BOMB,
    COUNT_BOMB_STRIPED,
    COUNT_BOMB_WRAPPED,
    COUNT_CHERRY,
    COUNT_HAZELNUT,
    COUNT_STRIPED_STRIPED,
    COUNT_STRIPED_WRAPPED,
    COUNT_WRAPPED_WRAPPED,
    HAZELNUT,
    HIDES,
    HIT,
    IN_LINE,
    NO_BLOCKER,
    STRIDE,
    STRIPED_ROW,
    WRAPPED,
    LevelRecord,
    State,
    Work,
)
from levelsense.kernel import kernel

TOWARDS_LEFT, TOWARDS_RIGHT, TOWARDS_TOP, TOWARDS_BOTTOM = -1, 1, -STRIDE, STRIDE


@kernel
def _reach(state: State, i: int, step: int, most: int) -> int:
    """How many cells beside a cell, one after the other, show its color."""
    color = state.color[i]
    n = 0
    while n < most:
        other = i + (n + 1) * step
        if state.color[other] != color or HIDES[state.blocker[other]]:
            break
        n += 1
    return n


@kernel
def lines_through(level: LevelRecord, state: State, i: int) -> tuple[int, int, int, int]:
    """How far its color runs through a cell: cells to the left, length of the row; above, of the column."""
    row, column = i // STRIDE, i % STRIDE
    left = _reach(state, i, TOWARDS_LEFT, column)
    up = _reach(state, i, TOWARDS_TOP, row)
    across = 1 + left + _reach(state, i, TOWARDS_RIGHT, level.columns - 1 - column)
    down = 1 + up + _reach(state, i, TOWARDS_BOTTOM, level.rows - 1 - row)
    return left, across, up, down


@kernel
def _strike_line(
    level: LevelRecord, state: State, work: Work, first: int, step: int, length: int, group: int
) -> None:
    """Strikes the cells of a line of a group and touches their neighbors. Work is modified in place."""
    for k in range(length):
        strike(state, work, first + k * step, HIT | IN_LINE)
        if level.has_touchables:
            touch_neighbors(level, state, work, first + k * step, group)


@kernel
def strike_lines_through(level: LevelRecord, state: State, work: Work, i: int) -> tuple[int, int]:
    """Strikes the lines through a cell, if any; returns how far its color runs across and down.

    Work is modified in place.
    """
    if state.color[i] == 0:
        return 0, 0
    left, across, up, down = lines_through(level, state, i)
    if across >= 3:
        _strike_line(level, state, work, i - left, 1, across, i)
    if down >= 3:
        _strike_line(level, state, work, i - up * STRIDE, STRIDE, down, i)
    return across, down


@kernel
def _strike_bomb_with(level: LevelRecord, state: State, work: Work, other: int) -> int:
    """Strikes what a color bomb swapped with a candy strikes; returns the count of that combination, or -1.

    Candies that become striped are taken to be striped like the one that is swapped, though the game draws
    that. Work is modified in place.
    """
    color, kind = state.color[other], state.piece[other]
    blast_color(state, work, color)
    if kind < STRIPED_ROW or kind > WRAPPED:
        return -1
    for i in range(CELLS):
        if state.color[i] == color and state.blocker[i] == NO_BLOCKER:
            if kind == STRIPED_ROW:
                stripe_row(level, state, work, i)
            elif kind == WRAPPED:
                blast_square(level, state, work, i, 1)
            else:
                stripe_column(level, state, work, i)
    return COUNT_BOMB_WRAPPED if kind == WRAPPED else COUNT_BOMB_STRIPED


@kernel
def _strike_pair(level: LevelRecord, state: State, work: Work, first: int, second: int) -> int:
    """Strikes what two swapped specials strike (rules, section 7); returns the count of that combination.

    Work is modified in place.
    """
    first_piece, second_piece = state.piece[first], state.piece[second]
    if first_piece == WRAPPED and second_piece == WRAPPED:
        blast_square(level, state, work, first, 2)
        blast_square(level, state, work, second, 2)
        return COUNT_WRAPPED_WRAPPED
    row, column = second // STRIDE, second % STRIDE
    reach = 1 if first_piece == WRAPPED or second_piece == WRAPPED else 0
    for r in range(max(0, row - reach), min(level.rows, row + reach + 1)):
        stripe_row(level, state, work, r * STRIDE + column)
    for c in range(max(0, column - reach), min(level.columns, column + reach + 1)):
        stripe_column(level, state, work, row * STRIDE + c)
    return COUNT_STRIPED_WRAPPED if reach else COUNT_STRIPED_STRIPED


@kernel
def strike_combination(level: LevelRecord, state: State, work: Work, first: int, second: int) -> int:
    """Strikes what a combination strikes; returns the count that it adds to, or -1.

    Work is modified in place.
    """
    strike(state, work, first, HIT)
    strike(state, work, second, HIT)
    work.top = 0  # the two have no blast of their own
    if state.piece[first] == COLOR_BOMB and state.piece[second] == COLOR_BOMB:
        count = COUNT_BOMB_BOMB
        work.spent_bombs = 1
        for row in range(level.rows):
            for i in range(row * STRIDE, row * STRIDE + level.columns):
                strike(state, work, i, HIT)
    elif state.piece[first] == COLOR_BOMB:
        count = _strike_bomb_with(level, state, work, second)
    elif state.piece[second] == COLOR_BOMB:
        count = _strike_bomb_with(level, state, work, first)
    else:
        count = _strike_pair(level, state, work, first, second)
    return count


# The distance of a cell whose chain leads to no exit; none is further.
NO_WAY = 2 * STRIDE
_IS_EXIT = 1


@kernel
def wants_ingredients(level: LevelRecord, state: State) -> bool:
    """Whether a goal still asks for ingredients."""
    return bool(
        state.count[COUNT_CHERRY] < level.asked[COUNT_CHERRY]
        or state.count[COUNT_HAZELNUT] < level.asked[COUNT_HAZELNUT]
    )


@kernel
def moves_in_limit(level: LevelRecord) -> float:
    """How many moves the limit allows; with seconds, moves of two rounds each."""
    if level.milliseconds:
        return float(level.milliseconds / max(1, level.move_cost + 2 * level.round_cost))
    return float(level.moves)


@kernel
def is_wanted(level: LevelRecord, state: State, i: int) -> bool:
    """Whether a cell holds an ingredient that a goal still asks for."""
    piece = state.piece[i]
    if piece == CHERRY:
        return bool(state.count[COUNT_CHERRY] < level.asked[COUNT_CHERRY])
    return bool(piece == HAZELNUT and state.count[COUNT_HAZELNUT] < level.asked[COUNT_HAZELNUT])


@kernel
def _mark_chain(level: LevelRecord, state: State, work: Work, chain: int, step: int) -> None:
    """Notes the distances of a chain's cells, and adds to the worth of those below ingredients.

    Exits are marked by _IS_EXIT beforehand. Work is modified in place.
    """
    first, end = level.chain_first[chain], level.chain_first[chain + 1]
    exit_at = end
    for k in range(end - 1, first - 1, -1):
        if work.held_piece[level.chain_cell[k]] == _IS_EXIT:
            exit_at = k
    above = 0
    for k in range(end - 1, first - 1, -1):
        i = level.chain_cell[k]
        work.held_timer[i] = NO_WAY if k < exit_at else min(k - exit_at, NO_WAY)
        if exit_at < end and k >= exit_at:
            work.list[i] += above * step
            if is_wanted(level, state, i):
                above += 1


@kernel
def mark_ways(level: LevelRecord, state: State, work: Work, step: int) -> None:
    """Notes how far each cell is from the exit of its chain, and what clearing it does for ingredients above.

    Work is modified in place.
    """
    for row in range(level.rows):
        for i in range(row * STRIDE, row * STRIDE + level.columns):
            work.held_piece[i] = 0
    for k in range(level.exits):
        work.held_piece[level.exit_cell[k]] = _IS_EXIT
    for chain in range(level.chains):
        _mark_chain(level, state, work, chain, step)


@kernel
def steps_nearer(level: LevelRecord, state: State, work: Work, first: int, second: int) -> int:
    """How many cells a swap brings ingredients nearer to an exit; negative if further from it."""
    steps = int(work.held_timer[first]) - int(work.held_timer[second])
    return steps * (is_wanted(level, state, first) - is_wanted(level, state, second))
