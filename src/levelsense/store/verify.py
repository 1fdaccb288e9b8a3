"""Looks for damage in a database: its file, its levels, every row, and attempts that are played again."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
import polars as pl
from sqlalchemy import Connection, func, select, text

from levelsense.agents.registry import Agent, parse_agent
from levelsense.errors import AgentError, LevelError, StoreError
from levelsense.game.state import RULES_VERSION
from levelsense.level.level import Level
from levelsense.playtest.attempts import ROW_SCHEMA, attempt_rows
from levelsense.playtest.figures import play_seeds
from levelsense.playtest.plan import attempt_seeds
from levelsense.store.database import Database
from levelsense.store.players import STORED_SCHEMA, key_words, result_damage
from levelsense.store.reading import Damage, Part, attempt_damage, missing_values, read_parts, stored_column
from levelsense.store.results import RUN_SCHEMA, attempt_words, run_damage, run_words
from levelsense.store.schema import (
    ATTEMPT_COLUMNS,
    ATTEMPTS,
    LEVELS,
    PLAYER_RESULTS,
    RESULT_COLUMNS,
    RUN_PAIRS,
    RUNS,
    with_checksums,
)

MOST_INTEGRITY_PROBLEMS: Final = 100
_CLOCK: Final = "seconds"  # the option of agents whose budget is time
_ATTEMPT_SCHEMA: Final = {
    "level": pl.String(),
    "agent": pl.String(),
    "rules": pl.Int64(),
    "seed": pl.Int64(),
    **ROW_SCHEMA,
    "checksum": pl.Int64(),
}
_KEY_SCHEMA: Final = {name: _ATTEMPT_SCHEMA[name] for name in ("level", "agent", "rules", "seed")}
_PAIR_SCHEMA: Final = {**_KEY_SCHEMA, "run": pl.Int64(), "attempts": pl.Int64()}
_Expected = dict[tuple[Any, ...], list[tuple[int, int]]]  # runs and their numbers of attempts, by key
Tell = Callable[[str], None]


@dataclass
class Verified:
    """How much was looked at, and how much of it is damaged.

    `sums` counts rows whose checksum was computed anew, `without_sum` those that older versions stored
    without one; `not_replayed` says why attempts cannot be played again, and how many those are.
    """

    levels: int = 0
    runs: int = 0
    attempts: int = 0
    results: int = 0
    sums: int = 0
    without_sum: int = 0
    replayed: int = 0
    damaged: int = 0
    not_replayed: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class _Key:
    """Attempts that belong together: at a level, by an agent, under rules, of a seed."""

    level: str
    agent: str
    rules: int
    seed: int
    count: int

    @property
    def columns(self) -> dict[str, Any]:
        return {"level": self.level, "agent": self.agent, "rules": self.rules, "seed": self.seed}


def verify(
    database: Database,
    sample: int | None,
    seed: int = 0,
    threads: int | None = None,
    tell: Tell = lambda sentence: None,
) -> Verified:
    """Looks at everything in a database; `tell` gets a sentence for each thing that is damaged.

    So many attempts are played again, drawn by a seed among those that can be; all of them if it is None.
    """
    return _Verification(database, sample, seed, threads, tell).run()


class _Verification:
    def __init__(
        self, database: Database, sample: int | None, seed: int, threads: int | None, tell: Tell
    ) -> None:
        self._database = database
        self._sample = sample
        self._seed = seed
        self._threads = threads
        self._tell = tell
        self._done = Verified()
        self._levels: dict[str, Level] = {}
        self._names: dict[str, str] = {}

    def run(self) -> Verified:
        """Goes on after each thing that cannot be read, so that as much as possible is told."""
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
                self._report(f"{subject}: cannot be read to the end: {reason}")
        return self._done

    def _report(self, sentence: str) -> None:
        self._done.damaged += 1
        self._tell(sentence)

    def _check_file(self, connection: Connection) -> None:
        """SQLite checks its pages and the order of its rows; PostgreSQL's server sees to its own files."""
        if not self._database.is_sqlite:
            return
        pragma = text(f"PRAGMA integrity_check({MOST_INTEGRITY_PROBLEMS})")
        for sentence in connection.execute(pragma).scalars():
            if sentence != "ok":
                self._report(f"the file: {' '.join(str(sentence).split())}")

    def _check_levels(self, connection: Connection) -> None:
        for digest, name, json in connection.execute(select(LEVELS.c.digest, LEVELS.c.name, LEVELS.c.json)):
            self._done.levels += 1
            self._names[digest] = str(name)
            where = f"level {str(name)!r}, digest {digest}"
            try:
                level = Level.from_json(str(json), "its file")
            except LevelError as error:
                self._report(f"{where}: {error.problems[0]}")
                continue
            if digest in (level.digest, level.earlier_digest):
                self._levels[digest] = level
            else:
                self._report(f"{where}: its file has the digest {level.digest}; expected the same")

    def _check_runs(self, connection: Connection) -> None:
        query = select(*(RUNS.c[name] for name in RUN_SCHEMA))
        for part in read_parts(connection, query, RUN_SCHEMA):
            self._done.runs += len(part.rows)
            self._report_part(part, run_damage(part.table), list(RUN_SCHEMA), run_words)

    def _check_results(self, connection: Connection) -> None:
        schema = {**STORED_SCHEMA, "checksum": pl.Int64}
        query = select(*(PLAYER_RESULTS.c[name] for name in schema)).order_by(PLAYER_RESULTS.c.result)
        for part in read_parts(connection, query, schema):
            self._done.results += len(part.rows)
            damage = [*result_damage(part.table), *self._wrong_sums(part.table, RESULT_COLUMNS)]
            self._report_part(part, damage, list(schema), key_words)

    def _wrong_sums(self, table: pl.DataFrame, columns: tuple[str, ...]) -> list[Damage]:
        stored, anew = table["checksum"], with_checksums(table, columns)["checksum"]
        self._done.without_sum += stored.null_count()
        self._done.sums += table.height - stored.null_count()
        return [
            Damage(row, "checksum", stored[row], f"{anew[row]}, that of its values")
            for row in (stored != anew).fill_null(False).arg_true()
        ]

    def _report_part(
        self,
        part: Part,
        damage: Sequence[Damage],
        columns: Sequence[str],
        words: Callable[[Mapping[str, Any]], str],
        played_again: Mapping[int, str] | None = None,
    ) -> None:
        """A sentence for each damaged row; `damage` and `played_again` are by the numbers of the table."""
        wrong: dict[int, list[str]] = {}
        for found in part.damage:
            wrong.setdefault(found.row, []).append(found.words)
        for found in damage:
            wrong.setdefault(part.numbers[found.row], []).append(found.words)
        for row, sentence in (played_again or {}).items():
            wrong.setdefault(part.numbers[row], []).append(sentence)
        for number, sentences in sorted(wrong.items()):
            values = dict(zip(columns, part.rows[number], strict=True))
            self._report(f"{words(values)}: {'; '.join(sentences)}")

    # Attempts

    def _check_attempts(self, connection: Connection) -> None:
        keys = self._keys(connection)
        expected = self._expected(connection)
        agents = {key: self._replaying_agent(key) for key in keys}
        chosen = self._choose([key for key in keys if agents[key] is not None])
        for key in keys:
            if key.level not in self._names:
                self._report(
                    f"level {key.level}, agent {key.agent}, seed {key.seed}: "
                    f"{key.count:,} attempts, but the level is not stored"
                )
            self._check_key(connection, key, agents[key], chosen.get(key), expected)
        for (level, agent, *_), run, number in (
            (of_key, run, number) for of_key, wanted in expected.items() for run, number in wanted
        ):
            self._report(
                f"run {run}: level {self._name(level)!r}, agent {agent}: 0 attempts; expected {number:,}"
            )

    def _name(self, digest: str) -> str:
        return self._names.get(digest, digest)

    def _keys(self, connection: Connection) -> list[_Key]:
        columns = [ATTEMPTS.c[name] for name in _KEY_SCHEMA]
        query = select(*columns, func.count()).group_by(*columns).order_by(*columns)
        schema = {**_KEY_SCHEMA, "count": pl.Int64()}
        keys: list[_Key] = []
        for part in read_parts(connection, query, schema):
            damage = missing_values(part.table)
            self._report_part(part, damage, list(schema), self._key_words)
            sound = [_Key(*row) for row in _without(part.table, damage).iter_rows()]
            self._done.attempts += sum(row[-1] for row in part.rows) - sum(key.count for key in sound)
            keys += sound
        return keys

    def _key_words(self, row: Mapping[str, Any]) -> str:
        others = ", ".join(f"{name} {row[name]}" for name in ("agent", "rules", "seed"))
        return f"level {self._name(row['level'])!r}, {others}, {row['count']:,} attempts"

    def _expected(self, connection: Connection) -> _Expected:
        """How many attempts runs say that their results are made of, by key."""
        pairs = RUN_PAIRS.c
        query = (
            select(pairs.level, pairs.agent, RUNS.c.rules, RUNS.c.seed, pairs.run, pairs.attempts)
            .outerjoin(RUNS, RUNS.c.run == pairs.run)
            .where(pairs.attempts.is_not(None))
        )
        expected: _Expected = {}
        for part in read_parts(connection, query, _PAIR_SCHEMA):
            table = part.table
            damage = [
                *missing_values(table.drop("rules", "seed")),
                *(
                    Damage(row, "run", table["run"][row], "one that is stored")
                    for row in table["rules"].is_null().arg_true()
                ),
                *(
                    Damage(row, "attempts", table["attempts"][row], "at least 0")
                    for row in (table["attempts"] < 0).arg_true()
                ),
            ]
            # What is the run's own was told of the run.
            own = [found for found in part.damage if found.column not in ("rules", "seed")]
            self._report_part(replace(part, damage=own), damage, list(_PAIR_SCHEMA), self._pair_words)
            for *of_key, run, number in _without(table, damage).iter_rows():
                expected.setdefault(tuple(of_key), []).append((run, number))
        return expected

    def _pair_words(self, row: Mapping[str, Any]) -> str:
        return f"run {row['run']}: level {self._name(row['level'])!r}, agent {row['agent']}"

    def _replaying_agent(self, key: _Key) -> Agent | None:
        """Who can play these attempts again; None if nobody can, which is counted."""
        agent, reason = None, ""
        if key.rules != RULES_VERSION:
            reason = f"of rules {key.rules}; this program plays rules {RULES_VERSION}"
        elif key.level not in self._levels:
            reason = "at levels that are damaged or not stored"
        else:
            try:
                agent = parse_agent(key.agent)
            except AgentError:
                reason = f"of agent {key.agent}, which this program does not know"
        if agent is not None and agent.spec != key.agent:
            reason = f"of agent {key.agent}, which is written {agent.spec} by now"
        elif agent is not None and agent.options.get(_CLOCK):
            reason = f"of agent {key.agent}, whose moves depend on the clock"
        if reason:
            self._done.not_replayed[reason] += key.count
            return None
        return agent

    def _choose(self, keys: Sequence[_Key]) -> dict[_Key, set[int]]:
        """The numbers of rows, in the order of each key's, that are to be played again; none: all are."""
        total = sum(key.count for key in keys)
        if self._sample is None:
            return {}
        drawn = sorted(random.Random(self._seed).sample(range(total), min(self._sample, total)))
        chosen: dict[_Key, set[int]] = {}
        first = position = 0
        for key in keys:
            chosen[key] = set()
            while position < len(drawn) and drawn[position] < first + key.count:
                chosen[key].add(drawn[position] - first)
                position += 1
            first += key.count
        return chosen

    def _check_key(
        self,
        connection: Connection,
        key: _Key,
        agent: Agent | None,
        chosen: set[int] | None,
        expected: _Expected,
    ) -> None:
        wanted = expected.pop((key.level, key.agent, key.rules, key.seed), [])
        there: Counter[int] = Counter()
        query = (
            select(*(stored_column(ATTEMPTS.c[name]) for name in _ATTEMPT_SCHEMA))
            .where(*(ATTEMPTS.c[name] == value for name, value in key.columns.items()))
            .order_by(ATTEMPTS.c.attempt)
        )
        level = self._levels.get(key.level)
        first = 0
        for part in read_parts(connection, query, _ATTEMPT_SCHEMA):
            table = part.table
            damage = [*attempt_damage(table, level), *self._wrong_sums(table, ATTEMPT_COLUMNS)]
            again: dict[int, str] = {}
            if agent is not None and level is not None:
                damaged = {found.row for found in damage}
                rows = [
                    row
                    for row, number in enumerate(part.numbers)
                    if self._sample is None or row in damaged or (chosen and first + number in chosen)
                ]
                again = self._replay(agent, level, key, table, rows)
            self._report_part(part, damage, list(_ATTEMPT_SCHEMA), self._words, again)
            for _, number in wanted:
                there[number] += int((table["attempt"] < number).sum()) + len(part.rows) - table.height
            first += len(part.rows)
            self._done.attempts += len(part.rows)
        if first < key.count:
            # Texts that are none of UTF-8 are shown by another text, which finds nothing.
            self._done.attempts += key.count - first
            self._report(
                f"{self._key_words({**key.columns, 'count': key.count})}: "
                f"only {first:,} of them can be found by these values"
            )
        for run, number in wanted:
            if there[number] < number:
                self._report(
                    f"run {run}: level {self._name(key.level)!r}, agent {key.agent}: "
                    f"{there[number]:,} attempts; expected {number:,}, of which its result is made"
                )

    def _words(self, row: Mapping[str, Any]) -> str:
        return attempt_words({**row, "name": self._name(row["level"])})

    def _replay(
        self, agent: Agent, level: Level, key: _Key, table: pl.DataFrame, rows: Sequence[int]
    ) -> dict[int, str]:
        """Plays rows of a table again; what came out otherwise, by row."""
        stored = table[rows].select(*ROW_SCHEMA) if rows else table.clear()
        playable = stored.with_columns(_row=pl.Series(rows, dtype=pl.Int64)).filter(pl.col("attempt") >= 0)
        if not playable.height:
            return {}
        seeds = _seeds(key, playable["attempt"])
        anew = attempt_rows(level, 0, play_seeds(agent, level, seeds, self._threads))
        anew = anew.with_columns(playable["attempt"])
        self._done.replayed += playable.height
        differences: dict[int, str] = {}
        differs = pl.DataFrame([playable[name].ne_missing(anew[name]) for name in ROW_SCHEMA])
        for number in differs.select(pl.arg_where(pl.any_horizontal(pl.all()))).to_series():
            told = [
                f"{name} {_shown(playable[name][number])} (played again {_shown(anew[name][number])})"
                for name in ROW_SCHEMA
                if differs[name][number]
            ]
            differences[playable["_row"][number]] = ", ".join(told)
        return differences


def _without(table: pl.DataFrame, damage: Sequence[Damage]) -> pl.DataFrame:
    """The rows of a table that are not damaged."""
    damaged = {found.row for found in damage}
    return table[[row for row in range(table.height) if row not in damaged]]


def _seeds(key: _Key, attempts: pl.Series) -> Any:
    first, last = int(attempts[0]), int(attempts[-1])
    if last - first + 1 == len(attempts):
        return attempt_seeds(key.level, key.agent, key.seed, first, len(attempts), key.rules)
    return np.concatenate(
        [attempt_seeds(key.level, key.agent, key.seed, int(number), 1, key.rules) for number in attempts]
    )


def _shown(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


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
