"""The schedule of a saga: when each element appears, and the intended difficulty of each level."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from levelsense.arithmetic import exp
from levelsense.level.elements import saga_elements
from levelsense.level.level import Level
from levelsense.rng import Draws

EPISODE: Final = 15  # levels
INTRODUCED_BY: Final = 3  # so many easy levels show a new element
FRESH: Final = 30  # so many levels from its first an element is twice as frequent
SETTLED: Final = 500  # from here on the mix stays the same
# How an episode wavers after its first level, in log odds: half the sine of 1.7 times the step.
_WAVES: Final = (0.5, -0.13, -0.46, 0.25, 0.4, -0.35, -0.31, 0.43, 0.2, -0.48, -0.07, 0.5, -0.05)

Kind = Literal["goal", "blocker", "twist"]


@dataclass(frozen=True)
class Element:
    """A goal, blocker or twist that the saga introduces.

    first   the level that shows it first
    share   goals: weight among the goals; blockers: weight among the blockers; twists: share of levels
    is_in   whether a level has it
    """

    name: str
    first: int
    kind: Kind
    share: float
    is_in: Callable[[Level], bool]

    def introduces(self, number: int) -> bool:
        """Whether a level is one of those that introduce the element."""
        return self.first > 1 and self.first <= number < self.first + INTRODUCED_BY

    def share_at(self, number: int) -> float:
        """Its share at a level: none before it is introduced, double while it is fresh."""
        if number < self.first:
            return 0.0
        fresh = self.first > 1 and number < self.first + FRESH
        return self.share * (2 if fresh else 1)


def _asks(*names: str) -> Callable[[Level], bool]:
    return lambda level: not level.asked.keys().isdisjoint(names)


def _blocked_by(name: str) -> Callable[[Level], bool]:
    return lambda level: any(cell.blocker == name for cell in level.cells)


def _holds(piece: str) -> Callable[[Level], bool]:
    return lambda level: (
        any(cell.piece == piece for cell in level.cells)
        or any(drop.piece == piece for drop in level.all_drops)
    )


def _families_of_goals(level: Level) -> int:
    goals = level.goals
    return sum(
        (goals.score is not None, goals.jelly is not None, bool(goals.ingredients), bool(goals.orders))
    )


COMBINATIONS: Final = ("striped+striped", "striped+wrapped", "color bomb+striped")
COLOR_NAMES: Final = ("red", "orange", "yellow", "green", "blue", "purple")

_BLOCKERS: Final = tuple(
    Element(
        blocker.several,
        in_saga.first,
        "blocker",
        in_saga.weight,
        (_holds if blocker.place == "piece" else _blocked_by)(blocker.name),
    )
    for blocker, in_saga in saga_elements().items()
)
_GOALS_AND_TWISTS: Final = (
    Element("score", 1, "goal", 1.2, _asks("score")),
    Element("jelly", 6, "goal", 2.6, _asks("jelly")),
    Element(
        "gifts",
        11,
        "twist",
        0.12,
        lambda level: any(
            cell.piece in ("striped row", "striped column", "wrapped", "color bomb") for cell in level.cells
        ),
    ),
    Element("ingredients", 16, "goal", 2.0, _asks("cherry", "hazelnut")),
    Element("double jelly", 31, "twist", 0.35, lambda level: any(cell.jelly == 2 for cell in level.cells)),
    Element("color orders", 51, "goal", 1.4, _asks(*COLOR_NAMES)),
    Element("special orders", 81, "goal", 0.8, _asks("striped", "wrapped", "color bomb")),
    Element(
        "blocker orders",
        96,
        "goal",
        1.1,
        _asks(*(element.name for element in saga_elements())),
    ),
    Element("teleporters", 141, "twist", 0.12, lambda level: bool(level.teleporters)),
    Element("dispensers", 171, "twist", 0.12, lambda level: bool(level.dispensers)),
    Element("timed", 231, "twist", 0.06, lambda level: level.seconds is not None),
    Element("sugar drops", 291, "twist", 0.07, _holds("sugar")),
    Element("mixed goals", 321, "goal", 2.2, lambda level: _families_of_goals(level) > 1),
    Element(
        "thick icing",
        351,
        "twist",
        0.08,
        lambda level: any(cell.blocker == "icing" and cell.layers >= 3 for cell in level.cells),
    ),
    Element("uneven colors", 381, "twist", 0.08, lambda level: isinstance(level.colors, dict)),
    Element("large boards", 411, "twist", 0.03, lambda level: max(level.rows, level.columns) > 9),
    Element("combination orders", 441, "goal", 0.7, _asks(*COMBINATIONS)),
    Element(
        "licorice rain",
        471,
        "twist",
        0.06,
        lambda level: any(drop.piece == "swirl" for drop in level.all_drops),
    ),
)
ELEMENTS: Final = tuple(sorted((*_BLOCKERS, *_GOALS_AND_TWISTS), key=lambda element: element.first))
BY_NAME: Final = {element.name: element for element in ELEMENTS}


def elements_in(level: Level) -> tuple[str, ...]:
    """The elements that a level has, in the order of the schedule."""
    return tuple(element.name for element in ELEMENTS if element.is_in(level))


def introduced_at(number: int) -> Element | None:
    """The element that a level introduces, if it does."""
    return next((element for element in ELEMENTS if element.introduces(number)), None)


def difficulty(number: int) -> float:
    """The middle of the intended difficulty at a level, in log odds of success.

    It falls along the saga and then stays; an episode starts easy, wavers, and ends hard.
    """
    step = (number - 1) % EPISODE
    trend = 2.9 - 2.6 * (1 - exp(-number / 60)) - 0.5 * min(number / SETTLED, 1)
    episode = 0.9 if step == 0 else -1.4 if step == EPISODE - 1 else _WAVES[step - 1] - 0.02 * step
    return trend + episode * min(number / 45, 1)


def spread(number: int) -> float:
    """How much intentions differ around the middle: little at first, all difficulties from level 50 on."""
    return 0.4 + 1.0 * min(number / 50, 1)


def intention(seed: int, number: int) -> float:
    """The intended success rate of a middling player at a level."""
    rng = Draws("intention", seed, number)
    middle = 1.8 if introduced_at(number) else difficulty(number)
    wide = 0.5 if introduced_at(number) else spread(number)
    rate = 1 / (1 + exp(-rng.normal(middle, wide)))
    return min(max(rate, 0.04), 0.97)
