"""Level files to begin with: a new one from a size and goals, or a copy of another with its own name."""

from collections.abc import Mapping
from pathlib import Path

from levelsense.advice import first_error
from levelsense.errors import LevelError, OutputError
from levelsense.files import write_text
from levelsense.json_text import value_places
from levelsense.level.bundled import full_name, read_source
from levelsense.level.level import Level
from levelsense.level.template import MOVES, SIZE, new_level, title_of
from levelsense.level.text import with_values


def write_new_level(
    path: str | Path,
    *,
    size: tuple[int, int] = SIZE,
    goals: Mapping[str, int | None] | None = None,
    moves: int = MOVES,
    title: str | None = None,
) -> Level:
    """Writes a level to begin with, and gives it: an open board of so many rows and columns, with goals.

    It has jelly to clear if no goals are given; None in place of a goal's number is one that suits the board.
    The title is made of the file's name if there is none. OutputError if there is a file already, LevelError
    if no such level can be won.
    """
    _refuse_existing(path)
    level = new_level(title or title_of(path), size, goals, moves)
    error = first_error(level)
    if error is not None:
        raise LevelError([f"{path}: not written, since it could not be won: {error.sentence}"])
    write_text(path, level.to_json(defaults=True))
    return level


def copy_level(
    source: str | Path, path: str | Path, *, title: str | None = None, replace: bool = False
) -> Level:
    """Copies a level's file, as it is written but for the title, and gives the copy.

    `source` is a file or a bundled level's name; the title is made of the new file's name if there is none.
    OutputError if there is a file already, unless it is to be replaced.
    """
    if not replace:
        _refuse_existing(path, ", or `replace`")
    text = read_source(full_name(source) if isinstance(source, str) else source)
    Level.from_json(text, str(source))
    copied = with_values(text, {"name": title or title_of(path)})
    level = Level.from_json(copied, str(path))
    write_text(path, copied)
    return level


def changed_text(text: str, before: Level, after: Level) -> str:
    """The text of a level's file with what is different in another version; all else stays as it is written.

    Where a key comes or goes, the whole file is written anew.
    """
    old, new = before.to_data(), after.to_data()
    values = {key: value for key, value in new.items() if old.get(key) != value}
    written = value_places(text)
    if old.keys() - new.keys() or any((key,) not in written for key in values):
        return after.to_json()
    return with_values(text, values)


def _refuse_existing(path: str | Path, instead: str = "") -> None:
    if Path(path).is_dir():
        raise OutputError(path, "a folder; expected a file to write to")
    if Path(path).exists() or Path(path).is_symlink():
        raise OutputError(path, f"there is a file already; expected a new one{instead}")
