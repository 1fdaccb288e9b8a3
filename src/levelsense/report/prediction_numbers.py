"""The numbers behind the charts about predictions: tables of plain values, from judged levels.

Judged levels are the frame of prediction.evaluation: what players did beside what was predicted.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import polars as pl

from levelsense.playtest.interval import wilson
from levelsense.prediction.evaluation import accumulated, adjust
from levelsense.report.numbers import PREDICTED, Values, short

INSIDE, OUTSIDE = "inside its 95% band", "outside its 95% band"
COVERAGE_EDGES: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
WHISKERS: Final = 1.5  # times the length of the box
BANDS: Final = (50, 95)
CLEARLY_OFF: Final = 0.05  # a delta; where bands are narrow, to be outside the 95 % band is enough
# The quantiles that a prediction has, and the parts that they cut its range of rates into.
QUANTILES: Final = (("low_95", 0.025), ("low_50", 0.25), ("rate", 0.5), ("high_50", 0.75), ("high_95", 0.975))
PARTS: Final = (
    "below the 95% band",
    "below the 50% band",
    "lower half of the 50% band",
    "upper half of the 50% band",
    "above the 50% band",
    "above the 95% band",
)


def own_rate(agent: str) -> str:
    """The name of an agent's success rate, distinct from that of a prediction made from it."""
    return f"{agent}'s own rate"


def predicted_values(levels: pl.DataFrame) -> Values:
    """Predicted and observed rate of each level, with the bands."""
    return [
        {
            "level": row["level"],
            **{
                key: short(row[key]) for key in ("rate", "observed", "low_50", "high_50", "low_95", "high_95")
            },
            "attempts": row["attempts"],
            "where": OUTSIDE if row["outside"] else INSIDE,
        }
        for row in levels.iter_rows(named=True)
    ]


def delta_values(levels: pl.DataFrame, agents: Sequence[str]) -> Values:
    """Delta and adjusted delta of each level, of the prediction and of each agent's own success rate."""
    observed = levels["observed"].to_numpy()
    successes, attempts = levels["successes"].to_numpy(), levels["attempts"].to_numpy()
    values = []
    compared = {PREDICTED: levels["rate"], **{own_rate(agent): levels[agent] for agent in agents}}
    for name, compared_rates in compared.items():
        deltas = compared_rates.to_numpy() - observed
        adjusted = adjust(deltas, successes, attempts)
        values += [
            {
                "who": name,
                "level": level,
                "observed": short(rate),
                "delta": short(delta),
                "adjusted": short(scaled),
            }
            for level, rate, delta, scaled in zip(levels["level"], observed, deltas, adjusted, strict=True)
        ]
    return values


def box_values(values: Values, measure: str) -> tuple[Values, Values]:
    """Tukey's boxes of deltas, one a compared rate, and the levels beyond their whiskers.

    `measure` is `delta` or `adjusted`.
    """
    boxes, beyond = [], []
    for series in dict.fromkeys(value["who"] for value in values):
        series_values = [value for value in values if value["who"] == series]
        numbers = np.array([value[measure] for value in series_values])
        first, middle, third = np.percentile(numbers, (25, 50, 75))
        reach = WHISKERS * (third - first)
        near = numbers[(numbers >= first - reach) & (numbers <= third + reach)]
        parts = {"low": near.min(), "q1": first, "median": middle, "q3": third, "high": near.max()}
        boxes.append({"who": series, **{name: short(part) for name, part in parts.items()}})
        beyond += [value for value in series_values if not near.min() <= value[measure] <= near.max()]
    return boxes, beyond


def trend_values(values: Values, measure: str) -> Values:
    """The ends of the least-squares line of a measure by observed rate; none where all rates are the same."""
    x, y = (np.array([value[key] for value in values], float) for key in ("observed", measure))
    if len(x) < 2 or np.ptp(x) == 0:
        return []
    slope, start = np.polyfit(x, y, 1)
    return [{"observed": float(end), measure: short(start + slope * end)} for end in (x.min(), x.max())]


def accumulated_values(levels: pl.DataFrame, agents: Sequence[str], people: str) -> Values:
    """Success rates added up in the levels' order, of `people` first; places count from 1."""
    names = {"players": people} | {agent: own_rate(agent) for agent in agents}
    added = accumulated(levels, agents).rename(names)
    return [
        {"who": name, "place": place, "level": level, "total": short(total)}
        for name in added.columns[1:]
        for place, (level, total) in enumerate(zip(added["level"], added[name], strict=True), start=1)
    ]


def coverage_values(levels: pl.DataFrame) -> Values:
    """How many levels of each range of predicted rates lie inside their bands; empty ranges have no row."""
    rates = levels["rate"].to_numpy()
    ranges = np.clip(np.searchsorted(COVERAGE_EDGES, rates, side="right") - 1, 0, len(COVERAGE_EDGES) - 2)
    values = []
    for number, (start, end) in enumerate(pairwise(COVERAGE_EDGES)):
        inside = ranges == number
        for band in BANDS:
            held_count = int(_held(levels, band)[inside].sum())
            if count := int(inside.sum()):
                values.append(
                    {
                        "range": f"{100 * start:.0f} to {100 * end:.0f}%",
                        "band": f"{band}% band",
                        **_share(held_count, count),
                    }
                )
    return values


def coverage(levels: pl.DataFrame, band: int) -> float:
    """The share of levels that lie inside their band."""
    return float(_held(levels, band).mean())


def _held(levels: pl.DataFrame, band: int) -> Any:
    observed = levels["observed"].to_numpy()
    return (observed >= levels[f"low_{band}"].to_numpy()) & (observed <= levels[f"high_{band}"].to_numpy())


def place_values(levels: pl.DataFrame) -> Values:
    """In which part of its predicted range each observed rate lies, and how many there should be.

    A rate that is equal to quantiles, as 0 may be to several, counts in the parts around them, by their size.
    """
    sizes = np.diff([0.0, *(share for _, share in QUANTILES), 1.0])
    counts = np.zeros(len(PARTS))
    for row in levels.iter_rows(named=True):
        below = sum(row[name] < row["observed"] for name, _ in QUANTILES)
        above = sum(row[name] > row["observed"] for name, _ in QUANTILES)
        parts = slice(below, len(PARTS) - above)
        counts[parts] += sizes[parts] / sizes[parts].sum()
    return [
        {"part": part, "expected": short(size), **_share(float(count), levels.height)}
        for part, size, count in zip(PARTS, sizes, counts, strict=True)
    ]


def worst_misses(levels: pl.DataFrame, most: int) -> list[dict[str, Any]]:
    """At most `most` levels with the largest deltas, the worst first, of those that are clearly off."""
    off = levels.filter((pl.col("delta").abs() >= CLEARLY_OFF) | pl.col("outside"))
    return off.sort(pl.col("delta").abs(), descending=True, maintain_order=True).head(most).to_dicts()


def _share(number: float, count: int) -> dict[str, Any]:
    low, high = wilson(number, count)
    return {
        "share": short(number / count),
        "low": short(low),
        "high": short(high),
        "number": short(number),
        "levels": count,
    }
