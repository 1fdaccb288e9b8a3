"""Opening a database: made when new, refused with a sentence when it is not ours."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, inspect, select, text, update

from levelsense.errors import StoreError
from levelsense.playtest import Pair, gather_levels
from levelsense.playtest.plan import Extent
from levelsense.store import Database, Recorder, runs
from levelsense.store.address import shown_name
from levelsense.store.schema import METADATA, SCHEMA, SCHEMA_VERSION
from tests.playtest.players import CoinPlayer


def complaint(place: str | Path, *, make: bool = True) -> str:
    with pytest.raises(StoreError) as caught:
        Database(place, make=make)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def test_a_new_database_has_the_tables(place: str) -> None:
    with Database(place) as database, database.reading() as connection:
        assert set(inspect(connection).get_table_names()) == set(METADATA.tables)
        assert connection.execute(select(SCHEMA.c.version)).scalar() == SCHEMA_VERSION


def test_a_database_is_opened_again(place: str) -> None:
    for make in (True, True, False):
        with Database(place, make=make) as database:
            assert runs(database) == []


def test_several_can_make_it_at_once(place: str) -> None:
    def use(_: int) -> int:
        with Database(place) as database:
            return len(runs(database))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(use, range(16))) == [0] * 16


def test_a_newer_schema_is_refused(place: str) -> None:
    with Database(place) as database, database.writing() as connection:
        connection.execute(update(SCHEMA).values(version=SCHEMA_VERSION + 1))
    assert complaint(place).endswith(
        f"written by a newer levelsense (schema {SCHEMA_VERSION + 1}); this one reads schema {SCHEMA_VERSION}"
    )


@pytest.mark.parametrize(
    ("versions", "sentence"), [((), "nothing"), ((0,), "0"), ((-3,), "-3"), ((1, 2), "1, 2")]
)
def test_a_damaged_version_is_refused_and_untouched(
    place: str, versions: tuple[int, ...], sentence: str
) -> None:
    with Database(place) as database, database.writing() as connection:
        connection.execute(delete(SCHEMA))
        for version in versions:
            connection.execute(insert(SCHEMA).values(version=version))
    assert complaint(place).endswith(
        f": a damaged database: table levelsense_schema says {sentence}; expected one version "
        f"from 1 to {SCHEMA_VERSION}"
    )


def test_another_programs_database_is_refused_and_untouched(sqlite: str) -> None:
    with sqlite3.connect(sqlite) as connection:
        connection.execute("CREATE TABLE bookmarks (address TEXT)")
    connection.close()
    before = Path(sqlite).read_bytes()
    assert "another program's database, with tables bookmarks" in complaint(sqlite)
    assert Path(sqlite).read_bytes() == before


def fail_in_the_middle(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(update(SCHEMA).values(version=77))
        raise ZeroDivisionError


def test_a_block_that_fails_changes_nothing(place: str) -> None:
    with Database(place) as database:
        with pytest.raises(ZeroDivisionError):
            fail_in_the_middle(database)
        with database.reading() as connection:
            assert connection.execute(select(SCHEMA.c.version)).scalar() == SCHEMA_VERSION


# SQLite


def test_the_journal_is_written_ahead_and_to_the_disk(sqlite: str) -> None:
    with Database(sqlite) as database, database.reading() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2
    assert sorted(path.name for path in Path(sqlite).parent.iterdir()) == ["attempts.db"]


def test_files_that_are_no_database(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database, but long enough to be looked at " * 20)
    assert complaint(tmp_path / "notes.txt") == f"{tmp_path}/notes.txt: file is not a database"
    assert complaint(tmp_path) == f"{tmp_path}: a folder; expected a database file"
    assert complaint(tmp_path / "no" / "x.db") == (
        f"{tmp_path}/no/x.db: cannot be made: there is no folder {tmp_path}/no"
    )


def test_a_file_that_is_missing_is_made_only_if_asked(tmp_path: Path) -> None:
    made_by = (
        "`levelsense playtest` makes one with agents' attempts, "
        "`levelsense players import` with people's results"
    )
    assert complaint(tmp_path / "x.db", make=False) == f"{tmp_path}/x.db: no such database; {made_by}"
    assert not (tmp_path / "x.db").exists()
    (tmp_path / "x.db").touch()
    assert complaint(tmp_path / "x.db", make=False) == f"{tmp_path}/x.db: an empty database; {made_by}"


def test_a_database_that_cannot_be_written(sqlite: str) -> None:
    """Root may write every file, so that it is opened for reading only."""
    Database(sqlite).close()
    with Database(f"sqlite:///file:{sqlite}?mode=ro&uri=true") as database:
        with pytest.raises(StoreError, match="attempt to write a readonly database"):
            Recorder(database).begin([Pair(gather_levels(["01-first-steps"])[0], CoinPlayer(), 0)], Extent(1))
        assert runs(database) == []


def test_a_database_in_memory() -> None:
    with Database(":memory:") as database:
        assert runs(database) == []
        assert database.name == ":memory:"


# PostgreSQL


def test_passwords_are_not_shown() -> None:
    url = "postgresql://ann:secret@localhost:1/levels"
    assert shown_name(url) == "postgresql://ann:***@localhost:1/levels"
    sentence = complaint(url)
    assert "secret" not in sentence
    assert sentence.startswith("postgresql://ann:***@localhost:1/levels: ")


def test_urls_of_other_kinds() -> None:
    assert "mysql: not a kind of database" in complaint("mysql://localhost/levels")
    assert "cannot be read" in complaint("://")


def test_the_driver_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_driver(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("No module named 'psycopg'")

    monkeypatch.setattr("levelsense.store.database.create_engine", without_driver)
    assert "pip install 'levelsense[postgres]'" in complaint("postgresql://localhost/levels")
