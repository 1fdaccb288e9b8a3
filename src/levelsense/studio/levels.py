"""Routes of level files: lists with predictions, read, save with If-Match, drafts, versions, checks."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Response
from fastapi import Path as PathPart
from pydantic import BaseModel, Field

from levelsense.advice.findings import check_text
from levelsense.errors import LevelError
from levelsense.level.bundled import read_source
from levelsense.level.level import Level, bundled_levels
from levelsense.level.template import new_level
from levelsense.level.text import with_values
from levelsense.studio.catalog import MOST_LISTED
from levelsense.studio.context import LevelRequest, LevelText, Limit, Offset, Studio, Target, Title
from levelsense.studio.folder import NAME, etag_of
from levelsense.studio.level_data import finding_data, level_data, vocabulary
from levelsense.studio.problems import RequestError
from levelsense.studio.saga import read_saga

Name = Annotated[str, PathPart(pattern=NAME, description="A level's name: its file's, without .json.")]


class SaveRequest(BaseModel, extra="forbid"):
    """A level to save, or a draft to keep; `base` is the tag of the file that a draft began from."""

    text: LevelText
    base: str | None = Field(None, max_length=60)


class NewRequest(BaseModel, extra="forbid"):
    """What a new level starts as: an open board of a size, or a copy of another level's text."""

    title: Title
    rows: int = Field(9, ge=3, le=12)
    columns: int = Field(9, ge=3, le=12)
    text: LevelText | None = None


def levels_router(studio: Studio) -> APIRouter:
    """The routes."""
    router = APIRouter(prefix="/api", tags=["levels"])
    folder = studio.folder

    @router.get("/vocabulary")
    def get_vocabulary() -> dict[str, Any]:
        """The words of level files, with how each is drawn."""
        return vocabulary()

    @router.post("/check")
    def check(request: LevelRequest) -> dict[str, Any]:
        """What `levelsense check` says of a level's text, and what is in it."""
        findings = check_text(request.text, request.name)
        try:
            level = level_data(Level.from_json(request.text, request.name))
        except LevelError:
            level = None
        return {"findings": [finding_data(finding) for finding in findings], "level": level}

    @router.get("/names")
    def names() -> list[str]:
        """The names of all levels of the folder."""
        return folder.names()

    @router.get("/levels/{name}")
    def read(name: Name, response: Response) -> dict[str, Any]:
        """A level's text and its tag, which a save has to name; and what was edited and not saved."""
        draft = folder.draft(name)
        data = None if draft is None else {"text": draft.text, "base": draft.base, "kept": draft.kept}
        if name not in folder and draft is not None:
            return {"name": name, "text": None, "etag": None, "draft": data}
        text = folder.read(name)
        response.headers["ETag"] = etag_of(text)
        return {"name": name, "text": text, "etag": etag_of(text), "draft": data}

    @router.put("/levels/{name}")
    def save(
        name: Name,
        request: SaveRequest,
        response: Response,
        if_match: Annotated[str | None, Header()] = None,
        if_none_match: Annotated[str | None, Header()] = None,
    ) -> dict[str, Any]:
        """Saves a level. `If-Match` holds the tag of what is replaced, `If-None-Match: *` is for a new one.

        412, with the text that is there, if that is another one: nothing is written then.
        """
        if if_match is None and if_none_match != "*":
            raise RequestError(
                428, "no-tag", "expected If-Match with the level's tag, or If-None-Match: * for a new level"
            )
        tag = folder.save(name, request.text, if_match)
        response.headers["ETag"] = tag
        return {"name": name, "etag": tag}

    @router.put("/levels/{name}/draft", status_code=204)
    def keep_draft(name: Name, request: SaveRequest) -> None:
        """Keeps what is being edited, so that nothing is lost with the page or the server."""
        folder.keep_draft(name, request.text, request.base)

    @router.delete("/levels/{name}/draft", status_code=204)
    def drop_draft(name: Name) -> None:
        """Forgets what was being edited."""
        folder.drop_draft(name)

    @router.get("/levels/{name}/versions")
    def versions(name: Name) -> list[dict[str, Any]]:
        """The earlier versions of a level, the newest first."""
        return [{"key": version.key, "saved": version.saved} for version in folder.versions(name)]

    @router.get("/levels/{name}/versions/{key}")
    def version(name: Name, key: str) -> dict[str, Any]:
        """The text of an earlier version."""
        return {"name": name, "key": key, "text": folder.version(name, key)}

    @router.get("/bundled")
    def bundled() -> list[str]:
        """The names of the bundled levels."""
        return list(bundled_levels())

    @router.get("/bundled/{name}")
    def read_bundled(name: Name) -> dict[str, Any]:
        """The text of a bundled level."""
        if name not in bundled_levels():
            raise RequestError(404, "no-such-level", f"{name}: no such bundled level")
        return {"name": name, "text": read_source(name)}

    @router.post("/new")
    def new(request: NewRequest) -> dict[str, Any]:
        """The text of a level to begin with; nothing is saved."""
        if request.text is not None:
            Level.from_json(request.text, request.title)
            return {"text": with_values(request.text, {"name": request.title})}
        level = new_level(request.title, (request.rows, request.columns))
        return {"text": level.to_json(defaults=True)}

    return router


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
