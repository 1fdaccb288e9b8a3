"""Each published formula of the thesis' chapter 3, with numbers computed by hand."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from levelsense.agents.mcts.choice import best_action
from levelsense.agents.mcts.growth import back_up, forget, plant
from levelsense.agents.mcts.playouts import learn_range, normalized_score, signal
from levelsense.agents.mcts.search import grow_kernel
from levelsense.agents.mcts.selection import descend, ucb
from levelsense.agents.mcts.tree import (
    BINARY,
    CHOSEN,
    COMBINED,
    FIRST_NODE,
    GOALS,
    HAS_RANGE,
    HIGH,
    LAST_MOVE,
    LEAF,
    LOW,
    MAX,
    NODES,
    NONE,
    ROBUST,
    ROBUST_MAX,
    ROOT,
    SCORE,
    SCORES,
    Tree,
    new_tree,
)
from levelsense.game.game import Game
from levelsense.game.record import level_record
from levelsense.game.state import COUNT_JELLY, COUNT_NAMES, LOST, WON, new_state, new_work
from levelsense.level.level import Level
from levelsense.rng import draw_in_proportion, new_rng


def test_ucb() -> None:
    """Equation 3.1: 6 / 10 + 0.6 sqrt(ln 100 / 10)."""
    assert ucb(6.0, 10.0, 100.0, 0.6) == pytest.approx(0.6 + 0.6 * math.sqrt(4.605170186 / 10))


@pytest.mark.parametrize(
    ("score", "expected"), [(0, 0.0), (250, 0.0), (1000, 0.5), (1600, 0.9), (1750, 1.0), (9000, 1.0)]
)
def test_normalized_score(score: int, expected: float) -> None:
    """Equation 3.3 with MinScore 250 and MaxScore 1750."""
    assert normalized_score(float(score), 250.0, 1750.0) == pytest.approx(expected)


def test_range_of_scores() -> None:
    """Quartiles 300 and 500 of 100, 300, 400, 500, 900: 500 + 1.5 * 200, and max(0, 300 - 1.5 * 200)."""
    tree = new_tree(10)
    tree.score[:5] = [400, 100, 900, 300, 500]
    tree.number[SCORES] = 5
    learn_range(tree)
    assert tree.number[HAS_RANGE] == 1
    assert tree.range[HIGH] == pytest.approx(800)
    assert tree.range[LOW] == pytest.approx(0)


def test_range_of_scores_far_from_zero() -> None:
    """Quartiles 1025 and 1075 of 1000, 1050, 1100: 1075 + 75 and 1025 - 75."""
    tree = new_tree(10)
    tree.score[:3] = [1100, 1000, 1050]
    tree.number[SCORES] = 3
    learn_range(tree)
    assert (tree.range[LOW], tree.range[HIGH]) == (pytest.approx(950), pytest.approx(1150))


JELLY_AND_RED = Level.model_validate(
    {
        "name": "two goals",
        "moves": 5,
        "board": [". . . .", ". . . .", ". . . .", ". . . ."],
        "jelly": ["1 1 1 1", "1 1 1 1", "1 1 . .", ". . . ."],
        "goals": {"jelly": "all", "orders": {"red": 20}},
    }
)


def lost_state(jelly: int, red: int, score: int) -> Any:
    state = new_state()[0]
    state.status, state.score = LOST, score
    state.count[COUNT_JELLY] = jelly
    state.count[COUNT_NAMES.index("red")] = red
    return state


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (BINARY, 0.0),
        (GOALS, 0.5 * (0.6 + 0.25) / 2),  # 6 of 10 layers, 5 of 20 candies, shrinking 0.5
        (SCORE, 0.5 * 0.2),  # (300 - 100) / (1100 - 100)
        (COMBINED, 0.5 * (0.5 * 0.425 + 0.5 * 0.2)),
    ],
)
def test_signal_of_a_loss(kind: int, expected: float) -> None:
    level = level_record(JELLY_AND_RED).level
    scores = np.array([100.0, 1100.0])
    assert signal(level, lost_state(6, 5, 300), scores, 1, kind, 0.5) == pytest.approx(expected)


def test_signal_of_a_win_is_one_whatever_the_kind() -> None:
    level = level_record(JELLY_AND_RED).level
    state = lost_state(10, 20, 0)
    state.status = WON
    for kind in (BINARY, GOALS, SCORE, COMBINED):
        assert signal(level, state, np.array([0.0, 1.0]), 1, kind, 0.25) == 1.0


def test_score_says_nothing_before_the_first_range() -> None:
    level = level_record(JELLY_AND_RED).level
    assert signal(level, lost_state(0, 0, 500), np.zeros(2), 0, SCORE, 1.0) == 0.0


def test_clouded_probabilities() -> None:
    """Equation 3.4: values 1, 0 and 3 are drawn a quarter, none and three quarters of the time."""
    rng = new_rng(3)
    drawn = Counter(draw_in_proportion(rng, np.array([1.0, 0.0, 3.0, 99.0]), 3) for _ in range(4000))
    assert set(drawn) == {0, 2}
    assert drawn[2] / 4000 == pytest.approx(0.75, abs=0.03)


def test_clouded_without_any_value_is_uniform() -> None:
    rng = new_rng(4)
    drawn = Counter(draw_in_proportion(rng, np.zeros(4), 4) for _ in range(4000))
    assert all(count / 4000 == pytest.approx(0.25, abs=0.04) for count in drawn.values())


def planted() -> tuple[Game, Tree, Any]:
    """A tree at the start of a small level with its actions listed."""
    game = Game(Level.load("01-first-steps"), seed=1)
    tree = new_tree(20)
    states = new_state(FIRST_NODE + 21)
    states[1] = game.state
    forget(tree)
    plant(states, tree)
    return game, tree, states


def test_to_mast_table_counts_the_moves_of_the_tree() -> None:
    """Two simulations through one action with signals 1 and 0.5: 2 visits, a mean of 0.75."""
    game, tree, states = planted()
    options = np.array([10, 0, 0.6, 3, 0, 0, 1, 0, 0, 0, 0, 0], float)
    rng = new_rng(5)
    leaf = descend(level_record(game.level).level, states, rng, new_work(), tree, options)
    back_up(tree, leaf, 1.0, 1)
    back_up(tree, leaf, 0.5, 0)
    action = int(tree.node_from[leaf])
    move = int(tree.action_move[action])
    assert tree.mast_visits[move] == 2
    assert tree.mast_value[move] / tree.mast_visits[move] == 0.75
    assert tree.mast_visits.sum() == 2
    assert (tree.action_visits[action], tree.action_wins[action]) == (2, 1)
    assert tree.node_visits[tree.number[ROOT]] == 2
    assert len(game.legal_moves) == tree.node_actions[tree.number[ROOT]]


def fill_root(visits: list[int], values: list[float]) -> Tree:
    """A tree whose root has these actions."""
    tree = new_tree(10)
    tree.number[ROOT] = 0
    tree.node_first[0], tree.node_actions[0] = 0, len(visits)
    tree.action_visits[: len(visits)] = visits
    tree.action_value[: len(values)] = values
    return tree


@pytest.mark.parametrize(
    ("visits", "values", "by_max", "by_robust", "by_both"),
    [
        ([10, 5, 0], [4.0, 3.0, 0.0], 1, 0, NONE),  # means 0.4 and 0.6
        ([10, 5, 0], [8.0, 3.0, 0.0], 0, 0, 0),
        ([2, 4, 2], [1.0, 2.0, 1.0], 1, 1, 1),  # means all equal: the most visits
        ([4, 4, 2], [1.0, 2.0, 1.0], 1, 1, 1),  # visits equal: the highest mean
        ([3, 6], [0.0, 0.0], 1, 1, 1),
    ],
)
def test_final_move(
    visits: list[int], values: list[float], by_max: int, by_robust: int, by_both: int
) -> None:
    tree = fill_root(visits, values)
    assert best_action(new_rng(1), tree, MAX) == by_max
    assert best_action(new_rng(1), tree, ROBUST) == by_robust
    assert best_action(new_rng(1), tree, ROBUST_MAX) == by_both


@pytest.mark.parametrize("final", [MAX, ROBUST, ROBUST_MAX])
def test_of_actions_equal_in_mean_and_visits_any_is_taken(final: int) -> None:
    """Five standard deviations of 3,000 draws of a third are 130; the fourth has the mean, not the visits."""
    tree, rng = fill_root([1, 4, 4, 2, 4], [0.0, 2.0, 2.0, 1.0, 2.0]), new_rng(3)
    drawn = Counter(best_action(rng, tree, final) for _ in range(3_000))
    assert set(drawn) == {1, 2, 4}
    assert all(abs(count - 1_000) < 130 for count in drawn.values())


def test_an_attempt_forgets_the_one_before() -> None:
    """Its choice and last move, its nodes, its range of scores and its TO-MAST table."""
    tree = new_tree(3)
    tree.number[[CHOSEN, NODES, HAS_RANGE, LAST_MOVE]] = 2, 4, 1, 9
    tree.mast_visits[:], tree.mast_value[:] = 7.0, 3.5
    forget(tree)
    assert tree.number[[CHOSEN, NODES, HAS_RANGE, LAST_MOVE]].tolist() == [NONE, 0, 0, NONE]
    assert not tree.mast_visits.any()
    assert not tree.mast_value.any()


def test_the_leaf_of_the_last_simulation_is_noted() -> None:
    """Five simulations from a root with more moves than that: each adds a node, and ends there."""
    game, tree, states = planted()
    options = np.array([10, 0, 0.6, 3, 0, 0, 1, 0, 0, 0, 0, 0], float)
    level, rng, work = level_record(game.level).level, new_rng(5), new_work()
    for number in range(1, 6):
        grow_kernel("random")(level, states, rng, work, tree, options, 1)
        assert tree.number[LEAF] == number
        assert tree.node_visits[number] == 1
    assert len(game.legal_moves) > 5
