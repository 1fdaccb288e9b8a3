"""What a level is made of, in numbers: the covariates that need nobody to play it."""

from collections import Counter
from collections.abc import Callable
from math import log
from types import MappingProxyType
from typing import Final

from levelsense.game.level import Level
from levelsense.game.tokens import COLORS, INGREDIENTS, Cell

_BLOCKER_ORDERS: Final = ("icing", "lock", "marmalade", "chocolate", "swirl", "countdown")
_USUAL_ROUNDS: Final = 2  # of a cascade, for what a move in a level with seconds costs


class LevelFacts:
    """What the features are counted from."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.asked = level.asked
        self.tiles = [cell for cell in level.cells if cell.tile]
        self.drops = Counter[str]()
        for drop in level.all_drops:
            self.drops[drop.piece] += 1
        pace = level.pace
        self.turns = level.moves or (level.seconds or 0) / (pace.move + _USUAL_ROUNDS * pace.round)

    def share(self, test: Callable[[Cell], float]) -> float:
        """What cells have of something, on average over the tiles."""
        return sum(test(cell) for cell in self.tiles) / len(self.tiles)

    def ordered(self, *names: str) -> float:
        """How many of some counts the goals ask for, for each turn of the limit."""
        return sum(self.asked.get(name, 0) for name in names) / max(self.turns, 1)


def _blocker(name: str) -> Callable[[LevelFacts], float]:
    return lambda facts: facts.share(lambda cell: (cell.layers or 1) if cell.blocker == name else 0)


def _piece(name: str) -> Callable[[LevelFacts], float]:
    return lambda facts: facts.share(lambda cell: cell.piece == name)


def _drops(*names: str) -> Callable[[LevelFacts], float]:
    return lambda facts: float(any(facts.drops[name] for name in names))


# Each feature by its name, in the words that reasons use.
FEATURES: Final[MappingProxyType[str, Callable[[LevelFacts], float]]] = MappingProxyType(
    {
        "score goal": lambda facts: float("score" in facts.asked),
        "jelly goal": lambda facts: float("jelly" in facts.asked),
        "ingredients goal": lambda facts: float(any(name in facts.asked for name in INGREDIENTS)),
        "color orders": lambda facts: float(any(name in facts.asked for name in COLORS)),
        "special orders": lambda facts: float(
            any("striped" in name or "wrapped" in name or "bomb" in name for name in facts.asked)
        ),
        "blocker orders": lambda facts: float(any(name in facts.asked for name in _BLOCKER_ORDERS)),
        "several goals": lambda facts: float(len(facts.asked) > 1),
        "seconds for a limit": lambda facts: float(facts.level.seconds is not None),
        "turns (log)": lambda facts: log(max(facts.turns, 1)),
        "colors": lambda facts: float(len(set(facts.level.color_table))),
        "tiles (log)": lambda facts: log(len(facts.tiles)),
        "holes": lambda facts: 1 - len(facts.tiles) / (facts.level.rows * facts.level.columns),
        "jelly a turn": lambda facts: facts.ordered("jelly"),
        "ingredients a turn": lambda facts: facts.ordered(*INGREDIENTS),
        "color orders a turn": lambda facts: facts.ordered(*COLORS),
        "jelly": lambda facts: facts.share(lambda cell: cell.jelly > 0),
        "double jelly": lambda facts: facts.share(lambda cell: cell.jelly > 1),
        "jelly under blockers": lambda facts: facts.share(lambda cell: bool(cell.jelly and cell.blocker)),
        "icing": _blocker("icing"),
        "locks": _blocker("lock"),
        "chocolate": _blocker("chocolate"),
        "marmalade": _blocker("marmalade"),
        "swirls": _piece("swirl"),
        "countdown bombs": _piece("countdown"),
        "swirls drop": _drops("swirl"),
        "countdown bombs drop": _drops("countdown"),
        "sugar": lambda facts: float(facts.level.sugar is not None),
        "teleporters": lambda facts: float(bool(facts.level.teleporters)),
        "dispensers": lambda facts: float(bool(facts.level.dispensers)),
    }
)


def level_features(level: Level) -> dict[str, float]:
    """Every feature of a level by its name."""
    facts = LevelFacts(level)
    return {name: float(count(facts)) for name, count in FEATURES.items()}


def level_parts(level: Level) -> list[str]:
    """What a level has that is not counted but that a model should have met: each goal, the set of rules."""
    goals = dict.fromkeys("a color" if name in COLORS else name for name in level.asked)
    return [*(f"a goal of {name}" for name in goals), f"{level.rules} rules"]
