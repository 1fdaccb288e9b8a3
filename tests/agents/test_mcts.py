"""The mcts agent as a whole: budget, branching, what it can and cannot see, and how well it plays."""

import math
import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import numpy as np
import pytest

from levelsense.agents.attempt import GAME, room_at
from levelsense.agents.mcts.drawing import draw_tree
from levelsense.agents.mcts.search import kernels, search_tree
from levelsense.agents.mcts.tree import (
    ACTIONS,
    CHOSEN,
    FIRST_NODE,
    HAS_RANGE,
    HIGH,
    LOW,
    NODES,
    NONE,
    ROOT,
    SCORES,
    Tree,
)
from levelsense.agents.registry import parse_agent
from levelsense.errors import AgentError
from levelsense.game.cascade import play
from levelsense.game.game import Game
from levelsense.game.state import WON
from levelsense.level.level import Level
from levelsense.rng import new_rng


def tree_of(spec: str, level: str = "thesis-013", seed: int = 1) -> Tree:
    agent = parse_agent(spec)
    return search_tree(Game(Level.load(level), seed), agent.options, agent.codes, seed=5)


def seeds(count: int) -> np.ndarray:
    return np.arange(2 * count, dtype=np.uint64).reshape(count, 2)


def test_budget_is_spent_to_the_simulation() -> None:
    tree = tree_of("mcts:simulations=37")
    assert tree.node_visits[tree.number[ROOT]] == 37
    assert tree.number[NODES] <= 38


def test_at_most_so_many_states_are_sampled_for_an_action() -> None:
    for branching in (1, 2, 5):
        tree = tree_of(f"mcts:simulations=300,branching={branching},c=0.05")
        sampled = tree.action_nodes[: tree.number[ACTIONS]]
        assert sampled.max() == branching


def test_visits_add_up() -> None:
    tree = tree_of("mcts:simulations=120")
    for node in range(int(tree.number[NODES])):
        first = int(tree.node_first[node])
        if first == NONE:
            continue
        below = slice(first, first + int(tree.node_actions[node]))
        own_visit = 0 if node == tree.number[ROOT] else 1
        assert tree.action_visits[below].sum() == tree.node_visits[node] - own_visit
        assert tree.node_value[node] <= tree.node_visits[node]


def test_depth_limit() -> None:
    assert tree_of("mcts:simulations=150,depth=1").node_depth.max() == 1
    assert tree_of("mcts:simulations=150,c=0.01").node_depth.max() > 1


def test_settling_saves_simulations() -> None:
    # One legal winning move at the end of a level settles fast.
    spent = tree_of("mcts:simulations=400,settle=true,c=0.01,final=robust", "17-pocket-board")
    assert spent.node_visits[spent.number[ROOT]] < 400


def test_seconds_are_a_budget_too() -> None:
    tree = tree_of("mcts:seconds=0.05", "01-first-steps")
    assert tree.node_visits[tree.number[ROOT]] >= 16


def test_noise_of_one_plays_at_random() -> None:
    level = Level.load("04-jelly-garden")
    noisy = parse_agent("mcts:noise=1").attempts(level, seeds(60))
    calm = parse_agent("mcts:simulations=30").attempts(level, seeds(60))
    assert (noisy["status"] == WON).mean() < (calm["status"] == WON).mean()


@pytest.mark.parametrize(("noise", "low", "high"), [(0, 0, 0), (0.3, 0.25, 0.35), (1, 1, 1)])
def test_noise_is_the_share_of_moves_without_a_search(noise: float, low: float, high: float) -> None:
    """Of 1,000 with a share of 0.3, three standard errors are 0.043."""
    agent = parse_agent(f"mcts:simulations=1,noise={noise}")
    search, rng = kernels(agent.options), new_rng(3)
    room = room_at(search, agent.codes, Game(Level.load("01-first-steps"), 1))
    random = 0
    for _ in range(1_000):
        search.choose(room.level, room.states, rng, room.work, room.moves, room.memory, room.options)
        random += room.memory.number[CHOSEN] == NONE
    assert low <= random / 1_000 <= high


