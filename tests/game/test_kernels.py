"""The compiled code itself: it plays like its steps, each kernel once, and what it is known by."""

import dis
import importlib
import json
import os
import pkgutil
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import levelsense.agents
import levelsense.game
from levelsense.agents.simple import play_attempts
from levelsense.compiled import keys
from levelsense.compiled.files import code_folder
from levelsense.compiled.keys import kernel_key
from levelsense.game.cascade import play
from levelsense.game.game import Game
from levelsense.game.moves import MOST_MOVES, is_legal
from levelsense.game.record import level_record
from levelsense.game.state import STATE_DTYPE, new_state, new_work
from levelsense.level.level import Level, bundled_levels
from levelsense.rng import new_rng
from tests.random_levels import random_level

RICH = [
    "45-last-stand",
    "23-sugar-rush",
    "21-one-at-a-time",
    "25-plain-arithmetic",
    "27-clockwork",
    "34-rainbow-school",
]
compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled with the JIT off")


def dispatchers() -> dict[str, Any]:
    """Every kernel of the game and the agents by its full name."""
    results = {}
    for package in (levelsense.game, levelsense.agents):
        for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(info.name)).items():
                if hasattr(value, "overloads") and value.py_func.__module__ == info.name:
                    results[f"{info.name}.{name}"] = value
    return results


def compiled_parts() -> Counter[str]:
    """How many parts the cache holds for each kernel's key, one a signature."""
    folder = code_folder()
    assert folder is not None
    return Counter(file.name.split(".")[0].split("-")[1] for file in folder.glob("*.part.nbc"))


def play_whole(game: Game, move: int) -> None:
    """Plays a move by the compiled whole."""
    play(game._record.level, game.state, game._rng, game._work, move)


def play_both(level: Level, seed: int, most_moves: int) -> int:
    """Plays a random game in steps and as a whole; returns the number of moves."""
    steps, whole, choice = Game(level, seed), Game(level, seed), random.Random(seed)
    for number in range(most_moves):
        if not steps.legal_moves:
            return number
        move = choice.choice(steps.legal_moves)
        steps.play(move)
        play_whole(whole, move.code)
        assert whole.state.tobytes() == steps.state.tobytes(), (seed, number, move)
        assert whole._rng[0] == steps._rng[0]
    return most_moves


@pytest.mark.parametrize("name", RICH)
def test_the_compiled_whole_and_the_steps_agree_to_the_bit(name: str) -> None:
    assert play_both(Level.load(name), seed=3, most_moves=4) > 0


@pytest.mark.slow
def test_the_compiled_whole_and_the_steps_agree_over_many_random_games() -> None:
    moves = sum(
        play_both(Level.model_validate(random_level(random.Random(seed))), seed, most_moves=25)
        for seed in range(150)
    )
    moves += sum(play_both(Level.load(name), seed=1, most_moves=60) for name in bundled_levels())
    assert moves > 2_000


def test_working_memory_holds_nothing_between_moves() -> None:
    """A game goes on the same with working memory that another game has left behind."""
    level, other = Level.load("45-last-stand"), Game(Level.load("34-rainbow-school"), seed=2)
    one, two = Game(level, seed=4), Game(level, seed=4)
    for _ in range(3):
        other.play(other.legal_moves[-1])
        move = one.legal_moves[0]
        one.play(move)
        two._work = other._work
        two.play(move)
        assert one.state.tobytes() == two.state.tobytes()


def test_the_future_depends_only_on_the_word_beside_the_state() -> None:
    game = Game(Level.load("45-last-stand"), seed=4)
    move = game.legal_moves[0]

    def future(word: int) -> bytes:
        twin = game.copy()
        twin._rng = new_rng(word)
        twin.play(move)
        return twin.state.tobytes()

    assert future(11) == future(11)
    assert len({future(word) for word in range(11, 21)}) > 1


def test_a_state_is_small_and_plain() -> None:
    assert STATE_DTYPE.itemsize < 1024
    assert not STATE_DTYPE.hasobject
    assert new_state(5).nbytes == 5 * STATE_DTYPE.itemsize


def play_everything() -> dict[str, list[str]]:
    """Plays rich levels in steps and as a whole; tells which kernels have several signatures, or none."""
    for name in RICH:
        game = Game(Level.load(name), seed=3)
        while game.legal_moves:
            assert is_legal(game.state, game.legal_moves[0].code)
            game.play(game.legal_moves[0])
        record = level_record(Level.load(name))
        states = new_state(2)
        states[0] = record.start
        moves = np.empty(MOST_MOVES, np.int64)
        play_attempts(record.level, states, new_rng(1), new_work(), new_rng(2), moves, 2)
    parts = compiled_parts()
    counts = {name: parts[str(kernel_key(dispatcher.py_func))] for name, dispatcher in dispatchers().items()}
    wholes = {name: len(dispatcher.overloads) for name, dispatcher in dispatchers().items()}
    return {
        "several": [name for name, number in (*counts.items(), *wholes.items()) if number > 1],
        "none": [name for name, number in counts.items() if ".game." in name and number == 0],
    }


@compiled
@pytest.mark.slow
def test_every_kernel_has_exactly_one_signature(tmp_path: Path) -> None:
    """In a process and a cache of its own: other tests call kernels with whatever they like."""
    command = "import json; from tests.game.test_kernels import *; print(json.dumps(play_everything()))"
    own_cache = {"LEVELSENSE_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", command],
        env={**os.environ, **own_cache},
        capture_output=True,
        text=True,
        check=True,
    )
    data = json.loads(done.stdout)
    assert data["several"] == []
    for_agents = {"moves.distance_between", "score.is_asked", "score.progress", "score.status"}
    assert set(data["none"]) <= {f"levelsense.game.{name}" for name in for_agents}


# What compiled code is known by


@compiled
def test_every_kernel_has_a_key_of_its_own() -> None:
    """A kernel without one would be compiled in every run."""
    keys = {name: kernel_key(dispatcher.py_func) for name, dispatcher in dispatchers().items()}
    assert [name for name, key in keys.items() if key is None] == []
    assert [name for name, number in Counter(keys.values()).items() if number > 1] == []


@compiled
def test_the_global_names_that_kernels_read() -> None:
    """Bytecode is read here in a quick way; `dis` knows the slow one."""
    for name, dispatcher in dispatchers().items():
        code = dispatcher.py_func.__code__
        by_dis = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
        assert keys._global_names(code) == by_dis, name


def test_a_key_holds_flags_and_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)  # these tests run with it, too
    seen = set()
    for name, value in (("NUMBA_OPT", "1"), ("NUMBA_OPT", "2"), ("NUMBA_BOUNDSCHECK", "1")):
        monkeypatch.setenv(name, value)
        seen.add(keys._surroundings.__wrapped__())
    monkeypatch.setattr(np, "__version__", "0.0")
    seen.add(keys._surroundings.__wrapped__())
    assert len(seen) == 4
