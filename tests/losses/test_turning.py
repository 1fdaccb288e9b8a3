"""Where a lost attempt was lost, by how many continuations win from each of its positions."""

import pytest

from levelsense import Game, Level
from levelsense.agents.registry import parse_agent
from levelsense.losses.turning import CONTINUATIONS, turning_point, wins_from


@pytest.mark.parametrize(
    ("wins", "turn", "words"),
    [
        # 40 continuations each; two of them are 5 %, as good as lost.
        ([20, 18, 12, 2, 0], 3, "It was lost by move 3 of 5: 12 of 40 continuations win before that move, "),
        ([20, 2, 12, 1, 0], 3, "and at most 1 after it. Move 1 cost most: from 20 to 2."),
        ([2, 0, 1], 0, "as good as lost from the start: at most 2 of 40"),
        ([20, 10, 5], None, "open to the last move: 5 of 40"),
        ([3], None, "open to the last move: 3 of 40"),
    ],
)
def test_the_move_after_which_hardly_any_wins(wins: list[int], turn: int | None, words: str):
    point = turning_point(wins, 40)
    assert point.turn == turn
    assert words in point.sentence


@pytest.mark.parametrize(
    ("wins", "is_told"),
    [
        ([20, 18, 12, 2, 0], False),  # the move by which it was lost cost most: that is said already
        ([20, 13, 8, 2], True),  # seven of 40 are more than 15 %
        ([19, 13, 8, 2], False),  # six are not
    ],
)
def test_another_move_that_cost_most_is_told(wins: list[int], is_told: bool):
    assert ("cost most" in turning_point(wins, 40).sentence) == is_told


def test_shares_before_and_after():
    point = turning_point([20, 10, 1, 2], 40)
    assert (point.turn, point.before, point.after) == (2, 0.25, 0.05)


def level(score: int) -> Level:
    board = [". . . . ."] * 5
    return Level.model_validate(
        {"name": "x", "moves": 3, "colors": 4, "board": board, "goals": {"score": score}}
    )


def test_continuations_win_what_is_sure_and_lose_what_is_not():
    agent = parse_agent("random")
    assert wins_from(agent, Game(level(60), 1)) == CONTINUATIONS
    assert wins_from(agent, Game(level(10**6), 1)) == 0


def test_continuations_are_plain_attempts_from_there():
    # A second computation: the game goes on from the position by hand, with the same two generators.
    from levelsense.playtest.plan import attempt_seeds

    agent, game = parse_agent("first"), Game(level(600), 4)
    game.play(game.legal_moves[0])
    seeds = attempt_seeds(game.level.digest, "continuations of first", 0, 0, CONTINUATIONS)
    won = 0
    for game_seed, _ in seeds:
        twin = Game.at(game.level, game.state, int(game_seed))
        while twin.status == "playing":
            twin.play(twin.legal_moves[0])
        won += twin.status == "won"
    assert 0 < won < CONTINUATIONS
    assert wins_from(agent, game) == won
