"""How much of the thesis a run plays, and attempts by seeds that all bots share: from the same boards."""

import time
from dataclasses import dataclass
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
    """The seeds of attempts first, first + 1, ... at a level, the same for all bots."""
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


@dataclass(frozen=True)
class Extent:
    """Numbers of attempts, levels and players.

    random      random attempts at each of the three levels (phase 1)
    timed       attempts whose searches are timed
    attempts    of each setup at each of the three levels (phase 2)
    more        further attempts of the setups that differ in shrinking
    guided      attempts of those setups with heuristic playouts
    tries       attempts of each bot at each level of the saga (phases 3 and 4)
    tester      attempts of each of the three testers at a level
    players     simulated players who begin the saga
    early       the first number of the early levels, and how many there are (phase 3)
    late        the same of the later ones (phase 4); the saga ends with the last of them
    """

    random: int
    timed: int
    attempts: int
    more: int
    guided: int
    tries: int
    tester: int
    players: int
    early: tuple[int, int]
    late: tuple[int, int]

    @property
    def last(self) -> int:
        """The number of the saga's last level."""
        return self.late[0] + self.late[1] - 1


EXTENTS: Final = {
    False: Extent(10_000, 200, 200, 300, 200, 50, 50, 600, (50, 48), (951, 50)),
    True: Extent(500, 3, 6, 4, 4, 4, 10, 60, (20, 6), (45, 6)),
}
