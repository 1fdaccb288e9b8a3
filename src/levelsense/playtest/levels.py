"""The levels of a playtest, each with the names it goes by; levels that play alike are one."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from levelsense.advice import first_error
from levelsense.errors import LevelError
from levelsense.game.level import Level
from levelsense.game.level_files import level_sources, short_names, source_stem


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
    given = list(levels)
    sources = _sources(item for item in given if isinstance(item, str | Path))
    names = short_names(source for found in sources.values() for source in found)
    found: list[NamedLevel] = []
    problems: list[str] = []
    for item in given:
        if isinstance(item, NamedLevel):
            found.append(item)
        elif isinstance(item, Level):
            found.append(NamedLevel(item, (item.name,)))
        else:
            for source in sources[item]:
                try:
                    found.append(NamedLevel(load_playable(source), (names[source],)))
                except LevelError as error:
                    problems += error.problems
    if problems:
        raise LevelError(dict.fromkeys(problems))
    return _merged(found)


def gather_one(source: str | Path) -> NamedLevel:
    """The one level that a file or the name of a bundled level means, by the name that tables show."""
    return NamedLevel(load_playable(source), (source_stem(str(source)),))


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
        raise LevelError(
            [f"{source}: not played, since it cannot be won: {error.sentence}; see `levelsense check`"]
        )
    return level


def _sources(words: Iterable[str | Path]) -> dict[str | Path, tuple[str, ...]]:
    return {word: tuple(level_sources(str(word))) for word in words}


def _merged(levels: Iterable[NamedLevel]) -> tuple[NamedLevel, ...]:
    """Levels of the same digest as one, by the names of all."""
    found: dict[str, NamedLevel] = {}
    for named in levels:
        digest = named.level.digest
        first = found.get(digest, named)
        found[digest] = NamedLevel(first.level, tuple(dict.fromkeys(first.names + named.names)))
    return tuple(found.values())
