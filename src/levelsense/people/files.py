"""Files of people's results as texts in columns, and the choice of the column of each field."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import polars as pl

from levelsense.errors import PlayersError
from levelsense.people.csv_text import CsvText
from levelsense.people.parquet import read_parquet, readable

REQUIRED: Final = ("level", "attempts", "successes")

# Other names of a field's column; compared in lower case, with _ for blanks and hyphens.
SYNONYMS: Final[dict[str, tuple[str, ...]]] = {
    "level": ("level_id", "level_name", "lvl", "stage"),
    "attempts": ("attempt_count", "n_attempts", "num_attempts", "plays", "tries"),
    "successes": (
        "completions",
        "n_success",
        "n_successes",
        "num_success",
        "num_successes",
        "passes",
        "success",
        "success_count",
        "wins",
    ),
    "player": ("player_id", "playerid", "uid", "user", "user_id", "userid"),
    "date": ("day", "dt"),
    "cohort": ("group", "segment", "variant"),
    "moves_left": ("moves_remaining", "remaining_moves"),
    "boosters": ("booster_count", "boosters_used", "n_boosters", "num_boosters"),
}


def parse_column(word: str) -> tuple[str, str]:
    """The field and the header of `FIELD=HEADER`; PlayersError if it is not of that form."""
    field, equals, header = word.partition("=")
    if not equals or field not in SYNONYMS or not header:
        raise PlayersError(f"`columns` {word}: expected FIELD=HEADER, FIELD one of {', '.join(SYNONYMS)}")
    return field, header


def parse_columns(words: Sequence[str]) -> dict[str, str]:
    """The headers of fields, from `FIELD=HEADER` each; PlayersError if one is wrong or given twice."""
    headers: dict[str, str] = {}
    for field, header in map(parse_column, words):
        if field in headers:
            raise PlayersError(f"`columns` {field}={header}: given twice; expected one column for {field}")
        headers[field] = header
    return headers


def choose_columns(name: str, headers: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """The header of each field that a file has, given or recognized; PlayersError if missing or ambiguous."""
    problems = [
        f"{name}: no column {header!r} for {field}; there is {', '.join(headers)}"
        for field, header in given.items()
        if header not in headers
    ]
    free = [header for header in headers if header not in given.values()]
    chosen = dict(given)
    for field in SYNONYMS:
        if field in given:
            continue
        candidates = _matching_headers(field, free)
        if len(candidates) > 1:
            problems.append(
                f"{name}: columns {', '.join(candidates)} may all be {field}; "
                f"say which by `columns` {field}=HEADER"
            )
        elif candidates:
            chosen[field] = candidates[0]
        elif field in REQUIRED:
            problems.append(
                f"{name}: no column for {field}; there is {', '.join(headers)}: "
                f"say which by `columns` {field}=HEADER"
            )
    if problems:
        raise PlayersError(problems)
    return {field: chosen[field] for field in SYNONYMS if field in chosen}


def _matching_headers(field: str, headers: Sequence[str]) -> list[str]:
    """The headers that are a field's name, or else synonyms of it."""
    plain = {header: header.strip().lower().replace(" ", "_").replace("-", "_") for header in headers}
    exact = [header for header in headers if plain[header] == field]
    return exact or [header for header in headers if plain[header] in SYNONYMS[field]]


class ResultsFile:
    """A CSV or Parquet file; every value is a text or null, with no blanks around it.

    `nested` has the types of a Parquet file's columns of nested values; these are null here.
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
        """The place of a row (from 0) in words: line of a CSV file, row of a Parquet file (from 1)."""
        return self.places([row])[0]

    def places(self, rows: Sequence[int]) -> list[str]:
        """The places of rows in words. A CSV file is read again: a value may take several lines."""
        if self._csv is None:
            return [f"row {row + 1}" for row in rows]
        wanted = set(rows)
        lines = {row: line for row, (line, _) in enumerate(self._csv.records()) if row in wanted}
        return [f"line {lines[row]}" for row in rows]

    def check(self, columns: Mapping[str, str]) -> None:
        """PlayersError if one of the columns, by field, holds nested values."""
        wrong = [header for header in columns.values() if header in self.nested]
        if wrong:
            raise PlayersError(
                f"{self.path}: column {header!r}: values of type {self.nested[header]}; "
                "expected a text, a number or a date in each row"
                for header in wrong
            )

    def _read(self) -> pl.DataFrame:
        with readable(self.path):
            return self._texts(read_parquet(self.path) if self._csv is None else self._csv.read())

    def _texts(self, table: pl.DataFrame) -> pl.DataFrame:
        self.nested = {name: str(kind) for name, kind in table.schema.items() if kind.is_nested()}
        table = table.with_columns(pl.lit(None, pl.String).alias(name) for name in self.nested)
        text = pl.all().cast(pl.String).str.strip_chars()
        whole = [name for name, column in table.to_dict().items() if _is_whole(column)]
        # Other programs store whole numbers as floats if there is a null among them: 12, not 12.0.
        table = table.with_columns(pl.col(whole).cast(pl.Int64)) if whole else table
        texts = table.select(text)
        return texts.select(pl.when(pl.all() != "").then(pl.all()))


def _is_whole(column: pl.Series) -> bool:
    if not column.dtype.is_float():
        return False
    numbers = column.drop_nulls()
    return bool((numbers.is_finite() & (numbers == numbers.floor()) & (numbers.abs() < 2**53)).all())
