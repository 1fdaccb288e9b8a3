"""From a playtest to its report."""

from dataclasses import replace
from typing import Any

import numpy as np

from levelsense.agents.registry import parse_agent
from levelsense.level.level import Level
from levelsense.playtest import playtest
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.figures import (
    LEAD,
    LevelFigures,
    agents_of,
    level_figures,
    play_extra,
    play_seeds,
    played_from,
    rank_agents,
)
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.limits import with_limit
from levelsense.playtest.plan import AgentLike, Pair, attempt_seeds
from levelsense.store import Database, Recorder, attempts
from tests.playtest.drawn_attempts import lost, records_of, small_level, won
from tests.report.reports import AGENTS, all_reports, report_of


def test_a_playtest_becomes_a_report() -> None:
    result = playtest(["04-jelly-garden", "27-clockwork"], ["random", "greedy"], attempts=45)
    notes: list[str] = []
    jelly, clock = level_figures(result, note=notes.append)
    assert (jelly.name, clock.name) == ("04-jelly-garden", "27-clockwork")
    assert [played.agent for played in clock.played] == ["random", "greedy"]
    assert [played.statistics.attempts for played in clock.played] == [45, 45]
    assert clock.played[0].curve is not None
    assert clock.played[0].curve.longest == 40
    assert clock.played[0].luck is not None
    assert len(notes) == 4


def test_too_few_attempts_for_luck() -> None:
    (report,) = level_figures(playtest(["04-jelly-garden"], ["random"], attempts=10))
    assert report.played[0].luck is None
    assert report.skill is None


def test_weak_and_strong_by_all_levels() -> None:
    """A greedy agent does better on the whole; where it did worse it would be the strong one all the same."""
    report = report_of("30-grand-tour")
    random, greedy = report.played
    swapped = (replace(random, agent="greedy"), replace(greedy, agent="random"))
    odd = LevelFigures("odd", report.level, swapped)
    assert odd.strong.agent == "random"
    ranked = rank_agents([odd, *all_reports()])[0]
    assert (ranked.weak.agent, ranked.strong.agent) == ("random", "greedy")
    assert ranked.skill is not None
    assert ranked.skill.gain.value is not None
    assert ranked.skill.gain.value < 0


def test_the_order_of_agents_changes_nothing() -> None:
    report = report_of("30-grand-tour")
    turned = LevelFigures(report.name, report.level, report.played[::-1])
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
            assert played.curve is not None
            assert played.curve.at(limit)[0] == played.statistics.success.value
            assert played.checks == ()


class Watcher:
    """An agent that wins at its eighth move; sooner if it has at most `short`, and never above `long`."""

    spec = "watcher"

    def __init__(self, short: int = 0, long: int = 999) -> None:
        self.short, self.long = short, long
        self.limits: list[int] = []

    def attempts(self, level: Level, seeds: Any) -> Any:
        moves = level.moves or 0
        self.limits += [moves] * len(seeds)
        needed = 1 if moves <= self.short else 8
        is_won = needed <= moves <= self.long
        row = won(level, moves_made=needed) if is_won else lost(level, moves_made=moves)
        return records_of(*[row] * len(seeds))


def pair_of(level: Level, agent: AgentLike) -> Pair:
    return Pair(NamedLevel(level, (level.name,)), agent, 0)


def test_what_is_played_with_other_limits_is_kept() -> None:
    """By its own seeds, as a playtest of the level with that limit would: it finds these attempts, too."""
    level, agent = small_level(moves=10), Watcher(short=5, long=10)
    with Database(":memory:") as database:
        result = playtest([level], [agent], attempts=30, sink=Recorder(database))
        first, again = (level_figures(result, 1, sinks=lambda: Recorder(database)) for _ in range(2))
        assert first[0].played[0].checks == again[0].played[0].checks
        assert {limit: agent.limits.count(limit) for limit in (1, 2, 5, 8, 15)} == dict.fromkeys(
            (1, 2, 5, 8, 15), 30
        )
        kept = playtest([with_limit(level, 5)], [agent], attempts=30, sink=Recorder(database))
        assert agent.limits.count(5) == 30
        assert kept.pairs[0].wins == 30
        names = set(attempts(database)["name"])
        assert names == {"small", *(f"small with {limit} moves" for limit in (1, 2, 8, 15))}


def test_who_watches_the_limit_plays_several() -> None:
    """Attempts past the limit tell nothing about it: with them the rate would be 0 at every limit."""
    level, agent = small_level(moves=10), Watcher(short=5, long=10)
    at_limit = Attempts.from_records(level, 0, agent.attempts(level, np.zeros((50, 2), np.uint64)))
    agent.limits.clear()
    played = played_from(agent.spec, at_limit, play_extra(pair_of(level, agent), at_limit, 1))
    assert played.curve is None
    assert [(check.limit, check.wins, check.attempts) for check in played.checks] == [
        (1, 50, 50), (2, 50, 50), (5, 50, 50), (8, 50, 50), (10, 50, 50), (15, 0, 50),
    ]  # fmt: skip
    assert agent.limits.count(16) == LEAD  # no more past the limit than it takes to see it
    assert agent.limits.count(10) == 48  # for luck alone


def test_who_watches_the_last_moves_only() -> None:
    """It does past the limit as with it; the limit where it mostly wins, eight, shows the difference."""
    level = small_level(moves=10)
    for agent, expected in ((Watcher(short=8), True), (Watcher(), False)):
        at_limit = Attempts.from_records(level, 0, agent.attempts(level, np.zeros((30, 2), np.uint64)))
        assert bool(play_extra(pair_of(level, agent), at_limit, 1).checks) is expected


def test_a_search_agents_rates_are_those_of_playing_with_the_limit() -> None:
    """With one move left it wins a board in twenty; most of what it wins with fifteen takes few moves."""
    level, agent = Level.load("04-jelly-garden"), parse_agent("mcts:simulations=20")
    at_limit = play_seeds(agent, level, attempt_seeds(level.digest, agent.spec, 0, 0, 60))
    played = played_from(agent.spec, at_limit, play_extra(pair_of(level, agent), at_limit))
    shortest = played.checks[0]
    changed = with_limit(level, shortest.limit)
    truth = play_seeds(agent, changed, attempt_seeds(changed.digest, agent.spec, 1, 0, 200))
    assert shortest.limit <= 2
    assert shortest.success.low <= truth.won.mean() <= (shortest.success.high or 0)
    assert played.curve is None


def test_agents_of_all_levels() -> None:
    assert agents_of(all_reports()) == list(AGENTS)
