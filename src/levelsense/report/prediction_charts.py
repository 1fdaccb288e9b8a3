"""Charts about predictions, defined once for all pages; theme.py has their styles."""

import altair as alt
import polars as pl

from levelsense.playtest.words import counted
from levelsense.report.forecast import Judged
from levelsense.report.prediction_numbers import (
    BANDS,
    INSIDE,
    OUTSIDE,
    PARTS,
    accumulated_values,
    box_values,
    coverage_values,
    delta_values,
    place_values,
    predicted_values,
    trend_values,
)
from levelsense.report.theme import (
    COVERAGE,
    MODEL,
    PLAYERS,
    Chart,
    inline,
    legend_columns,
    rate_axis,
    titled,
    wide,
)
from levelsense.report.theme import OUTSIDE as OUTSIDE_COLOR

TALL = 420
ROW = 42
# The measures of error: name, title of the axis, format of exact numbers, format of the axis.
DELTAS = {
    "delta": ("Delta", "Delta (percentage points)", "+.1%", "+.0%"),
    "adjusted": ("Adjusted delta", "Adjusted delta (no unit)", "+.2f", "+.1~f"),
}


def _series_color(colors: dict[str, str], legend: alt.Legend | None = None) -> alt.Color:
    return alt.Color(
        "who:N", scale=alt.Scale(domain=list(colors), range=list(colors.values())), legend=legend
    )


def _percent(field: str, title: str) -> alt.Tooltip:
    return alt.Tooltip(f"{field}:Q", title=title, format=".1%")


