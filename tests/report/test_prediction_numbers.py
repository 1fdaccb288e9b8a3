"""The numbers behind the charts about predictions, computed by hand."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.playtest.interval import wilson
from levelsense.report.prediction_numbers import (
    INSIDE,
    OUTSIDE,
    PARTS,
    accumulated_values,
    box_values,
    coverage,
    coverage_values,
    delta_values,
    place_values,
    predicted_values,
    trend_values,
    worst_misses,
)
from tests.report.evaluations import AGENTS, evaluation

#         level, successes of 10, predicted, 95 % band, 50 % band, the agent's rate
JUDGED = (
    ("a", 5, 0.5, (0.2, 0.8), (0.4, 0.6), 0.7),
    ("b", 9, 0.6, (0.3, 0.85), (0.5, 0.7), 1.0),
    ("c", 2, 0.3, (0.1, 0.6), (0.25, 0.4), 0.0),
    ("d", 0, 0.1, (0.0, 0.4), (0.0, 0.2), 0.1),
)


def judged(rows: Any = JUDGED) -> pl.DataFrame:
    made = []
    for level, successes, rate, (low, high), (low_50, high_50), agent in rows:
        observed = successes / 10
        made.append(
            {
                "level": level,
                "attempts": 10,
                "successes": successes,
                "observed": observed,
                "rate": rate,
                "low_50": low_50,
                "high_50": high_50,
                "low_95": low,
                "high_95": high,
                "delta": rate - observed,
                "outside": not low <= observed <= high,
                "greedy": agent,
            }
        )
    return pl.DataFrame(made)


def test_points_say_where_they_lie() -> None:
    values = predicted_values(judged())
    assert [value["where"] for value in values] == [INSIDE, OUTSIDE, INSIDE, INSIDE]
    assert values[1] == {
        "level": "b",
        "rate": 0.6,
        "observed": 0.9,
        "low_50": 0.5,
        "high_50": 0.7,
        "low_95": 0.3,
        "high_95": 0.85,
        "attempts": 10,
        "where": OUTSIDE,
    }


def test_deltas_of_prediction_and_agents() -> None:
    values = delta_values(judged(), ["greedy"])
    assert [(value["who"], value["level"], value["delta"]) for value in values] == [
        ("predicted", "a", 0.0),
        ("predicted", "b", -0.3),
        ("predicted", "c", 0.1),
        ("predicted", "d", 0.1),
        ("greedy's own rate", "a", 0.2),
        ("greedy's own rate", "b", 0.1),
        ("greedy's own rate", "c", -0.2),
        ("greedy's own rate", "d", 0.1),
    ]
    # a: p = 5.5 / 11, so that sqrt(p (1 - p)) is 0.5; d: p = 0.5 / 11.
    assert values[4]["adjusted"] == pytest.approx(0.4)
    assert values[7]["adjusted"] == pytest.approx(0.1 / np.sqrt(0.5 / 11 * 10.5 / 11), abs=1e-4)


def test_adjusted_deltas_are_those_of_the_evaluation() -> None:
    levels = evaluation().levels
    adjusted = [value["adjusted"] for value in delta_values(levels, AGENTS) if value["who"] == "predicted"]
    assert adjusted == pytest.approx(levels["adjusted"].to_list(), abs=1e-4)


def test_a_trend_is_a_line_by_least_squares() -> None:
    values = [{"observed": x, "delta": y} for x, y in ((0.0, 0.3), (0.5, 0.0), (1.0, -0.1))]
    # The slope is (0.5 * 0.1 + 0.5 * 0.3) / -0.5 = -0.4, through the means (0.5, 0.2 / 3).
    middle = 0.2 / 3
    assert trend_values(values, "delta") == [
        {"observed": 0.0, "delta": pytest.approx(middle + 0.2, abs=1e-4)},
        {"observed": 1.0, "delta": pytest.approx(middle - 0.2, abs=1e-4)},
    ]
    assert trend_values(values[:1], "delta") == []
    assert trend_values([values[0], values[0]], "delta") == []


def test_boxes() -> None:
    numbers = (0.0, 0.1, 0.2, 0.3, 0.4, 2.0)
    values = [{"who": "x", "level": str(k), "delta": number} for k, number in enumerate(numbers)]
    boxes, beyond = box_values(values, "delta")
    # Quartiles 0.125 and 0.375: whiskers reach to 0.75 at most.
    assert boxes == [{"who": "x", "low": 0.0, "q1": 0.125, "median": 0.25, "q3": 0.375, "high": 0.4}]
    assert [value["level"] for value in beyond] == ["5"]


def test_rates_add_up() -> None:
    values = accumulated_values(judged(), ["greedy"], "simulated players")
    totals = {
        who: [v["total"] for v in values if v["who"] == who]
        for who in dict.fromkeys(v["who"] for v in values)
    }
    assert totals == {
        "simulated players": [0.5, 1.4, 1.6, 1.6],
        "predicted": [0.5, 1.1, 1.4, 1.5],
        "greedy's own rate": [0.7, 1.7, 1.7, 1.8],
    }
    assert [value["place"] for value in values[:4]] == [1, 2, 3, 4]


def test_coverage_by_predicted_rate() -> None:
    values = coverage_values(judged())
    shares = {(value["range"], value["band"]): (value["number"], value["levels"]) for value in values}
    # 0.6 is the beginning of a range; c lies below its 50 % band, at 0.2 of 0.25 to 0.4.
    assert shares == {
        ("0 to 20%", "50% band"): (1, 1),
        ("0 to 20%", "95% band"): (1, 1),
        ("20 to 40%", "50% band"): (0, 1),
        ("20 to 40%", "95% band"): (1, 1),
        ("40 to 60%", "50% band"): (1, 1),
        ("40 to 60%", "95% band"): (1, 1),
        ("60 to 80%", "50% band"): (0, 1),
        ("60 to 80%", "95% band"): (0, 1),
    }
    assert (values[0]["low"], values[0]["high"]) == pytest.approx(wilson(1, 1), abs=1e-4)
    assert coverage(judged(), 50) == 0.5
    assert coverage(judged(), 95) == 0.75


def test_a_sure_thing_belongs_to_the_last_range() -> None:
    sure = judged([("e", 10, 1.0, (0.9, 1.0), (1.0, 1.0), 1.0)])
    assert {value["range"] for value in coverage_values(sure)} == {"80 to 100%"}


def test_places_in_the_predicted_range() -> None:
    values = {value["part"]: value for value in place_values(judged())}
    # a equals its median: half and half. b is above its 95 % band, c below its 50 % band.
    # d equals the 2.5 % and the 25 % quantile: in the three parts around them, by their sizes.
    numbers = {part: value["number"] for part, value in values.items()}
    assert numbers == {
        PARTS[0]: pytest.approx(0.025 / 0.5, abs=1e-4),
        PARTS[1]: pytest.approx(1 + 0.225 / 0.5, abs=1e-4),
        PARTS[2]: pytest.approx(0.5 + 0.25 / 0.5, abs=1e-4),
        PARTS[3]: pytest.approx(0.5, abs=1e-4),
        PARTS[4]: 0,
        PARTS[5]: 1,
    }
    assert [value["expected"] for value in values.values()] == [0.025, 0.225, 0.25, 0.25, 0.225, 0.025]


@given(st.lists(st.tuples(st.integers(0, 10), *[st.floats(0, 1)] * 5), min_size=1, max_size=20))
def test_every_level_has_one_place(rows: list[tuple[int, float, float, float, float, float]]) -> None:
    made = []
    for successes, *quantiles in rows:
        low, low_50, rate, high_50, high = sorted(quantiles)
        made.append(("x", successes, rate, (low, high), (low_50, high_50), 0.5))
    values = place_values(judged(made))
    assert sum(value["number"] for value in values) == pytest.approx(len(rows), abs=1e-3)
    for value in values:
        assert value["low"] <= value["share"] <= value["high"]


def test_worst_misses_come_first_and_hits_not_at_all() -> None:
    assert [row["level"] for row in worst_misses(judged(JUDGED[:3]), 9)] == ["b", "c"]
    assert [row["level"] for row in worst_misses(judged(JUDGED[:3]), 1)] == ["b"]


def test_what_is_clearly_off() -> None:
    near = ("near", 5, 0.54, (0.2, 0.8), (0.4, 0.6), 0.5)
    outside = ("outside", 5, 0.54, (0.51, 0.57), (0.53, 0.55), 0.5)
    far = ("far", 5, 0.56, (0.2, 0.8), (0.4, 0.6), 0.5)
    assert [row["level"] for row in worst_misses(judged([near, outside, far]), 9)] == ["far", "outside"]
    assert worst_misses(judged([near]), 9) == []


@pytest.mark.parametrize(("last", "high", "beyond"), [(6.9, 6.9, []), (7.6, 4.0, [7.6])])
def test_whiskers_reach_one_and_a_half_boxes(last: float, high: float, beyond: list[float]) -> None:
    """Quartiles 1.25 and 3.75: from -2.5 to 7.5."""
    values = [{"who": "x", "delta": number} for number in (0.0, 1.0, 2.0, 3.0, 4.0, last)]
    (box,), outliers = box_values(values, "delta")
    assert (box["low"], box["q1"], box["median"], box["q3"], box["high"]) == (0, 1.25, 2.5, 3.75, high)
    assert [value["delta"] for value in outliers] == beyond
