"""What the page says in words."""

from typing import Any

import pytest

from levelsense.playtest.statistics import ENOUGH
from levelsense.report.charts import goals_chart, heat_chart, left_chart, score_chart
from levelsense.report.gather import Extra, LevelReport, played_from
from levelsense.report.page import Origin, report_page
from levelsense.report.words import headline, whose
from tests.playtest.drawn_rows import lost, rows_of, small_level, won

LEVEL = small_level(goals={"score": 1000, "orders": {"red": 4}})


def report_with(**losses: int) -> LevelReport:
    """Agents, the weakest first, that each lost so many of 100 attempts, two of five of them nearly won."""
    played = []
    for agent, number in losses.items():
        near = [lost(LEVEL, score=950, red=4, jelly_left=[(1, 1)])] * (number * 2 // 5)
        far = [lost(LEVEL, score=950, red=1)] * (number - len(near))
        rows = rows_of(*[won(LEVEL)] * (100 - number), *near, *far)
        played.append(played_from(LEVEL, agent, rows, Extra()))
    return LevelReport("drawn", LEVEL, tuple(played), tuple(losses))


def test_the_strongest_that_lost_often_enough_tells() -> None:
    report = report_with(weak=60, middle=ENOUGH, strong=1)
    assert report.telling is not None
    assert report.telling.agent == "middle"
    assert whose(report) == "middle, 10 lost"
    assert headline(report) == (
        "strong wins 99.0%: very easy. "
        "40% of middle's 10 lost attempts were near misses; red is the bottleneck."
    )


@pytest.mark.parametrize(
    ("losses", "expected"),
    [
        (
            ENOUGH - 1,
            "weak wins 91.0%: easy to very easy. Too few attempts were lost to tell what held them up.",
        ),
        (0, "weak wins 100.0%: very easy."),
    ],
)
def test_nobody_lost_enough(losses: int, expected: str) -> None:
    report = report_with(weak=losses)
    assert (report.telling, whose(report)) == (None, "")
    assert headline(report) == expected


def test_the_summary_names_whose_figures_it_has() -> None:
    page = report_page([report_with(weak=60, middle=40, strong=1)], Origin(0, "1", "today"))
    assert "<small>middle, 40 lost</small>" in page
    assert "the strongest agent that lost at least 10 attempts" in page


def test_charts_say_from_how_many_and_leave_out_few() -> None:
    report = report_with(weak=95, middle=60, strong=4)
    assert _drawn(left_chart(report)) == (
        {"middle", "strong"},
        "From 40 to 96 wins of each agent; " + LEFT_OUT,
    )
    assert _drawn(score_chart(report)) == (
        {"middle", "strong"},
        "From 40 to 96 wins of each agent; " + LEFT_OUT,
    )
    assert _drawn(goals_chart(report)) == (
        {"weak", "middle"},
        "From 60 to 95 lost attempts of each agent; " + LEFT_OUT,
    )
    assert _drawn(heat_chart(report, "jelly"))[0] == {"weak: 95 lost", "middle: 60 lost"}


LEFT_OUT = "agents with fewer than 10 are left out"


def _drawn(chart: Any) -> tuple[set[str], str]:
    spec = chart.to_dict()
    values = spec["datasets"][spec["data"]["name"]]
    return {value["agent"] for value in values}, spec["title"]["subtitle"][-1]


def test_too_few_for_any_picture() -> None:
    few = report_with(weak=ENOUGH - 1)
    assert goals_chart(few) is None
    assert heat_chart(few, "jelly") is None
    assert left_chart(report_with(weak=100 - ENOUGH + 1)) is None
    assert score_chart(report_with(weak=100 - ENOUGH + 1)) is None
