"""Attempts played again from their seeds and moves, many in one call of compiled code."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levelsense.agents.attempt import GAME, SCRATCH, START
from levelsense.compiled.times import compiling_for
from levelsense.errors import PlayersError
from levelsense.game.cascade import play
from levelsense.game.deal import deal
from levelsense.game.game import Move
from levelsense.game.moves import (
    MOST_MOVES,
    REVERSED,
    first_cell,
    has_direction,
    is_legal,
    list_moves,
    second_cell,
)
from levelsense.game.record import level_record
from levelsense.game.state import (
    STATE_DTYPE,
    Array,
    LevelRecord,
    Moves,
    State,
    States,
    Work,
    new_state,
    new_work,
)
from levelsense.kernel import kernel
from levelsense.level.level import Level
from levelsense.rng import Rng

Codes = NDArray[np.int16]  # of moves
Offsets = NDArray[np.int64]  # entry k has the places from offsets[k] up to offsets[k + 1]

ALL_LEGAL = -1


@kernel
def is_listed(state: State, move: int) -> bool:
    """Whether a number is that of a move which list_moves lists here."""
    if move < 0 or move >= MOST_MOVES or not is_legal(state, move):
        return False
    return bool(move < REVERSED or has_direction(state, first_cell(move), second_cell(move)))


@kernel
def play_again(
    level: LevelRecord,
    games: States,
    seeds: Array,
    codes: Codes,
    offsets: Offsets,
    states: States,
    endings: Array,
    rng: Rng,
    work: Work,
) -> int:
    """Writes the state before each move; gives the place of the first move that is not legal, or ALL_LEGAL.

    endings[k] becomes the status after the last move of attempt k. games[START] is the level's start. Games,
    states, endings, rng and work are modified in place.
    """
    for k in range(seeds.shape[0]):
        games[GAME] = games[START]
        state = games[GAME]
        rng[0] = seeds[k]
        deal(level, state, rng, work)
        for i in range(offsets[k], offsets[k + 1]):
            move = int(codes[i])
            # Once the attempt is over, no move is legal.
            if not is_listed(state, move):
                return i
            states[i] = state
            play(level, state, rng, work, move)
        endings[k] = state.status
    return ALL_LEGAL


@kernel
def list_all_moves(states: States, moves: Moves, codes: Codes, offsets: Offsets) -> None:
    """Writes the legal moves of all states one after the other; codes and offsets are modified in place.

    With no room for codes, only the offsets are written.
    """
    place = 0
    for i in range(states.shape[0]):
        offsets[i] = place
        count = list_moves(states[i], moves)
        if codes.shape[0]:
            for k in range(count):
                codes[place + k] = moves[k]
        place += count
    offsets[states.shape[0]] = place


def replay(level: Level, seeds: ArrayLike, codes: ArrayLike, offsets: ArrayLike) -> States:
    """The states (STATE_DTYPE) before each move of attempts at a level.

    Attempt k starts from seeds[k] and makes the moves codes[offsets[k]:offsets[k + 1]]. PlayersError names
    the first move that is not legal. Threads may replay at once.
    """
    return replay_to_the_end(level, seeds, codes, offsets)[0]


def replay_to_the_end(
    level: Level, seeds: ArrayLike, codes: ArrayLike, offsets: ArrayLike
) -> tuple[States, NDArray[np.int64]]:
    """The states as `replay` gives them, and the status (PLAYING, WON, LOST) after each attempt's moves."""
    seed_words, move_codes, places = _checked(seeds, codes, offsets)
    record = level_record(level)
    games = new_state(SCRATCH)
    games[START] = record.start
    states: States = np.zeros(len(move_codes), STATE_DTYPE)
    endings = np.zeros(len(seed_words), np.int64)
    arrays = seed_words, move_codes, places, states, endings
    with compiling_for("replays"):
        wrong = int(play_again(record.level, games, *arrays, np.zeros(1, np.uint64), new_work()))
    if wrong != ALL_LEGAL:
        attempt = int(np.searchsorted(places, wrong, "right")) - 1
        raise IllegalReplayError(level, attempt, wrong - int(places[attempt]), int(move_codes[wrong]))
    return states, endings


class IllegalReplayError(PlayersError):
    """A move that is not legal where it was made: `code`, in the attempt number `attempt` at `turn`."""

    def __init__(self, level: Level, attempt: int, turn: int, code: int) -> None:
        self.attempt, self.turn, self.code = attempt, turn, code
        super().__init__(
            f"{level.name}: attempt {attempt}, turn {turn}: {move_words(code)} is not legal there; "
            "expected the moves of an attempt at this level with this seed"
        )


def move_words(code: int) -> str:
    """A move by its code and the name of its cells; by its code alone if it is of no move at all."""
    return f"move {code} ({Move.from_code(code)})" if 0 <= code < MOST_MOVES else f"move {code}"


def legal_moves(states: States) -> tuple[Codes, Offsets]:
    """The codes of the legal moves of all states, in order, and the offsets of each state's."""
    states = np.ascontiguousarray(states)
    moves, offsets = np.zeros(MOST_MOVES, np.int64), np.zeros(len(states) + 1, np.int64)
    codes = np.zeros(0, np.int16)
    with compiling_for("replays"):
        list_all_moves(states, moves, codes, offsets)
        codes = np.zeros(int(offsets[-1]), np.int16)
        list_all_moves(states, moves, codes, offsets)
    return codes, offsets


def _checked(
    seeds: ArrayLike, codes: ArrayLike, offsets: ArrayLike
) -> tuple[NDArray[np.uint64], Codes, Offsets]:
    """Copies of the arrays as the kernel takes them; ValueError if they do not fit together."""
    # Copies: kernels have one signature, and a read-only or strided array would need another.
    words, places = np.array(seeds, np.uint64, order="C"), np.array(offsets, np.int64, order="C")
    given = np.asarray(codes)
    numbers = np.array(given, np.int16, order="C")
    if (numbers != given).any():
        raise ValueError(f"codes from {given.min()} to {given.max()}; expected 0 to {MOST_MOVES - 1}")
    if words.ndim != 1 or places.shape != (len(words) + 1,):
        raise ValueError(
            f"seeds of shape {words.shape} and offsets of shape {places.shape}; expected one more offset"
        )
    if places[0] != 0 or places[-1] != len(numbers) or (np.diff(places) < 0).any():
        raise ValueError(f"offsets; expected to rise from 0 to {len(numbers)}, the number of codes")
    return words, numbers, places
