"""The random, the first and the greedy agent, on boards that show what each would do."""

from collections import Counter

import pytest

from levelsense.agents.registry import parse_agent
from levelsense.game.game import Game, Move
from levelsense.level.level import Level
from tests.agents.playing import positions, success_rate
from tests.game.drawn import position

# Around the candies that a test is about, o y p c m in every row, two further with each, can make no line.
FIELD = """
    o y p c m
    r c r o y    <- b2b3: three reds
    m r y p c
    y p b m o
    b b o b p    <- c4c5: four blues; c5d5: three
    o y p c m
"""


def choices(spec: str, game: Game, count: int = 200) -> Counter[str]:
    agent = parse_agent(spec)
    return Counter(str(agent.choose(game, seed)) for seed in range(count))


def test_the_field_has_the_moves_that_the_tests_speak_of() -> None:
    assert [str(move) for move in position(FIELD).legal_moves] == ["b2b3", "c4c5", "c5d5"]


# random


def test_random_plays_every_move_about_as_often() -> None:
    game = Game(Level.load("03-open-field"), 5)
    counted = choices("random", game, 4_000)
    expected = 4_000 / len(game.legal_moves)
    assert set(counted) == {str(move) for move in game.legal_moves}
    # Five standard deviations: it does not fail by chance, and a move left out or doubled does.
    assert all(abs(count - expected) < 5 * expected**0.5 for count in counted.values())


# first


def test_first_plays_the_first_move_listed() -> None:
    assert choices("first", position(FIELD), 5) == {"b2b3": 5}
    for game in positions("30-grand-tour", 3):
        assert parse_agent("first").choose(game, 1) == game.legal_moves[0]


# greedy


def test_greedy_takes_the_longer_line() -> None:
    assert choices("greedy", position(FIELD), 20) == {"c4c5": 20}
    assert parse_agent("greedy").values(position(FIELD), 1) == {
        Move.parse("b2b3"): 60.0,
        Move.parse("c4c5"): 120.0,
        Move.parse("c5d5"): 60.0,
    }


def test_greedy_of_goals_takes_the_goal() -> None:
    orders = {"orders": {"red": 10, "green": 10}}
    assert choices("greedy", position(FIELD, goals=orders), 20) == {"c4c5": 20}
    assert choices("greedy:of=goals", position(FIELD, goals=orders), 20) == {"b2b3": 20}


def test_greedy_of_goals_values_progress_and_then_score() -> None:
    """Three of ten reds are 0.3 of one goal of two; the score counts for a thousandth of a millionth."""
    game = position(FIELD, goals={"orders": {"red": 10, "green": 10}})
    values = parse_agent("greedy:of=goals").values(game, 1)
    assert values == pytest.approx(
        {Move.parse("b2b3"): 0.15 + 60e-9, Move.parse("c4c5"): 120e-9, Move.parse("c5d5"): 60e-9}, abs=1e-15
    )


def test_greedy_of_goals_asks_no_more_of_a_goal_that_is_met() -> None:
    orders = {"orders": {"red": 10, "green": 10}}
    game = position(FIELD, "counts: red 10", goals=orders)
    assert game.counts["red"] == 10
    assert choices("greedy:of=goals", game, 5) == {"c4c5": 5}


def test_greedy_draws_between_equals() -> None:
    game = position("""
        o y p c m
        r c r o y    <- b2b3: three reds
        m r y p c
        y p b m o
        b b o y p    <- c4c5: three blues
        o y p c m
    """)
    counted = choices("greedy", game, 400)
    assert set(counted) == {"b2b3", "c4c5"}
    assert 150 < counted["b2b3"] < 250


@pytest.mark.parametrize("level", ["03-open-field", "04-jelly-garden", "12-locked-up", "25-plain-arithmetic"])
def test_greedy_gains_are_those_of_the_first_round(level: str) -> None:
    """The value of a move is what its first round scores. (In these positions that is never drawn.)"""
    for game in positions(level, 11, every=4):
        values = parse_agent("greedy").values(game, 1)
        assert values is not None
        for move in game.legal_moves:
            assert values[move] == game.copy().play(move).rounds[0].score


def test_greedy_beats_random() -> None:
    assert success_rate(parse_agent("greedy"), "04-jelly-garden", 100) > 0.95
    assert success_rate(parse_agent("random"), "04-jelly-garden", 100) < 0.95
