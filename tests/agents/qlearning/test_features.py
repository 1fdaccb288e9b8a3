"""Each of the 24 features, counted by hand on drawn boards."""

from typing import Any

import numpy as np
import pytest

from levelsense.agents.attempt import GAME, SCRATCH
from levelsense.agents.qlearning.features import (
    FEATURES,
    FIRST_OF_COLUMNS,
    FIRST_OF_ROWS,
    LEGAL_MOVES,
    LOWER_ROW,
    REMOVED,
    SAME_COLUMN,
    SCRATCH_STATES,
    UPPER_ROW,
    UTILITY,
    describe_moves,
    median,
    new_described,
)
from levelsense.game.game import Game, Move
from levelsense.game.moves import MOST_MOVES
from levelsense.game.record import level_record
from levelsense.game.state import new_state, new_work
from levelsense.rng import new_rng
from tests.game.drawn import position

# Each candy is a point, lines leave nothing, and what falls in (swirls) makes no line: only moves are random.
POINTS = {"rules": "plain", "scoring": "pieces"}

# c1c2 makes three reds; g1g2 makes four blues, g1h1 three of them and spoils the four.
BOARD = """
    r r o p b b y b
    g y r g o c b o
    p o g y p g o y
"""

TWO_STORIES = """
    r r o p b b y p
    c y r c o y b o    <- c1c2 and g1g2
    p o c y p c o y
    g g y o m m p c
    y c g p c o m p    <- c4c5 and g4g5
"""


def described(game: Game, episodes: int = 1, depth: int = 1, seed: int = 1) -> dict[str, Any]:
    """The features of each legal move of a position, by the move's text."""
    states, work = new_state(SCRATCH + SCRATCH_STATES), new_work()
    states[GAME] = game.state
    moves, record = np.zeros(MOST_MOVES, np.int64), new_described()
    level = level_record(game.level).level
    count = describe_moves(level, states, new_rng(seed), work, moves, record, episodes, depth)
    assert states[GAME].tobytes() == game.state.tobytes()
    return {str(Move.from_code(int(moves[k]))): record.features[k].copy() for k in range(count)}


def feature(game: Game, number: int, **options: int) -> dict[str, float]:
    """One feature of each legal move."""
    return {move: float(features[number]) for move, features in described(game, **options).items()}


def rows_of(game: Game) -> list[float]:
    """Features 7 to 15, which all moves share."""
    return list(map(float, next(iter(described(game).values()))[FIRST_OF_ROWS:FIRST_OF_COLUMNS]))


def columns_of(game: Game) -> list[float]:
    """Features 16 to 24, which all moves share."""
    return list(map(float, next(iter(described(game).values()))[FIRST_OF_COLUMNS:]))


def test_features_are_numbered_as_in_the_paper() -> None:
    numbers = (UPPER_ROW, LOWER_ROW, SAME_COLUMN, LEGAL_MOVES, UTILITY, REMOVED)
    assert [number + 1 for number in numbers] == [1, 2, 3, 4, 5, 6]
    assert (FIRST_OF_ROWS + 1, FIRST_OF_COLUMNS + 1, FEATURES) == (7, 16, 24)


def test_1_and_2_the_rows_of_the_swap() -> None:
    game = position(TWO_STORIES, **POINTS)
    assert feature(game, UPPER_ROW) == {"c1c2": 1, "g1g2": 1, "c4c5": 4, "g4g5": 4}
    assert feature(game, LOWER_ROW) == {"c1c2": 2, "g1g2": 2, "c4c5": 5, "g4g5": 5}


def test_1_to_3_of_a_swap_within_a_row() -> None:
    game = position(BOARD, **POINTS)
    assert described(game)["g1h1"][[UPPER_ROW, LOWER_ROW, SAME_COLUMN]].tolist() == [1, 1, 0]


def test_3_whether_the_swap_is_within_a_column() -> None:
    assert feature(position(BOARD, **POINTS), SAME_COLUMN) == {"c1c2": 1, "g1g2": 1, "g1h1": 0}


def test_4_the_number_of_legal_moves() -> None:
    assert set(feature(position(BOARD, **POINTS), LEGAL_MOVES).values()) == {3}
    assert set(feature(position(TWO_STORIES, **POINTS), LEGAL_MOVES).values()) == {4}


def test_5_an_episode_of_one_move_is_worth_what_the_move_gains() -> None:
    assert feature(position(BOARD, **POINTS), UTILITY) == {"c1c2": 3, "g1g2": 4, "g1h1": 3}


def test_5_a_second_move_counts_half() -> None:
    """After the blues only the three reds are left; after the reds, any of the blue moves: 4 or 3."""
    game = position(BOARD, **POINTS)
    utilities = [feature(game, UTILITY, depth=2, seed=seed) for seed in range(20)]
    assert {values["g1g2"] for values in utilities} == {4 + 3 / 2}
    assert {values["g1h1"] for values in utilities} == {3 + 3 / 2}
    assert {values["c1c2"] for values in utilities} == {3 + 4 / 2, 3 + 3 / 2}


