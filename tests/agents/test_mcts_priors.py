"""The policy in mcts: PUCT by hand, whose probabilities the priors are, and the moves of its playouts."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from levelsense.agents.attempt import GAME, SCRATCH, room_at
from levelsense.agents.mcts.drawing import draw_tree
from levelsense.agents.mcts.growth import grow_tree
from levelsense.agents.mcts.priors import policy_move, puct, select_by_prior
from levelsense.agents.mcts.search import kernels, search_tree
from levelsense.agents.mcts.tree import (
    ACTIONS,
    CHOSEN,
    FIRST_NODE,
    LAST_MOVE,
    LEAF,
    NODES,
    NONE,
    POLICY,
    ROOT,
    Tree,
    new_tree,
)
from levelsense.agents.policy.inputs import ENCODING, MAKES_STRIPED, WITHIN_2
from levelsense.agents.policy.network import (
    KIND,
    LAST_CELL,
    read_network,
    score_moves,
    sizes_of,
    soften,
)
from levelsense.agents.registry import parse_agent
from levelsense.agents.weights import Weights, write_weights
from levelsense.game.cascade import play
from levelsense.game.game import Game
from levelsense.game.moves import MOST_MOVES, first_cell, list_moves
from levelsense.game.record import level_record
from levelsense.game.state import NO_CELL, LevelRecord, States, Work, new_state, new_work
from levelsense.kernel import kernel, kernel_with
from levelsense.level.level import Level
from levelsense.rng import Rng, new_rng
from tests.game.drawn import position

# Three legal moves: c1c2 makes three reds; g1g2 makes four blues, g1h1 three of them.
BOARD = """
    r r o p b b y b
    g y r g o c b o
    p o g y p g o y
"""

NewModel = Callable[[dict[int, float]], str]


@pytest.fixture
def new_model(tmp_path: Path) -> NewModel:
    """Makes weights by which a move's score is a sum of some of its inputs, and gives their path."""

    def write(slopes: dict[int, float]) -> str:
        arrays = {name: np.zeros(shape, np.float32) for name, shape in sizes_of(1, 1, 1).items()}
        for place, slope in slopes.items():
            arrays["move"][place, 0] = slope
        arrays["of_move"][:] = arrays["out"][:] = 1.0
        write_weights(tmp_path / "mine.json", Weights(KIND, ENCODING, arrays))
        return str(tmp_path / "mine.json")

    return write


def tree_at(game: Game, spec: str) -> Tree:
    agent = parse_agent(spec)
    return search_tree(game, agent.options, agent.codes, seed=5)


def by_move(tree: Tree, column: Any, game: Game) -> dict[str, float]:
    """A column of the root's actions, by the names of their moves."""
    names = {move.code: str(move) for move in game.legal_moves}
    first = int(tree.node_first[tree.number[ROOT]])
    count = int(tree.node_actions[tree.number[ROOT]])
    return {names[int(tree.action_move[k])]: float(column[k]) for k in range(first, first + count)}


# The formula


@pytest.mark.parametrize(
    ("mean", "prior", "visits", "parent_visits", "c", "expected"),
    [
        (0.6, 0.2, 3, 16, 1.5, 0.6 + 1.5 * 0.2 * 4 / 4),
        (0.6, 0.2, 0, 16, 1.5, 0.6 + 1.5 * 0.2 * 4),
        (0.25, 0.5, 0, 0, 2.0, 0.25 + 2.0 * 0.5),  # before the first visit the prior decides
        (0.25, 0.5, 1, 1, 2.0, 0.25 + 2.0 * 0.5 / 2),
        (0.7, 0.9, 8, 100, 0.0, 0.7),
    ],
)
def test_puct(
    mean: float, prior: float, visits: float, parent_visits: float, c: float, expected: float
) -> None:
    assert puct(mean, prior, float(visits), float(parent_visits), c) == pytest.approx(expected)


