"""Estimates that stream: a first figure in a moment, sharper as agents play on, then the reasons."""

from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from fastapi import APIRouter, Depends
from fastapi.sse import EventSourceResponse, ServerSentEvent

from levelsense.agents.registry import agent_words
from levelsense.errors import LevelsenseError
from levelsense.playtest import NamedLevel
from levelsense.prediction.features import GROUPS
from levelsense.prediction.levels import LevelPrediction, predict_levels
from levelsense.prediction.table import play_table
from levelsense.studio.context import LevelRequest, Studio, Tab, Target
from levelsense.studio.details import feel_work, limits_work, struck_work
from levelsense.studio.level_data import heat_data, level_data
from levelsense.studio.problems import error_data
from levelsense.studio.runs import FIRST, LATER, SOON, SupersededError, Ticket

FIRST_SHARES: Final = (0.04, 0.2)  # of the attempts that the model asks for: the first figures


class EstimateRequest(LevelRequest):
    """A level, the success rate that is wanted, and who asks."""

    target: Target = 0.5
    tab: Tab = "api"
    reasons: bool = True


def estimates_router(studio: Studio) -> APIRouter:
    """The routes."""
    router = APIRouter(prefix="/api", tags=["predictions"], dependencies=[Depends(studio.runs.admit)])

    @router.post("/estimate", response_class=EventSourceResponse)
    async def estimate(request: EstimateRequest) -> AsyncIterator[ServerSentEvent]:
        """What to expect of players at a level, as a stream of server-sent events.

        `level`: what is in the level. `figure`: a prediction, each sharper than the one before; the last one
        has `final` and is what `levelsense predict` says. `reasons`: why attempts are lost, as `levelsense
        explain` says it, and where. `limits`: success by limit. `feel`: near misses, skill, luck, stars, and
        groups of players. `struck`: how often each cell is struck. `problem`: a sentence, if the level cannot
        be predicted. `superseded`: the same tab has asked for something newer. `done`: the end.
        """
        async for event in estimate_events(studio, request):
            yield event

    return router


def event(kind: str, data: Any = None) -> ServerSentEvent:
    """An event with its data."""
    return ServerSentEvent(event=kind, data={} if data is None else data)


async def estimate_events(studio: Studio, request: EstimateRequest) -> AsyncIterator[ServerSentEvent]:
    """The events of an estimate. The run ends when the client disconnects."""
    async with studio.runs.ticket(request.tab) as ticket:
        try:
            named = request.named()
            yield event("level", level_data(named.level))
            for urgency, share in zip((FIRST, SOON), FIRST_SHARES, strict=True):
                work = _early(studio, named, request.target, share, ticket)
                prediction = await studio.runs.compute(ticket, urgency, work)
                yield event("figure", figure_data(prediction, share=share, final=False))
            (prediction,) = await studio.runs.compute(ticket, SOON, _whole(studio, named, request, ticket))
            yield event("figure", figure_data(prediction, share=1, final=True))
            if request.reasons:
                for kind, more in _reasons(studio, named, prediction, request, ticket):
                    yield event(kind, await studio.runs.compute(ticket, LATER, more))
            yield event("done")
        except SupersededError:
            yield event("superseded")
        except LevelsenseError as error:
            yield event("problem", error_data(error))


def all_work(studio: Studio, named: NamedLevel, ticket: Ticket) -> None:
    """All that an estimate computes, one after the other."""
    request = EstimateRequest(text="")
    _early(studio, named, request.target, FIRST_SHARES[0], ticket)()
    (prediction,) = _whole(studio, named, request, ticket)()
    for _, work in _reasons(studio, named, prediction, request, ticket):
        work()


def _reasons(
    studio: Studio, named: NamedLevel, prediction: LevelPrediction, request: EstimateRequest, ticket: Ticket
) -> tuple[tuple[str, Callable[[], dict[str, Any]]], ...]:
    """The events after the last figure, each with the work that gives its data."""
    return (
        ("reasons", _why(studio, named, request, ticket)),
        ("limits", limits_work(studio, named, prediction)),
        ("feel", feel_work(studio, named, prediction, ticket)),
        ("struck", struck_work(named, ticket)),
    )


def _early(
    studio: Studio, named: NamedLevel, target: float, share: float, ticket: Ticket
) -> Callable[[], LevelPrediction]:
    """A prediction from a part of the attempts, which are not stored: writing them would take longer."""

    def predict() -> LevelPrediction:
        agents = {
            spec: max(GROUPS, round(share * attempts))
            for spec, attempts in studio.model.origin_.attempts.items()
        }
        table = play_table([named], agents, threads=studio.threads, stop=ticket.stop)
        (prediction,) = predict_levels(studio.model, table, target)
        return prediction

    return predict


def _whole(
    studio: Studio, named: NamedLevel, request: EstimateRequest, ticket: Ticket
) -> Callable[[], list[LevelPrediction]]:
    return lambda: studio.lab.predict(
        named, target=request.target, model=studio.model, threads=studio.threads, stop=ticket.stop
    )


def _why(
    studio: Studio, named: NamedLevel, request: EstimateRequest, ticket: Ticket
) -> Callable[[], dict[str, Any]]:
    def explain() -> dict[str, Any]:
        (explanation,) = studio.lab.explain(
            named, target=request.target, model=studio.model, threads=studio.threads, stop=ticket.stop
        )
        heat = [heat_data(named.level, heat) for heat in explanation.losses.heat]
        return {**explanation.as_data(), "basis": explanation.losses.basis, "heat": heat}

    return explain


def figure_data(prediction: LevelPrediction, **more: Any) -> dict[str, Any]:
    """A prediction for the page: rate, bands, verdict, and what agents did."""
    return {
        "rate": prediction.rate,
        "band_50": prediction.band_50,
        "band_95": prediction.band_95,
        "average_95": prediction.average_95,
        "needed": prediction.needed,
        "harder_than": prediction.harder_than,
        "target": prediction.target,
        "verdict": prediction.verdict,
        "why": list(prediction.why),
        "unlike": prediction.unlike,
        "simulated": prediction.simulated,
        "agents": {agent_words(agent): rate for agent, rate in prediction.agents.items()},
        **more,
    }
