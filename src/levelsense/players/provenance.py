"""Where simulated players' results come from: how many players, and at which version of a level.

It is the source of each result, where people's results name a file, so that it is stored with them and cannot
come apart from them.
"""

import re
from dataclasses import dataclass
from typing import Final, Self

from levelsense.game.level import Level
from levelsense.game.version import RULES_VERSION
from levelsense.store.people import SIMULATED

# A change of what simulated players do adds one: stored results of the former ones are then not theirs.
PLAYERS_VERSION: Final = 3
_DIGITS: Final = 16  # of a level's digest
_TEXT: Final = re.compile(
    re.escape(SIMULATED) + r"(\d+) players(?:, version (\d+), rules (\d+), level ([0-9a-f]+))?"
)


@dataclass(frozen=True)
class Provenance:
    """What simulated results were made from; the last three are None where it is not known."""

    players: int
    version: int | None = None
    rules: int | None = None
    level: str | None = None  # the beginning of its digest

    @classmethod
    def today(cls, players: int, level: Level) -> Self:
        """Of so many players at a level as it is now."""
        return cls(players, PLAYERS_VERSION, RULES_VERSION, level.digest[:_DIGITS])

    @classmethod
    def parse(cls, source: str) -> Self | None:
        """Of a stored source; None if it is not one of simulated players."""
        found = _TEXT.fullmatch(source)
        if found is None:
            return None
        players, version, rules, level = found.groups()
        if level is None:
            return cls(int(players))
        return cls(int(players), int(version), int(rules), level)

    @property
    def source(self) -> str:
        """As it is stored."""
        known = (
            "" if self.level is None else f", version {self.version}, rules {self.rules}, level {self.level}"
        )
        return f"{SIMULATED}{self.players} players{known}"

    def is_alike(self, other: Self) -> bool:
        """Whether everything but the number of players is the same, as far as it is known."""
        mine, others = ((one.version, one.rules, one.level) for one in (self, other))
        return None in mine or None in others or mine == others
