"""Routes that show how agents play: an attempt choice by choice, a search's tree, and where it was lost."""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated, Any, Final

import numpy as np
from fastapi import APIRouter, Depends
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import Field, model_validator

from levelsense import defaults
from levelsense.agents.registry import Agent, parse_agent
from levelsense.errors import AgentError, LevelsenseError, StoppedError
from levelsense.game.game import Game
from levelsense.losses.turning import CONTINUATIONS, LOST_SHARE, turning_point, wins_from
from levelsense.playtest.plan import attempt_seeds
from levelsense.studio.agents import AgentSpec, offered_agents, requested_agent
from levelsense.studio.context import LevelRequest, Seed, Studio, Tab
from levelsense.studio.estimates import event
from levelsense.studio.problems import error_data
from levelsense.studio.runs import LATER, SOON, SupersededError, Ticket
from levelsense.studio.turn_data import state_data
from levelsense.studio.watched import (
    Choices,
    Watched,
    decision_data,
    decisions,
    number_ending_at,
    start_data,
    tree_drawing,
)

MOST_KEPT: Final = 16  # attempts whose trees can be drawn without playing them again
PLAYS_ON, STRONGER = defaults.EXPLAINED_AGENT, "heuristic"
_WORDS: Final = {
    "policy": "the policy, which plays as simulated players do",
    "heuristic": "the heuristic, a careful bot, since players like the policy hardly ever win here",
}
Emit = Callable[[ServerSentEvent], None]
Kept = OrderedDict[tuple[str, str, bytes], Choices]  # of attempts that were watched, by their keys


class WatchRequest(LevelRequest):
    """An agent's attempt at a level: one of a playtest by its number, one that ended at a cell, or any."""

    agent: AgentSpec = defaults.EXPLAINED_AGENT
    attempt: Annotated[int, Field(ge=0, lt=1_000_000)] | None = Field(
        None, description="The attempt's number in a playtest with seed 0; 0 if nothing else is given."
    )
    ending_at: str | None = Field(
        None,
        pattern=r"^[a-l]\d{1,2}$",
        description="A cell: the first lost attempt that left something there.",
    )
    seed: Seed | None = Field(None, description="Any board: the seed of the game.")
    tab: Tab = "api"

    @model_validator(mode="after")
    def _one_way(self) -> "WatchRequest":
        if sum(one is not None for one in (self.attempt, self.ending_at, self.seed)) > 1:
            raise ValueError("expected one of attempt, ending_at and seed")
        return self


class TreeRequest(WatchRequest):
    """The same, and the turn at which the agent's search tree is drawn."""

    turn: int = Field(0, ge=0, le=9_999)


def watching_router(studio: Studio) -> APIRouter:
    """The routes."""
    router = APIRouter(prefix="/api", tags=["agents"])
    kept: Kept = OrderedDict()

    @router.get("/agents")
    def agents() -> list[dict[str, Any]]:
        """The agents that play, each with a name for designers, its own name, and its options."""
        return offered_agents()

    @router.post("/watch", response_class=EventSourceResponse, dependencies=[Depends(studio.runs.admit)])
    async def watch(request: WatchRequest) -> AsyncIterator[ServerSentEvent]:
        """An agent's attempt as a stream of server-sent events.

        `start`: the level, the agent, the board as dealt. `turn`: a move, all that followed, and the best
        moves with what they were worth to the agent in this very choice. `end`: how it ended. For a lost
        attempt, `share`: how many of 40 continuations win from a position; then `lost`: where it was lost.
        `problem`: a sentence. `superseded`: the same tab has asked for something newer. `done`: the end.
        """
        async for one in watch_events(studio, request, kept):
            yield one

    @router.post("/watch/tree")
    async def tree(request: TreeRequest) -> dict[str, Any]:
        """The search tree of an mcts agent at a turn of an attempt, as `levelsense tree` draws it: SVG."""
        agent = _watchable(request.agent)
        if agent.family.name != "mcts":
            raise AgentError(f"{agent.spec} grows no search tree; expected an mcts agent")
        return await studio.runs.once(request.tab, SOON, lambda stop: _tree_data(studio, request, kept, stop))

    return router


def _watchable(spec: str) -> Agent:
    agent = requested_agent(spec)
    if agent.options.get("seconds"):
        raise AgentError(f"{spec}: a search by the clock is never the same again; expected simulations")
    return agent


