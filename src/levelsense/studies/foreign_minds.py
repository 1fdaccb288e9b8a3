"""How foreign kinds of simulated people choose moves: nine habits, a kernel each, on one look at all moves.

The look is that of the policy agent (agents/policy/encoding.py): what each legal move strikes and makes in
its first round, and where it lies. What a person makes of it is here. Nothing is played forward.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from levelsense.agents.attempt import GAME, AgentKernels
from levelsense.agents.policy.encoding import write_move_inputs
from levelsense.agents.policy.inputs import (
    BOMB_BOMB,
    BOMB_CANDY,
    BOMB_SPECIAL,
    BOMBS,
    DISTANCE,
    GOALS_GAP,
    GROWTH,
    HAS_LAST,
    LONGEST,
    MAKES_BOMB,
    MAKES_STRIPED,
    MAKES_WRAPPED,
    MOST_GOALS,
    MOVE_INPUTS,
    PIECES,
    SPECIALS,
    STRIPED_STRIPED,
    STRIPED_WRAPPED,
    STRUCK,
    URGENCY,
    WRAPPED_WRAPPED,
)
from levelsense.agents.simple import any_of_the_best
from levelsense.agents.swaps import lines_through
from levelsense.arithmetic import exp, log
from levelsense.game.cascade import swap_pieces
from levelsense.game.moves import MOST_MOVES, first_cell, list_moves, second_cell
from levelsense.game.score import progress
from levelsense.game.state import NO_CELL, STRIDE, Array, LevelRecord, Moves, State, States, Work
from levelsense.kernel import kernel
from levelsense.rng import Rng, below, uniform

# The traits that every kind has, and after them those of each kind.
ALARM, SIZE, ERROR, SPARK, CARELESS = range(5)
_FIRST: Final = 5
RIGHTWARD, UPWARD, BY_COLUMN, OVERLOOKS, STANDARD, STAMINA = range(_FIRST, _FIRST + 6)
LOW, NEAR, LOW_GOALS = range(_FIRST, _FIRST + 3)
FEW, RECHECKS = range(_FIRST, _FIRST + 2)
UPRIGHT, LENGTH, ROW_GOALS = range(_FIRST, _FIRST + 3)
WAKES, LATE_GOALS = range(_FIRST, _FIRST + 2)
NERVES, FREEZES = range(_FIRST, _FIRST + 2)
TASTE, LOVE, COLOR_GOALS = range(_FIRST, _FIRST + 3)
KEEP, SPENDS = range(_FIRST, _FIRST + 2)
LOOKS, FATIGUE, SLIPS = range(_FIRST, _FIRST + 3)

SCANNER, BOTTOMER, COMPARER, ROWER, CHASER, PANICKER, COLORIST, SAVER, TIRED = range(9)

_STEPS: Final = 1 << 24
_TAKEN: Final = 1e9
_SPREADING: Final = 0.5  # what a layer of what grows is worth, beside a step towards a goal
_FAVORITES: Final = 997  # taste times this, rounded, picks the color: neighboring tastes pick any
_FRESH_MOVES: Final = 25.0  # after so many moves fatigue has done once what it does


@kernel
def _noise(rng: Rng) -> float:
    """A Gumbel number: the largest value plus noise is drawn as by a softmax."""
    return -log(-log((below(rng, _STEPS) + 0.5) / _STEPS))


@kernel
def _made(row: Array) -> float:
    """The specials that a move makes, about by what they are worth."""
    return float(row[MAKES_STRIPED] + 2.0 * row[MAKES_WRAPPED] + 3.0 * row[MAKES_BOMB])


@kernel
def _combined(row: Array) -> float:
    """Whether a move swaps two specials, or a color bomb with a candy."""
    bombs = row[BOMB_CANDY] + row[BOMB_SPECIAL] + row[BOMB_BOMB]
    return float(bombs + row[STRIPED_STRIPED] + row[STRIPED_WRAPPED] + row[WRAPPED_WRAPPED])


@kernel
def _set_off(row: Array) -> float:
    """How many specials a move sets off, swapped ones aside."""
    return float(row[SPECIALS] + row[BOMBS] + row[STRUCK + SPECIALS] + row[STRUCK + BOMBS])


@kernel
def _pieces(row: Array) -> float:
    """How many pieces a move strikes."""
    return float(row[PIECES] + row[STRUCK + PIECES])


@kernel
def _sense(row: Array, traits: Array) -> float:
    """What a move seems to do for the level: goals, danger, what grows, and its size."""
    goals = float(row[MOST_GOALS] - row[GOALS_GAP])
    urgency = float(row[URGENCY] + row[STRUCK + URGENCY])
    growth = float(row[GROWTH] + row[STRUCK + GROWTH])
    return goals + traits[ALARM] * urgency + _SPREADING * growth + traits[SIZE] * _pieces(row)  # type: ignore[no-any-return]


@kernel
def _appeal(row: Array, traits: Array) -> float:
    """What a move seems to do for the level and for specials together."""
    return _sense(row, traits) + traits[SPARK] * (_made(row) + 2.0 * _combined(row))  # type: ignore[no-any-return]


@kernel
def share_left(level: LevelRecord, state: State) -> float:
    """The share of the limit that is left: of moves, or of time."""
    if level.moves:
        return state.moves_left / level.moves
    return min(1.0, state.time_left / max(1, level.milliseconds))


@kernel
def line_of(level: LevelRecord, state: State, move: int) -> tuple[int, bool]:
    """The color of a move's line, the moved piece's if both make one, and whether a line lies in a row.

    Color 0 if it makes none. The state is as before when all is done.
    """
    first, second = first_cell(move), second_cell(move)
    swap_pieces(state, first, second)
    color = 0
    in_row = False
    for i in (first, second):
        if state.color[i]:
            _, across, _, down = lines_through(level, state, i)
            if across >= 3 or down >= 3:
                color = int(state.color[i])
                in_row = in_row or across >= 3
    swap_pieces(state, first, second)
    return color, in_row


@kernel
def _draw_new(rng: Rng, values: Array, count: int) -> int:
    """A place that is not marked by _TAKEN, each as likely; there is one. It is marked."""
    place = below(rng, count)
    while values[place] == _TAKEN:
        place = below(rng, count)
    values[place] = _TAKEN
    return place


@kernel
def scan(
    level: LevelRecord, state: State, rng: Rng, moves: Moves, count: int, head: "Head", traits: Array
) -> int:
    """Reads the board from a corner, row by row or column by column, and takes the first move good enough.

    Some moves are overlooked; after so many that are not good enough it is the first one noticed.
    """
    for k in range(count):
        row, column = first_cell(moves[k]) // STRIDE, first_cell(moves[k]) % STRIDE
        row = level.rows - 1 - row if traits[UPWARD] > 0.0 else row
        column = level.columns - 1 - column if traits[RIGHTWARD] > 0.0 else column
        head.values[k] = column * STRIDE + row if traits[BY_COLUMN] > 0.0 else row * STRIDE + column
    first_noticed = -1
    noticed = 0
    for _ in range(count):
        place = 0
        for k in range(1, count):
            if head.values[k] < head.values[place]:
                place = k
        head.values[place] = _TAKEN
        if uniform(rng) < traits[OVERLOOKS]:
            continue
        if first_noticed < 0:
            first_noticed = place
        if _appeal(head.rows[place], traits) + traits[ERROR] * _noise(rng) >= traits[STANDARD]:
            return place
        noticed += 1
        if noticed >= traits[STAMINA]:
            break
    return first_noticed if first_noticed >= 0 else below(rng, count)


@kernel
def stay_low(
    level: LevelRecord, state: State, rng: Rng, moves: Moves, count: int, head: "Head", traits: Array
) -> int:
    """Matches near the bottom and near the last match, with a little sense of the goals."""
    for k in range(count):
        row = head.rows[k]
        value = traits[LOW] * (first_cell(moves[k]) // STRIDE) / max(1, level.rows - 1)
        if row[HAS_LAST]:
            value += traits[NEAR] * (1.0 - row[DISTANCE])
        head.values[k] = value + traits[LOW_GOALS] * _appeal(row, traits) + traits[ERROR] * _noise(rng)
    return any_of_the_best(rng, head.values, count)


@kernel
def compare_few(
    level: LevelRecord, state: State, rng: Rng, moves: Moves, count: int, head: "Head", traits: Array
) -> int:
    """Compares a few moves that happen to be seen by a noisy sense of what they do, some a second time."""
    for k in range(count):
        head.values[k] = 0.0
    best = -1
    most = 0.0
    for _ in range(min(count, int(traits[FEW]))):
        place = _draw_new(rng, head.values, count)
        error = _noise(rng)
        if uniform(rng) < traits[RECHECKS]:
            error = 0.5 * (error + _noise(rng))
        judged = _appeal(head.rows[place], traits) + traits[ERROR] * error
        if best < 0 or judged > most:
            best = place
            most = judged
    return best


@kernel
def see_rows(
    level: LevelRecord, state: State, rng: Rng, moves: Moves, count: int, head: "Head", traits: Array
) -> int:
    """Sees lines in rows, hardly ever one in a column; likes long ones. Any move if none is seen."""
    best = -1
    most = 0.0
    for k in range(count):
        row = head.rows[k]
        _, in_row = line_of(level, state, moves[k])
        if not in_row and uniform(rng) >= traits[UPRIGHT]:
            continue
        value = traits[LENGTH] * row[LONGEST] + traits[ROW_GOALS] * _appeal(row, traits)
        value += traits[ERROR] * _noise(rng)
        if best < 0 or value > most:
            best = k
            most = value
    return best if best >= 0 else below(rng, count)


@kernel
def chase_points(
    level: LevelRecord, state: State, rng: Rng, moves: Moves, count: int, head: "Head", traits: Array
) -> int:
    """Chases fireworks and large matches; remembers the goals when little of the limit is left."""
    goals = traits[LATE_GOALS] if share_left(level, state) < traits[WAKES] else 0.0
    for k in range(count):
        row = head.rows[k]
        fireworks = _made(row) + 2.0 * _combined(row) + _set_off(row)
        value = traits[SIZE] * _pieces(row) + traits[SPARK] * fireworks + goals * _sense(row, traits)
        head.values[k] = value + traits[ERROR] * _noise(rng)
    return any_of_the_best(rng, head.values, count)


@kernel
def pressure(level: LevelRecord, state: State) -> float:
    """How hard-pressed somebody is, from 0 to 1: the limit runs out, and the goals are behind it."""
    used = 1.0 - share_left(level, state)
    behind = max(0.0, used - progress(level, state))
    return min(1.0, used * used + behind)


@kernel
def panic(
    level: LevelRecord, state: State, rng: Rng, moves: Moves, count: int, head: "Head", traits: Array
) -> int:
    """Sees everything while calm; under pressure errs more and more, or makes any move at all."""
    pressed = pressure(level, state)
    if uniform(rng) < traits[FREEZES] * pressed:
        return below(rng, count)
    error = traits[ERROR] * (1.0 + traits[NERVES] * pressed)
    for k in range(count):
        head.values[k] = _appeal(head.rows[k], traits) + error * _noise(rng)
    return any_of_the_best(rng, head.values, count)


@kernel
def follow_color(
    level: LevelRecord, state: State, rng: Rng, moves: Moves, count: int, head: "Head", traits: Array
) -> int:
    """Loves one color and likes another; what helps comes second."""
    colors = level.top_color
    loved = 1 + int(traits[TASTE] * _FAVORITES) % colors
    liked = 1 + (loved + int(traits[TASTE] * _FAVORITES * _FAVORITES) % max(1, colors - 1)) % colors
    for k in range(count):
        color, _ = line_of(level, state, moves[k])
        value = traits[LOVE] if color == loved else 0.5 * traits[LOVE] if color == liked else 0.0
        value += traits[COLOR_GOALS] * _appeal(head.rows[k], traits)
        head.values[k] = value + traits[ERROR] * _noise(rng)
    return any_of_the_best(rng, head.values, count)


@kernel
def save_specials(
    level: LevelRecord, state: State, rng: Rng, moves: Moves, count: int, head: "Head", traits: Array
) -> int:
    """Makes specials and will not use them up before the end is near; never combines two."""
    is_late = share_left(level, state) < traits[SPENDS]
    for k in range(count):
        row = head.rows[k]
        value = _sense(row, traits) + traits[SPARK] * _made(row) + traits[ERROR] * _noise(rng)
        value += traits[KEEP] * _set_off(row) * (1.0 if is_late else -1.0)
        head.values[k] = value - _TAKEN * _combined(row)
    return any_of_the_best(rng, head.values, count)


@kernel
def play_tired(
    level: LevelRecord, state: State, rng: Rng, moves: Moves, count: int, head: "Head", traits: Array
) -> int:
    """Looks at fewer moves, and errs more, the longer the attempt lasts; slips to what is nearest."""
    fresh = exp(-traits[FATIGUE] * state.moves_made / _FRESH_MOVES)
    for k in range(count):
        head.values[k] = 0.0
    slips = uniform(rng) < traits[SLIPS] * (1.0 - fresh)
    looks = count if slips else min(count, max(1, int(traits[LOOKS] * fresh + 0.5)))
    best = -1
    most = 0.0
    for _ in range(looks):
        place = _draw_new(rng, head.values, count)
        judged = -float(head.rows[place, DISTANCE])
        if not slips:
            judged = _appeal(head.rows[place], traits) + traits[ERROR] / fresh * _noise(rng)
        if best < 0 or judged > most:
            best = place
            most = judged
    return best


PLAYER, LAST_CELL = 0, 1  # notes in a head
KIND, COLUMNS, _TRAITS = 0, 1, 2  # of the options: the kind, how many traits there are, and the first


class Head(NamedTuple):
    """The memory of players at a level: who plays, the cell of the last move, and the look at all moves."""

    notes: Any
    rows: Any  # (MOST_MOVES, MOVE_INPUTS)
    values: Any  # (MOST_MOVES,)


def new_head() -> Head:
    """The memory before the first player's attempt."""
    rows = np.zeros((MOST_MOVES, MOVE_INPUTS), np.float32)
    return Head(np.array([-1, NO_CELL], np.int64), rows, np.zeros(MOST_MOVES))


