"""The distances of ingredients to their exits, for the values of the heuristic agent.

Working memory is borrowed: work.held_timer holds each cell's distance from the exit of its chain,
work.held_piece marks the exits, and work.list holds what the ground of each cell is worth.
"""

from levelsense.game.state import (
    CHERRY,
    COUNT_CHERRY,
    COUNT_HAZELNUT,
    HAZELNUT,
    STRIDE,
    LevelRecord,
    State,
    Work,
)
from levelsense.kernel import kernel

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
