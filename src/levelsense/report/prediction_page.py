"""How good predictions are, as one HTML file: an evaluation with its charts."""

from typing import Any

from levelsense.game.version import RULES_VERSION
from levelsense.prediction.evaluation import THIRDS, Evaluation
from levelsense.report import prediction_words as words
from levelsense.report.page import Origin
from levelsense.report.prediction_numbers import PREDICTED, worst_misses
from levelsense.report.rendering import render_page, specs_of

MOST_MISSES = 20


def prediction_page(evaluation: Evaluation, origin: Origin | None = None) -> str:
    """The page, as text; `origin` says from which seed and version its figures come, and when."""
    model = evaluation.model
    agents = model.columns_.agents
    return render_page(
        "prediction.html",
        evaluation_specs(evaluation),
        evaluation=evaluation,
        model=model,
        told=model.origin_,
        agents=agents,
        compared=(PREDICTED, *agents),
        people=words.people_word(model.origin_.simulated),
        figures=(evaluation.figures, *evaluation.baselines),
        thirds=THIRDS,
        misses=worst_misses(evaluation.levels, MOST_MISSES),
        origin=origin,
        rules=RULES_VERSION,
        words=words,
    )


def evaluation_specs(evaluation: Evaluation) -> dict[str, Any]:
    """The Vega-Lite specs of an evaluation's charts by their names."""
    origin = evaluation.model.origin_
    people = words.people_word(origin.simulated)
    return specs_of(lambda: _charts(evaluation, people))


def _charts(evaluation: Evaluation, people: str) -> dict[str, Any]:
    from levelsense.report.prediction_charts import evaluation_charts

    return evaluation_charts(evaluation.levels, evaluation.model.columns_.agents, people)
