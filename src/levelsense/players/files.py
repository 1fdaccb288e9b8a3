"""Files of people's results as they are: texts in columns, and the place of a row for messages."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from levelsense.errors import PlayersError


class ResultsFile:
    """A CSV or Parquet file; every value is a text or null, with no blanks around it."""

    def __init__(self, path: Path) -> None:
        """Reads a file; PlayersError if it cannot be read as what its suffix says."""
        self.path = path
        self.is_csv = path.suffix.lower() == ".csv"
        if not self.is_csv and path.suffix.lower() not in (".parquet", ".pq"):
            raise PlayersError(f"{path}: suffix {path.suffix or 'missing'!r}; expected .csv or .parquet")
        self.table = self._read()

    def place(self, row: int) -> str:
        """Where a row (from 0) stands: the line of a CSV file, the row of a Parquet file (from 1)."""
        return self.places([row])[0]

    def places(self, rows: Sequence[int]) -> list[str]:
        """Where rows stand. A CSV file is gone through again: a text may take several lines."""
        if not self.is_csv:
            return [f"row {row + 1}" for row in rows]
        wanted = set(rows)
        lines = {row: line for row, (line, _) in enumerate(self._records()) if row in wanted}
        return [f"line {lines[row]}" for row in rows]

    def _read(self) -> pl.DataFrame:
        try:
            return self._texts(self._read_csv() if self.is_csv else pl.read_parquet(self.path))
        except OSError as error:
            reason = error.strerror or "no such file or not one of this kind"
            raise PlayersError(f"{self.path}: cannot be read: {reason}") from None
        except (pl.exceptions.PolarsError, UnicodeDecodeError, csv.Error) as error:
            raise PlayersError(f"{self.path}: cannot be read: {_first_line(error)}") from None

    def _read_csv(self) -> pl.DataFrame:
        headers = self._headers()
        twice = [header for header in dict.fromkeys(headers) if headers.count(header) > 1]
        if twice:
            raise PlayersError(f"{self.path}: line 1: columns {', '.join(twice)} twice; expected each once")
        try:
            return pl.read_csv(self.path, infer_schema=False, new_columns=headers)
        except pl.exceptions.ComputeError:
            for line, values in self._records():
                if len(values) > len(headers):
                    raise PlayersError(
                        f"{self.path}: line {line}: {len(values)} values; "
                        f"expected {len(headers)}, as many as columns"
                    ) from None
            raise

    def _headers(self) -> list[str]:
        with self.path.open(encoding="utf-8-sig", newline="") as file:
            headers = next(csv.reader(file), [])
        if not headers:
            raise PlayersError(f"{self.path}: line 1: nothing; expected the names of columns")
        return headers

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """The lines where records begin, and the values, without the heading."""
        with self.path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            next(reader)
            line = reader.line_num + 1
            for values in reader:
                yield line, values
                line = reader.line_num + 1

    @staticmethod
    def _texts(table: pl.DataFrame) -> pl.DataFrame:
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
