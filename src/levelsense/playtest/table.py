"""Attempts of several levels and agents in one table, each with its key: what exports hold."""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
import polars as pl

from levelsense.playtest.attempts import ROW_SCHEMA
from levelsense.playtest.plan import attempt_seeds

# Whose attempt it is; together with its number, what makes a row one of a kind.
KEY_SCHEMA: Final = {
    "level": pl.String(),  # digest
    "name": pl.String(),
    "agent": pl.String(),  # canonical spec
    "rules": pl.Int32(),  # version
    "seed": pl.Int64(),  # of the run
}
TABLE_SCHEMA: Final = KEY_SCHEMA | ROW_SCHEMA
SEED_COLUMNS: Final = ("game_seed", "agent_seed")


def with_key(frame: pl.DataFrame, key: Mapping[str, str | int]) -> pl.DataFrame:
    """A table of attempts (ROW_SCHEMA) with columns in front that say whose they are: those of the key."""
    columns = [pl.lit(value, dtype=KEY_SCHEMA[name]).alias(name) for name, value in key.items()]
    return frame.select(*columns, *ROW_SCHEMA)


def with_seeds(table: pl.DataFrame) -> pl.DataFrame:
    """A table (TABLE_SCHEMA) with each attempt's own seeds behind the key, which the key implies.

    `Game(level, game_seed)` starts from the attempt's board.
    """
    seeds = np.zeros((table.height, 2), np.uint64)
    start = 0
    for key, attempts in _runs_of_key(table):
        numbers = attempts.to_numpy()
        first, last = int(numbers.min()), int(numbers.max())
        level, agent, rules, seed = key
        of_pair = attempt_seeds(level, agent, seed, first, last - first + 1, rules)
        seeds[start : start + len(numbers)] = of_pair[numbers - first]
        start += len(numbers)
    seed_columns = [pl.Series(name, seeds[:, k]) for k, name in enumerate(SEED_COLUMNS)]
    return table.with_columns(*seed_columns).select(
        *KEY_SCHEMA, "attempt", *SEED_COLUMNS, pl.exclude(*KEY_SCHEMA, "attempt", *SEED_COLUMNS)
    )


def _runs_of_key(table: pl.DataFrame) -> Iterator[tuple[tuple[str, str, int, int], pl.Series]]:
    """The attempt numbers of neighboring rows with the same key."""
    key = ("level", "agent", "rules", "seed")
    numbered = table.with_columns(_part=pl.struct(key).rle_id())
    for part in numbered.partition_by("_part", maintain_order=True):
        yield part.select(key).row(0), part["attempt"]
