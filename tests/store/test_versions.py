"""Versions of a level: levels of one name, by when they were first played."""

from pathlib import Path

import pytest
from sqlalchemy import update

from levelsense import Lab, Level
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.limits import with_limit
from levelsense.store import Database
from levelsense.store.schema import RUNS
from levelsense.store.versions import versions

SMALL = Level.load("17-pocket-board")


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A database with three versions of `mine`, played a day apart, and one version of `other`."""
    path = tmp_path / "v.db"
    lab = Lab(path)
    for limit in (14, 11, 12):
        lab.playtest(NamedLevel(with_limit(SMALL, limit), ("mine",)), ["first"], 2)
    lab.playtest(NamedLevel(Level.load("01-first-steps"), ("other",)), ["first"], 2)
    with Database(path) as database, database.writing() as connection:
        for run, day in ((1, 3), (2, 1), (3, 2)):
            moment = f"2026-01-0{day}T10:00:00+00:00"
            connection.execute(update(RUNS).where(RUNS.c.run == run).values(started=moment))
    return path


def test_versions_are_told_apart_by_time_and_change(played: Path) -> None:
    with Database(played) as database:
        by_digest = versions(database)
    by_limit = {limit: by_digest[with_limit(SMALL, limit).digest] for limit in (11, 12, 14)}
    assert {limit: version.words for limit, version in by_limit.items()} == {
        11: "1 of 3, 2026-01-01 10:00",
        12: "2 of 3, 2026-01-02 10:00, 1 move more",
        14: "3 of 3, 2026-01-03 10:00, 2 moves more",
    }
    assert len(by_digest) == 3  # `other` has one version only
