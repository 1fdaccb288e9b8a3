"""Keeps the attempts of a run in a database as they are played: the runner's sink."""

import json
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sqlalchemy import Connection, Table, select, update
from sqlalchemy.dialects import postgresql, sqlite

from levelsense.errors import StoreError
from levelsense.game.state import RULES_VERSION
from levelsense.playtest.attempts import ROW_SCHEMA, Attempts
from levelsense.playtest.plan import MISSING, Extent, Pair
from levelsense.playtest.result import with_key
from levelsense.store.database import Database
from levelsense.store.reading import Damage, attempt_damage, join_tables, read_tables, stored_column
from levelsense.store.schema import ATTEMPT_COLUMNS, ATTEMPTS, LEVELS, RUN_PAIRS, RUNS, with_checksums

_VERSIONED: Final = ("levelsense", "numba", "numpy")


class Recorder:
    """A run in a database. Make one for each call of `playtest`, as its sink."""

    def __init__(self, database: Database, command: str | None = None) -> None:
        self.run: int | None = None
        self._database = database
        self._command = command
        self._pairs = 0

    def begin(self, pairs: Sequence[Pair], extent: Extent) -> None:
        """Notes what the run is about; nothing in a database that can only be read, which may have it all."""
        self._pairs = len(pairs)
        if self._database.is_read_only:
            return
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

    def already_done(self, pair: Pair, limit: int) -> NDArray[np.int8]:
        """What is known of the attempts of a pair below a limit, whichever run played them."""
        outcomes = np.full(limit, MISSING, np.int8)
        schema = {name: ROW_SCHEMA[name] for name in ("attempt", "won")}
        with self._database.reading() as connection:
            for table in self._tables(connection, pair, limit, schema):
                outcomes[table["attempt"].to_numpy()] = table["won"].to_numpy()
        return outcomes

    def attempts(self, pair: Pair, limit: int) -> Attempts:
        """The attempts of a pair that are in the database, whichever run played them."""

        def check(table: pl.DataFrame) -> list[Damage]:
            return attempt_damage(table, pair.level)

        with self._database.reading() as connection:
            tables = self._tables(connection, pair, limit, ROW_SCHEMA, check)
            return Attempts(pair.level, join_tables(tables, ROW_SCHEMA))

    def _tables(
        self,
        connection: Connection,
        pair: Pair,
        limit: int,
        schema: Mapping[str, Any],
        check: Callable[[pl.DataFrame], list[Damage]] = lambda table: [],
    ) -> Iterator[pl.DataFrame]:
        """The attempts of a pair below a limit, in the order of their numbers, with columns of a schema."""
        number = ATTEMPTS.c.attempt
        query = select(*(stored_column(ATTEMPTS.c[name]) for name in schema)).where(
            *(ATTEMPTS.c[name] == value for name, value in pair.key.items()), number >= 0, number < limit
        )
        yield from read_tables(
            connection,
            query.order_by(number),
            schema,
            self._database.name,
            lambda row: f"level {pair.name!r}, agent {pair.agent.spec}, attempt {row['attempt']}",
            check,
        )

    def save(self, batches: Sequence[tuple[Pair, Attempts]]) -> None:
        """Writes attempts in one transaction; what another program wrote meanwhile is the same, and stays."""
        tables = [with_key(attempts.frame, pair.key) for pair, attempts in batches]
        # Sorted for the same reason as levels are.
        whole = with_checksums(pl.concat(tables).sort("level", "agent", "attempt"), ATTEMPT_COLUMNS)
        with self._database.writing() as connection:
            insert_quickly(connection, self._insert(ATTEMPTS).on_conflict_do_nothing(), whole)

    def end(self, finished: Sequence[tuple[Pair, int]]) -> None:
        """Notes how many attempts each result is made of and, if the run is complete, that it is."""
        if self._database.is_read_only:
            return
        with self._database.writing() as connection:
            for pair, attempts in finished:
                of_pair = (
                    RUN_PAIRS.c.run == self.run,
                    RUN_PAIRS.c.level == pair.digest,
                    RUN_PAIRS.c.agent == pair.agent.spec,
                )
                noted = connection.execute(update(RUN_PAIRS).where(*of_pair).values(attempts=attempts))
                if noted.rowcount != 1:
                    raise StoreError(
                        f"{self._database.name}: run {self.run} is no longer there; "
                        "expected a run to stay while it is under way"
                    )
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


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _versions() -> dict[str, str]:
    """The versions of what computes; a package that runs without being installed has none."""
    versions = {"python": platform.python_version()}
    for package in _VERSIONED:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "unknown"
    return versions
