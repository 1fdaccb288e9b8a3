"""Goals on a draft, with amounts for some twenty moves; calibration lets them grow and shrink."""

from typing import Final

from levelsense.game.tokens import COLORS
from levelsense.saga.blockers import ask_for_blocker
from levelsense.saga.draft import Carried, Counted, Spread
from levelsense.saga.islands import add_exits
from levelsense.saga.making import Making
from levelsense.saga.patterns import ordered
from levelsense.saga.schedule import COMBINATIONS

_LEAST_JELLY: Final = 5
# What is asked of specials at effort 1, and at most.
_SPECIALS: Final = {"striped": (5, 15), "wrapped": (3, 10), "color bomb": (1, 4)}


def add_ingredients(making: Making) -> None:
    """Ingredients above their exits; they come first, since nothing may stand where they do."""
    rng = making.rng
    orbits = ordered(making.shape, rng.pick("column", "sides", "square"), add_exits(making))
    kinds = rng.pick(("cherry",), ("cherry",), ("hazelnut",), ("cherry", "hazelnut"))
    base = rng.uniform(2, 4.5) / len(kinds)
    drawn = rng.pick(2, 4) // len(kinds)
    keep = rng.pick(1, 2)
    for number, kind in enumerate(kinds):
        making.carried.append(Carried(kind, base, orbits[number :: len(kinds)], drawn, keep))


def add_goal(making: Making, goal: str) -> None:
    """A goal of the plan, ingredients excepted."""
    if goal == "score":
        making.counted.append(Counted("score", 5000, 1500))
    elif goal == "jelly":
        _jelly(making)
    elif goal == "color orders":
        _color_orders(making)
    elif goal == "special orders":
        _special_orders(making)
    elif goal == "combination orders":
        name = making.rng.choice(COMBINATIONS, (0.5, 0.3, 0.2))
        making.counted.append(Counted(name, 1.4, 1, 3))
    elif goal == "blocker orders":
        ask_for_blocker(making, making.plan.ordered or "icing")


def _jelly(making: Making) -> None:
    rng, double = making.rng, "double jelly" in making.plan.twists
    count = rng.uniform(0.2, 0.5) * making.size / (1.5 if double else 1)
    core = rng.pick(1.0, 0.5, 0.3) if double else 1.0
    orbits = making.somewhere(everywhere=True)
    layers = 2 if double else 1
    making.spreads.append(Spread("jelly", orbits, count, True, _LEAST_JELLY, making.size, layers, core))


def _color_orders(making: Making) -> None:
    rng, colors = making.rng, COLORS[: making.plan.colors]
    chosen = set(rng.sample(colors, rng.pick(1, 2, 2, 3)))
    for name in (name for name in colors if name in chosen):
        making.counted.append(Counted(name, 5 * round(rng.uniform(3, 7)), 6, 120))


def _special_orders(making: Making) -> None:
    rng = making.rng
    special = rng.choice(list(_SPECIALS), (0.6, 0.3, 0.1))
    base, most = _SPECIALS[special]
    making.counted.append(Counted(special, base, 1, most))
    if special == "wrapped" and rng.random() < 0.4:
        making.counted.append(Counted("striped", 3, 1, 10))
