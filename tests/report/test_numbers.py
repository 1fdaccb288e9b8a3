"""The numbers behind a report's charts, from attempts that are written out."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from levelsense.game.state import BOMB_WENT_OFF
from levelsense.playtest.estimate import Estimate
from levelsense.playtest.figures import Extra, LevelFigures, Played, played_from, rank_agents
from levelsense.playtest.interval import wilson
from levelsense.playtest.limits import Check, LimitCurve
from levelsense.playtest.skill_and_luck import Luck
from levelsense.report.numbers import (
    MOST_POINTS,
    difficulty_values,
    endings_values,
    fitting_bins,
    goal_values,
    left_values,
    limit_values,
    skill_and_luck_values,
    success_values,
)
from levelsense.report.sentences import agents_heat
from tests.playtest.drawn_attempts import attempts_at, lost, small_level, won

LEVEL = small_level(goals={"score": 1000, "orders": {"red": 4}})


def played(agent: str, *attempts: dict[str, Any], **extra: Any) -> Played:
    return played_from(agent, attempts_at(LEVEL, *attempts), Extra(**extra))


def report(*of_agents: Played, name: str = "small", ranking: tuple[str, ...] = ()) -> LevelFigures:
    return LevelFigures(name, LEVEL, of_agents, ranking)


def rate(agent: str, wins: int, attempts: int = 10) -> Played:
    """An agent that won so many of its attempts."""
    return played(agent, *[won(LEVEL)] * wins, *[lost(LEVEL)] * (attempts - wins))


def test_success_rates() -> None:
    low, high = wilson(3, 10)
    expected = {"rate": 0.3, "low": low, "high": high, "attempts": 10, "wins": 3}
    assert success_values(report(rate("a", 3))) == [{"who": "a", "kind": "agent", **expected}]
    two = [report(rate("a", 3)), report(rate("a", 10), name="easy")]
    assert [(value["order"], value["level"], value["rate"]) for value in difficulty_values(two)] == [
        (1, "small", 0.3),
        (2, "easy", 1.0),
    ]


def test_endings_are_shares_of_all_attempts() -> None:
    bomb = lost(LEVEL, reason=BOMB_WENT_OFF)
    page = endings_values(report(played("a", won(LEVEL), won(LEVEL), lost(LEVEL), bomb, bomb)))
    assert {value["reason"]: (value["count"], value["share"]) for value in page} == {
        "goals met": (2, 0.4),
        "moves": (1, 0.2),
        "bomb": (2, 0.4),
    }


def test_bins_hold_shares_of_an_agents_own_wins() -> None:
    """Ten wins with one or two moves left, and 40 with two: bins of a move, then where the outline ends."""
    few = played("few", *[won(LEVEL, moves_left=1)] * 4, *[won(LEVEL, moves_left=2)] * 6, lost(LEVEL))
    many = played("many", *[won(LEVEL, moves_left=2)] * 40)
    rows = [(value["agent"], value["from"], value["share"]) for value in left_values(report(few, many))]
    assert rows == [
        *(("few", 1, 0.4), ("few", 2, 0.6), ("few", 3, 0)),
        *(("many", 1, 0.0), ("many", 2, 1.0), ("many", 3, 0)),
    ]


def test_as_many_bins_as_numbers_fill() -> None:
    assert [fitting_bins(count) for count in (1, 9, 25, 100, 10_000)] == [6, 6, 10, 20, 30]


def test_goals_and_heat_of_agents_that_lost_often_enough() -> None:
    """Ten lost attempts, half of which left jelly in row 2; of four red candies one was there, or two."""
    half = [lost(LEVEL, red=red, score=1000, jelly_left=[(1, 2)] * (red == 1)) for red in (1, 2)]
    page = report(played("a", *half * 5), played("seldom", *half))
    goals = {value["goal"]: value for value in goal_values(page)}
    assert set(goals) == {"1,000 score", "4 red"}
    assert (goals["4 red"]["unmet"], goals["4 red"]["furthest"]) == (1, 1)
    assert [goals["4 red"][name] for name in ("p10", "p50", "p90")] == [0.25, 0.25, 0.5]
    ((agent, heat),) = agents_heat(page)
    assert (agent, heat.kind, heat.lost, heat.shares[1, 2], np.nansum(heat.shares)) == (
        "a",
        "jelly",
        10,
        0.5,
        0.5,
    )


def test_long_curves_keep_their_last_limit() -> None:
    """Of 251 limits every third is shown, counted from the last."""
    curve = LimitCurve("moves", 1000, np.arange(1, 252))
    values = limit_values(report(replace(rate("a", 5), curve=curve)))
    assert len(values) <= MOST_POINTS
    assert [value["limit"] for value in values][:2] == [2, 5]
    assert [value["limit"] for value in values][-1] == 251
    low, high = wilson(251, 1000)
    ends = {"low": round(low, 4), "high": round(high, 4)}
    assert values[-1] == {"agent": "a", "from": "past", "limit": 251, "rate": 0.251, **ends}


def test_the_present_limit_is_among_those_played() -> None:
    """Ten moves, with which 3 of 10 attempts were won."""
    game = played("a", *[won(LEVEL)] * 3, *[lost(LEVEL)] * 7, checks=(Check(5, 1, 20), Check(15, 9, 20)))
    assert game.checks == (Check(5, 1, 20), Check(10, 3, 10), Check(15, 9, 20))


def test_skill_is_the_strong_agents_gain_and_luck_is_never_below_nothing() -> None:
    share = Estimate(-0.03, 0.0, 0.2)
    strong = replace(rate("strong", 8), luck=Luck(50, 4, share))
    (row,) = skill_and_luck_values([report(strong, rate("weak", 3))])
    assert row["skill"] == pytest.approx(0.5)
    assert (row["luck"], row["low"], row["high"], row["agent"]) == (0, 0, 0.2, "strong")
    assert skill_and_luck_values([report(strong)]) == []


def test_agents_are_ranked_by_their_mean_over_the_levels_they_played() -> None:
    """Of three levels one agent played one alone, and won more of it than the other did on average."""
    levels = [report(rate("often", wins), name=str(wins)) for wins in (4, 5)]
    ranked = rank_agents([*levels, report(rate("once", 8), rate("often", 9))])
    assert all(one.ranking == ("often", "once") for one in ranked)
    assert ranked[2].strong.agent == "once"
    assert ranked[2].skill is not None
    assert ranked[2].skill.gain.value == pytest.approx(-0.1)
