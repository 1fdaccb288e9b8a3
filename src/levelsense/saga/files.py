"""A saga as a folder of level files, written whole or not at all."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from levelsense.errors import OutputError, SagaError
from levelsense.files import sync_folder, write_texts
from levelsense.saga.generate import SagaLevel, file_name, saga_level

_NAMED: Final = 3  # so many files are named in an error


@dataclass(frozen=True)
class Written:
    """How many files were written, and how many were there already with the same content."""

    written: int
    known: int


def check_folder(folder: Path) -> None:
    """SagaError unless the path is a folder, or one can be made there."""
    if folder.exists() and not folder.is_dir():
        raise SagaError(f"{folder}: a file; expected a folder for the levels")
    above = next(parent for parent in folder.absolute().parents if parent.exists())
    if not above.is_dir():
        raise SagaError(f"{folder}: {above} is a file; expected a folder for the levels")
    if not os.access(folder if folder.exists() else above, os.W_OK):
        raise SagaError(f"{folder}: cannot be written; expected a folder for the levels")


def check_known(folder: Path, seed: int, numbers: range) -> None:
    """SagaError if the first of the files that are there already holds another level.

    It spares the wait for a whole saga that would not be written.
    """
    existing = next((number for number in numbers if (folder / file_name(number)).exists()), None)
    if existing is None:
        return
    path = folder / file_name(existing)
    if not _holds(path, saga_level(seed, existing).level.to_json()):
        raise SagaError(_refusal(folder, [path]))


def write_levels(folder: Path, levels: Sequence[SagaLevel], force: bool = False) -> Written:
    """Writes a file for each level.

    If files of these names hold something else, SagaError, and nothing is written, unless it is forced. All
    files are written beside their places before the first is put there; a new folder appears with all.
    """
    check_folder(folder)
    texts = {folder / level.file_name: level.level.to_json() for level in levels}
    try:
        new = {path: text for path, text in texts.items() if not _holds(path, text)}
        changed = [path for path in new if path.exists()]
        if changed and not force:
            raise SagaError(_refusal(folder, changed))
        if folder.exists():
            write_texts(new)
        else:
            _make(folder, new)
    except OutputError as error:
        raise SagaError(f"{folder}: {error.problem}") from None
    except OSError as error:
        raise SagaError(f"{folder}: cannot be written: {error.strerror or error}") from None
    return Written(len(new), len(texts) - len(new))


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


def _refusal(folder: Path, changed: Sequence[Path]) -> str:
    named = ", ".join(path.name for path in changed[:_NAMED])
    more = f" and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
    return (
        f"{folder}: {named}{more} would be overwritten by other levels; expected another folder, or `force` "
        "(nothing was written)"
    )


def _make(folder: Path, texts: dict[Path, str]) -> None:
    """Makes a folder with files in it, which has its name only when all are there."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".saga-") as near:
        whole = Path(near) / folder.name
        whole.mkdir()
        write_texts({whole / path.name: text for path, text in texts.items()})
        whole.rename(folder)
    sync_folder(folder.parent)
