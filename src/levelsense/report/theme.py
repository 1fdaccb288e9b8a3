"""The light and the dark theme of charts, and what all charts share: data, axes, titles, width."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, Final

import altair as alt

from levelsense.playtest.statistics import ENOUGH
from levelsense.report.numbers import Values

FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

# Of similar lightness, so that they read on white and on near black; the order is that of the agents.
AGENTS: Final = ("#3f7fd1", "#e07b39", "#2f9e77", "#b565b8", "#b8931f", "#d1495b", "#4aa3b5", "#8a8f98")
# Where predictions and players are drawn too, agents have the colors between the first and the last.
MODEL: Final = AGENTS[0]
PLAYERS: Final = AGENTS[-1]
BESIDE_MODEL: Final = AGENTS[1:-1]
OUTSIDE: Final = "#d1495b"  # an observed rate outside its band; its mark has another shape too
ENDINGS: Final = {
    "goals met": "#2f9e77",
    "moves": "#e0a039",
    "time": "#d98536",
    "bomb": "#d1495b",
    "no move possible": "#8a8f98",
}
# By the side of the target that a verdict names (prediction_sentences.target_side).
AGAINST_TARGET: Final = {"on": "#2f9e77", "harder": "#d1495b", "easier": "#3f7fd1", "": "#8a8f98"}
_HEAT_LIGHT = ("#f3efe6", "#fbd9a0", "#f5a55b", "#dd6a3a", "#a83232", "#641f2e")
_HEAT_DARK = ("#2b2e36", "#5b2c33", "#943c35", "#cf6a37", "#f2a950", "#ffe9a8")


def chart_theme(dark: bool, agents: Sequence[str] = AGENTS) -> dict[str, Any]:
    """The Vega-Lite config of all charts on a light or dark ground; `agents` are the agents' colors."""
    ink, soft, grid = ("#e6e8ec", "#a5abb5", "#343841") if dark else ("#1f2328", "#5c6470", "#e4e6ea")
    low, high = ("#d5d8de", "#1c1e23") if dark else ("#3a3a3a", "#ffffff")
    return {
        "background": "transparent",
        "font": FONT,
        "view": {"stroke": None},
        "range": {"category": list(agents), "heatmap": list(_HEAT_DARK if dark else _HEAT_LIGHT)},
        "title": {
            "color": ink,
            "subtitleColor": soft,
            "fontSize": 14,
            "subtitleFontSize": 12,
            "fontWeight": 600,
            "anchor": "start",
            "offset": 12,
        },
        "axis": {
            "labelColor": soft,
            "titleColor": soft,
            "titleFontWeight": 500,
            "titleFontSize": 12,
            "labelFontSize": 11,
            "gridColor": grid,
            "domainColor": soft,
            "tickColor": soft,
            "titlePadding": 8,
        },
        "legend": {
            "labelColor": ink,
            "titleColor": soft,
            "orient": "bottom",
            "titleOrient": "left",
            "titleFontWeight": 500,
            "labelFontSize": 11,
            "labelLimit": 320,
            "symbolOpacity": 1,
            "symbolStrokeWidth": 0,
            "symbolType": "square",
            "offset": 6,
            # One below the other, from the left end of the chart and not of its axis.
            "layout": {"bottom": {"anchor": "start", "bounds": "full", "direction": "vertical"}},
        },
        "header": {"labelColor": ink, "titleColor": soft, "labelFontSize": 12, "labelFontWeight": 500},
        # Marks have a default `color`, which a style's `fill` or `stroke` would not override.
        "mark": {"color": soft},
        "rule": {"color": soft},
        "text": {"color": ink, "font": FONT, "fontSize": 11},
        "style": {
            "label": {"color": ink},
            "remark": {"color": soft},
            "now": {"color": soft},
            "interval": {"color": ink},
            "on-cool": {"color": low, "fontSize": 10},
            "on-hot": {"color": high, "fontSize": 10, "fontWeight": 600},
        },
    }


# A chart of Altair's: layered, faceted or plain.
Chart = Any
HEIGHT = 230
ROOM = 420  # pixels that a legend's labels may take in a chart that has half of the page
LETTER, SYMBOL = 6.3, 24  # pixels, about
LINE = 80  # letters below a title
BAR = 34  # pixels, of an agent in a chart with a line an agent
NAMES = 180  # pixels, at most, of the names beside an axis


def inline(values: Values) -> alt.InlineData:
    """Values as a chart's data; pass them to a layered chart once: Altair copies those of each layer."""
    return alt.InlineData(values=values)


def rate_axis(title: str, **more: Any) -> alt.Axis:
    """An axis of shares, in per cent."""
    return alt.Axis(format=".0%", title=title, **({"tickCount": 5} | more))


def titled(chart: Any, title: str, subtitle: str | list[str]) -> Any:
    """A chart with a title, a subtitle in one line or several, and both as its text for screen readers."""
    subtitles = [subtitle] if isinstance(subtitle, str) else subtitle
    lines = [line for words in subtitles for line in wrap(words, LINE)]
    title_params = alt.TitleParams(title, subtitle=lines if len(lines) > 1 else lines[0])
    return chart.properties(title=title_params, description=f"{title}. {'; '.join(subtitles)}")


def agent_legend(agents: list[str], room: int) -> alt.Legend:
    """A legend of agents, `room` pixels wide: behind its title if all fit side by side, else below it."""
    columns = legend_columns(agents, room)
    fits = columns == len(agents)
    return alt.Legend(title="Agent", columns=columns, labelLimit=room, titleOrient="left" if fits else "top")


def legend_columns(labels: Sequence[str], room: int = ROOM) -> int:
    """How many of a legend's labels fit side by side; its columns are as wide as their widest label."""
    widths = [LETTER * len(label) + SYMBOL for label in labels]
    for columns in range(len(labels), 1, -1):
        if sum(max(widths[column::columns]) for column in range(columns)) <= room:
            return columns
    return 1


def wide(chart: Any, height: float = HEIGHT) -> Any:
    """The chart as wide as its container."""
    return chart.properties(
        width="container", height=height, autosize=alt.AutoSizeParams(type="fit-x", contains="padding")
    )


def agent_color(agents: list[str], legend: bool = True, room: int = ROOM) -> alt.Color:
    """The color encoding by agent, the same in every chart of a report."""
    agents_legend = agent_legend(agents, room) if legend else None
    return alt.Color("agent:N", scale=alt.Scale(domain=agents), legend=agents_legend)


def from_words(counts: list[int], what: str) -> str:
    """From how many attempts of a kind a chart is made, for its subtitle; below ENOUGH an agent has none."""
    drawn = sorted(count for count in counts if count >= ENOUGH)
    span = f"{drawn[0]:,}" if drawn[0] == drawn[-1] else f"{drawn[0]:,} to {drawn[-1]:,}"
    left_out = f"; below {ENOUGH} it is left out" if len(drawn) < len(counts) else ""
    return f"From {span} {what} an agent{left_out}"
