"""What the Lab says of players before they have played: predictions, reasons and limits."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from levelsense import defaults
from levelsense.agents.registry import Agent, parse_agent
from levelsense.lab.run import Levels, Model, Run, Watch, check_wanted, read_model
from levelsense.lab.store import LabStore
from levelsense.level.level import Level
from levelsense.playtest import NamedLevel
from levelsense.playtest.runner import check_asked
from levelsense.store import KeptMeasures

if TYPE_CHECKING:
    from levelsense.losses.explain import LevelExplanation
    from levelsense.prediction.levels import LevelPrediction
    from levelsense.prediction.model import DifficultyModel
    from levelsense.prediction.tuning import PlayersTuning


class Predicting(LabStore):
    """What is expected of players at levels."""

    def predict(
        self,
        levels: Levels,
        *,
        target: float | None = None,
        model: Model = None,
        place: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
    ) -> "list[LevelPrediction]":
        """What success rate to expect of players at each level, how sure that is, and why.

        The model's agents play what the database does not have. StoppedError if they are stopped. `place` is
        that of the first level in the saga, others follow: players change along it. Left out, levels that the
        model was fitted to have their places, by name, and others come next after these.
        """
        from levelsense.prediction.levels import predict_levels
        from levelsense.prediction.table import with_places

        check_wanted(target)
        run, chosen = Run(seed, threads, progress, stop), read_model(model)
        gathered = run.gather(levels)
        with self._open() as database:
            table = run.table(gathered, chosen.origin_.attempts, self._sinks(database), database)
        return predict_levels(chosen, table if place is None else with_places(table, place), target)

    def known_predictions(
        self,
        levels: Sequence[NamedLevel],
        *,
        target: float | None = None,
        model: Model = None,
        seed: int = 0,
    ) -> "dict[str, LevelPrediction]":
        """What `predict` says, by their names, of those levels that it need not play for; nothing is played.

        That are the levels that were predicted before, with the same agents and seed.
        """
        from levelsense.prediction.levels import predict_levels
        from levelsense.prediction.table import MEASURES_VERSION, kept_table

        check_wanted(target)
        chosen = read_model(model)
        if not levels or self.is_new:
            return {}
        with self._open(make=False) as database:
            kept = KeptMeasures(database, seed, MEASURES_VERSION)
            table = kept_table(levels, chosen.origin_.attempts, kept)
        if table is None:
            return {}
        return {prediction.name: prediction for prediction in predict_levels(chosen, table, target)}

    def explain(
        self,
        levels: Levels,
        *,
        target: float | None = None,
        model: Model = None,
        agent: str | Agent = defaults.EXPLAINED_AGENT,
        attempts: int = defaults.EXPLAINED_ATTEMPTS,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
    ) -> "list[LevelExplanation]":
        """What to expect of players at each level, and why attempts are lost, in sentences.

        The losses are those of `agent`; the one that is taken if none is given draws its moves as players
        make them. Nothing is said from fewer than 30 lost attempts. StoppedError if it is stopped.
        """
        check_wanted(target)
        check_asked(attempts, seed, threads)
        parsed = parse_agent(agent) if isinstance(agent, str) else agent
        run, chosen = Run(seed, threads, progress, stop), read_model(model)
        gathered = run.gather(levels)
        predictions = self.predict(
            gathered, target=target, model=chosen, seed=seed, threads=threads, progress=progress, stop=stop
        )
        return self._explanations(run, gathered, predictions, chosen, parsed, attempts)

    def _explanations(
        self,
        run: Run,
        levels: Sequence[NamedLevel],
        predictions: "Sequence[LevelPrediction]",
        model: "DifficultyModel",
        agent: Agent,
        attempts: int,
    ) -> "list[LevelExplanation]":
        """Explanations of predicted levels, from so many attempts of an agent."""
        from levelsense.losses.explain import LevelExplanation, explain_losses, strongest

        with self._open() as database:
            tested = run.attempts(levels, {agent.spec: attempts}, self._sinks(database))
        explanations = []
        explained = run.levels_progress("explaining", len(levels))
        for done, (prediction, pair) in enumerate(zip(predictions, tested.pairs, strict=True)):
            run.go_on()
            explained(done)
            rival = strongest(prediction, model.origin_.attempts, agent.spec)
            losses = explain_losses(agent, pair.played, run.seed, run.threads, rival)
            explanations.append(LevelExplanation(prediction.name, prediction, losses))
        return explanations

    def tune(
        self,
        level: Level | NamedLevel | str | Path,
        target: float,
        *,
        model: Model = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
    ) -> "PlayersTuning":
        """Finds the limit with which players' predicted success rate is nearest to a target.

        Every limit that is looked at is predicted as `predict` does. StoppedError if it is stopped.
        """
        from levelsense.prediction.tuning import tune_for_players

        check_wanted(target)
        run, chosen = Run(seed, threads, progress, stop), read_model(model)
        named = run.gather_one(level)
        with self._open() as database:

            def play(levels: Sequence[NamedLevel]) -> pl.DataFrame:
                return run.table(levels, chosen.origin_.attempts, self._sinks(database), database)

            return tune_for_players(chosen, named, target, seed, threads, play)
