"""What a database holds: summaries, attempts and runs, by level, agent, seed and run."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any, Final

import polars as pl
from sqlalchemy import ColumnElement, Double, Select, and_, case, cast, func, or_, select

from levelsense.errors import AgentError, LevelError, StoreError
from levelsense.level.bundled import full_name
from levelsense.level.level import Level
from levelsense.playtest.interval import wilson
from levelsense.playtest.result import TABLE_SCHEMA
from levelsense.store.database import Database
from levelsense.store.reading import Damage, attempt_damage, join_tables, read_tables, stored_column
from levelsense.store.schema import ATTEMPTS, LEVELS, RUN_PAIRS, RUNS

_SHORTEST_DIGEST: Final = 6
_MOST_SHOWN: Final = 8


@dataclass(frozen=True)
class Selection:
    """Which attempts are meant: those for which all that is given holds.

    Levels by name, pattern (`0*`), file or digest; agents by spec or pattern (`mcts*`); a run means all
    attempts that its results are made of, whichever run played them. `digests` are whole ones, of which
    nothing need be stored.
    """

    levels: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    seed: int | None = None
    run: int | None = None
    digests: tuple[str, ...] = ()


RUN_SCHEMA: Final = {
    "run": pl.Int64,
    "started": pl.String,
    "finished": pl.String,
    "command": pl.String,
    "versions": pl.String,
    "rules": pl.Int64,
    "seed": pl.Int64,
    "attempts": pl.Int64,
    "precision": pl.Float64,
    "ceiling": pl.Int64,
}
_SUMMARY_SCHEMA: Final = {
    "level": pl.String,
    "name": pl.String,
    "agent": pl.String,
    "rules": pl.Int64,
    "seed": pl.Int64,
    "attempts": pl.Int64,
    "wins": pl.Int64,
    "mean_score": pl.Float64,
    "mean_moves_left": pl.Float64,
    "mean_time_left": pl.Float64,
}
EVERYTHING: Final = Selection()


@dataclass(frozen=True)
class Summary:
    """How an agent did on a level, as far as it is stored."""

    level: str  # digest
    name: str
    agent: str
    rules: int
    seed: int
    attempts: int
    wins: int
    mean_score: float
    mean_moves_left: float | None  # of the attempts that were won
    mean_time_left: float | None

    @property
    def success_rate(self) -> float:
        """The share of attempts that were won."""
        return self.wins / self.attempts

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the success rate."""
        return wilson(self.wins, self.attempts)

    def as_data(self) -> dict[str, Any]:
        """The summary as plain data for JSON."""
        return {
            "level": self.name,
            "digest": self.level,
            "agent": self.agent,
            "rules": self.rules,
            "seed": self.seed,
            "attempts": self.attempts,
            "wins": self.wins,
            "success_rate": self.success_rate,
            "interval": self.interval,
            "mean_score": self.mean_score,
            "mean_moves_left": self.mean_moves_left,
            "mean_time_left": self.mean_time_left,
        }


@dataclass(frozen=True)
class Run:
    """What somebody asked for, and how much of it is there."""

    run: int
    started: str
    finished: str | None
    command: str | None
    versions: str
    rules: int
    seed: int
    attempts: int
    precision: float | None
    ceiling: int | None
    levels: int
    agents: int


def summaries(database: Database, selection: Selection = EVERYTHING) -> list[Summary]:
    """A summary of each level and agent, by their names; apart for each seed and version of the rules."""
    won = ATTEMPTS.c.won
    key = (ATTEMPTS.c.level, LEVELS.c.name, ATTEMPTS.c.agent, ATTEMPTS.c.rules, ATTEMPTS.c.seed)
    means = (
        ATTEMPTS.c.score,
        case((won, ATTEMPTS.c.moves_left)),
        case((won, ATTEMPTS.c.time_left)),
    )
    figures = (
        func.count(),
        func.sum(case((won, 1), else_=0)),
        # PostgreSQL's means are decimals.
        *(cast(func.avg(value), Double) for value in means),
    )
    query = _chosen(database, selection, select(*key, *figures)).group_by(*key)
    with database.reading() as connection:
        tables = read_tables(connection, query, _SUMMARY_SCHEMA, database.name, _pair_words)
        stored = [Summary(**row) for table in tables for row in table.iter_rows(named=True)]
    return sorted(stored, key=lambda row: (row.name, row.level, row.agent, row.rules, row.seed))


