"""A saga in a folder: whole or not at all."""

from functools import cache
from pathlib import Path

import pytest

from levelsense.errors import SagaError
from levelsense.level.level import Level
from levelsense.saga.files import Written, check_known, write_levels
from levelsense.saga.generate import SagaLevel, saga_level

GARDEN, STEPS = "04-jelly-garden", "01-first-steps"


@cache
def levels(*names: str) -> tuple[SagaLevel, ...]:
    return tuple(
        SagaLevel(number, Level.load(name), 0.5, "full", 9, 10, 1) for number, name in enumerate(names, 1)
    )


def content(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_levels_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "saga"
    assert write_levels(folder, levels(GARDEN, STEPS)) == Written(2, 0)
    assert sorted(content(folder)) == ["saga-0001.json", "saga-0002.json"]
    assert Level.load(folder / "saga-0002.json") == Level.load(STEPS)


def test_again_changes_nothing(tmp_path: Path) -> None:
    write_levels(tmp_path, levels(GARDEN))
    (tmp_path / "mine.json").write_text("{}")
    before = (tmp_path / "saga-0001.json").stat().st_mtime_ns
    assert write_levels(tmp_path, levels(GARDEN, STEPS)) == Written(1, 1)
    assert (tmp_path / "saga-0001.json").stat().st_mtime_ns == before
    assert sorted(content(tmp_path)) == ["mine.json", "saga-0001.json", "saga-0002.json"]


def test_other_levels_are_not_overwritten_and_nothing_is_written(tmp_path: Path) -> None:
    write_levels(tmp_path, levels(GARDEN))
    before = content(tmp_path)
    with pytest.raises(SagaError) as caught:
        write_levels(tmp_path, levels(STEPS, STEPS))
    assert str(caught.value) == (
        f"{tmp_path}: saga-0001.json would be overwritten by other levels; expected another folder, "
        "or `force` (nothing was written)"
    )
    assert content(tmp_path) == before


def test_the_first_few_are_named(tmp_path: Path) -> None:
    write_levels(tmp_path, levels(GARDEN, GARDEN, GARDEN, GARDEN, GARDEN))
    with pytest.raises(
        SagaError, match=r"saga-0001.json, saga-0002.json, saga-0003.json and 2 more would be"
    ):
        write_levels(tmp_path, levels(STEPS, STEPS, STEPS, STEPS, STEPS))


def test_force_overwrites(tmp_path: Path) -> None:
    write_levels(tmp_path, levels(GARDEN))
    assert write_levels(tmp_path, levels(STEPS), force=True) == Written(1, 0)
    assert Level.load(tmp_path / "saga-0001.json") == Level.load(STEPS)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "taken"
    path.write_text("mine")
    with pytest.raises(SagaError, match="taken: a file; expected a folder for the levels"):
        write_levels(path, levels(GARDEN))
    with pytest.raises(SagaError, match="taken is a file; expected a folder for the levels"):
        write_levels(path / "below", levels(GARDEN))
    assert path.read_text() == "mine"


def test_a_folder_in_a_levels_place(tmp_path: Path) -> None:
    (tmp_path / "saga-0001.json").mkdir()
    with pytest.raises(SagaError):
        write_levels(tmp_path, levels(GARDEN), force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["saga-0001.json"]


def test_another_level_is_found_before_all_are_generated(tmp_path: Path) -> None:
    check_known(tmp_path / "none", 1, range(1, 9000))
    write_levels(tmp_path, [saga_level(1, 3)])
    check_known(tmp_path, 1, range(1, 9000))
    check_known(tmp_path, 2, range(4, 9000))
    with pytest.raises(SagaError, match=r"saga-0003.json would be overwritten by other levels"):
        check_known(tmp_path, 2, range(1, 9000))


def full(handle: int) -> None:
    raise OSError(28, "No space left on device")


def test_a_new_folder_appears_with_all_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SagaError, match=r"new: cannot be written: No space left on device$"):
        write_levels(tmp_path / "new", levels(GARDEN, STEPS))
    assert list(tmp_path.iterdir()) == []


def test_levels_that_are_there_stay_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_levels(tmp_path, levels(GARDEN))
    before = content(tmp_path)
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SagaError, match=r"cannot be written: No space left on device$"):
        write_levels(tmp_path, levels(STEPS, STEPS), force=True)
    assert content(tmp_path) == before


def test_the_name_of_a_new_folder_lasts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[tuple[Path, bool]] = []
    folder = tmp_path / "saga"

    def sync(handle: int) -> None:
        synced.append((Path(f"/proc/self/fd/{handle}").readlink(), folder.exists()))

    monkeypatch.setattr("os.fsync", sync)
    write_levels(folder, levels(GARDEN))
    assert synced[-1] == (tmp_path, True)
