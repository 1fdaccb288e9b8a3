"""Which levels a playtest plays: files, folders, bundled names, and levels that are alike."""

from pathlib import Path

import pytest

from levelsense.errors import LevelError
from levelsense.level.level import Level
from levelsense.playtest.levels import NamedLevel, gather_levels


def write(path: Path, name: str = "A level", moves: int = 20) -> Path:
    path.parent.mkdir(exist_ok=True)
    level = Level.load("01-first-steps")
    level.model_copy(update={"name": name, "moves": moves}).save(path)
    return path


def names(*levels: str | Path | Level) -> list[tuple[str, ...]]:
    return [named.names for named in gather_levels(levels)]


def test_files_folders_and_bundled_names(tmp_path: Path) -> None:
    write(tmp_path / "in" / "b.json", moves=11)
    write(tmp_path / "in" / "a.json", moves=12)
    (tmp_path / "in" / "notes.txt").write_text("not a level")
    file = write(tmp_path / "z.json", moves=13)
    assert names(file, tmp_path / "in", "04-jelly-garden") == [("z",), ("a",), ("b",), ("04-jelly-garden",)]


def test_levels_that_play_alike_are_one(tmp_path: Path) -> None:
    """A name and a note decide nothing."""
    one, same, other = (
        write(tmp_path / f"{n}.json", n, m) for n, m in (("one", 9), ("same", 9), ("other", 8))
    )
    assert names(one, other, same) == [("one", "same"), ("other",)]
    assert gather_levels([one, same])[0].name == "one, same"


def test_the_same_file_twice_has_one_name(tmp_path: Path) -> None:
    file = write(tmp_path / "one.json")
    assert names(file, tmp_path, str(file)) == [("one",)]


def test_files_of_the_same_name_show_their_folders(tmp_path: Path) -> None:
    first, second = write(tmp_path / "a" / "1.json", moves=5), write(tmp_path / "b" / "1.json", moves=6)
    assert names(first, second) == [(f"{tmp_path}/a/1",), (f"{tmp_path}/b/1",)]


def test_levels_of_a_program_go_by_their_own_names() -> None:
    level = Level.load("01-first-steps")
    assert names(level) == [(level.name,)]
    assert gather_levels([NamedLevel(level, ("mine",))])[0].names == ("mine",)


def test_the_problems_of_all_levels_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "wrong.json").write_text("{}")
    with pytest.raises(LevelError) as caught:
        gather_levels([tmp_path / "wrong.json", "01-first-steps", "no-such-level"])
    text = str(caught.value)
    assert "wrong.json: " in text
    assert "'no-such-level': no such level file" in text


def test_a_folder_without_levels_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match="a folder without level files"):
        gather_levels([tmp_path])
