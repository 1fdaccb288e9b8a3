"""One piece of advice about a level."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Advice:
    """What a designer should know of a level.

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
