"""The charts of the study: each answers to a figure of the thesis."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import altair as alt
import numpy as np

from levelsense.report.theme import COVERAGE, MODEL, NEUTRAL, OUTSIDE, Chart, inline, rate_axis, titled
from levelsense.studies.poromaa.intervals import Values, rate
from levelsense.studies.poromaa.parameters import TESTS, Setup
from levelsense.studies.poromaa.random_play import RandomPlay

COLORS: Final = (MODEL, COVERAGE[0], "#2f9e77", OUTSIDE, "#b565b8", NEUTRAL, "#b8931f")
SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
DASHES: Final = ((1, 0), (7, 3), (2, 2), (9, 3, 2, 3), (4, 2), (12, 4))
# As in the thesis: people red (gray here, since they are simulated), testers blue, and so on.
WHO: Final = {
    "players (simulated)": NEUTRAL,
    "testers (simulated)": MODEL,
    "heuristic": "#2f9e77",
    "B1": "#8e5bb5",
    "B2": "#e07b39",
    "B3": "#d1495b",
    "B4": "#8a5a2b",
}
PADDING: Final = 26  # pixels between the columns of a legend
HEIGHT: Final = 280
ROW: Final = 17


def _palette(names: Sequence[str]) -> list[str]:
    """A color a name: a bot's own, and for other things one after the other."""
    return [WHO.get(name, COLORS[k % len(COLORS)]) for k, name in enumerate(names)]


def _colors(field: str, names: Sequence[str], title: str | None = None, line: bool = False) -> alt.Color:
    """Colors by name; beside the names of lines stand strokes."""
    legend = alt.Legend(title=title, columns=len(names), columnPadding=PADDING)
    if line:
        legend = alt.Legend(
            title=title,
            columns=len(names),
            columnPadding=PADDING,
            symbolType="stroke",
            symbolStrokeWidth=2.5,
            symbolSize=300,
        )
    return alt.Color(f"{field}:N", scale=alt.Scale(domain=list(names), range=_palette(names)), legend=legend)


def _dashes(field: str, names: Sequence[str]) -> alt.StrokeDash:
    """Dashes by name, in one legend with the colors."""
    return alt.StrokeDash(
        f"{field}:N",
        scale=alt.Scale(domain=list(names), range=[list(dash) for dash in DASHES[: len(names)]]),
        legend=None,
    )


def _shapes(field: str, names: Sequence[str]) -> alt.Shape:
    return alt.Shape(
        f"{field}:N",
        scale=alt.Scale(domain=list(names), range=list(SHAPES[: len(names)])),
        legend=alt.Legend(title=None, columns=len(names), columnPadding=PADDING),
    )


def score_chart(plays: Sequence[RandomPlay]) -> Chart:
    """The distribution of scores of random attempts (figure A.1)."""
    values = []
    for play in plays:
        step = play.top / len(play.histogram)
        # Shares of each 1,000 points, so that levels with other widths of bins can be compared.
        values += [
            {"level": play.level, "score": (k + 0.5) * step, "share": 1000 * count / step / play.attempts}
            for k, count in enumerate(play.histogram)
        ]
    names = [play.level for play in plays]
    chart = (
        alt.Chart(inline(values))
        .mark_line(strokeWidth=2, interpolate="monotone")
        .encode(
            x=alt.X("score:Q", title="Score of the attempt", axis=alt.Axis(format=",d")),
            y=alt.Y("share:Q", axis=rate_axis("Attempts in 1,000 points")),
            color=_colors("level", names, line=True),
            strokeDash=_dashes("level", names),
        )
        .properties(height=HEIGHT)
    )
    return titled(
        chart,
        "Scores of random attempts",
        f"{plays[0].attempts:,} attempts a level; the few above the last bin are counted in it",
    )


def time_chart(parts: Sequence[Mapping[str, float]]) -> Chart:
    """The time of a simulation by part, and what replays would add (figure 4.4)."""
    names = ("tree", "playout", "replay, not needed here")
    values = [
        {"move": part["made"] + 1, "part": name, "order": order, "time": 1e6 * part[key]}
        for part in parts
        for order, (name, key) in enumerate(zip(names, ("tree", "playout", "replay"), strict=True))
    ]
    chart = (
        alt.Chart(inline(values))
        .mark_bar()
        .encode(
            x=alt.X("move:O", title="Search before move", axis=alt.Axis(labelAngle=0)),
            y=alt.Y("time:Q", title="Microseconds a simulation", stack=True),
            color=alt.Color(
                "part:N",
                scale=alt.Scale(domain=list(names), range=[MODEL, "#2f9e77", "#e9b4bb"]),
                legend=alt.Legend(title=None, columns=3),
            ),
            order="order:Q",
        )
        .properties(height=HEIGHT)
    )
    return titled(
        chart,
        "Where the time of a simulation goes",
        "Level 13, 100 simulations a move, binary signal, random playouts; replays by the cost of a move",
    )


def parameter_chart(setups: Mapping[str, Setup]) -> Chart:
    """The eight tests as stacked bars, the three levels on top of each other (figures 4.5 to 4.12)."""
    values, order = [], []
    for test in TESTS:
        for value, spec in test.agents.items():
            label = f"{test.number}, {test.short}: {value}"
            order.append(label)
            values += [
                {"setup": label, "level": level, "rate": success}
                for level, success in setups[spec].rates.items()
            ]
    names = list(next(iter(setups.values())).rates)
    bars = (
        alt.Chart(inline(values))
        .mark_bar()
        .encode(
            y=alt.Y("setup:N", sort=order, title=None, axis=alt.Axis(labelLimit=220, minExtent=150)),
            x=alt.X("rate:Q", axis=rate_axis("Success rates of the three levels, added up"), stack=True),
            color=_colors("level", names),
        )
        .properties(height=ROW * len(order))
    )
    return titled(bars, "The eight tests of table 4.2", "Each bar is a setup; tests share some of them")


