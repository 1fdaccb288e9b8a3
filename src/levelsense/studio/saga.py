"""The saga: the folder's levels in the designer's order, a target for each, and those that miss it."""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Header, Response
from pydantic import BaseModel, Field

from levelsense.people.csv_text import safe_cells
from levelsense.playtest.limits import limit_of
from levelsense.prediction.explain import verdict_words
from levelsense.prediction.levels import predictions_table
from levelsense.prediction.verdict import verdict_sentence
from levelsense.studio.catalog import MOST_LISTED, Catalog, Entry, prediction_data
from levelsense.studio.context import Limit, Offset, Studio, Target
from levelsense.studio.folder import MOST_LEVELS, NAME, LevelFolder, etag_of
from levelsense.studio.problems import RequestError

if TYPE_CHECKING:
    from levelsense.prediction.levels import LevelPrediction

DEFAULT_TARGET: Final = 0.5
KEPT: Final = "saga"  # the file beside the levels
CLEAR: Final = ("harder", "easier")  # verdicts of levels whose 95 % band does not reach the target
LevelName = Annotated[str, Field(pattern=NAME)]


class SagaRequest(BaseModel, extra="forbid"):
    """What the designer wants of a saga: the order of its levels, and the success rates to reach.

    order    names; levels that are not among them come after these, in the order of their names
    target   the success rate of all levels that have none of their own
    targets  success rates of single levels, by their names
    """

    order: Annotated[list[LevelName], Field(max_length=MOST_LEVELS)] = []
    target: Target = DEFAULT_TARGET
    targets: Annotated[dict[LevelName, Target], Field(max_length=MOST_LEVELS)] = {}


class TargetRequest(BaseModel, extra="forbid"):
    """A success rate that is wanted."""

    target: Target


@dataclass(frozen=True)
class Saga:
    """The order and the targets that are kept beside the levels."""

    wanted: SagaRequest

    @property
    def etag(self) -> str:
        """The tag of what is kept, as HTTP writes it."""
        return etag_of(self.wanted.model_dump_json())

    def target_of(self, name: str) -> float:
        """The success rate that is wanted of a level."""
        return self.wanted.targets.get(name, self.wanted.target)

    def ordered(self, names: Sequence[str]) -> list[str]:
        """Names in the order of the saga."""
        places = {name: place for place, name in enumerate(self.wanted.order)}
        return sorted(names, key=lambda name: places.get(name, len(places)))

    def as_data(self) -> dict[str, Any]:
        """For the page and the kept file."""
        return self.wanted.model_dump()


def read_saga(folder: LevelFolder) -> Saga:
    """What is kept; a file that cannot be read, or that somebody wrote wrongly, counts as none."""
    return _kept_saga(folder) or Saga(SagaRequest())


def _kept_saga(folder: LevelFolder) -> Saga | None:
    kept = folder.kept(KEPT)
    try:
        return None if kept is None else Saga(SagaRequest.model_validate(kept))
    except ValueError:
        return None


def keep_saga(folder: LevelFolder, wanted: SagaRequest) -> None:
    """Keeps a saga; a file that cannot be read is set aside, since its order may be mended by hand."""
    if _kept_saga(folder) is None:
        folder.set_aside(KEPT)
    folder.keep(KEPT, json.loads(wanted.model_dump_json()))


def saga_entries(studio: Studio, saga: Saga) -> list[Entry]:
    """All levels of the folder in the saga's order."""
    return studio.catalog.entries(saga.ordered(studio.catalog.names()))


def judged(prediction: "LevelPrediction", target: float) -> "LevelPrediction":
    """A prediction with the verdict on a target."""
    verdict = verdict_words(target, prediction.band_50, prediction.band_95)
    return replace(prediction, target=target, verdict=verdict)


