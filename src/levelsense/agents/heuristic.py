"""The heuristic agent: a hand-made bot as a studio would write it, and the values that it gives to moves.

It values what a swap strikes in its first round, and nothing after it: no move is played, and nothing is
drawn but which of equally good moves to make. The values guide playouts too, at every move, so they are
computed from the cells that a swap strikes.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from levelsense.agents.attempt import GAME, AgentKernels
from levelsense.agents.simple import any_of_the_best
from levelsense.agents.swaps import (
    mark_ways,
    steps_nearer,
    strike_combination,
    strike_lines_through,
    wants_ingredients,
)
from levelsense.game.cascade import swap_pieces
from levelsense.game.items import is_combination, set_off_stack
from levelsense.game.moves import MOST_MOVES, first_cell, list_moves, second_cell
from levelsense.game.state import (
    BLOCKER_COUNT,
    BLOW,
    CHERRY,
    COUNT_COLOR,
    COUNT_COLOR_BOMB,
    COUNT_COUNTDOWN,
    COUNT_JELLY,
    COUNT_NAMES,
    COUNT_STRIPED,
    COUNT_SUGAR,
    COUNT_SWIRL,
    COUNT_TIME,
    COUNT_WRAPPED,
    COUNTDOWN,
    EMPTY,
    GROWS,
    HAZELNUT,
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
    Array,
    LevelRecord,
    Moves,
    State,
    States,
    Work,
)
from levelsense.kernel import kernel
from levelsense.rng import Rng


class Weights(NamedTuple):
    """The weights of the heuristic; a move's value is their sum over all that the move strikes."""

    goal: int = 60  # one of a count that a goal still asks for: a layer of jelly, an ordered candy, ...
    under: int = 70  # a layer of blocker above jelly that is asked for
    blocker: int = 20  # a layer of any blocker
    growth: int = 120  # a layer of what grows besides, since it spreads while none is removed
    step: int = 50  # an ingredient comes a cell nearer to its exit
    fuse: int = 300  # a countdown bomb, divided by the moves until it goes off
    seconds: int = 60  # a time candy, in a level with seconds
    sugar: int = 15  # a sugar candy, in a level that pays for them
    piece: int = 4  # any piece that goes
    spent: int = -20  # a special that goes: it might have met another
    striped: int = 45  # a special that is made
    wrapped: int = 150
    color_bomb: int = 280
    asked_special: int = 200  # and more, if a goal asks for it
    asked_combination: int = 2_000  # two specials swapped, if a goal asks for it
    low: int = 3  # a row further down the board
    least: int = 1  # no move is worth less, so that playouts can draw moves in proportion to their values


WEIGHTS = Weights()
COUNTS = len(COUNT_NAMES)

# While moves are valued, working memory is borrowed. Of what is worth something when it is struck,
# work.list holds the ground of each cell (jelly, a blocker, the way of an ingredient), work.came its piece,
# and work.run_length one of each count.


@kernel
def _weigh_goals(level: LevelRecord, state: State, work: Work) -> None:
    """Notes what one of each count is worth: something while a goal asks for it.

    Work is modified in place.
    """
    for count in range(COUNTS):
        work.run_length[count] = 0
    for k in range(level.goals):
        count = level.goal_count[k]
        if state.count[count] < level.asked[count]:
            work.run_length[count] = WEIGHTS.goal


@kernel
def _blocker_worth(state: State, work: Work, i: int) -> int:
    """What a layer of the blocker of a cell is worth."""
    blocker = state.blocker[i]
    worth = WEIGHTS.blocker + work.run_length[BLOCKER_COUNT[blocker]]
    if GROWS[blocker]:
        worth += WEIGHTS.growth
    if LEAVES_BOMB[blocker]:
        worth += WEIGHTS.color_bomb // LAYERS[blocker]
    if state.jelly[i] and work.run_length[COUNT_JELLY]:
        worth += WEIGHTS.under
    if state.piece[i] == COUNTDOWN:
        worth += WEIGHTS.fuse // (1 + max(1, int(state.timer[i])))
    return worth  # type: ignore[no-any-return]


@kernel
def _piece_worth(level: LevelRecord, state: State, work: Work, i: int) -> int:
    """What a piece is worth when it goes."""
    piece, color = state.piece[i], state.color[i]
    if piece == EMPTY or piece == CHERRY or piece == HAZELNUT:
        return 0
    worth = WEIGHTS.piece
    if color:
        worth += work.run_length[COUNT_COLOR + color]
    if piece < SUGAR:
        return worth + (WEIGHTS.spent if piece >= STRIPED_ROW else 0)
    if piece == SUGAR:
        worth += work.run_length[COUNT_SUGAR] + (WEIGHTS.sugar if level.sugar_every else 0)
    elif piece == TIME:
        worth += work.run_length[COUNT_TIME] + (WEIGHTS.seconds if level.milliseconds else 0)
    elif piece == COUNTDOWN:
        worth += work.run_length[COUNT_COUNTDOWN] + WEIGHTS.fuse // max(1, int(state.timer[i]))
    elif piece == SWIRL:
        worth += work.run_length[COUNT_SWIRL]
    return worth