def predicted_chart(judged: Judged) -> Chart:
    """Predicted against observed success rates, with 95 % bands."""
    values = predicted_values(judged.levels)
    scale = alt.Scale(domain=[0, 1])
    base = alt.Chart().encode(
        x=alt.X("rate:Q", scale=scale, axis=rate_axis("Predicted success rate (% of attempts)")),
        tooltip=[
            alt.Tooltip("level:N", title="Level"),
            _percent("rate", "Predicted"),
            _percent("low_50", "50% band from"),
            _percent("high_50", "to"),
            _percent("low_95", "95% band from"),
            _percent("high_95", "to "),
            _percent("observed", "Observed"),
            alt.Tooltip("attempts:Q", title="Attempts of players", format=","),
        ],
    )
    axis = rate_axis(f"Observed success rate of {judged.people} (% of attempts)")
    bands = base.mark_rule(style="now", size=3, opacity=0.28).encode(
        y=alt.Y("low_95:Q", scale=scale, axis=axis), y2="high_95:Q"
    )
    legend = alt.Legend(title="Observed rate", symbolType=alt.Undefined, symbolOpacity=1)
    where = [INSIDE, OUTSIDE]
    points = base.mark_point(filled=True, size=65, opacity=0.95).encode(
        y="observed:Q",
        color=alt.Color(
            "where:N", scale=alt.Scale(domain=where, range=[MODEL, OUTSIDE_COLOR]), legend=legend
        ),
        shape=alt.Shape("where:N", scale=alt.Scale(domain=where, range=["circle", "triangle-up"])),
    )
    ends = alt.Chart(inline([{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
    diagonal = ends.mark_line(style="now", strokeDash=[5, 4], strokeWidth=1.2).encode(x="x:Q", y="y:Q")
    outside = sum(value["where"] == OUTSIDE for value in values)
    return titled(
        wide(alt.layer(bands, diagonal, points, data=inline(values)), TALL),
        "Predicted against observed success rate",
        f"{outside:,} of {counted(len(values), 'levels')} outside the 95% band, the gray line at each "
        "prediction; a perfect prediction lies on the dashed line",
    )


def delta_chart(judged: Judged, series: str, measure: str) -> Chart:
    """A compared rate's deltas, or adjusted deltas, by observed rate, with a linear trend.

    `series` is one of `judged.compared`, `measure` a key of DELTAS; all series have the same y axis.
    """
    all_values = delta_values(judged.levels, judged.agents)
    series_values = [value for value in all_values if value["who"] == series]
    name, title, exact, rough = DELTAS[measure]
    furthest = 1.05 * max((abs(value[measure]) for value in all_values), default=1.0) or 1.0
    y = alt.Y(
        f"{measure}:Q",
        scale=alt.Scale(domain=[-furthest, furthest]),
        axis=alt.Axis(title=title, format=rough, tickCount=5),
    )
    x = alt.X(
        "observed:Q",
        scale=alt.Scale(domain=[0, 1]),
        axis=rate_axis(f"Observed success rate of {judged.people} (%)"),
    )
    points = (
        alt.Chart()
        .mark_point(filled=True, size=45, opacity=0.75, color=judged.colors[series])
        .encode(
            x=x,
            y=y,
            tooltip=[
                alt.Tooltip("level:N", title="Level"),
                _percent("observed", "Observed"),
                alt.Tooltip(f"{measure}:Q", title=name, format=exact),
            ],
        )
    )
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(style="now", size=1).encode(y="zero:Q")
    layers = [zero, points]
    if trend := trend_values(series_values, measure):
        line = alt.Chart(inline(trend)).mark_line(style="interval", strokeDash=[2, 3], strokeWidth=2)
        layers.append(line.encode(x="observed:Q", y=f"{measure}:Q"))
    return titled(
        wide(alt.layer(*layers, data=inline(series_values))),
        f"{name}: {series}",
        "Above 0 too high, below too low; dotted: linear trend",
    )


def box_chart(judged: Judged, measure: str) -> Chart:
    """The spread of deltas, or adjusted deltas: a box for the prediction and for each agent."""
    names = list(judged.compared)
    name, title, exact, rough = DELTAS[measure]
    boxes, beyond = box_values(delta_values(judged.levels, judged.agents), measure)
    color = _series_color(judged.colors)
    row = alt.Y("who:N", sort=names, title=None, axis=alt.Axis(labelLimit=180))
    axis = alt.Axis(title=title, format=rough, tickCount=6)
    parts = {
        "low": "From",
        "q1": "A quarter below",
        "median": "Median",
        "q3": "A quarter above",
        "high": "To",
    }
    base = alt.Chart(inline(boxes)).encode(
        y=row,
        tooltip=[
            alt.Tooltip("who:N", title="Success rate"),
            *(alt.Tooltip(f"{part}:Q", title=label, format=exact) for part, label in parts.items()),
        ],
    )
    whiskers = base.mark_rule(size=2).encode(x=alt.X("low:Q", axis=axis), x2="high:Q", color=color)
    bars = base.mark_bar(size=20).encode(x="q1:Q", x2="q3:Q", color=color)
    medians = base.mark_tick(color="white", thickness=2.5, size=20).encode(x="median:Q")
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(style="now", size=1).encode(x="zero:Q")
    layers = [zero, whiskers, bars, medians]
    if beyond:
        points = alt.Chart(inline(beyond)).mark_point(size=26, opacity=0.9)
        tooltip = [
            alt.Tooltip("who:N", title="Success rate"),
            alt.Tooltip("level:N", title="Level"),
            alt.Tooltip(f"{measure}:Q", title=name, format=exact),
        ]
        layers.append(points.encode(x=f"{measure}:Q", y=row, color=color, tooltip=tooltip))
    return titled(
        wide(alt.layer(*layers), ROW * len(names)),
        f"{name} of all levels",
        "The nearer to 0 and the narrower the better; boxes: the middle half",
    )


def accumulated_chart(judged: Judged) -> Chart:
    """Success rates added up level by level: a line of players, of the prediction and of each agent."""
    people = judged.people
    values = accumulated_values(judged.levels, judged.agents, people)
    colors = {people: PLAYERS} | judged.colors
    dashes = [[1, 0], *map(list, judged.dashes.values())]
    legend = alt.Legend(
        title="Success rate", columns=legend_columns(list(colors)), symbolType="stroke", symbolStrokeWidth=2
    )
    base = alt.Chart().encode(
        x=alt.X(
            "place:Q",
            scale=alt.Scale(domain=[1, judged.levels.height]),
            title="Level (place among those with players' results)",
            axis=alt.Axis(tickMinStep=1),
        ),
        y=alt.Y("total:Q", title="Success rate added up (levels)"),
        color=_series_color(colors, legend),
        strokeDash=alt.StrokeDash("who:N", scale=alt.Scale(domain=list(colors), range=dashes), legend=legend),
    )
    of_people = alt.datum.who == people
    layers = [base.transform_filter(of_people).mark_line(strokeWidth=5, opacity=0.6)]
    layers.append(base.transform_filter(~of_people).mark_line(strokeWidth=2))
    # Points that cannot be seen hold the tooltips, which a line would have for its first level only.
    points = base.mark_point(filled=True, size=80, opacity=0).encode(
        tooltip=[
            alt.Tooltip("who:N", title="Success rate"),
            alt.Tooltip("level:N", title="Level"),
            alt.Tooltip("total:Q", title="Added up to here", format=".2f"),
        ]
    )
    return titled(
        wide(alt.layer(*layers, points, data=inline(values)), 300),
        "Accumulated success rate in the levels' order",
        f"Where a line leaves the gray one of {people}, its rates are too high (above) or too low (below)",
    )


def coverage_chart(levels: pl.DataFrame) -> Chart:
    """How often bands hold the observed rate, by predicted rate."""
    values = coverage_values(levels)
    names = [f"{band}% band" for band in BANDS]
    color = alt.Color(
        "band:N", scale=alt.Scale(domain=names, range=list(COVERAGE)), legend=alt.Legend(title="Band")
    )
    base = alt.Chart().encode(
        x=alt.X(
            "range:N", sort=None, title="Predicted success rate (% of attempts)", axis=alt.Axis(labelAngle=0)
        ),
        xOffset=alt.XOffset("band:N", sort=names),
        color=color,
        tooltip=[
            alt.Tooltip("range:N", title="Predicted rate"),
            alt.Tooltip("band:N", title="Band"),
            _percent("share", "Levels inside"),
            _percent("low", "95% interval from"),
            _percent("high", "to"),
            alt.Tooltip("levels:Q", title="Levels"),
        ],
    )
    y = alt.Y("share:Q", scale=alt.Scale(domain=[0, 1]), axis=rate_axis("Levels inside the band (%)"))
    dots = base.mark_point(filled=True, size=75, opacity=1).encode(y=y)
    whiskers = base.mark_rule(size=2).encode(y="low:Q", y2="high:Q")
    wanted = alt.Chart(inline([{"band": f"{band}% band", "wanted": band / 100} for band in BANDS]))
    rules = wanted.mark_rule(strokeDash=[5, 4], size=1.5).encode(y="wanted:Q", color=color)
    return titled(
        wide(alt.layer(rules, whiskers, dots, data=inline(values)), 260),
        "Do the bands hold what they promise?",
        "Dots should be on their dashed line, give or take the 95% interval",
    )


def place_chart(levels: pl.DataFrame) -> Chart:
    """In which part of its predicted range each observed rate lies, against how many there should be."""
    values = place_values(levels)
    base = alt.Chart().encode(
        y=alt.Y("part:N", sort=list(reversed(PARTS)), title=None, axis=alt.Axis(labelLimit=0)),  # no limit
        tooltip=[
            alt.Tooltip("part:N", title="Observed rate"),
            _percent("share", "Levels"),
            _percent("low", "95% interval from"),
            _percent("high", "to"),
            _percent("expected", "Expected"),
        ],
    )
    x = alt.X("share:Q", axis=rate_axis("Levels (%)"))
    bars = base.mark_bar(size=18, opacity=0.8, color=MODEL).encode(x=x)
    whiskers = base.mark_rule(style="interval", size=2).encode(x="low:Q", x2="high:Q")
    expected = base.mark_tick(color=OUTSIDE_COLOR, thickness=3, size=26).encode(x="expected:Q")
    return titled(
        wide(alt.layer(bars, whiskers, expected, data=inline(values)), 260),
        "Where observed rates lie in their predicted range",
        "Red ticks: how many should. More at the ends: bands too narrow",
    )


def judged_charts(judged: Judged) -> dict[str, Chart]:
    """All charts of judged levels by their names, without those that need more levels."""
    charts = {"predicted": predicted_chart(judged)}
    for measure in DELTAS if judged.comparable else ():
        for number, series in enumerate(judged.compared):
            charts[f"{measure}-{number}"] = delta_chart(judged, series, measure)
        if judged.spread:
            charts[f"{measure}-boxes"] = box_chart(judged, measure)
    if judged.comparable:
        charts["accumulated"] = accumulated_chart(judged)
    if judged.spread:
        charts |= {"coverage": coverage_chart(judged.levels), "places": place_chart(judged.levels)}
    return charts
