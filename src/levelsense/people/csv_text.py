"""CSV files: the separator, the values as texts, and the line of what cannot be read."""

import codecs
import csv
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import IO, Final, NoReturn

import polars as pl

from levelsense.errors import PlayersError

SEPARATORS: Final = ",;\t"
# A first line, for Excel.
_SEPARATOR_LINE: Final = re.compile(r'("?)sep=([,;\t|])\1[\r\n]*', re.IGNORECASE)
_LONE_RETURN: Final = re.compile(rb"\r(?!\n)")
_GLANCE: Final = 4096  # bytes at the start, enough to notice UTF-16
_LONGEST: Final = 60
_FORMULA: Final = r"[=+\-@\t\r]"  # what begins a text that a spreadsheet computes
_AT_THE_END: Final = "unexpected end of data"  # so the csv module calls a quote that is not closed
_UNCLOSED: Final = 'a quote that is not closed; expected " at both ends of a value, or at none'
_STRAY: Final = 'a quote within a value; expected it doubled, and " at both ends of the value'
_OTHER_END: Final = "another line end than that of the names of columns; expected the same in all lines"


def safe_cells(table: pl.DataFrame) -> pl.DataFrame:
    """The table with a ' before each text that a spreadsheet would take for a formula and compute."""
    text = pl.col(pl.String)
    return table.with_columns(
        pl.when(text.str.contains(f"^{_FORMULA}")).then("'" + text).otherwise(text).name.keep()
    )


def exact_cells(table: pl.DataFrame) -> pl.DataFrame:
    """The table without the ' that `safe_cells` and other programs put before such texts."""
    return table.with_columns(pl.col(pl.String).str.replace(f"^'({_FORMULA})", "${1}"))