def node_with(visits: list[int], values: list[float], priors: list[float]) -> Tree:
    """A tree whose root has these actions: 9 visits of a mean of 0.5."""
    tree = new_tree(10)._replace(action_prior=np.array(priors))
    tree.node_first[0], tree.node_actions[0] = 0, len(visits)
    tree.node_visits[0], tree.node_value[0] = 9, 4.5
    tree.action_visits[: len(visits)] = visits
    tree.action_value[: len(values)] = values
    return tree


@pytest.mark.parametrize(
    ("priors", "c", "expected"),
    [
        ([0.1, 0.2, 0.7], 0.5, 2),  # 0.6 + 0.03, 0.4 + 0.05, 0.5 + 1.05
        ([0.8, 0.1, 0.1], 0.5, 0),  # 0.6 + 0.24, 0.4 + 0.025, 0.5 + 0.15
        ([0.1, 0.8, 0.1], 0.5, 2),  # 0.6 + 0.03, 0.4 + 0.2, 0.5 + 0.15: as much as the node, not nothing
        ([0.0, 0.1, 0.9], 0.0, 0),  # the means alone
        ([0.0, 1.0, 0.0], 1.0, 1),  # 0.6, 0.4 + 0.5, 0.5
    ],
)
def test_the_largest_puct_is_selected(priors: list[float], c: float, expected: int) -> None:
    """Three actions with the means 0.6 and 0.4 after 4 and 5 visits, and none yet."""
    tree = node_with([4, 5, 0], [2.4, 2.0, 0.0], priors)
    assert {select_by_prior(new_rng(seed), tree, 0, c) for seed in range(5)} == {expected}


def test_of_equals_any_is_selected() -> None:
    """Five standard deviations of 3,000 draws of a third are 130."""
    tree, rng = node_with([0, 3, 0, 0], [0.0, 1.5, 0.0, 0.0], [0.2] * 4), new_rng(3)
    drawn = Counter(select_by_prior(rng, tree, 0, 1.0) for _ in range(3_000))
    assert set(drawn) == {0, 2, 3}
    assert all(abs(count - 1_000) < 130 for count in drawn.values())


# The priors of a search


def test_a_move_that_the_policy_is_sure_of_is_tried_first_and_most(new_model: NewModel) -> None:
    game = position(BOARD, "moves: 2")
    sure = new_model({MAKES_STRIPED: 20.0})
    first = tree_at(game, f"mcts:simulations=1,prior=policy,model={sure}")
    assert by_move(first, first.action_prior, game)["g1g2"] == pytest.approx(1.0)
    assert by_move(first, first.action_visits, game) == {"c1c2": 0, "g1g2": 1, "g1h1": 0}
    more = tree_at(game, f"mcts:simulations=40,c=100,prior=policy,model={sure}")
    assert by_move(more, more.action_visits, game) == {"c1c2": 0, "g1g2": 40, "g1h1": 0}


def test_a_policy_that_knows_nothing_holds_all_moves_alike(new_model: NewModel) -> None:
    """40 visits are shared out equally where c is all that counts: 14, 13 and 13."""
    game = position(BOARD, "moves: 2")
    tree = tree_at(game, f"mcts:simulations=40,c=100,prior=policy,model={new_model({})}")
    assert by_move(tree, tree.action_prior, game) == pytest.approx(
        {"c1c2": 1 / 3, "g1g2": 1 / 3, "g1h1": 1 / 3}
    )
    assert sorted(by_move(tree, tree.action_visits, game).values()) == [13, 13, 14]


def probabilities(level: LevelRecord, state: Any, last: int) -> list[float]:
    """The shipped policy's probabilities of the legal moves of a state, after a last move."""
    states, network, moves = new_state(), read_network("simulated-2"), np.zeros(MOST_MOVES, np.int64)
    states[0] = state
    network.number[LAST_CELL] = NO_CELL if last == NONE else first_cell(last)
    count = list_moves(states[0], moves)
    score_moves(level, states, 0, new_work(), moves, count, network)
    soften(network.score, count, 1.0)
    return list(network.score[:count])


