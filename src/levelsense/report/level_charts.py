"""Charts of what agents did at levels: what was left of the limit, scores and stars, skill and luck."""

from typing import Any

import altair as alt

from levelsense.playtest.figures import LevelFigures
from levelsense.playtest.limits import limit_of
from levelsense.report.numbers import (
    Values,
    left_values,
    score_values,
    skill_and_luck_values,
    star_values,
    suggested_by,
)
from levelsense.report.theme import (
    NEUTRAL,
    Chart,
    agent_color,
    agent_dash,
    from_words,
    inline,
    rate_axis,
    titled,
    wide,
)

STAR, STAR_ROW = 10, 12


def left_chart(report: LevelFigures) -> Chart | None:
    """What was left of the limit in won attempts; None if too few were won."""
    unit = limit_of(report.level)[1]
    values = left_values(report)
    if not values:
        return None
    title = f"{unit.capitalize()} left ({unit})"
    layers = _histogram(values, [played.agent for played in report.played], title)
    chart = wide(alt.layer(*layers, data=inline(values)))
    return titled(
        chart,
        f"{unit.capitalize()} left when won",
        ["Few left: the limit bites. Many left: it hardly matters", _wins_words(report)],
    )


def _histogram(values: Values, agents: list[str], title: str) -> list[Any]:
    """The layers of a histogram: outlines that stay apart where agents overlap, on light bars."""
    axis = alt.Axis(tickMinStep=1, tickCount=8, grid=False, labelOverlap=True, labelSeparation=6)
    base = alt.Chart().encode(
        y=alt.Y("share:Q", stack=None, axis=rate_axis("Share of wins (%)")),
        color=agent_color(agents),
    )
    bars = base.mark_bar(opacity=0.18, binSpacing=0).encode(
        x=alt.X("from:Q", bin="binned", title=title, axis=axis),
        x2="to:Q",
        tooltip=[
            alt.Tooltip("agent:N", title="Agent"),
            alt.Tooltip("from:Q", title="From", format=",.5~g"),
            alt.Tooltip("to:Q", title="To below", format=",.5~g"),
            alt.Tooltip("share:Q", title="Share of wins", format=".1%"),
        ],
    )
    outline = base.mark_line(interpolate="step-after", strokeWidth=2).encode(
        x=alt.X("from:Q"), strokeDash=agent_dash(agents)
    )
    return [bars, outline]


def score_chart(report: LevelFigures) -> Chart | None:
    """Scores of won attempts, with star scores as they are and as suggested; None if too few were won."""
    values = score_values(report)
    if not values:
        return None
    layers = _histogram(values, [played.agent for played in report.played], "Score (points)")
    if stars := star_values(report, values):
        layers += _star_marks(stars)
    suggesting = suggested_by(report)
    stars_subtitle = (
        f"Stars, solid lines: suggested so that 90, 50 and 10% of {suggesting.agent}'s wins earn them. "
        "Dashed: now"
        if suggesting
        else "Dashed lines: stars now; there are too few wins to suggest some"
    )
    chart = wide(alt.layer(*layers, data=inline(values)))
    return titled(chart, "Score of wins, and stars", [stars_subtitle, _wins_words(report)])


def _wins_words(report: LevelFigures) -> str:
    """How many wins a histogram is made from."""
    return from_words([played.statistics.wins for played in report.played], "wins")


def _star_marks(stars: Values) -> list[Any]:
    """A line a star score, whose stars stand over it; higher where they would meet others."""
    marks = alt.Chart(inline(stars))
    # Not by a scale: the dashes of agents have one, with a legend of its own.
    dashes = {"suggested": [1, 0], "now": [4, 4]}
    lines = [
        marks.transform_filter(alt.datum.which == which)
        .mark_rule(style="now", size=1.5, strokeDash=dashes[which])
        .encode(
            x="score:Q",
            tooltip=[
                alt.Tooltip("which:N", title="Stars"),
                alt.Tooltip("label:N", title=" "),
                alt.Tooltip("score:Q", title="Score", format=","),
            ],
        )
        for which in sorted({star["which"] for star in stars})
    ]
    styles = {"suggested": "label", "now": "remark"}
    words = [
        marks.transform_filter((alt.datum.which == which) & (alt.datum.row == row))
        .mark_text(style=styles[which], baseline="bottom", fontSize=STAR)
        .encode(x="score:Q", y=alt.value(-4 - STAR_ROW * row), text="label:N")
        for which, row in sorted({(star["which"], star["row"]) for star in stars})
    ]
    return [*lines, *words]


MOST_NAMED = 15  # levels in the chart of skill and luck


def skill_and_luck_chart(levels: list[LevelFigures]) -> Chart | None:
    """Levels by skill and luck; None if both are known of fewer than three."""
    values = skill_and_luck_values(levels)
    if len(values) < 3:
        return None
    # Room to the right for names, and above for the highest.
    skills, lucks = [value["skill"] for value in values], [value["luck"] for value in values]
    right = max(skills) + 0.15 * (max(skills) - min(0.0, *skills))
    base = alt.Chart(inline(values)).encode(
        x=alt.X(
            "skill:Q",
            scale=alt.Scale(domain=[min(0.0, *skills), right]),
            axis=rate_axis("Skill: gain of the strong agent (percentage points)"),
        ),
        y=alt.Y(
            "luck:Q",
            scale=alt.Scale(domain=[0, max(0.3, 1.15 * max(lucks))]),
            axis=rate_axis("Luck: share that the board decides (%)"),
        ),
        tooltip=[
            alt.Tooltip("level:N", title="Level"),
            alt.Tooltip("skill:Q", title="Skill", format="+.1%"),
            alt.Tooltip("luck:Q", title="Luck", format=".1%"),
            alt.Tooltip("low:Q", title="95% interval from", format=".1%"),
            alt.Tooltip("high:Q", title="to", format=".1%"),
            alt.Tooltip("agent:N", title="Luck of"),
        ],
    )
    dots = base.mark_point(filled=True, size=80, opacity=0.9, color=NEUTRAL)
    words = base.mark_text(style="remark", align="left", dx=8).encode(text="level:N")
    if len(values) > MOST_NAMED:
        # At the bottom, where many lie close together, names would hide each other; a pointer shows them.
        words = words.transform_filter("datum.luck >= 0.05")
    return titled(
        wide(alt.layer(dots, words), 280),
        "Skill and luck",
        "To the right better play pays; further up the board decides",
    )
