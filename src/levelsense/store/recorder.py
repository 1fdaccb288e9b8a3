"""Keeps the attempts of a run in a database as they are played: the runner's sink."""

import json
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import polars as pl
from sqlalchemy import Connection, Select, Table, select, update
from sqlalchemy.dialects import postgresql, sqlite

from levelsense.game.version import RULES_VERSION
from levelsense.playtest.plan import Extent, Pair
from levelsense.playtest.rows import ROW_SCHEMA
from levelsense.store.database import Database
from levelsense.store.schema import ATTEMPTS, LEVELS, RUN_PAIRS, RUNS

_VERSIONED: Final = ("levelsense", "numba", "numpy")


class Recorder:
    """A run in a database. Make one for each call of `playtest`, as its sink."""

    def __init__(self, database: Database, command: str | None = None) -> None:
        self.run: int | None = None
        self._database = database
        self._command = command
        self._pairs = 0

    def begin(self, pairs: Sequence[Pair], extent: Extent) -> None:
        """Notes what the run is about."""
        self._pairs = len(pairs)
        with self._database.writing() as connection:
            self._note_levels(connection, pairs)
            run = RUNS.insert().values(**self._about(pairs[0].seed, extent)).returning(RUNS.c.run)
            self.run = connection.execute(run).scalar_one()
            about = [{"run": self.run, "level": pair.digest, "agent": pair.agent.spec} for pair in pairs]
            connection.execute(RUN_PAIRS.insert(), about)

    def _note_levels(self, connection: Connection, pairs: Sequence[Pair]) -> None:
        """A level goes by the names it was last played under."""
        insert = self._insert(LEVELS)
        upsert = insert.on_conflict_do_update(index_elements=["digest"], set_={"name": insert.excluded.name})
        levels = {pair.digest: pair for pair in pairs}
        # Always in the same order: two programs that wait for each other's rows would wait for ever.
        rows = [
            {"digest": digest, "name": pair.name, "json": pair.level.to_json()}
            for digest, pair in sorted(levels.items())
        ]
        connection.execute(upsert, rows)

    def _about(self, seed: int, extent: Extent) -> dict[str, Any]:
        return {
            "started": _now(),
            "command": self._command,
            "versions": json.dumps(_versions()),
            "rules": RULES_VERSION,
            "seed": seed,
            "attempts": extent.attempts,
            "precision": extent.precision,
            "ceiling": None if extent.precision is None else extent.checkpoints[-1],
        }

    def already_done(self, pair: Pair, limit: int) -> pl.DataFrame:
        """The attempts of a pair that are in the database, whichever run played them."""
        key = _key(pair)
        query = select(*(ATTEMPTS.c[name] for name in ROW_SCHEMA)).where(
            *(ATTEMPTS.c[name] == value for name, value in key.items()), ATTEMPTS.c.attempt < limit
        )
        with self._database.reading() as connection:
            return read_table(connection, query.order_by(ATTEMPTS.c.attempt), ROW_SCHEMA)

    def save(self, batches: Sequence[tuple[Pair, pl.DataFrame]]) -> None:
        """Writes rows in one transaction; one that another program wrote meanwhile is the same, and stays."""
        tables = [
            rows.select(*(pl.lit(value).alias(name) for name, value in _key(pair).items()), *ROW_SCHEMA)
            for pair, rows in batches
        ]
        # Sorted for the same reason as levels are.
        whole = pl.concat(tables).sort("level", "agent", "attempt")
        with self._database.writing() as connection:
            insert_quickly(connection, self._insert(ATTEMPTS).on_conflict_do_nothing(), whole)

    def end(self, finished: Sequence[tuple[Pair, int]]) -> None:
        """Notes how many attempts each result is made of and, if the run is complete, that it is."""
        with self._database.writing() as connection:
            for pair, attempts in finished:
                of_pair = (
                    RUN_PAIRS.c.run == self.run,
                    RUN_PAIRS.c.level == pair.digest,
                    RUN_PAIRS.c.agent == pair.agent.spec,
                )
                connection.execute(update(RUN_PAIRS).where(*of_pair).values(attempts=attempts))
            if len(finished) == self._pairs:
                connection.execute(update(RUNS).where(RUNS.c.run == self.run).values(finished=_now()))

    def _insert(self, table: Table) -> Any:
        """An insert that may say what happens on conflict, which the databases spell alike."""
        return sqlite.insert(table) if self._database.is_sqlite else postgresql.insert(table)


def insert_quickly(connection: Connection, insert: Any, rows: pl.DataFrame) -> None:
    """Inserts a table that has the columns of the statement's.

    The driver gets the rows as they are: SQLAlchemy would look at each value, at twice the cost of the rest.
    """
    compiled = insert.compile(dialect=connection.dialect, column_keys=rows.columns)
    if compiled.positional:
        parameters: Sequence[Any] = rows.select(compiled.positiontup).rows()
    else:
        parameters = rows.rows(named=True)
    connection.exec_driver_sql(str(compiled), parameters)


def read_table(connection: Connection, query: Select[Any], schema: Mapping[str, Any]) -> pl.DataFrame:
    """What a query finds, as a table with the columns of a schema, in its order."""
    columns = list(zip(*connection.execute(query), strict=True)) or [()] * len(schema)
    series = zip(schema.items(), columns, strict=True)
    return pl.DataFrame([pl.Series(name, values, dtype=kind) for (name, kind), values in series])


def _key(pair: Pair) -> dict[str, Any]:
    return {"level": pair.digest, "agent": pair.agent.spec, "rules": RULES_VERSION, "seed": pair.seed}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _versions() -> dict[str, str]:
    """The versions of what computes; a package that runs without being installed has none."""
    found = {"python": platform.python_version()}
    for package in _VERSIONED:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
