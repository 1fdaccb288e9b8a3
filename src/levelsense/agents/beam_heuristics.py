"""The heuristics of the beam agent: a position's value (McAdams, section IV), and the mean row of a move.

H2 adds up the pairs of neighbors and the best use of each color bomb, as the text and the author's program
have it. Beyond the paper: a wrapped candy is worth a third of its 3x3 cells beside its color, two of them 30
pieces (blasts of 5x5 side by side), with a striped one three rows and three columns, with a color bomb nine
for each candy of its color. A piece under a blocker cannot be swapped and counts by the color that it shows.
"""

import numpy as np

from levelsense.game.moves import first_cell, second_cell
from levelsense.game.state import (
    CANDY,
    COLOR_BOMB,
    HIDES,
    NO_BLOCKER,
    PLAYING,
    STRIDE,
    STRIPED_COLUMN,
    STRIPED_ROW,
    WON,
    WRAPPED,
    LevelRecord,
    State,
)
from levelsense.kernel import kernel
from levelsense.rng import Rng, below

# The codes of the option `heuristic`.
H2, H1 = 0, 1

# More than any score: a won position beats every one that is not.
WIN = 1e9

# The paper's unit is a piece, which gives one point there. By scoring scheme (saga, pieces, quadratic): the
# points of a line of three, shared by its pieces.
PIECE_POINTS = np.array([20.0, 1.0, 20.0])

# Board values are kept in thirds of a piece, so that equal positions are equal to the bit.
THIRDS = 3
WRAPPED_PIECES = 9  # the 3x3 cells of a wrapped candy
WRAPPED_PAIR_PIECES = 30  # two overlapping blasts of 5x5


@kernel
def shown_color(state: State, i: int) -> int:
    """The color that a cell shows, 0 for none."""
    return 0 if HIDES[state.blocker[i]] else state.color[i]


@kernel
def _is_special(state: State, i: int) -> bool:
    """Whether a cell holds a striped or wrapped candy or a color bomb."""
    return STRIPED_ROW <= state.piece[i] <= COLOR_BOMB  # type: ignore[no-any-return]


@kernel
def _power(state: State, i: int) -> int:
    """A special's code if it can be swapped; all else counts as a candy. Codes rise with strength."""
    can_be_used = _is_special(state, i) and state.blocker[i] == NO_BLOCKER
    return state.piece[i] if can_be_used else CANDY


@kernel
def bomb_pieces(level: LevelRecord, state: State, rng: Rng, other: int) -> int:
    """The pieces that a color bomb clears with the piece of another cell, which is no color bomb."""
    power, color = _power(state, other), shown_color(state, other)
    if color == 0 or state.blocker[other] != NO_BLOCKER:
        return 0
    pieces = 0
    for row in range(level.rows):
        for column in range(level.columns):
            if shown_color(state, row * STRIDE + column) != color:
                continue
            if power == CANDY:
                pieces += 1
            elif power == WRAPPED:
                pieces += WRAPPED_PIECES
            else:
                pieces += level.rows if below(rng, 2) else level.columns
    return pieces


@kernel
def best_of_bomb(level: LevelRecord, state: State, rng: Rng, row: int, column: int) -> int:
    """What a color bomb is worth, in pieces: what it clears with its best neighbor, and itself.

    Nothing if another color bomb is beside it: the two count as a pair.
    """
    best = 0
    for down, right in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        if not (0 <= row + down < level.rows and 0 <= column + right < level.columns):
            continue
        other = (row + down) * STRIDE + column + right
        if _power(state, other) == COLOR_BOMB:
            return 0
        best = max(best, bomb_pieces(level, state, rng, other))
    return best + 1


@kernel
def _same_color(state: State, first: int, second: int) -> bool:
    """Whether two cells show the same color."""
    color = shown_color(state, first)
    return color != 0 and color == shown_color(state, second)


@kernel
def _combination_pieces(level: LevelRecord, power: int, other: int) -> int:
    """What two striped or wrapped candies clear together."""
    if power == WRAPPED and other == WRAPPED:
        return min(WRAPPED_PAIR_PIECES, level.rows * level.columns)
    cross = level.rows + level.columns
    return 3 * cross - 9 if power == WRAPPED or other == WRAPPED else cross


