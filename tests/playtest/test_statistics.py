"""All figures together, from hand-written attempts and from played ones."""

import json

import numpy as np
import polars as pl
import pytest

from levelsense.agents.registry import parse_agent
from levelsense.errors import PlaytestError
from levelsense.game.state import BOMB_WENT_OFF
from levelsense.level.level import Level
from levelsense.playtest import playtest
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.plan import attempt_seeds
from levelsense.playtest.statistics import level_statistics
from levelsense.playtest.words import as_data
from levelsense.store import Database, Recorder
from tests.playtest.drawn_attempts import attempts_at, lost, small_level, won

LEVEL = small_level()


def test_by_hand() -> None:
    attempts = attempts_at(
        LEVEL,
        won(LEVEL, moves_made=4, moves_left=6, legal_moves=40, score=1200),
        won(LEVEL, moves_made=8, moves_left=2, legal_moves=40, score=1000),
        lost(LEVEL, moves_made=10, legal_moves=20, score=950, shuffles=2, jelly_left=[(1, 1)]),
        lost(LEVEL, moves_made=3, score=100, reason=BOMB_WENT_OFF),
    )
    statistics = level_statistics(attempts)
    assert (statistics.attempts, statistics.wins, statistics.lost) == (4, 2, 2)
    assert statistics.success.value == 0.5
    assert statistics.left is not None
    assert (statistics.left.mean, statistics.left.median) == (4.0, 2.0)
    assert statistics.endings == {"goals met": 2, "moves": 1, "bomb": 1}
    assert statistics.near_misses.value == 0.5
    assert statistics.bottleneck == "score"
    assert (statistics.shuffles.mean, statistics.shuffles.attempts) == (0.5, 0.25)
    assert statistics.score is not None
    assert statistics.score.median == 1000
    assert statistics.stars is None
    assert [heat.kind for heat in statistics.heat] == ["jelly"]
    assert statistics.legal_moves == 100 / 25
    assert statistics.curve.wins.tolist() == [0, 0, 0, 1, 1, 1, 1, 2, 2, 2]


def test_seconds_left() -> None:
    level = small_level(moves=None, seconds=20)
    statistics = level_statistics(attempts_at(level, won(level, time_left=2500, least_time=5000)))
    assert statistics.unit == "seconds"
    assert statistics.left is not None
    assert statistics.left.median == 2.5


def test_no_time_left_is_none_and_not_less() -> None:
    """A cascade of the winning move may outlast the clock."""
    level = small_level(moves=None, seconds=20)
    statistics = level_statistics(attempts_at(level, won(level, time_left=-700), won(level, time_left=3000)))
    assert statistics.left is not None
    assert statistics.left.mean == 1.5


def test_shares_of_lost_attempts_are_of_these_alone() -> None:
    """Of four lost attempts one was a near miss and one a piece short; six were won."""
    level = small_level(goals={"score": 1000, "orders": {"red": 4}})
    done = ((950, 4), (1000, 3), (0, 0), (0, 0))
    failures = [lost(level, score=score, red=red) for score, red in done]
    statistics = level_statistics(attempts_at(level, *[won(level)] * 6, *failures))
    assert (statistics.near_misses.value, statistics.one_short.value) == (0.25, 0.25)


def test_time_recalled_is_no_more_than_the_limit() -> None:
    """Won by the first move, with time candies: 19.8 s left of 20 s, which were 20 s before the move."""
    level = small_level(moves=None, seconds=20)
    frame = attempts_at(level, won(level, time_left=19_800, moves_made=1)).frame
    recalled = Attempts.from_frame(level, frame.with_columns(least_time=pl.lit(None, pl.Float64)))
    assert recalled.least_time.tolist() == [20_000]
    assert level_statistics(recalled).curve.wins[0] == 1


def test_nothing_played() -> None:
    with pytest.raises(PlaytestError, match="no attempts"):
        level_statistics(attempts_at(LEVEL))


def test_all_lost_and_all_won() -> None:
    nothing = level_statistics(attempts_at(LEVEL, lost(LEVEL), lost(LEVEL)))
    assert (nothing.wins, nothing.left, nothing.score) == (0, None, None)
    everything = level_statistics(attempts_at(LEVEL, won(LEVEL)))
    assert (everything.near_misses.value, everything.bottleneck, everything.goals) == (None, None, ())


@pytest.mark.parametrize("name", ["18-fruit-and-nut", "27-clockwork", "30-grand-tour"])
def test_stored_attempts_tell_the_same(name: str) -> None:
    """From what a database keeps come the same figures as from the attempts themselves, to the last bit."""
    (pair,) = playtest([name], ["random"], attempts=60).pairs
    with Database(":memory:") as database:
        (stored,) = playtest([name], ["random"], attempts=60, sink=Recorder(database)).pairs
    assert as_data(level_statistics(stored.played)) == as_data(level_statistics(pair.played))


def test_as_data_is_json() -> None:
    level = Level.load("27-clockwork")
    records = parse_agent("random").attempts(level, attempt_seeds(level.digest, "random", 0, 0, 40))
    statistics = level_statistics(Attempts.from_records(level, 0, records))
    data = json.loads(json.dumps(as_data(statistics), allow_nan=False))
    assert data["attempts"] == 40
    assert set(data["success"]) == {"value", "low", "high"}
    heat = data["heat"][0]["shares"]
    assert np.shape(heat) == (level.rows, level.columns)
    assert heat[0][0] is None
