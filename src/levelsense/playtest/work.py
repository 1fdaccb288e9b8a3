"""How far a level and an agent have come, and how fast: which attempts are missing, how many to hand out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.errors import PlaytestError
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.interval import NORMAL_95
from levelsense.playtest.plan import MISSING, WON, Extent, Pair, attempt_seeds


@dataclass(eq=False)
class Batch:
    """Attempts first to first + count - 1 of a pair, for one thread to play; then what came of them."""

    work: "Work"
    first: int
    count: int
    expected: float = 0.0  # seconds, before it is played
    seconds: float = 0.0
    attempts: Attempts | None = None
    error: BaseException | None = None

    def play(self) -> None:
        """Plays the attempts. Modified in place."""
        pair = self.work.pair
        seeds = attempt_seeds(pair.digest, pair.agent.spec, pair.seed, self.first, self.count)
        records = pair.agent.attempts(pair.level, seeds)
        self.attempts = Attempts.from_records(pair.level, self.first, records)


@dataclass(eq=False)
class Work:
    """The attempts of one pair: which are done, handed out, and missing up to the next checkpoint.

    `known` is what is kept of them already (Sink.already_done), if there is something that keeps them; else
    the attempts that are played are kept here.
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
        self._played: list[Attempts] = []
        self._cursor = 0  # what is missing before it is handed out
        self._checkpoint = 0
        self.target = self.extent.checkpoints[0]
        self._update()

    def take(self, size: int) -> Batch | None:
        """At most `size` missing attempts in a row, up to the next checkpoint; None if none is left."""
        missing = self._results[self._cursor : self.target] == MISSING
        if not missing.any():
            return None
        first = self._cursor + int(missing.argmax())
        wanted = self._results[first : min(first + size, self.target)]
        done = np.flatnonzero(wanted != MISSING)
        count = int(done[0]) if len(done) else len(wanted)
        self._cursor = first + count
        return Batch(self, first, count)

    def take_in(self, batch: Batch) -> None:
        """Notes what came of a batch."""
        assert batch.attempts is not None
        if self.known is None:
            self._played.append(batch.attempts)
        self._results[batch.attempts.numbers] = batch.attempts.won
        self._update()

    def _update(self) -> None:
        """Counts what is done, and decides whether it is enough."""
        self._count()
        while not self.finished and self.done == self.target:
            self._pass_checkpoint()

    def _count(self) -> None:
        results = self._results[: self.target]
        self.done = int(np.count_nonzero(results != MISSING))
        self.wins = int(np.count_nonzero(results == WON))

    def _pass_checkpoint(self) -> None:
        """At a checkpoint: either it is enough, or the next one is the target."""
        checkpoints = self.extent.checkpoints
        is_last = self._checkpoint == len(checkpoints) - 1
        if is_last or self.extent.is_enough(self.wins, self.done):
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

    def attempts(self, kept: Attempts | None = None) -> Attempts:
        """The attempts that count, by their numbers: all below the target that are done.

        `kept` are those that are kept elsewhere; PlaytestError if attempts that are done are not there.
        """
        level = self.pair.level
        if kept is None:
            played = Attempts.joined(level, self._played).frame
            return Attempts(level, played.filter(pl.col("attempt") < self.target).sort("attempt"))
        done = np.flatnonzero(self._results[: self.target] != MISSING)
        counting = Attempts(level, kept.frame.filter(pl.col("attempt").is_in(done)).sort("attempt"))
        if len(counting) != len(done):
            raise PlaytestError(
                f"{self.pair.name}, {self.pair.agent.spec}: {len(counting):,} attempts are kept; "
                f"expected the {len(done):,} that were stored"
            )
        return counting


# Short enough for a living table and to lose little, long enough that handing out costs nothing.
BATCH_SECONDS: Final = 0.25
_SHORTEST: Final = 1e-9
FEWEST_EACH, MOST_EACH = 2, 6  # batches waiting or played, for each thread
MOST_GROWTH: Final = 8  # from one batch of a pair to the next
CAUTION: Final = 4  # a level that was not played yet may take so many times longer than others


@dataclass
class _Speed:
    """How fast one pair is played."""

    seconds: float | None = None  # an attempt in the last batch
    size: int = 0  # of the largest batch
    attempts: int = 0
    busy: float = 0.0  # seconds, of all threads together


@dataclass
class Pace:
    """The measured speed of every pair; `batch` is the size of all batches if it is given."""

    threads: int
    batch: int | None = None
    _pairs: dict[int, _Speed] = field(default_factory=dict)
    _agents: dict[str, float] = field(default_factory=dict)

    def size(self, work: Work, open_everywhere: int) -> int:
        """How many attempts the next batch of a pair should have."""
        if self.batch is not None:
            return self.batch
        speed = self._of(work)
        if speed.seconds is not None:
            fitting = min(BATCH_SECONDS / speed.seconds, MOST_GROWTH * speed.size)
        elif (seconds := self._agents.get(work.pair.agent.spec)) is not None:
            fitting = BATCH_SECONDS / seconds / CAUTION
        else:
            fitting = 1
        # Towards the end of everything, smaller ones, so that the threads end together.
        share = ceil(open_everywhere / (2 * self.threads))
        return max(1, min(int(fitting), share))

    def expect(self, batch: Batch) -> None:
        """Notes on a batch how long it will likely take. Modified in place."""
        seconds = self._of(batch.work).seconds or self._agents.get(batch.work.pair.agent.spec)
        batch.expected = BATCH_SECONDS if seconds is None else batch.count * seconds

    def has_enough(self, under_way: Sequence[Batch]) -> bool:
        """Whether the threads have enough to do: each a batch and the next, or more if those are short.

        While they play, what is finished is saved, which takes as long for a short batch as for a long one.
        """
        seconds = sum(batch.expected for batch in under_way)
        most = FEWEST_EACH if seconds >= self.threads * BATCH_SECONDS else MOST_EACH
        return len(under_way) >= most * self.threads

    def note(self, batch: Batch) -> None:
        """Notes how long a batch took."""
        speed = self._of(batch.work)
        speed.attempts += batch.count
        speed.busy += batch.seconds
        speed.size = max(speed.size, batch.count)
        speed.seconds = max(batch.seconds / batch.count, _SHORTEST)
        self._agents[batch.work.pair.agent.spec] = speed.seconds

    def attempts_per_second(self, work: Work) -> float | None:
        """How many attempts of a pair a second all threads play together."""
        speed = self._of(work)
        if not speed.attempts:
            return None
        return self.threads * speed.attempts / max(speed.busy, _SHORTEST)

    def seconds_left(self, work: Work) -> float | None:
        """How long the rest of a pair's attempts will likely take, if all threads play them."""
        left = max(0, work.expected - work.done)
        seconds = self._of(work).seconds or self._agents.get(work.pair.agent.spec)
        if not left:
            return 0.0
        return None if seconds is None else left * seconds / self.threads

    def _of(self, work: Work) -> _Speed:
        return self._pairs.setdefault(id(work), _Speed())
