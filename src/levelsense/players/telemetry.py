"""What simulated players did move by move, and the positions they did it in.

A position is the level, the attempt's seed and the moves before: a file of moves is small, and every state
is found again by playing them.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import polars as pl

from levelsense.errors import PlayersError
from levelsense.game.cascade import play
from levelsense.game.deal import deal
from levelsense.game.game import Move
from levelsense.game.level import Level
from levelsense.game.record import level_record
from levelsense.game.rng import new_rng
from levelsense.game.state import PLAYING, STATE_DTYPE, STRIDE, new_state, new_work
from levelsense.players.simulate import NO_MOVE, Visit

ATTEMPT_KEY = ("digest", "player", "attempt")


def attempt_table(visit: Visit) -> pl.DataFrame:
    """A row an attempt: whose, how it went, and the seed that replays it."""
    rows = visit.rows
    timed = visit.named.level.seconds is not None
    return pl.DataFrame(
        {
            "level": [visit.named.name] * len(rows),
            "digest": [visit.named.level.digest] * len(rows),
            "player": visit.player,
            "attempt": visit.attempt,
            "won": visit.won,
            "score": np.ascontiguousarray(rows["score"]),
            "moves_made": np.ascontiguousarray(rows["moves_made"]).astype(np.int64),
            "moves_left": None if timed else np.ascontiguousarray(rows["moves_left"]).astype(np.int64),
            "game_seed": visit.game_seed,
        },
        schema_overrides={"moves_left": pl.Int64},
    )


def move_table(visit: Visit) -> pl.DataFrame:
    """A row a move, in order: `turn` counts from 0, `move` names the two cells."""
    attempts, turns = np.nonzero(visit.moves != NO_MOVE)
    codes = visit.moves[attempts, turns].astype(np.int64)
    names = {int(code): str(Move.from_code(int(code))) for code in np.unique(codes)}
    return pl.DataFrame(
        {
            "level": [visit.named.name] * len(codes),
            "digest": [visit.named.level.digest] * len(codes),
            "player": visit.player[attempts],
            "attempt": visit.attempt[attempts],
            "game_seed": visit.game_seed[attempts],
            "turn": turns,
            "move": [names[code] for code in codes.tolist()],
        }
    )


def positions(level: Level, game_seed: int, moves: Iterable[str]) -> tuple[Any, list[int]]:
    """The states (STATE_DTYPE) that an attempt's moves were made in, and the moves' numbers.

    PlayersError if a move is not legal where it is said to have been made.
    """
    record = level_record(level)
    codes = [Move.parse(move).code for move in moves]
    found = np.zeros(len(codes), STATE_DTYPE)
    state, rng, work = new_state(1), new_rng(int(game_seed)), new_work()
    state[0] = record.start
    deal(record.level, state[0], rng, work)
    for turn, code in enumerate(codes):
        bits = state[0].down if code & 1 else state[0].right
        row, column = divmod(code // 2, STRIDE)
        if state[0].status != PLAYING or not bits[row] >> column & 1:
            raise PlayersError(
                f"{level.name}: turn {turn}, move {Move.from_code(code)}: not legal there; "
                "expected the moves of an attempt at this level with this seed"
            )
        found[turn] = state[0]
        play(record.level, state[0], rng, work, code)
    return found, codes


def all_positions(level: Level, moves: pl.DataFrame) -> Iterator[tuple[Any, list[int]]]:
    """`positions` of every attempt at a level in a table of moves."""
    of_level = moves.filter(pl.col("digest") == level.digest)
    for attempt in of_level.partition_by(ATTEMPT_KEY, maintain_order=True):
        yield positions(level, attempt["game_seed"][0], attempt.sort("turn")["move"])
