"""The 24 features of a move that the learned values are computed from (Lee et al., section 4.6.2)."""

from typing import Annotated, Final

import numpy as np

from levelsense.agents.attempt import GAME, SCRATCH
from levelsense.agents.simple import clear_first_round
from levelsense.game.cascade import play
from levelsense.game.moves import MOST_MOVES, first_cell, list_moves, second_cell
from levelsense.game.state import (
    COUNT_COLOR,
    HIDES,
    HIGHEST_COLOR,
    PLAYING,
    STRIDE,
    Array,
    LevelRecord,
    Moves,
    State,
    States,
    Work,
    record_dtype,
)
from levelsense.kernel import kernel
from levelsense.rng import Rng, below

# A change of what a feature is, in any position, adds one: weights of another version are refused.
ENCODING: Final = 1

LINES: Final = 9  # the rows, and the columns, that have a feature each
UPPER_ROW, LOWER_ROW, SAME_COLUMN, LEGAL_MOVES, UTILITY, REMOVED = range(6)
FIRST_OF_ROWS: Final = 6
FIRST_OF_COLUMNS: Final = FIRST_OF_ROWS + LINES
FEATURES: Final = FIRST_OF_COLUMNS + LINES

DISCOUNT: Final = 0.5
EPISODES, DEPTH = 25, 5  # of the paper
MOST_EPISODES: Final = 200
MOST_DEPTH: Final = 50

# The states that features need from SCRATCH on: one to play in.
SCRATCH_STATES: Final = 1


class Described:
    """The features of the legal moves at a position, and the room to compute them in."""

    features: Annotated[Array, "f8", (MOST_MOVES, FEATURES)]
    later: Annotated[Array, "i8", MOST_MOVES]  # the legal moves inside an episode
    utility: Annotated[Array, "f8", MOST_EPISODES]  # of the episodes of a move
    tally: Annotated[Array, "i8", HIGHEST_COLOR + 1]  # the cells of a line, by the color that they show


DESCRIBED_DTYPE = record_dtype(Described)


def new_described() -> Described:
    """A record for the features of a position; each thread needs its own."""
    described: Described = np.zeros(1, DESCRIBED_DTYPE)[0]
    return described


@kernel
def _commonest(state: State, tally: Array, first: int, step: int, length: int) -> int:
    """How many cells of a line of the board show the color that most of them show.

    The tally is modified in place.
    """
    for color in range(HIGHEST_COLOR + 1):
        tally[color] = 0
    most = 0
    for k in range(length):
        i = first + k * step
        color = state.color[i]
        if color and not HIDES[state.blocker[i]]:
            tally[color] += 1
            most = max(most, tally[color])
    return most


@kernel
def _describe_board(level: LevelRecord, state: State, legal: int, described: Described, k: int) -> None:
    """Writes the features of the position alone to row k. Modified in place."""
    features = described.features
    features[k, LEGAL_MOVES] = legal
    for line in range(LINES):
        across, down = 0, 0
        if line < level.rows:
            across = _commonest(state, described.tally, line * STRIDE, 1, level.columns)
        if line < level.columns:
            down = _commonest(state, described.tally, line, STRIDE, level.rows)
        features[k, FIRST_OF_ROWS + line] = across
        features[k, FIRST_OF_COLUMNS + line] = down


@kernel
def _episode(
    level: LevelRecord, states: States, rng: Rng, work: Work, move: int, later: Moves, depth: int
) -> float:
    """The utility of an episode: the score of each move, halved once more for each move before it.

    It begins with the move, goes on at random, and ends after `depth` moves or with the attempt.
    states[SCRATCH], rng, work and later are modified in place.
    """
    states[SCRATCH] = states[GAME]
    state = states[SCRATCH]
    utility, factor = 0.0, 1.0
    for played in range(depth):
        if state.status != PLAYING:
            break
        if played:
            move = later[below(rng, list_moves(state, later))]
        before = state.score
        play(level, state, rng, work, move)
        utility += factor * (state.score - before)
        factor *= DISCOUNT
    return utility


@kernel
def median(numbers: Array, count: int) -> float:
    """The median of the first `count` numbers, which are sorted in place."""
    for k in range(1, count):
        number = numbers[k]
        place = k
        while place > 0 and numbers[place - 1] > number:
            numbers[place] = numbers[place - 1]
            place -= 1
        numbers[place] = number
    middle = count // 2
    if count % 2:
        return numbers[middle]  # type: ignore[no-any-return]
    return (numbers[middle - 1] + numbers[middle]) / 2.0  # type: ignore[no-any-return]


@kernel
def _candies_removed(level: LevelRecord, states: States, rng: Rng, work: Work, move: int) -> int:
    """How many pieces with a color the first round of a move removes.

    states[SCRATCH] and work are modified in place; rng only as in clear_first_round.
    """
    states[SCRATCH] = states[GAME]
    state = states[SCRATCH]
    clear_first_round(level, state, rng, work, move)
    removed = 0
    for color in range(1, HIGHEST_COLOR + 1):
        removed += state.count[COUNT_COLOR + color] - states[GAME].count[COUNT_COLOR + color]
    return removed


@kernel
def describe_moves(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    described: Described,
    episodes: int,
    depth: int,
) -> int:
    """Lists the legal moves of states[GAME] and writes the features of each; returns how many there are.

    All but the level and states[GAME] are modified in place.
    """
    count = list_moves(states[GAME], moves)
    features = described.features
    for k in range(count):
        if k == 0:
            _describe_board(level, states[GAME], count, described, 0)
        else:
            for j in range(FEATURES):
                features[k, j] = features[0, j]
        first, second = first_cell(moves[k]), second_cell(moves[k])
        features[k, UPPER_ROW] = min(first, second) // STRIDE + 1
        features[k, LOWER_ROW] = max(first, second) // STRIDE + 1
        features[k, SAME_COLUMN] = first % STRIDE == second % STRIDE
        for episode in range(episodes):
            described.utility[episode] = _episode(level, states, rng, work, moves[k], described.later, depth)
        features[k, UTILITY] = median(described.utility, episodes)
        features[k, REMOVED] = _candies_removed(level, states, rng, work, moves[k])
    return count