def saga_router(studio: Studio) -> APIRouter:
    """The routes."""
    router = APIRouter(prefix="/api/saga", tags=["saga"])
    writing = threading.Lock()

    @router.get("")
    def read(response: Response, offset: Offset = 0, limit: Limit = MOST_LISTED) -> dict[str, Any]:
        """The saga's difficulty curve: levels in order, each with target, prediction and verdict.

        `prediction` is null for a level that nobody has asked about yet; POST /api/saga/predict predicts all.
        `outlier` is a sentence for a level whose 95 % band does not reach its target, null for all others.
        """
        saga = read_saga(studio.folder)
        names = saga.ordered(studio.catalog.names())
        entries = studio.catalog.entries(names[offset : offset + limit])
        after = offset + limit
        response.headers["ETag"] = saga.etag
        return {
            **saga.as_data(),
            "etag": saga.etag,
            "levels": points(studio.catalog, entries, saga),
            "total": len(names),
            "next": after if after < len(names) else None,
        }

    @router.put("")
    def keep(
        request: SagaRequest, response: Response, if_match: Annotated[str | None, Header()] = None
    ) -> dict[str, Any]:
        """Keeps order and targets beside the levels, in `.studio/saga.json`.

        With `If-Match`, only if nobody has kept something else meanwhile: 412, with what is there, otherwise.
        """
        with writing:
            present = read_saga(studio.folder)
            if if_match is not None and if_match != present.etag:
                raise RequestError(
                    412,
                    "conflict",
                    "somebody else has changed the saga meanwhile; nothing was written",
                    {**present.as_data(), "etag": present.etag},
                )
            keep_saga(studio.folder, request)
        tag = Saga(request).etag
        response.headers["ETag"] = tag
        return {**request.model_dump(), "etag": tag}

    @router.put("/target")
    def keep_common_target(request: TargetRequest) -> dict[str, float]:
        """Keeps the success rate that is wanted of all levels that have none of their own."""
        with writing:
            change = {"target": request.target}
            changed = read_saga(studio.folder).wanted.model_copy(update=change)
            studio.folder.keep(KEPT, json.loads(changed.model_dump_json()))
        return {"target": request.target}

    @router.get("/targets/{name}")
    def read_target(name: LevelName) -> dict[str, float]:
        """The success rate that is wanted of a level."""
        return {"target": read_saga(studio.folder).target_of(name)}

    @router.put("/targets/{name}")
    def keep_target(name: LevelName, request: TargetRequest) -> dict[str, float]:
        """Keeps the success rate that is wanted of a level, beside the levels."""
        with writing:
            present = read_saga(studio.folder).wanted
            targets = {**present.targets, name: request.target}
            if len(targets) > MOST_LEVELS:
                raise RequestError(422, "too-many", f"{name}: {MOST_LEVELS:,} levels have targets already")
            changed = SagaRequest(order=present.order, target=present.target, targets=targets)
            keep_saga(studio.folder, changed)
        return {"target": request.target}

    @router.get("/predictions.csv", response_class=CsvResponse)
    def predictions() -> CsvResponse:
        """The predictions that are known, in the saga's order: a row a level, as `predict --csv` writes it.

        409 if there is none yet: POST /api/saga/predict predicts all.
        """
        saga = read_saga(studio.folder)
        entries = saga_entries(studio, saga)
        known = studio.catalog.predictions(entries)
        judged_predictions = [
            judged(known[entry.name], saga.target_of(entry.name)) for entry in entries if entry.name in known
        ]
        if not judged_predictions:
            raise RequestError(
                409, "not-predicted", "no level is predicted yet; expected POST /api/saga/predict before"
            )
        return CsvResponse(
            safe_cells(predictions_table(judged_predictions)).write_csv(),
            headers={"Content-Disposition": 'attachment; filename="predictions.csv"'},
        )

    return router


class CsvResponse(Response):
    """A file of comma-separated values."""

    media_type = "text/csv"


def points(catalog: Catalog, entries: Sequence[Entry], saga: Saga) -> list[dict[str, Any]]:
    """The points of the curve."""
    known = catalog.predictions(entries)
    return [point(entry, known, saga) for entry in entries]


def point(entry: Entry, known: "Mapping[str, LevelPrediction]", saga: Saga) -> dict[str, Any]:
    """A level of the curve: title, limit, target, prediction, and a sentence if it misses its target."""
    target = saga.target_of(entry.name)
    prediction = known.get(entry.name)
    data = prediction_data(prediction, target)
    is_outlier = data is not None and data["verdict"] in CLEAR
    level = entry.level
    limit, unit = (None, None) if level is None else limit_of(level)
    return {
        "name": entry.name,
        "title": None if level is None else level.name,
        "limit": limit,
        "unit": unit,
        "problem": entry.problem,
        "target": target,
        "prediction": data,
        "outlier": verdict_sentence(judged(prediction, target)) if prediction and is_outlier else None,
    }
