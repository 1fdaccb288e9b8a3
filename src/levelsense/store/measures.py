"""Measures of agents' attempts, kept so that a model's table need not read the attempts again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl
from sqlalchemy import BigInteger, Connection, Select, cast, func, select
from sqlalchemy.dialects import postgresql, sqlite

from levelsense.game.state import RULES_VERSION
from levelsense.store.database import Database
from levelsense.store.reading import join_tables, read_parts
from levelsense.store.recorder import insert_quickly
from levelsense.store.schema import ATTEMPTS, MEASURE_COLUMNS, MEASURES, with_checksums

SCHEMA: Final = {
    "level": pl.String(),
    "agent": pl.String(),
    "rules": pl.Int64(),
    "seed": pl.Int64(),
    "attempts": pl.Int64(),
    "version": pl.String(),
    "fingerprint": pl.Int64(),
    "wins": pl.Int64(),
    "figures": pl.Binary(),
    "bottleneck": pl.String(),
}
_STORED: Final = SCHEMA | {"checksum": pl.Int64()}
_KEY: Final = ("level", "agent", "rules", "seed", "attempts")
assert tuple(SCHEMA) == MEASURE_COLUMNS

LevelAndAgent = tuple[str, str]  # digest and spec


@dataclass(frozen=True)
class Measured:
    """What is kept of an agent's attempts at a level: wins, figures as bytes, the bottleneck goal."""

    wins: int
    figures: bytes
    bottleneck: str | None


class KeptMeasures:
    """The measures of attempts 0 to `attempts` - 1 of runs with a seed, in a database.

    They are given back only if they were computed by the same version from the attempts that are stored now:
    all of them are there, and their checksums add up to the same. So attempts that were removed or changed,
    and rows that are damaged, are measured anew.
    """

    def __init__(self, database: Database, seed: int, version: str) -> None:
        self._database, self._seed, self._version = database, seed, version

    def read(
        self, levels: Sequence[str], agents: Sequence[str], attempts: int
    ) -> dict[LevelAndAgent, Measured]:
        """What is kept of these levels, by digest, and agents, by spec."""
        with self._database.reading() as connection:
            query = select(*(MEASURES.c[name] for name in _STORED)).where(
                MEASURES.c.level.in_(levels),
                MEASURES.c.agent.in_(agents),
                MEASURES.c.rules == RULES_VERSION,
                MEASURES.c.seed == self._seed,
                MEASURES.c.attempts == attempts,
                MEASURES.c.version == self._version,
            )
            # Values of a wrong kind are left out, as are those of a wrong checksum: they can be made again.
            parts = (part.table for part in read_parts(connection, query, _STORED))
            stored = join_tables(parts, _STORED)
            if not stored.height:
                return {}
            fingerprints = self._fingerprints(connection, levels, agents, attempts)
        sums = with_checksums(stored, MEASURE_COLUMNS)["checksum"]
        return {
            (row["level"], row["agent"]): Measured(row["wins"], row["figures"], row["bottleneck"])
            for row, checksum in zip(stored.iter_rows(named=True), sums, strict=True)
            if row["checksum"] == checksum
            and fingerprints.get((row["level"], row["agent"])) == row["fingerprint"]
        }

    def write(self, measured: Mapping[LevelAndAgent, Measured], attempts: int) -> None:
        """Keeps measures in the place of older ones; nothing in a database that can only be read.

        Those of a level and agent without all their attempts in the database are left out.
        """
        if self._database.is_read_only or not measured:
            return
        levels, agents = ({key[part] for key in measured} for part in (0, 1))
        with self._database.writing() as connection:
            fingerprints = self._fingerprints(connection, levels, agents, attempts)
            rows = [
                (
                    *(level, agent, RULES_VERSION, self._seed, attempts, self._version),
                    *(fingerprints[level, agent], of_pair.wins, of_pair.figures, of_pair.bottleneck),
                )
                for (level, agent), of_pair in sorted(measured.items())
                if (level, agent) in fingerprints
            ]
            if rows:
                table = with_checksums(pl.DataFrame(rows, SCHEMA, orient="row"), MEASURE_COLUMNS)
                insert_quickly(connection, self._upsert(), table)

    def _fingerprints(
        self, connection: Connection, levels: Iterable[str], agents: Iterable[str], attempts: int
    ) -> dict[LevelAndAgent, int]:
        """The sum of the checksums of each level's and agent's attempts, where all of them are stored."""
        fingerprints: dict[LevelAndAgent, int] = {}
        for level, agent, count, fingerprint in connection.execute(self._count(levels, agents, attempts)):
            if count == attempts:
                fingerprints[level, agent] = int(fingerprint or 0)
        return fingerprints

    def _count(self, levels: Iterable[str], agents: Iterable[str], attempts: int) -> Select[Any]:
        key = (ATTEMPTS.c.level, ATTEMPTS.c.agent)
        total = cast(func.sum(ATTEMPTS.c.checksum), BigInteger)
        return (
            select(*key, func.count(), total)
            .where(
                ATTEMPTS.c.level.in_(sorted(levels)),
                ATTEMPTS.c.agent.in_(sorted(agents)),
                ATTEMPTS.c.rules == RULES_VERSION,
                ATTEMPTS.c.seed == self._seed,
                ATTEMPTS.c.attempt >= 0,
                ATTEMPTS.c.attempt < attempts,
            )
            .group_by(*key)
        )

    def _upsert(self) -> Any:
        insert = sqlite.insert(MEASURES) if self._database.is_sqlite else postgresql.insert(MEASURES)
        values = {name: insert.excluded[name] for name in _STORED if name not in _KEY}
        return insert.on_conflict_do_update(index_elements=_KEY, set_=values)
