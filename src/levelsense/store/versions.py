"""Versions of a level: what a database holds under one name, in the order in which it was first played."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl
from sqlalchemy import func, select

from levelsense.edits.difference import difference
from levelsense.errors import LevelError
from levelsense.level.level import Level
from levelsense.store.database import Database
from levelsense.store.reading import join_tables, read_tables
from levelsense.store.schema import LEVELS, RUN_PAIRS, RUNS

_SCHEMA = {"digest": pl.String, "name": pl.String, "json": pl.String, "started": pl.String}


@dataclass(frozen=True)
class Version:
    """One of several versions of a level.

    number   which one, from 1, by when it was first played
    of       how many there are
    started  when the first run with it began, UTC
    changed  what is different from the version before, in words; None for the first
    """

    number: int
    of: int
    started: str
    changed: str | None

    @property
    def words(self) -> str:
        """The version in words: `2 of 3, 2026-01-31 12:00, 3 moves fewer`."""
        when = self.started[:16].replace("T", " ")
        return ", ".join([f"{self.number} of {self.of}", when, *([self.changed] if self.changed else [])])


def versions(database: Database) -> dict[str, Version]:
    """The versions of levels by their digests, of names that several levels were played under."""
    query = (
        select(LEVELS.c.digest, LEVELS.c.name, LEVELS.c.json, func.min(RUNS.c.started))
        .join(RUN_PAIRS, RUN_PAIRS.c.level == LEVELS.c.digest)
        .join(RUNS, RUNS.c.run == RUN_PAIRS.c.run)
        .group_by(LEVELS.c.digest, LEVELS.c.name, LEVELS.c.json)
        .order_by(func.min(RUNS.c.started), func.min(RUNS.c.run), LEVELS.c.digest)
    )
    with database.reading() as connection:
        tables = read_tables(connection, query, _SCHEMA, database.name, _level_words)
        rows = join_tables(tables, _SCHEMA).to_dicts()
    by_digest: dict[str, Version] = {}
    for name in dict.fromkeys(row["name"] for row in rows):
        of_name = [row for row in rows if row["name"] == name]
        if len(of_name) > 1:
            by_digest |= _numbered(of_name)
    return by_digest


def _level_words(row: Mapping[str, Any]) -> str:
    return f"level {row['name']!r}"


def _numbered(rows: list[dict[str, Any]]) -> dict[str, Version]:
    by_digest, before = {}, None
    for number, row in enumerate(rows, start=1):
        level = _read(row)
        changed = None if number == 1 else _changed(before, level)
        by_digest[row["digest"]] = Version(number, len(rows), row["started"], changed)
        before = level
    return by_digest


def _read(row: dict[str, Any]) -> Level | None:
    """The level as it was stored; None if today's format has no place for it."""
    try:
        return Level.from_json(row["json"], row["name"])
    except LevelError:
        return None


def _changed(before: Level | None, level: Level | None) -> str:
    if before is None or level is None:
        return "a level of another format"
    return difference(before, level).summary
