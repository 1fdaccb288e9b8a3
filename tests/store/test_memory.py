"""Memory does not grow with attempts: neither where a playtest goes on, nor in an export."""

import weakref
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from levelsense.cli.terminal.export import export
from levelsense.errors import PlaytestError
from levelsense.playtest import playtest
from levelsense.playtest.result import TABLE_SCHEMA, with_seeds
from levelsense.store import Database, Recorder, Selection, attempt_tables, attempts
from levelsense.store.reading import ROWS_AT_ONCE
from tests.playtest.players import CoinPlayer
from tests.test_cli import run

LEVEL = "01-first-steps"


def test_a_playtest_goes_on_without_reading_rows(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("playtest", LEVEL, "--agent", "random", "--db", sqlite)
    assert run(*command, "--attempts", 20).exit_code == 0

    def read(*_: object) -> None:
        raise AssertionError("rows are read")

    monkeypatch.setattr(Recorder, "attempts", read)
    for more in (20, 30):
        resumed = run(*command, "--attempts", more)
        assert (resumed.exit_code, resumed.stdout.splitlines()[1].split()[2]) == (0, str(more))


def test_rows_that_are_kept_are_not_held(place: str) -> None:
    whole = playtest([LEVEL], [CoinPlayer()], attempts=60).pairs[0]
    with Database(place) as database:
        playtest([LEVEL], [CoinPlayer()], attempts=25, sink=Recorder(database))
        (pair,) = playtest(
            [LEVEL], [CoinPlayer()], attempts=60, sink=Recorder(database), keep_rows=False
        ).pairs
    assert (pair.attempts, pair.wins, pair.interval) == (whole.attempts, whole.wins, whole.interval)
    assert pair.kept is None
    with pytest.raises(PlaytestError, match="its attempts were left in the sink"):
        _ = pair.played


def test_attempts_come_in_parts(place: str) -> None:
    number = 2 * ROWS_AT_ONCE + 5
    with Database(place) as database:
        playtest([LEVEL], [CoinPlayer()], attempts=number, sink=Recorder(database), keep_rows=False)
        parts = list(attempt_tables(database, Selection()))
        assert [part.height for part in parts] == [ROWS_AT_ONCE, ROWS_AT_ONCE, 5]
        assert pl.concat(parts).equals(attempts(database))
    assert pl.concat(parts)["attempt"].to_list() == list(range(number))


def test_an_export_lets_go_of_each_part(tmp_path: Path) -> None:
    """Of CSV at once; of Parquet when a file of parts is full."""
    table = playtest([LEVEL], [CoinPlayer()], attempts=30_000).attempts
    alive: list[weakref.ref[pl.DataFrame]] = []

    def parts() -> Iterator[pl.DataFrame]:
        for _ in range(12):
            part = table.clone()
            alive.append(weakref.ref(part))
            yield part
            del part
            most.append(sum(part() is not None for part in alive))

    for csv, parquet, held in ((tmp_path / "x.csv", None, 1), (None, tmp_path / "x.parquet", 5)):
        alive.clear()
        most: list[int] = []
        assert export(parts(), csv, parquet) == 12 * table.height
        assert max(most) <= held
    assert pl.read_parquet(tmp_path / "x.parquet").equals(pl.concat([with_seeds(table)] * 12))
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["x.csv", "x.parquet"]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_an_export_that_fails_leaves_what_was_there(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x.{suffix}"
    path.write_text("before")

    def parts() -> Iterator[pl.DataFrame]:
        yield pl.DataFrame(schema=TABLE_SCHEMA)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        export(parts(), *((path, None) if suffix == "csv" else (None, path)))
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_an_export_of_nothing_has_columns(tmp_path: Path) -> None:
    assert export(iter(()), tmp_path / "x.csv", tmp_path / "x.parquet") == 0
    columns = with_seeds(pl.DataFrame(schema=TABLE_SCHEMA)).columns
    assert (tmp_path / "x.csv").read_text() == ",".join(columns) + "\n"
    assert pl.read_parquet(tmp_path / "x.parquet").columns == columns