def _pair_words(row: Mapping[str, Any]) -> str:
    return f"level {row['name']!r}, agent {row['agent']!r}, seed {row['seed']}"


def attempts(database: Database, selection: Selection = EVERYTHING) -> pl.DataFrame:
    """The attempts themselves (TABLE_SCHEMA), by level, agent, rules, seed and number."""
    return join_tables(attempt_tables(database, selection), TABLE_SCHEMA)


def attempt_tables(database: Database, selection: Selection = EVERYTHING) -> Iterator[pl.DataFrame]:
    """The same attempts in the same order, in tables of so few that memory does not grow with attempts."""
    key = (LEVELS.c.name, *(ATTEMPTS.c[name] for name in ("level", "agent", "rules", "seed")))
    columns = [LEVELS.c.name if name == "name" else stored_column(ATTEMPTS.c[name]) for name in TABLE_SCHEMA]
    chosen = _chosen(database, selection, select(*columns))
    keys = _chosen(database, selection, select(*key)).distinct().order_by(*key)
    with database.reading() as connection:
        # By key and not all at once: each lies in the order of its numbers, so that nothing is sorted.
        for values in connection.execute(keys).all():
            of_key = [column == value for column, value in zip(key, values, strict=True)]
            query = chosen.where(*of_key).order_by(ATTEMPTS.c.attempt)
            yield from read_tables(
                connection, query, TABLE_SCHEMA, database.name, attempt_words, attempt_damage
            )


def attempt_words(row: Mapping[str, Any]) -> str:
    """Which attempt a row is: `level '01-first-steps', agent random, rules 2, seed 0, attempt 7`."""
    others = ", ".join(f"{name} {row[name]}" for name in ("agent", "rules", "seed", "attempt"))
    return f"level {row['name'] or row['level']!r}, {others}"


def runs(database: Database) -> list[Run]:
    """All runs, the oldest first; StoreError for one that cannot be."""
    pairs = RUN_PAIRS.c
    counts = (
        func.count(pairs.level.distinct()).label("levels"),
        func.count(pairs.agent.distinct()).label("agents"),
    )
    columns = [RUNS.c[name] for name in RUN_SCHEMA]
    query = select(*columns, *counts).join(RUN_PAIRS).group_by(*columns).order_by(RUNS.c.run)
    schema = {**RUN_SCHEMA, "levels": pl.Int64, "agents": pl.Int64}
    with database.reading() as connection:
        tables = read_tables(connection, query, schema, database.name, run_words, run_damage)
        return [Run(**row) for table in tables for row in table.iter_rows(named=True)]


def run_words(row: Mapping[str, Any]) -> str:
    """Which run a row is."""
    return f"run {row['run']}"


def run_damage(table: pl.DataFrame) -> list[Damage]:
    """Values that no run has, in the order of the rows."""
    moment = "a date and time such as 2026-01-31T12:00:00+00:00"
    damage = []
    for row, run in enumerate(table.iter_rows(named=True)):
        if not _is_moment(run["started"]):
            damage.append(Damage(row, "started", run["started"], moment))
        if run["finished"] is not None and not _is_moment(run["finished"]):
            damage.append(Damage(row, "finished", run["finished"], moment))
        if not _is_object(run["versions"]):
            damage.append(Damage(row, "versions", run["versions"], "a JSON object"))
    return damage


def _is_moment(value: str | None) -> bool:
    try:
        return value is not None and datetime.fromisoformat(value) is not None
    except ValueError:
        return False


def _is_object(value: str | None) -> bool:
    try:
        return isinstance(json.loads(value or ""), dict)
    except ValueError:
        return False


def stored_level(database: Database, digest: str) -> Level:
    """The level of a digest, as it was played."""
    with database.reading() as connection:
        text = connection.execute(select(LEVELS.c.json).where(LEVELS.c.digest == digest)).scalar()
    if text is None:
        raise StoreError(f"{database.name}: no level with digest {digest}")
    return Level.from_json(text, digest)


