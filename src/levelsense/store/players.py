"""Players' results in a database: what people, or simulated players, made of levels."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import polars as pl
from sqlalchemy import Connection, Select, bindparam, func, or_, select, text

from levelsense.errors import PlayersError, StoreError
from levelsense.store.database import Database
from levelsense.store.reading import Damage, join_tables, missing_values, read_tables
from levelsense.store.recorder import insert_quickly
from levelsense.store.schema import PLAYER_RESULTS, RESULT_COLUMNS, with_checksums

RESULTS_SCHEMA: Final = {
    "level": pl.String,
    "player": pl.String,
    "date": pl.Date,
    "cohort": pl.String,
    "attempts": pl.Int64,
    "successes": pl.Int64,
    "moves_left": pl.Float64,
    "boosters": pl.Int64,
    "source": pl.String,
}
KEY: Final = ("level", "player", "date", "cohort")
VALUES: Final = ("attempts", "successes", "moves_left", "boosters")
MOST_NAMED: Final = 10
SIMULATED: Final = "simulated: "  # how sources begin that are no people
LevelSources = dict[str, set[str]]  # where the results of each level come from
_REQUIRED: Final = ("level", "attempts", "successes", "source")
STORED_SCHEMA: Final = RESULTS_SCHEMA | {"date": pl.String}
_MATCHED: Final = [f"key_{name}" for name in KEY]
_CHUNK: Final = 50_000
_MOST_LEVELS: Final = 500  # that a statement asks for by name; beyond that everything is read


@dataclass(frozen=True)
class Counts:
    """What became of rows: new ones, those that were stored already, and those put in place of others."""

    added: int
    known: int
    replaced: int = 0


@dataclass(frozen=True)
class Source:
    """Where stored results come from, and how much of them there is."""

    source: str
    rows: int
    levels: int
    attempts: int


class PlayerResults:
    """The players' results of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, frame: pl.DataFrame, *, replace: bool = False) -> Counts:
        """Stores rows (RESULTS_SCHEMA; what may be null may be left out), all of them or none.

        A row with the level, player, date and cohort of a stored one is known if it says the same.
        PlayersError if it says something else, unless `replace`: then it takes the other's place.

        A row with a date counts what was begun and what was won that day, and neither limits the other. Over
        all rows of a level in a cohort there must be attempts, and no more successes: PlayersError otherwise.
        """
        return self.add_all([frame], replace=replace)[0]

    def add_all(self, frames: Iterable[pl.DataFrame], *, replace: bool = False) -> list[Counts]:
        """Stores several tables as `add` does, one after the other, all of them or none."""
        prepared = [_prepared(frame) for frame in frames]
        with self._adding() as connection:
            name = self._database.name
            counts = [_add(connection, frame, replace, name) for frame in prepared]
            _check_sums(connection, {name for frame in prepared for name in frame["level"].unique()})
            return counts

    def put(self, frame: pl.DataFrame, known: Callable[[LevelSources], Collection[str]]) -> Counts:
        """Stores rows of one cohort as `add` does, in the place of all its rows of their levels.

        `known` gets where the cohort's stored results come from, when nobody else can change them any more:
        it gives the names of the levels whose results stay, or raises an error, and nothing is stored.
        """
        prepared = _prepared(frame)
        (cohort,) = prepared["cohort"].unique()
        table = PLAYER_RESULTS.c
        with self._adding() as connection:
            staying = known(_level_sources(connection, cohort, self._database.name))
            new = prepared.filter(~pl.col("level").is_in(list(staying)))
            levels = set(new["level"].unique())
            for level in sorted(levels):
                connection.execute(
                    PLAYER_RESULTS.delete().where(
                        table.level == level, table.cohort.is_not_distinct_from(cohort)
                    )
                )
            counts = _add(connection, new, replace=False, name=self._database.name)
            _check_sums(connection, levels)
            return Counts(counts.added, prepared.height - new.height)

    @contextmanager
    def _adding(self) -> Iterator[Connection]:
        """A transaction that looks at what is stored before it adds to it: nobody else adds meanwhile."""
        with self._database.writing() as connection:
            if not self._database.is_sqlite:
                connection.execute(text(f"LOCK TABLE {PLAYER_RESULTS.name} IN SHARE ROW EXCLUSIVE MODE"))
            yield connection

    def read(
        self, levels: Sequence[str] | None = None, cohort: str | None = None, source: str | None = None
    ) -> pl.DataFrame:
        """Stored rows (RESULTS_SCHEMA) in the order of level, player, date and cohort."""
        query = select(*(PLAYER_RESULTS.c[name] for name in RESULTS_SCHEMA))
        if levels is not None and len(levels) <= _MOST_LEVELS:
            query = query.where(PLAYER_RESULTS.c.level.in_(levels))
        if cohort is not None:
            query = query.where(PLAYER_RESULTS.c.cohort == cohort)
        if source is not None:
            query = query.where(PLAYER_RESULTS.c.source == source)
        with self._database.reading() as connection:
            results = _read(connection, query, STORED_SCHEMA, self._database.name)
        if levels is not None:
            results = results.filter(pl.col("level").is_in(list(levels)))
        return results.with_columns(pl.col("date").str.to_date("%Y-%m-%d")).sort(KEY)

    def levels(self) -> list[str]:
        """The names of levels that there are results of; StoreError if one cannot be."""
        return self._names("level")

    def cohorts(self) -> list[str]:
        """The names of cohorts that there are results of; StoreError if one cannot be."""
        return self._names("cohort")

    def _names(self, column: str) -> list[str]:
        """The texts of a column, each once, in their order."""
        names = PLAYER_RESULTS.c[column]
        query = select(names).where(names.is_not(None)).distinct()
        with self._database.reading() as connection:
            texts = _read_some(connection, query, {column: pl.String()}, self._database.name)
        return sorted(texts[column])

    def level_sources(self, cohort: str) -> LevelSources:
        """Where a cohort's results of each level come from; StoreError if one cannot be."""
        with self._database.reading() as connection:
            return _level_sources(connection, cohort, self._database.name)

    def sources(self) -> list[Source]:
        """Where the results come from, by name; StoreError if one cannot be."""
        table = PLAYER_RESULTS.c
        counts = (func.count(), func.count(table.level.distinct()), func.sum(table.attempts))
        query = select(table.source, *counts).group_by(table.source)
        schema = {"source": pl.String(), "rows": pl.Int64(), "levels": pl.Int64(), "attempts": pl.Int64()}
        with self._database.reading() as connection:
            sources = _read_some(connection, query, schema, self._database.name)
        return [Source(*row) for row in sources.sort("source").iter_rows()]


