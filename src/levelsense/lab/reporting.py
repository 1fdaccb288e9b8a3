"""The pages that the Lab makes: of levels, of a playtest, of an evaluation."""

import dataclasses
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import polars as pl

from levelsense import defaults
from levelsense.agents.registry import Agent, parse_agent
from levelsense.lab.playing import Playing
from levelsense.lab.predicting import Predicting
from levelsense.lab.run import Levels, Model, Note, Run, Watch, check_wanted, read_model, shown_agents
from levelsense.playtest import NamedLevel
from levelsense.playtest.figures import LevelFigures

if TYPE_CHECKING:
    from levelsense.prediction.evaluation import Evaluation
    from levelsense.prediction.model import DifficultyModel
    from levelsense.prediction.observed import Observed
    from levelsense.report.forecast import ReportPart
    from levelsense.report.page import Page


class Reporting(Playing, Predicting):
    """Pages about levels."""

    def report(
        self,
        levels: Levels,
        *,
        model: Model = None,
        target: float | None = None,
        cohort: str | None = None,
        boosters: bool = False,
        agents: Sequence[str | Agent] | None = None,
        attempts: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
        note: Note | None = None,
    ) -> "Page":
        """A page about levels: what to expect of players, why attempts are lost, how agents fared.

        The attempts of the model's agents are shown, unless others are asked for. StoppedError if stopped.
        """
        check_wanted(target)
        run, chosen = Run(seed, threads, progress, stop, note), read_model(model)
        shown = None if agents is None and attempts is None else shown_agents(chosen, agents, attempts)
        gathered = run.gather(levels)
        observed = self._known_players(run, gathered, cohort, boosters=boosters)
        part = self._report_part(run, gathered, chosen, shown)
        return _report_of([part], chosen, observed, target, seed)

    def report_part(
        self,
        levels: Levels,
        *,
        model: Model = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
    ) -> "ReportPart":
        """What a page says of some of its levels: the part of `report` that takes long.

        StoppedError if it is stopped.
        """
        run, chosen = Run(seed, threads, progress, stop), read_model(model)
        return self._report_part(run, run.gather(levels), chosen, None)

    def report_of(
        self,
        parts: "Sequence[ReportPart]",
        *,
        model: Model = None,
        target: float | None = None,
        seed: int = 0,
    ) -> "Page":
        """The page that `report` makes of all levels, from their parts in order; nothing is played."""
        check_wanted(target)
        chosen = read_model(model)
        levels = [named for part in parts for named in part.levels]
        observed = self._known_players(Run(seed), levels, None, boosters=False)
        return _report_of(parts, chosen, observed, target, seed)

    def _known_players(
        self, run: Run, levels: Sequence[NamedLevel], cohort: str | None, *, boosters: bool
    ) -> "Observed | None":
        """Players' results at levels: a cohort's, or those that there are without a choice to make."""
        from levelsense.prediction.observed import known_rates, observed_rates

        with self._open(make=cohort is None) as database:
            observed = (
                known_rates(database, levels, boosters=boosters)
                if cohort is None
                else observed_rates(database, levels, cohort, boosters=boosters)
            )
        if observed is not None:
            run.note_outdated(observed)
        return observed

    def _report_part(
        self,
        run: Run,
        levels: Sequence[NamedLevel],
        model: "DifficultyModel",
        shown: Mapping[str, int] | None,
    ) -> "ReportPart":
        """`shown` are attempts by agent; if None, the very attempts of the prediction."""
        from levelsense.lab.changes import predicted_by_limit
        from levelsense.prediction.levels import predict_levels
        from levelsense.report.forecast import ReportPart

        attempts = shown_agents(model, None, None) if shown is None else shown
        with self._open() as database:
            table = run.table(levels, model.origin_.attempts, self._sinks(database), database)
            tested = run.attempts(levels, attempts, self._sinks(database), as_for_a_model=shown is None)
        watched = run.note if run.progress is not None else None  # which figures are under way is no remark
        figures = self.figures(tested, threads=run.threads, stop=run.stop, note=watched)
        predictions = predict_levels(model, table)
        explanations = self._explanations(
            run,
            levels,
            predictions,
            model,
            parse_agent(defaults.EXPLAINED_AGENT),
            defaults.EXPLAINED_ATTEMPTS,
        )
        losses = {explanation.name: explanation.losses for explanation in explanations}
        by_limit = predicted_by_limit(run, model, levels, {one.name: one for one in predictions})
        return ReportPart(tuple(levels), table, tuple(figures), losses, by_limit)


def _report_of(
    parts: "Sequence[ReportPart]",
    model: "DifficultyModel",
    observed: "Observed | None",
    target: float | None,
    seed: int,
) -> "Page":
    from levelsense.playtest.figures import rank_agents
    from levelsense.report.forecast import forecast_of
    from levelsense.report.page import Page, page_origin, report_page

    table = pl.concat([part.table for part in parts], how="vertical_relaxed")
    figures = rank_agents([figures for part in parts for figures in part.figures])
    losses = {name: of_level for part in parts for name, of_level in part.losses.items()}
    by_limit = {name: rates for part in parts for name, rates in part.by_limit.items()}
    forecast = dataclasses.replace(forecast_of(model, table, observed, target), by_limit=by_limit)
    return Page(report_page(figures, page_origin(seed), forecast, losses))


def playtest_page(figures: Sequence[LevelFigures], seed: int = 0) -> "Page":
    """The page about a playtest alone, from the figures of `Lab.figures`."""
    from levelsense.report.page import Page, page_origin, report_page

    return Page(report_page(figures, page_origin(seed)))


def evaluation_page(evaluation: "Evaluation", seed: int = 0) -> "Page":
    """The page about how good predictions are, from `Lab.evaluate`."""
    from levelsense.report.page import Page, page_origin, prediction_page

    return Page(prediction_page(evaluation, page_origin(seed)))
