"""The levels of a playtest: which ones files, folders and names mean; levels that play alike are one."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from levelsense.advice import first_error
from levelsense.advice.findings import advice_words
from levelsense.errors import LevelError, LevelProblem
from levelsense.level.bundled import full_name
from levelsense.level.level import Level

_MOST_NAMED = 3


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
        return [full_name(name)]
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
        source: stem if len(sharing) == 1 else source.removesuffix(".json")
        for stem, sharing in stems.items()
        for source in sharing
    }


def source_stem(source: str) -> str:
    """The name of a level file without folder and ending; a bundled level's is its own."""
    return Path(source).name.removesuffix(".json")


@dataclass(frozen=True)
class NamedLevel:
    """A level and the names it was given by: several if several files play alike."""

    level: Level
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """All its names, as tables show them."""
        return ", ".join(self.names)


def gather_levels(levels: Iterable[Level | NamedLevel | str | Path]) -> tuple[NamedLevel, ...]:
    """The levels that files, folders and names of bundled levels mean, in order, without repetition.

    A LevelError tells the problems of all of them: those that cannot be read, and those that cannot be won.
    Levels that are given as such are taken as they are.
    """
    items = list(levels)
    sources = _sources(item for item in items if isinstance(item, str | Path))
    names = short_names(source for of_word in sources.values() for source in of_word)
    gathered: list[NamedLevel] = []
    problems: list[LevelProblem] = []
    for item in items:
        if isinstance(item, NamedLevel):
            gathered.append(item)
        elif isinstance(item, Level):
            gathered.append(NamedLevel(item, (item.name,)))
        else:
            for source in sources[item]:
                try:
                    gathered.append(NamedLevel(load_playable(source), (names[source],)))
                except LevelError as error:
                    problems += error.details
    if problems:
        raise LevelError(dict.fromkeys(problems))
    return _merged(gathered)


def gather_one(source: str | Path) -> NamedLevel:
    """The one level that a file or the name of a bundled level means, by the name that tables show."""
    name = full_name(source) if isinstance(source, str) else str(source)
    return NamedLevel(load_playable(source), (source_stem(name),))


def _is_text(name: str) -> bool:
    """Whether a name can be written, which that of a file in another encoding cannot."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def load_playable(source: str | Path) -> Level:
    """The level of a file or a bundled one; LevelError if it cannot be read, or can never be won.

    A level that has errors by `advise` would be lost in every attempt, which says nothing of its difficulty.
    """
    if not _is_text(str(source)):
        raise LevelError([f"{source}: a file name that is no UTF-8; expected one that can be stored"])
    level = Level.load(source)
    error = first_error(level)
    if error is not None:
        words = f"not played, since it cannot be won: {advice_words(error, source)}; see `levelsense check`"
        raise LevelError([LevelProblem(words, str(source), error.code)])
    return level


def _sources(words: Iterable[str | Path]) -> dict[str | Path, tuple[str, ...]]:
    return {word: tuple(level_sources(str(word))) for word in words}


def _merged(levels: Iterable[NamedLevel]) -> tuple[NamedLevel, ...]:
    """Levels of the same digest as one, by the names of all."""
    by_digest: dict[str, NamedLevel] = {}
    for named in levels:
        digest = named.level.digest
        first = by_digest.get(digest, named)
        by_digest[digest] = NamedLevel(first.level, tuple(dict.fromkeys(first.names + named.names)))
    return tuple(by_digest.values())


def named_words(names: Sequence[str]) -> str:
    """The first names, and how many more."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
