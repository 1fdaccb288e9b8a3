"""Rows out of a database as tables, a part at a time; a damaged value is a sentence that names its row."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl
from sqlalchemy import Boolean, Column, Connection, Integer, Select, type_coerce

from levelsense.errors import StoreError
from levelsense.game.state import GOALS_MET, REASON_NAMES
from levelsense.level.level import Level
from levelsense.playtest.attempts import BOARD_BYTES, LEFT_COLUMNS, ROW_SCHEMA

ROWS_AT_ONCE: Final = 20_000
VERIFY_ADVICE: Final = "`levelsense verify` tells all that is damaged"
_LONGEST: Final = 60
_WON: Final = REASON_NAMES[GOALS_MET]
_REASONS: Final = [name for name in REASON_NAMES if name]
_COUNTS: Final = (
    "attempt",
    "stars",
    "moves_made",
    "shuffles",
    "longest_cascade",
    "striped",
    "wrapped",
    "color_bomb",
)
_NULLABLE: Final = ("moves_left", "time_left", "least_time", "legal_moves", *LEFT_COLUMNS)
_ANY_GOALS: Final = r'\{("[^"]*":\d{1,18}(,"[^"]*":\d{1,18})*)?\}'

RowWords = Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True)
class Damage:
    """A value that cannot be: the number of its row in a table, its column, and what was expected."""

    row: int
    column: str
    value: Any
    expected: str

    @property
    def words(self) -> str:
        """`score 'abc'; expected a whole number`."""
        shown = repr(self.value)
        shown = shown if len(shown) <= _LONGEST else shown[:_LONGEST] + "..."
        return f"{self.column} {shown}; expected {self.expected}"


@dataclass(frozen=True)
class Part:
    """Some of the rows that a query found: a table of those that are of the right kinds, and what is not.

    `rows` are all of them as the driver gave them; `numbers` says which of them the table's are.
    """

    table: pl.DataFrame
    rows: Sequence[Sequence[Any]]
    numbers: Sequence[int]
    damage: list[Damage]


def stored_column(column: Column[Any]) -> Any:
    """A column as it is read: truth values as they are stored, for SQLAlchemy takes anything for one."""
    return type_coerce(column, Integer).label(column.name) if isinstance(column.type, Boolean) else column


def read_parts(
    connection: Connection, query: Select[Any], schema: Mapping[str, Any], size: int = ROWS_AT_ONCE
) -> Iterator[Part]:
    """What a query finds, in tables with the columns of a schema; no more than a part is in memory."""
    result = connection.execute(query.execution_options(yield_per=size))
    for rows in result.partitions(size):
        yield _part(rows, schema)


def read_tables(
    connection: Connection,
    query: Select[Any],
    schema: Mapping[str, Any],
    name: str,
    row_words: RowWords,
    check: Callable[[pl.DataFrame], list[Damage]] = lambda table: [],
    size: int = ROWS_AT_ONCE,
) -> Iterator[pl.DataFrame]:
    """What a query finds, as `read_parts`; StoreError for the first value of another kind, or that fails.

    `name` is the database's, `row_words` says which row one is, from its values by column.
    """
    for part in read_parts(connection, query, schema, size):
        damage = part.damage or check(part.table)
        if damage:
            row = dict(zip(schema, part.rows[damage[0].row], strict=True))
            raise StoreError(f"{name}: {row_words(row)}: {damage[0].words}; {VERIFY_ADVICE}")
        yield part.table


def join_tables(tables: Iterator[pl.DataFrame], schema: Mapping[str, Any]) -> pl.DataFrame:
    """All parts as one table."""
    return pl.concat([pl.DataFrame(schema=schema), *tables])


def _part(rows: Sequence[Sequence[Any]], schema: Mapping[str, Any]) -> Part:
    try:
        return Part(_table(rows, schema), rows, range(len(rows)), [])
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        damage = [each for number, row in enumerate(rows) for each in _wrong_kinds(number, row, schema)]
        damaged = {each.row for each in damage}
        numbers = [number for number in range(len(rows)) if number not in damaged]
        return Part(_table([rows[number] for number in numbers], schema), rows, numbers, damage)


def _table(rows: Sequence[Sequence[Any]], schema: Mapping[str, Any]) -> pl.DataFrame:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    return pl.DataFrame(
        [_series(name, kind, values) for (name, kind), values in zip(schema.items(), columns, strict=True)]
    )


def _series(name: str, kind: Any, values: Sequence[Any]) -> pl.Series:
    if kind == pl.Boolean:
        if not set(values) <= {0, 1, None}:
            raise ValueError(name)
        values = [None if value is None else bool(value) for value in values]
    return pl.Series(name, values, dtype=kind, strict=True)


def _wrong_kinds(number: int, row: Sequence[Any], schema: Mapping[str, Any]) -> Iterator[Damage]:
    for (name, kind), value in zip(schema.items(), row, strict=True):
        try:
            _series(name, kind, [value])
        except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
            yield Damage(number, name, value, _kind_words(kind))


def _kind_words(kind: Any) -> str:
    if kind == pl.Boolean:
        return "true or false"
    if kind == pl.String:
        return "a text"
    if kind == pl.Binary:
        return "bytes"
    return "a number" if kind == pl.Float64 else "a whole number"


def missing_values(table: pl.DataFrame) -> list[Damage]:
    """The values of a table that are null, where none may be."""
    return [
        Damage(row, column, None, "a value")
        for column in table.columns
        for row in table[column].is_null().arg_true()
    ]


def attempt_damage(table: pl.DataFrame, level: Level | None = None) -> list[Damage]:
    """Values that no attempt has, of rows with columns of ROW_SCHEMA; at a level, goals that it does not ask.

    In the order of the rows.
    """
    damage: list[Damage] = []
    for column, wrong, expected in _rules(level):
        rows = table.select(pl.arg_where(wrong.fill_null(False))).to_series()
        damage += [Damage(row, column, table[column][row], expected) for row in rows]
    return sorted(damage, key=lambda each: each.row)


def _rules(level: Level | None) -> Iterator[tuple[str, pl.Expr, str]]:
    for name in ROW_SCHEMA:
        if name not in _NULLABLE:
            yield name, pl.col(name).is_null(), "a value"
    yield "reason", ~pl.col("reason").is_in(_REASONS), f"one of {', '.join(_REASONS)}"
    is_won = pl.col("reason") == _WON
    yield "won", pl.col("won") != is_won, f"true if the reason is {_WON}, false if it is another"
    for name in _COUNTS:
        yield name, pl.col(name) < 0, "at least 0"
    for name in ("time_left", "least_time", "legal_moves"):
        yield name, ~pl.col(name).is_finite(), "a finite number"
    for name in LEFT_COLUMNS:
        yield name, pl.col(name).bin.size() != BOARD_BYTES, f"{BOARD_BYTES} bytes"
    goals = _ANY_GOALS
    expected = 'what was done of each goal, such as {"jelly":13}'
    if level is not None:
        goals = r"\{" + ",".join(rf'"{re.escape(name)}":\d{{1,18}}' for name in level.asked) + r"\}"
        expected = f"what was done of {', '.join(level.asked) or 'no goal'}"
    yield "goals", ~pl.col("goals").str.contains(f"^{goals}$"), expected
