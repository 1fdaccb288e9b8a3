"""The tables of a levelsense database."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnClause,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    func,
    literal_column,
)

# A change of the tables adds one; a database of a newer schema is refused, an older one upgraded (below).
SCHEMA_VERSION: Final = 3

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
    Column("checksum", BigInteger),  # of the other columns (store/checksum.py); null: of an older schema
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
    # Counts of a day do not limit each other (store/people.py checks their sums); others do.
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
TABLES_SINCE: Final = {1: (PLAYER_RESULTS,), 2: ()}
COLUMNS_SINCE: Final = {1: (), 2: (ATTEMPTS.c.checksum, PLAYER_RESULTS.c.checksum)}