def test_5_an_episode_ends_with_the_attempt() -> None:
    game = position(BOARD, "moves: 1", **POINTS)
    assert feature(game, UTILITY, depth=5) == {"c1c2": 3, "g1g2": 4, "g1h1": 3}
    three_lines = """
        r r o p b b y p g g c
        c y r c o y b o p c g
        p o c y p c o y c o p    <- c1c2, g1g2 and k1k2; two of them can be played
    """
    game = position(three_lines, "moves: 2", **POINTS)
    for seed in range(10):
        assert feature(game, UTILITY, depth=9, seed=seed) == feature(game, UTILITY, depth=2, seed=seed)


def test_5_is_the_median_of_the_episodes() -> None:
    """With two episodes the mean of 5 and 4.5 comes about; with 25, one of the two."""
    game = position(BOARD, **POINTS)
    pairs = {feature(game, UTILITY, episodes=2, depth=2, seed=seed)["c1c2"] for seed in range(20)}
    assert pairs == {5, 4.75, 4.5}
    assert feature(game, UTILITY, episodes=25, depth=2)["c1c2"] in (5, 4.5)


@pytest.mark.parametrize(
    ("numbers", "expected"), [([7], 7), ([5, 1, 900], 5), ([4, 1, 3, 200], 3.5), ([2, 2, 1, 1, 2], 2)]
)
def test_the_median(numbers: list[float], expected: float) -> None:
    assert median(np.array([*numbers, -1e9]), len(numbers)) == expected


def test_6_the_candies_that_go_at_once() -> None:
    assert feature(position(BOARD, **POINTS), REMOVED) == {"c1c2": 3, "g1g2": 4, "g1h1": 3}


def test_6_two_lines_and_a_crossing() -> None:
    game = position(
        """
        r r o p g
        g g r y p    <- c1c2 makes three reds; the red of c3 stays
        p y r o y
        y p o r g
        """,
        **POINTS,
    )
    assert feature(game, REMOVED)["c1c2"] == 3
    game = position(
        """
        g g r p y
        r r g y p    <- c1c2 makes three greens and three reds
        p y o p o
        """,
        **POINTS,
    )
    assert feature(game, REMOVED)["c1c2"] == 6
    game = position(
        """
        y r p o y
        p r y g p
        r o r r g    <- b3b4 makes a row of four and a column of three, six in all
        g r p y o
        """,
        **POINTS,
    )
    assert feature(game, REMOVED)["b3b4"] == 6


def test_6_what_comes_later_and_what_is_no_candy_do_not_count() -> None:
    """The reds take the swirl beside them along; then greens meet in row 2, and take the two swirls above."""
    game = position(
        """
        y o g g y
        g r y p g    <- b2b3 makes three reds in row 3
        r o r S o
        p y o p y
        """,
        **POINTS,
    )
    assert feature(game, REMOVED)["b2b3"] == 3
    assert feature(game, UTILITY)["b2b3"] == 3 + 1 + 3 + 2


def test_6_specials_count_by_what_they_strike() -> None:
    """A special that is made is a candy less all the same; a stripe takes the whole row."""
    game = position("r r o r p\ng y r g o\np o g y p", rules="saga")
    assert feature(game, REMOVED)["c1c2"] == 4
    game = position("r r= o p y\ng y r g o\np o g y p", rules="saga")
    assert feature(game, REMOVED)["c1c2"] == 5


def test_7_to_15_the_commonest_color_of_each_row() -> None:
    """The second row is the paper's example, 1 2 3 4 3 4 4 5 2, where four is found three times."""
    game = position(
        """
        b b r b b y b b y    <- six
        r o y g y g g b o    <- three
        g r o r o b r p c    <- three
        y p b o b o y o y    <- three
        """,
        **POINTS,
    )
    assert rows_of(game) == [6, 3, 3, 3, 0, 0, 0, 0, 0]


def test_16_to_24_the_commonest_color_of_each_column() -> None:
    game = position(
        """
        b o r p g
        b r o r y
        r b o y g
        b p g r y
        """,
        **POINTS,
    )
    # a: b b r b, b: one each, c: r o o g, d: p r y r, e: g y g y
    assert columns_of(game) == [3, 1, 2, 2, 2, 0, 0, 0, 0]


def test_7_to_24_only_colors_that_are_shown_count() -> None:
    """A lock shows the candy, marmalade hides it; gaps, swirls and color bombs have no color."""
    game = position(
        """
        r rL rM r S
        -  * r  o g
        r  g r  y p
        """,
        rules="saga",
    )
    assert rows_of(game)[:3] == [3, 1, 2]
    assert columns_of(game)[:5] == [2, 1, 2, 1, 1]


def test_7_to_24_lines_beyond_the_ninth_are_not_looked_at() -> None:
    wide = position(
        """
        r r o p b b y p g g c y
        c y r c o y b o p c g y
        p o c y p c o y c o p c
        """,
        **POINTS,
    )
    assert columns_of(wide) == [1] * 9  # l1 and l2 are alike
    assert rows_of(wide)[:3] == [2, 3, 4]


def test_features_of_a_position_are_drawn_from_the_agents_generator_alone() -> None:
    game = position(TWO_STORIES, drops=[])
    same = [described(game, episodes=5, depth=3, seed=4) for _ in range(2)]
    assert all((same[0][move] == same[1][move]).all() for move in same[0])
    other = described(game, episodes=5, depth=3, seed=5)
    assert any((same[0][move] != other[move]).any() for move in other)
