"""Randomness and the first board (docs/rules.md, sections 2 and 3)."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from levelsense.game.game import Game
from levelsense.level.level import Level
from levelsense.rng import below, new_rng, next_word
from tests.game.drawn import GAMMA, draw, word

# The first numbers of splitmix64 from word 0, as other implementations of it give them.
FROM_ZERO = [
    0xE220A8397B1DCDAF,
    0x6E789E6AA1B965F4,
    0x06C45D188009454F,
    0xF88BB8A8724C81EC,
    0x1B39896A51A8749B,
]


def level(board: list[str], **keys: Any) -> Level:
    return Level.model_validate(
        {"name": "deal", "moves": 9, "goals": {"score": 1000}, "board": board, **keys}
    )


def test_random_words_are_those_of_splitmix64() -> None:
    rng = new_rng(0)
    assert [int(next_word(rng)) for _ in FROM_ZERO] == FROM_ZERO


def test_below_takes_the_upper_half_of_a_word() -> None:
    rng = new_rng(0)
    assert [below(rng, 10_000) for _ in FROM_ZERO] == [(word >> 32) * 10_000 >> 32 for word in FROM_ZERO]
    assert [below(rng, 1) for _ in range(5)] == [0] * 5


@pytest.mark.parametrize("seed", [0, 1, -1, 2**64, 2**64 + 5, 10**30])
def test_a_seed_is_taken_modulo_2_to_the_64(seed: int) -> None:
    assert int(new_rng(seed)[0]) == seed % 2**64
    assert new_rng(seed).dtype == np.uint64


def test_stated_pieces_are_placed_and_need_no_draw() -> None:
    board = ["b r= y", "r g r", "y b #2"]
    game = Game(level(board), seed=3)
    assert draw(game.level, game.cells) == [row.split() for row in board]
    assert word(game) == 3


def test_open_colors_are_dealt_and_only_they() -> None:
    board = [".  .= .  S", ".7 r  .~ .", "#1 X  .+ *", ".  .@ C  ."]
    game = Game(level(board, exits=["a1"]), seed=3)
    dealt = draw(game.level, game.cells)
    for shown, stated in zip(
        (token for row in dealt for token in row),
        (token for row in board for token in row.split()),
        strict=True,
    ):
        assert shown[1:] == stated[1:]
        assert shown[0] in "roygbp" if stated[0] == "." else shown == stated
    assert (word(game) - 3) * pow(GAMMA, -1, 2**64) % 2**64 == sum(row.count(".") for row in board)


def test_a_color_that_would_make_a_line_is_not_dealt() -> None:
    """Between two pairs of red only blue fits."""
    board = ["r r . r", "b b r b", "r b r r"]
    for seed in range(20):
        game = Game(level(board, colors=["red", "blue"]), seed)
        assert draw(game.level, game.cells)[0][2] == "b"


def test_a_candy_in_marmalade_may_be_dealt_any_color() -> None:
    board = ["r r . r", "b b r b", "r b r r"]
    locks = [". . M .", ". . . .", ". . . ."]
    boards = {
        Game(level(board, locks=locks, colors=["red", "blue"]), seed).cells[2].color for seed in range(20)
    }
    assert boards == {"red", "blue"}


def test_the_weights_of_the_colors_count() -> None:
    board = [". . . . . . . ."] * 8
    rare = {"red": 1, "blue": 9, "green": 9, "yellow": 9, "orange": 9}
    cells = [cell for seed in range(10) for cell in Game(level(board, colors=rare), seed).cells]
    reds = sum(cell.color == "red" for cell in cells)
    assert 0 < reds < len(cells) / 15  # a 37th part is expected


def test_seeds_deal_different_boards() -> None:
    boards = {tuple(Game(level([". . . ."] * 4), seed).cells) for seed in range(50)}
    assert len(boards) == 50


@pytest.mark.parametrize("board", [["S S S"] * 3, ["r b y", "g o p", "c m r"], [". - .", "- . -", ". - ."]])
def test_a_board_without_a_legal_move_is_lost_at_once(board: list[str]) -> None:
    game = Game(level(board), seed=1)
    assert game.outcome is not None
    assert (game.outcome.won, game.outcome.reason, game.outcome.moves_made) == (False, "no move possible", 0)
    assert game.legal_moves == ()


def test_counts_start_at_0_and_the_limit_at_the_levels() -> None:
    game = Game(level([". . . ."] * 4), seed=1)
    assert (game.score, game.moves_made, game.moves_left, game.shuffles) == (0, 0, 9, 0)
    assert not any(game.counts.values())
    timed = Level.model_validate(
        {"name": "t", "seconds": 7.5, "goals": {"score": 1}, "board": [". . . ."] * 4}
    )
    assert Game(timed).time_left == 7.5


def test_no_first_board_has_a_line() -> None:
    crowded = level([". . . . ."] * 5, colors=3)
    for seed in range(30):
        rows = draw(crowded, Game(crowded, seed).cells)
        columns = list(zip(*rows, strict=True))
        for line, k in product([*rows, *columns], range(3)):
            assert len(set(line[k : k + 3])) > 1, rows
