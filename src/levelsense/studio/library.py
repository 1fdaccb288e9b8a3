"""Routes of the library: the folder's levels and the bundled ones, with boards and known predictions."""

from typing import Any

from fastapi import APIRouter

from levelsense.studio.catalog import MOST_LISTED
from levelsense.studio.context import Limit, Offset, Studio, Target
from levelsense.studio.levels import Name
from levelsense.studio.saga import read_saga


def library_router(studio: Studio) -> APIRouter:
    """The routes."""
    router = APIRouter(prefix="/api", tags=["levels"])
    catalog = studio.catalog

    @router.get("/levels")
    def list_levels(
        offset: Offset = 0, limit: Limit = MOST_LISTED, target: Target | None = None
    ) -> dict[str, Any]:
        """The folder's levels in the order of their names: text, what is in them, findings, prediction.

        `prediction` is null for a level that nobody has asked about yet: a list plays no games. `problem`
        says why a file is no level. `next` is the offset of the levels that follow, or null. `drafts` are the
        names of levels that were edited and not saved, also of those that have no file yet. Verdicts are on
        the saga's targets, unless `target` names one for all. A level's `target` is its own, or null; the
        `target` beside the levels is that of all others.
        """
        names = catalog.names()
        saga = read_saga(studio.folder)
        wanted = saga.target_of if target is None else lambda _: target
        part = catalog.listed(catalog.entries(names[offset : offset + limit]), wanted)
        levels = [{**level, "target": saga.wanted.targets.get(level["name"])} for level in part]
        return {
            **_part(levels, len(names), offset + limit),
            "drafts": studio.folder.drafts(),
            "target": saga.wanted.target,
        }

    @router.get("/levels/{name}/prediction")
    def known_prediction(name: Name) -> dict[str, Any] | None:
        """What is predicted of a saved level already, as lists have it; null if nobody has asked about it."""
        target_of = read_saga(studio.folder).target_of
        known: dict[str, Any] | None = catalog.listed([catalog.entry(name)], target_of)[0]["prediction"]
        return known

    @router.get("/examples")
    def list_examples(offset: Offset = 0, limit: Limit = MOST_LISTED, target: Target = 0.5) -> dict[str, Any]:
        """The bundled levels, in the same form as the folder's: examples to copy."""
        entries = catalog.bundled()
        part = catalog.listed(entries[offset : offset + limit], lambda _: target)
        return _part(part, len(entries), offset + limit)

    return router


def _part(levels: list[dict[str, Any]], total: int, after: int) -> dict[str, Any]:
    return {"levels": levels, "total": total, "next": after if after < total else None}
