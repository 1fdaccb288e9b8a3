"""Success rate by the limit."""

from typing import Any

import altair as alt

from levelsense.playtest.limits import limit_of
from levelsense.report.drawing import Chart, agent_color, inline, rate_axis, titled, wide
from levelsense.report.gather import LevelReport
from levelsense.report.numbers import Values, limit_values


def limit_chart(report: LevelReport) -> Chart:
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
    """Curves with bands, and played limits with their intervals and guesses between them: what there is."""
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


def _limit_words(report: LevelReport) -> list[str]:
    """What the chart of limits shows, by what there is to show."""
    words = []
    if any(played.curve is not None for played in report.played):
        words.append("What another limit would give; bands are 95% intervals")
    if any(played.checks for played in report.played):
        words.append("Dots were played, with 95% intervals; dashed lines between them are guesses")
    return words or ["No other limit was played"]
