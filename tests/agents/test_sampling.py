"""Sampling on the fly: how often each move is simulated, and that the best mean is found on a tiny level."""

import re
from math import inf
from typing import Any

import numpy as np
import pytest

from levelsense.agents.attempt import GAME, SCRATCH
from levelsense.agents.registry import SAMPLING, parse_agent
from levelsense.agents.sampling import SAMPLES_DTYPE, choose_sampling
from levelsense.game.game import Game
from levelsense.game.moves import MOST_MOVES
from levelsense.game.record import level_record
from levelsense.game.state import new_state, new_work
from levelsense.level.level import Level
from levelsense.rng import new_rng
from tests.agents.playing import positions, same_rows, seeds
from tests.game.drawn import position

# Each candy is a point, lines leave nothing, and what falls in (swirls) makes no line: only moves are random.
POINTS = {"rules": "plain", "scoring": "pieces"}

# c1c2 makes three reds; g1g2 makes four blues, g1h1 three of them and spoils the four.
BOARD = """
    r r o p b b y b
    g y r g o c b o
    p o g y p g o y
"""
TWO_MOVES = "moves: 2"

MOVE, TURN, SCORE = 0, 1, 0


def exact_means(game: Game, epsilon: float) -> dict[str, float]:
    """The mean final score after each legal move if later ones are epsilon-greedy, by trying them all."""
    means = {}
    for move in game.legal_moves:
        after = game.copy()
        after.play(move)
        later = list(exact_means(after, epsilon).values())
        if later:
            sure = parse_agent("greedy").values(after, 1)
            assert sure is not None
            best = [
                mean for mean, gain in zip(later, sure.values(), strict=True) if gain == max(sure.values())
            ]
            mean = epsilon * sum(later) / len(later) + (1 - epsilon) * sum(best) / len(best)
        means[str(move)] = mean if later else after.score
    return means


def samples(game: Game, simulations: int, per: int, epsilon: float = 0.25, seed: int = 1) -> Any:
    """What the simulations of one turn have found, and the number of the chosen move."""
    record = level_record(game.level)
    states = new_state(SCRATCH + 2)
    states[GAME] = game.state
    memory, moves = np.zeros(1, SAMPLES_DTYPE), np.zeros(MOST_MOVES, np.int64)
    options = np.array([simulations, per, epsilon, SCORE], np.float64)
    move = choose_sampling(record.level, states, new_rng(seed), new_work(), moves, memory, options)
    assert move == moves[memory[0].best]
    return memory[0]


def test_options_stand_in_the_order_that_the_kernels_read_them_in() -> None:
    assert [option.name for option in SAMPLING.options] == ["simulations", "per", "epsilon", "of"]
    assert SAMPLING.options[1].choices == ("move", "turn")
    assert SAMPLING.options[3].choices == ("score", "goals")


def test_the_published_numbers_are_the_defaults() -> None:
    assert parse_agent("sampling:simulations=25,epsilon=0.25").spec == "sampling"


@pytest.mark.parametrize(
    ("epsilon", "after_the_reds"),
    [(0, 4), (0.25, 0.25 * (4 + 3) / 2 + 0.75 * 4), (0.9, 0.9 * (4 + 3) / 2 + 0.1 * 4), (1, (4 + 3) / 2)],
)
def test_on_a_tiny_level_the_exact_means_are_found(epsilon: float, after_the_reds: float) -> None:
    """Four blues and then three reds make 7; after the reds either blue move may follow, four if greedily."""
    game = position(BOARD, TWO_MOVES, **POINTS)
    exact = exact_means(game, epsilon)
    assert exact == pytest.approx({"c1c2": 3 + after_the_reds, "g1g2": 4 + 3, "g1h1": 3 + 3})
    values = parse_agent(f"sampling:simulations=2000,epsilon={epsilon}").values(game, 1)
    assert values is not None
    assert {str(move): value for move, value in values.items()} == pytest.approx(exact, abs=0.04)


def test_the_highest_mean_is_played() -> None:
    game = position(BOARD, TWO_MOVES, **POINTS)
    assert {str(parse_agent("sampling:epsilon=1").choose(game, seed)) for seed in range(20)} == {"g1g2"}


def test_epsilon_changes_how_the_default_plays() -> None:
    level = Level.load("17-pocket-board")
    some, others = (
        parse_agent(f"sampling:simulations=3,epsilon={epsilon}").attempts(level, seeds(3))
        for epsilon in (0.25, 0.9)
    )
    assert not same_rows(some, others)


def test_later_moves_of_a_turns_simulations_are_random() -> None:
    """Q has values in the game's position only: epsilon decides about first moves."""
    game = position(BOARD, TWO_MOVES, **POINTS)
    for epsilon in (0.5, 1.0):
        drawn = samples(game, 6_000, TURN, epsilon)
        assert drawn.total[0] / drawn.tried[0] == pytest.approx(3 + (4 + 3) / 2, abs=0.06)


