"""Runs over many levels: predictions, playtests and reports of the folder, each level a step of its own."""

import asyncio
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Annotated, Any, Final, TypeVar

from fastapi.sse import ServerSentEvent
from pydantic import BaseModel, Field

from levelsense import defaults
from levelsense.errors import LevelError, LevelsenseError, StoppedError
from levelsense.lab import Progress
from levelsense.playtest import NamedLevel, PlaytestResult
from levelsense.studio.agents import AgentSpec, requested_agent
from levelsense.studio.catalog import Entry
from levelsense.studio.context import MOST_ATTEMPTS, LevelRequest, Seed, Studio, Tab, Target, named_level
from levelsense.studio.estimates import event
from levelsense.studio.folder import MOST_LEVELS
from levelsense.studio.problems import RequestError, error_data
from levelsense.studio.runs import SupersededError, Ticket
from levelsense.studio.saga import LevelName, point, read_saga, saga_entries

MOST_AGENTS: Final = 6
MOST_REPORTED: Final = 200  # levels on a page; browsers open no larger ones
REPORTS_KEPT: Final = 5
Agents = Annotated[list[AgentSpec], Field(min_length=1, max_length=MOST_AGENTS)]
Attempts = Annotated[int, Field(ge=1, le=MOST_ATTEMPTS, description="Attempts of each agent at each level.")]
Result = TypeVar("Result")


class PredictRequest(LevelRequest):
    """A level, and the success rate that is wanted."""

    target: Target | None = None
    seed: Seed = 0
    tab: Tab = "api-predict"


class PlaytestRequest(LevelRequest):
    """A level, the agents that play it, and how often."""

    agents: Agents = Field(default_factory=lambda: [defaults.AGENT])
    attempts: Attempts = defaults.ATTEMPTS
    seed: Seed = 0
    tab: Tab = "api-playtest"


class FolderRequest(BaseModel, extra="forbid"):
    """Levels of the folder, in the saga's order; all of them if no names are given."""

    names: Annotated[list[LevelName], Field(max_length=MOST_LEVELS)] | None = None
    tab: Tab = "api-saga"


class FolderPlaytestRequest(FolderRequest):
    """The same, with the agents that play them."""

    agents: Agents = Field(default_factory=lambda: [defaults.AGENT])
    attempts: Attempts = defaults.ATTEMPTS
    seed: Seed = 0