def _level_sources(connection: Connection, cohort: str | None, name: str) -> LevelSources:
    table = PLAYER_RESULTS.c
    query = select(table.level, table.source).where(table.cohort.is_not_distinct_from(cohort)).distinct()
    sources: LevelSources = {}
    schema = {"level": pl.String(), "source": pl.String()}
    for level, source in _read_some(connection, query, schema, name).iter_rows():
        sources.setdefault(level, set()).add(source)
    return sources


def _prepared(frame: pl.DataFrame) -> pl.DataFrame:
    """A table with all columns as they are stored; StoreError if one is missing or of another kind."""
    missing = [name for name in _REQUIRED if name not in frame.columns]
    if missing:
        raise StoreError(f"players' results without {', '.join(missing)}; expected {', '.join(_REQUIRED)}")
    absent = [pl.lit(None).alias(name) for name in RESULTS_SCHEMA if name not in frame.columns]
    try:
        whole = frame.with_columns(absent).select(
            pl.col(name).cast(kind) for name, kind in RESULTS_SCHEMA.items()
        )
    except pl.exceptions.PolarsError as error:
        raise StoreError(f"players' results of another kind than expected: {error}") from None
    return whole.with_columns(pl.col("date").dt.to_string("%Y-%m-%d"))


def _add(connection: Connection, frame: pl.DataFrame, replace: bool, name: str) -> Counts:
    stored = _stored(connection, frame, name).rename({name: f"stored_{name}" for name in (*VALUES, "source")})
    joined = _keyed(frame).join(_keyed(stored).drop(*KEY), on=_MATCHED, how="left")
    new = joined.filter(pl.col("result").is_null())
    differs = pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"stored_{name}")) for name in VALUES)
    different = joined.filter(pl.col("result").is_not_null() & differs)
    if different.height and not replace:
        raise PlayersError(_contradictions(different))
    _update(connection, different)
    # In the order of the index, or it would be written all over.
    for chunk in new.select(*RESULTS_SCHEMA).sort("level", "cohort", "player", "date").iter_slices(_CHUNK):
        insert_quickly(connection, PLAYER_RESULTS.insert(), with_checksums(chunk, RESULT_COLUMNS))
    return Counts(new.height, frame.height - new.height - different.height, different.height)


def _check_sums(connection: Connection, levels: set[str]) -> None:
    """PlayersError if all rows of one of these levels, in a cohort, cannot be true together."""
    table = PLAYER_RESULTS.c
    attempts, successes = func.sum(table.attempts), func.sum(table.successes)
    # People and simulated players apart, as their success rates are told.
    query = (
        select(table.level, table.cohort, attempts, successes)
        .group_by(table.level, table.cohort, table.source.startswith(SIMULATED))
        .having(or_(attempts < 1, successes > attempts))
        .order_by(table.level, table.cohort)
    )
    if len(levels) <= _MOST_LEVELS:
        query = query.where(table.level.in_(levels))
    wrong = connection.execute(query).all()
    if wrong:
        more = more_words(len(wrong) - MOST_NAMED, "level", "levels")
        raise PlayersError([*(_impossible(*row) for row in wrong[:MOST_NAMED]), *more])


