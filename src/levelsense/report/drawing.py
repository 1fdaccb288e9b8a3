"""What all charts share: data, axes, titles, width."""

from typing import Any

import altair as alt

from levelsense.report.numbers import Values

# A chart of Altair's: layered, faceted or plain.
Chart = Any
HEIGHT = 230


def inline(values: Values) -> alt.InlineData:
    """Values for a chart; a layered chart gets them once, not with each layer, which Altair would copy."""
    return alt.InlineData(values=values)


def rate_axis(title: str, **more: Any) -> alt.Axis:
    """An axis of shares, in per cent."""
    return alt.Axis(format=".0%", title=title, **({"tickCount": 5} | more))


def titled(chart: Any, title: str, subtitle: str | list[str]) -> Any:
    """A chart with its title and what is below it, in one line or several, also for who cannot see it."""
    told = subtitle if isinstance(subtitle, str) else "; ".join(subtitle)
    return chart.properties(title=alt.TitleParams(title, subtitle=subtitle), description=f"{title}. {told}")


def wide(chart: Any, height: float = HEIGHT) -> Any:
    """As wide as the place it is put in."""
    return chart.properties(
        width="container", height=height, autosize=alt.AutoSizeParams(type="fit-x", contains="padding")
    )
