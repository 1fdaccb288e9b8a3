"""The agents q-linear and q-network: they play the legal move of the highest learned value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from levelsense.agents.attempt import AgentKernels
from levelsense.agents.qlearning.features import (
    ENCODING,
    SCRATCH_STATES,
    Described,
    describe_moves,
    new_described,
)
from levelsense.agents.qlearning.values import LinearQ, NetworkQ
from levelsense.agents.simple import any_of_the_best
from levelsense.agents.weights import Weights, read_weights
from levelsense.errors import AgentError
from levelsense.game.moves import MOST_MOVES
from levelsense.game.state import Array, LevelRecord, Moves, States, Work
from levelsense.rng import Rng

# Where the options stand in their array.
MODEL, EPISODES, DEPTH = range(3)

QFunction = LinearQ | NetworkQ
Q_FUNCTIONS: Final[Mapping[str, type[LinearQ] | type[NetworkQ]]] = {
    kind.kind: kind for kind in (LinearQ, NetworkQ)
}


@dataclass(frozen=True)
class Memory:
    """What an agent works with: its values as a function, and the moves of a position with their values."""

    q: QFunction
    described: Described = field(default_factory=new_described)
    values: Array = field(default_factory=lambda: np.zeros(MOST_MOVES))


def q_function(weights: Weights, source: str) -> QFunction:
    """The values that weights stand for; AgentError, with their source, if their arrays are other ones."""
    kind = Q_FUNCTIONS[weights.kind]
    shapes = {name: array.shape for name, array in weights.arrays.items()}
    if shapes != kind.shapes:
        raise AgentError(f"{source}: arrays {_words(shapes)}; expected {_words(kind.shapes)}")
    scales = weights.arrays.get("scales")
    if scales is not None and not (scales > 0).all():
        raise AgentError(f"{source}: a scale of {scales.min():g}; expected scales above 0")
    return kind(weights.arrays)


def _words(shapes: Mapping[str, tuple[int, ...]]) -> str:
    """Arrays by name and shape, in words."""
    named = (f"{name} ({' x '.join(map(str, shape))})" for name, shape in shapes.items())
    return ", ".join(named) or "none"


def value_legal_moves(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    memory: Memory,
    episodes: int,
    depth: int,
) -> int:
    """Lists the legal moves of states[GAME] and values them in memory; returns how many there are.

    All but the level and states[GAME] are modified in place.
    """
    count = int(describe_moves(level, states, rng, work, moves, memory.described, episodes, depth))
    memory.q.write_values(memory.described, count, memory.values)
    return count


def begin_by_q(level: LevelRecord, states: States, memory: Memory, options: Array) -> None:
    """Nothing to prepare before an attempt."""


def choose_by_q(
    level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, memory: Memory, options: Array
) -> int:
    """A move of the highest Q; of equals any, each as likely as any other."""
    episodes, depth = int(options[EPISODES]), int(options[DEPTH])
    count = value_legal_moves(level, states, rng, work, moves, memory, episodes, depth)
    return int(moves[any_of_the_best(rng, memory.values, count)])


def value_by_q(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    memory: Memory,
    options: Array,
    values: Array,
) -> None:
    """Q of each legal move."""
    episodes, depth = int(options[EPISODES]), int(options[DEPTH])
    count = value_legal_moves(level, states, rng, work, moves, memory, episodes, depth)
    values[:count] = memory.values[:count]


def _kernels(kind: str, options: Mapping[str, Any]) -> AgentKernels:
    """The kernels of a family. The loop over moves stays Python: beside the episodes it costs little."""
    source = str(options["model"])
    weights = read_weights(source, kind, ENCODING)
    q_function(weights, source)
    return AgentKernels(
        kind,
        choose_by_q,
        begin_by_q,
        values=value_by_q,
        scratch_states=SCRATCH_STATES,
        memory=lambda level: Memory(q_function(weights, source)),
        compiled=False,
    )


def linear_kernels(options: Mapping[str, Any]) -> AgentKernels:
    """The kernels of the family q-linear."""
    return _kernels(LinearQ.kind, options)


def network_kernels(options: Mapping[str, Any]) -> AgentKernels:
    """The kernels of the family q-network."""
    return _kernels(NetworkQ.kind, options)
