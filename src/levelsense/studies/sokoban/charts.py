"""The charts of the Sokoban study."""

from collections.abc import Mapping

import altair as alt
import numpy as np

from levelsense.report.theme import COVERAGE, MODEL, OUTSIDE, PLAYERS, Chart, inline, rate_axis, titled
from levelsense.studies.sokoban.fits import EVERYTHING, MODELS
from levelsense.studies.sokoban.judge import BANDS, QUESTIONS, Counts, Judged, Question

Models = Mapping[tuple[Question, str], Judged]
ROW, TALL = 40, 420
NAMES = [question.name for question in QUESTIONS]
COLORS = (MODEL, PLAYERS, COVERAGE[0])  # of the questions
SHAPES = ("circle", "square", "triangle-up")
DASHES = ([1, 0], [2, 2], [6, 3])


def error_chart(models: Models) -> Chart:
    """The MAE of every model with its 95 % interval, for each question."""
    values = []
    for (question, name), judged in models.items():
        errors = judged.errors
        mean, half = float(errors.mean()), float(1.96 * errors.std(ddof=1) / np.sqrt(len(errors)))
        values.append(
            {"model": name, "question": question.name, "mae": mean, "low": mean - half, "high": mean + half}
        )
    base = alt.Chart().encode(
        y=alt.Y("model:N", sort=list(MODELS), title=None, axis=alt.Axis(labelLimit=220)),
        yOffset=alt.YOffset("question:N", scale=alt.Scale(domain=NAMES, paddingOuter=0.6)),
        color=_question_color(),
    )
    axis = rate_axis("MAE, percentage points of the success rate")
    lines = base.mark_rule(size=2).encode(
        x=alt.X("low:Q", scale=alt.Scale(zero=True), axis=axis), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=70, opacity=1).encode(x="mae:Q", shape=_question_shape())
    return titled(
        alt.layer(lines, points, data=inline(values)).properties(height=ROW * len(MODELS)),
        "Mean absolute error by what a model knows",
        "Lines are 95% intervals over levels; models are compared level by level in the tables",
    )


def coverage_chart(models: Models) -> Chart:
    """The share of observed rates inside bands of each level, beside what it should be."""
    values = [
        {
            "question": question.name,
            "band": band,
            "inside": float(1 - models[question, EVERYTHING].outside(band).mean()),
        }
        for question in QUESTIONS
        for band in BANDS
    ]
    scale = alt.Scale(domain=[0.4, 1])
    ends = alt.Chart(inline([{"x": 0.4, "y": 0.4}, {"x": 1, "y": 1}]))
    diagonal = ends.mark_line(style="now", strokeDash=[5, 4], strokeWidth=1.2).encode(
        x=alt.X("x:Q", scale=scale), y=alt.Y("y:Q", scale=scale)
    )
    points = (
        alt.Chart(inline(values))
        .mark_line(point=alt.OverlayMarkDef(filled=True, size=70))
        .encode(
            x=alt.X("band:Q", scale=scale, axis=rate_axis("Band")),
            y=alt.Y("inside:Q", scale=scale, axis=rate_axis("Observed rates inside it")),
            color=_question_color(),
            strokeDash=alt.StrokeDash(
                "question:N", scale=alt.Scale(domain=NAMES, range=list(DASHES)), legend=None
            ),
        )
    )
    return titled(
        alt.layer(diagonal, points).properties(height=TALL * 2 // 3),
        "How honest the bands are",
        "The model with everything; on the dashed line a band holds as many levels as it says",
    )


def _question_color() -> alt.Color:
    return alt.Color(
        "question:N",
        scale=alt.Scale(domain=NAMES, range=list(COLORS)),
        legend=alt.Legend(title=None, columns=len(NAMES)),
    )


def _question_shape() -> alt.Shape:
    return alt.Shape("question:N", scale=alt.Scale(domain=NAMES, range=list(SHAPES)), legend=None)


def predicted_chart(judged: Judged, counts: Counts) -> Chart:
    """Predicted against observed rates, with 95 % bands."""
    outside = judged.outside(0.95)
    values = [
        {**row, "where": "outside the 95% band" if is_outside else "inside"}
        for row, is_outside in zip(
            judged.levels.select("rate", "observed", "low_95", "high_95").to_dicts(), outside, strict=True
        )
    ]
    scale = alt.Scale(domain=[0, 1])
    base = alt.Chart().encode(
        x=alt.X("rate:Q", scale=scale, axis=rate_axis("Predicted success rate (% of plays)"))
    )
    bands = base.mark_rule(style="now", size=1, opacity=0.25).encode(
        y=alt.Y("low_95:Q", scale=scale, axis=rate_axis("People's success rate (% of plays)")), y2="high_95:Q"
    )
    color = alt.Color(
        "where:N",
        scale=alt.Scale(domain=["inside", "outside the 95% band"], range=[MODEL, OUTSIDE]),
        legend=alt.Legend(title=None, columns=2),
    )
    points = base.mark_point(filled=True, size=28, opacity=0.8).encode(y="observed:Q", color=color)
    ends = alt.Chart(inline([{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
    diagonal = ends.mark_line(style="now", strokeDash=[5, 4], strokeWidth=1.2).encode(x="x:Q", y="y:Q")
    return titled(
        alt.layer(bands, diagonal, points, data=inline(values)).properties(height=TALL),
        "Predicted against observed success rate, within collections",
        f"{int(outside.sum())} of {len(values)} levels outside the 95% band, the gray line at each "
        f"prediction; {counts.played.sum():,} plays by people",
    )
