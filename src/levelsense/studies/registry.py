"""The studies by name, and the one way to run one: results kept in a folder, a page written there."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Final

from levelsense.errors import StudyError
from levelsense.studies.page import StudyPage
from levelsense.studies.run import StudyRun

_PACKAGE: Final = "levelsense.studies"


@dataclass(frozen=True)
class StudyEntry:
    """A study: what it is about, the module and function that give its page, whether it needs a file."""

    about: str
    module: str
    needs_data: bool = False
    function: str = "study"

    @property
    def study(self) -> Callable[[StudyRun], StudyPage]:
        """The function that runs it; importing it may take a while."""
        module = import_module(f"{_PACKAGE}.{self.module}")
        function: Callable[[StudyRun], StudyPage] = getattr(module, self.function)
        return function


STUDIES: Final = {
    "band-coverage": StudyEntry("coverage of bands on levels drawn from the model itself", "band_coverage"),
    "candycrushai": StudyEntry("the agents and averages of CandyCrush.ai", "candycrushai.study"),
    "default-model": StudyEntry("the model that comes along, of twelve populations; hours", "default_model"),
    "foreign-people": StudyEntry("kinds of simulated people that no model was made on", "foreign_people"),
    "king": StudyEntry("networks that learn moves, and what they predict (Gudmundsson et al.)", "king.study"),
    "mcadams": StudyEntry("McAdams' beam search against random play", "mcadams.study"),
    "poromaa": StudyEntry("Poromaa's thesis: tree search and players' success", "poromaa.study"),
    "saga-prediction": StudyEntry("800 levels fitted, 200 predicted, simulated players", "saga_prediction"),
    "saga-search": StudyEntry(
        "the same with tree search; hours", "saga_prediction", function="study_with_search"
    ),
    "sokoban": StudyEntry("what people make of Sokoban levels", "sokoban.study", needs_data=True),
}


def find_study(name: str) -> StudyEntry:
    """The study of a name; StudyError if there is none."""
    if name not in STUDIES:
        near = get_close_matches(name, STUDIES, 1)
        hint = f"; did you mean {near[0]}? If not," if near else ""
        raise StudyError(f"unknown study {name!r}{hint or ';'} there are: {', '.join(STUDIES)}")
    return STUDIES[name]


def run_study(name: str, run: StudyRun) -> Path:
    """Runs a study in its folder, and gives the path of the page that it wrote there.

    StudyError for a study that there is not, or a file too many or missing; StoppedError if it is stopped.
    """
    entry = find_study(name)
    if entry.needs_data and run.data is None:
        raise StudyError(f"{name}: no file; expected the study's file as `data`")
    if run.data is not None and not entry.needs_data:
        raise StudyError(f"`data` {run.data}: the study {name} takes no file")
    return entry.study(run).save(run.folder)
