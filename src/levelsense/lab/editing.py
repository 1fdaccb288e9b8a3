"""What the Lab does about changes of levels: suggests, compares, generates and watches them."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from levelsense import defaults
from levelsense.lab.predicting import Predicting
from levelsense.lab.run import Model, Run, Watch, check_wanted, read_model
from levelsense.level.level import Level
from levelsense.playtest import NamedLevel

if TYPE_CHECKING:
    from levelsense.lab.changes import Saved
    from levelsense.prediction.compare import Comparison
    from levelsense.prediction.curve import CurveLevel
    from levelsense.prediction.levels import LevelPrediction
    from levelsense.prediction.suggestions import Suggestions


class Editing(Predicting):
    """Levels are changed, and versions compared."""

    def suggest(
        self,
        level: Level | NamedLevel | str | Path,
        target: float,
        *,
        allow: Sequence[str] = (),
        keep: str = "",
        most: int = defaults.SUGGESTIONS,
        model: Model = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
    ) -> "Suggestions":
        """Finds the smallest changes of a level with which players' predicted success rate is a target.

        `allow` are the kinds of changes that may be made (`levelsense.edits.KINDS`; all if left out), `keep`
        cells that stay as they are, as `a1:c3,e5`. Each suggestion is predicted as `predict` does.
        StoppedError if it is stopped.
        """
        from levelsense.lab.changes import suggest

        check_wanted(target)
        run, chosen = Run(seed, threads, progress, stop), read_model(model)
        named = run.gather_one(level)
        with self._open() as database:
            return suggest(run, chosen, named, target, (allow, keep, most), self._sinks(database))

    def compare(
        self,
        old: Level | NamedLevel | str | Path,
        new: Level | NamedLevel | str | Path,
        *,
        model: Model = None,
        attempts: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
    ) -> "Comparison":
        """What a new version of a level changes: for players, as predicted, and for each agent.

        Both are played on the boards of the old one, so that chance does the same to both; with as many
        `attempts` as the model asks for, or more. StoppedError if it is stopped.
        """
        from levelsense.lab.changes import compare

        run, chosen = Run(seed, threads, progress, stop), read_model(model)
        first, second = run.gather_one(old), run.gather_one(new)
        with self._open() as database:
            return compare(run, chosen, first, second, attempts, self._sinks(database))

    def generate(
        self,
        targets: Sequence[float],
        *,
        saga: int = 1,
        first: int = 1,
        model: Model = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
    ) -> "list[CurveLevel]":
        """Generates a level for each target, with which players' predicted success rate is about that.

        They are levels of the saga with the seed `saga`, from number `first` on, with other limits and goals.
        Each is predicted as `predict` does. StoppedError if it is stopped.
        """
        from levelsense.lab.changes import generate

        run, chosen = Run(seed, threads, progress, stop), read_model(model)
        with self._open() as database:
            return generate(run, chosen, targets, saga, first, self._sinks(database))

    def watch(
        self,
        file: str | Path,
        *,
        target: float | None = None,
        model: Model = None,
        seed: int = 0,
        threads: int | None = None,
        stop: threading.Event | None = None,
    ) -> "Iterator[Saved]":
        """Predicts the level of a file now, and again each time it is saved, until `stop` is set.

        A version that is wrong gives its problems, and the watch goes on.
        """
        from levelsense.lab.changes import watch

        check_wanted(target)
        Run(seed, threads)  # what makes no sense is an error now, not with the first version
        chosen = read_model(model)

        def predict(named: NamedLevel) -> "LevelPrediction":
            (prediction,) = self.predict(
                named, target=target, model=chosen, seed=seed, threads=threads, stop=stop
            )
            return prediction

        return watch(Path(file), predict, stop or threading.Event())