class Batches:
    """Runs over many levels, each level a step of its own, which gives way to anything quicker."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio

    async def predict(self, request: FolderRequest) -> AsyncIterator[ServerSentEvent]:
        """Predictions of the folder's levels."""
        studio = self._studio
        saga = read_saga(studio.folder)

        async def one(ticket: Ticket, entry: Entry) -> ServerSentEvent:
            known = await asyncio.to_thread(studio.catalog.predictions, [entry])
            if not known:
                named = named_level(entry.text or "", entry.name)
                await studio.runs.compute_long(ticket, lambda stop: self._predicted(named, stop))
                known = await asyncio.to_thread(studio.catalog.predictions, [entry])
            return event("level", point(entry, known, saga))

        async for sent in self._each(request, one):
            yield sent

    def _predicted(self, named: NamedLevel, stop: threading.Event) -> None:
        self._studio.lab.predict(named, model=self._studio.model, threads=self._studio.threads, stop=stop)

    async def playtest(self, request: FolderPlaytestRequest) -> AsyncIterator[ServerSentEvent]:
        """Attempts of agents at the folder's levels."""
        agents = [requested_agent(spec) for spec in request.agents]

        async def one(ticket: Ticket, entry: Entry) -> ServerSentEvent:
            named = named_level(entry.text or "", entry.name)

            def work(stop: threading.Event) -> PlaytestResult:
                return self._play(named, agents, request, stop)

            tested = await self._studio.runs.compute_long(ticket, work)
            return event("level", {"name": entry.name, "rows": rows_of(tested)})

        async for sent in self._each(request, one):
            yield sent

    def _play(
        self,
        named: NamedLevel,
        agents: Sequence[Any],
        request: "PlaytestRequest | FolderPlaytestRequest",
        stop: threading.Event,
        progress: Callable[[Progress], None] | None = None,
    ) -> PlaytestResult:
        tested = self._studio.lab.playtest(
            named,
            agents,
            request.attempts,
            seed=request.seed,
            threads=self._studio.threads,
            keep_rows=False,
            progress=progress,
            stop=stop,
        )
        if tested.interrupted:
            raise StoppedError
        return tested

    async def playtest_level(self, request: PlaytestRequest) -> AsyncIterator[ServerSentEvent]:
        """Attempts of agents at one level, with progress on the way."""
        runs = self._studio.runs
        async with runs.ticket(request.tab, is_long=True) as ticket:
            try:
                agents = [requested_agent(spec) for spec in request.agents]
                named = request.named()
                newest = NewestProgress()
                task = asyncio.ensure_future(
                    runs.compute_long(
                        ticket, lambda stop: self._play(named, agents, request, stop, newest.progress)
                    )
                )
                try:
                    async for progress in newest.until(task):
                        yield event("progress", progress)
                    tested = await task
                finally:
                    task.cancel()
                yield event("result", {"name": request.name, "rows": rows_of(tested)})
                yield event("done")
            except SupersededError:
                yield event("superseded")
            except RequestError as problem:
                yield event("problem", {"code": problem.code, "problem": problem.sentence})
            except LevelsenseError as error:
                yield event("problem", error_data(error))

    async def report(self, request: FolderRequest) -> AsyncIterator[ServerSentEvent]:
        """The page of the folder's levels, made level by level."""
        studio, lab = self._studio, self._studio.lab
        parts: list[Any] = []

        async def one(ticket: Ticket, entry: Entry) -> ServerSentEvent:
            named = named_level(entry.text or "", entry.name)
            if all(named.level.digest != other.level.digest for part in parts for other in part.levels):
                parts.append(
                    await studio.runs.compute_long(
                        ticket,
                        lambda stop: lab.report_part(
                            named, model=studio.model, threads=studio.threads, stop=stop
                        ),
                    )
                )
            return event("level", {"name": entry.name})

        async def page() -> ServerSentEvent:
            if not parts:
                raise LevelError(["no level can be played, so that there is nothing to report"])
            target = read_saga(studio.folder).wanted.target
            made = await asyncio.to_thread(lab.report_of, parts, model=studio.model, target=target)
            key = secrets.token_hex(8)
            await asyncio.to_thread(studio.folder.keep_report, key, made.html, REPORTS_KEPT)
            return event("ready", {"address": f"/api/saga/report/{key}", "levels": len(parts)})

        async for sent in self._each(request, one, page, MOST_REPORTED):
            yield sent

    async def _each(
        self,
        request: FolderRequest,
        one: "Callable[[Ticket, Entry], Any]",
        last: "Callable[[], Any] | None" = None,
        most: int = MOST_LEVELS,
    ) -> AsyncIterator[ServerSentEvent]:
        """The events of a batch: each level by itself, so that one that cannot be played spoils no other."""
        async with self._studio.runs.ticket(request.tab, is_long=True) as ticket:
            try:
                entries = await asyncio.to_thread(self._entries, request)
                if len(entries) > most:
                    raise RequestError(422, "too-many", f"{len(entries):,} levels; expected at most {most}")
                skipped = 0
                for done, entry in enumerate(entries):
                    yield event("progress", {"done": done, "total": len(entries), "name": entry.name})
                    try:
                        yield await one(ticket, entry)
                    except LevelError as error:
                        skipped += 1
                        yield event("skipped", {"name": entry.name, **error_data(error)})
                if last is not None:
                    yield await last()
                yield event("progress", {"done": len(entries), "total": len(entries), "name": None})
                yield event("done", {"levels": len(entries) - skipped, "skipped": skipped})
            except SupersededError:
                yield event("superseded")
            except RequestError as problem:
                yield event("problem", {"code": problem.code, "problem": problem.sentence})
            except LevelsenseError as error:
                yield event("problem", error_data(error))

    def _entries(self, request: FolderRequest) -> list[Entry]:
        entries = saga_entries(self._studio, read_saga(self._studio.folder))
        if request.names is None:
            return entries
        wanted = set(request.names)
        missing = sorted(wanted - {entry.name for entry in entries})
        if missing:
            raise RequestError(404, "no-such-level", f"{missing[0]}: no such level")
        return [entry for entry in entries if entry.name in wanted]


def rows_of(tested: PlaytestResult) -> list[dict[str, Any]]:
    """What a playtest found, a row an agent."""
    return [
        {
            "agent": pair.agent,
            "attempts": pair.attempts,
            "wins": pair.wins,
            "rate": pair.success_rate,
            "interval_95": pair.interval,
        }
        for pair in tested.pairs
    ]


class NewestProgress:
    """The newest progress of work on a thread, for a stream on the event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._newest: Progress | None = None

    def progress(self, progress: Progress) -> None:
        """Called on the thread."""
        self._newest = progress
        self._loop.call_soon_threadsafe(self._changed.set)

    async def until(self, task: "asyncio.Future[Result]") -> AsyncIterator[dict[str, Any]]:
        """Progress as it comes, until a task is done."""
        while not task.done():
            changed = asyncio.ensure_future(self._changed.wait())
            await asyncio.wait((task, changed), return_when=asyncio.FIRST_COMPLETED)
            changed.cancel()
            self._changed.clear()
            if self._newest is not None and not task.done():
                yield {
                    "pairs": [
                        {
                            "agent": pair.pair.agent.spec,
                            "done": pair.done,
                            "total": pair.target,
                            "wins": pair.wins,
                        }
                        for pair in self._newest.pairs
                    ]
                }
