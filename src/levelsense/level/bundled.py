"""The levels that come with levelsense, and which one a word means: a file, a name, or how one begins."""

import difflib
from importlib import resources
from pathlib import Path
from typing import Final

from levelsense.errors import LevelError, LevelProblem
from levelsense.level.text import read_level_file

_LEVELS: Final = resources.files("levelsense") / "levels"
_MOST_LISTED: Final = 12


def bundled_levels() -> tuple[str, ...]:
    """The names of the levels that come with levelsense, sorted."""
    if not _LEVELS.is_dir():
        return ()
    return tuple(sorted(file.name[:-5] for file in _LEVELS.iterdir() if file.name.endswith(".json")))


def bundled_text(name: str) -> str:
    """The text of a bundled level's file."""
    return (_LEVELS / f"{name}.json").read_text("utf-8")


def full_name(word: str) -> str:
    """The name of the one bundled level that begins with a word; the word itself if it means something else.

    That is a file, a whole name, or a word that begins no name or several.
    """
    names = _names_with(word)
    return names[0] if len(names) == 1 and not _is_file(word) else word


def read_source(source: str | Path) -> str:
    """The text of a level file or, for a text that names no file, of the bundled level of that name.

    LevelError if there is neither, or if the file cannot be read.
    """
    if isinstance(source, str) and not _is_file(source):
        if source in bundled_levels():
            return bundled_text(source)
        if not _is_path(source):
            raise LevelError([LevelProblem(_unknown_name(source), code="no-such-level")])
    return read_level_file(source)


def namesake_words(word: str, *, folders: bool = False) -> str | None:
    """A sentence on which of two levels a word means, one of them bundled; None if there is only one.

    A file, and with `folders` a folder of levels, goes before a bundled level, and that before NAME.json.
    """
    names = _names_with(word)
    if not names:
        return None
    if _is_file(word) or (folders and _is_folder(word)):
        kind = "file" if _is_file(word) else "folder"
        return f"{word}: the {kind} of that name here, not the bundled level {_listed(names)}"
    if len(names) == 1 and _is_file(f"{names[0]}.json"):
        file = f"{names[0]}.json"
        return f"{word}: the bundled level, not the file {file} here, which {file} means"
    return None


def _names_with(word: str) -> list[str]:
    """The bundled levels whose names begin with a word; only that one if it is a whole name."""
    if not word or _is_path(word):
        return []
    names = [name for name in bundled_levels() if name.startswith(word)]
    return [word] if word in names else names


def _is_path(word: str) -> bool:
    """Whether a word can only mean a file."""
    return word.endswith(".json") or not {"/", "\\"}.isdisjoint(word)


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def _unknown_name(name: str) -> str:
    several = _names_with(name)
    if several:
        return (
            f"{name!r}: {len(several)} bundled levels begin so; expected one of {_listed(several)}, "
            "or enough of its name"
        )
    if _is_folder(name):
        return f"{name!r}: a folder; expected one level: a file in it, or a bundled level's name"
    near = _near_names(name)
    expected = (
        f"did you mean {' or '.join(near)}?"
        if near
        else "expected a path, or a name that `levelsense levels` lists"
    )
    return f"{name!r}: no such level file, nor a bundled level of that name; {expected}"


def _near_names(word: str) -> list[str]:
    """Bundled levels whose names, with their numbers or without, are spelled much like a word."""
    spelled = {form: name for name in bundled_levels() for form in (name, name.split("-", 1)[-1])}
    near = difflib.get_close_matches(word.lower(), spelled, n=3, cutoff=0.7)
    return list(dict.fromkeys(spelled[form] for form in near))


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_LISTED
    return ", ".join(names[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
