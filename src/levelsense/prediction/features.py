"""The features of a level, in numbers: the covariates that are known without play."""

from collections import Counter
from collections.abc import Callable
from math import log
from types import MappingProxyType
from typing import Final, NamedTuple

from levelsense.level.elements import ELEMENTS, Element
from levelsense.level.level import Level
from levelsense.level.tokens import COLORS, COUNTS, INGREDIENTS, LATER_ELEMENTS, Cell

_BLOCKER_ORDERS: Final = tuple(element.name for element in ELEMENTS)
# Columns keep their places, so that fits stay as they were: blockers as the saga shows them, then pieces.
_FIRST_ELEMENTS: Final = sorted(
    (element for element in ELEMENTS if element not in LATER_ELEMENTS),
    key=lambda element: (element.place == "piece", element.saga.first if element.saga else 0),
)
FLAG: Final = 0.2  # the usual spread of a yes or no
_SHARE: Final = 0.05  # of a share of the tiles
_LOG: Final = 0.2
_USUAL_ROUNDS: Final = 2  # of a cascade, for what a move in a level with seconds costs


class Feature(NamedTuple):
    """How a feature is computed, and its usual spread, for fits whose levels do not differ in it."""

    amount: "Callable[[LevelFacts], float]"
    usual: float


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


def _is_special(count: str) -> bool:
    """Whether a count is of special candies, or of two combined."""
    return "striped" in count or "wrapped" in count or "color bomb" in count


def _element(element: Element) -> Feature:
    """How much of an element a level has: layers of a blocker, or pieces, for each tile."""
    if element.place == "piece":
        return Feature(lambda facts: facts.share(lambda cell: cell.piece == element.name), _SHARE)
    return Feature(
        lambda facts: facts.share(lambda cell: (cell.layers or 1) if cell.blocker == element.name else 0),
        _SHARE,
    )


def _drops(*names: str) -> Callable[[LevelFacts], float]:
    return lambda facts: float(any(facts.drops[name] for name in names))


# Each feature by its name, in the words that reasons use.
FEATURES: Final[MappingProxyType[str, Feature]] = MappingProxyType(
    {
        "score goal": Feature(lambda facts: float("score" in facts.asked), FLAG),
        "jelly goal": Feature(lambda facts: float("jelly" in facts.asked), FLAG),
        "ingredients goal": Feature(
            lambda facts: float(any(name in facts.asked for name in INGREDIENTS)), FLAG
        ),
        "color orders": Feature(lambda facts: float(any(name in facts.asked for name in COLORS)), FLAG),
        "special orders": Feature(lambda facts: float(any(_is_special(name) for name in facts.asked)), FLAG),
        "blocker orders": Feature(
            lambda facts: float(any(name in facts.asked for name in _BLOCKER_ORDERS)), FLAG
        ),
        "several goals": Feature(lambda facts: float(len(facts.asked) > 1), FLAG),
        "seconds for a limit": Feature(lambda facts: float(facts.level.seconds is not None), FLAG),
        "turns (log)": Feature(lambda facts: log(max(facts.turns, 1)), _LOG),
        "colors": Feature(lambda facts: float(len(set(facts.level.color_table))), 0.5),
        "tiles (log)": Feature(lambda facts: log(len(facts.tiles)), _LOG),
        "holes": Feature(
            lambda facts: 1 - len(facts.tiles) / (facts.level.rows * facts.level.columns), _SHARE
        ),
        "jelly a turn": Feature(lambda facts: facts.ordered("jelly"), 0.5),
        "ingredients a turn": Feature(lambda facts: facts.ordered(*INGREDIENTS), 0.1),
        "color orders a turn": Feature(lambda facts: facts.ordered(*COLORS), 0.5),
        "jelly": Feature(lambda facts: facts.share(lambda cell: cell.jelly > 0), _SHARE),
        "double jelly": Feature(lambda facts: facts.share(lambda cell: cell.jelly > 1), _SHARE),
        "jelly under blockers": Feature(
            lambda facts: facts.share(lambda cell: bool(cell.jelly and cell.blocker)), _SHARE
        ),
        **{element.several: _element(element) for element in _FIRST_ELEMENTS},
        "swirls drop": Feature(_drops("swirl"), FLAG),
        "countdown bombs drop": Feature(_drops("countdown"), FLAG),
        "sugar": Feature(lambda facts: float(facts.level.sugar is not None), FLAG),
        "teleporters": Feature(lambda facts: float(bool(facts.level.teleporters)), FLAG),
        "dispensers": Feature(lambda facts: float(bool(facts.level.dispensers)), FLAG),
        **{element.several: _element(element) for element in LATER_ELEMENTS},
    }
)


def level_features(level: Level) -> dict[str, float]:
    """Every feature of a level by its name."""
    facts = LevelFacts(level)
    return {name: float(feature.amount(facts)) for name, feature in FEATURES.items()}


def level_parts(level: Level) -> list[str]:
    """What a level has that a model should have met, and that no feature shows by itself.

    So are elements that came later than the first models, whose files have no column for them.
    """
    goals = [name for name in level.asked if name not in (*COLORS, *INGREDIENTS, "score", "jelly")]
    blockers = {cell.blocker for cell in level.cells}
    later = [element.several for element in LATER_ELEMENTS if element.name in blockers]
    return [*later, *(_goal(name) for name in goals), f"{level.rules} rules"]


def parts_of(feature: str) -> list[str]:
    """The parts that only levels with a feature can have: unknown to a model if the feature is."""
    goals = {
        "special orders": [name for name in COUNTS if _is_special(name)],
        "blocker orders": list(_BLOCKER_ORDERS),
        "sugar": ["sugar"],
    }
    later = [element.name for element in LATER_ELEMENTS if element.several == feature]
    return [*(feature for _ in later), *(_goal(name) for name in (*goals.get(feature, []), *later))]


def _goal(name: str) -> str:
    return f"a goal of {name}"


def is_number(feature: str) -> bool:
    """Whether a feature is a number of things, rather than a share or a yes or no."""
    return feature == "colors" or feature.endswith(" (log)")


def amount_words(feature: str, value: float) -> str:
    """How much of a feature a level has; of one that is a logarithm, `value` is the number itself."""
    if feature == "turns (log)":
        return f"room for {value:,.0f} move{'' if round(value) == 1 else 's'}"
    if is_number(feature):
        return f"{value:,.0f} {feature.removesuffix(' (log)')}"
    return f"{feature} {value:.2g}"