def test_the_score_signal_gets_its_range_from_the_search_before() -> None:
    """In the first search losses are worth nothing, in the second by the quartiles of the first's scores."""
    agent = parse_agent("mcts:simulations=40,signal=score")
    search, rng = kernels(agent.options), new_rng(3)
    room = room_at(search, agent.codes, Game(Level.load("thesis-013"), 1))
    tree: Tree = room.memory

    def choose() -> float:
        """What the signals of a search are worth beyond its wins."""
        search.choose(room.level, room.states, rng, room.work, room.moves, tree, room.options)
        return float(tree.node_value[tree.number[ROOT]] - tree.node_wins[tree.number[ROOT]])

    assert tree.number[HAS_RANGE] == 0
    assert choose() == 0
    first, third = np.quantile(tree.score[: tree.number[SCORES]], [0.25, 0.75])
    assert first < third
    assert tree.range[LOW] == pytest.approx(max(0, first - 1.5 * (third - first)))
    assert tree.range[HIGH] == pytest.approx(third + 1.5 * (third - first))
    assert 5 < choose() < 35


def test_shrinking_makes_less_of_losses() -> None:
    """One simulation each, the same one, which is lost: half as much by half, nothing by nothing."""

    def worth(shrinking: float, simulations: int = 1) -> tuple[float, int]:
        tree = tree_of(f"mcts:simulations={simulations},shrinking={shrinking}")
        root = tree.number[ROOT]
        return float(tree.node_value[root]), int(tree.node_wins[root])

    whole, wins = worth(1)
    assert (0 < whole < 1, wins) == (True, 0)
    assert worth(0.5) == (whole / 2, 0)
    assert worth(0) == (0, 0)
    value, wins = worth(0, simulations=50)
    assert value == wins


# What falls in is a swirl, which makes no line: what a move leads to is certain.
NO_CHANCE = Level.model_validate(
    {
        "name": "no chance",
        "moves": 4,
        "board": [
            "r g b y r g",
            "g b y r g b",
            "b r g g b y",
            "r b r y g r",
            "y g b r y g",
            "g y r b b r",
        ],
        "goals": {"score": 100_000},
        "drops": [{"piece": "swirl", "rate": 1}],
    }
)


def two_searches(spec: str, level: Level, seed: int) -> tuple[int, int]:
    """The visits that the state reached has from the first move's search, and those of the second's root.

    The first number is 0 if that state was not sampled.
    """
    agent = parse_agent(spec)
    search = kernels(agent.options)
    room, rng = room_at(search, agent.codes, Game(level, seed)), new_rng(seed)
    tree: Tree = room.memory

    def choose() -> int:
        return search.choose(room.level, room.states, rng, room.work, room.moves, tree, room.options)

    move = choose()
    play(room.level, room.states[GAME], new_rng(seed + 100), room.work, move)
    node, reached = int(tree.action_first[tree.number[CHOSEN]]), 0
    while node != NONE and not reached:
        if room.states[FIRST_NODE + node].tobytes() == room.states[GAME].tobytes():
            reached = int(tree.node_visits[node])
        node = int(tree.node_next[node])
    choose()
    return reached, int(tree.node_visits[tree.number[ROOT]])


def test_refills_of_the_level_without_chance_are_always_the_same() -> None:
    first = Game(NO_CHANCE, 0)
    for move in first.legal_moves:
        boards = set()
        for seed in range(20):
            game = Game(NO_CHANCE, seed)
            game.play(move)
            boards.add(game.state.tobytes())
        assert len(boards) == 1


@pytest.mark.parametrize("seed", range(5))
def test_a_kept_tree_goes_on_from_a_state_it_sampled(seed: int) -> None:
    """With refills that are always the same, the state reached is one that was sampled."""
    reached, root = two_searches("mcts:keep_tree=true,simulations=60,branching=1", NO_CHANCE, seed)
    assert reached > 0
    assert root == reached + 60


def test_a_tree_is_not_kept_unless_it_is_asked_for() -> None:
    reached, root = two_searches("mcts:simulations=60,branching=1", NO_CHANCE, seed=0)
    assert reached > 0
    assert root == 60


def test_a_tree_is_not_kept_when_another_state_comes() -> None:
    """With five colors, what falls in is nothing that one sample foresaw."""
    level = Level.load("thesis-013")
    assert two_searches("mcts:keep_tree=true,simulations=60,branching=1", level, seed=0) == (0, 60)


