"""Attempts and moves of simulated players as tables, and the files that these are written to.

A position is the level, the attempt's seed and the moves before: a file of moves is small, and every state
is restored by playing them again.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

import numpy as np
import polars as pl

from levelsense.errors import OutputError, PlayersError
from levelsense.files import name_beside, put_in_place
from levelsense.game.cascade import play
from levelsense.game.deal import deal
from levelsense.game.game import Move
from levelsense.game.moves import is_legal
from levelsense.game.record import level_record
from levelsense.game.state import PLAYING, STATE_DTYPE, new_state, new_work
from levelsense.level.level import Level
from levelsense.people.simulated.run import NO_MOVE, Visit
from levelsense.rng import new_rng

SUFFIXES: Final = (".csv", ".parquet")
_FAILURES: Final = (OSError, pl.exceptions.PolarsError)


class GrowingFile:
    """A CSV or Parquet file, by suffix, that is written row by row and never in memory as a whole.

    Rows go to a temporary CSV file beside it, which `finish` puts in its place, converted to Parquet if need
    be. A block that ends without that, or with `keep`, leaves an existing file as it was.
    """

    def __init__(self, path: Path, schema: Mapping[str, Any]) -> None:
        """PlayersError if the suffix is none of SUFFIXES."""
        if path.suffix not in SUFFIXES:
            raise PlayersError(f"{path}: files are told by suffix; expected .csv or .parquet")
        self.path, self.rows = path, 0
        self._schema = dict(schema)
        # A symbolic link is kept: rows go beside the file that it leads to.
        target = Path(os.path.realpath(path)) if path.is_symlink() else path
        self._part = target.with_name(f"{target.name}.part")
        # Unique names: another program may be writing the same file.
        self._growing, self._converted = name_beside(target), name_beside(target)
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()
        for path in (self._growing, self._converted):
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def add(self, table: pl.DataFrame) -> None:
        """Adds rows; PlayersError if they cannot be written."""
        try:
            if self._file is None:
                self._file = self._growing.open("xb")
            table.select(*self._schema).write_csv(self._file, include_header=self.rows == 0)
            self._file.flush()
        except _FAILURES as error:
            raise self._refusal(error) from None
        self.rows += table.height

    def finish(self) -> None:
        """Replaces the file by the rows; PlayersError if that cannot be done."""
        self._put(self.path)

    def keep(self) -> Path:
        """Keeps the rows so far, as the file if there is none yet, else as FILE.part; gives that path."""
        place = self._part if self.path.exists() else self.path
        self._put(place)
        return place

    def _put(self, place: Path) -> None:
        try:
            self._close()
            rows = self._growing
            if self.path.suffix == ".parquet":
                pl.scan_csv(self._growing, schema=self._schema).sink_parquet(self._converted)
                rows = self._converted
            put_in_place(rows, place)
        except OutputError as error:
            raise PlayersError(str(error)) from None
        except _FAILURES as error:
            raise self._refusal(error) from None

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _refusal(self, error: Exception) -> PlayersError:
        reason = error.strerror if isinstance(error, OSError) else None
        return PlayersError(f"{self.path}: cannot be written: {reason or error}")


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
    """A table of a visit's columns, with those of its level and cohort added."""
    named = visit.named
    constants = {"level": named.name, "digest": named.level.digest, "cohort": visit.cohort}
    return (
        pl.DataFrame(columns)
        .with_columns(pl.lit(text, pl.String).alias(name) for name, text in constants.items())
        .select(pl.col(name).cast(kind) for name, kind in schema.items())
    )


def positions(level: Level, game_seed: int, moves: Iterable[str]) -> tuple[Any, list[int]]:
    """The states (STATE_DTYPE) that an attempt's moves were made in, and the moves' codes.

    PlayersError if a move is not legal in its state.
    """
    record = level_record(level)
    codes = [Move.parse(move).code for move in moves]
    states = np.zeros(len(codes), STATE_DTYPE)
    state, rng, work = new_state(1), new_rng(int(game_seed)), new_work()
    state[0] = record.start
    deal(record.level, state[0], rng, work)
    for turn, code in enumerate(codes):
        if state[0].status != PLAYING or not is_legal(state[0], code):
            raise PlayersError(
                f"{level.name}: turn {turn}, move {Move.from_code(code)}: not legal there; "
                "expected the moves of an attempt at this level with this seed"
            )
        states[turn] = state[0]
        play(record.level, state[0], rng, work, code)
    return states, codes


def all_positions(level: Level, moves: pl.DataFrame) -> Iterator[tuple[Any, list[int]]]:
    """`positions` of every attempt at a level in a table of moves."""
    of_level = moves.filter(pl.col("digest") == level.digest)
    for attempt in of_level.partition_by(ATTEMPT_KEY, maintain_order=True):
        yield positions(level, attempt["game_seed"][0], attempt.sort("turn")["move"])
