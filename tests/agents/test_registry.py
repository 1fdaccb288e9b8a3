"""Agents by their spec: the table of families, what an agent can be asked, and how it behaves on threads."""

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from levelsense.agents.attempt import ATTEMPT_DTYPE, AgentKernels, play_attempts
from levelsense.agents.registry import Agent, Family, families, parse_agent, presets
from levelsense.agents.simple import choose_first, choose_random
from levelsense.errors import AgentError
from levelsense.game.game import Game
from levelsense.level.level import Level
from tests.agents.playing import same_rows, seeds

LEVEL = Level.load("01-first-steps")


# The table


def test_names_are_there_once() -> None:
    names = [*(family.name for family in families()), *presets()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_options_have_names_of_their_own_and_a_meaning(family: Family) -> None:
    names = [option.name for option in family.options]
    assert len(names) == len(set(names))
    assert all(option.help for option in family.options)
    assert family.summary.endswith(".")


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_presets_stay_in_their_family(family: Family) -> None:
    for preset in family.presets:
        assert parse_agent(preset.spec).family is family
        assert parse_agent(preset.name).spec != family.name


def test_the_table_is_read_without_the_compiler() -> None:
    code = (
        "import sys; from levelsense.agents.registry import parse_agent; parse_agent('mcts:c=1');"
        "print(*{'numba', 'numpy', 'levelsense.game'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


# An agent


def test_agents_are_equal_by_their_spec() -> None:
    assert parse_agent("greedy:of=score") == parse_agent("greedy")
    assert parse_agent("greedy:of=goals") != parse_agent("greedy")
    assert len({parse_agent("mcts-b2"), parse_agent("mcts:signal=score")}) == 1
    assert parse_agent("greedy") != "greedy"


def test_an_agent_survives_pickling() -> None:
    agent = parse_agent("greedy:of=goals")
    agent.choose(Game(LEVEL, 1), 1)
    assert pickle.loads(pickle.dumps(agent)) == agent


def test_an_agents_options_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        parse_agent("mcts").options["c"] = 1  # type: ignore[index]


def test_an_ended_attempt_leaves_nothing_to_choose() -> None:
    game = Game(LEVEL, 1)
    while game.status == "playing":
        game.play(game.legal_moves[0])
    for ask in (parse_agent("random").choose, parse_agent("greedy").values):
        with pytest.raises(
            AgentError, match=r"has no move to choose from: the attempt is over \((won|lost)\)"
        ):
            ask(game, 1)


def test_agents_without_values_say_so() -> None:
    assert parse_agent("random").values(Game(LEVEL, 1), 1) is None
    assert parse_agent("first").values(Game(LEVEL, 1), 1) is None


@pytest.mark.parametrize("wrong", [np.zeros(4), np.zeros((4, 3)), []])
def test_seeds_come_in_pairs(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"expected \(attempts, 2\)"):
        parse_agent("random").attempts(LEVEL, wrong)


def test_attempts_are_rows() -> None:
    rows = parse_agent("random").attempts(LEVEL, seeds(7))
    assert (rows.dtype, rows.shape) == (ATTEMPT_DTYPE, (7,))
    assert parse_agent("random").attempts(LEVEL, seeds(0)).shape == (0,)


def test_seeds_may_be_any_array_of_numbers() -> None:
    agent, pairs = parse_agent("random"), seeds(6)
    frozen = pairs.copy()
    frozen.flags.writeable = False
    rows = agent.attempts(LEVEL, pairs)
    for same in (pairs.tolist(), frozen, np.asfortranarray(pairs), np.repeat(pairs, 2, axis=0)[::2]):
        assert same_rows(agent.attempts(LEVEL, same), rows)


def test_attempts_do_not_depend_on_how_they_are_split_or_on_threads() -> None:
    agent, pairs = parse_agent("greedy"), seeds(64)
    whole = agent.attempts(LEVEL, pairs)
    with ThreadPoolExecutor(4) as threads:
        parts = list(threads.map(lambda k: agent.attempts(LEVEL, pairs[k : k + 5]), range(0, 64, 5)))
    assert same_rows(np.concatenate(parts), whole)


def test_an_attempt_is_the_game_of_its_seed() -> None:
    """What the compiled loop plays, the public game plays move by move; the agent draws nothing."""
    agent = parse_agent("first")
    for pair, row in zip(seeds(5), agent.attempts(LEVEL, seeds(5)), strict=True):
        game = Game(LEVEL, int(pair[0]))
        legal = 0
        while game.status == "playing":
            legal += len(game.legal_moves)
            game.play(agent.choose(game, 0))
        assert (game.score, game.moves_made, game.shuffles) == (
            row["score"],
            row["moves_made"],
            row["shuffles"],
        )
        assert (legal, list(game.counts.values())) == (row["legal_moves"], row["count"].tolist())
        assert game.status == ("won" if row["status"] == 1 else "lost")


# A family that is no kernel


def choose_in_python(
    level: Any, states: Any, rng: Any, work: Any, moves: Any, memory: Any, options: Any
) -> int:
    """What the first agent does, and takes note that it was asked."""
    memory.append(options.tolist())
    return int(choose_first(level, states, rng, work, moves, np.zeros(1), options))


def begin_in_python(level: Any, states: Any, memory: Any, options: Any) -> None:
    """Nothing to prepare."""


def test_plain_python_can_choose_too() -> None:
    asked: list[list[float]] = []
    kernels = AgentKernels(
        "python", choose_in_python, begin_in_python, memory=lambda level: asked, compiled=False
    )
    rows = play_attempts(kernels, [3.0], LEVEL, seeds(4))
    assert same_rows(rows, parse_agent("first").attempts(LEVEL, seeds(4)))
    assert asked == [[3.0]] * int(rows["moves_made"].sum())


def test_a_family_is_loaded_by_the_function_it_names() -> None:
    family = replace(families()[0], entry="tests.agents.test_registry:kernels")
    agent = Agent(family, MappingProxyType({}))
    first = parse_agent("first").attempts(LEVEL, seeds(3))
    assert same_rows(agent.attempts(LEVEL, seeds(3)), first)


def kernels(options: object) -> AgentKernels:
    """What the test above loads."""
    return AgentKernels("python", choose_in_python, begin_in_python, memory=lambda level: [], compiled=False)


def test_kernels_have_one_signature() -> None:
    for spec in ("random", "first"):
        parse_agent(spec).attempts(LEVEL, seeds(1))
        parse_agent(spec).choose(Game(LEVEL, 1), 1)
    for kernel in (choose_random, choose_first):
        assert len(getattr(kernel, "signatures", [None])) == 1
