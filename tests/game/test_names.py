"""Which level a word means: a file, a bundled level's name, or how such a name begins."""

from pathlib import Path

import pytest

from levelsense.errors import LevelError
from levelsense.level.bundled import bundled_levels, full_name, namesake_words
from levelsense.level.level import Level
from levelsense.playtest.levels import gather_levels, gather_one


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("word", ["30", "30-", "30-gr", "30-grand-tour"])
def test_the_beginning_of_one_name_means_that_level(word: str) -> None:
    assert full_name(word) == "30-grand-tour"
    assert Level.load(word) == Level.bundled("30-grand-tour")
    assert [named.names for named in gather_levels([word])] == [("30-grand-tour",)]
    assert gather_one(word).name == "30-grand-tour"


def test_every_number_means_one_level() -> None:
    numbered = [name for name in bundled_levels() if name[:2].isdecimal()]
    assert [full_name(name[:2]) for name in numbered] == numbered


def test_a_beginning_of_several_names_lists_them() -> None:
    with pytest.raises(LevelError) as caught:
        Level.load("30-grand-tour"[:1])
    sentence = str(caught.value)
    names = [name for name in bundled_levels() if name.startswith("3")]
    assert sentence.startswith(f"'3': {len(names)} bundled levels begin so; expected one of ")
    assert all(name in sentence for name in names)


@pytest.mark.parametrize("word", ["", "xyz", "30-grand-tour-2", "30.json", "./30"])
def test_other_words_are_no_beginnings(word: str) -> None:
    assert full_name(word) == word
    with pytest.raises(LevelError):
        Level.load(word)


def test_a_file_goes_before_a_bundled_level(folder: Path) -> None:
    Level.bundled("01-first-steps").save(folder / "30")
    assert full_name("30") == "30"
    assert Level.load("30").name == Level.bundled("01-first-steps").name
    assert namesake_words("30") == "30: the file of that name here, not the bundled level 30-grand-tour"


def test_a_bundled_level_goes_before_the_file_of_its_name_with_an_ending(folder: Path) -> None:
    Level.bundled("01-first-steps").save(folder / "30-grand-tour.json")
    assert Level.load("30-grand-tour").name == "Grand tour"
    for word in ("30", "30-grand-tour"):
        assert namesake_words(word) == (
            f"{word}: the bundled level, not the file 30-grand-tour.json here, which 30-grand-tour.json means"
        )
    assert namesake_words("30-grand-tour.json") is None


def test_a_folder_hides_a_bundled_level_where_folders_are_meant(folder: Path) -> None:
    (folder / "30").mkdir()
    assert namesake_words("30") is None
    assert namesake_words("30", folders=True) == (
        "30: the folder of that name here, not the bundled level 30-grand-tour"
    )


def test_nothing_is_said_of_names_that_mean_one_level(folder: Path) -> None:
    Level.bundled("01-first-steps").save(folder / "mine.json")
    assert [namesake_words(word) for word in ("mine.json", "30", "30-grand-tour", "xyz", "")] == [None] * 5
