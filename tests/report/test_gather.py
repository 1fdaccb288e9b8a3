"""From a playtest to its report."""

from dataclasses import replace

import numpy as np

from levelsense.agents.attempt import ATTEMPT_DTYPE
from levelsense.game.state import LOST
from levelsense.playtest import playtest
from levelsense.playtest.limits import past_limit
from levelsense.report.gather import LevelReport, agents_of, gather_report, played_from, rank_agents
from tests.report.reports import AGENTS, all_reports, report_of


def test_a_playtest_becomes_a_report() -> None:
    result = playtest(["04-jelly-garden", "27-clockwork"], ["random", "greedy"], attempts=45)
    told: list[str] = []
    jelly, clock = gather_report(result, tell=told.append)
    assert (jelly.name, clock.name) == ("04-jelly-garden", "27-clockwork")
    assert [played.agent for played in clock.played] == ["random", "greedy"]
    assert [played.statistics.attempts for played in clock.played] == [45, 45]
    assert clock.played[0].curve.longest == 40
    assert clock.played[0].luck is not None
    assert len(told) == 4


def test_too_few_attempts_for_luck() -> None:
    (report,) = gather_report(playtest(["04-jelly-garden"], ["random"], attempts=10))
    assert report.played[0].luck is None
    assert report.skill is None


def test_weak_and_strong_by_all_levels() -> None:
    """A greedy agent does better on the whole; where it did worse it would be the strong one all the same."""
    report = report_of("30-grand-tour")
    random, greedy = report.played
    swapped = (replace(random, agent="greedy"), replace(greedy, agent="random"))
    odd = LevelReport("odd", report.level, swapped)
    assert odd.strong.agent == "random"
    ranked = rank_agents([odd, *all_reports()])[0]
    assert (ranked.weak.agent, ranked.strong.agent) == ("random", "greedy")
    assert ranked.skill is not None
    assert ranked.skill.gain.value is not None
    assert ranked.skill.gain.value < 0


def test_the_order_of_agents_changes_nothing() -> None:
    report = report_of("30-grand-tour")
    turned = LevelReport(report.name, report.level, report.played[::-1])
    for one in (report, turned):
        assert (one.weak.agent, one.strong.agent) == ("random", "greedy")
        assert one.skill is not None
        assert one.skill.gain.value is not None
        assert one.skill.gain.value > 0


def test_luck_of_the_strongest_agent_that_has_any() -> None:
    lucky = report_of("27-clockwork").lucky
    assert lucky is not None
    assert lucky.luck is not None
    assert lucky.luck.share is not None


def test_a_curve_passes_through_the_success_rate() -> None:
    for report in all_reports():
        limit = int(report.level.moves or report.level.seconds or 0)
        for played in report.played:
            assert played.curve.at(limit)[0] == played.statistics.success.value
            assert not played.rough


def test_agents_that_watch_the_limit_have_rough_curves() -> None:
    """Attempts past the limit that were all lost, though most were won with it."""
    level = report_of("04-jelly-garden").level
    played = report_of("04-jelly-garden").played[1]
    lost = np.zeros(60, ATTEMPT_DTYPE)
    lost["status"] = LOST
    rough = played_from(level, "greedy", played.rows, (past_limit(level, 23), lost))
    assert rough.rough
    assert rough.curve.at(15)[0] == played.statistics.success.value


def test_agents_of_all_levels() -> None:
    assert agents_of(all_reports()) == list(AGENTS)
