"""What all charts share: data, axes, titles, width."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import altair as alt

from levelsense.report.numbers import Values

# A chart of Altair's: layered, faceted or plain.
Chart = Any
HEIGHT = 230
ROOM = 420  # pixels that a legend's labels may take in a chart that has half of the page
LETTER, SYMBOL = 6.3, 24  # pixels, about
LINE = 80  # letters below a title


def inline(values: Values) -> alt.InlineData:
    """Values for a chart; a layered chart gets them once, not with each layer, which Altair would copy."""
    return alt.InlineData(values=values)


def rate_axis(title: str, **more: Any) -> alt.Axis:
    """An axis of shares, in per cent."""
    return alt.Axis(format=".0%", title=title, **({"tickCount": 5} | more))


def titled(chart: Any, title: str, subtitle: str | list[str]) -> Any:
    """A chart with its title and what is below it, in one line or several, also for who cannot see it."""
    said = [subtitle] if isinstance(subtitle, str) else subtitle
    lines = [line for words in said for line in wrap(words, LINE)]
    shown = alt.TitleParams(title, subtitle=lines if len(lines) > 1 else lines[0])
    return chart.properties(title=shown, description=f"{title}. {'; '.join(said)}")


def agent_legend(agents: list[str], room: int) -> alt.Legend:
    """A legend of agents in so many pixels: side by side as far as they fit, and then below its title."""
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
    """As wide as the place it is put in."""
    return chart.properties(
        width="container", height=height, autosize=alt.AutoSizeParams(type="fit-x", contains="padding")
    )


def agent_color(agents: list[str], legend: bool = True, room: int = ROOM) -> alt.Color:
    """The same color for an agent in every chart of a report."""
    shown = agent_legend(agents, room) if legend else None
    return alt.Color("agent:N", scale=alt.Scale(domain=agents), legend=shown)
