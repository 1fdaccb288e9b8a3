"""Export of attempts from a database to files, in parts, so that memory does not grow with the attempts."""

import io
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Final

import polars as pl

from levelsense.errors import OutputError, printable
from levelsense.files import atomic_file, check_writable
from levelsense.people.csv_text import safe_cells
from levelsense.playtest.result import TABLE_SCHEMA, with_seeds

STDOUT: Final = Path("-")
_ROWS_A_PART: Final = 100_000

Write = Callable[[pl.DataFrame], None]


def export(
    tables: Iterable[pl.DataFrame], csv: Path | None, parquet: Path | None, exact: bool = False
) -> int:
    """Writes attempts (TABLE_SCHEMA), with their seeds, to files; `-` is stdout. Gives how many there are.

    Unless it is to be exact, no cell of the CSV is a formula to a spreadsheet. OutputError if a file cannot
    be written: then it is as it was before.
    """
    written = 0
    with ExitStack() as stack:
        writers: list[Write] = []
        if csv is not None:
            writers.append(stack.enter_context(_csv(csv, exact)))
        if parquet is not None:
            writers.append(stack.enter_context(_parquet(parquet)))
        for table in tables:
            for write in writers:
                write(with_seeds(table))
            written += table.height
    return written


@contextmanager
def output(path: Path) -> Iterator[IO[bytes]]:
    """A file that is written whole or not at all; `-` is stdout, on a terminal without control characters."""
    if path == STDOUT and sys.stdout.isatty():
        buffer = io.BytesIO()
        yield buffer
        sys.stdout.write(printable(buffer.getvalue().decode(errors="replace"), lines=True))
    elif path == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.flush()
    else:
        with atomic_file(path) as file:
            yield file


@contextmanager
def _csv(path: Path, exact: bool) -> Iterator[Write]:
    with output(path) as file:
        _empty_export().write_csv(file)

        def write(table: pl.DataFrame) -> None:
            text = _as_text(table)
            (text if exact else safe_cells(text)).write_csv(file, include_header=False)

        yield write


def _as_text(table: pl.DataFrame) -> pl.DataFrame:
    """CSV has no bytes: what is left on boards is written in hexadecimal."""
    return table.with_columns(pl.col(pl.Binary).bin.encode("hex"))


def _empty_export() -> pl.DataFrame:
    return _as_text(with_seeds(pl.DataFrame(schema=TABLE_SCHEMA)))


@contextmanager
def _parquet(path: Path) -> Iterator[Write]:
    """A writer whose parts go to temporary files beside `path`, which are put together at the end."""
    if path != STDOUT:
        check_writable(path)
    beside = None if path == STDOUT else path.resolve().parent
    with tempfile.TemporaryDirectory(prefix=".levelsense-", dir=beside) as folder:
        parts = _Parts(Path(folder))
        try:
            yield parts.add
            parts.close()
            whole_path = Path(folder) / "whole"
            pl.scan_parquet(parts.paths).sink_parquet(whole_path)
            with output(path) as file, whole_path.open("rb") as whole:
                while content := whole.read(1 << 20):
                    file.write(content)
        except (OSError, pl.exceptions.PolarsError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            raise OutputError(path, f"cannot be written: {reason or error}") from None


class _Parts:
    """Parquet files in a folder, each of about so many rows; one at least, so that columns are known."""

    def __init__(self, folder: Path) -> None:
        self.paths: list[Path] = []
        self._folder = folder
        self._waiting: list[pl.DataFrame] = []

    def add(self, table: pl.DataFrame) -> None:
        self._waiting.append(table)
        if sum(part.height for part in self._waiting) >= _ROWS_A_PART:
            self._write()

    def close(self) -> None:
        if self._waiting or not self.paths:
            self._write()

    def _write(self) -> None:
        path = self._folder / f"{len(self.paths):06}.parquet"
        empty = with_seeds(pl.DataFrame(schema=TABLE_SCHEMA))
        pl.concat([empty, *self._waiting]).write_parquet(path)
        self.paths.append(path)
        self._waiting.clear()
