"""How good predictions are, as one HTML file: an evaluation with its charts."""

from typing import Any

from levelsense.game.version import RULES_VERSION
from levelsense.prediction.evaluation import THIRDS, Evaluation
from levelsense.report import prediction_words
from levelsense.report.judged import Judged
from levelsense.report.page import Origin
from levelsense.report.rendering import render_page, specs_of


def prediction_page(evaluation: Evaluation, origin: Origin | None = None) -> str:
    """The page, as text; `origin` says from which seed and version its figures come, and when."""
    model = evaluation.model
    return render_page(
        "prediction.html",
        evaluation_specs(evaluation),
        evaluation=evaluation,
        judged=judged_by(evaluation),
        model=model,
        told=model.origin_,
        figures=(evaluation.figures, *evaluation.baselines),
        thirds=THIRDS,
        origin=origin,
        rules=RULES_VERSION,
        prediction_words=prediction_words,
    )


def judged_by(evaluation: Evaluation) -> Judged:
    """The levels that an evaluation judges, as pages show them."""
    model = evaluation.model
    return Judged(evaluation.levels, model.columns_.agents, model.origin_.simulated)


def evaluation_specs(evaluation: Evaluation) -> dict[str, Any]:
    """The Vega-Lite specs of an evaluation's charts by their names."""
    return specs_of(lambda: _charts(judged_by(evaluation)))


def _charts(judged: Judged) -> dict[str, Any]:
    from levelsense.report.prediction_charts import judged_charts

    return judged_charts(judged)
