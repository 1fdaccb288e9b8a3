"""Extra attempts: by their seeds alone, whatever the threads."""

import numpy as np

from levelsense.agents.registry import parse_agent
from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.figures import play_for_luck, play_past_limit, play_seeds
from levelsense.playtest.limits import limit_curve
from levelsense.playtest.plan import attempt_seeds
from levelsense.playtest.statistics import level_statistics

LEVEL = Level.load("04-jelly-garden")
AGENT = parse_agent("random")


def test_threads_change_nothing() -> None:
    seeds = attempt_seeds(LEVEL.digest, "random", 0, 0, 37)
    expected = Attempts.from_records(LEVEL, 0, AGENT.attempts(LEVEL, seeds)).frame
    for threads in (1, 2, 5):
        assert play_seeds(AGENT, LEVEL, seeds, threads).frame.equals(expected)


def test_a_single_attempt() -> None:
    assert len(play_seeds(AGENT, LEVEL, attempt_seeds(LEVEL.digest, "random", 0, 0, 1))) == 1


def test_past_the_limit_by_the_seeds_of_the_playtest() -> None:
    """So that the curve passes through the success rate of the playtest itself."""
    past = play_past_limit(AGENT, LEVEL, 60, seed=4)
    assert past.level.moves == 23
    played = play_seeds(AGENT, LEVEL, attempt_seeds(LEVEL.digest, "random", 4, 0, 60))
    assert limit_curve(past).wins[14] == level_statistics(played).wins


def test_boards_for_luck() -> None:
    attempts = play_for_luck(AGENT, LEVEL, 90, seed=0)
    assert len(attempts) == 88
    assert len(play_for_luck(AGENT, LEVEL, 10_000, seed=0)) == 200
    assert len(np.unique(attempts.score)) > 40