class CsvText:
    """A CSV file in UTF-8, with or without a byte order mark; its separator is found by its heading.

    A first line such as `sep=;` gives the separator instead, and the heading comes after it. Lines may end in
    a carriage return alone.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def separator(self) -> str:
        """The given separator, or else the one that makes most columns of the heading, a comma first."""
        return self._given_separator or max(SEPARATORS, key=lambda separator: len(self._heading(separator)))

    def read(self) -> pl.DataFrame:
        """All values as texts, as they were before they were made safe for spreadsheets.

        PlayersError with the line of what cannot be read.
        """
        self._check_encoding()
        try:
            headers = self.headers()
            table = pl.read_csv(
                # Its content, not its name: Polars takes no name that is not UTF-8.
                self.path.read_bytes(),
                infer_schema=False,
                new_columns=headers,
                separator=self.separator,
                eol_char=self._line_end,
                skip_rows=self._skipped,
            )
        except (UnicodeDecodeError, csv.Error, pl.exceptions.ComputeError) as error:
            self._check_bytes()
            self._check_records()
            raise PlayersError(f"{self.path}: cannot be read: {error}") from None
        named = table.drop(name for name in self._unnamed().values() if _is_empty(table[name]))
        return exact_cells(named)

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """The number of the line where each record begins, and its values; without the heading."""
        with self._open() as file:
            reader = csv.reader(file, delimiter=self.separator)
            next(reader)
            line = self._skipped + reader.line_num + 1
            for values in reader:
                yield line, values
                line = self._skipped + reader.line_num + 1

    @cached_property
    def _given_separator(self) -> str | None:
        """The separator that a line before the heading gives; None without such a line."""
        with self._open_whole() as file:
            match = _SEPARATOR_LINE.fullmatch(file.readline())
        return match and match[2]

    @property
    def _skipped(self) -> int:
        """How many lines come before the heading."""
        return 1 if self._given_separator else 0

    @cached_property
    def _line_end(self) -> str:
        """The last letter of the heading's line end."""
        lines: list[str] = []
        with self._open() as file:
            next(csv.reader(_recorded(file, lines), delimiter=self.separator), None)
        return (_end(lines[-1]) if lines else "") or "\n"

    def _open_whole(self) -> IO[str]:
        return self.path.open(encoding="utf-8-sig", newline="")

    def _open(self) -> IO[str]:
        """The file from its heading on."""
        file = self._open_whole()
        if self._given_separator:
            file.readline()
        return file

    def _heading(self, separator: str, *, strict: bool = False) -> list[str]:
        """The names of columns with this separator."""
        with self._open() as file:
            return next(csv.reader(file, delimiter=separator, strict=strict), [])

    def headers(self) -> list[str]:
        """The names of columns; PlayersError if they are none."""
        headers, line = self._heading(self.separator, strict=True), self._skipped + 1
        if not headers:
            self._refuse(line, "nothing; expected the names of columns")
        if len(headers) == 1:
            self._refuse(
                line,
                f"{_shortened(headers[0])}; "
                "expected the names of columns, with commas, semicolons or tabs between them",
            )
        unnamed = self._unnamed()
        headers = [unnamed.get(number, header) for number, header in enumerate(headers)]
        twice = [header for header in dict.fromkeys(headers) if headers.count(header) > 1]
        if twice:
            self._refuse(line, f"columns {', '.join(twice)} twice; expected each once")
        return headers

    def _unnamed(self) -> dict[int, str]:
        """The names given to columns without one, by their place (from 0)."""
        headers = self._heading(self.separator)
        return {n: f"column {n + 1} without a name" for n, header in enumerate(headers) if not header.strip()}

    def _check_encoding(self) -> None:
        """PlayersError for UTF-16, which could otherwise be read as UTF-8 with zeros between letters."""
        with self.path.open("rb") as file:
            start = file.read(_GLANCE)
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in start:
            raise PlayersError(f"{self.path}: line 1: UTF-16 or no text at all; expected UTF-8")

    def _check_bytes(self) -> None:
        """PlayersError with the place of the first byte that is not UTF-8, if there is one."""
        with self.path.open("rb") as file:
            contents = (content for text in file for content in _LONE_RETURN.split(text))
            for line, content in enumerate(contents, 1):
                try:
                    content.decode()
                except UnicodeDecodeError as error:
                    raise PlayersError(
                        f"{self.path}: line {line}: byte {error.start + 1} is 0x{content[error.start]:02X}, "
                        "as in no text of UTF-8; expected UTF-8"
                    ) from None

    def _check_records(self) -> None:
        """PlayersError with the first record with misplaced quotes, too many values or another line end."""
        line, columns = self._skipped + 1, 0
        lines: list[str] = []
        with self._open() as file:
            reader = csv.reader(_recorded(file, lines), delimiter=self.separator, strict=True)
            try:
                for values in reader:
                    columns = columns or len(values)
                    if len(values) > columns:
                        self._refuse(line, f"{len(values)} values; expected {columns}, as many as columns")
                    if "".join(lines).count('"') % 2:
                        self._refuse(line, _STRAY)
                    if _end(lines[-1]) not in (self._line_end, ""):
                        self._refuse(line, _OTHER_END)
                    lines.clear()
                    line = self._skipped + reader.line_num + 1
            except csv.Error as error:
                # A value that goes on to a quote in another line is one that was not closed in its own.
                is_open = str(error) == _AT_THE_END or self._skipped + reader.line_num > line
                self._refuse(line, _UNCLOSED if is_open else _STRAY)

    def _refuse(self, line: int, problem: str) -> NoReturn:
        raise PlayersError(f"{self.path}: line {line}: {problem}") from None


def _recorded(file: IO[str], lines: list[str]) -> Iterator[str]:
    """Yields the lines of a file and appends each to a list."""
    for text in file:
        lines.append(text)
        yield text


def _end(text: str) -> str:
    """The last letter of a line's end, or nothing if it has none."""
    return text[-1] if text.endswith(("\r", "\n")) else ""


def _is_empty(column: pl.Series) -> bool:
    return bool((column.fill_null("").str.strip_chars() == "").all())


def _shortened(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else text[:_LONGEST] + "...")
