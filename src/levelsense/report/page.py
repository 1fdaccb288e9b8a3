"""The pages, each one HTML file that needs nothing else: the report of levels, and of predictions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levelsense.files import write_text
from levelsense.game.state import RULES_VERSION
from levelsense.playtest.figures import LevelFigures, agents_of
from levelsense.playtest.statistics import ENOUGH, KINDS
from levelsense.prediction.evaluation import THIRDS, Evaluation
from levelsense.report import prediction_sentences as prediction_words
from levelsense.report import sentences as words
from levelsense.report.forecast import Judged
from levelsense.report.rendering import render_page, specs_of
from levelsense.report.theme import AGAINST_TARGET, AGENTS, BESIDE_MODEL, MODEL

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


def report_page(levels: Sequence[LevelFigures], origin: Origin, forecast: "Forecast | None" = None) -> str:
    """The HTML of the report of levels: these in the order given, the summary hardest first.

    With a forecast, each level has its prediction, and the hardest are those with the lowest predicted rate.
    """
    reports = list(levels)
    agents = tuple(agents_of(reports))
    judged = None if forecast is None else forecast.judged(agents)
    palette = BESIDE_MODEL if forecast else AGENTS
    return render_page(
        "page.html",
        chart_specs(reports, judged),
        palette,
        levels=reports,
        hardest_first=words.hardest_first(reports, _predicted_rates(forecast)),
        forecast=forecast,
        judged=judged,
        places={report.name: number for number, report in enumerate(reports, start=1)},
        prediction_words=_prediction_words(forecast),
        agents=agents,
        origin=origin,
        rules=RULES_VERSION,
        words=words,
        enough=ENOUGH,
        colors={agent: palette[k % len(palette)] for k, agent in enumerate(agents)},
        model_color=MODEL,
        target_colors=AGAINST_TARGET,
    )


def _predicted_rates(forecast: "Forecast | None") -> dict[str, float]:
    return {} if forecast is None else {name: expected.rate for name, expected in forecast.expected.items()}


def _prediction_words(forecast: "Forecast | None") -> Any:
    """The module of sentences about predictions; None without a forecast, so that it is not imported."""
    if forecast is None:
        return None
    from levelsense.report import prediction_sentences as prediction_words

    return prediction_words


def chart_specs(levels: list[LevelFigures], judged: "Judged | None" = None) -> dict[str, Any]:
    """The Vega-Lite specs of all charts by their place: overview-NAME, level-NUMBER-NAME.

    Charts of judged levels are called the same on every page (`judged_charts`).
    """
    return specs_of(lambda: _judged_charts(judged) | _charts(levels))


def _judged_charts(judged: "Judged | None") -> dict[str, Any]:
    if judged is None:
        return {}
    from levelsense.report.prediction_charts import judged_charts

    return judged_charts(judged)


def _charts(levels: list[LevelFigures]) -> dict[str, Any]:
    from levelsense.report import ending_charts, level_charts

    charts_by_place: dict[str, Any] = {"overview-skill-and-luck": level_charts.skill_and_luck_chart(levels)}
    if len(levels) > 1:
        charts_by_place["overview-difficulty"] = level_charts.difficulty_chart(levels)
    for number, report in enumerate(levels, start=1):
        of_level = {
            "success": level_charts.success_chart(report),
            "limit": level_charts.limit_chart(report),
            "left": level_charts.left_chart(report),
            "endings": ending_charts.endings_chart(report),
            "goals": ending_charts.goals_chart(report),
            "score": level_charts.score_chart(report),
            **{f"heat-{kind}": ending_charts.heat_chart(report, kind) for kind in KINDS},
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
    )


def judged_by(evaluation: Evaluation) -> Judged:
    """The judged levels of an evaluation, for pages."""
    model = evaluation.model
    return Judged(evaluation.levels, model.columns_.agents, evaluation.origin.simulated)


def evaluation_specs(evaluation: Evaluation) -> dict[str, Any]:
    """The Vega-Lite specs of an evaluation's charts by their names."""
    return specs_of(lambda: _prediction_charts(judged_by(evaluation)))


def _prediction_charts(judged: Judged) -> dict[str, Any]:
    from levelsense.report.prediction_charts import judged_charts

    return judged_charts(judged)
