"""Charts of one level, defined once for report, studio and notebook; theme.py has their styles."""

from typing import Any

import altair as alt

from levelsense.playtest.figures import LevelFigures
from levelsense.playtest.limits import limit_of
from levelsense.playtest.statistics import ENOUGH
from levelsense.report.numbers import (
    Values,
    endings_values,
    goal_values,
    left_values,
    limit_values,
    score_values,
    star_values,
    success_values,
    suggested_by,
)
from levelsense.report.theme import ENDINGS, HEIGHT, ROOM, Chart, agent_color, inline, rate_axis, titled, wide


def limit_chart(report: LevelFigures) -> Chart:
    """Success rate as a function of the limit."""
    limit, unit = limit_of(report.level)
    values = limit_values(report)
    now = alt.Chart(inline([{"limit": limit, "label": f"now: {limit:g}"}])).encode(x="limit:Q")
    rule = now.mark_rule(style="now", strokeDash=[2, 3], size=1.5)
    label = now.mark_text(style="remark", baseline="bottom", dy=-3).encode(y=alt.value(0), text="label:N")
    layers = _limit_layers(values, unit, [played.agent for played in report.played])
    return titled(
        wide(alt.layer(*layers, rule, label, data=inline(values))),
        f"Success rate by {'move' if unit == 'moves' else 'time'} limit",
        _limit_words(report),
    )


def _limit_layers(values: Values, unit: str, agents: list[str]) -> list[Any]:
    """Layers of curves with bands, and of played limits with intervals and guesses between them."""
    base = alt.Chart().encode(
        x=alt.X("limit:Q", title=f"Limit ({unit})", axis=alt.Axis(tickMinStep=1)),
        color=agent_color(agents),
    )
    past, played, guessed = (
        base.transform_filter(alt.datum["from"] == source) for source in ("past", "played", "between")
    )
    rate, low = (
        alt.Y(name, scale=alt.Scale(domain=[0, 1]), axis=rate_axis("Success rate (% of attempts)"))
        for name in ("rate:Q", "low:Q")
    )
    tooltip = [
        alt.Tooltip("agent:N", title="Agent"),
        alt.Tooltip("limit:Q", title=f"Limit ({unit})"),
        alt.Tooltip("rate:Q", title="Success rate", format=".1%"),
        alt.Tooltip("low:Q", title="95% interval from", format=".1%"),
        alt.Tooltip("high:Q", title="to", format=".1%"),
    ]
    sources = {value["from"] for value in values}
    curves = [
        past.mark_area(opacity=0.2).encode(y=low, y2="high:Q"),
        past.mark_line(strokeWidth=2.2).encode(y=rate, tooltip=tooltip),
    ]
    dots = [
        guessed.mark_line(strokeWidth=1.5, strokeDash=[5, 4]).encode(y=rate),
        played.mark_rule(size=2, opacity=0.7).encode(y=low, y2="high:Q"),
        played.mark_point(filled=True, size=60, opacity=1).encode(y=rate, tooltip=tooltip),
    ]
    return (curves if "past" in sources else []) + (dots if "played" in sources else [])


def _limit_words(report: LevelFigures) -> list[str]:
    """The subtitles of the chart of limits: what its curves and dots are."""
    words = []
    if any(played.curve is not None for played in report.played):
        words.append("What another limit would give; bands are 95% intervals")
    if any(played.checks for played in report.played):
        words.append("Dots were played, with 95% intervals; dashed lines between them are guesses")
    return words or ["No other limit was played"]


BAR = 34
NAMES = 180  # pixels, at most, of the names beside an axis
STAR, STAR_ROW = 10, 12


