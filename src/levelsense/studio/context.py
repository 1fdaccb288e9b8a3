"""What all routes of the studio share: the Lab, the folder of levels, the queue of runs, and settings."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import Query
from pydantic import BaseModel, Field

from levelsense.advice import first_error
from levelsense.errors import LevelError, LevelProblem
from levelsense.lab import Lab
from levelsense.level.level import Level
from levelsense.playtest import NamedLevel
from levelsense.studio.catalog import MOST_LISTED, Catalog
from levelsense.studio.folder import MOST_LEVELS, LevelFolder
from levelsense.studio.runs import Runs

if TYPE_CHECKING:
    from levelsense.prediction.model import DifficultyModel

MOST_LETTERS: Final = 100_000  # of a level's text
MOST_ATTEMPTS: Final = 20_000  # of an agent in one request

LevelText = Annotated[str, Field(max_length=MOST_LETTERS, description="A level file's text, which is JSON.")]
Target = Annotated[float, Field(gt=0, lt=1, description="The success rate that is wanted.")]
Offset = Annotated[int, Query(ge=0, le=MOST_LEVELS, description="How many levels to pass over.")]
Limit = Annotated[int, Query(ge=1, le=MOST_LISTED, description="The most levels in the answer.")]
Tab = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9_-]{1,40}$",
        description="Who asks, such as a browser's tab: what it asked for before is ended.",
    ),
]
Seed = Annotated[int, Field(ge=0, lt=2**53)]
Title = Annotated[str, Field(min_length=1, max_length=80)]


class LevelRequest(BaseModel, extra="forbid"):
    """A request about a level that need not be saved: its text, and what to call it."""

    text: LevelText
    name: Title = "level"

    def named(self) -> NamedLevel:
        """The level; LevelError if the text is none, or if it cannot be won."""
        return named_level(self.text, self.name)


def named_level(text: str, name: str) -> NamedLevel:
    """The level of a text; LevelError if the text is none, or if it cannot be won."""
    level = Level.from_json(text, name)
    error = first_error(level)
    if error is not None:
        detail = LevelProblem(error.sentence, code=error.code, cell=error.cells[0] if error.cells else None)
        raise LevelError([detail])
    return NamedLevel(level, (name,))


@dataclass
class Studio:
    """What all routes share.

    lab      does the work; its database holds attempts, results and telemetry
    folder   the designer's levels
    runs     who may compute
    model    a file of a model of one's own; None: levelsense's own
    threads  that agents play on; None: all
    chores   what is done in the background when the server starts
    """

    lab: Lab
    folder: LevelFolder
    runs: Runs = field(default_factory=Runs)
    model_file: Path | None = None
    threads: int | None = None
    chores: list[Callable[[], None]] = field(default_factory=list)
    _model: "DifficultyModel | None" = None

    @cached_property
    def catalog(self) -> Catalog:
        """What lists show of the levels."""
        return Catalog(self.folder, self.lab, lambda: self.model)

    @property
    def model(self) -> "DifficultyModel":
        """The model that predicts, read when it is first needed."""
        if self._model is None:
            from levelsense.lab.run import read_model

            self._model = read_model(self.model_file)
        return self._model
