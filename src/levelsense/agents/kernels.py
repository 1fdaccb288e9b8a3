"""From an agent's kernels to attempts: the room they need, and the calls that run them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from levelsense.agents.attempt import (
    ATTEMPT_DTYPE,
    GAME,
    OWN,
    START,
    attempts_in_python,
    attempts_kernel,
    begin_nothing,
)
from levelsense.compiled.times import compiling_for
from levelsense.errors import AgentError
from levelsense.game.game import Game, Move
from levelsense.game.level import Level
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.record import level_record
from levelsense.game.rng import new_rng
from levelsense.game.state import new_state, new_work


def no_memory(level: Any) -> Any:
    """For agents that remember nothing: kernels want an array all the same."""
    return np.zeros(1)


@dataclass(frozen=True)
class AgentKernels:
    """What plays for an agent: what a family's function `kernels(options)` gives.

    name        of the compiled loop: one for each pair of choose and begin
    choose      a kernel, described in attempt.py
    begin       a kernel, described in attempt.py
    values      a kernel that takes what choose takes, and an array of MOST_MOVES numbers; it writes there
                what each move that list_moves lists is worth, the more the better
    own_states  how many states they need from OWN on
    memory      makes what they remember by, from a level's record
    compiled    False if choose and begin are no kernels but plain Python
    """

    name: str
    choose: Callable[..., int]
    begin: Callable[..., None] = begin_nothing
    values: Callable[..., None] | None = None
    own_states: int = 0
    memory: Callable[[Any], Any] = no_memory
    compiled: bool = True


@dataclass(frozen=True)
class _Room:
    """Everything that one call works in, so that calls on other threads do not meet."""

    level: Any
    states: Any
    work: Any
    moves: Any
    memory: Any
    options: Any


def _room(kernels: AgentKernels, codes: Sequence[float], level: Level) -> _Room:
    record = level_record(level)
    try:
        states = new_state(OWN + kernels.own_states)
        memory = kernels.memory(record.level)
    except MemoryError:
        raise AgentError(
            f"{kernels.name}: a search as large as it is set to be does not fit into memory; "
            "expected fewer simulations, or fewer threads"
        ) from None
    states[START] = record.start
    return _Room(
        record.level,
        states,
        new_work(),
        np.zeros(MOST_MOVES, np.int64),
        memory,
        np.array(codes, np.float64),
    )


@lru_cache(maxsize=64)
def _loop(name: str, choose: Any, begin: Any, compiled: bool) -> Any:
    """The attempt loop of an agent; made once, since each copy is compiled or loaded anew."""
    return attempts_kernel(name, choose, begin) if compiled else attempts_in_python(choose, begin)


def play_attempts(kernels: AgentKernels, codes: Sequence[float], level: Level, seeds: Any) -> Any:
    """An attempt for each pair of seeds, as rows of ATTEMPT_DTYPE."""
    # A copy: kernels have one signature, and a read-only or strided array would need another.
    pairs = np.array(seeds, np.uint64, order="C")
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"seeds of shape {pairs.shape}; expected (attempts, 2)")
    room = _room(kernels, codes, level)
    rows = np.zeros(len(pairs), ATTEMPT_DTYPE)
    loop = _loop(kernels.name, kernels.choose, kernels.begin, kernels.compiled)
    with compiling_for(kernels.name):
        loop(
            room.level,
            room.states,
            pairs,
            rows,
            np.zeros((2, 1), np.uint64),
            room.work,
            room.moves,
            room.memory,
            room.options,
        )
    return rows


def room_at(kernels: AgentKernels, codes: Sequence[float], game: Game) -> _Room:
    """Room for one choice, with a copy of the game in its place."""
    room = _room(kernels, codes, game.level)
    room.states[GAME] = game.state
    kernels.begin(room.level, room.states, room.memory, room.options)
    return room


def choose_move(kernels: AgentKernels, codes: Sequence[float], game: Game, seed: int) -> Move:
    """The move that is chosen at a game's position by somebody who has seen nothing of it before."""
    room = room_at(kernels, codes, game)
    code = kernels.choose(
        room.level, room.states, new_rng(seed), room.work, room.moves, room.memory, room.options
    )
    return Move.from_code(int(code))


def value_moves(
    kernels: AgentKernels, codes: Sequence[float], game: Game, seed: int
) -> dict[Move, float] | None:
    """What each legal move at a game's position is worth to the agent; None if it has no values."""
    if kernels.values is None:
        return None
    room = room_at(kernels, codes, game)
    count = list_moves(room.states[GAME], room.moves)
    legal = room.moves[:count].copy()
    values = np.zeros(MOST_MOVES)
    kernels.values(
        room.level, room.states, new_rng(seed), room.work, room.moves, room.memory, room.options, values
    )
    return {Move.from_code(int(code)): float(value) for code, value in zip(legal, values, strict=False)}
