"""Playouts: the move that each kind chooses, by hand, and that the agent's option means that kind."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from levelsense.agents.attempt import SCRATCH
from levelsense.agents.heuristic import heuristic_values
from levelsense.agents.mcts.playouts import free_move, guided_move
from levelsense.agents.mcts.tree import CLOUDED, HEURISTIC, NONE, PLAYOUT, RANDOM, TO_MAST, Tree, new_tree
from levelsense.agents.registry import parse_agent
from levelsense.game.game import Game
from levelsense.game.record import level_record
from levelsense.game.state import new_state, new_work
from levelsense.kernel import kernel_with
from levelsense.level.level import Level
from levelsense.rng import new_rng
from tests.agents.test_ties import ALIKE
from tests.agents.test_ties import MOVES as ALIKE_MOVES
from tests.game.drawn import position

GUIDED = kernel_with(guided_move, "guided_playout_move", heuristic_values=heuristic_values)
DRAWS = 4_000

# Three legal moves: c1c2 makes three reds; g1g2 makes four blues, g1h1 three of them.
BOARD = """
    r r o p b b y b
    g y r g o c b o
    p o g y p g o y
"""


def drawn(move: Any, kind: int, tree: Tree, draws: int = DRAWS, board: str = BOARD) -> dict[str, float]:
    """How often a kind of playout plays each move of the drawn position, of all its draws."""
    game = position(board, "moves: 2")
    states = new_state(SCRATCH + 2)
    states[SCRATCH] = game.state
    level, rng, work = level_record(game.level).level, new_rng(7), new_work()
    names = {played.code: str(played) for played in game.legal_moves}
    counts = Counter(names[int(move(level, states, rng, work, tree, kind, NONE))] for _ in range(draws))
    return {name: counts[name] / draws for name in names.values()}


def code(name: str) -> int:
    return next(move.code for move in position(BOARD, "moves: 2").legal_moves if str(move) == name)


def test_random_draws_all_alike() -> None:
    assert drawn(free_move, RANDOM, new_tree(1)) == pytest.approx(
        {"c1c2": 1 / 3, "g1g2": 1 / 3, "g1h1": 1 / 3}, abs=0.03
    )


def test_to_mast_draws_by_the_exponential_of_the_average() -> None:
    """Averages 0.5 (2 of 4 visits), 0.25 (1 of 4), and 1 of a place not seen: e^2 : e^1 : e^4."""
    tree = new_tree(1)
    for name, value in (("c1c2", 2.0), ("g1g2", 1.0)):
        tree.mast_visits[code(name)] = 4
        tree.mast_value[code(name)] = value
    weights = {"c1c2": math.e**2, "g1g2": math.e**1, "g1h1": math.e**4}
    expected = {name: weight / sum(weights.values()) for name, weight in weights.items()}
    assert expected["c1c2"] == pytest.approx(0.114, abs=0.001)
    assert drawn(free_move, TO_MAST, tree) == pytest.approx(expected, abs=0.02)


def test_heuristic_plays_the_most_valued_move_and_clouded_draws_by_value() -> None:
    values = parse_agent("heuristic").values(position(BOARD, "moves: 2"), 1)
    assert values is not None
    by_name = {str(move): value for move, value in values.items()}
    best = max(by_name, key=lambda name: by_name[name])
    assert drawn(GUIDED, HEURISTIC, new_tree(1), 50)[best] == 1
    expected = {name: value / sum(by_name.values()) for name, value in by_name.items()}
    assert expected[best] < 0.9
    assert drawn(GUIDED, CLOUDED, new_tree(1)) == pytest.approx(expected, abs=0.03)


def test_heuristic_playouts_draw_between_equals() -> None:
    """Three standard deviations of 4,000 draws of a third are 0.022."""
    expected = dict.fromkeys(ALIKE_MOVES, 1 / 3)
    assert drawn(GUIDED, HEURISTIC, new_tree(1), board=ALIKE) == pytest.approx(expected, abs=0.022)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("random", RANDOM), ("to-mast", TO_MAST), ("heuristic", HEURISTIC), ("clouded", CLOUDED)],
)
def test_the_option_means_the_kind(name: str, kind: int) -> None:
    assert parse_agent(f"mcts:playout={name}").codes[PLAYOUT] == kind


def test_playouts_guide_the_agent() -> None:
    """On a level that random play hardly ever wins, playouts by the heuristic win more than drawn ones."""
    game = Game(Level.load("28-crossed-wires"), 3)
    rates = {}
    for playout in ("random", "clouded", "heuristic"):
        agent = parse_agent(f"mcts:simulations=60,signal=binary,playout={playout}")
        values = agent.values(game, 5)
        assert values is not None
        rates[playout] = float(np.mean(list(values.values())))
    assert rates["random"] < rates["clouded"] < rates["heuristic"]