@pytest.mark.parametrize(
    "spec", ["mcts:simulations=60,prior=policy", "mcts:prior=policy,keep_tree=true,noise=0.5"]
)
def test_priors_are_the_policys_probabilities_after_the_move_into_each_node(spec: str) -> None:
    """In every node of the searches of six moves; the game's last move leads to the root."""
    agent = parse_agent(spec)
    search, rng = kernels(agent.options), new_rng(4)
    room = room_at(search, agent.codes, Game(Level.load("30-grand-tour"), 1))
    tree, last, nodes = room.memory, NONE, 0
    for _ in range(6):
        assert tree.number[LAST_MOVE] == last
        move = search.choose(room.level, room.states, rng, room.work, room.moves, tree, room.options)
        if tree.number[CHOSEN] != NONE:
            for node in range(int(tree.number[NODES])):
                first, count = int(tree.node_first[node]), int(tree.node_actions[node])
                if first != NONE:
                    before = (
                        int(tree.action_move[tree.node_from[node]]) if tree.node_from[node] >= 0 else last
                    )
                    state = room.states[FIRST_NODE + node]
                    expected = probabilities(room.level, state, before)
                    assert tree.action_prior[first : first + count].tolist() == expected
                    nodes += node > 0
        play(room.level, room.states[GAME], new_rng(7), room.work, move)
        last = move
    assert nodes > 5


def test_the_root_knows_the_games_last_move(new_model: NewModel) -> None:
    """A move within two cells of the last is worth ln 4 more."""
    game = position(BOARD, "moves: 2")
    agent = parse_agent(f"mcts:simulations=1,prior=policy,model={new_model({WITHIN_2: float(np.log(4))})}")
    search = kernels(agent.options)
    room = room_at(search, agent.codes, game)
    room.memory.number[LAST_MOVE] = next(move.code for move in game.legal_moves if str(move) == "c1c2")
    search.choose(room.level, room.states, new_rng(4), room.work, room.moves, room.memory, room.options)
    priors = by_move(room.memory, room.memory.action_prior, game)
    assert priors == pytest.approx({"c1c2": 4 / 6, "g1g2": 1 / 6, "g1h1": 1 / 6})


@pytest.mark.parametrize("noise", [0, 1])
def test_the_last_move_is_noted_whether_searched_or_random(noise: int) -> None:
    agent = parse_agent(f"mcts:simulations=1,noise={noise},prior=policy")
    search = kernels(agent.options)
    room = room_at(search, agent.codes, position(BOARD, "moves: 2"))
    for seed in range(4):
        move = search.choose(
            room.level, room.states, new_rng(seed), room.work, room.moves, room.memory, room.options
        )
        assert room.memory.number[LAST_MOVE] == move


def test_an_attempt_begins_without_a_last_move() -> None:
    agent = parse_agent("mcts:simulations=1,prior=policy")
    search = kernels(agent.options)
    room = room_at(search, agent.codes, position(BOARD, "moves: 2"))
    search.choose(room.level, room.states, new_rng(4), room.work, room.moves, room.memory, room.options)
    assert room.memory.number[LAST_MOVE] != NONE
    search.begin(room.level, room.states, room.memory, room.options)
    assert room.memory.number[LAST_MOVE] == NONE


def test_only_a_search_with_priors_has_room_for_them() -> None:
    game = Game(Level.load("01-first-steps"), 1)
    assert len(tree_at(game, "mcts:simulations=5").action_prior) == 0
    assert len(tree_at(game, "mcts:simulations=5,playout=policy").action_prior) == 0
    guided = tree_at(game, "mcts:simulations=5,prior=policy")
    assert len(guided.action_prior) == len(guided.action_of)