def _impossible(level: str, cohort: str | None, attempts: int, successes: int) -> str:
    where = key_words({"level": level, "player": None, "date": None, "cohort": cohort})
    return (
        f"{where}: attempts {attempts}, successes {successes}, over all rows with those stored already; "
        "expected at least 1 attempt and no more successes than attempts: nothing is stored"
    )


def _stored(connection: Connection, frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """The stored rows that those of a table may be the same as."""
    schema = {"result": pl.Int64, **STORED_SCHEMA}
    query = select(*(PLAYER_RESULTS.c[column] for column in schema))
    names = frame["level"].unique().to_list()
    if len(names) <= _MOST_LEVELS:
        query = query.where(PLAYER_RESULTS.c.level.in_(names))
    return _read(connection, query, schema, name)


def _read(connection: Connection, query: Select[Any], schema: Mapping[str, Any], name: str) -> pl.DataFrame:
    """What a query of stored results finds; StoreError for a row that cannot be."""
    return join_tables(read_tables(connection, query, schema, name, key_words, result_damage), schema)


def _read_some(
    connection: Connection, query: Select[Any], schema: Mapping[str, Any], name: str
) -> pl.DataFrame:
    """What a query of some columns, or of sums, finds; StoreError for a value that cannot be."""
    tables = read_tables(connection, query, schema, name, lambda row: "players' results", missing_values)
    return join_tables(tables, schema)


def result_damage(table: pl.DataFrame) -> list[Damage]:
    """Values that no stored result has (with dates as texts), in the order of the rows."""
    date = pl.col("date").str.to_date("%Y-%m-%d", strict=False)
    undated = pl.col("date").is_null()
    rules = [
        *((name, pl.col(name).is_null(), "a value") for name in _REQUIRED),
        ("date", ~undated & date.is_null(), "a date such as 2014-01-31"),
        ("attempts", pl.col("attempts") < pl.when(undated).then(1).otherwise(0), "a number of attempts"),
        ("successes", pl.col("successes") < 0, "at least 0"),
        (
            "successes",
            undated & (pl.col("successes") > pl.col("attempts")),
            "no more successes than attempts",
        ),
        ("moves_left", ~pl.col("moves_left").is_finite(), "a finite number"),
    ]
    damage = [
        Damage(row, column, table[column][row], expected)
        for column, wrong, expected in rules
        for row in table.select(pl.arg_where(wrong.fill_null(False))).to_series()
    ]
    return sorted(damage, key=lambda each: each.row)


def _keyed(frame: pl.DataFrame) -> pl.DataFrame:
    """With the key's columns once more for a join, to which nulls would not be equal."""
    return frame.with_columns(pl.col(name).fill_null("").alias(f"key_{name}") for name in KEY)


def _update(connection: Connection, different: pl.DataFrame) -> None:
    """Puts rows in the place of the stored ones that they differ from."""
    if not different.height:
        return
    set_names = (*VALUES, "source", "checksum")
    statement = (
        PLAYER_RESULTS.update()
        .where(PLAYER_RESULTS.c.result == bindparam("of_result"))
        .values({name: bindparam(f"new_{name}") for name in set_names})
    )
    renamed = with_checksums(different, RESULT_COLUMNS).select(
        pl.col("result").alias("of_result"), *(pl.col(name).alias(f"new_{name}") for name in set_names)
    )
    connection.execute(statement, renamed.rows(named=True))


def _contradictions(different: pl.DataFrame) -> list[str]:
    """A sentence for each of the first rows that are not what is stored."""
    sentences = [_contradiction(row) for row in different.head(MOST_NAMED).iter_rows(named=True)]
    return sentences + more_words(
        different.height - MOST_NAMED, "row that contradicts", "rows that contradict"
    )


def _contradiction(row: dict[str, Any]) -> str:
    differing = [name for name in VALUES if row[name] != row[f"stored_{name}"]]
    new = ", ".join(f"{name} {_shown(row[name])}" for name in differing)
    old = ", ".join(f"{name} {_shown(row[f'stored_{name}'])}" for name in differing)
    return (
        f"{row['source']}: {key_words(row)}: {new}; stored from {row['stored_source']} is {old}: "
        "expected the same, or `replace`"
    )


def _shown(value: float | None) -> str:
    return "nothing" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def key_words(row: Mapping[str, Any]) -> str:
    """Which result a row is: `level 'a', player 'ann', date 2014-01-04`."""
    shown = {name: row[name] for name in KEY if row[name] is not None}
    return ", ".join(f"{name} {value if name == 'date' else repr(value)}" for name, value in shown.items())


def more_words(number: int, one: str, several: str) -> list[str]:
    """What is said of those that are not named: nothing if there are none."""
    return [f"and {number:,} more {one if number == 1 else several}"] if number > 0 else []
