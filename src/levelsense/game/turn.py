"""What a move did, round by round: enough to animate it."""

from dataclasses import dataclass
from typing import NamedTuple

from levelsense.level.tokens import Cell


class Fall(NamedTuple):
    """A piece that came to rest elsewhere; cells are row-major indexes."""

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a cascade. Cells are row-major indexes; boards are tuples of cells in row-major order."""

    number: int
    cleared: tuple[int, ...]
    """Cells whose piece was removed or that lost a layer of blocker or jelly."""
    made: tuple[int, ...]
    """Cells where lines left a special."""
    fallen: tuple[Fall, ...]
    dropped: tuple[int, ...]
    """Cells that new pieces came to rest in."""
    collected: tuple[str, ...]
    """Ingredients that left by an exit."""
    score: int
    cleared_board: tuple[Cell, ...]
    """After clearing, before falling."""
    after: tuple[Cell, ...]
    """After falling."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A move and all that followed."""

    move: str
    swapped: tuple[Cell, ...]
    """The board after the swap."""
    rounds: tuple[Round, ...]
    after: tuple[str, ...]
    """What followed the cascade, in words: payouts, growth, countdowns, a shuffle."""
    bonus: tuple[tuple[Round, ...], ...]
    """The cascades of the remaining moves after a win."""
    score: int
    """What the whole turn added to the score."""