async def watch_events(studio: Studio, request: WatchRequest, kept: Kept) -> AsyncIterator[ServerSentEvent]:
    """The events of an attempt. It ends when the client disconnects."""
    async with studio.runs.ticket(request.tab) as ticket:
        try:
            watched = await studio.runs.compute(ticket, SOON, lambda: _find(studio, request, ticket.stop))
            positions: list[Game] = []
            play = partial(_play, watched, ticket, positions, kept)
            async for one in _stream_events(studio, ticket, SOON, play):
                yield one
            if positions[-1].status == "lost":
                async for one in _stream_events(
                    studio, ticket, LATER, partial(_look_back, positions[:-1], ticket)
                ):
                    yield one
            yield event("done")
        except SupersededError:
            yield event("superseded")
        except LevelsenseError as error:
            yield event("problem", error_data(error))


async def _stream_events(
    studio: Studio, ticket: Ticket, urgency: int, work: Callable[[Emit], None]
) -> AsyncIterator[ServerSentEvent]:
    """The events that a function on a thread emits, as they come."""
    loop = asyncio.get_running_loop()
    events: asyncio.Queue[ServerSentEvent | None] = asyncio.Queue()

    def emit(one: ServerSentEvent) -> None:
        loop.call_soon_threadsafe(events.put_nowait, one)

    task = asyncio.ensure_future(studio.runs.compute(ticket, urgency, lambda: work(emit)))
    task.add_done_callback(lambda _: events.put_nowait(None))
    try:
        while (one := await events.get()) is not None:
            yield one
        await task
    finally:
        task.cancel()


def _find(studio: Studio, request: WatchRequest, stop: threading.Event) -> Watched:
    """The attempt that is asked for; PlaytestError if no attempt ended at the cell."""
    named, agent = request.named(), _watchable(request.agent)
    if request.seed is not None:
        pair = np.array([request.seed, ~request.seed & (2**64 - 1)], np.uint64)
        return Watched(agent, named, pair, None)
    number = request.attempt or 0
    if request.ending_at is not None:
        number = number_ending_at(studio, named, agent, request.ending_at, stop)
    return Watched(agent, named, attempt_seeds(named.level.digest, agent.spec, 0, number, 1)[0], number)


def _play(
    watched: Watched,
    ticket: Ticket,
    positions: list[Game],
    kept: Kept,
    emit: Emit,
) -> None:
    """Plays the attempt and emits each move. The positions become those of the attempt, in order."""
    agent, level = watched.agent, watched.named.level
    choices: Choices = []
    for decision in decisions(watched, ticket.stop):
        if not positions:
            emit(event("start", start_data(watched, decision.before)))
            positions.append(decision.before)
        choices.append((decision.before, decision.word))
        positions.append(decision.after)
        number = len(positions) - 2
        emit(event("turn", {"turn": number, **decision_data(agent, decision)}))
    if not positions:
        positions.append(Game(level, int(watched.seeds[0])))
        emit(event("start", start_data(watched, positions[0])))
    kept[watched.key] = choices
    while len(kept) > MOST_KEPT:
        kept.popitem(last=False)
    emit(event("end", {"state": state_data(positions[-1])}))


def _look_back(positions: list[Game], ticket: Ticket, emit: Emit) -> None:
    """Emits how often an agent still wins that plays on from each position, and where it was lost.

    Where players like the policy hardly win at all, a stronger one plays on: it shows what could be won.
    """
    agent = parse_agent(PLAYS_ON)
    if wins_from(agent, positions[0]) <= LOST_SHARE * CONTINUATIONS:
        agent = parse_agent(STRONGER)
    wins = []
    for turn, game in enumerate(positions):
        if ticket.stop.is_set():
            raise StoppedError
        wins.append(wins_from(agent, game))
        emit(event("share", {"turn": turn, "wins": wins[-1], "of": CONTINUATIONS}))
    point = turning_point(wins)
    emit(
        event(
            "lost",
            {
                "turn": point.turn,
                "before": point.before,
                "after": point.after,
                "sentence": point.sentence,
                "agent": agent.spec,
                "by": f"{CONTINUATIONS} continuations from each position, by {_WORDS[agent.family.name]}, "
                "with other candies falling in",
            },
        )
    )


def _tree_data(studio: Studio, request: TreeRequest, kept: Kept, stop: threading.Event) -> dict[str, Any]:
    watched = _find(studio, request, stop)
    return {"svg": tree_drawing(watched, kept.get(watched.key), request.turn, stop)}
