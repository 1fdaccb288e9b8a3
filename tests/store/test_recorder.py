"""What is stored: everything, once, and the same when it is read again."""

import json
from collections.abc import Sequence

import polars as pl
import pytest
from sqlalchemy import func, select

from levelsense.errors import StoreError
from levelsense.level.level import Level
from levelsense.playtest import NamedLevel, Pair, PairProgress, gather_levels, playtest
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.plan import Extent
from levelsense.playtest.statistics import level_statistics
from levelsense.store import Database, Recorder, Selection, attempts, runs, stored_level
from levelsense.store.schema import ATTEMPTS, LEVELS
from tests.playtest.players import CoinPlayer
from tests.store.test_people import load_older
from tests.store.test_verify import OLDER_RULES

# With moves and with seconds, so that every column is null somewhere and filled elsewhere.
LEVELS_PLAYED = ("01-first-steps", "11-beat-the-clock", "45-last-stand")


def test_what_is_read_is_what_was_written(place: str) -> None:
    with Database(place) as database:
        result = playtest(LEVELS_PLAYED, ["random"], attempts=40, sink=Recorder(database))
        assert attempts(database).equals(result.attempts)
    with Database(place) as database:
        again = attempts(database)
    assert again.equals(result.attempts)
    assert [name for name in again.columns if again[name].null_count() == again.height] == []


def test_a_second_run_plays_only_what_is_missing(place: str) -> None:
    expected = playtest(LEVELS_PLAYED[:1], [CoinPlayer()], attempts=300).attempts
    with Database(place) as database:
        playtest(LEVELS_PLAYED[:1], [CoinPlayer()], attempts=120, sink=Recorder(database))
        player = CoinPlayer()
        result = playtest(LEVELS_PLAYED[:1], [player], attempts=300, sink=Recorder(database))
        assert player.played == 180
        assert result.attempts.equals(expected)
        assert attempts(database).equals(expected)


def test_seeds_and_agents_are_kept_apart(place: str) -> None:
    with Database(place) as database:
        for seed, spec in ((0, "a"), (0, "b"), (7, "a")):
            playtest(
                LEVELS_PLAYED[:1], [CoinPlayer(spec=spec)], attempts=10, seed=seed, sink=Recorder(database)
            )
        table = attempts(database)
    assert table.group_by("agent", "seed").len().sort("agent", "seed").rows() == [
        ("a", 0, 10),
        ("a", 7, 10),
        ("b", 0, 10),
    ]


def test_rows_that_are_there_stay_and_are_not_counted_twice(place: str) -> None:
    rows = playtest(LEVELS_PLAYED[:1], [CoinPlayer()], attempts=30).pairs[0].played.frame
    pair = Pair(gather_levels(LEVELS_PLAYED[:1])[0], CoinPlayer(), 0)
    with Database(place) as database:
        recorder = Recorder(database)
        recorder.begin([pair], Extent(30))
        recorder.save([(pair, Attempts(pair.level, rows.head(20)))])
        others = rows.tail(20).with_columns(score=pl.lit(-1, pl.Int64))
        recorder.save([(pair, Attempts(pair.level, others))])
        stored = recorder.attempts(pair, 1000).frame
    assert stored["attempt"].to_list() == list(range(30))
    assert stored.head(20).equals(rows.head(20))
    assert set(stored.tail(10)["score"]) == {-1}


def test_attempts_beyond_a_limit_are_not_read(place: str) -> None:
    with Database(place) as database:
        result = playtest(LEVELS_PLAYED[:1], [CoinPlayer()], attempts=30, sink=Recorder(database))
        pair = result.pairs[0].pair
        assert Recorder(database).attempts(pair, 12).frame.equals(result.pairs[0].played.head(12).frame)
        assert len(Recorder(database).attempts(Pair(pair.named, pair.agent, 99), 12)) == 0


