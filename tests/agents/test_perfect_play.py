"""On tiny levels perfect play is known: a long search comes up to it, and nobody gets beyond."""

import math
from collections import Counter, defaultdict
from functools import cache

import numpy as np
import pytest

from levelsense.agents.registry import parse_agent
from levelsense.game.game import Game
from levelsense.game.state import WON
from levelsense.level.level import Level
from tests.agents.exact import Bounds, Solver, tiny_level

ATTEMPTS = 400
SEEDS_TRIED = 800
# Three standard errors of a success rate of a half.
TOLERANCE = 3 * math.sqrt(0.25 / ATTEMPTS)

LEVELS = {
    "red": tiny_level(
        ["g b r o r", "y g r y g", "g r b b o", "r g g b r", "o b r r g"], {"orders": {"red": 5}}, moves=1
    ),
    "score": tiny_level(
        ["y o b o o", "o o r g y", "b b r b y", "o y b b o", "g y o o y", "o b g r b"],
        {"score": 180},
        moves=1,
    ),
    "green, then": tiny_level(
        ["g o y o y", "o r o r o", "b r g b g", "y b r o o"], {"orders": {"green": 3}}, moves=2, other="swirl"
    ),
    "score, then": tiny_level(
        ["b r b r y g", "g r g r o b", "g g b b y g", "p p y g r g", "r g o r p r"],
        {"score": 240},
        moves=2,
        other="swirl",
    ),
}


def success_rate(spec: str, level: Level) -> float:
    seeds = np.arange(2 * ATTEMPTS, dtype=np.uint64).reshape(ATTEMPTS, 2)
    return float((parse_agent(spec).attempts(level, seeds)["status"] == WON).mean())


@cache
def solve(name: str) -> Bounds:
    return Solver(LEVELS[name]).bounds()


@pytest.fixture(params=sorted(LEVELS))
def solved(request: pytest.FixtureRequest) -> tuple[Level, Bounds]:
    bounds = solve(request.param)
    assert bounds.high - bounds.low < 0.02
    return LEVELS[request.param], bounds


def test_what_a_move_can_lead_to_has_a_probability_of_one() -> None:
    """And the shares of many seeds are those probabilities."""
    level = LEVELS["green, then"]
    solver, start = Solver(level), Game(level).state
    for move in Game(level).legal_moves:
        expected: defaultdict[bytes, float] = defaultdict(float)
        for probability, after in solver.outcomes(start, move.code):
            expected[b"" if after is None else after.tobytes()] += probability
        assert sum(expected.values()) == 1
        met: Counter[bytes] = Counter()
        for seed in range(SEEDS_TRIED):
            game = Game(level, seed)
            game.play(move)
            met[game.state.tobytes()] += 1
        for state, probability in expected.items():
            if state:
                error = math.sqrt(probability * (1 - probability) / SEEDS_TRIED)
                assert abs(met[state] / SEEDS_TRIED - probability) < 5 * error


@pytest.mark.parametrize(
    "spec", ["mcts:simulations=3000,branching=200,signal=binary", "halving:simulations=3000,signal=binary"]
)
def test_a_long_search_plays_perfectly(spec: str, solved: tuple[Level, Bounds]) -> None:
    level, best = solved
    rate = success_rate(spec, level)
    assert best.low - TOLERANCE <= rate <= best.high + TOLERANCE


@pytest.mark.parametrize("name", ["green, then", "score, then"])
def test_two_moves_ask_for_foresight(name: str) -> None:
    """Who looks at one move only falls short of perfect play."""
    assert success_rate("greedy:of=goals", LEVELS[name]) < solve(name).low - TOLERANCE


@pytest.mark.parametrize(
    "spec", ["random", "first", "greedy", "greedy:of=goals", "heuristic", "beam", "sampling:simulations=10"]
)
def test_nobody_beats_perfect_play(spec: str, solved: tuple[Level, Bounds]) -> None:
    level, best = solved
    assert success_rate(spec, level) <= best.high + TOLERANCE


def test_random_play_is_not_perfect(solved: tuple[Level, Bounds]) -> None:
    """The levels tell good play from bad."""
    level, best = solved
    assert success_rate("random", level) < best.low - TOLERANCE