def test_what_is_gained_later_is_what_an_end_is_worth() -> None:
    """After the greens (k1k2) four blues and a swirl are most for score, three reds for the goal."""
    wider = [" g g p", " y o g", " p c r"]
    board = "\n".join(row + more for row, more in zip(BOARD.strip("\n").splitlines(), wider, strict=False))
    game = position(board, TWO_MOVES, **POINTS, goals={"orders": {"red": 6}})
    assert sorted(map(str, game.legal_moves)) == ["c1c2", "g1g2", "g1h1", "k1k2"]
    for of, expected in (("score", 3 + 4 + 1), ("goals", 0.5)):
        values = parse_agent(f"sampling:simulations=4,epsilon=0,of={of}").values(game, 1)
        assert values is not None
        assert {str(move): value for move, value in values.items()}["k1k2"] == expected


def test_for_each_legal_move_so_many_simulations() -> None:
    for game in list(positions("21-one-at-a-time", seed=2, every=6)):
        drawn = samples(game, 7, MOVE)
        legal = len(game.legal_moves)
        assert drawn.legal == legal
        assert drawn.tried[:legal].tolist() == [7] * legal
        assert not drawn.tried[legal:].any()


def test_for_each_turn_so_many_simulations() -> None:
    for game in positions("21-one-at-a-time", seed=2, every=6):
        assert samples(game, 25, TURN).tried.sum() == 25


def test_the_first_simulation_of_a_turn_is_random_and_the_rest_greedy() -> None:
    """With epsilon 0 the first move tried has the only value there is, and so is the best from then on."""
    game = position(BOARD, TWO_MOVES, **POINTS)
    tried = [samples(game, 25, TURN, 0.0, seed).tried[:3].tolist() for seed in range(30)]
    assert {tuple(row) for row in tried} == {(25, 0, 0), (0, 25, 0), (0, 0, 25)}


def test_epsilon_is_the_share_that_explores() -> None:
    """A third of what explores begins with the best of the three moves, too."""
    game = position(BOARD, TWO_MOVES, **POINTS)
    drawn = samples(game, 4_000, TURN)
    assert str(game.legal_moves[drawn.best]) == "g1g2"
    assert drawn.tried[drawn.best] / 4_000 == pytest.approx(1 - 0.25 * 2 / 3, abs=0.03)
    everywhere = samples(game, 3_000, TURN, 1.0)
    assert everywhere.tried[:3] / 3_000 == pytest.approx([1 / 3] * 3, abs=0.03)


def test_an_end_may_be_worth_its_progress_instead_of_its_score() -> None:
    """Six reds are asked, and three can be had: half the way, only if c1c2 is played."""
    game = position(BOARD, "moves: 1", **POINTS, goals={"orders": {"red": 6}})
    assert str(parse_agent("sampling:simulations=2").choose(game, 1)) == "g1g2"
    by_goals = parse_agent("sampling:simulations=2,of=goals")
    values = by_goals.values(game, 1)
    assert values is not None
    assert {str(move): value for move, value in values.items()} == {"c1c2": 0.5, "g1g2": 0, "g1h1": 0}
    assert str(by_goals.choose(game, 1)) == "c1c2"


def test_a_move_that_was_never_tried_has_no_value() -> None:
    game = position(BOARD, TWO_MOVES, **POINTS)
    values = parse_agent("sampling:simulations=5,epsilon=0,per=turn").values(game, 1)
    assert values is not None
    assert sorted(values.values())[:2] == [-inf, -inf]


@pytest.mark.parametrize("spec", ["sampling:simulations=3", "sampling:per=turn"])
def test_the_choice_does_not_depend_on_what_will_fall_in(spec: str) -> None:
    for number, game in enumerate(positions("03-open-field", seed=7, every=4)):
        other = Game.parse(re.sub(r"word: .*", "word: 0x123456789", str(game)), game.level)
        assert parse_agent(spec).choose(other, number) == parse_agent(spec).choose(game, number)
        assert parse_agent(spec).values(other, number) == parse_agent(spec).values(game, number)


@pytest.mark.slow
def test_it_plays_better_than_random_and_more_simulations_play_no_worse() -> None:
    """Mean scores in McAdams' game of 20 moves; the tolerance is 5 %."""
    level = Level.load("21-one-at-a-time")
    endless = level.model_copy(update={"goals": level.goals.model_copy(update={"score": 1_000_000})})
    specs = ("random", "sampling:simulations=2", "sampling:simulations=8")
    random, few, many = (parse_agent(spec).attempts(endless, seeds(30))["score"].mean() for spec in specs)
    assert 1.2 * random < few
    assert 0.95 * few <= many
