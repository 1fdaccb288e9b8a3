"""The pages, each one HTML file that needs nothing else: the report of levels, and of predictions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from levelsense.agents.registry import agent_words
from levelsense.files import write_text
from levelsense.game.state import RULES_VERSION
from levelsense.losses.explain import Losses
from levelsense.playtest.figures import LevelFigures, agents_of
from levelsense.playtest.statistics import ENOUGH
from levelsense.prediction.evaluation import THIRDS, Evaluation
from levelsense.report import prediction_sentences as prediction_words
from levelsense.report import sentences as words
from levelsense.report.board import board_svg
from levelsense.report.forecast import Judged
from levelsense.report.rendering import render_page, render_part, specs_of
from levelsense.report.theme import AGAINST_TARGET, MODEL, agent_styles

if TYPE_CHECKING:
    from levelsense.report.forecast import Forecast, Judged


@dataclass(frozen=True)
class Page:
    """A page as HTML that needs nothing else; a notebook shows it in a frame."""

    html: str

    def save(self, path: str | Path) -> None:
        """Writes the page, whole or not at all; OutputError if that cannot be done."""
        write_text(path, self.html)

    def __repr__(self) -> str:
        return f"<Page of {len(self.html):,} characters>"

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" width="100%" height="800"></iframe>'


@dataclass(frozen=True)
class Origin:
    """The origin of a report's figures: the run's seed, the version of levelsense, and the date (`made`)."""

    seed: int
    version: str
    made: str


def page_origin(seed: int) -> Origin:
    """The origin of a page that is made now."""
    return Origin(seed, version("levelsense"), date.today().isoformat())


# Symbols of agents in the page's own legends, 12 units high; charts draw the same by name.
_SHAPES: Final = {
    "circle": "M19 6a4 4 0 1 1-8 0a4 4 0 1 1 8 0z",
    "square": "M11.5 2.5h7v7h-7z",
    "triangle-up": "M15 1.5l4.5 8h-9z",
    "diamond": "M15 1l4.5 5l-4.5 5l-4.5-5z",
    "cross": "M13.5 2h3v2.5h2.5v3h-2.5v2.5h-3v-2.5h-2.5v-3h2.5z",
    "triangle-down": "M15 10.5l-4.5-8h9z",
    "stroke": "M11 5h8v2h-8z",
}


def report_page(
    levels: Sequence[LevelFigures],
    origin: Origin,
    forecast: "Forecast | None" = None,
    losses: Mapping[str, Losses] | None = None,
) -> str:
    """The HTML of the report of levels: these in the order given, the index hardest first.

    With a forecast, each level has its prediction, and the hardest are those with the lowest predicted rate.
    `losses` say by the levels' names why attempts are lost.
    """
    reports = [_with_names(report) for report in levels]
    known_losses = {
        name: replace(loss, agent=agent_words(loss.agent)) for name, loss in (losses or {}).items()
    }
    agents = tuple(agents_of(reports))
    judged = None if forecast is None else forecast.judged(agents)
    specs = chart_specs(reports, judged, forecast)
    styles = agent_styles((*agents, *(() if judged is None else judged.agents)))
    shared: dict[str, Any] = {"words": words, "styles": styles, "shapes": _SHAPES, "specs": specs}
    bodies = {
        f"level-{number}": render_part(
            "level.html",
            report=report,
            number=number,
            explained=known_losses.get(report.name),
            by_limit=() if forecast is None else forecast.by_limit.get(report.name, ()),
            draw=board_svg,
            **shared,
        )
        for number, report in enumerate(reports, start=1)
    }
    return render_page(
        "page.html",
        bodies=bodies,
        levels=reports,
        hardest_first=words.hardest_first(reports, _predicted_rates(forecast)),
        forecast=forecast,
        losses=known_losses,
        judged=judged,
        places={report.name: number for number, report in enumerate(reports, start=1)},
        prediction_words=_prediction_words(forecast),
        agents=agents,
        origin=origin,
        rules=RULES_VERSION,
        enough=ENOUGH,
        model_color=MODEL,
        target_colors=AGAINST_TARGET,
        **shared,
    )


def _with_names(report: LevelFigures) -> LevelFigures:
    """The figures with agents' names as pages show them, in place of their specs."""
    played = tuple(replace(played, agent=agent_words(played.agent)) for played in report.played)
    return replace(report, played=played, ranking=tuple(map(agent_words, report.ranking)))


