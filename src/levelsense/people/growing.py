"""Files of many rows, written table by table and put in place when they are whole."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

import polars as pl

from levelsense.errors import OutputError, PlayersError
from levelsense.files import name_beside, put_in_place
from levelsense.people.csv_text import safe_cells

SUFFIXES: Final = (".csv", ".parquet")
_FAILURES: Final = (OSError, pl.exceptions.PolarsError)


class GrowingFile:
    """A CSV or Parquet file, by suffix, that is written row by row and never in memory as a whole.

    Rows go to a temporary CSV file beside it, which `finish` puts in its place, converted to Parquet if need
    be. No cell of a CSV file is a formula to a spreadsheet. A block that ends without that, or with `keep`,
    leaves an existing file as it was.
    """

    def __init__(
        self, path: Path, schema: Mapping[str, Any], metadata: Mapping[str, str] | None = None
    ) -> None:
        """PlayersError if the suffix is none of SUFFIXES; `metadata` goes into a Parquet file's footer."""
        if path.suffix not in SUFFIXES:
            raise PlayersError(f"{path}: files are told by suffix; expected .csv or .parquet")
        self.path, self.rows = path, 0
        self._schema, self._metadata = dict(schema), dict(metadata or {})
        # A symbolic link is kept: rows go beside the file that it leads to.
        target = Path(os.path.realpath(path)) if path.is_symlink() else path
        self._part = target.with_name(f"{target.name}.part")
        # Unique names: another program may be writing the same file.
        self._growing, self._converted = name_beside(target), name_beside(target)
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()
        for path in (self._growing, self._converted):
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def add(self, table: pl.DataFrame) -> None:
        """Adds rows; PlayersError if they cannot be written."""
        try:
            if self._file is None:
                self._file = self._growing.open("xb")
            rows = table.select(*self._schema)
            safe = safe_cells(rows) if self.path.suffix == ".csv" else rows
            safe.write_csv(self._file, include_header=self.rows == 0)
            self._file.flush()
        except _FAILURES as error:
            raise self._refusal(error) from None
        self.rows += table.height

    def finish(self) -> None:
        """Replaces the file by the rows; PlayersError if that cannot be done."""
        self._put(self.path)

    def keep(self) -> Path:
        """Keeps the rows so far, as the file if there is none yet, else as FILE.part; gives that path."""
        place = self._part if self.path.exists() else self.path
        self._put(place)
        return place

    def _put(self, place: Path) -> None:
        try:
            self._close()
            rows = self._growing
            if self.path.suffix == ".parquet":
                rows_so_far = pl.scan_csv(self._growing, schema=self._schema)
                rows_so_far.sink_parquet(self._converted, metadata=self._metadata)
                rows = self._converted
            put_in_place(rows, place)
        except OutputError as error:
            raise PlayersError(str(error)) from None
        except _FAILURES as error:
            raise self._refusal(error) from None

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _refusal(self, error: Exception) -> PlayersError:
        reason = error.strerror if isinstance(error, OSError) else None
        return PlayersError(f"{self.path}: cannot be written: {reason or error}")
