"""CSV files: which separator they have, their values as texts, and where one cannot be read."""

import codecs
import csv
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import IO, Final, NoReturn

import polars as pl

from levelsense.errors import PlayersError

SEPARATORS: Final = ",;\t"
_GLANCE: Final = 4096  # bytes that show two bytes a letter
_LONGEST: Final = 60
_AT_THE_END: Final = "unexpected end of data"  # so the csv module calls a quote that is not closed
_UNCLOSED: Final = 'a quote that is not closed; expected " at both ends of a value, or at none'
_STRAY: Final = 'a quote within a value; expected it doubled, and " at both ends of the value'


class CsvText:
    """A CSV file in UTF-8, with or without a mark at its beginning; its heading shows its separator."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def separator(self) -> str:
        """What lies between columns: what gives the heading most of them, a comma first of all."""
        return max(SEPARATORS, key=lambda separator: len(self._heading(separator)))

    def read(self) -> pl.DataFrame:
        """All values as texts; PlayersError with the line of what cannot be read."""
        self._check_encoding()
        try:
            headers = self._headers()
            return pl.read_csv(self.path, infer_schema=False, new_columns=headers, separator=self.separator)
        except (UnicodeDecodeError, csv.Error, pl.exceptions.ComputeError) as error:
            self._tell_bad_byte()
            self._tell_bad_record()
            raise PlayersError(f"{self.path}: cannot be read: {error}") from None

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """The lines where records begin, and the values, without the heading."""
        with self._open() as file:
            reader = csv.reader(file, delimiter=self.separator)
            next(reader)
            line = reader.line_num + 1
            for values in reader:
                yield line, values
                line = reader.line_num + 1

    def _open(self) -> IO[str]:
        return self.path.open(encoding="utf-8-sig", newline="")

    def _heading(self, separator: str, *, strict: bool = False) -> list[str]:
        """The names of columns if this is what lies between them."""
        with self._open() as file:
            return next(csv.reader(file, delimiter=separator, strict=strict), [])

    def _headers(self) -> list[str]:
        headers = self._heading(self.separator, strict=True)
        if not headers:
            raise PlayersError(f"{self.path}: line 1: nothing; expected the names of columns")
        if len(headers) == 1:
            raise PlayersError(
                f"{self.path}: line 1: {_shown(headers[0])}; "
                "expected the names of columns, with commas, semicolons or tabs between them"
            )
        twice = [header for header in dict.fromkeys(headers) if headers.count(header) > 1]
        if twice:
            raise PlayersError(f"{self.path}: line 1: columns {', '.join(twice)} twice; expected each once")
        return headers

    def _check_encoding(self) -> None:
        """PlayersError for two bytes a letter, which might else pass for letters with zeros between them."""
        with self.path.open("rb") as file:
            start = file.read(_GLANCE)
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in start:
            raise PlayersError(f"{self.path}: line 1: UTF-16 or no text at all; expected UTF-8")

    def _tell_bad_byte(self) -> None:
        """PlayersError with the first byte that is not of UTF-8, if there is one."""
        with self.path.open("rb") as file:
            for line, content in enumerate(file, 1):
                try:
                    content.decode()
                except UnicodeDecodeError as error:
                    raise PlayersError(
                        f"{self.path}: line {line}: byte {error.start + 1} is 0x{content[error.start]:02X}, "
                        "as in no text of UTF-8; expected UTF-8"
                    ) from None

    def _tell_bad_record(self) -> None:
        """PlayersError with the first record that has quotes in wrong places or too many values."""
        line, columns, lines = 1, 0, []

        def kept(file: IO[str]) -> Iterator[str]:
            for text in file:
                lines.append(text)
                yield text

        with self._open() as file:
            reader = csv.reader(kept(file), delimiter=self.separator, strict=True)
            try:
                for values in reader:
                    columns = columns or len(values)
                    if len(values) > columns:
                        self._tell(line, f"{len(values)} values; expected {columns}, as many as columns")
                    if "".join(lines).count('"') % 2:
                        self._tell(line, _STRAY)
                    lines.clear()
                    line = reader.line_num + 1
            except csv.Error as error:
                # A value that goes on to a quote in another line is one that was not closed in its own.
                is_open = str(error) == _AT_THE_END or reader.line_num > line
                self._tell(line, _UNCLOSED if is_open else _STRAY)

    def _tell(self, line: int, problem: str) -> NoReturn:
        raise PlayersError(f"{self.path}: line {line}: {problem}") from None


def _shown(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else text[:_LONGEST] + "...")
