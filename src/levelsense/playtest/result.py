"""What comes out of a playtest: counts, notices on the way, and tables of attempts with their keys."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl

from levelsense.errors import PlaytestError
from levelsense.level.level import Level
from levelsense.playtest.attempts import ROW_SCHEMA, Attempts
from levelsense.playtest.interval import wilson
from levelsense.playtest.plan import Pair, attempt_seeds

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


SUMMARY_SCHEMA: Final = {
    "name": pl.String(),
    "level": pl.String(),  # digest
    "agent": pl.String(),  # canonical spec
    "seed": pl.Int64(),  # of the run
    "attempts": pl.Int64(),
    "wins": pl.Int64(),
    "rate": pl.Float64(),  # of success; null without attempts
    "low": pl.Float64(),  # the ends of its 95 % interval
    "high": pl.Float64(),
    "finished": pl.Boolean(),
}


@dataclass(frozen=True)
class PairProgress:
    """How far a level and an agent have come."""

    pair: Pair
    done: int
    target: int
    wins: int
    finished: bool
    starting: bool  # its first attempt may be compiling the agent's kernels
    attempts_per_second: float | None
    seconds_left: float | None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the success rate so far."""
        return wilson(self.wins, self.done)


@dataclass(frozen=True)
class PairResult:
    """How an agent did on a level: how many attempts it made and won, and the attempts unless left out."""

    pair: Pair
    attempts: int
    wins: int
    finished: bool
    kept: Attempts | None = None

    @property
    def played(self) -> Attempts:
        """The attempts themselves, by their numbers; PlaytestError if they were left in the sink."""
        if self.kept is None:
            raise PlaytestError(
                f"{self.pair.name}, {self.agent}: its attempts were left in the sink; expected keep_rows=True"
            )
        return self.kept

    @property
    def level(self) -> Level:
        """The level that was played."""
        return self.pair.level

    @property
    def agent(self) -> str:
        """The spec of the agent that played it."""
        return self.pair.agent.spec

    @property
    def success_rate(self) -> float | None:
        """The share of attempts that were won; None if there are none."""
        return self.wins / self.attempts if self.attempts else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the success rate."""
        return wilson(self.wins, self.attempts)


@dataclass(frozen=True, repr=False)
class PlaytestResult:
    """How all agents did on all levels, level by level; `interrupted` if it was stopped before its end.

    In a notebook it is shown as its summary.
    """

    pairs: tuple[PairResult, ...]
    interrupted: bool = False

    @cached_property
    def summary(self) -> pl.DataFrame:
        """A row a level and agent (SUMMARY_SCHEMA): attempts, wins, the success rate and its interval."""
        return pl.DataFrame([_summary_row(result) for result in self.pairs], SUMMARY_SCHEMA, orient="row")

    @cached_property
    def attempts(self) -> pl.DataFrame:
        """A row an attempt (TABLE_SCHEMA), pair by pair; PlaytestError if they were left in the sink."""
        return pl.concat([pl.DataFrame(schema=TABLE_SCHEMA), *self._tables()])

    def _tables(self) -> Iterator[pl.DataFrame]:
        for result in self.pairs:
            key = {**result.pair.key, "name": result.pair.name}
            yield with_key(result.played.frame, {column: key[column] for column in KEY_SCHEMA})

    def __repr__(self) -> str:
        counts = {
            "levels": len({result.pair.digest for result in self.pairs}),
            "agents": len({result.agent for result in self.pairs}),
            "attempts": sum(result.attempts for result in self.pairs),
            "wins": sum(result.wins for result in self.pairs),
            "interrupted": self.interrupted,
        }
        return f"PlaytestResult({', '.join(f'{name}={value}' for name, value in counts.items())})"

    def _repr_html_(self) -> str:
        return self.summary._repr_html_()


def _summary_row(result: PairResult) -> tuple[object, ...]:
    pair = result.pair
    return (
        pair.name,
        pair.digest,
        result.agent,
        pair.seed,
        result.attempts,
        result.wins,
        result.success_rate,
        *result.interval,
        result.finished,
    )
