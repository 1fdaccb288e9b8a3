"""Routes that play for long: predictions, playtests and reports, of a level or of the whole folder."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi import Path as PathPart
from fastapi.responses import FileResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent

from levelsense.studio.batches import (
    REPORTS_KEPT,
    Batches,
    FolderPlaytestRequest,
    FolderRequest,
    PlaytestRequest,
    PredictRequest,
)
from levelsense.studio.context import Studio
from levelsense.studio.problems import RequestError
from levelsense.studio.runs import SOON


def playtests_router(studio: Studio) -> APIRouter:
    """The routes; what is played is kept in the database, so that a batch that was ended goes on later."""
    router = APIRouter(prefix="/api", tags=["playtests"], dependencies=[Depends(studio.runs.admit)])
    batches = Batches(studio)

    @router.post("/predict")
    async def predict(request: PredictRequest) -> dict[str, Any]:
        """What `levelsense predict --json` says of a level. /api/estimate streams figures on the way."""
        named = request.named()
        (prediction,) = await studio.runs.once(
            request.tab,
            SOON,
            lambda stop: studio.lab.predict(
                named,
                target=request.target,
                model=studio.model,
                seed=request.seed,
                threads=studio.threads,
                stop=stop,
            ),
        )
        return prediction.as_data()

    @router.post("/playtest", response_class=EventSourceResponse)
    async def playtest(request: PlaytestRequest) -> AsyncIterator[ServerSentEvent]:
        """Lets agents play a level. Events: `progress`, then `result` with a row an agent, `done`.

        `problem`: a sentence, if it cannot be played. `superseded`: the same tab has asked for more.
        """
        async for one in batches.playtest_level(request):
            yield one

    @router.post("/saga/predict", response_class=EventSourceResponse)
    async def predict_saga(request: FolderRequest) -> AsyncIterator[ServerSentEvent]:
        """Predicts the folder's levels, one after the other, as `levelsense predict DIR` does.

        Events: `progress` with `done` and `total`; `level` with a level's point of the curve; `skipped` with
        a sentence, for one that cannot be played; `done`, or `superseded`. Who stops listening ends it, and
        what was predicted is kept.
        """
        async for one in batches.predict(request):
            yield one

    @router.post("/saga/playtest", response_class=EventSourceResponse)
    async def playtest_saga(request: FolderPlaytestRequest) -> AsyncIterator[ServerSentEvent]:
        """Lets agents play the folder's levels, one after the other. Events as those of /api/saga/predict;
        `level` has the rows of /api/playtest."""
        async for one in batches.playtest(request):
            yield one

    @router.post("/saga/report", response_class=EventSourceResponse)
    async def report_saga(request: FolderRequest) -> AsyncIterator[ServerSentEvent]:
        """Makes the page that `levelsense report DIR` writes, of at most 200 levels.

        Events as those of /api/saga/predict; `ready` has the address to download the page from.
        """
        async for one in batches.report(request):
            yield one

    @router.get("/saga/report/{key}", response_class=FileResponse)
    def download(key: Annotated[str, PathPart(pattern=r"^[0-9a-f]{16}$")]) -> FileResponse:
        """A page that /api/saga/report has made, as a file that needs nothing else."""
        path = studio.folder.reports / f"{key}.html"
        if not path.is_file():
            raise RequestError(
                404, "no-such-report", f"{key}: no such report; the last {REPORTS_KEPT} are kept"
            )
        return FileResponse(path, media_type="text/html", filename="report.html")

    return router
