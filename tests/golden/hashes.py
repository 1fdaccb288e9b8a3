"""Hashes of what agents, trainings, simulated players and the saga do, the same on every machine.

`python -m tests.golden` writes them anew into hashes.json.
"""

import hashlib
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from levelsense.agents.qlearning.games import Training
from levelsense.agents.qlearning.playing import Q_FUNCTIONS
from levelsense.agents.qlearning.training import train
from levelsense.agents.registry import FAMILIES, parse_agent
from levelsense.level.level import Level
from levelsense.level.tokens import COUNTS, FIRST_COUNTS
from levelsense.people.simulated.run import visit
from levelsense.people.simulated.traits import MIXES, Population, draw_population
from levelsense.playtest.levels import gather_levels
from levelsense.playtest.plan import attempt_seeds
from levelsense.saga.generate import saga_level

FILE: Final = Path(__file__).parent / "hashes.json"
SEED: Final = 5
# A plain level, one with many blockers, and one with seconds.
LEVELS: Final = ("04-jelly-garden", "45-last-stand", "11-beat-the-clock")
SAGA_NUMBERS: Final = (7, 340)

# Every family once, and where it computes with logarithms and exponentials once more; then the attempts.
SEARCHES: Final = {
    "halving": 2,
    "beam:depth=2": 2,
    "sampling:simulations=3": 2,
    "q-linear:episodes=3,depth=2": 2,
    "q-network:episodes=2,depth=3": 2,
    "mcts:simulations=30": 2,
    "mcts:simulations=30,playout=to-mast": 2,
    "mcts:simulations=20,playout=clouded,signal=combined": 1,
    "mcts:simulations=20,playout=policy,prior=policy": 1,
}
FAST_ATTEMPTS: Final = 20
PLAYERS: Final = 40
TRAINING_GAMES: Final = 5


def agents() -> dict[str, int]:
    """The agents that play, and how many attempts each.

    Without those that need a file: what ONNX Runtime computes is not the same on every machine.
    """
    searched = {spec.partition(":")[0] for spec in SEARCHES}
    fast = [family.name for family in FAMILIES if family.name not in searched and not family.needs_options]
    return {**dict.fromkeys(fast, FAST_ATTEMPTS), **SEARCHES}


def _attempts(spec: str, level: str, count: int) -> str:
    """Attempts of an agent at a bundled level: every field of every row."""
    agent, played = parse_agent(spec), Level.load(level)
    return _hash(agent.attempts(played, attempt_seeds("golden", level, SEED, 0, count)))


def _players(mix: str) -> str:
    """A population's traits to the last bit, and every move that it makes."""
    population = draw_population(PLAYERS, SEED, mix)
    key = hashlib.blake2b(_hash_of_traits(population).encode(), digest_size=8)
    for named in gather_levels(list(LEVELS[:2])):
        seen = visit(population, named)
        key.update(_hash(seen.rows).encode() + seen.moves.astype("<i2").tobytes())
    return key.hexdigest()


def _hash_of_traits(population: Population) -> str:
    key = hashlib.blake2b(repr(population.types).encode(), digest_size=8)
    key.update(population.traits.astype("<f8").tobytes())
    return key.hexdigest()


def _training(kind: str) -> str:
    """The weights that a short training comes to."""
    level = Level.load(LEVELS[1])
    return train(Training(kind, level, TRAINING_GAMES, SEED, episodes=3, depth=2)).digest


def _saga(number: int) -> str:
    """A level of the saga, by what is in its file."""
    return saga_level(SEED, number).level.digest[:16]


def _hash(rows: Any) -> str:
    """Of all fields of some rows; the bytes between fields mean nothing.

    Counts of elements that came later are told only where they are not 0, so that other levels keep their
    hash.
    """
    key = hashlib.blake2b(digest_size=8)
    for name in rows.dtype.names:
        values = rows[name][:, : len(FIRST_COUNTS)] if name == "count" else rows[name]
        key.update(name.encode() + b"\0" + values.astype("<i8").tobytes())
    for number, name in enumerate(COUNTS[len(FIRST_COUNTS) :], len(FIRST_COUNTS)):
        later = rows["count"][:, number] if "count" in rows.dtype.names else np.zeros(0)
        if later.any():
            key.update(name.encode() + b"\0" + later.astype("<i8").tobytes())
    return key.hexdigest()


def cases() -> dict[str, Callable[[], str]]:
    """Everything that has a hash, and how to find it."""
    makers: dict[str, Callable[[], str]] = {
        f"{spec} at {level}": partial(_attempts, spec, level, count)
        for spec, count in agents().items()
        for level in LEVELS
    }
    makers |= {f"players {mix}": partial(_players, mix) for mix in MIXES}
    makers |= {f"training of {kind}": partial(_training, kind) for kind in Q_FUNCTIONS}
    return makers | {f"saga {number}": partial(_saga, number) for number in SAGA_NUMBERS}


def kept() -> dict[str, str]:
    """The hashes in the file."""
    data: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    return data


def write() -> None:
    """Writes them anew."""
    text = json.dumps({name: find() for name, find in cases().items()}, indent=2)
    FILE.write_text(text + "\n", encoding="utf-8", newline="\n")
