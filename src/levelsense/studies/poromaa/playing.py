"""Attempts of a bot at a level, by seeds that all bots share: all play from the same boards."""

import time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.registry import parse_agent
from levelsense.game.state import WON
from levelsense.level.level import Level
from levelsense.playtest.plan import attempt_seeds

# All bots draw their seeds by this name in the place of their own.
SHARED: Final = "poromaa"
Wins = NDArray[np.bool_]


def shared_seeds(level: Level, seed: int, first: int, count: int) -> NDArray[np.uint64]:
    """The seeds of attempts first, first + 1, ... at a level, whoever plays."""
    return attempt_seeds(level.digest, SHARED, seed, first, count)


def play(spec: str, level: Level, seed: int, first: int, count: int) -> dict[str, Any]:
    """Whether each attempt was won, as a text of ones and zeros, and the processor time of all of them."""
    agent = parse_agent(spec)
    agent.attempts(level, shared_seeds(level, seed, first, 1))  # compiles what is not compiled yet
    begun = time.thread_time()
    rows = agent.attempts(level, shared_seeds(level, seed, first, count))
    return {"won": write_wins(rows["status"] == WON), "seconds": time.thread_time() - begun}


def write_wins(won: Wins) -> str:
    """Wins and losses as ones and zeros."""
    return "".join("1" if one else "0" for one in won)


def read_wins(text: str) -> Wins:
    """Wins and losses from ones and zeros."""
    return np.array([letter == "1" for letter in text], bool)
