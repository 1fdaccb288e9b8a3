"""How far a level and an agent have come: which attempts are done, which are missing, when it is enough."""

from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.errors import PlaytestError
from levelsense.playtest.interval import NORMAL_95, half_width
from levelsense.playtest.plan import MISSING, WON, Extent, Pair
from levelsense.playtest.rows import attempt_rows, empty_rows
from levelsense.playtest.seeds import attempt_seeds


@dataclass(eq=False)
class Batch:
    """Attempts first to first + count - 1 of a pair, for one thread to play; then what came of them."""

    work: "Work"
    first: int
    count: int
    expected: float = 0.0  # seconds, before it is played
    seconds: float = 0.0
    rows: pl.DataFrame | None = None
    error: BaseException | None = None

    def play(self) -> None:
        """Plays the attempts. Modified in place."""
        pair = self.work.pair
        seeds = attempt_seeds(pair.digest, pair.agent.spec, pair.seed, self.first, self.count)
        self.rows = attempt_rows(pair.level, self.first, pair.agent.attempts(pair.level, seeds))


@dataclass(eq=False)
class Work:
    """The attempts of one pair: which are done, handed out, and missing up to the next checkpoint.

    `known` is what is kept of them already (Sink.already_done), if there is something that keeps them; else
    the rows that are played are kept here.
    """

    pair: Pair
    extent: Extent
    known: NDArray[np.int8] | None = None
    target: int = field(init=False)
    done: int = field(init=False, default=0)
    wins: int = field(init=False, default=0)
    finished: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        most = self.extent.checkpoints[-1]
        self._results = np.full(most, MISSING, np.int8) if self.known is None else self.known.copy()
        self._tables: list[pl.DataFrame] = []
        self._cursor = 0  # what is missing before it is handed out
        self._checkpoint = 0
        self.target = self.extent.checkpoints[0]
        self._see()

    def take(self, size: int) -> Batch | None:
        """At most `size` missing attempts in a row, up to the next checkpoint; None if none is left."""
        missing = self._results[self._cursor : self.target] == MISSING
        if not missing.any():
            return None
        first = self._cursor + int(missing.argmax())
        wanted = self._results[first : min(first + size, self.target)]
        known = np.flatnonzero(wanted != MISSING)
        count = int(known[0]) if len(known) else len(wanted)
        self._cursor = first + count
        return Batch(self, first, count)

    def take_in(self, batch: Batch) -> None:
        """Notes what came of a batch."""
        assert batch.rows is not None
        if self.known is None:
            self._tables.append(batch.rows)
        self._results[batch.rows["attempt"].to_numpy()] = batch.rows["won"].to_numpy()
        self._see()

    def _see(self) -> None:
        """Counts what is done, and looks whether it is enough."""
        self._count()
        while not self.finished and self.done == self.target:
            self._look()

    def _count(self) -> None:
        known = self._results[: self.target]
        self.done = int(np.count_nonzero(known != MISSING))
        self.wins = int(np.count_nonzero(known == WON))

    def _look(self) -> None:
        """At a checkpoint: either it is enough, or the next one is the target."""
        checkpoints, precision = self.extent.checkpoints, self.extent.precision
        is_last = self._checkpoint == len(checkpoints) - 1
        if is_last or (precision is not None and half_width(self.wins, self.done) < precision):
            self.finished = True
            return
        self._checkpoint += 1
        self.target = checkpoints[self._checkpoint]
        self._count()

    @property
    def open(self) -> int:
        """How many attempts are neither done nor handed out, up to the next checkpoint."""
        return int(np.count_nonzero(self._results[self._cursor : self.target] == MISSING))

    @property
    def expected(self) -> int:
        """How many attempts it will likely have in the end."""
        precision = self.extent.precision
        if self.finished or precision is None:
            return self.target
        rate = (self.wins + 2) / (self.done + 4)
        needed = int(rate * (1 - rate) * (NORMAL_95 / precision) ** 2)
        return min(max(self.target, needed), self.extent.checkpoints[-1])

    def rows(self, kept: pl.DataFrame | None = None) -> pl.DataFrame:
        """The attempts that count, by their numbers: all below the target that are done.

        `kept` are the rows that are kept elsewhere; PlaytestError if attempts that are done are not there.
        """
        if kept is None:
            tables = pl.concat([empty_rows(), *self._tables])
            return tables.filter(pl.col("attempt") < self.target).sort("attempt")
        done = np.flatnonzero(self._results[: self.target] != MISSING)
        rows = kept.filter(pl.col("attempt").is_in(done)).sort("attempt")
        if rows.height != len(done):
            raise PlaytestError(
                f"{self.pair.name}, {self.pair.agent.spec}: {rows.height:,} attempts are kept; "
                f"expected the {len(done):,} that were stored"
            )
        return rows
