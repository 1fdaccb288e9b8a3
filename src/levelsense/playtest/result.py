"""What comes out of a playtest, and what is told on the way."""

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from levelsense.errors import PlaytestError
from levelsense.game.state import RULES_VERSION
from levelsense.level.level import Level
from levelsense.playtest.attempts import TABLE_SCHEMA, with_key
from levelsense.playtest.interval import wilson
from levelsense.playtest.plan import Pair


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
    kept_rows: pl.DataFrame | None = None

    @property
    def rows(self) -> pl.DataFrame:
        """A row an attempt, by their numbers (ROW_SCHEMA); PlaytestError if they were left in the sink."""
        if self.kept_rows is None:
            raise PlaytestError(
                f"{self.pair.name}, {self.agent}: its rows were left in the sink; expected keep_rows=True"
            )
        return self.kept_rows

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

    @property
    def table(self) -> pl.DataFrame:
        """The rows with the columns of whose attempts they are in front (TABLE_SCHEMA)."""
        pair = self.pair
        return with_key(self.rows, pair.digest, pair.name, pair.agent.spec, RULES_VERSION, pair.seed)


@dataclass(frozen=True)
class PlaytestResult:
    """How all agents did on all levels, level by level; `interrupted` if it was stopped before its end."""

    pairs: tuple[PairResult, ...]
    interrupted: bool = False

    @property
    def table(self) -> pl.DataFrame:
        """All attempts in one table (TABLE_SCHEMA)."""
        return join_tables(result.table for result in self.pairs)


def join_tables(tables: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Tables of attempts as one."""
    return pl.concat([pl.DataFrame(schema=TABLE_SCHEMA), *tables])
