"""Charts of levels, one or several: success, limits, what was left, scores, skill and luck."""

from typing import Any

import altair as alt

from levelsense.playtest.figures import LevelFigures, agents_of
from levelsense.playtest.limits import limit_of
from levelsense.report.numbers import (
    Values,
    difficulty_values,
    left_values,
    limit_values,
    score_values,
    skill_and_luck_values,
    star_values,
    success_values,
    suggested_by,
)
from levelsense.report.theme import (
    AGENTS,
    BAR,
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
    return from_words([played.statistics.wins for played in report.played], "wins")


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


MOST_NAMED = 15


def difficulty_chart(levels: list[LevelFigures]) -> Chart:
    """Success rates over all levels, in their order."""
    names = [report.name for report in levels]
    base = alt.Chart().encode(
        x=alt.X("level:N", sort=names, title="Level", axis=alt.Axis(labelAngle=-40, labelLimit=140)),
        color=agent_color(agents_of(levels), room=2 * ROOM),
        tooltip=[
            alt.Tooltip("level:N", title="Level"),
            alt.Tooltip("agent:N", title="Agent"),
            alt.Tooltip("rate:Q", title="Success rate", format=".1%"),
        ],
    )
    rate = alt.Y("rate:Q", scale=alt.Scale(domain=[0, 1]), axis=rate_axis("Success rate (% of attempts)"))
    line = base.mark_line(strokeWidth=1.2, opacity=0.5).encode(y=rate)
    whiskers = base.mark_rule(size=2, opacity=0.6).encode(y="low:Q", y2="high:Q")
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(y="rate:Q")
    return titled(
        wide(alt.layer(line, whiskers, dots, data=inline(difficulty_values(levels))), 280),
        "Difficulty over the levels",
        "Success rates with 95% intervals",
    )


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
    dots = base.mark_point(filled=True, size=80, opacity=0.9, color=AGENTS[0])
    words = base.mark_text(style="remark", align="left", dx=8).encode(text="level:N")
    if len(values) > MOST_NAMED:
        # At the bottom, where many lie close together, names would hide each other; a pointer shows them.
        words = words.transform_filter("datum.luck >= 0.05")
    return titled(
        wide(alt.layer(dots, words), 280),
        "Skill and luck",
        "To the right better play pays; further up the board decides",
    )
