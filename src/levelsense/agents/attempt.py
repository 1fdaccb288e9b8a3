"""One loop for every agent: deal, choose, play, until the attempt is over; and the memory it works in."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from types import FunctionType
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from levelsense.compiled.times import compiling_for
from levelsense.errors import AgentError
from levelsense.game.cascade import play
from levelsense.game.deal import deal
from levelsense.game.game import Game, Move
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.record import level_record
from levelsense.game.state import (
    CELLS,
    CHERRY,
    COUNT_NAMES,
    HAZELNUT,
    I1,
    I2,
    I4,
    I8,
    NO_BLOCKER,
    PLAYING,
    Array,
    LevelRecord,
    Moves,
    State,
    States,
    Work,
    new_state,
    new_work,
    record_dtype,
)
from levelsense.kernel import kernel, kernel_with
from levelsense.level.level import Level
from levelsense.rng import Rng, new_rng

AttemptRecords = NDArray[Any]  # of the kernels: one Attempt each, of ATTEMPT_DTYPE


class Attempt:
    """How an attempt went. What is left on the board is kept only of lost attempts."""

    score: I8
    legal_moves: I8  # over all positions, added up
    time_left: I4  # milliseconds
    least_time: I4  # milliseconds left when it was least, before a move
    count: Annotated[Array, "i4", len(COUNT_NAMES)]
    moves_made: I2
    moves_left: I2
    shuffles: I2
    longest_cascade: I2
    status: I1
    reason: I1
    jelly_left: Annotated[Array, "i1", CELLS]
    blocker_left: Annotated[Array, "i1", CELLS]
    ingredient_left: Annotated[Array, "i1", CELLS]


ATTEMPT_DTYPE = record_dtype(Attempt)

# The states that an agent gets: the level's start, the game itself, and from SCRATCH on its working states.
START, GAME, SCRATCH = 0, 1, 2


@kernel
def note_attempt(row: Any, state: State, legal_moves: int, least_time: int) -> None:
    """Writes how a finished attempt went. The row is modified in place."""
    row.score = state.score
    row.legal_moves = legal_moves
    row.time_left = state.time_left
    row.least_time = least_time
    row.moves_made = state.moves_made
    row.moves_left = state.moves_left
    row.shuffles = state.shuffles
    row.longest_cascade = state.longest_cascade
    row.status = state.status
    row.reason = state.reason
    for k in range(len(COUNT_NAMES)):
        row.count[k] = state.count[k]
    for i in range(CELLS):
        row.jelly_left[i] = state.jelly[i]
        row.blocker_left[i] = state.blocker[i] != NO_BLOCKER
        row.ingredient_left[i] = state.piece[i] == CHERRY or state.piece[i] == HAZELNUT


def begin(level: LevelRecord, states: States, memory: Any, options: Array) -> None:
    """Placeholder for the agent's kernel that prepares its memory before an attempt."""


def choose(
    level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, memory: Any, options: Array
) -> int:
    """Placeholder for the agent's kernel that chooses a move for states[GAME], which it must not change.

    `rng` is the agent's generator; it has no access to the game's. `moves` has room for the legal moves.
    `memory` and `options` are defined by the agent's family. Returns a legal move's number.
    """
    raise NotImplementedError


def _attempts(
    level: LevelRecord,
    states: States,
    seeds: Array,
    rows: AttemptRecords,
    rng: Rng,
    work: Work,
    moves: Moves,
    memory: Any,
    options: Array,
) -> None:
    """Plays an attempt for each row: seeds[k] starts the game's and the agent's generator, rng[0] and rng[1].

    All but level, seeds and options are modified in place.
    """
    for k in range(rows.shape[0]):
        states[GAME] = states[START]
        state = states[GAME]
        rng[0, 0] = seeds[k, 0]
        rng[1, 0] = seeds[k, 1]
        deal(level, state, rng[0], work)
        begin(level, states, memory, options)
        legal_moves = 0
        least_time = int(state.time_left)
        while state.status == PLAYING:
            legal_moves += list_moves(state, moves)
            least_time = min(least_time, int(state.time_left))
            move = choose(level, states, rng[1], work, moves, memory, options)
            play(level, state, rng[0], work, move)
        note_attempt(rows[k], state, legal_moves, least_time)


@kernel
def begin_nothing(level: LevelRecord, states: States, memory: Any, options: Array) -> None:
    """The kernel `begin` of agents without memory."""


def attempts_kernel(name: str, choose_move: Callable[..., Any], begin_attempt: Any = begin_nothing) -> Any:
    """The loop with an agent's own kernels in it."""
    return kernel_with(_attempts, f"attempts_of_{name}", choose=choose_move, begin=begin_attempt)


def attempts_in_python(
    choose_move: Callable[..., Any], begin_attempt: Any = begin_nothing, deal_board: Any = deal
) -> Any:
    """The same loop uncompiled, for an agent whose `choose` is plain Python, or another first board."""
    parts = {"choose": choose_move, "begin": begin_attempt, "deal": deal_board}
    return FunctionType(_attempts.__code__, {**_attempts.__globals__, **parts}, "attempts_in_python")


def no_memory(level: Level) -> Any:
    """The memory of agents without memory: kernels need an array all the same."""
    return np.zeros(1)


def any_level(level: Level) -> None:
    """The check of agents that play every level."""


