"""Measures are given back as long as the attempts that they were computed from are there, and no longer."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from sqlalchemy import text

from levelsense.playtest import gather_levels, playtest
from levelsense.prediction import table as table_module
from levelsense.prediction.table import MEASURES_VERSION, play_table
from levelsense.store import Database, KeptMeasures, Measured, Recorder
from levelsense.store.schema import ATTEMPTS
from tests.playtest.players import CoinPlayer

LEVELS = gather_levels(["01-first-steps", "24-hourglass"])
FIRST, SECOND = (named.level.digest for named in LEVELS)
COIN, OTHER = "coin", "other coin"
SOME = Measured(7, bytes(range(16)), "jelly")


@pytest.fixture
def played(place: str) -> str:
    """A database with 20 attempts of two agents at two levels."""
    with Database(place) as database:
        agents = [CoinPlayer(0.4, COIN), CoinPlayer(0.6, OTHER)]
        playtest(LEVELS, agents, attempts=20, sink=Recorder(database))
    return place


def kept(database: Database, seed: int = 0, version: str = "1") -> KeptMeasures:
    return KeptMeasures(database, seed, version)


def read_all(measures: KeptMeasures, attempts: int = 20) -> dict[tuple[str, str], Measured]:
    return measures.read([FIRST, SECOND], [COIN, OTHER], attempts)


def test_what_was_written_is_read(played: str) -> None:
    with Database(played) as database:
        assert read_all(kept(database)) == {}
        nothing = replace(SOME, bottleneck=None)
        kept(database).write({(FIRST, COIN): SOME, (SECOND, OTHER): nothing}, 20)
    with Database(played) as database:
        assert read_all(kept(database)) == {(FIRST, COIN): SOME, (SECOND, OTHER): nothing}
        assert kept(database).read([FIRST], [COIN], 20) == {(FIRST, COIN): SOME}
        assert kept(database).read([FIRST], [OTHER], 20) == {}
        assert read_all(kept(database, seed=1)) == {}


def test_a_new_version_takes_the_place_of_the_old(played: str) -> None:
    with Database(played) as database:
        kept(database).write({(FIRST, COIN): SOME}, 20)
        assert read_all(kept(database, version="2")) == {}
        newer = replace(SOME, wins=8)
        kept(database, version="2").write({(FIRST, COIN): newer}, 20)
        assert read_all(kept(database, version="2")) == {(FIRST, COIN): newer}
        assert read_all(kept(database)) == {}


def test_more_attempts_are_other_measures(played: str) -> None:
    with Database(played) as database:
        kept(database).write({(FIRST, COIN): SOME}, 20)
        playtest(LEVELS, [CoinPlayer(0.4, COIN)], attempts=30, sink=Recorder(database))
        assert read_all(kept(database)) == {(FIRST, COIN): SOME}
        assert read_all(kept(database), 30) == {}


@pytest.mark.parametrize("change", ["DELETE FROM attempts", "UPDATE attempts SET checksum = checksum + 1"])
def test_attempts_that_were_removed_or_changed_are_measured_anew(played: str, change: str) -> None:
    with Database(played) as database:
        kept(database).write({(FIRST, COIN): SOME, (SECOND, COIN): SOME}, 20)
        with database.writing() as connection:
            where = f"WHERE level = '{FIRST}' AND agent = 'coin' AND attempt = 3"
            connection.execute(text(f"{change} {where}"))
        assert read_all(kept(database)) == {(SECOND, COIN): SOME}


def test_attempts_that_are_not_all_there_are_not_kept(played: str) -> None:
    with Database(played) as database:
        with database.writing() as connection:
            connection.execute(ATTEMPTS.delete().where(ATTEMPTS.c.level == FIRST, ATTEMPTS.c.attempt == 19))
        kept(database).write({(FIRST, COIN): SOME, (SECOND, COIN): SOME}, 20)
        assert read_all(kept(database)) == {(SECOND, COIN): SOME}


@pytest.mark.parametrize("damage", ["wins = 8", "figures = x'00'", "wins = 'seven'", "bottleneck = NULL"])
def test_damaged_measures_are_left_out(sqlite: str, damage: str) -> None:
    with Database(sqlite) as database:
        playtest(LEVELS, [CoinPlayer(0.4, COIN)], attempts=20, sink=Recorder(database))
        kept(database).write({(FIRST, COIN): SOME, (SECOND, COIN): SOME}, 20)
    with closing(sqlite3.connect(sqlite)) as connection, connection:
        connection.execute(f"UPDATE measures SET {damage} WHERE level = ?", (FIRST,))
    with Database(sqlite) as database:
        assert read_all(kept(database)) == {(SECOND, COIN): SOME}


def test_a_table_is_the_same_from_attempts_and_from_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And then nothing is played or read: a level whose attempts changed is, and its agents alone."""
    agents = {"random": 30, "first": 20}
    plain = play_table(LEVELS, agents, seed=5)
    with Database(tmp_path / "a.db") as database:
        measures = KeptMeasures(database, 5, MEASURES_VERSION)

        def table() -> pl.DataFrame:
            return play_table(LEVELS, agents, 5, sink=lambda: Recorder(database), kept=measures)

        assert plain.equals(table())
        asked: list[tuple[list[str], list[str]]] = []

        def watch(levels, specs, *rest, **more):
            asked.append(([named.name for named in levels], list(specs)))
            return playtest(levels, specs, *rest, **more)

        monkeypatch.setattr(table_module, "playtest", watch)
        assert plain.equals(table())
        assert asked == []
        with database.writing() as connection:
            connection.execute(
                ATTEMPTS.delete().where(ATTEMPTS.c.level == SECOND, ATTEMPTS.c.agent == "random")
            )
        assert plain.equals(table())
        assert asked == [(["24-hourglass"], ["random"])]
        assert plain.equals(table())
        assert len(asked) == 1