def test_a_tree_with_priors_is_a_tree() -> None:
    """Its visits add up, and it is drawn like any other."""
    tree = tree_at(Game(Level.load("thesis-013"), 1), "mcts:simulations=60,c=0.1,prior=policy")
    first = int(tree.node_first[tree.number[ROOT]])
    visits = tree.action_visits[first : first + int(tree.node_actions[tree.number[ROOT]])]
    assert visits.sum() == tree.node_visits[tree.number[ROOT]] == 60
    assert tree.action_prior[first : first + len(visits)].sum() == pytest.approx(1.0)
    assert tree.action_visits[: tree.number[ACTIONS]].max() > 1
    svg = draw_tree(tree, "a tree")
    assert svg.count('class="decision"') == tree.number[NODES]


# Playouts


def drawn(model: str, last: int, draws: int = 4_000) -> dict[str, float]:
    """How often a playout by the policy plays each move of the drawn position, of all its draws."""
    game = position(BOARD, "moves: 2")
    states, tree = new_state(SCRATCH + 1), new_tree(1)._replace(network=read_network(model))
    states[SCRATCH] = game.state
    level, rng, work = level_record(game.level).level, new_rng(7), new_work()
    names = {move.code: str(move) for move in game.legal_moves}
    counts = Counter(
        names[int(policy_move(level, states, rng, work, tree, POLICY, last))] for _ in range(draws)
    )
    return {name: counts[name] / draws for name in names.values()}


def test_playouts_draw_by_the_policys_probabilities(new_model: NewModel) -> None:
    """A striped candy is worth ln 8 more: 1, 8 and 1 of 10."""
    model = new_model({MAKES_STRIPED: float(np.log(8))})
    assert drawn(model, NONE) == pytest.approx({"c1c2": 0.1, "g1g2": 0.8, "g1h1": 0.1}, abs=0.03)


def test_playouts_know_the_move_before(new_model: NewModel) -> None:
    """A move within two cells of the last is worth ln 4 more; before the first move none is."""
    model = new_model({WITHIN_2: float(np.log(4))})
    moves = {str(move): move.code for move in position(BOARD, "moves: 2").legal_moves}
    assert drawn(model, NONE) == pytest.approx({"c1c2": 1 / 3, "g1g2": 1 / 3, "g1h1": 1 / 3}, abs=0.03)
    near_reds = {"c1c2": 4 / 6, "g1g2": 1 / 6, "g1h1": 1 / 6}
    assert drawn(model, moves["c1c2"]) == pytest.approx(near_reds, abs=0.03)
    near_blues = {"c1c2": 1 / 9, "g1g2": 4 / 9, "g1h1": 4 / 9}
    assert drawn(model, moves["g1g2"]) == pytest.approx(near_blues, abs=0.03)


@kernel
def noting_move(
    level: LevelRecord, states: States, rng: Rng, work: Work, tree: Tree, kind: int, last: int
) -> int:
    """The first legal move; the move before it and itself are added to the numbers in action_prior."""
    list_moves(states[SCRATCH], tree.playout_moves)
    noted = int(tree.action_prior[0])
    tree.action_prior[noted + 1] = last
    tree.action_prior[noted + 2] = tree.playout_moves[0]
    tree.action_prior[0] = noted + 2
    return tree.playout_moves[0]


def test_each_move_of_a_playout_follows_the_one_before() -> None:
    """And the first follows the move into the node that the playout begins at."""
    agent = parse_agent("mcts:simulations=1")
    room = room_at(kernels(agent.options), agent.codes, Game(Level.load("03-open-field"), 1))
    tree = room.memory._replace(action_prior=np.zeros(200))
    grow = kernel_with(grow_tree, "grow_noting", playout_move=noting_move)
    tree.number[ROOT] = tree.number[NODES] = 0
    room.states[FIRST_NODE] = room.states[GAME]
    tree.node_from[0] = tree.node_first[0] = NONE
    tree.number[NODES] = 1
    grow(room.level, room.states, new_rng(3), room.work, tree, room.options, 1)
    noted = tree.action_prior[1 : int(tree.action_prior[0]) + 1].astype(int).reshape(-1, 2)
    assert len(noted) > 3
    assert noted[0, 0] == tree.action_move[tree.node_from[tree.number[LEAF]]]
    assert noted[1:, 0].tolist() == noted[:-1, 1].tolist()