@kernel
def _special_thirds(level: LevelRecord, state: State, first: int, second: int) -> int:
    """What two neighbors of which one is special are worth as a pair, in thirds of a piece."""
    power, other = _power(state, first), _power(state, second)
    if power == COLOR_BOMB or other == COLOR_BOMB:
        return THIRDS * level.rows * level.columns if power == other else 0
    if power != CANDY and other != CANDY:
        return THIRDS * _combination_pieces(level, power, other)
    if not _same_color(state, first, second):
        return 0
    power = max(power, other)
    if power == STRIPED_COLUMN:
        return level.rows
    if power == STRIPED_ROW:
        return level.columns
    return WRAPPED_PIECES if power == WRAPPED else THIRDS


@kernel
def potential(level: LevelRecord, state: State, rng: Rng) -> float:
    """The potential of the board, in pieces: the sum over all pairs of neighbors and all color bombs."""
    thirds = 0
    for row in range(level.rows):
        for column in range(level.columns):
            i = row * STRIDE + column
            is_special = _is_special(state, i)
            for step in (1, STRIDE):
                if column + 1 == level.columns if step == 1 else row + 1 == level.rows:
                    continue
                # Most pieces are plain; a call for each of them would take ten times as long.
                if is_special or _is_special(state, i + step):
                    thirds += _special_thirds(level, state, i, i + step)
                elif _same_color(state, i, i + step):
                    thirds += THIRDS
            if is_special and _power(state, i) == COLOR_BOMB:
                thirds += THIRDS * best_of_bomb(level, state, rng, row, column)
    return thirds / THIRDS


@kernel
def h1(state: State) -> float:
    """Equation 4: the score over the number of moves made."""
    return state.score / state.moves_made


@kernel
def h2(level: LevelRecord, state: State, rng: Rng, parent_score: int, root_score: int) -> float:
    """The score since the node above plus the potential of the board.

    When the attempt is over the potential is 0, and the score is counted from the game's position, the root
    (section III, B: the last move is always greedy).
    """
    if state.status != PLAYING:
        return float(state.score - root_score)
    points = PIECE_POINTS[level.scoring]
    return float(state.score - parent_score) + points * potential(level, state, rng)  # type: ignore[no-any-return]


@kernel
def node_value(
    level: LevelRecord, state: State, rng: Rng, parent_score: int, root_score: int, heuristic: int
) -> float:
    """A node's own value by the heuristic, H1 or H2; winning beats everything."""
    value = h1(state) if heuristic == H1 else h2(level, state, rng, parent_score, root_score)
    return value + WIN if state.status == WON else value


@kernel
def _same_beyond(level: LevelRecord, state: State, i: int, down: int, right: int) -> int:
    """How many cells in a row from a cell, in one direction, show its color."""
    row, column, cells = i // STRIDE + down, i % STRIDE + right, 0
    color = shown_color(state, i)
    while 0 <= row < level.rows and 0 <= column < level.columns:
        if shown_color(state, row * STRIDE + column) != color:
            break
        cells += 1
        row += down
        column += right
    return cells


@kernel
def mean_row(level: LevelRecord, state: State, move: int) -> float:
    """The mean row of the pieces in the lines that a move makes; of its two cells if it makes none.

    Section III, A: "average depth is the average row between all pieces to be removed". The state is swapped
    and swapped back.
    """
    first, second = first_cell(move), second_cell(move)
    state.color[first], state.color[second] = state.color[second], state.color[first]
    cells, rows = 0, 0.0
    for i in (first, second):
        if state.color[i] == 0:
            continue
        row = i // STRIDE
        across = 1 + _same_beyond(level, state, i, 0, -1) + _same_beyond(level, state, i, 0, 1)
        above, under = _same_beyond(level, state, i, -1, 0), _same_beyond(level, state, i, 1, 0)
        is_row, is_column = across >= 3, above + under >= 2
        if is_row:
            cells += across
            rows += across * row
        if is_column:
            # Where two lines cross the piece is counted once.
            cells += above + under + (not is_row)
            rows += (above + 1 + under) * (row + (under - above) / 2) - row * is_row
    state.color[first], state.color[second] = state.color[second], state.color[first]
    return rows / cells if cells else (first // STRIDE + second // STRIDE) / 2
