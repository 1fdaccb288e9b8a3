"""Routes of the library: the folder's levels and the bundled ones, with boards and known predictions."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from levelsense.studio.catalog import MOST_LISTED
from levelsense.studio.context import Studio, Target
from levelsense.studio.folder import MOST_LEVELS

Offset = Annotated[int, Query(ge=0, le=MOST_LEVELS, description="How many levels to pass over.")]
Limit = Annotated[int, Query(ge=1, le=MOST_LISTED, description="The most levels in the answer.")]


def library_router(studio: Studio) -> APIRouter:
    """The routes."""
    router = APIRouter(prefix="/api", tags=["levels"])
    catalog = studio.catalog

    @router.get("/levels")
    def list_levels(offset: Offset = 0, limit: Limit = MOST_LISTED, target: Target = 0.5) -> dict[str, Any]:
        """The folder's levels in the order of their names: text, what is in them, findings, prediction.

        `prediction` is null for a level that nobody has asked about yet: a list plays no games. `problem`
        says why a file is no level. `next` is the offset of the levels that follow, or null. `drafts` are the
        names of levels that were edited and not saved, also of those that have no file yet.
        """
        names = catalog.names()
        part = catalog.listed(catalog.entries(names[offset : offset + limit]), target)
        return {**_part(part, len(names), offset + limit), "drafts": studio.folder.drafts()}

    @router.get("/examples")
    def list_examples(offset: Offset = 0, limit: Limit = MOST_LISTED, target: Target = 0.5) -> dict[str, Any]:
        """The bundled levels, in the same form as the folder's: examples to copy."""
        entries = catalog.bundled()
        return _part(catalog.listed(entries[offset : offset + limit], target), len(entries), offset + limit)

    return router


def _part(levels: list[dict[str, Any]], total: int, after: int) -> dict[str, Any]:
    return {"levels": levels, "total": total, "next": after if after < total else None}
