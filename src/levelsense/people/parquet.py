"""Parquet files of people's results, read only if they do not unpack to too much.

A few kilobytes may unpack to any number of gigabytes. How much memory a reader needs follows from the file's
own structures, which are small: the footer lists the chunks of columns, and each chunk is a row of pages with
a header. They are written in Thrift's compact protocol. Readers do not check the footer's sums, so that the
headers of pages are summed up instead.
"""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

import polars as pl

from levelsense.errors import PlayersError

MOST_UNPACKED: Final = 1_000_000_000  # bytes
_DAMAGED: Final = "cannot be read: not a Parquet file, or a damaged one"
_MARK: Final = b"PAR1"
_VALUE_BYTES: Final = 16  # of memory for a value, besides the text of a long one
_HEADER_BYTES: Final = 1 << 16  # of a page, statistics included
_DICTIONARY_PAGE: Final = 2
# Fields of Parquet's Thrift structures, by the names in its specification.
_ROW_GROUPS, _COLUMNS, _ROWS, _META_DATA = 4, 1, 3, 3
_PATH, _COMPRESSED, _DATA_OFFSET, _DICTIONARY_OFFSET = 3, 7, 9, 11
_PAGE_TYPE, _PAGE_UNPACKED, _PAGE_COMPRESSED = 1, 2, 3
_PAGE_HEADERS: Final = (5, 7, 8)  # data, dictionary, data of version 2: each has its number of values first


def read_parquet(path: Path) -> pl.DataFrame:
    """The columns of a file, those of nested values as nulls; PlayersError if it unpacks to too much."""
    # Opened here: Polars takes no name that is not UTF-8.
    with path.open("rb") as file, _panics_as_damage(path):
        schema = pl.read_parquet_schema(file)
    check_unpacked(path, unpacked_bytes(path))
    flat = [name for name, kind in schema.items() if not kind.is_nested()]
    with path.open("rb") as file, _panics_as_damage(path):
        table = pl.read_parquet(file, columns=flat)
    texts = [pl.col(name).str.len_bytes().sum() for name, kind in table.schema.items() if kind == pl.String]
    check_unpacked(path, sum(table.select(texts).row(0)) if texts else 0)
    return table.select(
        pl.col(name) if name in flat else pl.lit(None, kind).alias(name) for name, kind in schema.items()
    )


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Raises PlayersError with the path for whatever makes a file unreadable in the block."""
    try:
        with _panics_as_damage(path):
            yield
    except OSError as error:
        reason = error.strerror or "no such file or not one of this kind"
        raise PlayersError(f"{path}: cannot be read: {reason}") from None
    except pl.exceptions.PolarsError as error:
        first_line = str(error).strip().split("\n")[0]
        raise PlayersError(f"{path}: cannot be read: {first_line}") from None


@contextmanager
def _panics_as_damage(path: Path) -> Iterator[None]:
    """Raises PlayersError for a panic of Polars: no Exception, and its class differs between versions."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise PlayersError(f"{path}: {_DAMAGED}") from None


def check_unpacked(path: Path, unpacked: int, most: int | None = None) -> None:
    """PlayersError if a file unpacks to more bytes than `most`, or MOST_UNPACKED."""
    most = MOST_UNPACKED if most is None else most
    if unpacked > most:
        raise PlayersError(
            f"{path}: unpacks to {unpacked / 1e9:.1f} GB, from {path.stat().st_size / 1e6:.2f} MB; "
            f"expected at most {most / 1e9:.0f} GB: several smaller files are fine"
        )


def unpacked_bytes(path: Path) -> int:
    """About how much memory the columns that are not nested take; PlayersError if the file is damaged."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            chunks = _chunks(_footer(file, size))
            return sum(_chunk_bytes(file, size, chunk, rows) for chunk, rows in chunks)
    except (IndexError, KeyError, TypeError, ValueError, RecursionError, struct.error):
        raise PlayersError(f"{path}: {_DAMAGED}") from None


def _footer(file: IO[bytes], size: int) -> dict[int, Any]:
    file.seek(max(0, size - 8))
    length, mark = struct.unpack("<I4s", file.read(8))
    if mark != _MARK or length > size - 8:
        raise ValueError("no footer")
    file.seek(size - 8 - length)
    return _Compact(file.read(length)).structure()


def _chunks(footer: dict[int, Any]) -> Iterator[tuple[dict[int, Any], int]]:
    """The chunks of columns that are not nested, each with its number of rows."""
    for group in footer.get(_ROW_GROUPS, ()):
        for column in group[_COLUMNS]:
            if len(column[_META_DATA][_PATH]) == 1:
                yield column[_META_DATA], group[_ROWS]


def _chunk_bytes(file: IO[bytes], size: int, chunk: dict[int, Any], rows: int) -> int:
    """The bytes of a chunk's unpacked pages; values of a dictionary count each time they are used."""
    start = chunk.get(_DICTIONARY_OFFSET) or chunk[_DATA_OFFSET]
    place, end = start, start + chunk[_COMPRESSED]
    if not 0 < start <= end <= size:
        raise ValueError("a chunk outside of the file")
    unpacked = values = 0
    length = 0.0  # of a value of the dictionary, on average
    while place < end:
        file.seek(place)
        header = _Compact(file.read(min(_HEADER_BYTES, end - place)))
        page = header.structure()
        number = next((page[field][1] for field in _PAGE_HEADERS if field in page), None)
        if number is None:
            raise ValueError("a page without a header of its kind")
        if page[_PAGE_UNPACKED] < 0 or page[_PAGE_COMPRESSED] < 0 or number < 0:
            raise ValueError("a negative size")
        if page[_PAGE_TYPE] == _DICTIONARY_PAGE:
            length = page[_PAGE_UNPACKED] / max(1, number)
        else:
            values += number
        unpacked += page[_PAGE_UNPACKED]
        place += header.place + page[_PAGE_COMPRESSED]
    if place != end or values != rows:
        raise ValueError("pages of another chunk")
    return int(max(unpacked, values * (_VALUE_BYTES + length)))


class _Compact:
    """Reads structures of Thrift's compact protocol: dictionaries by the numbers of fields."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.place = 0

    def structure(self) -> dict[int, Any]:
        """Reads the structure that begins at `place`."""
        fields: dict[int, Any] = {}
        field = 0
        while head := self._byte():
            step, kind = head >> 4, head & 15
            field = field + step if step else self._signed()
            # The kind of a boolean is its value.
            fields[field] = kind == 1 if kind in (1, 2) else self._value(kind)
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (1, 2, 3):
            return self._byte()
        if kind in (4, 5, 6):
            return self._signed()
        if kind in (7, 8):
            length = 8 if kind == 7 else self._unsigned()
            self.place += length
            if self.place > len(self._content):
                raise IndexError(self.place)
            return self._content[self.place - length : self.place]
        if kind in (9, 10):
            head = self._byte()
            number = head >> 4 if head >> 4 < 15 else self._unsigned()
            return [self._value(head & 15) for _ in range(number)]
        if kind == 12:
            return self.structure()
        raise ValueError(f"kind {kind}")

    def _byte(self) -> int:
        self.place += 1
        return self._content[self.place - 1]

    def _unsigned(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def _signed(self) -> int:
        number = self._unsigned()
        return (number >> 1) ^ -(number & 1)
