"""A checksum for each stored row, by which damage is found that a database itself does not see."""

from typing import Final
from zlib import crc32

import polars as pl

from levelsense.playtest.rows import ROW_SCHEMA
from levelsense.store.schema import ATTEMPTS, PLAYER_RESULTS

_KEY: Final = ("level", "agent", "rules", "seed")
ATTEMPT_COLUMNS: Final = (*_KEY, *ROW_SCHEMA)
RESULT_COLUMNS: Final = tuple(
    column.name for column in PLAYER_RESULTS.columns if column.name not in ("result", "checksum")
)
assert {column.name for column in ATTEMPTS.columns} == {*ATTEMPT_COLUMNS, "checksum"}


def with_checksums(table: pl.DataFrame, columns: tuple[str, ...]) -> pl.DataFrame:
    """A table with a column more: the checksum of these columns, CRC-32 of the values as Python writes them.

    The values are those of the columns' kinds, so that every database and version gives the same.
    """
    sums = [crc32(repr(row).encode("utf-8", "surrogatepass")) for row in table.select(columns).iter_rows()]
    return table.with_columns(pl.Series("checksum", sums, dtype=pl.Int64))