def standard_error(one: float, other: float, attempts: int) -> float:
    """Of the difference between two success rates of so many attempts each (binomial)."""
    return math.sqrt((one * (1 - one) + other * (1 - other)) / attempts)


def test_more_simulations_play_no_worse() -> None:
    """Four times the simulations, twice over, on levels where five are not enough to play well.

    On one level, a success rate may fall by two standard errors of a difference of two rates of a half, 0.22:
    of eight such steps without any effect, about one test in six would see one fall that far. Over all
    levels together it has to rise, each time by more than two standard errors of what was measured.
    """
    levels = ["03-open-field", "32-long-shelf", "37-licorice-rain", "38-bomb-factory"]
    attempts, budgets = 40, (5, 20, 80)
    agents = [parse_agent(f"mcts:simulations={budget}") for budget in budgets]
    rates = np.array(
        [
            [(agent.attempts(Level.load(level), seeds(attempts))["status"] == WON).mean() for agent in agents]
            for level in levels
        ]
    )
    allowed = 2 * standard_error(0.5, 0.5, attempts)
    assert (np.diff(rates, axis=1) > -allowed).all(), rates
    for fewer, more in pairwise(rates.mean(axis=0)):
        assert more - fewer > 2 * standard_error(fewer, more, attempts * len(levels)), rates


@pytest.mark.parametrize("playout", ["random", "to-mast", "heuristic", "clouded", "policy"])
@pytest.mark.parametrize("signal", ["binary", "goals", "score", "combined"])
def test_every_variant_finishes(playout: str, signal: str) -> None:
    agent = parse_agent(
        f"mcts:simulations=8,playout={playout},signal={signal},shrinking=0.5,final=robust-max"
    )
    rows = agent.attempts(Level.load("05-cherry-picking"), seeds(2))
    assert (rows["reason"] > 0).all()


def test_presets_are_the_published_bots() -> None:
    """Tables 4.3 and 4.5: three states an action, C 0.6, no depth limit, the score signal, no shrinking."""
    for name, simulations, playout in (
        ("mcts-b1", 50, "random"),
        ("mcts-b2", 100, "random"),
        ("mcts-b3", 100, "heuristic"),
        ("mcts-b4", 150, "random"),
    ):
        options = parse_agent(name).options
        assert (options["simulations"], options["playout"]) == (simulations, playout)
        assert (options["branching"], options["c"], options["depth"]) == (3, 0.6, 0)
        assert (options["signal"], options["shrinking"]) == ("score", 1)


def test_a_move_that_was_not_looked_into_is_worth_minus_infinity() -> None:
    values = parse_agent("mcts:simulations=3").values(Game(Level.load("thesis-013"), 1), 5)
    assert values is not None
    assert len(values) > 3
    assert sum(value > -math.inf for value in values.values()) == 3


def test_there_is_a_tree_to_draw_whatever_the_noise() -> None:
    noisy, calm = (tree_of(f"mcts:simulations=30,noise={noise}") for noise in (1, 0))
    assert noisy.node_visits[noisy.number[ROOT]] == 30
    assert noisy.number[CHOSEN] == calm.number[CHOSEN] != NONE


@pytest.mark.parametrize(
    "place", ["levelsense.agents.attempt.new_state", "levelsense.agents.mcts.search.new_tree"]
)
def test_a_search_too_large_for_memory_is_refused(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    def no_room(count: int) -> None:
        raise MemoryError(count)

    monkeypatch.setattr(place, no_room)
    with pytest.raises(AgentError) as caught:
        parse_agent("mcts:simulations=20").attempts(Level.load("01-first-steps"), seeds(1))
    assert str(caught.value) == (
        "mcts: a search as large as it is set to be does not fit into memory; "
        "expected fewer simulations, or fewer threads"
    )


def test_drawing_is_a_tree_with_all_its_nodes() -> None:
    tree = tree_of("mcts:simulations=60,c=0.1")
    svg = draw_tree(tree, "a < b")
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")
    assert svg.count('class="decision"') == tree.number[NODES]
    assert "a &lt; b" in svg
    assert f"60 / {int(tree.node_wins[tree.number[ROOT]])}" in svg
    assert len(re.findall(r'class="chance chosen"', svg)) == 1
    assert 'class="last"' in svg
