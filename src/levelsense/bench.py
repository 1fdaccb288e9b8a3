"""Benchmarks of the game and of tree search on this machine, with the engine that playtests use."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import Any

import numpy as np

from levelsense.agents.registry import parse_agent
from levelsense.agents.simple import play_attempts
from levelsense.errors import LevelsenseError
from levelsense.game.moves import MOST_MOVES
from levelsense.game.record import level_record
from levelsense.game.state import new_state, new_work
from levelsense.level.level import Level
from levelsense.rng import new_rng

PLAIN_LEVEL = "03-open-field"
RICH_LEVEL = "30-grand-tour"
SEARCH_LEVEL = "thesis-013"  # 21 moves
SEARCH_AGENT = "mcts:simulations=100,signal=binary"
SEARCH_ATTEMPTS = 8
POLICY_LEVEL = RICH_LEVEL  # 9x9
POLICY_AGENT = "policy"
POLICY_ATTEMPTS = 500
POLICY_MOVES = 25  # of an attempt, where attempts are timed
SECONDS_A_ROUND = 1.0

_COLD_RUN = """
import time
from levelsense.bench import RandomPlay
start = time.perf_counter()
RandomPlay("{level}").play(1)
print(time.perf_counter() - start)
"""


class RandomPlay:
    """Random legal play of one level by one thread."""

    def __init__(self, name: str) -> None:
        record = level_record(Level.load(name))
        self._states = new_state(2)
        self._states[0] = record.start
        self._fixed = (
            record.level,
            self._states,
            new_rng(1),
            new_work(),
            new_rng(2),
            np.empty(MOST_MOVES, np.int64),
        )

    def play(self, attempts: int) -> int:
        """Plays so many attempts; returns the number of moves made."""
        moves, _, _ = play_attempts(*self._fixed, attempts)
        return int(moves)

    def moves_per_second(self, seconds: float) -> float:
        """The speed over at least so many seconds."""
        moves, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            moves += self.play(200)
        return moves / spent


class SearchPlay:
    """Attempts by tree search, on one thread or on two."""

    def __init__(self) -> None:
        self._level = Level.load(SEARCH_LEVEL)
        self._agent = parse_agent(SEARCH_AGENT)
        self._simulations = int(self._agent.options["simulations"])

    def play(self, first: int, attempts: int) -> int:
        """Plays so many attempts; returns the number of moves made."""
        seeds = np.arange(2 * first, 2 * (first + attempts), dtype=np.uint64).reshape(attempts, 2)
        return int(self._agent.attempts(self._level, seeds)["moves_made"].sum())

    def measure(self) -> dict[str, float]:
        """Seconds an attempt, simulations a second, and how much faster two threads are than one."""
        start = time.perf_counter()
        moves = self.play(0, SEARCH_ATTEMPTS)
        one_thread = time.perf_counter() - start
        with ThreadPoolExecutor(2) as pool:
            start = time.perf_counter()
            list(pool.map(self.play, (0, 0), (SEARCH_ATTEMPTS, SEARCH_ATTEMPTS)))
            two_threads = time.perf_counter() - start
        return {
            "mcts_attempt_seconds": one_thread / SEARCH_ATTEMPTS,
            "mcts_simulations_per_second": moves * self._simulations / one_thread,
            "thread_speedup": 2 * one_thread / two_threads,
        }


class PolicyPlay:
    """Attempts by the policy agent, the game included, on one thread or on two."""

    def __init__(self) -> None:
        self._level = Level.load(POLICY_LEVEL)
        self._agent = parse_agent(POLICY_AGENT)

    def moves_per_second(self, attempts: int = POLICY_ATTEMPTS) -> float:
        """The speed over so many attempts."""
        seeds = np.arange(2 * attempts, dtype=np.uint64).reshape(attempts, 2)
        start = time.perf_counter()
        moves = int(self._agent.attempts(self._level, seeds)["moves_made"].sum())
        return moves / (time.perf_counter() - start)

    def thousand_attempts_seconds(self) -> float:
        """The seconds that 1,000 attempts of at most POLICY_MOVES moves take on two threads."""
        level = self._level.model_copy(update={"moves": POLICY_MOVES})
        halves = np.arange(2_000, dtype=np.uint64).reshape(2, 500, 2)
        with ThreadPoolExecutor(2) as pool:
            start = time.perf_counter()
            list(pool.map(lambda seeds: self._agent.attempts(level, seeds), halves))
            return time.perf_counter() - start


def _cold_compile_seconds() -> float:
    """The seconds that a first random game takes with an empty cache, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", _COLD_RUN.format(level=PLAIN_LEVEL)]
        done = subprocess.run(
            command,
            env={**os.environ, "LEVELSENSE_CACHE_DIR": folder},
            capture_output=True,
            text=True,
            check=True,
        )
    return float(done.stdout)


def _check_yardstick(command: str) -> None:
    """LevelsenseError if there is no such program; checked before the first measurement."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise LevelsenseError(f"--yardstick {command}: it cannot be read as a command: {error}") from None
    if not words or shutil.which(words[0]) is None:
        raise LevelsenseError(f"--yardstick {command}: there is no such program; expected a command to run")


def _yardstick_moves_per_second(command: str) -> float:
    """The speed that another program prints as {"moves_per_second": N}; LevelsenseError if it does not."""
    try:
        done = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True)
        return float(json.loads(done.stdout)["moves_per_second"])
    except (OSError, subprocess.CalledProcessError) as error:
        raise LevelsenseError(f"--yardstick {command}: it did not run: {error}") from None
    except (ValueError, KeyError, TypeError):
        printed = done.stdout.strip()[:80]
        raise LevelsenseError(
            f'--yardstick {command}: it printed {printed!r}; expected {{"moves_per_second": N}}'
        ) from None


def run_bench(
    yardstick: str | None = None, rounds: int = 5, progress: Callable[[str], None] = lambda _: None
) -> dict[str, float]:
    """The speeds of the game by name; calls `progress` with what is being done.

    Medians over rounds in which everything is measured in turn, so that changes of load affect all alike.
    """
    if yardstick is not None:
        _check_yardstick(yardstick)
    progress("compiling from an empty cache")
    figures: dict[str, Any] = {"cold_compile_seconds": _cold_compile_seconds()}
    progress("compiling what is not compiled yet")
    plain, rich, search, policy = RandomPlay(PLAIN_LEVEL), RandomPlay(RICH_LEVEL), SearchPlay(), PolicyPlay()
    plain.play(1), rich.play(1), search.play(0, 1), policy.moves_per_second(1)
    speeds: dict[str, list[float]] = {}
    for number in range(1, rounds + 1):
        progress(f"round {number} of {rounds}")
        speeds.setdefault("plain_moves_per_second", []).append(plain.moves_per_second(SECONDS_A_ROUND))
        if yardstick is not None:
            speeds.setdefault("yardstick_moves_per_second", []).append(_yardstick_moves_per_second(yardstick))
        speeds.setdefault("rich_moves_per_second", []).append(rich.moves_per_second(SECONDS_A_ROUND))
        speeds.setdefault("policy_moves_per_second", []).append(policy.moves_per_second())
        speeds.setdefault("policy_1000_attempts_seconds", []).append(policy.thousand_attempts_seconds())
        for name, value in search.measure().items():
            speeds.setdefault(name, []).append(value)
    return figures | {name: median(values) for name, values in speeds.items()}
