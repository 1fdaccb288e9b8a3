"""The charts of the study of CandyCrush.ai: averages of agents, and scores by games of training."""

from collections.abc import Mapping, Sequence
from typing import Final

import altair as alt

from levelsense.report.theme import COVERAGE, MODEL, NEUTRAL, Chart, inline, titled
from levelsense.studies.candycrushai.cells import Course, Sample
from levelsense.studies.welch import mean_interval

WHOSE: Final = {"published": NEUTRAL, "the authors' game, here": MODEL, "our game": COVERAGE[0]}
HEIGHT: Final = 260
Played = Mapping[str, tuple[Mapping[str, Sample], Mapping[str, str]]]


def averages_chart(published: Mapping[str, float], played: Played) -> Chart:
    """Bars of averages by agent: published, in the authors' game, in ours."""
    values: list[dict[str, object]] = [
        {"agent": name, "whose": "published", "mean": mean, "low": mean, "high": mean}
        for name, mean in published.items()
    ]
    for whose, game in zip(tuple(WHOSE)[1:], ("theirs", "ours"), strict=True):
        samples, agents = played[game]
        for name, agent in agents.items():
            mean, half = mean_interval(samples[agent].scores)
            values.append(
                {"agent": name, "whose": whose, "mean": mean, "low": mean - half, "high": mean + half}
            )
    base = alt.Chart().encode(
        x=alt.X("agent:N", sort=list(published), title=None, axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("whose:N", scale=alt.Scale(domain=list(WHOSE))),
    )
    color = alt.Color(
        "whose:N",
        scale=alt.Scale(domain=list(WHOSE), range=list(WHOSE.values())),
        legend=alt.Legend(title=None, columns=3),
    )
    bars = base.mark_bar().encode(y=alt.Y("mean:Q", title="average score of 50 turns"), color=color)
    lines = base.mark_rule(style="interval", size=1.5).encode(y="low:Q", y2="high:Q")
    return titled(
        alt.layer(bars, lines, data=inline(values)).properties(height=HEIGHT),
        "Average scores of the five agents",
        "Lines are 95% intervals; the person is not played here",
    )


def training_chart(courses: Sequence[tuple[Course, Sequence[Sample]]]) -> Chart:
    """Mean scores by games of training, a line a training."""
    values: list[dict[str, object]] = []
    names = [f"{course.kind}, seed {course.seed}" for course, _ in courses]
    for name, (course, samples) in zip(names, courses, strict=True):
        for games, sample in zip(course.games, samples, strict=True):
            mean, half = mean_interval(sample.scores)
            values.append(
                {"training": name, "games": games, "mean": mean, "low": mean - half, "high": mean + half}
            )
    scale = alt.Scale(type="symlog", constant=1)
    base = alt.Chart().encode(
        x=alt.X(
            "games:Q",
            scale=scale,
            title="games of training",
            axis=alt.Axis(values=[0, 1, 5, 20, 60, 100, 400]),
        ),
        color=alt.Color("training:N", sort=names, legend=alt.Legend(title=None, columns=3)),
    )
    dashes = [[1, 0] if "linear" in name else [5, 3] for name in names]
    lines = base.mark_line(point=alt.OverlayMarkDef(filled=True, size=40)).encode(
        y=alt.Y("mean:Q", title="mean score"),
        strokeDash=alt.StrokeDash("training:N", scale=alt.Scale(domain=names, range=dashes), legend=None),
    )
    errors = base.mark_rule(size=1.2).encode(y="low:Q", y2="high:Q")
    return titled(
        alt.layer(errors, lines, data=inline(values)).properties(height=HEIGHT),
        "What is learned by games of training, in our game",
        "Lines up and down are 95% intervals",
    )
