"""Charts of how attempts at a level ended: by what, how far goals came, and what was left on the board."""

import altair as alt

from levelsense.playtest.figures import LevelFigures
from levelsense.playtest.statistics import ENOUGH
from levelsense.report.numbers import endings_values, goal_values, heat_values
from levelsense.report.theme import (
    BAR,
    ENDINGS,
    HEIGHT,
    NAMES,
    ROOM,
    Chart,
    agent_color,
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
        color=agent_color(agents, room=ROOM - NAMES // 2),
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
    dots = base.mark_point(filled=True, size=85, opacity=1).encode(x="p50:Q", tooltip=tooltip)
    goals = len({value["goal"] for value in values})
    chart = wide(alt.layer(spans, dots, data=inline(values)), max(18 * len(agents) * goals, HEIGHT))
    subtitles = ["Median of each goal, and from the 10th to the 90th percentile", _losses_words(report)]
    return titled(chart, "How far lost attempts came", subtitles)


def _losses_words(report: LevelFigures) -> str:
    """How many lost attempts a chart is made from."""
    return from_words([played.statistics.lost for played in report.played], "lost attempts")


CELL = 24
BOARD_GAP, MAPS_WIDTH = 24, 1100
HOT = 0.55  # from this share on a cell's color is so strong that its number needs another text color


def heat_chart(report: LevelFigures, kind: str) -> Chart | None:
    """A map of the board an agent: the share of lost attempts in which something of a kind was left there.

    None if nothing of the kind was ever left, or if too few attempts were lost.
    """
    values = heat_values(report, kind)
    if not values:
        return None
    gaps = alt.Scale(paddingInner=0.07, paddingOuter=0)
    base = alt.Chart().encode(
        x=alt.X(
            "column:O",
            title=None,
            scale=gaps,
            axis=alt.Axis(orient="top", labelAngle=0, ticks=False, domain=False),
        ),
        y=alt.Y("row:O", title=None, scale=gaps, axis=alt.Axis(ticks=False, domain=False)),
    )
    tiles = base.mark_rect(cornerRadius=3).encode(
        color=alt.Color(
            "share:Q",
            scale=alt.Scale(domain=[0, 1]),
            legend=alt.Legend(title="Lost attempts (%)", format=".0%", gradientLength=180),
        ),
        tooltip=[
            alt.Tooltip("column:N", title="Column"),
            alt.Tooltip("row:O", title="Row"),
            alt.Tooltip("share:Q", title="Left in lost attempts", format=".0%"),
        ],
    )
    numbers = alt.Text("percent:Q", format=".0f")
    labels = base.transform_calculate(percent="datum.share * 100")
    cool = labels.transform_filter(f"datum.share >= 0.005 && datum.share < {HOT}").mark_text(style="on-cool")
    hot = labels.transform_filter(f"datum.share >= {HOT}").mark_text(style="on-hot")
    board = alt.layer(
        tiles, cool.encode(text=numbers), hot.encode(text=numbers), data=inline(values)
    ).properties(width=CELL * report.level.columns, height=CELL * report.level.rows)
    order = list(dict.fromkeys(value["agent"] for value in values))
    width = CELL * report.level.columns + BOARD_GAP
    header = alt.Header(labelExpr="split(datum.label, '\\n')", labelLimit=width, labelPadding=8)
    chart = board.facet(
        alt.Facet("agent:N", title=None, sort=order, header=header),
        columns=max(1, MAPS_WIDTH // (width + BOARD_GAP)),
        spacing=BOARD_GAP,
    ).resolve_axis(x="independent", y="independent")
    return titled(
        chart,
        f"Where {kind} {'were' if kind.endswith('s') else 'was'} left",
        f"Share of lost attempts, in per cent, of agents with at least {ENOUGH}",
    )
