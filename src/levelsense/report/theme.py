"""The light and the dark theme of charts, and what all charts share: data, axes, titles, width."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

import altair as alt

from levelsense.playtest.statistics import ENOUGH
from levelsense.report.numbers import Values

FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

# Of similar lightness, so that they read on white and on near black. Predictions and players have one each.
MODEL: Final = "#3f7fd1"
PLAYERS: Final = "#8a8f98"
NEUTRAL: Final = "#8a8f98"  # bars of agents, where colors would look like verdicts
_AGENT_COLORS: Final = ("#e07b39", "#2f9e77", "#b565b8", "#b8931f", "#4aa3b5")
# The second cue beside color: dashes of lines, shapes of points; no two of 20 agents share color and dash.
_DASHES: Final = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3))
_SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "stroke")
# The families in the order of their styles: those met most often are the easiest to tell apart.
_FAMILIES: Final = (
    "random", "greedy", "heuristic", "mcts", "policy", "first", "beam", "sampling", "q-linear", "q-network",
    "halving", "onnx",
)  # fmt: skip


@dataclass(frozen=True)
class AgentStyle:
    """How an agent is drawn on every page: a color, and a dash or a shape for those who see no colors."""

    color: str
    dash: tuple[int, ...]
    shape: str


def _style(number: int) -> AgentStyle:
    return AgentStyle(
        _AGENT_COLORS[number % len(_AGENT_COLORS)],
        _DASHES[number % len(_DASHES)],
        _SHAPES[number % len(_SHAPES)],
    )


def agent_styles(agents: Iterable[str]) -> dict[str, AgentStyle]:
    """A style for each agent: that of its family, on all pages; further agents of a family have others."""
    numbers: dict[str, int] = {}
    specs = list(dict.fromkeys(agents))
    for spec in specs:
        family = spec.partition(":")[0]
        number = _FAMILIES.index(family) if family in _FAMILIES else None
        if number is not None and number not in numbers.values():
            numbers[spec] = number
    for spec in specs:
        if spec not in numbers:
            numbers[spec] = next(number for number in count(len(_FAMILIES)) if number not in numbers.values())
    return {spec: _style(numbers[spec]) for spec in specs}


COVERAGE: Final = ("#e07b39", MODEL)  # of the 50 % and the 95 % band
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


def chart_theme(dark: bool) -> dict[str, Any]:
    """The Vega-Lite config of all charts on a light or dark ground."""
    ink, soft, grid = ("#e6e8ec", "#a5abb5", "#343841") if dark else ("#1f2328", "#5c6470", "#e4e6ea")
    return {
        "background": "transparent",
        "font": FONT,
        "view": {"stroke": None},
        "range": {"category": list(_AGENT_COLORS)},
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
            "target": {"color": ink},
        },
    }


# A chart of Altair's: layered, faceted or plain.
Chart = Any
HEIGHT = 230
ROOM = 420  # pixels that a legend's labels may take in a chart that has half of the page
LETTER, SYMBOL = 6.3, 24  # pixels, about
BAR = 34  # pixels, of an agent in a chart with a line an agent
NAMES = 180  # pixels, at most, of the names beside an axis


def inline(values: Values) -> alt.InlineData:
    """Values as a chart's data; pass them to a layered chart once: Altair copies those of each layer."""
    return alt.InlineData(values=values)


def rate_axis(title: str, **more: Any) -> alt.Axis:
    """An axis of shares, in per cent."""
    return alt.Axis(format=".0%", title=title, **({"tickCount": 5} | more))


def titled(chart: Any, title: str, subtitle: str | list[str]) -> Any:
    """A chart with a title, a subtitle or several, and all as its text for screen readers.

    The page breaks subtitles into as many lines as its width asks for.
    """
    subtitles = [subtitle] if isinstance(subtitle, str) else subtitle
    title_params = alt.TitleParams(title, subtitle=subtitles if len(subtitles) > 1 else subtitles[0])
    return chart.properties(title=title_params, description=f"{title}. {'; '.join(subtitles)}")


def agent_legend(agents: list[str], room: int, symbol: str | None = "stroke") -> alt.Legend:
    """A legend of agents, `room` pixels wide: behind its title if all fit side by side, else below it.

    `symbol` is drawn beside each: a stroke where lines are drawn; None leaves it to the shapes of points.
    """
    columns = legend_columns(agents, room)
    fits = columns == len(agents)
    return alt.Legend(
        title="Agent",
        columns=columns,
        labelLimit=room,
        titleOrient="left" if fits else "top",
        symbolType=alt.Undefined if symbol is None else symbol,
        symbolStrokeWidth=2 if symbol == "stroke" else 0,
    )


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


def agent_color(agents: list[str], room: int = ROOM, symbol: str | None = "stroke") -> alt.Color:
    """The color encoding by agent, the same in every chart of every page; see agent_legend for `symbol`."""
    colors = [style.color for style in agent_styles(agents).values()]
    return alt.Color("agent:N", scale=_by_agent(agents, colors), legend=agent_legend(agents, room, symbol))


def agent_dash(agents: list[str], room: int = ROOM) -> alt.StrokeDash:
    """The dashes of lines by agent, in one legend with their colors."""
    dashes = [list(style.dash) for style in agent_styles(agents).values()]
    return alt.StrokeDash("agent:N", scale=_by_agent(agents, dashes), legend=agent_legend(agents, room))


def agent_shape(agents: list[str], room: int = ROOM, symbol: str | None = None) -> alt.Shape:
    """The shapes of points by agent, in one legend with their colors: `symbol` has to be that of these."""
    shapes = [style.shape for style in agent_styles(agents).values()]
    return alt.Shape("agent:N", scale=_by_agent(agents, shapes), legend=agent_legend(agents, room, symbol))


def _by_agent(agents: list[str], values: list[Any]) -> alt.Scale:
    return alt.Scale(domain=list(dict.fromkeys(agents)), range=values)


def from_words(counts: list[int], what: str) -> str:
    """From how many attempts of a kind a chart is made, for its subtitle; below ENOUGH an agent has none."""
    drawn = sorted(count for count in counts if count >= ENOUGH)
    span = f"{drawn[0]:,}" if drawn[0] == drawn[-1] else f"{drawn[0]:,} to {drawn[-1]:,}"
    left_out = f"; below {ENOUGH} it is left out" if len(drawn) < len(counts) else ""
    return f"From {span} {what} an agent{left_out}"
