"""A draft in the making: what its parts add to, one after the other."""

from dataclasses import dataclass, field
from typing import Any, Final

from levelsense.draws import Draws
from levelsense.saga.draft import Carried, Counted, Spread
from levelsense.saga.patterns import PATTERNS, Orbits, ordered
from levelsense.saga.plan import Plan
from levelsense.saga.shapes import Place, Shape

_PATTERNS: Final = tuple(PATTERNS)


@dataclass
class Making:
    """A plan on its shape, and what has been added so far; `kept` are cells where nothing more may stand."""

    rng: Draws
    plan: Plan
    shape: Shape
    kept: set[Place] = field(default_factory=set)
    tokens: dict[Place, str] = field(default_factory=dict)
    spreads: list[Spread] = field(default_factory=list)
    counted: list[Counted] = field(default_factory=list)
    carried: list[Carried] = field(default_factory=list)
    drops: list[dict[str, Any]] = field(default_factory=list)
    rest: dict[str, Any] = field(default_factory=dict)
    ways: tuple[Place, ...] = ()

    @property
    def size(self) -> int:
        """The number of tiles."""
        return len(self.shape.tiles)

    def somewhere(self, everywhere: bool = False) -> Orbits:
        """The tiles that are not kept, or all, in the order of some pattern."""
        free = self.shape.tiles if everywhere else self.shape.tiles - self.kept
        return ordered(self.shape, self.rng.pick(*_PATTERNS), free)
