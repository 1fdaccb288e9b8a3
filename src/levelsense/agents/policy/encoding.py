"""Positions as the policy network sees them: the inputs of every legal move, and those of the position."""

from typing import Final

from levelsense.agents.policy.consequences import write_consequences
from levelsense.agents.policy.inputs import (
    AROUND_1,
    AROUND_2,
    AROUND_3,
    ASKED_BLOCKER,
    ASKED_COLOR,
    ASKED_PIECE,
    ASKED_SWIRL,
    BETTER,
    BETTER_NEAR,
    BOMB_BOMB,
    BOMB_CANDY,
    BOMB_SPECIAL,
    COLUMN,
    COLUMNS_AWAY,
    CROWD_2,
    CROWD_4,
    DISTANCE,
    FROM_BOTTOM,
    FROM_MIDDLE,
    FROM_TOP,
    GOALS_GAP,
    HAS_LAST,
    IS_VERTICAL,
    JELLY,
    MAKES_ASKED,
    MAKES_BOMB,
    MAKES_STRIPED,
    MAKES_WRAPPED,
    MOST_GOALS,
    NEAR_GAP,
    OTHER_BLOCKER,
    OVER_JELLY,
    PACE,
    PIECES,
    PIECES_GAP,
    PLACES_1,
    PLACES_2,
    PLACES_3,
    ROWS_AWAY,
    SPECIALS,
    SPECIALS_GAP,
    STEPS,
    STRIPED_STRIPED,
    STRIPED_WRAPPED,
    STRUCK,
    URGENCY,
    WAY,
    WITHIN_1,
    WITHIN_2,
    WITHIN_3,
    WITHIN_5,
    WORK_1,
    WORK_2,
    WORK_3,
    WRAPPED_WRAPPED,
)
from levelsense.agents.swaps import (
    mark_ways,
    moves_in_limit,
    steps_nearer,
    wants_ingredients,
)
from levelsense.game.cascade import swap_pieces
from levelsense.game.moves import distance_between, first_cell, second_cell
from levelsense.game.score import is_asked, progress
from levelsense.game.state import (
    COUNT_COLOR,
    COUNT_JELLY,
    NO_BLOCKER,
    NO_CELL,
    STRIDE,
    Array,
    LevelRecord,
    Moves,
    State,
    States,
    Work,
)
from levelsense.kernel import kernel

_FAR: Final = 8  # cells: no distance counts for more
_NEAR: Final = 3  # cells: places around the last move, each way


@kernel
def _write_work_near(level: LevelRecord, state: State, rows: Array, moves: Moves, count: int) -> None:
    """Writes how much of all jelly and blockers is near each move. The rows are modified in place."""
    cells = 0
    for row in range(level.rows):
        for i in range(row * STRIDE, row * STRIDE + level.columns):
            if state.jelly[i] or state.blocker[i] != NO_BLOCKER:
                cells += 1
                for k in range(count):
                    distance = distance_between(first_cell(moves[k]), i)
                    if distance <= 3:
                        rows[k, WORK_3] += 1.0
                        if distance <= 2:
                            rows[k, WORK_2] += 1.0
                            if distance <= 1:
                                rows[k, WORK_1] += 1.0
    if cells:
        for k in range(count):
            rows[k, WORK_1] /= cells
            rows[k, WORK_2] /= cells
            rows[k, WORK_3] /= cells


@kernel
def _within(place: int, length: int, most: int) -> int:
    """How many rows or columns of so many are at most `most` away from one of them."""
    return min(place + most + 1, length) - max(place - most, 0)


@kernel
def _share_around(level: LevelRecord, cell: int, most: int) -> float:
    """The share of the cells at most `most` away from a cell, and of that cell, that are on the board."""
    rows = _within(cell // STRIDE, level.rows, most)
    columns = _within(cell % STRIDE, level.columns, most)
    return rows * columns / float((2 * most + 1) * (2 * most + 1))


@kernel
def _near(last: int, place: int, length: int, most: int) -> int:
    """How many of the 2 * _NEAR + 1 rows or columns around the last one are at most `most` from a place.

    Those beyond the border count as the one at the border, where an eye would stop.
    """
    number = 0
    for step in range(-_NEAR, _NEAR + 1):
        number += abs(min(max(last + step, 0), length - 1) - place) <= most
    return number


@kernel
def _share_near(level: LevelRecord, last: int, cell: int, most: int) -> float:
    """The share of the places around the last move that are at most `most` away from a cell."""
    rows = _near(last // STRIDE, cell // STRIDE, level.rows, most)
    columns = _near(last % STRIDE, cell % STRIDE, level.columns, most)
    return rows * columns / float((2 * _NEAR + 1) * (2 * _NEAR + 1))


@kernel
def _write_place(level: LevelRecord, row: Array, move: int, last: int) -> None:
    """Writes where a move is, and how far from the cell of the last one. The row is modified in place."""
    first, second = first_cell(move), second_cell(move)
    row[IS_VERTICAL] = abs(first - second) == STRIDE
    row[FROM_TOP] = (first // STRIDE) / STRIDE
    row[FROM_BOTTOM] = (level.rows - 1 - first // STRIDE) / STRIDE
    row[FROM_MIDDLE] = abs(first % STRIDE - 0.5 * (level.columns - 1)) / STRIDE
    row[COLUMN] = (first % STRIDE) / STRIDE
    row[AROUND_1] = _share_around(level, first, 1)
    row[AROUND_2] = _share_around(level, first, 2)
    row[AROUND_3] = _share_around(level, first, 3)
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
    row[PLACES_1] = _share_near(level, last, first, 1)
    row[PLACES_2] = _share_near(level, last, first, 2)
    row[PLACES_3] = _share_near(level, last, first, 3)


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
    pace = moves_in_limit(level) / max(1, level.goals + (level.asked_score > 0))
    has_ways = wants_ingredients(level, state)
    if has_ways:
        mark_ways(level, state, work, 1)
    for k in range(count):
        row = rows[k]
        row[:] = 0.0
        first, second = first_cell(moves[k]), second_cell(moves[k])
        swap_pieces(state, first, second)
        write_consequences(level, state, work, row, first, second, has_ways)
        swap_pieces(state, first, second)
        row[PACE] *= pace
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
