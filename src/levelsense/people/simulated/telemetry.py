"""Attempts and moves of simulated players as tables."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from levelsense.people.move_form import MOVE_SCHEMA
from levelsense.people.simulated.run import NO_MOVE, Visit

ATTEMPT_SCHEMA: Final = {
    "level": pl.String,
    "digest": pl.String,
    "cohort": pl.String,
    "player": pl.Int64,
    "attempt": pl.Int64,
    "won": pl.Boolean,
    "score": pl.Int64,
    "moves_made": pl.Int64,
    "moves_left": pl.Int64,
    "game_seed": pl.UInt64,
}


def attempt_table(visit: Visit) -> pl.DataFrame:
    """A row an attempt (ATTEMPT_SCHEMA): the player, the result, and the seed that replays it."""
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


def move_table(visit: Visit, types: Sequence[str]) -> pl.DataFrame:
    """A row a move (MOVE_SCHEMA), in order; `types` are those of the population's players."""
    attempts, turns = np.nonzero(visit.moves != NO_MOVE)
    players = visit.player[attempts]
    return _of_visit(
        visit,
        MOVE_SCHEMA,
        player=players,
        type=pl.Series(types, dtype=pl.String).gather(players),
        attempt=visit.attempt[attempts],
        game_seed=visit.game_seed[attempts],
        turn=turns,
        move=visit.moves[attempts, turns],
    )


def _of_visit(visit: Visit, schema: dict[str, Any], **columns: Any) -> pl.DataFrame:
    """A table of a visit's columns, with those of its level and cohort added."""
    named = visit.named
    constants = {"level": named.name, "digest": named.level.digest, "cohort": visit.cohort}
    return (
        pl.DataFrame(columns)
        .with_columns(pl.lit(text, pl.String).alias(name) for name, text in constants.items())
        .select(pl.col(name).cast(kind) for name, kind in schema.items())
    )