def _predicted_rates(forecast: "Forecast | None") -> dict[str, float]:
    return {} if forecast is None else {name: expected.rate for name, expected in forecast.expected.items()}


def _prediction_words(forecast: "Forecast | None") -> Any:
    """The module of sentences about predictions; None without a forecast, so that it is not imported."""
    if forecast is None:
        return None
    from levelsense.report import prediction_sentences as prediction_words

    return prediction_words


def chart_specs(
    levels: list[LevelFigures], judged: "Judged | None" = None, forecast: "Forecast | None" = None
) -> dict[str, Any]:
    """The Vega-Lite specs of all charts by their place: overview-NAME, level-NUMBER-NAME.

    Charts of judged levels are called the same on every page (`judged_charts`).
    """
    return specs_of(lambda: _judged_charts(judged) | _charts(levels, forecast))


def _judged_charts(judged: "Judged | None") -> dict[str, Any]:
    if judged is None:
        return {}
    from levelsense.report.prediction_charts import judged_charts

    return judged_charts(judged)


def _charts(levels: list[LevelFigures], forecast: "Forecast | None") -> dict[str, Any]:
    from levelsense.report import ending_charts, level_charts, success_charts

    expected = None if forecast is None else forecast.expected
    by_limit = {} if forecast is None else forecast.by_limit
    charts_by_place: dict[str, Any] = {}
    if len(levels) > 1:
        target = None if forecast is None else forecast.target
        charts_by_place["overview-difficulty"] = success_charts.difficulty_chart(levels, expected, target)
        charts_by_place["overview-skill-and-luck"] = level_charts.skill_and_luck_chart(levels)
    for number, report in enumerate(levels, start=1):
        prediction = None if expected is None else expected[report.name]
        of_level = {
            "success": success_charts.success_chart(report, prediction),
            "limit": success_charts.limit_chart(report, prediction, by_limit.get(report.name, ())),
            "left": level_charts.left_chart(report),
            "endings": ending_charts.endings_chart(report),
            "goals": ending_charts.goals_chart(report),
            "score": level_charts.score_chart(report),
        }
        charts_by_place |= {f"level-{number}-{name}": chart for name, chart in of_level.items()}
    return charts_by_place


def prediction_page(evaluation: Evaluation, origin: Origin | None = None) -> str:
    """The HTML of the report of an evaluation; without the origin of its figures if that is None."""
    model = evaluation.model
    return render_page(
        "prediction.html",
        evaluation_specs(evaluation),
        evaluation=evaluation,
        judged=judged_by(evaluation),
        model=model,
        fit_origin=evaluation.origin,
        figures=(evaluation.figures, *evaluation.baselines),
        thirds=THIRDS,
        origin=origin,
        rules=RULES_VERSION,
        prediction_words=prediction_words,
        agent_words=agent_words,
    )


def judged_by(evaluation: Evaluation) -> Judged:
    """The judged levels of an evaluation, for pages."""
    model = evaluation.model
    return Judged.of(evaluation.levels, model.columns_.agents, evaluation.origin.simulated)


def evaluation_specs(evaluation: Evaluation) -> dict[str, Any]:
    """The Vega-Lite specs of an evaluation's charts by their names."""
    return specs_of(lambda: _prediction_charts(judged_by(evaluation)))


def _prediction_charts(judged: Judged) -> dict[str, Any]:
    from levelsense.report.prediction_charts import judged_charts

    return judged_charts(judged)
