"""Runs a playtest: hands batches of attempts to threads, and collects and saves what they played."""

import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Final, Self

from levelsense.level.level import Level
from levelsense.playtest.levels import NamedLevel, gather_levels
from levelsense.playtest.plan import (
    MOST_ATTEMPTS,
    AgentLike,
    Extent,
    Sink,
    check_seed,
    check_whole,
    make_pairs,
)
from levelsense.playtest.result import PairProgress, PairResult, PlaytestResult
from levelsense.playtest.work import Batch, Pace, Work


class BatchThreads:
    """A pool of threads that play batches. Kernels release the GIL, so they do play at once."""

    def __init__(self, threads: int) -> None:
        self.under_way: list[Batch] = []
        self._inbox: SimpleQueue[Batch | None] = SimpleQueue()
        self._outbox: SimpleQueue[Batch] = SimpleQueue()
        # Daemons, so that a program that is told twice to stop need not wait for a long attempt.
        self._threads = [threading.Thread(target=self._play, daemon=True) for _ in range(threads)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the threads after the batches that they are playing, without waiting for these on Ctrl-C."""
        self.drop_waiting()
        for _ in self._threads:
            self._inbox.put(None)
        if kind is None or not issubclass(kind, KeyboardInterrupt):
            for thread in self._threads:
                thread.join()

    def _play(self) -> None:
        while (batch := self._inbox.get()) is not None:
            start = time.perf_counter()
            try:
                batch.play()
            except BaseException as error:
                batch.error = error
            batch.seconds = time.perf_counter() - start
            self._outbox.put(batch)

    def submit(self, batch: Batch) -> None:
        """Puts a batch in the queue."""
        self.under_way.append(batch)
        self._inbox.put(batch)

    def finished(self, timeout: float) -> list[Batch]:
        """The batches that are finished; waits a while for the first. Raises what went wrong in a thread."""
        batches: list[Batch] = []
        try:
            batches.append(self._outbox.get(timeout=timeout))
            while True:
                batches.append(self._outbox.get_nowait())
        except Empty:
            pass
        for batch in batches:
            self.under_way.remove(batch)
            if batch.error is not None:
                raise batch.error
        return batches

    def drop_waiting(self) -> None:
        """Takes the batches that no thread has begun out of the queue."""
        try:
            while True:
                if (batch := self._inbox.get_nowait()) is not None:
                    self.under_way.remove(batch)
        except Empty:
            pass


MOST_THREADS: Final = 1024
TICK_SECONDS: Final = 0.1
Progress = Callable[[Sequence[PairProgress]], None]


def playtest(
    levels: Iterable[Level | NamedLevel | str | Path],
    agents: Iterable[AgentLike | str],
    attempts: int = 100,
    seed: int = 0,
    threads: int | None = None,
    precision: float | None = None,
    ceiling: int | None = None,
    sink: Sink | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
    batch: int | None = None,
    keep_rows: bool = True,
    wins: int | None = None,
) -> PlaytestResult:
    """Lets every agent play every level, and gives the attempts.

    Levels may be files, folders and names of bundled levels too, agents specs. The result depends on levels,
    agents, attempts, seed, precision, ceiling and wins only; threads (all processors if left out) and batch
    (the attempts a thread gets at once, by the agents' speed if left out) change how long it takes. With a
    precision, each pair goes on after `attempts` until its 95 % interval's half width is below it, or up to
    the ceiling. With `wins`, it goes on until the agent has won so often, or up to the ceiling.

    What the sink has already is not played again; the rest is saved there batch by batch. `progress` is
    called several times a second. When `stop` is set, the batches under way are finished and saved, and the
    result says that it is interrupted.

    With a sink, `keep_rows=False` leaves the attempts there: the result has counts only, and the memory
    needed does not grow with the attempts.
    """
    extent = check_asked(attempts, seed, threads, precision, ceiling, batch, wins)
    pairs = make_pairs(gather_levels(levels), _parsed(agents), seed)
    if sink is not None:
        sink.begin(pairs, extent)
    limit = extent.checkpoints[-1]
    works = [Work(pair, extent, sink.already_done(pair, limit) if sink else None) for pair in pairs]
    pace = Pace(threads or default_threads(), batch)
    runner = Runner(works, pace, sink, progress, stop or threading.Event())
    runner.run()
    if sink is not None:
        sink.end([(work.pair, work.done) for work in works if work.finished])
    results = tuple(_result(work, sink, keep_rows) for work in works)
    return PlaytestResult(results, interrupted=not all(work.finished for work in works))


def _result(work: Work, sink: Sink | None, keep_rows: bool) -> PairResult:
    if sink is None:
        return PairResult(work.pair, work.done, work.wins, work.finished, work.attempts())
    if not keep_rows:
        return PairResult(work.pair, work.done, work.wins, work.finished)
    kept = work.attempts(sink.attempts(work.pair, work.target))
    return PairResult(work.pair, len(kept), kept.wins, work.finished, kept)


def default_threads() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_asked(
    attempts: int = 100,
    seed: int = 0,
    threads: int | None = None,
    precision: float | None = None,
    ceiling: int | None = None,
    batch: int | None = None,
    wins: int | None = None,
) -> Extent:
    """How many attempts are asked for; PlaytestError if an argument of `playtest` makes no sense."""
    check_seed(seed)
    if threads is not None:
        check_whole("threads", threads, 1, MOST_THREADS)
    if batch is not None:
        check_whole("batch", batch, 1, MOST_ATTEMPTS)
    return Extent(attempts, precision, ceiling, wins)


def _parsed(agents: Iterable[AgentLike | str]) -> list[AgentLike]:
    from levelsense.agents.registry import parse_agent

    return [parse_agent(agent) if isinstance(agent, str) else agent for agent in agents]


class Runner:
    """Schedules the work of all pairs. Only it changes that and the sink: threads only play batches."""

    def __init__(
        self,
        works: Sequence[Work],
        pace: Pace,
        sink: Sink | None,
        progress: Progress | None,
        stop: threading.Event,
    ) -> None:
        self._works = works
        self._pace = pace
        self._sink = sink
        self._progress = progress
        self._stop = stop
        self._ready: set[str] = set()
        self._lead: Batch | None = None
        self._reported = 0.0  # when progress last was

    def run(self) -> None:
        """Plays until everything is finished, or until `stop` is set."""
        self._report()
        if all(work.finished for work in self._works):
            return
        with BatchThreads(self._pace.threads) as threads:
            while not (self._stop.is_set() or all(work.finished for work in self._works)):
                self._hand_out(threads)
                self._collect(threads)
            threads.drop_waiting()
            while threads.under_way:
                self._collect(threads)
        self._report()

    def _hand_out(self, threads: BatchThreads) -> None:
        """Gives the threads enough to do for a while."""
        while not self._pace.has_enough(threads.under_way):
            batch = self._next_batch()
            if batch is None:
                return
            self._pace.expect(batch)
            threads.submit(batch)

    def _next_batch(self) -> Batch | None:
        unfinished = [work for work in self._works if not work.finished]
        open_everywhere = sum(work.open for work in unfinished)
        for work in unfinished:
            # An agent's first attempt compiles its kernels: the others wait, or they would do it again.
            is_ready = work.pair.agent.spec in self._ready
            if not is_ready and self._lead is not None:
                continue
            batch = work.take(self._pace.size(work, open_everywhere) if is_ready else 1)
            if batch is not None:
                if not is_ready:
                    self._lead = batch
                return batch
        return None

    def _collect(self, threads: BatchThreads) -> None:
        """Waits a moment for batches that are finished, and keeps them."""
        batches = threads.finished(TICK_SECONDS)
        if batches and self._sink is not None:
            self._sink.save(
                [(batch.work.pair, batch.attempts) for batch in batches if batch.attempts is not None]
            )
        for batch in batches:
            self._take_in(batch)
        if any(batch.work.finished for batch in batches) or time.monotonic() > self._reported + TICK_SECONDS:
            self._report()

    def _take_in(self, batch: Batch) -> None:
        work = batch.work
        work.take_in(batch)
        if batch is self._lead:
            # It may have been compiling: its time says nothing.
            self._ready.add(work.pair.agent.spec)
            self._lead = None
        else:
            self._pace.note(batch)

    def _report(self) -> None:
        """Calls `progress` with how far every pair is, if there is one."""
        self._reported = time.monotonic()
        if self._progress is not None:
            self._progress([self._progress_of(work) for work in self._works])

    def _progress_of(self, work: Work) -> PairProgress:
        return PairProgress(
            work.pair,
            work.done,
            work.target,
            work.wins,
            work.finished,
            self._lead is not None and self._lead.work is work,
            self._pace.attempts_per_second(work),
            self._pace.seconds_left(work),
        )
