"""Charts of success rates, in which the prediction and the target stand beside what agents did."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from levelsense.playtest.figures import LevelFigures, agents_of
from levelsense.playtest.limits import limit_of
from levelsense.prediction.explain import people_word
from levelsense.prediction.levels import LevelPrediction
from levelsense.prediction.tuning import LimitRate
from levelsense.report.numbers import (
    PREDICTED,
    Values,
    difficulty_values,
    limit_rate_values,
    limit_values,
    predicted_over_levels,
    success_values,
)
from levelsense.report.theme import (
    BAR,
    MODEL,
    NAMES,
    NEUTRAL,
    ROOM,
    Chart,
    agent_color,
    agent_dash,
    agent_shape,
    inline,
    rate_axis,
    titled,
    wide,
)

MOST_NAMED_LEVELS = 60  # below an axis
TARGET_WORDS = "Long dashes: the target"


def limit_chart(
    report: LevelFigures, expected: LevelPrediction | None = None, by_limit: Sequence[LimitRate] = ()
) -> Chart:
    """Success rates as a function of the limit: agents', the predicted one, and the target.

    `by_limit` are predictions for other limits; without these, that for the present one is drawn alone.
    """
    limit, unit = limit_of(report.level)
    values = limit_values(report)
    now = alt.Chart(inline([{"limit": limit, "label": f"now: {limit:g}"}])).encode(x="limit:Q")
    rule = now.mark_rule(style="now", strokeDash=[2, 3], size=1.5)
    label = now.mark_text(style="remark", baseline="bottom", dy=-3).encode(y=alt.value(0), text="label:N")
    layers = [*_limit_layers(values, unit, [played.agent for played in report.played]), rule, label]
    words = _limit_words(report)
    if expected is not None:
        present = LimitRate(limit, expected.rate, *expected.band_95)
        layers += [*_predicted_limits(by_limit, present, unit), *target_rule(expected.target)]
        words.append(
            "Blue: predicted, with its 95% band; the large diamond is the present limit"
            if by_limit
            else "Blue diamond: predicted for the present limit, with its 95% band"
        )
    return titled(
        wide(alt.layer(*layers, data=inline(values))),
        f"Success rate by {'move' if unit == 'moves' else 'time'} limit",
        words + ([] if expected is None or expected.target is None else [TARGET_WORDS]),
    )


def target_rule(target: float | None, axis: str = "y") -> list[Any]:
    """A line at the target success rate with its name; nothing without a target."""
    if target is None:
        return []
    base = alt.Chart(inline([{"target": target, "label": f"target {100 * target:g}%"}]))
    line = base.mark_rule(style="target", strokeDash=[9, 5], size=1.5)
    if axis == "x":
        return [line.encode(x="target:Q")]
    label = base.mark_text(style="label", align="right", baseline="bottom", dy=-3)
    return [line.encode(y="target:Q"), label.encode(x=alt.value("width"), y="target:Q", text="label:N")]


def _predicted_limits(by_limit: Sequence[LimitRate], present: LimitRate, unit: str) -> list[Any]:
    """The predicted success rate with several limits, and the one with the present limit in bold."""
    tooltip = [
        alt.Tooltip("limit:Q", title=f"Limit ({unit})"),
        alt.Tooltip("rate:Q", title="Predicted", format=".1%"),
        alt.Tooltip("low:Q", title="95% band from", format=".1%"),
        alt.Tooltip("high:Q", title="to", format=".1%"),
    ]
    layers: list[Any] = []
    if by_limit:
        curve = alt.Chart(inline(limit_rate_values(by_limit))).encode(x="limit:Q")
        dots = curve.mark_point(filled=True, size=50, opacity=1, shape="diamond", color=MODEL)
        layers = [
            curve.mark_area(opacity=0.14, color=MODEL).encode(y="low:Q", y2="high:Q"),
            curve.mark_line(strokeWidth=2.6, color=MODEL).encode(y="rate:Q"),
            dots.encode(y="rate:Q", tooltip=tooltip),
        ]
    now = alt.Chart(inline(limit_rate_values([present]))).encode(x="limit:Q")
    band = now.mark_rule(size=4, opacity=0.6, color=MODEL).encode(y="low:Q", y2="high:Q")
    mark = now.mark_point(filled=True, size=140, opacity=1, shape="diamond", color=MODEL)
    return [*layers, band, mark.encode(y="rate:Q", tooltip=tooltip)]


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
    sources, dash = {value["from"] for value in values}, agent_dash(agents)
    curves = [
        past.mark_area(opacity=0.2).encode(y=low, y2="high:Q"),
        past.mark_line(strokeWidth=2.2).encode(y=rate, strokeDash=dash, tooltip=tooltip),
    ]
    dots = [
        guessed.mark_line(strokeWidth=1, opacity=0.7).encode(y=rate, strokeDash=dash),
        played.mark_rule(size=2, opacity=0.7).encode(y=low, y2="high:Q"),
        played.mark_point(filled=True, size=60, opacity=1).encode(
            y=rate, shape=agent_shape(agents, symbol="stroke"), tooltip=tooltip
        ),
    ]
    return (curves if "past" in sources else []) + (dots if "played" in sources else [])


def _limit_words(report: LevelFigures) -> list[str]:
    """The subtitles of the chart of limits: what its curves and dots are."""
    words = []
    if any(played.curve is not None for played in report.played):
        words.append("What agents would reach with another limit; bands are 95% intervals")
    if any(played.checks for played in report.played):
        words.append("Points were played, with 95% intervals; thin lines between them are guesses")
    return words or ["No other limit was played"]


def success_chart(report: LevelFigures, expected: LevelPrediction | None = None) -> Chart:
    """The predicted success rate with its band, and agents' with intervals, against the target."""
    values = success_values(report, expected)
    base = alt.Chart().encode(y=alt.Y("who:N", sort=None, title=None, axis=alt.Axis(labelLimit=NAMES)))
    # Room to the right for the rates in numbers.
    scale = alt.Scale(domain=[0, 1.3], nice=False)
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    axis = rate_axis("Success rate (% of attempts)", values=ticks, tickCount=len(ticks))
    rate, low, high = (alt.X(name, scale=scale, axis=axis) for name in ("rate:Q", "low:Q", "high:Q"))
    bars = base.mark_bar(height=BAR * 0.55, opacity=0.85).encode(
        x=rate,
        color=alt.Color(
            "kind:N", scale=alt.Scale(domain=[PREDICTED, "agent"], range=[MODEL, NEUTRAL]), legend=None
        ),
        tooltip=[
            alt.Tooltip("who:N", title="Success rate of"),
            alt.Tooltip("rate:Q", title="Success rate", format=".1%"),
            alt.Tooltip("low:Q", title="95% from", format=".1%"),
            alt.Tooltip("high:Q", title="to", format=".1%"),
            alt.Tooltip("wins:Q", title="Won"),
            alt.Tooltip("attempts:Q", title="Attempts"),
        ],
    )
    whiskers = base.mark_rule(style="interval", size=2).encode(x=low, x2="high:Q")
    words = base.mark_text(style="label", align="left", dx=8).encode(
        x=high, text=alt.Text("rate:Q", format=".1%")
    )
    target = None if expected is None else expected.target
    layers = [bars, whiskers, words, *target_rule(target, "x")]
    chart = wide(alt.layer(*layers, data=inline(values)), BAR * len(values) + 10)
    if expected is None:
        return titled(chart, "Success rate of agents", "Share of attempts won, with 95% intervals")
    people = people_word(expected.simulated)
    subtitles = [
        f"Blue: predicted of {people}, with its 95% band. Gray: agents, which are evidence, no verdict"
    ]
    return titled(chart, "Success rate", subtitles + ([TARGET_WORDS] if target is not None else []))


