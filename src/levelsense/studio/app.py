"""The studio's web application: routes, the page, and what every request must pass."""

from importlib.metadata import version
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from levelsense.studio.changes import changes_router
from levelsense.studio.context import Studio
from levelsense.studio.estimates import estimates_router
from levelsense.studio.games import games_router
from levelsense.studio.guard import Access, Guard
from levelsense.studio.levels import levels_router, library_router
from levelsense.studio.playtests import playtests_router
from levelsense.studio.problems import PROBLEMS, handle_problems
from levelsense.studio.results import results_router
from levelsense.studio.saga import saga_router
from levelsense.studio.watching import watching_router

PAGE: Final = Path(__file__).parent / "page"
ROUTERS: Final = (
    levels_router,
    library_router,
    estimates_router,
    changes_router,
    games_router,
    watching_router,
    playtests_router,
    saga_router,
    results_router,
)


def create_app(studio: Studio, access: Access) -> FastAPI:
    """The application for a Lab and a folder of levels."""
    app = FastAPI(
        title="levelsense studio",
        version=version("levelsense"),
        description="Everything that the studio's page does, for programs. docs/studio.md has examples.",
        docs_url=None,  # the pages that FastAPI brings fetch scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=PROBLEMS,
    )
    app.state.studio = studio
    handle_problems(app)
    for router in ROUTERS:
        app.include_router(router(studio))

    @app.get("/", include_in_schema=False)
    def index() -> FileResponse:
        return FileResponse(PAGE / "index.html")

    app.mount("/page", StaticFiles(directory=PAGE), name="page")
    app.add_middleware(Guard, access=access)
    return app