def _chosen(database: Database, selection: Selection, query: Select[Any]) -> Select[Any]:
    """A query of attempts, narrowed to those that are meant."""
    query = query.join_from(ATTEMPTS, LEVELS)
    if selection.levels:
        query = query.where(ATTEMPTS.c.level.in_(_digests(database, selection.levels)))
    if selection.digests:
        query = query.where(ATTEMPTS.c.level.in_(selection.digests))
    if selection.agents:
        query = query.where(ATTEMPTS.c.agent.in_(_specs(database, selection.agents)))
    if selection.seed is not None:
        query = query.where(ATTEMPTS.c.seed == selection.seed)
    if selection.run is not None:
        query = _of_run(database, selection.run, query)
    return query


def _of_run(database: Database, run: int, query: Select[Any]) -> Select[Any]:
    if run not in {stored.run for stored in runs(database)}:
        raise StoreError(f"{database.name}: there is no run {run}; `levelsense results --runs` lists them")
    pairs = RUN_PAIRS.c
    of_pair: ColumnElement[bool] = and_(
        pairs.run == run,
        pairs.level == ATTEMPTS.c.level,
        pairs.agent == ATTEMPTS.c.agent,
        or_(pairs.attempts.is_(None), ATTEMPTS.c.attempt < pairs.attempts),
    )
    of_run = and_(RUNS.c.run == run, RUNS.c.seed == ATTEMPTS.c.seed, RUNS.c.rules == ATTEMPTS.c.rules)
    return query.join(RUN_PAIRS, of_pair).join(RUNS, of_run)


def _digests(database: Database, wanted: Sequence[str]) -> list[str]:
    """The digests of stored levels that names, patterns, files or digests mean."""
    schema = {"digest": pl.String, "name": pl.String}
    with database.reading() as connection:
        query = select(LEVELS.c.digest, LEVELS.c.name)
        tables = read_tables(connection, query, schema, database.name, lambda row: f"level {row['digest']!r}")
        stored = dict(join_tables(tables, schema).iter_rows())
    digests: list[str] = []
    for word in wanted:
        level = full_name(word)
        meant = [digest for digest, name in stored.items() if _is_level(level, digest, name)]
        if not meant:
            raise StoreError(_nothing(database, "level", word, stored.values()))
        digests += meant
    return digests


def _is_level(word: str, digest: str, name: str) -> bool:
    names = (name, *name.split(", "))
    by_digest = len(word) >= _SHORTEST_DIGEST and digest.startswith(word.lower())
    return by_digest or any(fnmatchcase(one, word) for one in names) or digest in _digests_of_file(word)


def _digests_of_file(word: str) -> tuple[str, ...]:
    """What a database may know the level of a file by; nothing if there is none."""
    try:
        level = Level.load(word)
    except LevelError:
        return ()
    return level.digest, level.earlier_digest


def _specs(database: Database, wanted: Sequence[str]) -> list[str]:
    """The stored specs that specs or patterns mean."""
    with database.reading() as connection:
        query, schema = select(RUN_PAIRS.c.agent).distinct(), {"agent": pl.String}
        tables = read_tables(connection, query, schema, database.name, lambda row: "an agent of a run")
        stored = join_tables(tables, schema)["agent"].to_list()
    specs: list[str] = []
    for word in wanted:
        spec = _canonical(word)
        meant = [agent for agent in stored if agent == spec or fnmatchcase(agent, word)]
        if not meant:
            raise StoreError(_nothing(database, "agent", word, stored))
        specs += meant
    return specs


def _canonical(word: str) -> str | None:
    from levelsense.agents.registry import parse_agent

    try:
        return parse_agent(word).spec
    except AgentError:
        return None


def _nothing(database: Database, kind: str, word: str, stored: Iterable[str]) -> str:
    names = sorted(stored)
    shown = ", ".join(names[:_MOST_SHOWN]) or "nothing yet"
    rest = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    return f"{database.name}: no {kind} {word!r} is stored; there is {shown}{rest}"
