"""What lists show of levels: read once a version, with the predictions that need no playing."""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from levelsense.advice.findings import check_text, problem_findings
from levelsense.errors import LevelError, LevelsenseError
from levelsense.lab import Lab
from levelsense.level.bundled import bundled_levels, bundled_text
from levelsense.level.level import Level
from levelsense.playtest.levels import NamedLevel, natural
from levelsense.prediction.explain import verdict_words
from levelsense.studio.folder import LevelFolder, Stamp, etag_of
from levelsense.studio.level_data import level_data
from levelsense.studio.problems import RequestError

if TYPE_CHECKING:
    from levelsense.prediction.levels import LevelPrediction
    from levelsense.prediction.model import DifficultyModel

MOST_LISTED: Final = 200  # levels in one answer: a saga comes in parts, so that the first are there at once


@dataclass(frozen=True)
class Entry:
    """A level as lists show it.

    text      of the file; None if it cannot be read
    level     None if the text is none
    problem   why there is no level, in a sentence
    changed   when the file was written, in seconds since 1970; None for a bundled level
    """

    name: str
    text: str | None
    level: Level | None
    problem: str | None
    changed: float | None = None

    @property
    def named(self) -> NamedLevel:
        """The level by its name; only of an entry that has one."""
        assert self.level is not None
        return NamedLevel(self.level, (self.name,))

    @cached_property
    def digest(self) -> str | None:
        """The level's digest, computed once: lists ask for it each time."""
        return None if self.level is None else self.level.digest

    @cached_property
    def findings(self) -> dict[str, int]:
        """How many errors, warnings and notes `check` finds."""
        counts = {"error": 0, "warning": 0, "note": 0}
        for finding in () if self.text is None else check_text(self.text, self.name):
            counts[finding.severity] += 1
        return counts if self.text is not None else counts | {"error": 1}

    @cached_property
    def data(self) -> dict[str, Any]:
        """For the page; the text as well, from which it draws the board."""
        return {
            "name": self.name,
            "text": self.text,
            "etag": None if self.text is None else etag_of(self.text),
            "changed": self.changed,
            "level": None if self.level is None else level_data(self.level),
            "problem": self.problem,
            "findings": self.findings,
        }


class Catalog:
    """The folder's levels and the bundled ones. Files are read again only when they have changed."""

    def __init__(self, folder: LevelFolder, lab: Lab, model: "Callable[[], DifficultyModel]") -> None:
        self._folder, self._lab, self._model = folder, lab, model
        self._entries: dict[str, tuple[Stamp, Entry]] = {}
        self._predictions: dict[tuple[str, str], LevelPrediction] = {}  # by name and digest
        self._bundled: list[Entry] = []
        self._reading = threading.Lock()

    def names(self) -> list[str]:
        """The folder's levels as `levelsense predict DIR` orders them: 2 before 10."""
        return sorted(self._folder.names(), key=natural)

    def entry(self, name: str) -> Entry:
        """A level of the folder; RequestError if there is none."""
        stamp = self._folder.stamp(name)
        with self._reading:
            known = self._entries.get(name)
            if known is None or known[0] != stamp:
                known = self._entries[name] = (stamp, self._read(name, stamp))
        return known[1]

    def entries(self, names: Iterable[str]) -> list[Entry]:
        """Those of the named levels that are there."""
        present = []
        for name in names:
            try:
                present.append(self.entry(name))
            except RequestError:
                continue  # gone since the folder was listed
        return present

    def bundled(self) -> list[Entry]:
        """The levels that come with levelsense."""
        with self._reading:
            if not self._bundled:
                self._bundled = [_entry_of(name, bundled_text(name)) for name in bundled_levels()]
        return self._bundled

    def predictions(self, entries: Sequence[Entry]) -> "dict[str, LevelPrediction]":
        """What is predicted of levels already, by their names; nothing is played for it.

        A prediction follows from the level, its name and the model, so that one that is known stays.
        """
        keys = {(entry.name, entry.digest): entry for entry in entries if entry.digest is not None}
        missing = {key: entry.named for key, entry in keys.items() if key not in self._predictions}
        stored = self._lab.known_predictions(list(missing.values()), model=self._model())
        for key in missing:
            if key[0] in stored:
                self._predictions[key] = stored[key[0]]
        return {key[0]: self._predictions[key] for key in keys if key in self._predictions}

    def listed(self, entries: Sequence[Entry], target_of: "Callable[[str], float]") -> list[dict[str, Any]]:
        """Levels for the page, each with its prediction, if that is known, and the verdict on its target."""
        try:
            predictions = self.predictions(entries)
        except LevelsenseError:
            predictions = {}  # a database that cannot be read is told where something is asked of it
        return [
            {
                **entry.data,
                "prediction": prediction_data(predictions.get(entry.name), target_of(entry.name)),
            }
            for entry in entries
        ]

    def _read(self, name: str, stamp: Stamp) -> Entry:
        try:
            return _entry_of(name, self._folder.read(name), stamp.changed)
        except LevelError as error:
            return Entry(name, None, None, problem_findings(error)[0].sentence, stamp.changed)


def _entry_of(name: str, text: str, changed: float | None = None) -> Entry:
    try:
        return Entry(name, text, Level.from_json(text, name), None, changed)
    except LevelError as error:
        return Entry(name, text, None, problem_findings(error)[0].located, changed)


def prediction_data(prediction: "LevelPrediction | None", target: float) -> dict[str, Any] | None:
    """The figures of a prediction that lists and curves show."""
    if prediction is None:
        return None
    return {
        "rate": prediction.rate,
        "band_50": prediction.band_50,
        "band_95": prediction.band_95,
        "average_95": prediction.average_95,
        "target": target,
        "verdict": verdict_words(target, prediction.band_50, prediction.band_95),
        "simulated": prediction.simulated,
        "why": list(prediction.why),
        "unlike": prediction.unlike,
    }
