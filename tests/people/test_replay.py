"""Attempts played again in one call: the states of the same games played move by move."""

import numpy as np
import pytest
from numpy.typing import ArrayLike

from levelsense.game.game import Game, Move
from levelsense.game.moves import MOST_MOVES, REVERSED
from levelsense.game.state import STATE_DTYPE
from levelsense.level.level import Level, bundled_levels
from levelsense.people.replay import IllegalReplayError, legal_moves, replay
from levelsense.rng import Draws

SEEDS = (3, 2**64 - 1, 77)


def play_randomly(level: Level, seed: int, most: int = 12) -> tuple[list[np.void], list[int]]:
    """The states and the moves of a game, played by the public class."""
    game, draws = Game(level, seed), Draws("moves", seed)
    states: list[np.void] = []
    codes: list[int] = []
    while game.status == "playing" and len(codes) < most:
        move = draws.pick(*game.legal_moves)
        states.append(game.state.copy())
        codes.append(move.code)
        game.play(move)
    return states, codes


@pytest.mark.parametrize("name", bundled_levels())
def test_the_states_of_a_game_played_move_by_move(name: str) -> None:
    level = Level.load(name)
    games = [play_randomly(level, seed) for seed in SEEDS]
    offsets = np.cumsum([0, *(len(codes) for _, codes in games)])
    states = replay(level, SEEDS, np.concatenate([codes for _, codes in games]), offsets)
    assert states.dtype == STATE_DTYPE
    expected = np.array([state for of_game, _ in games for state in of_game], STATE_DTYPE)
    assert (states == expected).all()


def test_whole_attempts_are_played_again() -> None:
    level = Level.load("04-jelly-garden")
    states, codes = play_randomly(level, 5, most=999)
    assert 1 < len(codes) < 999
    assert (replay(level, [5], codes, [0, len(codes)]) == np.array(states, STATE_DTYPE)).all()


def test_an_attempt_without_moves_has_no_states() -> None:
    level = Level.load("01-first-steps")
    _, codes = play_randomly(level, 5, most=2)
    assert replay(level, [9, 5, 9], codes, [0, 0, 2, 2])["moves_made"].tolist() == [0, 1]
    assert len(replay(level, [], [], [0])) == 0


def test_an_illegal_move_is_named() -> None:
    level = Level.load("01-first-steps")
    games = [play_randomly(level, seed, most=4)[1] for seed in (1, 2)]
    game = Game(level, 2)
    for code in games[1][:2]:
        game.play(Move.from_code(code))
    illegal = next(code for code in range(REVERSED) if Move.from_code(code) not in game.legal_moves)
    codes = [*games[0], *games[1][:2], illegal, games[1][3]]
    with pytest.raises(IllegalReplayError) as caught:
        replay(level, [1, 2], codes, [0, 4, 8])
    assert (caught.value.attempt, caught.value.turn, caught.value.code) == (1, 2, illegal)
    assert str(caught.value) == (
        f"First steps: attempt 1, turn 2: move {illegal} ({Move.from_code(illegal)}) is not legal there; "
        "expected the moves of an attempt at this level with this seed"
    )


@pytest.mark.parametrize("code", [-1, MOST_MOVES, 2**15 - 1])
def test_a_number_of_no_move_is_illegal(code: int) -> None:
    with pytest.raises(IllegalReplayError, match=rf"attempt 0, turn 0: move {code} is not legal there"):
        replay(Level.load("01-first-steps"), [1], [code], [0, 1])


def test_a_swap_is_not_named_the_other_way_round() -> None:
    """The other direction is a move of its own where it makes a difference, and else none."""
    level = Level.load("01-first-steps")
    _, (code, *_) = play_randomly(level, 1)
    assert code < REVERSED
    replay(level, [1], [code], [0, 1])
    with pytest.raises(IllegalReplayError):
        replay(level, [1], [code + REVERSED], [0, 1])


def test_no_move_follows_the_end_of_an_attempt() -> None:
    level = Level.load("01-first-steps")
    _, codes = play_randomly(level, 3, most=999)
    with pytest.raises(IllegalReplayError, match=f"turn {len(codes)}: "):
        replay(level, [3], [*codes, codes[0]], [0, len(codes) + 1])


@pytest.mark.parametrize(
    ("seeds", "codes", "offsets"),
    [
        ([1], [0], [0]),
        ([1, 2], [0], [0, 1]),
        ([1], [0], [0, 2]),
        ([1], [0], [1, 1]),
        ([1, 2], [0, 0], [0, 2, 1]),
        ([1, 2], [0], [0, 2, 1]),
        ([1], np.array([70_000]), [0, 1]),
        ([[1]], [0], [0, 1]),
    ],
)
def test_arrays_that_do_not_fit_together(seeds: ArrayLike, codes: ArrayLike, offsets: ArrayLike) -> None:
    with pytest.raises(ValueError, match="expected") as caught:
        replay(Level.load("01-first-steps"), seeds, codes, offsets)
    assert not isinstance(caught.value, IllegalReplayError)


def test_legal_moves_are_those_of_the_game() -> None:
    level = Level.load("02-four-in-a-row")
    games = [Game(level, seed) for seed in range(4)]
    codes, offsets = legal_moves(np.array([game.state.copy() for game in games], STATE_DTYPE))
    for number, game in enumerate(games):
        listed = codes[offsets[number] : offsets[number + 1]]
        assert listed.tolist() == [move.code for move in game.legal_moves]
    assert legal_moves(np.zeros(0, STATE_DTYPE))[1].tolist() == [0]


def test_states_may_be_every_other_of_an_array() -> None:
    level = Level.load("02-four-in-a-row")
    states = np.array([Game(level, seed).state.copy() for seed in range(4)], STATE_DTYPE)
    assert legal_moves(states[::2])[0].tolist() == legal_moves(states[::2].copy())[0].tolist()
