"""One piece of advice about a level, and the advice that dealing gives."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from levelsense.level.level import Level

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Advice:
    """A piece of advice about a level.

    An error keeps it from being won, a warning is likely a mistake, a note may well be meant.
    `where` is the key of the level file, with the cell or entry if there is one.
    """

    severity: Severity
    where: str
    finding: str

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
        yield Advice(
            "warning", "board", f"{failed} of {deals} first boards could not be dealt with a legal move"
        )


def no_deal(level: Level, deals: int) -> Advice | None:
    """The error of a level of whose first boards none can be dealt; None as soon as one can."""
    return None if any(_is_dealt(level, seed) for seed in range(deals)) else _none_dealt(deals)


def _none_dealt(deals: int) -> Advice:
    return Advice("error", "board", f"none of {deals} first boards could be dealt with a legal move")


def _is_dealt(level: Level, seed: int) -> bool:
    # Imported here because the game's kernels are slow to load and not needed for the rest.
    from levelsense.game.game import Game

    return Game(level, seed).status != "lost"
