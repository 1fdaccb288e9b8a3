"""Looks for damage in a database: its file, its levels, runs and players' results, and its attempts."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import polars as pl
from sqlalchemy import Connection, select, text

from levelsense.errors import LevelError, StoreError
from levelsense.level.level import Level
from levelsense.store.database import Database
from levelsense.store.findings import Findings, OnDamage, Verified
from levelsense.store.players import STORED_SCHEMA, key_words, result_damage
from levelsense.store.reading import read_parts
from levelsense.store.results import RUN_SCHEMA, run_damage, run_words
from levelsense.store.schema import LEVELS, PLAYER_RESULTS, RESULT_COLUMNS, RUNS
from levelsense.store.verify_attempts import AttemptVerification

__all__ = ["Verified", "verify"]

MOST_INTEGRITY_PROBLEMS: Final = 100


def verify(
    database: Database,
    sample: int | None,
    seed: int = 0,
    threads: int | None = None,
    on_damage: OnDamage = lambda sentence: None,
) -> Verified:
    """Looks at everything in a database; `on_damage` gets a sentence for each thing that is damaged.

    So many attempts are played again, drawn by a seed among those that can be; all of them if it is None.
    """
    return _Verification(database, sample, seed, threads, on_damage).run()


class _Verification:
    def __init__(
        self, database: Database, sample: int | None, seed: int, threads: int | None, on_damage: OnDamage
    ) -> None:
        self._database = database
        self._sample = sample
        self._seed = seed
        self._threads = threads
        self._findings = Findings(on_damage)
        self._levels: dict[str, Level] = {}
        self._names: dict[str, str] = {}

    def run(self) -> Verified:
        """Goes on after each thing that cannot be read, so that as much as possible is reported."""
        checks = {
            "the file": self._check_file,
            "levels": self._check_levels,
            "runs": self._check_runs,
            "attempts": self._check_attempts,
            "players' results": self._check_results,
        }
        for subject, check in checks.items():
            try:
                with self._database.reading() as connection, _any_text(connection):
                    check(connection)
            except StoreError as error:
                reason = str(error).removeprefix(f"{self._database.name}: ")
                self._findings.report(f"{subject}: cannot be read to the end: {reason}")
        return self._findings.counts

    def _check_file(self, connection: Connection) -> None:
        """SQLite checks its pages and the order of its rows; PostgreSQL's server sees to its own files."""
        if not self._database.is_sqlite:
            return
        pragma = text(f"PRAGMA integrity_check({MOST_INTEGRITY_PROBLEMS})")
        for sentence in connection.execute(pragma).scalars():
            if sentence != "ok":
                self._findings.report(f"the file: {' '.join(str(sentence).split())}")

    def _check_levels(self, connection: Connection) -> None:
        for digest, name, json in connection.execute(select(LEVELS.c.digest, LEVELS.c.name, LEVELS.c.json)):
            self._findings.counts.levels += 1
            self._names[digest] = str(name)
            where = f"level {str(name)!r}, digest {digest}"
            try:
                level = Level.from_json(str(json), "its file")
            except LevelError as error:
                self._findings.report(f"{where}: {error.problems[0]}")
                continue
            if digest in (level.digest, level.earlier_digest):
                self._levels[digest] = level
            else:
                self._findings.report(f"{where}: its file has the digest {level.digest}; expected the same")

    def _check_runs(self, connection: Connection) -> None:
        query = select(*(RUNS.c[name] for name in RUN_SCHEMA))
        for part in read_parts(connection, query, RUN_SCHEMA):
            self._findings.counts.runs += len(part.rows)
            self._findings.report_part(part, run_damage(part.table), list(RUN_SCHEMA), run_words)

    def _check_results(self, connection: Connection) -> None:
        schema = {**STORED_SCHEMA, "checksum": pl.Int64}
        query = select(*(PLAYER_RESULTS.c[name] for name in schema)).order_by(PLAYER_RESULTS.c.result)
        for part in read_parts(connection, query, schema):
            self._findings.counts.results += len(part.rows)
            damage = [*result_damage(part.table), *self._findings.wrong_checksums(part.table, RESULT_COLUMNS)]
            self._findings.report_part(part, damage, list(schema), key_words)

    def _check_attempts(self, connection: Connection) -> None:
        AttemptVerification(
            self._findings, self._levels, self._names, self._sample, self._seed, self._threads
        ).check(connection)


@contextmanager
def _any_text(connection: Connection) -> Iterator[None]:
    """Lets SQLite give texts that are none of UTF-8, so that the row can be named that has one."""
    driver: Any = connection.connection.driver_connection
    if not hasattr(driver, "text_factory"):
        yield
        return
    driver.text_factory = lambda content: content.decode("utf-8", "backslashreplace")
    try:
        yield
    finally:
        driver.text_factory = str
