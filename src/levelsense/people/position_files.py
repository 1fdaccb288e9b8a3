"""Files of positions: a row a move of people or other engines, read, checked and written."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from levelsense.errors import PlayersError
from levelsense.people.files import ResultsFile
from levelsense.people.position_rows import (
    REQUIRED,
    WrongValueError,
    needed_columns,
    read_rows,
    whole,
)
from levelsense.people.position_table import POSITION_SCHEMA
from levelsense.people.positions import (
    POSITIONS_AT_ONCE,
    Extent,
    Levels,
    Positions,
    Problem,
    Telemetry,
    refuse_unknown,
)
from levelsense.playtest.levels import NamedLevel, gather_levels

_MOST_ATTEMPTS: Final = 2**31 - 1
_ATTEMPT: Final = ("cohort", "player", "attempt")
_MOST_TURNS: Final = 9_999  # that a position may have behind it


class MatchedLevel(NamedTuple):
    """A level of a file, and the name and digest that its rows know it by."""

    named: NamedLevel
    name: str
    digest: str | None


@dataclass(frozen=True, eq=False)
class PositionLog(Telemetry):
    """A file of positions whose columns, attempts and turns are right; `positions` looks at the rest.

    rows    row (from 0), the columns of POSITION_SCHEMA as texts, attempt and turn as numbers
    unused  headers of other columns
    """

    path: Path
    file: ResultsFile
    rows: pl.DataFrame
    unused: tuple[str, ...]

    def __len__(self) -> int:
        return self.rows.height

    @cached_property
    def _level_rows(self) -> dict[tuple[str, str | None], pl.DataFrame]:
        """The rows of each level, by attempts in order, by its name and digest."""
        parts = self.rows.sort(*_ATTEMPT, "turn", maintain_order=True).partition_by(
            "level", "digest", as_dict=True, maintain_order=True
        )
        return {(str(name), digest): part for (name, digest), part in parts.items()}

    def places(self, rows: Sequence[int]) -> list[str]:
        """The places of rows in words."""
        return self.file.places(rows)

    @cached_property
    def extent(self) -> Extent:
        """How much it holds."""
        counts = self.rows.select(
            levels=pl.struct("level", "digest").n_unique(),
            players=pl.struct("cohort", "player").n_unique(),
            attempts=pl.struct("level", "digest", *_ATTEMPT).n_unique(),
            moves=pl.len(),
        )
        return Extent(*counts.row(0))

    def played(self, levels: Levels) -> list[NamedLevel]:
        """Those of the levels that there are rows of, in order; PlayersError if rows are of others."""
        return list(dict.fromkeys(level.named for level in self._find(levels)))

    def read(
        self, levels: Levels, at_once: int = POSITIONS_AT_ONCE
    ) -> Iterator[tuple[Positions | None, list[Problem]]]:
        """The positions as `positions` gives them, but for wrong rows, and what is wrong with these."""
        matched = self._find(levels)
        self._check_needed(matched)
        for level in matched:
            for part in _attempts_at_once(self._level_rows[level.name, level.digest], at_once):
                yield read_rows(level.named, part)

    def _find(self, levels: Levels) -> list[MatchedLevel]:
        """The levels of the rows, in the order given; PlayersError if some are not among these."""
        gathered = gather_levels(levels)
        by_key = _by_names(gathered) | {named.level.digest: named for named in gathered}
        matched, unknown = [], []
        for name, digest in self._level_rows:
            named = by_key.get(name if digest is None else digest)
            if named is None:
                unknown.append((name, digest))
            else:
                matched.append(MatchedLevel(named, name, digest))
        refuse_unknown(
            self.path,
            [name if digest is None else f"{name} (digest {digest[:16]})" for name, digest in unknown],
            len(self._level_rows),
            sum(self._level_rows[key].height for key in unknown),
            len(self),
        )
        order = {named.level.digest: number for number, named in enumerate(gathered)}
        return sorted(matched, key=lambda level: order[level.named.level.digest])

    def _check_needed(self, matched: Sequence[MatchedLevel]) -> None:
        """PlayersError for each column that the levels need and that the file lacks."""
        there = self.file.table.columns
        lacking: dict[str, str] = {}
        for level in matched:
            for column in needed_columns(level.named.level):
                if column not in there:
                    lacking.setdefault(column, level.name)
        if lacking:
            raise PlayersError(
                f"{self.path}: no column {column}, which level {name} needs; there is {', '.join(there)}"
                for column, name in lacking.items()
            )


def read_positions(path: str | Path) -> PositionLog:
    """A CSV or Parquet file of positions; PlayersError if its columns, attempts or turns are wrong.

    The rows themselves are read, level by level, by the methods of what it gives.
    """
    file = ResultsFile(Path(path))
    headers = file.table.columns
    missing = [name for name in REQUIRED if name not in headers]
    if missing:
        columns = "column" if len(missing) == 1 else "columns"
        raise PlayersError(
            f"{path}: no {columns} {', '.join(missing)}, which positions need; there is {', '.join(headers)}"
        )
    used = [name for name in POSITION_SCHEMA if name in headers]
    file.check({name: name for name in used})
    rows = file.table.select(pl.int_range(pl.len()).alias("row"), *used)
    rows = rows.with_columns(
        pl.lit(None, pl.String).alias(name) for name in ("digest", "type", "cohort") if name not in used
    )
    if rows.is_empty():
        raise PlayersError(f"{path}: no rows")
    log = PositionLog(file.path, file, rows, tuple(name for name in headers if name not in POSITION_SCHEMA))
    if problems := [*_missing_values(rows), *_wrong_numbers(rows)]:
        raise PlayersError(log.sentences(problems))
    log = replace(log, rows=rows.with_columns(pl.col("attempt", "turn").cast(pl.Int64)))
    if problems := _duplicates(log):
        raise PlayersError(log.sentences(problems))
    return log


def _missing_values(rows: pl.DataFrame) -> Iterator[Problem]:
    """Rows without a value that every row needs."""
    for name in REQUIRED:
        for row in rows.filter(pl.col(name).is_null())["row"]:
            yield Problem(row, f"{name}: nothing; expected a value")


def _wrong_numbers(rows: pl.DataFrame) -> Iterator[Problem]:
    """Rows whose attempt or turn is no whole number."""
    for name, most in {"attempt": _MOST_ATTEMPTS, "turn": _MOST_TURNS}.items():
        number = pl.col(name).cast(pl.Int64, strict=False)
        wrong = pl.col(name).is_not_null() & ~number.is_between(0, most).fill_null(False)
        for row, text in rows.filter(wrong).select("row", name).iter_rows():
            try:
                whole(name, text, 0, most)
            except WrongValueError as error:
                yield Problem(row, str(error))


def _duplicates(log: PositionLog) -> list[Problem]:
    """Rows with the level, player, attempt and turn of an earlier row."""
    key = ["level", "digest", *_ATTEMPT, "turn"]
    numbered = log.rows.with_columns(first=pl.col("row").min().over(key))
    later = numbered.filter(pl.col("row") != pl.col("first")).select("row", "first", *key)
    places = log.places(later["first"].to_list()) if later.height else []
    return [
        Problem(
            row["row"],
            f"level {row['level']}, player {row['player']}, attempt {row['attempt']}, turn {row['turn']}, "
            f"as in {first} already; expected each turn once",
        )
        for row, first in zip(later.iter_rows(named=True), places, strict=True)
    ]


def _by_names(gathered: Iterable[NamedLevel]) -> dict[str, NamedLevel]:
    """Levels by the names of their files, else by their own; a name of two levels is none of either's."""
    levels = list(gathered)
    files = [(name, named) for named in levels for name in {named.name, *named.names}]
    titles = [(named.level.name, named) for named in levels]
    return _named_once(titles) | _named_once(files)


def _named_once(names: Sequence[tuple[str, NamedLevel]]) -> dict[str, NamedLevel]:
    """Levels by the names that only one of them has."""
    counts = Counter(name for name, _ in names)
    return {name: named for name, named in names if counts[name] == 1}


def _attempts_at_once(rows: pl.DataFrame, at_once: int) -> Iterator[pl.DataFrame]:
    """Parts of about so many rows, of whole attempts each."""
    lengths = rows.group_by(_ATTEMPT, maintain_order=True).len()["len"].to_list()
    first = count = 0
    for length in lengths:
        if count and count + length > at_once:
            yield rows.slice(first, count)
            first, count = first + count, 0
        count += length
    yield rows.slice(first, count)