def shrinking_chart(setups: Mapping[str, Mapping[str, Setup]]) -> Chart:
    """Success by shrinking, with intervals, for random and for heuristic playouts."""
    values = []
    for playout, by_value in setups.items():
        for value, setup in by_value.items():
            for level, won in setup.wins.items():
                success = rate(won)
                values.append(
                    {
                        "shrinking": value,
                        "case": f"{level}, {playout} playouts",
                        "rate": success.value,
                        "low": success.low,
                        "high": success.high,
                    }
                )
    names = list(dict.fromkeys(str(value["case"]) for value in values))
    base = alt.Chart().encode(
        x=alt.X("shrinking:N", title="Shrinking factor (0: binary signal)", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("case:N", scale=alt.Scale(domain=names, paddingOuter=0.4)),
        color=alt.Color(
            "case:N",
            scale=alt.Scale(domain=names, range=list(COLORS[: len(names)])),
            legend=alt.Legend(title=None, columns=2, columnPadding=PADDING),
        ),
    )
    lines = base.mark_rule(size=2).encode(y=alt.Y("low:Q", axis=rate_axis("Success rate")), y2="high:Q")
    points = base.mark_point(filled=True, size=60, opacity=1).encode(
        y="rate:Q",
        shape=alt.Shape(
            "case:N",
            scale=alt.Scale(domain=names, range=list(SHAPES[: len(names)])),
            legend=alt.Legend(title=None, columns=2, columnPadding=PADDING),
        ),
    )
    return titled(
        alt.layer(lines, points, data=inline(values)).properties(height=HEIGHT),
        "Shrinking, with more attempts",
        "Success rates with 95% intervals",
    )


def accumulated_chart(rates: Mapping[str, Values], first: int, title: str) -> Chart:
    """Success rates added up from level to level (figures 4.13 and 4.15)."""
    values = [
        {"level": first + k, "who": who, "sum": float(total)}
        for who, of_levels in rates.items()
        for k, total in enumerate(np.cumsum(of_levels))
    ]
    names = list(rates)
    chart = (
        alt.Chart(inline(values))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("level:Q", title="Level of the saga", scale=alt.Scale(zero=False, nice=False)),
            y=alt.Y("sum:Q", title="Success rates, added up"),
            color=_colors("who", names, line=True),
            strokeDash=_dashes("who", names),
        )
        .properties(height=HEIGHT)
    )
    return titled(chart, title, "A line that rises faster belongs to who wins more often")


def delta_chart(people: Values, deltas: Mapping[str, Values], title: str, axis: Any) -> Chart:
    """Differences to players level by level over the players' success rate, with trend lines (4.14, 4.16)."""
    names = list(deltas)
    values = [
        {"who": who, "people": float(p), "delta": float(d)}
        for who, of_levels in deltas.items()
        for p, d in zip(people, of_levels, strict=True)
    ]
    base = alt.Chart(inline(values)).encode(
        x=alt.X("people:Q", axis=rate_axis("Success rate of simulated players")),
        y=alt.Y("delta:Q", axis=axis),
        color=_colors("who", names),
    )
    points = base.mark_point(filled=True, size=45, opacity=0.75).encode(shape=_shapes("who", names))
    lines = base.transform_regression("people", "delta", groupby=["who"]).mark_line(
        strokeDash=[5, 4], strokeWidth=2
    )
    zero = alt.Chart(inline([{"delta": 0}])).mark_rule(style="now").encode(y="delta:Q")
    return titled(
        alt.layer(zero, points, lines).properties(height=HEIGHT + 60), title, "Dashed: straight lines fitted"
    )


def box_chart(deltas: Mapping[str, Values], title: str, axis: Any) -> Chart:
    """Boxes over the differences (figures 4.17 and 4.19)."""
    values = [{"who": who, "delta": float(d)} for who, of_levels in deltas.items() for d in of_levels]
    names = list(deltas)
    boxes = (
        alt.Chart(inline(values))
        .mark_boxplot(size=26, extent=1.5)
        .encode(
            y=alt.Y("who:N", sort=names, title=None, axis=alt.Axis(minExtent=120)),
            x=alt.X("delta:Q", axis=axis),
            color=alt.Color("who:N", scale=alt.Scale(domain=names, range=_palette(names)), legend=None),
        )
    )
    return titled(
        boxes.properties(height=44 * len(names)), title, "Box: the middle half; whiskers: 1.5 times its width"
    )


def survivor_chart(skills: Mapping[str, Values]) -> Chart:
    """Along the saga, how good the players who are left are, by how readily they leave."""
    names = list(skills)
    values = [
        {"leave": name, "level": k + 1, "skill": float(skill)}
        for name, of_levels in skills.items()
        for k, skill in enumerate(of_levels)
    ]
    chart = (
        alt.Chart(inline(values))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("level:Q", title="Level of the saga", scale=alt.Scale(nice=False)),
            y=alt.Y(
                "skill:Q",
                axis=rate_axis("Mean skill of the players who are left"),
                scale=alt.Scale(zero=False),
            ),
            color=_colors("leave", names, "leave", line=True),
            strokeDash=_dashes("leave", names),
        )
        .properties(height=HEIGHT)
    )
    return titled(
        chart,
        "Who fails much leaves: those who are left are better",
        "Skill is a player's success rate over all levels of the saga, had it played them all",
    )


def plain_axis(title: str) -> alt.Axis:
    """An axis of numbers."""
    return alt.Axis(title=title, tickCount=5)
