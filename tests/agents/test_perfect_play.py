"""On tiny levels perfect play is known: a long search comes up to it, and nobody gets beyond."""

import math

import numpy as np
import pytest

from levelsense.agents.registry import parse_agent
from levelsense.game.level import Level
from levelsense.game.state import WON
from tests.agents.exact import Bounds, Solver, tiny_level

ATTEMPTS = 400
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
}


def success_rate(spec: str, level: Level) -> float:
    seeds = np.arange(2 * ATTEMPTS, dtype=np.uint64).reshape(ATTEMPTS, 2)
    return float((parse_agent(spec).attempts(level, seeds)["status"] == WON).mean())


@pytest.fixture(params=sorted(LEVELS))
def solved(request: pytest.FixtureRequest) -> tuple[Level, Bounds]:
    level = LEVELS[request.param]
    bounds = Solver(level).bounds()
    assert bounds.high - bounds.low < 0.05
    return level, bounds


def test_a_long_search_plays_perfectly(solved: tuple[Level, Bounds]) -> None:
    level, best = solved
    rate = success_rate("mcts:simulations=400,branching=200,signal=binary", level)
    assert best.low - TOLERANCE <= rate <= best.high + TOLERANCE


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
