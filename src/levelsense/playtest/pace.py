"""How fast agents play, and so how many attempts to hand out at once and how long the rest will take."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Final

from levelsense.playtest.work import Batch, Work

# Short enough for a living table and to lose little, long enough that handing out costs nothing.
BATCH_SECONDS: Final = 0.25
_SHORTEST: Final = 1e-9
FEWEST_EACH, MOST_EACH = 2, 6  # batches waiting or played, for each thread
MOST_GROWTH: Final = 8  # from one batch of a pair to the next
CAUTION: Final = 4  # a level nobody has played yet may take so many times longer than others


@dataclass
class _Speed:
    """How fast one pair is played."""

    seconds: float | None = None  # an attempt in the last batch
    size: int = 0  # of the largest batch
    attempts: int = 0
    busy: float = 0.0  # seconds, of all threads together


@dataclass
class Pace:
    """What has been seen of everybody's speed; `batch` is the size of all batches if it is given."""

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
