"""What a playtest is asked to do: which agents play which levels, how often, and where they are to end up."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any, Final, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.errors import LevelsenseError, PlaytestError
from levelsense.game.level import Level
from levelsense.playtest.levels import NamedLevel

DEFAULT_CEILING: Final = 10_000
MOST_ATTEMPTS: Final = 10_000_000
HIGHEST_SEED: Final = 2**63 - 1  # that databases hold
HIGHEST_ATTEMPT_SEED: Final = 2**64 - 1  # a single attempt's, which runs draw
FINEST_PRECISION, COARSEST_PRECISION = 0.001, 0.25

# With a precision, intervals are looked at after so many attempts, then a tenth more, and so on.
CHECK_GROWTH: Final = 10


# What is known of an attempt.
MISSING, LOST, WON = -1, 0, 1


class AgentLike(Protocol):
    """Somebody who plays attempts, such as an Agent of the registry."""

    @property
    def spec(self) -> str:
        """The one way to write who plays."""

    def attempts(self, level: Level, seeds: Any) -> Any:
        """An attempt for each pair of seeds, as rows of ATTEMPT_DTYPE; several threads call it at once."""


@dataclass(frozen=True)
class Pair:
    """A level and an agent that plays it, with the seed of the run."""

    named: NamedLevel
    agent: AgentLike
    seed: int

    @property
    def level(self) -> Level:
        """The level that is played."""
        return self.named.level

    @property
    def name(self) -> str:
        """The level's names."""
        return self.named.name

    @cached_property
    def digest(self) -> str:
        """The level's digest."""
        return self.level.digest


@dataclass(frozen=True)
class Extent:
    """How many attempts each pair gets: a number, or as many as a precision takes up to a ceiling.

    The precision is the half width of the 95 % interval of the success rate.
    """

    attempts: int
    precision: float | None = None
    ceiling: int | None = None

    def __post_init__(self) -> None:
        """PlaytestError for a number that makes no sense."""
        check_whole("attempts", self.attempts, 1, MOST_ATTEMPTS)
        if self.precision is None:
            if self.ceiling is not None:
                raise PlaytestError(f"ceiling: {self.ceiling}; it limits a precision, and none is given")
            return
        if not FINEST_PRECISION <= self.precision <= COARSEST_PRECISION:
            raise PlaytestError(
                f"precision: {self.precision:g}; expected the half width of an interval, "
                f"from {FINEST_PRECISION} to {COARSEST_PRECISION}"
            )
        if self.ceiling is not None:
            check_whole("ceiling", self.ceiling, self.attempts, MOST_ATTEMPTS)

    @cached_property
    def checkpoints(self) -> tuple[int, ...]:
        """The numbers of attempts at which a pair may end, ascending.

        They depend on nothing but what was asked, and so does where a pair ends.
        """
        if self.precision is None:
            return (self.attempts,)
        ceiling = self.ceiling or max(DEFAULT_CEILING, self.attempts)
        found = [self.attempts]
        while found[-1] < ceiling:
            found.append(min(ceiling, found[-1] + ceil(found[-1] / CHECK_GROWTH)))
        return tuple(found)


class Sink(Protocol):
    """Where attempts are kept as they are played, and found again: what the runner knows of the database."""

    def begin(self, pairs: Sequence[Pair], extent: Extent) -> None:
        """Called once, before all others."""

    def already_done(self, pair: Pair, limit: int) -> NDArray[np.int8]:
        """What is kept of attempts 0, 1, ... below a limit of a pair: WON, LOST or MISSING for each."""

    def rows(self, pair: Pair, limit: int) -> pl.DataFrame:
        """The attempts of a pair that are kept, those with numbers below a limit: rows of ROW_SCHEMA."""

    def save(self, batches: Sequence[tuple[Pair, pl.DataFrame]]) -> None:
        """Keeps rows of pairs, all or none of them; a row that is kept already stays as it is."""

    def end(self, finished: Sequence[tuple[Pair, int]]) -> None:
        """Called last, with the pairs that got all their attempts, and how many those are."""


def check_whole(name: str, value: int, low: int, high: int) -> None:
    """PlaytestError unless a number is in its range."""
    if not low <= value <= high:
        raise PlaytestError(f"{name}: {value}; expected a whole number from {low:,} to {high:,}")


def check_seed(seed: int, highest: int = HIGHEST_SEED, error: type[LevelsenseError] = PlaytestError) -> None:
    """An error unless a seed is in its range: that of a run, if no other is given."""
    if not 0 <= seed <= highest:
        raise error(f"seed: {seed}; expected a whole number from 0 to {highest:,}")


def make_pairs(levels: Sequence[NamedLevel], agents: Sequence[AgentLike], seed: int) -> list[Pair]:
    """Every level with every agent, level by level; agents of the same spec are one."""
    if not levels:
        raise PlaytestError("no levels to play")
    if not agents:
        raise PlaytestError("no agents to play them")
    different = {agent.spec: agent for agent in agents}
    return [Pair(named, agent, seed) for named in levels for agent in different.values()]
