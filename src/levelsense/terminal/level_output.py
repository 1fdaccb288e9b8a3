"""Where a changed level is written: never onto a file that is something else, or that changed meanwhile."""

from pathlib import Path

from levelsense.errors import LevelError, OutputError
from levelsense.files import check_writable
from levelsense.game.level import Level


class LevelOutput:
    """A file for a level with another limit: a new one, the level's own, or one that was written so before.

    OutputError if a file cannot be written there, or holds something else than the level.
    """

    def __init__(self, path: Path, level: Level) -> None:
        self._path = path
        check_writable(path, is_level=True)
        self._before = _content(path)
        if self._before is not None and not _is_same_but_for_limit(path, level):
            raise OutputError(
                path, "there is a file that is not this level; expected a new file, or the level's own"
            )

    def write(self, level: Level) -> None:
        """Writes the level; OutputError, and the file as it is, if it is not what it was."""
        if _content(self._path) != self._before:
            raise OutputError(self._path, "not written, since the file has changed while agents played")
        level.save(self._path)


def _content(path: Path) -> bytes | None:
    """What a file holds; None if there is none, or if it is a pipe or a device."""
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError as error:
        raise OutputError(path, f"cannot be read: {error.strerror}") from None


def _is_same_but_for_limit(path: Path, level: Level) -> bool:
    """Whether a file holds a level of the same name that plays alike but for its limit.

    The end of its digest says so.
    """
    try:
        there = Level.load(path)
    except LevelError:
        return False
    return there.name == level.name and there.digest.partition("-")[2] == level.digest.partition("-")[2]
