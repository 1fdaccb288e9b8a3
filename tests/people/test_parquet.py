"""Parquet files that unpack to more than anybody has room for are refused before they are unpacked."""

import struct
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from levelsense.errors import PlayersError
from levelsense.people import parquet
from levelsense.people.parquet import MOST_UNPACKED, read_parquet, unpacked_bytes
from levelsense.people.records import read_records
from tests.test_cli import assert_complaint, run

ROWS = 12_000_000  # of which a text of 60 letters takes a few kilobytes, and three gigabytes as texts


@pytest.fixture(scope="module")
def bomb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Written a part at a time, so that the test itself does not need what it warns of."""
    path = tmp_path_factory.mktemp("bomb") / "small.parquet"
    rows = pl.LazyFrame({"attempts": [3]}).select(
        pl.lit("a" * 60).repeat_by(ROWS).explode().alias("level"),
        pl.lit(3).repeat_by(ROWS).explode().alias("attempts"),
        pl.lit(1).repeat_by(ROWS).explode().alias("wins"),
    )
    rows.sink_parquet(path)
    return path


def test_a_small_file_that_unpacks_to_gigabytes_is_refused(bomb: Path, tmp_path: Path) -> None:
    assert bomb.stat().st_size < 200_000
    assert unpacked_bytes(bomb) > MOST_UNPACKED
    result = run("players", "import", bomb, "--db", tmp_path / "x.db")
    assert_complaint(result, f"{bomb}: unpacks to 1.")
    assert not (tmp_path / "x.db").exists()


def test_it_is_refused_before_it_is_read(bomb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: Any, **__: Any) -> None:
        raise AssertionError("it is read")

    monkeypatch.setattr(pl, "read_parquet", read)
    with pytest.raises(PlayersError, match="expected at most 1 GB: several smaller files are fine"):
        read_records(bomb)


@pytest.mark.parametrize("compression", ["zstd", "snappy", "gzip", "lz4", "brotli", "uncompressed"])
def test_a_long_text_that_is_packed_well(tmp_path: Path, compression: Any) -> None:
    path = tmp_path / "x.parquet"
    pl.DataFrame({"level": ["x" * 3_000_000], "attempts": [1]}).write_parquet(path, compression=compression)
    assert 3_000_000 <= unpacked_bytes(path) < 3_300_000


def test_texts_of_uneven_length_are_seen_after_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dictionary of many short texts and a long one, which is the one that rows have."""
    texts = [str(number) for number in range(5_000)] + ["y" * 20_000] * 5_000
    pl.DataFrame({"level": texts, "attempts": 1, "wins": 1}).write_parquet(tmp_path / "x.parquet")
    monkeypatch.setattr(parquet, "MOST_UNPACKED", 50_000_000)
    assert unpacked_bytes(tmp_path / "x.parquet") < 50_000_000
    with pytest.raises(PlayersError, match=r"unpacks to 0\.1 GB"):
        read_parquet(tmp_path / "x.parquet")


def test_what_is_nested_does_not_count_and_is_not_read(tmp_path: Path) -> None:
    table = pl.DataFrame(
        {"level": ["a", "b"], "moves": [[1] * 100_000, []], "attempts": [3, 4], "wins": [1, 0]}
    )
    table.write_parquet(tmp_path / "x.parquet")
    assert unpacked_bytes(tmp_path / "x.parquet") < 1_000
    read = read_parquet(tmp_path / "x.parquet")
    assert read.columns == table.columns
    assert read.schema == table.schema
    assert read.drop("moves").equals(table.drop("moves"))
    assert read["moves"].null_count() == 2


def test_an_estimate_is_near_what_a_file_holds(tmp_path: Path) -> None:
    table = pl.DataFrame({"level": [f"level {n % 50:030}" for n in range(50_000)]}).with_columns(
        attempts=pl.int_range(pl.len()),
        wins=pl.lit(0.5),
        day=pl.date(2014, 1, 1),
        player=pl.lit(None, pl.String),
    )
    table.write_parquet(tmp_path / "x.parquet", row_group_size=7_000, data_page_size=5_000)
    assert 0.5 < unpacked_bytes(tmp_path / "x.parquet") / (5 * 16 * 50_000 + 36 * 50_000) < 1.5


def test_damaged_files_are_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pl.DataFrame({"level": ["a"] * 300, "attempts": 3, "wins": 1}).write_parquet(path)
    whole = path.read_bytes()
    (length,) = struct.unpack("<I", whole[-8:-4])
    places = range(len(whole) - 8 - length, len(whole), 7)
    for damaged in [whole[:20], whole[:-1], b"", *(flipped(whole, place) for place in places)]:
        path.write_bytes(damaged)
        assert all(sentence.startswith(f"{path}: ") for sentence in problems_of(path))
    path.write_bytes(whole[:20])
    (sentence,) = problems_of(path)
    assert sentence.startswith(f"{path}: cannot be read: ")


def problems_of(path: Path) -> tuple[str, ...]:
    """What is wrong with a file; nothing if it is read all the same."""
    try:
        read_records(path)
    except PlayersError as error:
        return error.problems
    return ()


def flipped(content: bytes, place: int) -> bytes:
    changed = bytearray(content)
    changed[place] ^= 0x55
    return bytes(changed)


def test_a_page_without_a_header_of_its_kind_is_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pl.DataFrame({"level": ["a"], "attempts": 3, "wins": 1}).write_parquet(tmp_path / "x.parquet")
    monkeypatch.setattr(parquet, "_PAGE_HEADERS", (99,))
    with pytest.raises(PlayersError, match=r"x\.parquet: cannot be read: not a Parquet file, or a damaged"):
        unpacked_bytes(tmp_path / "x.parquet")