@dataclass(frozen=True)
class AgentKernels:
    """The kernels of an agent, as its family's function `kernels(options)` returns them.

    name            of the compiled loop: one for each pair of choose and begin
    choose          a kernel, described in attempt.py
    begin           a kernel, described in attempt.py
    values          a kernel that takes what choose takes, and an array of MOST_MOVES numbers; it writes there
                    what each move that list_moves lists is worth, the more the better
    scratch_states  how many states they need from SCRATCH on
    memory          makes their memory, for a level
    compiled        False if choose and begin are no kernels but plain Python
    check           raises AgentError for a level that the agent cannot play
    turn            held while attempts are played: a lock if they must not be played on two threads at once
    """

    name: str
    choose: Callable[..., int]
    begin: Callable[..., None] = begin_nothing
    values: Callable[..., None] | None = None
    scratch_states: int = 0
    memory: Callable[[Level], Any] = no_memory
    compiled: bool = True
    check: Callable[[Level], None] = any_level
    turn: AbstractContextManager[Any] = field(default_factory=nullcontext)


@dataclass(frozen=True)
class _Room:
    """All buffers of one call; calls on different threads share none."""

    level: LevelRecord
    states: States
    work: Work
    moves: Moves
    memory: Any
    options: Array


def _room(kernels: AgentKernels, codes: Sequence[float], level: Level) -> _Room:
    kernels.check(level)
    record = level_record(level)
    try:
        states = new_state(SCRATCH + kernels.scratch_states)
        memory = kernels.memory(level)
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
def _loop(name: str, choose: Any, begin: Any, compiled: bool, deal_board: Any) -> Any:
    """The attempt loop of an agent; made once, since each copy is compiled or loaded anew."""
    if compiled and deal_board is deal:
        return attempts_kernel(name, choose, begin)
    return attempts_in_python(choose, begin, deal_board)


def play_attempts(
    kernels: AgentKernels, codes: Sequence[float], level: Level, seeds: Array, deal_board: Any = deal
) -> AttemptRecords:
    """An attempt for each pair of seeds, as rows of ATTEMPT_DTYPE.

    `deal_board` is a kernel that takes what `deal` takes. With another than that the loop is not compiled.
    """
    loop = _loop(kernels.name, kernels.choose, kernels.begin, kernels.compiled, deal_board)
    return _run_loop(loop, kernels, codes, level, seeds)


def _run_loop(
    loop: Any, kernels: AgentKernels, codes: Sequence[float], level: Level, seeds: Array
) -> AttemptRecords:
    """What an attempt loop makes of each pair of seeds."""
    pairs = seed_pairs(seeds)
    room = _room(kernels, codes, level)
    rows = np.zeros(len(pairs), ATTEMPT_DTYPE)
    with compiling_for(kernels.name), kernels.turn:
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


def record_moves(
    kernels: AgentKernels, codes: Sequence[float], level: Level, seeds: Array
) -> tuple[AttemptRecords, NDArray[np.int16], NDArray[np.int64]]:
    """The attempts of play_attempts with the same seeds, and the moves made in them.

    The moves' numbers come one after the other, with the offsets at which those of each attempt begin and
    end. It is slower for agents that are fast: the loop is not compiled.
    """
    made: list[int] = []

    def choose_and_note(*given: Any) -> int:
        made.append(int(kernels.choose(*given)))
        return made[-1]

    rows = _run_loop(attempts_in_python(choose_and_note, kernels.begin), kernels, codes, level, seeds)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(rows["moves_made"], dtype=np.int64)])
    return rows, np.array(made, np.int16), offsets


def follow_attempts(
    kernels: AgentKernels, codes: Sequence[float], level: Level, seeds: Array
) -> list[States]:
    """The states of an attempt for each pair of seeds: as dealt, then after each move.

    The moves are those of play_attempts with the same seeds. It is slower: the loop is not compiled.
    """
    room = _room(kernels, codes, level)
    followed: list[States] = []
    turns: list[States] = []

    def choose_and_note(level_: LevelRecord, states: States, *others: Any) -> int:
        turns.append(states[GAME : GAME + 1].copy())
        return kernels.choose(level_, states, *others)

    def note_end(row: Any, state: State, legal_moves: int, least_time: int) -> None:
        followed.append(np.concatenate([*turns, room.states[GAME : GAME + 1]]))
        turns.clear()

    parts = {"choose": choose_and_note, "begin": kernels.begin, "note_attempt": note_end}
    loop = FunctionType(_attempts.__code__, {**_attempts.__globals__, **parts}, "follow_attempts")
    with compiling_for(kernels.name):
        loop(
            room.level,
            room.states,
            seed_pairs(seeds),
            np.zeros(len(seeds), ATTEMPT_DTYPE),
            np.zeros((2, 1), np.uint64),
            room.work,
            room.moves,
            room.memory,
            room.options,
        )
    return followed


def seed_pairs(seeds: Array) -> Array:
    """Pairs of seeds as kernels take them: an (n, 2) array of their own; ValueError for another shape."""
    # A copy: kernels have one signature, and a read-only or strided array would need another.
    pairs = np.array(seeds, np.uint64, order="C")
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"seeds of shape {pairs.shape}; expected (attempts, 2)")
    return pairs


def room_at(kernels: AgentKernels, codes: Sequence[float], game: Game) -> _Room:
    """The buffers for one choice, with a copy of the game in states[GAME]."""
    room = _room(kernels, codes, game.level)
    room.states[GAME] = game.state
    kernels.begin(room.level, room.states, room.memory, room.options)
    return room


def choose_move(kernels: AgentKernels, codes: Sequence[float], game: Game, seed: int) -> Move:
    """The move that an agent chooses at a game's position, with its memory as before an attempt."""
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
