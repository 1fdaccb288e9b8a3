"""What simulated players did move by move, and the positions they did it in.

A position is the level, the attempt's seed and the moves before: a file of moves is small, and every state
is found again by playing them.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np
import polars as pl

from levelsense.errors import PlayersError
from levelsense.game.cascade import play
from levelsense.game.deal import deal
from levelsense.game.game import Move
from levelsense.game.level import Level
from levelsense.game.moves import is_legal
from levelsense.game.record import level_record
from levelsense.game.rng import new_rng
from levelsense.game.state import PLAYING, STATE_DTYPE, new_state, new_work
from levelsense.players.simulate import NO_MOVE, Visit

ATTEMPT_KEY: Final = ("digest", "player", "attempt")
_OF_VISIT: Final = {"level": pl.String, "digest": pl.String, "cohort": pl.String}
ATTEMPT_SCHEMA: Final = {
    **_OF_VISIT,
    "player": pl.Int64,
    "attempt": pl.Int64,
    "won": pl.Boolean,
    "score": pl.Int64,
    "moves_made": pl.Int64,
    "moves_left": pl.Int64,
    "game_seed": pl.UInt64,
}
MOVE_SCHEMA: Final = {
    **_OF_VISIT,
    "player": pl.Int64,
    "attempt": pl.Int64,
    "game_seed": pl.UInt64,
    "turn": pl.Int64,
    "move": pl.String,
}


def attempt_table(visit: Visit) -> pl.DataFrame:
    """A row an attempt (ATTEMPT_SCHEMA): whose, how it went, and the seed that replays it."""
    rows = visit.rows
    timed = visit.named.level.seconds is not None
    return _of_visit(
        visit,
        ATTEMPT_SCHEMA,
        player=visit.player,
        attempt=visit.attempt,
        won=visit.won,
        score=np.ascontiguousarray(rows["score"]),
        moves_made=np.ascontiguousarray(rows["moves_made"]),
        moves_left=None if timed else np.ascontiguousarray(rows["moves_left"]),
        game_seed=visit.game_seed,
    )


def move_table(visit: Visit) -> pl.DataFrame:
    """A row a move (MOVE_SCHEMA), in order: `turn` counts from 0, `move` names the two cells."""
    attempts, turns = np.nonzero(visit.moves != NO_MOVE)
    codes = visit.moves[attempts, turns].astype(np.int64)
    names = {int(code): str(Move.from_code(int(code))) for code in np.unique(codes)}
    return _of_visit(
        visit,
        MOVE_SCHEMA,
        player=visit.player[attempts],
        attempt=visit.attempt[attempts],
        game_seed=visit.game_seed[attempts],
        turn=turns,
        move=pl.Series(codes).replace_strict(names, return_dtype=pl.String),
    )


def _of_visit(visit: Visit, schema: dict[str, Any], **columns: Any) -> pl.DataFrame:
    """Columns of a visit, with those that tell its level and whose attempts they are."""
    named = visit.named
    told = {"level": named.name, "digest": named.level.digest, "cohort": visit.cohort}
    return (
        pl.DataFrame(columns)
        .with_columns(pl.lit(text, pl.String).alias(name) for name, text in told.items())
        .select(pl.col(name).cast(kind) for name, kind in schema.items())
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
        if state[0].status != PLAYING or not is_legal(state[0], code):
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