def difficulty_chart(
    levels: list[LevelFigures],
    expected: Mapping[str, LevelPrediction] | None = None,
    target: float | None = None,
) -> Chart:
    """Success rates over all levels, in their order: predicted ones with bands, the target, and agents'."""
    names, agents = [report.name for report in levels], agents_of(levels)
    # Names that fit are all shown; of more, every few.
    overlap = len(names) > MOST_NAMED_LEVELS
    axis = alt.Axis(labelAngle=-40, labelLimit=140, labelOverlap="greedy" if overlap else False)
    base = alt.Chart().encode(
        x=alt.X("level:N", sort=names, title="Level", axis=axis), color=agent_color(agents, 2 * ROOM, None)
    )
    rate = alt.Y("rate:Q", scale=alt.Scale(domain=[0, 1]), axis=rate_axis("Success rate (% of attempts)"))
    tooltip = [
        alt.Tooltip("level:N", title="Level"),
        alt.Tooltip("agent:N", title="Agent"),
        alt.Tooltip("rate:Q", title="Success rate", format=".1%"),
    ]
    is_evidence = expected is not None
    dots = base.mark_point(filled=True, size=28 if is_evidence else 60, opacity=0.75 if is_evidence else 1)
    layers = [dots.encode(y=rate, shape=agent_shape(agents, 2 * ROOM), tooltip=tooltip)]
    if not is_evidence:
        layers.insert(0, base.mark_rule(size=2, opacity=0.6).encode(y="low:Q", y2="high:Q"))
    else:
        layers += [*_predicted_layers(levels, expected or {}, names), *target_rule(target)]
    words = "Success rates of agents with 95% intervals"
    if is_evidence:
        words = (
            "Blue diamonds: predicted, with 95% bands. Small points: agents, which are evidence, no verdict"
        )
    subtitles = [words, *([TARGET_WORDS] if target is not None else [])]
    chart = wide(alt.layer(*layers, data=inline(difficulty_values(levels))), 280)
    return titled(chart, "Difficulty over the levels", subtitles)


def _predicted_layers(
    levels: list[LevelFigures], expected: Mapping[str, LevelPrediction], names: list[str]
) -> list[Any]:
    base = alt.Chart(inline(predicted_over_levels(levels, expected))).encode(x=alt.X("level:N", sort=names))
    tooltip = [
        alt.Tooltip("level:N", title="Level"),
        alt.Tooltip("rate:Q", title="Predicted", format=".1%"),
        alt.Tooltip("low:Q", title="95% band from", format=".1%"),
        alt.Tooltip("high:Q", title="to", format=".1%"),
    ]
    line = base.mark_line(strokeWidth=1.2, opacity=0.5, color=MODEL).encode(y="rate:Q")
    band = base.mark_rule(size=4, opacity=0.45, color=MODEL).encode(y="low:Q", y2="high:Q")
    mark = base.mark_point(filled=True, size=90, opacity=1, shape="diamond", color=MODEL)
    return [line, band, mark.encode(y="rate:Q", tooltip=tooltip)]
