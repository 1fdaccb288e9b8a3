"""Sequential halving: how simulations are shared out, the same luck for all moves, and how well it plays."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from levelsense.agents.attempt import GAME, room_at
from levelsense.agents.halving import Rounds, halve_moves, kernels, new_rounds, rank, simulations_each
from levelsense.agents.registry import HALVING, parse_agent
from levelsense.game.game import Game
from levelsense.game.moves import list_moves
from levelsense.game.state import WON
from levelsense.level.level import Level
from levelsense.rng import new_rng
from tests.agents.playing import seeds
from tests.game.drawn import position


def searched(game: Game, spec: str, seed: int = 1) -> Rounds:
    """What the simulations of one search have found."""
    agent = parse_agent(spec)
    room = room_at(kernels(agent.options), agent.codes, game)
    count = list_moves(room.states[GAME], room.moves)
    halve_moves(
        room.level, room.states, new_rng(seed), room.work, room.moves, room.memory, room.options, count
    )
    rounds: Rounds = room.memory
    return rounds


def test_options_stand_in_the_order_that_the_kernels_read_them_in() -> None:
    assert [option.name for option in HALVING.options] == ["simulations", "epsilon", "signal"]
    assert HALVING.options[2].choices == ("goals", "binary")


@pytest.mark.parametrize(
    ("left", "moves", "rounds", "each"), [(400, 10, 4, 10), (300, 5, 3, 20), (99, 2, 1, 49), (5, 10, 4, 1)]
)
def test_a_rounds_simulations_by_hand(left: int, moves: int, rounds: int, each: int) -> None:
    assert simulations_each(left, moves, rounds) == each


def tried_by_hand(moves: int, simulations: int) -> list[int]:
    """How often each move is simulated, the winner first: rounds of ceil(log2), half of the moves in each."""
    tried, left, going_on = [0] * moves, simulations, moves
    for rounds in range(math.ceil(math.log2(moves)), 0, -1):
        each = max(1, left // (going_on * rounds))
        for k in range(going_on):
            tried[k] += each
        left -= each * going_on
        going_on = math.ceil(going_on / 2)
    assert going_on == 1
    return tried


@pytest.mark.parametrize("level", ["03-open-field", "30-grand-tour", "40-archipelago"])
@pytest.mark.parametrize("simulations", [1, 100, 400])
def test_the_better_half_goes_on_with_more_simulations(level: str, simulations: int) -> None:
    game = Game(Level.load(level), 3)
    count = len(game.legal_moves)
    assert count > 4
    rounds = searched(game, f"halving:simulations={simulations}")
    tried = tried_by_hand(count, simulations)
    assert sorted(rounds.order[:count]) == list(range(count))
    assert rounds.tried[rounds.order[:count]].tolist() == tried
    # All simulations are made but for what does not divide, unless there are too few for one each.
    assert sum(tried) <= simulations or simulations == 1
    assert sum(tried) > 0.9 * simulations


def test_the_winner_of_the_last_round_is_played() -> None:
    for seed in range(5):
        game = Game(Level.load("03-open-field"), seed)
        rounds = searched(game, "halving:simulations=60", seed)
        best, second = rounds.order[:2]
        assert rounds.total[best] >= rounds.total[second]
        played = parse_agent("halving:simulations=60").choose(game, seed)
        assert played == game.legal_moves[best]


def test_moves_are_ranked_by_their_totals_and_equals_in_any_order() -> None:
    """Five standard deviations of 3,000 draws of a third are 130."""
    rng, third = new_rng(4), Counter[int]()
    for _ in range(3_000):
        rounds = new_rounds()
        rounds.order[:6] = range(6)
        rounds.total[:6] = [1.0, 5.0, 3.0, 3.0, 9.0, 3.0]
        rank(rng, rounds, 5)
        assert rounds.order[:2].tolist() == [4, 1]
        assert set(rounds.order[2:4].tolist()) == {2, 3}
        assert (rounds.order[4], rounds.order[5]) == (0, 5)
        rounds.order[:6] = range(6)
        rank(rng, rounds, 6)
        third[int(rounds.order[2])] += 1
    assert set(third) == {2, 3, 5}
    assert all(abs(count - 1_000) < 130 for count in third.values())


# g1g2 and k1k2 make a row of three reds each, and what is around them is the same: with the same luck the
# same candies fall in, and the same happens unless a cascade comes near to the rim of the board.
SAME_AROUND = """
    y c o p r r o p r r o p
    g y b c g y r c g y r c
    p b c y p b c y p b c y
