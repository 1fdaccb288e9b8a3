"""What agents' kernels write comes back from a database to the last bit, whatever it is."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from levelsense.agents.attempt import ATTEMPT_DTYPE, AttemptRecords
from levelsense.game.state import COUNT_NAMES, GOALS_MET, LOST, OUT_OF_MOVES, WON
from levelsense.level.level import Level
from levelsense.playtest import NamedLevel, Pair
from levelsense.playtest.attempts import ROW_SCHEMA, Attempts
from levelsense.playtest.plan import Extent
from levelsense.store import Database, Recorder
from levelsense.store.verify import verify
from tests.playtest.drawn_attempts import small_level
from tests.playtest.players import CoinPlayer

GOALS = {"score": 1000, "orders": {"red": 20, "color bomb": 2}}
MOVES = small_level(goals=GOALS, stars=[1000, 2000, 3000])
SECONDS = small_level(goals=GOALS, moves=None, seconds=20.5)
MOST_COUNT = 2**31 - 1
# In milliseconds: most are no binary fraction of a second.
TIME = st.integers(-(2**31), 2**31 - 1)


@st.composite
def records(draw: st.DrawFn) -> AttemptRecords:
    """Attempts that no game would give, but their record holds."""
    rows = np.zeros(draw(st.integers(1, 6)), ATTEMPT_DTYPE)
    for row in rows:
        row["status"], row["reason"] = draw(st.sampled_from([(WON, GOALS_MET), (LOST, OUT_OF_MOVES)]))
        row["score"] = draw(st.integers(0, 10**18 - 1))
        row["legal_moves"] = draw(st.integers(0, 2**40))
        row["time_left"], row["least_time"] = draw(TIME), draw(TIME)
        row["count"] = draw(
            st.lists(st.integers(0, MOST_COUNT), min_size=len(COUNT_NAMES), max_size=len(COUNT_NAMES))
        )
        for name in ("moves_made", "moves_left", "shuffles", "longest_cascade"):
            row[name] = draw(st.integers(0, 2**15 - 1))
        for name in ("jelly_left", "blocker_left", "ingredient_left"):
            cells = draw(st.sets(st.integers(0, row[name].size - 1), max_size=5))
            row[name][list(cells)] = draw(st.integers(1, 5))
    return rows


def stored_and_read(place: str, pair: Pair, attempts: Attempts) -> Attempts:
    with Database(place) as database:
        recorder = Recorder(database)
        recorder.begin([pair], Extent(len(attempts)))
        recorder.save([(pair, attempts)])
        damage: list[str] = []
        verify(database, 0, on_damage=damage.append)
        assert damage == []
        return recorder.attempts(pair, len(attempts))


@pytest.mark.parametrize("level", [MOVES, SECONDS], ids=["moves", "seconds"])
@given(written=records())
@settings(max_examples=60, deadline=None)
def test_a_table_comes_back_as_it_was(level: Level, written: AttemptRecords) -> None:
    attempts = Attempts.from_records(level, 0, written)
    read = stored_and_read(":memory:", Pair(NamedLevel(level, ("drawn",)), CoinPlayer(), 0), attempts)
    assert read.frame.schema == attempts.frame.schema
    assert read.frame.equals(attempts.frame)
    check_columns(read, written)


def check_columns(attempts: Attempts, written: AttemptRecords) -> None:
    """What figures are computed from is what the kernels wrote."""
    counts = {name: written["count"][:, k] for k, name in enumerate(COUNT_NAMES)} | {
        "score": written["score"]
    }
    is_lost = written["status"] == LOST
    expected: dict[str, tuple[Any, Any]] = {
        "won": (attempts.won, ~is_lost),
        "score": (attempts.score, written["score"]),
        "moves_made": (attempts.moves_made, written["moves_made"]),
        "shuffles": (attempts.shuffles, written["shuffles"]),
        "legal_moves": (attempts.legal_moves, np.where(written["moves_made"], written["legal_moves"], 0)),
        "goal_counts": (
            attempts.goal_counts,
            np.stack([counts[name] for name in attempts.level.asked], axis=1),
        ),
        "left_jelly": (attempts.boards_left("left_jelly"), written["jelly_left"][is_lost] != 0),
    }
    if attempts.level.seconds is None:
        expected["limit_left"] = attempts.limit_left, written["moves_left"]
    else:
        expected["limit_left"] = attempts.limit_left, np.maximum(written["time_left"], 0) / 1000
        expected["least_time"] = attempts.least_time, written["least_time"]
    for name, (column, value) in expected.items():
        np.testing.assert_array_equal(column, value, name)


@given(written=records())
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_postgresql_keeps_every_bit_too(postgres: str, written: AttemptRecords) -> None:
    attempts = Attempts.from_records(SECONDS, 0, written)
    # A seed of its own for each example, all of them in one database.
    pair = Pair(NamedLevel(SECONDS, ("drawn",)), CoinPlayer(), int(written["score"][0]))
    read = stored_and_read(postgres, pair, attempts)
    assert read.frame.head(len(attempts)).equals(attempts.frame)


def test_each_column_is_stored() -> None:
    """Or the tests above would compare columns of nulls."""
    rows = np.zeros(1, ATTEMPT_DTYPE)
    rows["status"], rows["reason"], rows["moves_made"] = LOST, OUT_OF_MOVES, 1
    for level, null in ((MOVES, {"time_left", "least_time"}), (SECONDS, {"moves_left"})):
        frame = Attempts.from_records(level, 0, rows).frame
        assert {name for name in ROW_SCHEMA if frame[name].null_count()} == null
