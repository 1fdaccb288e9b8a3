"""Which levels words mean, and in which order."""

from pathlib import Path

from levelsense.level.level import Level
from levelsense.playtest.levels import level_sources, natural


def test_files_of_a_folder_come_as_people_count(tmp_path: Path) -> None:
    for name in ("10", "2", "1", "level-3", "level-12", "level-03b"):
        Level.load("01-first-steps").save(tmp_path / f"{name}.json")
    names = [Path(source).stem for source in level_sources(str(tmp_path))]
    assert names == ["1", "2", "10", "level-3", "level-03b", "level-12"]


def test_numbers_may_be_of_any_length() -> None:
    long = "9" * 5000
    assert sorted([long, "10", "9", "010"], key=natural) == ["9", "010", "10", long]
