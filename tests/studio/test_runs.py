"""Who may compute: one at a time, the quick before the long, the last edit wins, and who leaves ends it."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from levelsense.errors import StoppedError
from levelsense.studio.problems import RequestError
from levelsense.studio.runs import FIRST, LATER, LONG, SOON, Runs, SupersededError, Ticket

SECONDS = 30  # that nothing here takes


def run(check: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(check(), SECONDS))


class Work:
    """Work on a thread that says when it has begun, and goes on until it is let go or stopped."""

    def __init__(self, name: str = "") -> None:
        self.name, self.begun, self.go = name, threading.Event(), threading.Event()
        self.times = 0

    def until(self, stop: threading.Event) -> str:
        self.times += 1
        self.begun.set()
        while not self.go.wait(0.005):
            if stop.is_set():
                raise StoppedError
        return self.name

    async def has_begun(self) -> None:
        while not self.begun.is_set():
            await asyncio.sleep(0.002)


async def compute(runs: Runs, tab: str, urgency: int, work: Work) -> str:
    async with runs.ticket(tab) as ticket:
        return await runs.compute(ticket, urgency, lambda: work.until(ticket.stop))


async def queued(runs: Runs, number: int) -> None:
    while runs.waiting < number:
        await asyncio.sleep(0.002)


def test_two_never_compute_at_once() -> None:
    at_once, most, lock = 0, 0, threading.Lock()

    def play() -> None:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        threading.Event().wait(0.002)
        with lock:
            at_once -= 1

    async def check() -> None:
        runs = Runs()

        async def one(tab: str) -> None:
            async with runs.ticket(tab) as ticket:
                for urgency in (FIRST, SOON, LATER):
                    await runs.compute(ticket, urgency, play)

        await asyncio.gather(*(one(f"tab-{number}") for number in range(20)))

    run(check)
    assert most == 1


def test_what_is_quick_goes_before_what_is_long() -> None:
    async def check() -> None:
        runs, order = Runs(), list[str]()
        first = Work("first")
        running = asyncio.ensure_future(compute(runs, "a", LATER, first))
        await first.has_begun()

        async def one(name: str, urgency: int) -> None:
            async with runs.ticket(name) as ticket:
                order.append(await runs.compute(ticket, urgency, lambda: name))

        names = [("later", LATER), ("soon 1", SOON), ("now", FIRST), ("soon 2", SOON)]
        waiting = []
        for number, (name, urgency) in enumerate(names, start=1):
            waiting.append(asyncio.ensure_future(one(name, urgency)))
            await queued(runs, number)
        first.go.set()
        await asyncio.gather(running, *waiting)
        assert order == ["now", "soon 1", "soon 2", "later"]

    run(check)


def test_the_last_edit_of_a_tab_wins() -> None:
    async def check() -> None:
        runs, old, new = Runs(), Work("old"), Work("new")
        first = asyncio.ensure_future(compute(runs, "tab", SOON, old))
        await old.has_begun()
        second = asyncio.ensure_future(compute(runs, "tab", SOON, new))
        with pytest.raises(SupersededError):
            await first
        new.go.set()
        assert await second == "new"

    run(check)


@pytest.mark.parametrize("fails", [False, True])
def test_what_was_stopped_half_way_is_not_given(fails: bool) -> None:
    """Work that looks at `stop` may end with a part of its figures, or fail for want of the rest."""

    async def check() -> None:
        runs, begun = Runs(), threading.Event()

        async def estimate() -> str:
            async with runs.ticket("tab") as ticket:

                def work() -> str:
                    begun.set()
                    assert ticket.stop.wait(SECONDS)
                    if fails:
                        raise ZeroDivisionError
                    return "a part"

                return await runs.compute(ticket, SOON, work)

        first = asyncio.ensure_future(estimate())
        while not begun.is_set():
            await asyncio.sleep(0.002)
        async with runs.ticket("tab"):
            with pytest.raises(SupersededError):
                await first

    run(check)


def test_an_edit_that_waits_never_begins_if_a_newer_one_comes() -> None:
    async def check() -> None:
        runs, busy, old, new = Runs(), Work("busy"), Work("old"), Work("new")
        running = asyncio.ensure_future(compute(runs, "other", SOON, busy))
        await busy.has_begun()
        waiting = asyncio.ensure_future(compute(runs, "tab", SOON, old))
        await queued(runs, 1)
        newer = asyncio.ensure_future(compute(runs, "tab", SOON, new))
        with pytest.raises(SupersededError):
            await waiting
        new.go.set()
        busy.go.set()
        assert list(await asyncio.gather(running, newer)) == ["busy", "new"]
        assert old.times == 0

    run(check)


def test_other_tabs_go_on() -> None:
    async def check() -> None:
        runs, mine, theirs = Runs(), Work("mine"), Work("theirs")
        first = asyncio.ensure_future(compute(runs, "mine", SOON, mine))
        await mine.has_begun()
        second = asyncio.ensure_future(compute(runs, "theirs", SOON, theirs))
        await queued(runs, 1)
        mine.go.set()
        theirs.go.set()
        assert list(await asyncio.gather(first, second)) == ["mine", "theirs"]

    run(check)


def test_who_leaves_ends_the_work_and_the_next_one_begins() -> None:
    async def check() -> None:
        runs, left, following = Runs(), Work("left"), Work("next")
        leaving = asyncio.ensure_future(compute(runs, "a", SOON, left))
        await left.has_begun()
        waiting = asyncio.ensure_future(compute(runs, "b", SOON, following))
        await queued(runs, 1)
        leaving.cancel()
        following.go.set()
        assert await waiting == "next"
        with pytest.raises(asyncio.CancelledError):
            await leaving

    run(check)


def test_who_leaves_the_queue_holds_nobody_up() -> None:
    async def check() -> None:
        runs, busy = Runs(), Work("busy")
        running = asyncio.ensure_future(compute(runs, "a", SOON, busy))
        await busy.has_begun()
        waiting = [asyncio.ensure_future(compute(runs, f"{n}", SOON, Work())) for n in range(5)]
        await queued(runs, 5)
        last = Work("last")
        last.go.set()
        after = asyncio.ensure_future(compute(runs, "z", LATER, last))
        await queued(runs, 6)
        for one in waiting:
            one.cancel()
        busy.go.set()
        assert list(await asyncio.gather(running, after)) == ["busy", "last"]
        assert runs.waiting == 0

    run(check)


def test_who_leaves_just_when_the_turn_comes_holds_nobody_up() -> None:
    async def check() -> None:
        runs, busy, last = Runs(), Work("busy"), Work("last")
        running = asyncio.ensure_future(compute(runs, "a", SOON, busy))
        await busy.has_begun()
        leaving = asyncio.ensure_future(compute(runs, "b", SOON, Work()))
        await queued(runs, 1)
        next_turn = runs._next

        def go_on_and_leave() -> None:
            next_turn()
            leaving.cancel()

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(runs, "_next", go_on_and_leave)
            busy.go.set()
            assert await running == "busy"
        with pytest.raises(asyncio.CancelledError):
            await leaving
        last.go.set()
        assert await asyncio.wait_for(compute(runs, "c", SOON, last), 5) == "last"

    run(check)


def test_work_that_fails_gives_the_turn_away() -> None:
    async def check() -> None:
        runs = Runs()

        def fail() -> None:
            raise ValueError("on purpose")

        for _ in range(3):
            async with runs.ticket("a") as ticket:
                with pytest.raises(ValueError, match="on purpose"):
                    await runs.compute(ticket, SOON, fail)
        done = Work("done")
        done.go.set()
        assert await compute(runs, "b", LONG, done) == "done"

    run(check)


class TestTooMany:
    def test_a_queue_that_is_full_is_told(self) -> None:
        async def check() -> None:
            runs, busy = Runs(most_waiting=3), Work("busy")
            busy_tab = asyncio.ensure_future(compute(runs, "busy", SOON, busy))
            await busy.has_begun()
            waiting = [asyncio.ensure_future(compute(runs, f"{n}", SOON, Work())) for n in range(3)]
            await queued(runs, 3)
            with pytest.raises(RequestError) as refused:
                await compute(runs, "one more", SOON, Work())
            assert refused.value.status == 429
            assert refused.value.headers == {"retry-after": "2"}
            for one in (*waiting, busy_tab):
                one.cancel()

        run(check)

    def test_streams_are_refused_before_they_begin(self) -> None:
        async def check() -> None:
            runs = Runs(most_waiting=2)
            admitted = [runs.admit() for _ in range(3)]
            for one in admitted[:2]:
                await anext(one)
            with pytest.raises(RequestError) as refused:
                await anext(admitted[2])
            assert refused.value.status == 429
            with pytest.raises(StopAsyncIteration):
                await anext(admitted[0])
            await anext(runs.admit())

        run(check)


class TestLong:
    @staticmethod
    async def start(runs: Runs, tab: str, work: Work) -> "tuple[asyncio.Future[str], list[Ticket]]":
        tickets: list[Ticket] = []

        async def batch() -> str:
            async with runs.ticket(tab, is_long=True) as ticket:
                tickets.append(ticket)
                return await runs.compute_long(ticket, work.until)

        task = asyncio.ensure_future(batch())
        await asyncio.sleep(0)
        return task, tickets

    def test_it_gives_way_and_goes_on_afterwards(self) -> None:
        async def check() -> None:
            runs, batch = Runs(), Work("batch")
            long, _ = await self.start(runs, "batch", batch)
            await batch.has_begun()
            quick = Work("quick")
            quick.go.set()
            for number in range(3):
                assert await compute(runs, f"designer-{number}", FIRST, quick) == "quick"
                batch.begun.clear()
                await batch.has_begun()
            batch.go.set()
            assert await long == "batch"
            assert batch.times == 4

        run(check)

    def test_it_does_not_begin_between_the_steps_of_an_estimate(self) -> None:
        async def check() -> None:
            runs, batch, first, second = Runs(), Work("batch"), Work("1"), Work("2")
            async with runs.ticket("designer") as ticket:
                step = asyncio.ensure_future(runs.compute(ticket, FIRST, lambda: first.until(ticket.stop)))
                await first.has_begun()
                long, _ = await self.start(runs, "batch", batch)
                await queued(runs, 1)
                first.go.set()
                await step
                second.go.set()
                assert await runs.compute(ticket, LATER, lambda: second.until(ticket.stop)) == "2"
                assert batch.times == 0
            batch.go.set()
            assert await long == "batch"

        run(check)

    def test_it_waits_for_an_estimate_whose_next_step_is_to_come(self) -> None:
        async def check() -> None:
            runs, batch = Runs(), Work("batch")
            batch.go.set()
            async with runs.ticket("designer"):
                long, _ = await self.start(runs, "batch", batch)
                await asyncio.sleep(0.05)
                assert (batch.times, runs.waiting) == (0, 1)
            assert await long == "batch"

        run(check)

    def test_it_gives_way_to_who_asks_just_when_its_turn_comes(self) -> None:
        async def check() -> None:
            runs, other, batch, quick = Runs(), Work("other"), Work("batch"), Work("quick")
            first, _ = await self.start(runs, "other", other)
            await other.has_begun()
            long, _ = await self.start(runs, "batch", batch)
            await queued(runs, 1)
            quick.go.set()
            asked: list[asyncio.Future[str]] = []
            next_turn = runs._next

            def ask_and_go_on() -> None:
                # On the loop before the batch hears that its turn has come.
                asked.append(asyncio.ensure_future(compute(runs, "designer", FIRST, quick)))
                next_turn()

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(runs, "_next", ask_and_go_on)
                other.go.set()
                await first
            assert await asked[0] == "quick"
            batch.go.set()
            assert await long == "batch"

        run(check)

    def test_two_batches_share_in_turns_and_neither_stops_the_other(self) -> None:
        async def check() -> None:
            runs, one, other = Runs(), Work("one"), Work("other")
            first, _ = await self.start(runs, "one", one)
            await one.has_begun()
            second, _ = await self.start(runs, "other", other)
            await queued(runs, 1)
            one.go.set()
            other.go.set()
            assert list(await asyncio.gather(first, second)) == ["one", "other"]
            assert (one.times, other.times) == (1, 1)

        run(check)

    def test_its_tab_ends_it(self) -> None:
        async def check() -> None:
            runs, batch = Runs(), Work("batch")
            long, tickets = await self.start(runs, "tab", batch)
            await batch.has_begun()
            tickets[0].cancel()
            with pytest.raises(SupersededError):
                await long
            assert batch.times == 1

        run(check)

    def test_leaving_ends_it_also_while_it_gives_way(self) -> None:
        async def check() -> None:
            runs, batch, busy = Runs(), Work("batch"), Work("busy")
            long, _ = await self.start(runs, "batch", batch)
            await batch.has_begun()
            quick = asyncio.ensure_future(compute(runs, "designer", FIRST, busy))
            await busy.has_begun()
            long.cancel()
            busy.go.set()
            assert await quick == "busy"
            with pytest.raises(asyncio.CancelledError):
                await long
            assert runs.waiting == 0

        run(check)

    def test_work_that_stops_by_itself_is_not_begun_for_ever(self) -> None:
        async def check() -> None:
            runs, times = Runs(), list[Any]()

            def stop_at_once(_: threading.Event) -> None:
                times.append(None)
                raise StoppedError

            async with runs.ticket("tab", is_long=True) as ticket:
                with pytest.raises(SupersededError):
                    await runs.compute_long(ticket, stop_at_once)
            assert len(times) == 1

        run(check)
