"""The charts of the king study."""

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np

from levelsense.report.theme import MODEL, OUTSIDE, Chart, inline, rate_axis, titled
from levelsense.studies.king.fits import Judged
from levelsense.studies.king.training import MoveScores

SIDE = 165  # pixels of a panel of figure 4
ROW = 30
TRAINED, ANYTHING, CEILING = MODEL, "#8a8f98", "#2f9e77"
Bands = Sequence[Mapping[str, float]]  # by fits.band_curve


def accuracy_chart(scores: Mapping[str, MoveScores], anything: MoveScores, again: float) -> Chart:
    """The accuracy of each network with its interval, between random choice and what search does itself."""
    values = []
    for name, of in scores.items():
        share = of.accuracy
        values.append({"network": name, "accuracy": share.value, "low": share.low, "high": share.high})
    base = alt.Chart().encode(
        y=alt.Y("network:N", sort=list(scores), title=None, axis=alt.Axis(labelLimit=220))
    )
    axis = rate_axis("Moves told (%)")
    scale = alt.Scale(zero=False, nice=True)
    lines = base.mark_rule(size=2, color=TRAINED).encode(
        x=alt.X("low:Q", axis=axis, scale=scale), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=70, opacity=1, color=TRAINED).encode(x="accuracy:Q")
    marks = [
        alt.Chart(inline([{"x": x, "word": word}])).mark_rule(strokeDash=[5, 4], color=color).encode(x="x:Q")
        + alt.Chart(inline([{"x": x, "word": word}]))
        .mark_text(dy=-4, baseline="bottom", color=color)
        .encode(x="x:Q", y=alt.value(0), text="word:N")
        for x, word, color in (
            (anything.accuracy.value, "random", ANYTHING),
            (again, "search itself", CEILING),
        )
    ]
    return titled(
        alt.layer(lines, points, *marks, data=inline(values)).properties(height=ROW * len(scores) + 20),
        "How many moves of tree search are told",
        "At attempts that were not trained on; lines are 95% intervals over levels",
    )


def rates_chart(panels: Mapping[str, tuple[Judged, np.ndarray, Bands]]) -> Chart:
    """Figure 4: players' success rate over the agent's, both as logits, with the 95 % band; a panel each."""
    every = [logit for judged, agent, _ in panels.values() for logit in (*agent, *_logits(judged.observed))]
    ends = float(np.floor(min(every))), float(np.ceil(max(every)))
    scale = alt.Scale(domain=list(ends), clamp=True)
    charts = []
    for name, (judged, agent, bands) in panels.items():
        where = ["outside the band" if outside else "inside" for outside in judged.outside]
        points = [
            {"agent": float(x), "players": float(y), "where": word}
            for x, y, word in zip(agent, _logits(judged.observed), where, strict=True)
        ]
        band = [
            {
                "agent": entry["agent"],
                "low": float(_logits(np.array([entry["low"]]))[0]),
                "high": float(_logits(np.array([entry["high"]]))[0]),
            }
            for entry in bands
            if ends[0] <= entry["agent"] <= ends[1]  # clamped, the rest would bend the band at its ends
        ]
        area = (
            alt.Chart(inline(band))
            .mark_area(opacity=0.18, color="#5c6470")
            .encode(
                x=alt.X("agent:Q", scale=scale, title="agent, logit"),
                y=alt.Y("low:Q", scale=scale, title="players, logit"),
                y2="high:Q",
            )
        )
        color = alt.Color(
            "where:N",
            scale=alt.Scale(domain=["inside", "outside the band"], range=[MODEL, OUTSIDE]),
            legend=alt.Legend(title=None, columns=2),
        )
        shape = alt.Shape(
            "where:N", scale=alt.Scale(domain=["inside", "outside the band"], range=["circle", "cross"])
        )
        marks = (
            alt.Chart(inline(points))
            .mark_point(filled=True, size=26, opacity=0.85)
            .encode(x="agent:Q", y="players:Q", color=color, shape=shape)
        )
        charts.append((area + marks).properties(width=SIDE, height=SIDE, title=name))
    return titled(
        alt.concat(*charts, columns=3),
        "Players' success rate over the agent's, as in figure 4",
        "Levels that were predicted; the band is that of a fit to the agent's success rate alone",
    )


def _logits(rates: np.ndarray) -> np.ndarray:
    inner = np.clip(rates, 0.002, 0.998)
    return np.asarray(np.log(inner / (1 - inner)))
