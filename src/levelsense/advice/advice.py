"""One piece of advice about a level, and the advice that dealing gives."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from levelsense.level.level import Level
from levelsense.level.problems import Place, place_words

Severity = Literal["error", "warning", "note"]
_MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class Advice:
    """A piece of advice about a level.

    An error keeps it from being won, a warning is likely a mistake, a note may well be meant. `code` names
    the kind of finding for programs and stays the same (docs/levels.md lists them). `place` leads to the key
    of the level file, such as ("goals", "jelly"); `cells` are the names of the cells, if it is about some.
    """

    severity: Severity
    code: str
    place: Place
    finding: str
    cells: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """The key of the level file, with the first few cells if there are any: `jelly, a9, i9`."""
        more = len(self.cells) - _MOST_NAMED
        named = ", ".join((place_words(self.place), *self.cells[:_MOST_NAMED]))
        return named + (f" and {more} more" if more > 0 else "")

    @property
    def sentence(self) -> str:
        """The place and what was found there."""
        return f"{self.where}: {self.finding}"


def failing_deals(level: Level, deals: int) -> Iterator[Advice]:
    """First boards, of seeds from 0, that have no legal move or cannot be dealt without a line."""
    failed = sum(not _is_dealt(level, seed) for seed in range(deals))
    if failed and failed == deals:
        yield _none_dealt(deals)
    elif failed:
        finding = f"{failed} of {deals} first boards could not be dealt with a legal move"
        yield Advice("warning", "failing-deals", ("board",), finding)


def no_deal(level: Level, deals: int) -> Advice | None:
    """The error of a level of whose first boards none can be dealt; None as soon as one can."""
    return None if any(_is_dealt(level, seed) for seed in range(deals)) else _none_dealt(deals)


def _none_dealt(deals: int) -> Advice:
    finding = f"none of {deals} first boards could be dealt with a legal move"
    return Advice("error", "no-deal", ("board",), finding)


def _is_dealt(level: Level, seed: int) -> bool:
    # Imported here because the game's kernels are slow to load and not needed for the rest.
    from levelsense.game.game import Game

    return Game(level, seed).status != "lost"