def test_a_batch_is_stored_whole_or_not_at_all(place: str) -> None:
    rows = playtest(LEVELS_PLAYED[:1], [CoinPlayer()], attempts=30).pairs[0].played.frame
    pair = Pair(gather_levels(LEVELS_PLAYED[:1])[0], CoinPlayer(), 0)
    broken = rows.with_columns(reason=pl.when(pl.col("attempt") == 29).then(None).otherwise("reason"))
    with Database(place) as database:
        recorder = Recorder(database)
        recorder.begin([pair], Extent(30))
        with pytest.raises(StoreError):
            recorder.save([(pair, Attempts(pair.level, broken))])
        assert len(recorder.attempts(pair, 1000)) == 0


def test_attempts_are_in_the_database_while_the_run_goes_on(place: str) -> None:
    counts: list[int] = []
    with Database(place) as database, Database(place) as onlooker:

        def look(progress: Sequence[PairProgress]) -> None:
            with onlooker.reading() as connection:
                counts.append(connection.execute(select(func.count()).select_from(ATTEMPTS)).scalar_one())
            assert counts[-1] == sum(pair.done for pair in progress)

        playtest(
            LEVELS_PLAYED[:1],
            [CoinPlayer(seconds=0.01)],
            attempts=60,
            batch=5,
            threads=2,
            sink=Recorder(database),
            progress=look,
        )
    assert len(set(counts)) > 2
    assert counts[-1] == 60


# Levels and runs


def test_the_level_itself_is_kept(place: str) -> None:
    level = Level.load("30-grand-tour")
    with Database(place) as database:
        playtest([level], [CoinPlayer()], attempts=1, sink=Recorder(database))
        assert stored_level(database, level.digest) == level
        with pytest.raises(StoreError, match="no level with digest 00"):
            stored_level(database, "00")


def test_a_level_goes_by_its_latest_name(place: str) -> None:
    level = Level.load("30-grand-tour")
    with Database(place) as database:
        for name in ("draft", "final"):
            playtest([NamedLevel(level, (name,))], [CoinPlayer()], attempts=1, sink=Recorder(database))
        with database.reading() as connection:
            assert connection.execute(select(LEVELS.c.name)).scalars().all() == ["final"]


def test_runs_are_noted(place: str) -> None:
    with Database(place) as database:
        for seed in (3, 4):
            recorder = Recorder(database, f"levelsense playtest --seed {seed}")
            playtest(LEVELS_PLAYED[:2], [CoinPlayer()], attempts=20, precision=0.1, seed=seed, sink=recorder)
        first, second = runs(database)
    assert (first.run, second.run, recorder.run) == (1, 2, 2)
    assert (first.seed, first.attempts, first.precision, first.ceiling) == (3, 20, 0.1, 10_000)
    assert (first.levels, first.agents, first.command) == (2, 1, "levelsense playtest --seed 3")
    assert first.finished is not None
    assert first.started <= first.finished
    assert set(json.loads(first.versions)) == {"levelsense", "numba", "numpy", "python"}


def test_a_run_of_the_third_schema_goes_on(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it stored is not played again; its short time limits are estimated, those of new rows exact."""
    load_older(sqlite, 3)
    monkeypatch.setattr("levelsense.playtest.plan.RULES_VERSION", OLDER_RULES)
    player = CoinPlayer(spec="random")
    with Database(sqlite) as database:
        (digest,) = set(attempts(database, Selection(("27-clockwork",)))["level"])
        named = NamedLevel(stored_level(database, digest), ("27-clockwork",))
        (pair,) = playtest([named], [player], attempts=8, seed=3, sink=Recorder(database)).pairs
    assert player.played == 2
    assert pair.played.frame["least_time"].is_null().to_list() == [True] * 6 + [False] * 2
    assert pair.played.least_time[5] == 26_000  # 30 s were left in the end, but 26 s at first
    assert pair.played.least_time[6:].tolist() == [0, 0]
    assert level_statistics(pair.played).attempts == 8
