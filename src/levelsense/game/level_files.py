"""Which levels the words on a command line mean: files, folders of them, names of bundled levels."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from levelsense.errors import LevelError


def natural(name: str) -> tuple[Any, ...]:
    """Orders names as people count: 2 before 10."""
    parts = re.split(r"(\d+)", name)
    return tuple(_counted(part) if part.isdecimal() else part for part in parts), name


def _counted(digits: str) -> tuple[int, str]:
    """Orders numbers of any length by their size."""
    number = digits.lstrip("0")
    return len(number), number


def level_sources(name: str) -> Sequence[str]:
    """The levels that a word means, each as Level.load takes it; LevelError if it is a folder without any."""
    folder = Path(name)
    if not folder.is_dir():
        return [name]
    files = sorted((str(path) for path in folder.glob("*.json")), key=natural)
    if not files:
        raise LevelError([f"{name}: a folder without level files; expected files that end in .json"])
    return files


def short_names(sources: Iterable[str]) -> dict[str, str]:
    """A name for each source to show it by: its file's without folder and ending, unless two share that."""
    stems: dict[str, list[str]] = {}
    for source in dict.fromkeys(sources):
        stems.setdefault(source_stem(source), []).append(source)
    return {
        source: stem if len(same) == 1 else source.removesuffix(".json")
        for stem, same in stems.items()
        for source in same
    }


def source_stem(source: str) -> str:
    """The name of a level file without folder and ending; a bundled level's is its own."""
    return Path(source).name.removesuffix(".json")