@kernel
def begin_attempt(level: LevelRecord, states: States, memory: Head, options: Array) -> None:
    """The next player sits down."""
    memory.notes[PLAYER] += 1
    memory.notes[LAST_CELL] = NO_CELL


@kernel
def choose_place(
    kind: int, level: LevelRecord, state: State, rng: Rng, moves: Moves, count: int, head: Head, traits: Array
) -> int:
    """The place among the legal moves of the one that a player of a kind makes. The head is modified."""
    if kind == SCANNER:
        return scan(level, state, rng, moves, count, head, traits)
    if kind == BOTTOMER:
        return stay_low(level, state, rng, moves, count, head, traits)
    if kind == COMPARER:
        return compare_few(level, state, rng, moves, count, head, traits)
    if kind == ROWER:
        return see_rows(level, state, rng, moves, count, head, traits)
    if kind == CHASER:
        return chase_points(level, state, rng, moves, count, head, traits)
    if kind == PANICKER:
        return panic(level, state, rng, moves, count, head, traits)
    if kind == COLORIST:
        return follow_color(level, state, rng, moves, count, head, traits)
    if kind == SAVER:
        return save_specials(level, state, rng, moves, count, head, traits)
    return play_tired(level, state, rng, moves, count, head, traits)


@kernel
def choose_foreign(
    level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, memory: Head, options: Array
) -> int:
    """The move of the player who sits there, by its kind and traits; any move in a careless moment."""
    state = states[GAME]
    count = list_moves(state, moves)
    write_move_inputs(level, states, GAME, work, moves, count, memory.notes[LAST_CELL], memory.rows)
    columns = int(options[COLUMNS])
    start = _TRAITS + memory.notes[PLAYER] * columns
    traits = options[start : start + columns]
    if uniform(rng) < traits[CARELESS]:
        place = below(rng, count)
    else:
        place = choose_place(int(options[KIND]), level, state, rng, moves, count, memory, traits)
    memory.notes[LAST_CELL] = first_cell(moves[place])
    return moves[place]  # type: ignore[no-any-return]


# For the agents' attempt loop. Options are a kind's code, the number of its traits, and traits of players
# one after the other: attempt k is that of player k.
FOREIGN_KERNELS: Final = AgentKernels(
    "foreign", choose_foreign, begin_attempt, memory=lambda level: new_head()
)