"""


def same_around() -> Game:
    """With candies that fall in at random, of the colors that are drawn."""
    colors = ["red", "orange", "yellow", "blue", "purple", "cyan", "green"]
    return position(SAME_AROUND, "moves: 1", goals={"score": 5_000}, drops=[], colors=colors)


def test_all_moves_of_a_round_have_the_same_luck() -> None:
    game = same_around()
    assert [str(move) for move in game.legal_moves] == ["g1g2", "k1k2"]
    totals = np.array(
        [searched(game, "halving:simulations=20", seed).total[:2].tolist() for seed in range(100)]
    )
    # Of independent luck the correlation would be 0, with a standard error of 0.1.
    assert np.corrcoef(totals.T)[0, 1] > 0.8


def test_each_simulation_of_a_move_has_a_luck_of_its_own() -> None:
    """If all had the same, the mean of many would be the worth of one."""
    one = {searched(same_around(), "halving:simulations=2", seed).total[0] for seed in range(30)}
    many = searched(same_around(), "halving:simulations=200", 1)
    assert not any(many.total[0] / many.tried[0] == pytest.approx(worth, abs=1e-12) for worth in one)


def test_one_legal_move_needs_no_search() -> None:
    """And is valued all the same."""
    game = position("""
        r r o p
        y g r o
        p o g y
    """)
    assert [str(move) for move in game.legal_moves] == ["c1c2"]
    agent = parse_agent("halving:simulations=1000000")
    assert str(agent.choose(game, 1)) == "c1c2"
    values = parse_agent("halving:simulations=5").values(game, 1)
    assert values is not None
    assert [0 <= value <= 1 for value in values.values()] == [True]


def test_a_move_that_was_dropped_is_worth_no_more_than_those_that_outlasted_it() -> None:
    for seed in range(10):
        game = Game(Level.load("30-grand-tour"), seed)
        rounds = searched(game, "halving:simulations=60", seed)
        values = parse_agent("halving:simulations=60").values(game, seed)
        assert values is not None
        ranked = [values[game.legal_moves[k]] for k in rounds.order[: len(values)]]
        assert ranked == sorted(ranked, reverse=True)
        assert ranked[0] == rounds.total[rounds.order[0]] / rounds.tried[rounds.order[0]]


def worth(spec: str) -> Any:
    """The totals of one search at a level that is lost from here."""
    level = Level.load("thesis-013")
    game = Game(level.model_copy(update={"moves": 2}), 1)
    return searched(game, spec).total[: len(game.legal_moves)]


def test_what_is_no_win_is_worth_its_progress_or_nothing() -> None:
    assert (worth("halving:simulations=30") > 0).all()
    assert (worth("halving:simulations=30,signal=binary") == 0).all()


def test_epsilon_is_the_share_of_random_moves_in_simulations() -> None:
    """The heuristic's simulations end better than random ones, and half of each between."""
    game = Game(Level.load("28-crossed-wires"), 3)
    means = []
    for epsilon in (0, 0.5, 1):
        rounds = searched(game, f"halving:simulations=200,signal=binary,epsilon={epsilon}")
        means.append(rounds.total.sum() / rounds.tried.sum())
    assert means[0] > means[1] > means[2]


def test_it_beats_the_heuristic_that_plays_its_simulations() -> None:
    """Of 60 attempts each, by more than three standard errors of a difference of two rates (0.27)."""
    level = Level.load("32-long-shelf")
    bot, search = (
        float((parse_agent(spec).attempts(level, seeds(60))["status"] == WON).mean())
        for spec in ("heuristic", "halving:simulations=60")
    )
    assert search - bot > 3 * math.sqrt(0.5 * 0.5 * 2 / 60)
