"""The levels of a playtest, each with the names it goes by; levels that play alike are one."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from levelsense.errors import LevelError
from levelsense.game.level import Level
from levelsense.game.level_files import level_sources, short_names


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

    A LevelError tells the problems of all of them.
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
                    found.append(NamedLevel(Level.load(source), (names[source],)))
                except LevelError as error:
                    problems += error.problems
    if problems:
        raise LevelError(dict.fromkeys(problems))
    return _merged(found)


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