def success_chart(report: LevelFigures) -> Chart:
    """Success rate by agent, with intervals."""
    base = alt.Chart().encode(y=alt.Y("agent:N", sort=None, title=None, axis=alt.Axis(labelLimit=NAMES)))
    # Room to the right for the rates in numbers.
    scale = alt.Scale(domain=[0, 1.2], nice=False)
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    axis = rate_axis("Success rate (% of attempts)", values=ticks, tickCount=len(ticks))
    rate, low, high = (alt.X(name, scale=scale, axis=axis) for name in ("rate:Q", "low:Q", "high:Q"))
    bars = base.mark_bar(height=BAR * 0.55, opacity=0.85).encode(
        x=rate,
        color=agent_color([played.agent for played in report.played], legend=False),
        tooltip=[
            alt.Tooltip("agent:N", title="Agent"),
            alt.Tooltip("rate:Q", title="Success rate", format=".1%"),
            alt.Tooltip("low:Q", title="95% interval from", format=".1%"),
            alt.Tooltip("high:Q", title="to", format=".1%"),
            alt.Tooltip("wins:Q", title="Won"),
            alt.Tooltip("attempts:Q", title="Attempts"),
        ],
    )
    whiskers = base.mark_rule(style="interval", size=2).encode(x=low, x2="high:Q")
    words = base.mark_text(style="label", align="left", dx=8).encode(
        x=high, text=alt.Text("rate:Q", format=".1%")
    )
    chart = wide(
        alt.layer(bars, whiskers, words, data=inline(success_values(report))), BAR * len(report.played) + 10
    )
    return titled(chart, "Success rate", "Share of attempts won, with 95% intervals")


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
    bars = base.mark_bar(opacity=0.22, binSpacing=0).encode(
        x=alt.X("from:Q", bin="binned", title=title, axis=axis),
        x2="to:Q",
        tooltip=[
            alt.Tooltip("agent:N", title="Agent"),
            alt.Tooltip("from:Q", title="From", format=",.5~g"),
            alt.Tooltip("to:Q", title="To below", format=",.5~g"),
            alt.Tooltip("share:Q", title="Share of wins", format=".1%"),
        ],
    )
    outline = base.mark_line(interpolate="step-after", strokeWidth=2).encode(x=alt.X("from:Q"))
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
        f"Suggested so that 90, 50 and 10% of {suggesting.agent}'s wins earn them"
        if suggesting
        else "Too few wins to suggest stars"
    )
    chart = wide(alt.layer(*layers, data=inline(values)))
    return titled(chart, "Score of wins, and stars", [stars_subtitle, _wins_words(report)])


def _wins_words(report: LevelFigures) -> str:
    """How many wins a histogram is made from."""
    return _from_words([played.statistics.wins for played in report.played], "wins")


def _losses_words(report: LevelFigures) -> str:
    """How many lost attempts a chart is made from."""
    return _from_words([played.statistics.lost for played in report.played], "lost attempts")


def _from_words(counts: list[int], what: str) -> str:
    drawn = sorted(count for count in counts if count >= ENOUGH)
    span = f"{drawn[0]:,}" if drawn[0] == drawn[-1] else f"{drawn[0]:,} to {drawn[-1]:,}"
    left_out = f"; below {ENOUGH} it is left out" if len(drawn) < len(counts) else ""
    return f"From {span} {what} an agent{left_out}"


def _star_marks(stars: Values) -> list[Any]:
    """A line a star score, whose stars stand over it; higher where they would meet others."""
    marks = alt.Chart(inline(stars))
    dashes = alt.Scale(domain=["suggested", "now"], range=[[1, 0], [4, 4]])
    lines = marks.mark_rule(style="now", size=1.5).encode(
        x="score:Q",
        strokeDash=alt.StrokeDash(
            "which:N",
            scale=dashes,
            legend=alt.Legend(title="Stars", symbolType="stroke", symbolStrokeWidth=1.5),
        ),
        tooltip=[
            alt.Tooltip("which:N", title="Stars"),
            alt.Tooltip("label:N", title=" "),
            alt.Tooltip("score:Q", title="Score", format=","),
        ],
    )
    styles = {"suggested": "label", "now": "remark"}
    words = [
        marks.transform_filter((alt.datum.which == which) & (alt.datum.row == row))
        .mark_text(style=styles[which], baseline="bottom", fontSize=STAR)
        .encode(x="score:Q", y=alt.value(-4 - STAR_ROW * row), text="label:N")
        for which, row in sorted({(star["which"], star["row"]) for star in stars})
    ]
    return [lines, *words]


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
