"""Files that grow: whole at the end, and what was there before if they do not get that far."""

import stat
from pathlib import Path

import polars as pl
import pytest

from levelsense.errors import PlayersError
from levelsense.people.csv_text import CsvText
from levelsense.people.growing import GrowingFile

SCHEMA = {"level": pl.String, "seed": pl.UInt64, "won": pl.Boolean, "left": pl.Int64}
FIRST = pl.DataFrame([['a "b",\n', 2**64 - 1, True, None], ["é", 0, False, 3]], schema=SCHEMA, orient="row")
NEXT = pl.DataFrame([["c", 7, True, -1]], schema=SCHEMA, orient="row")


def read(path: Path) -> pl.DataFrame:
    return pl.read_csv(path, schema=SCHEMA) if path.suffix == ".csv" else pl.read_parquet(path)


@pytest.mark.parametrize("name", ["x.csv", "x.parquet"])
def test_rows_are_added_in_order(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("what was there before")
    with GrowingFile(path, SCHEMA) as file:
        file.add(FIRST)
        assert path.read_text() == "what was there before"
        file.add(NEXT.select("left", "won", "seed", "level"))
        file.finish()
    assert file.rows == 3
    assert read(path).schema == SCHEMA
    assert read(path).equals(pl.concat([FIRST, NEXT]))
    assert list(tmp_path.iterdir()) == [path]


def test_no_cell_of_a_csv_file_is_a_formula_and_all_are_read_back(tmp_path: Path) -> None:
    names = ["=1+1", "+a", "-b", "@c", "'d", "e=", "'"]
    rows = pl.DataFrame({"level": names, "seed": [1] * 7, "won": [True] * 7, "left": [-2] * 7}, schema=SCHEMA)
    written = {}
    for name in ("x.csv", "x.parquet"):
        with GrowingFile(tmp_path / name, SCHEMA) as file:
            file.add(rows)
            file.finish()
        written[name] = read(tmp_path / name)
    assert written["x.csv"]["level"].to_list() == ["'=1+1", "'+a", "'-b", "'@c", "'d", "e=", "'"]
    assert written["x.csv"].drop("level").equals(rows.drop("level"))
    assert written["x.parquet"].equals(rows)
    assert CsvText(tmp_path / "x.csv").read()["level"].to_list() == names


@pytest.mark.parametrize("name", ["x.csv", "x.parquet"])
def test_not_finished(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("what was there before")
    with GrowingFile(path, SCHEMA) as file:
        file.add(FIRST)
    assert path.read_text() == "what was there before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["x.csv", "x.parquet"])
def test_rows_that_are_not_all(tmp_path: Path, name: str) -> None:
    """They have the file's name if nothing else has it."""
    path, part = tmp_path / name, tmp_path / f"{name}.part"
    with GrowingFile(path, SCHEMA) as file:
        file.add(FIRST)
        assert file.keep() == path
    assert read(path).equals(FIRST)
    assert list(tmp_path.iterdir()) == [path]
    with GrowingFile(path, SCHEMA) as file:
        file.add(NEXT)
        assert file.keep() == part
    assert read(path).equals(FIRST)
    assert read(part.rename(tmp_path / f"part-{name}")).equals(NEXT)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("name", ["x.csv", "x.parquet"])
def test_what_it_did_not_make_stays(tmp_path: Path, name: str) -> None:
    """Only rows that are not all go to FILE.part, after an interruption."""
    path = tmp_path / name
    others = [tmp_path / f"{name}.{end}" for end in ("part", "made")]
    for other in others:
        other.write_text("of another")
    with GrowingFile(path, SCHEMA):
        pass
    with GrowingFile(path, SCHEMA) as file:
        file.add(FIRST)
    assert sorted(tmp_path.iterdir()) == sorted(others)
    with GrowingFile(path, SCHEMA) as file:
        file.add(FIRST)
        file.finish()
    assert read(path).equals(FIRST)
    assert sorted(tmp_path.iterdir()) == sorted([path, *others])
    assert [other.read_text() for other in others] == ["of another", "of another"]


@pytest.mark.parametrize("name", ["x.csv", "x.parquet"])
def test_two_programs_that_write_one_file(tmp_path: Path, name: str) -> None:
    """Each writes rows of its own, and the file is that of the last that is done."""
    path = tmp_path / name
    with GrowingFile(path, SCHEMA) as one, GrowingFile(path, SCHEMA) as other:
        one.add(FIRST)
        other.add(NEXT)
        one.add(NEXT)
        one.finish()
        assert read(path).equals(pl.concat([FIRST, NEXT]))
        other.add(FIRST)
        other.finish()
    assert read(path.rename(tmp_path / f"last-{name}")).equals(pl.concat([NEXT, FIRST]))
    assert len(list(tmp_path.iterdir())) == 1


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(PlayersError, match=r"x\.txt: files are told by suffix; expected \.csv or \.parquet"):
        GrowingFile(tmp_path / "x.txt", SCHEMA)
    with (
        GrowingFile(tmp_path / "no" / "x.csv", SCHEMA) as file,
        pytest.raises(PlayersError, match=r"no/x\.csv: cannot be written: No such file or directory$"),
    ):
        file.add(FIRST)
    (tmp_path / "folder.csv").mkdir()
    with GrowingFile(tmp_path / "folder.csv", SCHEMA) as file:
        file.add(FIRST)
        with pytest.raises(PlayersError, match=r"folder\.csv: cannot be written: Is a directory$"):
            file.finish()
    assert list(tmp_path.iterdir()) == [tmp_path / "folder.csv"]


@pytest.mark.parametrize("name", ["x.csv", "x.parquet"])
def test_permissions_and_links_stay(tmp_path: Path, name: str) -> None:
    far, link = tmp_path / "far" / name, tmp_path / name
    far.parent.mkdir()
    far.write_text("before")
    far.chmod(0o604)
    link.symlink_to(far)
    with GrowingFile(link, SCHEMA) as file:
        file.add(FIRST)
        file.finish()
    assert link.is_symlink()
    assert read(far).equals(FIRST)
    assert stat.S_IMODE(far.stat().st_mode) == 0o604
    assert list(far.parent.iterdir()) == [far]


def test_rows_are_on_the_disk_before_they_have_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "x.csv"
    path.write_text("before")
    with GrowingFile(path, SCHEMA) as file:
        file.add(FIRST)
        monkeypatch.setattr("os.fsync", full)
        with pytest.raises(PlayersError, match=r"x\.csv: cannot be written: No space left on device$"):
            file.finish()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
