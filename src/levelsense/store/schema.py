"""The tables of a levelsense database, the checksum of their rows, and the way from older schemas."""

import shlex
from contextlib import suppress
from typing import Any, Final
from zlib import crc32

import polars as pl
from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnClause,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    bindparam,
    func,
    inspect,
    literal_column,
    select,
    text,
)
from sqlalchemy.schema import CreateColumn

from levelsense.playtest.attempts import ROW_SCHEMA
from levelsense.store.address import public_command

# A change of the tables adds one; a database of a newer schema is refused, an older one upgraded (below).
SCHEMA_VERSION: Final = 5

METADATA: Final = MetaData()

SCHEMA: Final = Table("levelsense_schema", METADATA, Column("version", Integer, primary_key=True))

LEVELS: Final = Table(
    "levels",
    METADATA,
    Column("digest", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("json", Text, nullable=False),
)

# What was asked for, each time somebody asked.
RUNS: Final = Table(
    "runs",
    METADATA,
    Column("run", Integer, primary_key=True),
    Column("started", Text, nullable=False),  # UTC, ISO 8601
    Column("finished", Text),  # null: under way or interrupted
    Column("command", Text),
    Column("versions", Text, nullable=False),  # JSON: of levelsense and what computes with it
    Column("rules", Integer, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("precision", Double),
    Column("ceiling", Integer),
    sqlite_autoincrement=True,
)

# Which levels and agents a run was about; their attempts may have been played by an earlier one.
RUN_PAIRS: Final = Table(
    "run_pairs",
    METADATA,
    Column("run", ForeignKey(RUNS.c.run), primary_key=True),
    Column("level", ForeignKey(LEVELS.c.digest), primary_key=True),
    Column("agent", Text, primary_key=True),
    Column("attempts", Integer),  # that its result is made of; null: not finished
)

# Without a row number of its own, SQLite keeps the table in the order of its key, once.
ATTEMPTS: Final = Table(
    "attempts",
    METADATA,
    Column("level", ForeignKey(LEVELS.c.digest), primary_key=True),
    Column("agent", Text, primary_key=True),
    Column("rules", Integer, primary_key=True, autoincrement=False),
    Column("seed", BigInteger, primary_key=True, autoincrement=False),
    Column("attempt", Integer, primary_key=True, autoincrement=False),
    Column("won", Boolean, nullable=False),
    Column("reason", Text, nullable=False),
    Column("score", BigInteger, nullable=False),
    Column("stars", Integer, nullable=False),
    Column("moves_made", Integer, nullable=False),
    Column("moves_left", Integer),
    Column("time_left", Double),
    Column("least_time", Double),  # null: in a level with moves, or of an older schema
    Column("shuffles", Integer, nullable=False),
    Column("longest_cascade", Integer, nullable=False),
    Column("striped", Integer, nullable=False),
    Column("wrapped", Integer, nullable=False),
    Column("color_bomb", Integer, nullable=False),
    Column("legal_moves", Double),
    Column("goals", Text, nullable=False),
    Column("left_jelly", LargeBinary),
    Column("left_blocker", LargeBinary),
    Column("left_ingredient", LargeBinary),
    Column("checksum", BigInteger),  # of the other columns (with_checksums, below); null: of an older schema
    sqlite_with_rowid=False,
)

# What models need to know of an agent's attempts at a level, so that these need not be read again.
MEASURES: Final = Table(
    "measures",
    METADATA,
    Column("level", ForeignKey(LEVELS.c.digest), primary_key=True),
    Column("agent", Text, primary_key=True),
    Column("rules", Integer, primary_key=True, autoincrement=False),
    Column("seed", BigInteger, primary_key=True, autoincrement=False),
    Column("attempts", Integer, primary_key=True, autoincrement=False),  # those from 0 on, so many
    Column("version", Text, nullable=False),  # of how measures are computed
    Column("fingerprint", BigInteger, nullable=False),  # the sum of the attempts' checksums
    Column("wins", Integer, nullable=False),
    Column("figures", LargeBinary, nullable=False),  # little-endian float64
    Column("bottleneck", Text),
    Column("checksum", BigInteger, nullable=False),  # of the other columns
    sqlite_with_rowid=False,
)

# What people, or simulated players, made of levels.
PLAYER_RESULTS: Final = Table(
    "player_results",
    METADATA,
    Column("result", Integer, primary_key=True),
    Column("level", Text, nullable=False),  # its name
    Column("player", Text),
    Column("date", Text),  # ISO 8601
    Column("cohort", Text),
    Column("attempts", Integer, nullable=False),
    Column("successes", Integer, nullable=False),
    Column("moves_left", Double),
    Column("boosters", Integer),
    Column("source", Text, nullable=False),
    Column("checksum", BigInteger),  # of the other columns but the first; null: of an older schema
    CheckConstraint("attempts >= 0", name="player_results_attempts"),
    CheckConstraint("successes >= 0", name="player_results_successes"),
    # Counts of a day do not limit each other (store/players.py checks their sums); others do.
    CheckConstraint(
        "date IS NOT NULL OR (attempts >= 1 AND successes <= attempts)", name="player_results_undated"
    ),
)

_NOTHING: Final[ColumnClause[str]] = literal_column("''")

# To a unique index, nulls differ from each other; here they are the same nothing.
Index(
    "player_results_key",
    PLAYER_RESULTS.c.level,
    func.coalesce(PLAYER_RESULTS.c.cohort, _NOTHING),
    func.coalesce(PLAYER_RESULTS.c.player, _NOTHING),
    func.coalesce(PLAYER_RESULTS.c.date, _NOTHING),
    unique=True,
)

# What a database of each older schema lacks: whole tables, and columns of tables that it has.
TABLES_SINCE: Final[dict[int, tuple[Table, ...]]] = {1: (PLAYER_RESULTS,), 2: (), 3: (), 4: (MEASURES,)}
COLUMNS_SINCE: Final[dict[int, tuple[Column[Any], ...]]] = {
    1: (),
    2: (ATTEMPTS.c.checksum, PLAYER_RESULTS.c.checksum),
    3: (ATTEMPTS.c.least_time,),
    4: (),
}


_KEY: Final = ("level", "agent", "rules", "seed")
_LATER: Final = "least_time"  # a column that came when attempts had checksums already
ATTEMPT_COLUMNS: Final = (*_KEY, *(name for name in ROW_SCHEMA if name != _LATER), _LATER)
RESULT_COLUMNS: Final = tuple(
    column.name for column in PLAYER_RESULTS.columns if column.name not in ("result", "checksum")
)
MEASURE_COLUMNS: Final = tuple(column.name for column in MEASURES.columns if column.name != "checksum")
assert {column.name for column in ATTEMPTS.columns} == {*ATTEMPT_COLUMNS, "checksum"}


def with_checksums(table: pl.DataFrame, columns: tuple[str, ...]) -> pl.DataFrame:
    """A table with a column more: the checksum of these columns, CRC-32 of the values as Python writes them.

    The values are those of the columns' kinds, so that every database and version gives the same. The column
    of a later schema counts only where it has a value: the checksums of older rows stay what they were.
    """
    rows = table.select(columns).iter_rows()
    if columns[-1] == _LATER:
        rows = (row[:-1] if row[-1] is None else row for row in rows)
    sums = [crc32(repr(row).encode("utf-8", "surrogatepass")) for row in rows]
    return table.with_columns(pl.Series("checksum", sums, dtype=pl.Int64))


_WITHOUT_SECRETS = 3  # from this schema on, commands are stored without what is secret in a URL's query


def upgrade(connection: Connection, version: int | None) -> None:
    """Makes what a database of a version lacks, all tables if it has none (None)."""
    if version is None:
        METADATA.create_all(connection)
        connection.execute(SCHEMA.insert().values(version=SCHEMA_VERSION))
    elif version < SCHEMA_VERSION:
        for older in range(version, SCHEMA_VERSION):
            METADATA.create_all(connection, tables=TABLES_SINCE[older])
            for column in COLUMNS_SINCE[older]:
                _add_column(connection, column)
        if version < _WITHOUT_SECRETS:
            _hide_secrets(connection)
        connection.execute(SCHEMA.update().values(version=SCHEMA_VERSION))


def _add_column(connection: Connection, column: Column[Any]) -> None:
    """Adds a column to a table, unless the table was just made with it. Its values are null."""
    name = column.table.name
    if column.name in {there["name"] for there in inspect(connection).get_columns(name)}:
        return
    written = CreateColumn(column).compile(dialect=connection.dialect)
    connection.execute(text(f"ALTER TABLE {name} ADD COLUMN {written}"))


def _hide_secrets(connection: Connection) -> None:
    """Takes passwords out of the commands of runs, where a URL's query had them."""
    commands = connection.execute(select(RUNS.c.run, RUNS.c.command).where(RUNS.c.command.is_not(None))).all()
    statement = RUNS.update().where(RUNS.c.run == bindparam("of_run")).values(command=bindparam("public"))
    for run, command in commands:
        # A command that is no shell's stays as it is.
        with suppress(ValueError):
            public = public_command(shlex.split(command))
            if "://" in command and public != command:
                connection.execute(statement, {"of_run": run, "public": public})
