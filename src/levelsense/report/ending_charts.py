"""Charts of how attempts at a level ended: by what, and how far goals came."""

import altair as alt

from levelsense.playtest.figures import LevelFigures
from levelsense.report.numbers import endings_values, goal_values
from levelsense.report.theme import (
    BAR,
    ENDINGS,
    HEIGHT,
    NAMES,
    ROOM,
    Chart,
    agent_color,
    agent_shape,
    from_words,
    inline,
    rate_axis,
    titled,
    wide,
)


def endings_chart(report: LevelFigures) -> Chart:
    """How attempts ended."""
    values = endings_values(report)
    reasons = [reason for reason in ENDINGS if any(value["reason"] == reason for value in values)]
    chart = (
        alt.Chart(inline(values))
        .mark_bar(height=BAR * 0.55)
        .encode(
            y=alt.Y("agent:N", sort=None, title=None, axis=alt.Axis(labelLimit=NAMES)),
            x=alt.X(
                "share:Q",
                scale=alt.Scale(domain=[0, 1]),
                axis=rate_axis("Share of attempts (%)"),
            ),
            color=alt.Color(
                "reason:N",
                scale=alt.Scale(domain=reasons, range=[ENDINGS[reason] for reason in reasons]),
                legend=alt.Legend(title="Ended by"),
            ),
            order=alt.Order("place:Q"),
            tooltip=[
                alt.Tooltip("agent:N", title="Agent"),
                alt.Tooltip("reason:N", title="Ended by"),
                alt.Tooltip("count:Q", title="Attempts"),
                alt.Tooltip("share:Q", title="Share", format=".1%"),
            ],
        )
    )
    return titled(
        wide(chart, BAR * len(report.played) + 10), "How attempts ended", "Won, or why they were lost"
    )


def goals_chart(report: LevelFigures) -> Chart | None:
    """How much of each goal was done in lost attempts; None if too few were lost."""
    values = goal_values(report)
    if not values:
        return None
    agents = [played.agent for played in report.played]
    base = alt.Chart().encode(
        y=alt.Y("goal:N", sort=None, title=None, axis=alt.Axis(labelLimit=NAMES)),
        yOffset=alt.YOffset("agent:N", sort=agents),
        color=agent_color(agents, ROOM - NAMES // 2, None),
    )
    tooltip = [
        alt.Tooltip("agent:N", title="Agent"),
        alt.Tooltip("goal:N", title="Goal"),
        alt.Tooltip("p50:Q", title="Done in the median", format=".0%"),
        alt.Tooltip("unmet:Q", title="Unmet in", format=".0%"),
        alt.Tooltip("furthest:Q", title="Furthest from done in", format=".0%"),
    ]
    axis = rate_axis("Share of the goal done (%)")
    spans = base.mark_rule(size=5, opacity=0.35).encode(
        x=alt.X("p10:Q", scale=alt.Scale(domain=[0, 1]), axis=axis), x2="p90:Q", tooltip=tooltip
    )
    dots = base.mark_point(filled=True, size=85, opacity=1).encode(
        x="p50:Q", shape=agent_shape(agents, ROOM - NAMES // 2), tooltip=tooltip
    )
    goals = len({value["goal"] for value in values})
    chart = wide(alt.layer(spans, dots, data=inline(values)), max(18 * len(agents) * goals, HEIGHT))
    subtitles = ["Median of each goal, and from the 10th to the 90th percentile", _losses_words(report)]
    return titled(chart, "How far lost attempts came", subtitles)


def _losses_words(report: LevelFigures) -> str:
    """How many lost attempts a chart is made from."""
    return from_words([played.statistics.lost for played in report.played], "lost attempts")
