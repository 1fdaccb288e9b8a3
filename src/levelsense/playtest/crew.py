"""The threads that play: batches in, batches out."""

import threading
import time
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Self

from levelsense.playtest.work import Batch


class Crew:
    """So many threads that play batches. Kernels release the GIL, so they do play at once."""

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
        """Sends everybody home. Only somebody who interrupts does not wait for batches under way."""
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
        found: list[Batch] = []
        try:
            found.append(self._outbox.get(timeout=timeout))
            while True:
                found.append(self._outbox.get_nowait())
        except Empty:
            pass
        for batch in found:
            self.under_way.remove(batch)
            if batch.error is not None:
                raise batch.error
        return found

    def drop_waiting(self) -> None:
        """Takes the batches that nobody plays yet out of the queue."""
        try:
            while True:
                if (batch := self._inbox.get_nowait()) is not None:
                    self.under_way.remove(batch)
        except Empty:
            pass
