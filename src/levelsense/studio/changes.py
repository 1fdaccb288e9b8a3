"""Routes about changes of a level: suggestions, two versions compared, and the limit for a target."""

from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import Field

from levelsense import defaults
from levelsense.agents.registry import agent_words
from levelsense.errors import LevelsenseError
from levelsense.lab.level_files import changed_text
from levelsense.level.tokens import cell_name
from levelsense.prediction.suggestions import Suggestion
from levelsense.prediction.tuning import LimitPrediction
from levelsense.studio.context import LevelRequest, LevelText, Studio, Tab, Target, named_level
from levelsense.studio.estimates import event, figure_data
from levelsense.studio.problems import error_data
from levelsense.studio.runs import LATER, SupersededError, Ticket

MOST_SUGGESTIONS: Final = 10
Kinds = Annotated[tuple[str, ...], Field(max_length=10)]


class SuggestRequest(LevelRequest):
    """A level, the success rate that is wanted, what may be changed, and cells that stay."""

    target: Target
    allow: Kinds = ()
    keep: str = Field("", max_length=1000, description="Cells that stay as they are, as `a1:c3,e5`.")
    most: int = Field(defaults.SUGGESTIONS, ge=1, le=MOST_SUGGESTIONS)
    tab: Tab = "api-suggest"


class CompareRequest(LevelRequest):
    """A level and an earlier version of it."""

    old: LevelText
    tab: Tab = "api-compare"


class TuneRequest(LevelRequest):
    """A level whose limit is to be found for a success rate."""

    target: Target
    tab: Tab = "api-tune"


def changes_router(studio: Studio) -> APIRouter:
    """The routes; each streams `result` or `problem`, then `done`."""
    router = APIRouter(prefix="/api", tags=["changes"], dependencies=[Depends(studio.runs.admit)])

    @router.post("/suggest", response_class=EventSourceResponse)
    async def suggest(request: SuggestRequest) -> AsyncIterator[ServerSentEvent]:
        """The smallest changes of a level that reach a target, each tried: what `levelsense suggest` says."""

        def work(ticket: Ticket) -> dict[str, Any]:
            named = request.named()
            result = studio.lab.suggest(
                named,
                request.target,
                allow=request.allow,
                keep=request.keep,
                most=request.most,
                model=studio.model,
                threads=studio.threads,
                stop=ticket.stop,
            )
            return {
                "now": figure_data(result.now),
                "reached": result.is_reached,
                "tried": result.tried,
                "suggestions": [suggestion_data(request.text, one) for one in result.suggestions],
                "nearest": None if result.nearest is None else suggestion_data(request.text, result.nearest),
            }

        async for one in streamed(studio, request.tab, work):
            yield one

    @router.post("/compare", response_class=EventSourceResponse)
    async def compare(request: CompareRequest) -> AsyncIterator[ServerSentEvent]:
        """What a new version of a level changes, on the same boards: what `levelsense compare` says."""

        def work(ticket: Ticket) -> dict[str, Any]:
            old, new = named_level(request.old, "before"), request.named()
            compared = studio.lab.compare(
                old, new, model=studio.model, threads=studio.threads, stop=ticket.stop
            )
            agents = {agent_words(agent): shift.as_data() for agent, shift in compared.agents.items()}
            cells = [
                cell_name(*divmod(index, new.level.columns)) for index in sorted(compared.difference.cells)
            ]
            return {**compared.as_data(), "agents": agents, "cells": cells}

        async for one in streamed(studio, request.tab, work):
            yield one

    @router.post("/tune", response_class=EventSourceResponse)
    async def tune(request: TuneRequest) -> AsyncIterator[ServerSentEvent]:
        """The limit with which the predicted success rate is nearest to a target, as `levelsense tune`."""

        def work(ticket: Ticket) -> dict[str, Any]:
            tuning = studio.lab.tune(
                request.named(),
                request.target,
                model=studio.model,
                threads=studio.threads,
                stop=ticket.stop,
            )
            return {
                "now": limit_data(tuning.now),
                "best": None if tuning.best is None else limit_data(tuning.best),
                "limits": [limit_data(one) for one in tuning.predictions],
                "rising": tuning.rising.tolist(),
            }

        async for one in streamed(studio, request.tab, work):
            yield one

    return router


async def streamed(
    studio: Studio, tab: str, work: Callable[[Ticket], dict[str, Any]]
) -> AsyncIterator[ServerSentEvent]:
    """The result of one piece of work as events; it ends when the client disconnects."""
    async with studio.runs.ticket(tab) as ticket:
        try:
            yield event("working")
            yield event("result", await studio.runs.compute(ticket, LATER, lambda: work(ticket)))
            yield event("done")
        except SupersededError:
            yield event("superseded")
        except LevelsenseError as error:
            yield event("problem", error_data(error))


def suggestion_data(text: str, suggestion: Suggestion) -> dict[str, Any]:
    """A suggestion with the text of the changed level, written as the level was."""
    columns = suggestion.level.columns
    return {
        "change": suggestion.words,
        "cells": [cell_name(*divmod(index, columns)) for index in sorted(suggestion.difference.cells)],
        "figure": figure_data(suggestion.prediction),
        "feel": None if suggestion.feel is None else suggestion.feel.as_data(),
        "text": changed_text(text, suggestion.edit.origin, suggestion.level),
    }


def limit_data(limit: LimitPrediction) -> dict[str, Any]:
    """A limit with what is predicted for it."""
    return {
        "limit": limit.limit,
        "rate": limit.rate,
        "band_95": limit.prediction.band_95,
        "verdict": limit.verdict,
    }
