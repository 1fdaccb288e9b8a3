"""The queue of computations: one runs at a time, one waits for each tab, quick ones go before long ones."""

import asyncio
import heapq
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Final, TypeVar

from levelsense.errors import StoppedError
from levelsense.studio.problems import RequestError

MOST_WAITING: Final = 100
FIRST, SOON, LATER, LONG = range(4)  # how urgent a run is; a long one gives way to all others
Result = TypeVar("Result")


class SupersededError(Exception):
    """A run whose tab has asked for something newer."""


@dataclass(order=True)
class _Waiting:
    urgency: int
    number: int
    turn: "asyncio.Future[None]" = field(compare=False)
    is_long: bool = field(compare=False)


@dataclass(eq=False)
class Ticket:
    """A request that computes in steps; `stop` ends the step that is under way.

    pause   ends a long step that is under way, so that it goes on later; None for all others
    """

    tab: str
    is_long: bool = False
    stop: threading.Event = field(default_factory=threading.Event)
    pause: threading.Event | None = None
    waiting: "asyncio.Future[None] | None" = None

    def cancel(self) -> None:
        """Ends it: a step that is under way stops, one that waits never begins."""
        self.stop.set()
        if self.pause is not None:
            self.pause.set()
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_exception(SupersededError())


class Runs:
    """The one place where games are played for the page; all of it lives on the event loop's thread."""

    def __init__(self, most_waiting: int = MOST_WAITING) -> None:
        self._most_waiting = most_waiting
        self._is_busy = False
        self._queue: list[_Waiting] = []
        self._numbers = count()
        self._tickets: dict[str, Ticket] = {}
        self._running: Ticket | None = None
        self._quick = 0  # tickets that are open and not long
        self._admitted = 0

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return sum(not waiting.turn.done() for waiting in self._queue)

    async def admit(self) -> AsyncIterator[None]:
        """What routes depend on that compute: RequestError (429) if too many do already.

        A stream cannot be refused any more when it has begun, so that this comes before.
        """
        if self._admitted >= self._most_waiting:
            raise self._busy(self._admitted)
        self._admitted += 1
        try:
            yield
        finally:
            self._admitted -= 1

    def _busy(self, number: int) -> RequestError:
        return RequestError(
            429, "busy", f"{number} requests wait already; try again in a moment", retry_after="2"
        )

    @asynccontextmanager
    async def ticket(self, tab: str, *, is_long: bool = False) -> AsyncIterator[Ticket]:
        """A tab's right to compute, as long as the block lasts; what the tab asked for before is ended.

        RequestError (429) if too many wait already. Leaving the block ends what is under way. A long one is
        for `compute_long`, which waits as long as others are open.
        """
        before = self._tickets.pop(tab, None)
        if before is not None:
            before.cancel()
        elif self.waiting >= self._most_waiting:
            raise self._busy(self.waiting)
        ticket = self._tickets[tab] = Ticket(tab, is_long)
        self._quick += not is_long
        try:
            yield ticket
        finally:
            ticket.cancel()
            if self._tickets.get(tab) is ticket:
                del self._tickets[tab]
            self._quick -= not is_long
            if not self._is_busy:
                self._next()

    async def compute(self, ticket: Ticket, urgency: int, work: Callable[[], Result]) -> Result:
        """What a function gives that plays games, on a thread, when its turn has come.

        SupersededError if the ticket was ended, before or during it. The turn goes to the next one only when
        the thread is done, so that two never play at once.
        """
        if ticket.stop.is_set():
            raise SupersededError
        await self._turn(ticket, urgency)
        self._running = ticket
        if ticket.pause is not None and self._quick:
            ticket.pause.set()  # somebody asked between the turn and now
        task = asyncio.ensure_future(asyncio.to_thread(work))
        task.add_done_callback(lambda _: self._next())
        try:
            result = await asyncio.shield(task)
        except StoppedError:
            raise SupersededError from None
        except asyncio.CancelledError:
            ticket.cancel()
            # The thread ends by itself; what it raises then is nobody's concern.
            task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
            raise
        except Exception:
            if ticket.stop.is_set():
                raise SupersededError from None  # half of what it needed was there
            raise
        if ticket.stop.is_set():
            raise SupersededError  # what was stopped may have given a part
        return result

    async def compute_long(self, ticket: Ticket, work: Callable[[threading.Event], Result]) -> Result:
        """What a function gives that plays for long, and that stops when the event is set that it is given.

        As soon as somebody asks for something quicker, it is stopped, and begun again after that: the work
        keeps what it has played, as the Lab does. SupersededError if the ticket was ended.
        """
        while True:
            pause = ticket.pause = threading.Event()
            try:
                return await self.compute(ticket, LONG, partial(work, pause))
            except SupersededError:
                if ticket.stop.is_set() or not pause.is_set():
                    raise

    async def once(self, tab: str, urgency: int, work: Callable[[threading.Event], Result]) -> Result:
        """What a function gives that plays once; it gets the event that stops it.

        RequestError (409) if the tab has asked for something newer meanwhile.
        """
        async with self.ticket(tab) as ticket:
            try:
                return await self.compute(ticket, urgency, partial(work, ticket.stop))
            except SupersededError:
                raise RequestError(409, "superseded", "the same tab has asked for something newer") from None

    async def _turn(self, ticket: Ticket, urgency: int) -> None:
        if not self._is_busy and not (ticket.is_long and self._quick):
            self._is_busy = True
            return
        if not ticket.is_long and self._running is not None and self._running.pause is not None:
            self._running.pause.set()
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, _Waiting(urgency, next(self._numbers), turn, ticket.is_long))
        ticket.waiting = turn
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._next()  # its turn had come just now
            turn.cancel()
            raise
        finally:
            ticket.waiting = None

    def _next(self) -> None:
        """Starts the next request of the queue; a long one only if no quick one is under way."""
        self._running, self._is_busy = None, False
        while self._queue:
            first = self._queue[0]
            if not first.turn.done() and first.is_long and self._quick:
                return
            heapq.heappop(self._queue)
            if not first.turn.done():
                self._is_busy = True
                first.turn.set_result(None)
                return
