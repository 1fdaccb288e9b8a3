"""Files of people's results as they are: texts in columns, and the place of a row for messages."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from levelsense.errors import PlayersError
from levelsense.players.csv_text import CsvText
from levelsense.players.parquet import read_parquet


class ResultsFile:
    """A CSV or Parquet file; every value is a text or null, with no blanks around it.

    `nested` tells what a Parquet file's columns hold whose values are no single ones; they are null here.
    """

    def __init__(self, path: Path) -> None:
        """Reads a file; PlayersError if it cannot be read as what its suffix says."""
        self.path = path
        self._csv = CsvText(path) if path.suffix.lower() == ".csv" else None
        if self._csv is None and path.suffix.lower() not in (".parquet", ".pq"):
            raise PlayersError(f"{path}: suffix {path.suffix or 'missing'!r}; expected .csv or .parquet")
        self.nested: Mapping[str, str] = {}
        self.table = self._read()

    def place(self, row: int) -> str:
        """Where a row (from 0) stands: the line of a CSV file, the row of a Parquet file (from 1)."""
        return self.places([row])[0]

    def places(self, rows: Sequence[int]) -> list[str]:
        """Where rows stand. A CSV file is gone through again: a text may take several lines."""
        if self._csv is None:
            return [f"row {row + 1}" for row in rows]
        wanted = set(rows)
        lines = {row: line for row, (line, _) in enumerate(self._csv.records()) if row in wanted}
        return [f"line {lines[row]}" for row in rows]

    def check(self, columns: Mapping[str, str]) -> None:
        """PlayersError for columns, by field, that hold lists or the like."""
        wrong = [header for header in columns.values() if header in self.nested]
        if wrong:
            raise PlayersError(
                f"{self.path}: column {header!r}: values of type {self.nested[header]}; "
                "expected a text, a number or a date in each row"
                for header in wrong
            )

    def _read(self) -> pl.DataFrame:
        try:
            return self._texts(read_parquet(self.path) if self._csv is None else self._csv.read())
        except OSError as error:
            reason = error.strerror or "no such file or not one of this kind"
            raise PlayersError(f"{self.path}: cannot be read: {reason}") from None
        except pl.exceptions.PolarsError as error:
            raise PlayersError(f"{self.path}: cannot be read: {_first_line(error)}") from None

    def _texts(self, table: pl.DataFrame) -> pl.DataFrame:
        self.nested = {name: str(kind) for name, kind in table.schema.items() if kind.is_nested()}
        table = table.with_columns(pl.lit(None, pl.String).alias(name) for name in self.nested)
        text = pl.all().cast(pl.String).str.strip_chars()
        whole = [name for name, column in table.to_dict().items() if _is_whole(column)]
        # Another program's whole numbers, made fractions for the sake of a null among them: 12, not 12.0.
        table = table.with_columns(pl.col(whole).cast(pl.Int64)) if whole else table
        texts = table.select(text)
        return texts.select(pl.when(pl.all() != "").then(pl.all()))


def _is_whole(column: pl.Series) -> bool:
    if not column.dtype.is_float():
        return False
    known = column.drop_nulls()
    return bool((known.is_finite() & (known == known.floor()) & (known.abs() < 2**53)).all())


def _first_line(error: Any) -> str:
    return str(error).strip().split("\n")[0]