@kernel
def _weigh_cells(level: LevelRecord, state: State, work: Work) -> None:
    """Notes what it is worth to strike each cell. Work is modified in place."""
    jelly_worth = work.run_length[COUNT_JELLY]
    for row in range(level.rows):
        for i in range(row * STRIDE, row * STRIDE + level.columns):
            if state.blocker[i] != NO_BLOCKER:
                work.list[i] = _blocker_worth(state, work, i)
                work.came[i] = 0
            else:
                work.list[i] = jelly_worth if state.jelly[i] else 0
                work.came[i] = _piece_worth(level, state, work, i)


@kernel
def _special_worth(level: LevelRecord, work: Work, across: int, down: int) -> int:
    """What the special is worth that lines of these lengths through one cell leave."""
    if level.rules == PLAIN:
        return 0
    longest = max(across, down)
    if longest >= 5:
        worth, count = WEIGHTS.color_bomb, COUNT_COLOR_BOMB
    elif min(across, down) >= 3 and level.rules == SAGA:
        worth, count = WEIGHTS.wrapped, COUNT_WRAPPED
    elif longest == 4:
        worth, count = WEIGHTS.striped, COUNT_STRIPED
    else:
        return 0
    return worth + (WEIGHTS.asked_special if work.run_length[count] else 0)


@kernel
def _sum_struck(state: State, work: Work) -> int:
    """What all that was struck is worth, blockers by the layer; clears the notes.

    Work is modified in place.
    """
    worth = 0
    for k in range(work.hits):
        i = work.hit_cell[k]
        layers = 1
        if state.blocker[i] != NO_BLOCKER:
            layers = min(LAYERS[state.blocker[i]], work.hit[i] // BLOW)
        worth += work.list[i] * layers + work.came[i]
        work.hit[i] = 0
        work.touched_by[i] = 0
    work.hits = 0
    return worth


@kernel
def _swap(state: State, work: Work, first: int, second: int) -> None:
    """Swaps two pieces, and what they are worth. Modified in place."""
    swap_pieces(state, first, second)
    work.came[first], work.came[second] = work.came[second], work.came[first]


@kernel
def _move_worth(level: LevelRecord, state: State, work: Work, first: int, second: int) -> int:
    """What a swap that has been made is worth. Work is modified in place."""
    if is_combination(state.piece[first], state.piece[second], state.color[first], state.color[second]):
        count = strike_combination(level, state, work, first, second)
        worth = WEIGHTS.asked_combination if count >= 0 and work.run_length[count] else 0
    else:
        across, down = strike_lines_through(level, state, work, first)
        worth = _special_worth(level, work, across, down)
        across, down = strike_lines_through(level, state, work, second)
        worth += _special_worth(level, work, across, down)
    set_off_stack(level, state, work)
    work.spent_bombs = 0
    return worth + _sum_struck(state, work) + WEIGHTS.low * (max(first, second) // STRIDE)


@kernel
def heuristic_values(
    level: LevelRecord, states: States, at: int, work: Work, moves: Moves, count: int, values: Array
) -> None:
    """Writes what each of the first `count` moves, legal in states[at], is worth: at least WEIGHTS.least.

    Nothing is drawn: the same position has the same values. Values and work are modified in place; so is
    states[at], but it is as before when all is done.
    """
    state = states[at]
    work.hits = 0
    work.top = 0
    work.spent_bombs = 0
    _weigh_goals(level, state, work)
    _weigh_cells(level, state, work)
    has_ways = wants_ingredients(level, state)
    if has_ways:
        mark_ways(level, state, work, WEIGHTS.step)
    for k in range(count):
        first, second = first_cell(moves[k]), second_cell(moves[k])
        _swap(state, work, first, second)
        worth = _move_worth(level, state, work, first, second)
        _swap(state, work, first, second)
        if has_ways:
            worth += WEIGHTS.step * steps_nearer(level, state, work, first, second)
        values[k] = max(worth, WEIGHTS.least)


@kernel
def value_by_heuristic(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    memory: Any,
    options: Array,
    values: Array,
) -> None:
    """The heuristic value of each legal move."""
    heuristic_values(level, states, GAME, work, moves, list_moves(states[GAME], moves), values)


@kernel
def choose_by_heuristic(
    level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, memory: Any, options: Array
) -> int:
    """A move of the highest value; of equals any, each as likely as any other."""
    count = list_moves(states[GAME], moves)
    heuristic_values(level, states, GAME, work, moves, count, memory)
    return moves[any_of_the_best(rng, memory, count)]  # type: ignore[no-any-return]


def kernels(options: Mapping[str, Any]) -> AgentKernels:
    """The kernels of this family; their memory holds the values of the legal moves."""
    return AgentKernels(
        "heuristic", choose_by_heuristic, values=value_by_heuristic, memory=lambda level: np.zeros(MOST_MOVES)
    )
