"""What the page says in words."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from levelsense.playtest.estimate import Estimate
from levelsense.playtest.figures import Extra, LevelFigures, played_from
from levelsense.playtest.limits import Check, LimitCurve
from levelsense.playtest.skill_and_luck import SAME_PLAY, Luck
from levelsense.playtest.statistics import ENOUGH
from levelsense.report.ending_charts import goals_chart
from levelsense.report.level_charts import left_chart, score_chart
from levelsense.report.page import Origin, report_page
from levelsense.report.sentences import (
    agents_heat,
    headline,
    limits_words,
    losses_words,
    luck_sentence,
    skill_sentence,
)
from tests.playtest.drawn_attempts import attempts_at, lost, small_level, won

LEVEL = small_level(goals={"score": 1000, "orders": {"red": 4}})


def report_with(**losses: int) -> LevelFigures:
    """Agents, the weakest first, that each lost so many of 100 attempts, two of five of them nearly won."""
    played = []
    for agent, number in losses.items():
        near = [lost(LEVEL, score=950, red=4, jelly_left=[(1, 1)])] * (number * 2 // 5)
        far = [lost(LEVEL, score=950, red=1)] * (number - len(near))
        attempts = attempts_at(LEVEL, *[won(LEVEL)] * (100 - number), *near, *far)
        played.append(played_from(agent, attempts, Extra()))
    return LevelFigures("drawn", LEVEL, tuple(played), tuple(losses))


def test_the_strongest_that_lost_often_enough_tells() -> None:
    report = report_with(weak=60, middle=ENOUGH, strong=1)
    assert report.telling is not None
    assert report.telling.agent == "middle"
    assert losses_words(report) == "middle, 10 lost"
    assert headline(report) == (
        "strong wins 99.0%. 40% of middle's 10 lost attempts were near misses; red is the bottleneck."
    )


@pytest.mark.parametrize(
    ("losses", "expected"),
    [
        (
            ENOUGH - 1,
            "weak wins 91.0%. Too few attempts were lost to tell what held them up.",
        ),
        (0, "weak wins 100.0%."),
    ],
)
def test_nobody_lost_enough(losses: int, expected: str) -> None:
    report = report_with(weak=losses)
    assert (report.telling, losses_words(report)) == (None, "")
    assert headline(report) == expected


def test_some_limits_in_a_line() -> None:
    """By the curve where there is one, else as played: of ten moves at 1, 2, 5, 8, 10 and 15."""
    report = report_with(weak=60)
    curve = LimitCurve("moves", 100, np.arange(1, 16))
    past, played = replace(report.played[0], curve=curve), replace(report.played[0], checks=(Check(3, 1, 8),))
    assert limits_words(report, past) == "1: 1.0%, 2: 2.0%, 5: 5.0%, 8: 8.0%, 10: 10.0%, 15: 15.0%"
    assert limits_words(report, played) == "3: 12.5%"
    assert limits_words(report, report.played[0]) == "not played"


def test_how_to_see_skill_and_luck() -> None:
    alone = report_with(heuristic=60)
    assert skill_sentence(alone) == "Skill: needs two agents, such as random and heuristic."
    assert luck_sentence(alone) == "Luck: too few attempts, it takes 40."
    same = replace(alone, played=(replace(alone.played[0], luck=Luck(50, 4, None, SAME_PLAY)),))
    assert luck_sentence(same) == (
        "Luck: cannot be told: the agent plays a board the same way each time; "
        "agents that draw random numbers show it, such as random or mcts."
    )
    changed_report = replace(
        alone, played=(replace(alone.played[0], luck=Luck(50, 4, Estimate(0.3, 0.25, 0.4))),)
    )
    assert luck_sentence(changed_report).endswith("decides 30.0% (25.0 - 40.0%) of it, for heuristic.")
    assert "heuristic and random" in skill_sentence(report_with(random=60))
    assert skill_sentence(report_with(weak=60, strong=1)).startswith(
        "Skill: matters much or decides: strong wins 59.0"
    )


def test_the_summary_names_whose_figures_it_has() -> None:
    page = report_page([report_with(weak=60, middle=40, strong=1)], Origin(0, "1", "today"))
    assert "<small>middle, 40 lost</small>" in page
    assert "the strongest agent that lost at least 10 attempts" in page


def test_charts_say_from_how_many_and_leave_out_few() -> None:
    report = report_with(weak=95, middle=60, strong=4)
    assert _drawn(left_chart(report)) == (
        {"middle", "strong"},
        "From 40 to 96 wins an agent; " + LEFT_OUT,
    )
    assert _drawn(score_chart(report)) == (
        {"middle", "strong"},
        "From 40 to 96 wins an agent; " + LEFT_OUT,
    )
    assert _drawn(goals_chart(report)) == (
        {"weak", "middle"},
        "From 60 to 95 lost attempts an agent; " + LEFT_OUT,
    )
    assert [(agent, heat.lost) for agent, heat in agents_heat(report)] == [("weak", 95), ("middle", 60)]


def test_agents_stand_in_one_legend_of_the_chart_of_scores() -> None:
    """Their dashes share it with their colors; those of stars are told in the subtitle."""
    report = report_with(weak=50, strong=4)
    chart = score_chart(report)
    assert chart is not None
    spec = chart.to_dict()
    dashes = [layer["encoding"].get("strokeDash") for layer in spec["layer"]]
    assert [dash["field"] for dash in dashes if dash] == ["agent"]
    assert "Dashed: now" in spec["title"]["subtitle"][0]


LEFT_OUT = "below 10 it is left out"


def _drawn(chart: Any) -> tuple[set[str], str]:
    spec = chart.to_dict()
    values = spec["datasets"][spec["data"]["name"]]
    return {value["agent"] for value in values}, spec["title"]["subtitle"][-1]


def test_too_few_for_any_picture() -> None:
    few = report_with(weak=ENOUGH - 1)
    assert goals_chart(few) is None
    assert agents_heat(few) == []
    assert left_chart(report_with(weak=100 - ENOUGH + 1)) is None
    assert score_chart(report_with(weak=100 - ENOUGH + 1)) is None
