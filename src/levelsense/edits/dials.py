"""The numbers of a level that can be turned up and down: its limit, its goals' amounts, what drops in."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import exp, inf
from typing import Any, Final

import numpy as np

from levelsense.edits.cells import changed
from levelsense.edits.edit import Edit, Wish, made
from levelsense.level.elements import BLOCKER
from levelsense.level.level import Drop, Level
from levelsense.level.tokens import INGREDIENTS
from levelsense.playtest.limits import limit_of, longest_limit, with_limit

MOST_TURNED: Final = 2.5  # a dial is turned by no more than this factor
_STEPS: Final = {"score": 500}  # other goals by one
MOST_JUMP: Final = 1.0  # of the logarithm of a value, from what is known
LONG_TIME: Final = 150  # seconds: longer limits are turned by five at a time
_RATE_STEP: Final = 0.01
_MOST_RATE: Final = 0.5
_HINDERING: Final = ("swirl", "countdown")


@dataclass(frozen=True, eq=False)
class Dial:
    """A number of a level that can be turned.

    kind     the kind of edit that turning it is
    name     which number it is
    present  its value
    step     the distance between two of its values
    least, most  how far it may be turned
    eases    whether more of it makes the level easier
    turned   the level with another value
    """

    kind: str
    name: str
    present: float
    step: float
    least: float
    most: float
    eases: bool
    turned: Callable[[Level, float], Level]

    def value(self, wanted: float) -> float:
        """The value that the dial has nearest to a wanted one."""
        steps = round((min(max(wanted, self.least), self.most) - self.present) / self.step)
        return round(self.present + steps * self.step, 6)

    def edit(self, level: Level, value: float, origin: Level | None = None) -> Edit | None:
        """The level with another value of the dial, as an edit of itself or of the one it was made from."""
        made_of = level if origin is None else origin
        return made(made_of, partial(self.turned, level, value))


def dials(level: Level, wish: Wish) -> list[Dial]:
    """The dials of a level that may be turned; the limit first."""
    makers = {"moves": _limit, "goals": _goals, "drops": _drops}
    return [dial for kind, maker in makers.items() if kind in wish.allow for dial in maker(level)]


def _limit(level: Level) -> Iterator[Dial]:
    present, _ = limit_of(level)
    step = 5.0 if level.moves is None and present >= LONG_TIME else 1.0
    most = min(MOST_TURNED * present, longest_limit(level))
    yield Dial("moves", "limit", present, step, max(present / MOST_TURNED, 2), most, True, _with_limit)


def _with_limit(level: Level, value: float) -> Level:
    whole = round(value)
    return with_limit(level, whole) if whole == value else changed(level, seconds=value)


def _goals(level: Level) -> Iterator[Dial]:
    for name, asked in level.asked.items():
        if name == "jelly" or ("+" in name and asked == 1):
            continue  # which jelly is asked for is a matter of cells
        step = float(_STEPS.get(name, 1))
        step = step if asked >= 4 * step else max(asked // 10, 1.0)
        least, most = max(asked / MOST_TURNED, 1.0), min(asked * MOST_TURNED, _most_asked(level, name))
        yield Dial("goals", name, float(asked), step, least, most, False, partial(_with_goal, name))


def _most_asked(level: Level, name: str) -> float:
    """The most that a goal is raised to: of what grows, no more than is drawn, for it need not grow."""
    if name not in BLOCKER or not BLOCKER[name].grows:
        return inf
    return max(level.asked[name], sum(cell.blocker == name for cell in level.cells))


def _with_goal(name: str, level: Level, value: float) -> Level:
    goals: dict[str, Any] = level.goals.model_dump(mode="json", exclude_defaults=True)
    amount = round(value)
    if name == "score":
        goals["score"] = amount
    else:
        part = "ingredients" if name in INGREDIENTS else "orders"
        goals[part] = {**goals[part], name: amount}
    return changed(level, goals=goals)


def _drops(level: Level) -> Iterator[Dial]:
    lists = [(None, level.drops), *((n, entry.drops) for n, entry in enumerate(level.dispensers))]
    for dispenser, drops in lists:
        for number, drop in enumerate(drops):
            if drop.rate is None:
                continue
            name = f"{drop.piece} {dispenser} {number}"
            others = sum(other.rate or 0 for other in drops) - drop.rate
            most = min(_MOST_RATE, drop.rate * MOST_TURNED, 1 - others)
            least = max(drop.rate / MOST_TURNED, 0.001)
            turned = partial(_with_rate, dispenser, number)
            step = min(_RATE_STEP, drop.rate / 5)
            yield Dial("drops", name, drop.rate, round(step, 4), least, most, _helps(level, drop), turned)


def _helps(level: Level, drop: Drop) -> bool:
    """Whether more of a drop makes a level easier: not of what is in the way, unless it is asked for."""
    return drop.piece not in _HINDERING or drop.piece in level.asked


def _with_rate(dispenser: int | None, number: int, level: Level, value: float) -> Level:
    drops = level.drops if dispenser is None else level.dispensers[dispenser].drops
    new = [drop.model_dump(mode="json", exclude_defaults=True) for drop in drops]
    new[number]["rate"] = round(value, 4)
    if dispenser is None:
        return changed(level, drops=new)
    entries = [entry.model_dump(mode="json", exclude_defaults=True) for entry in level.dispensers]
    entries[dispenser]["drops"] = new
    return changed(level, dispensers=entries)


def slope_of(known: Mapping[float, float]) -> float:
    """The slope of logits over the logarithms of a dial's values, by least squares."""
    places, logits = np.log(list(known)), np.array(list(known.values()))
    apart = places - places.mean()
    return float(apart @ logits / (apart @ apart))


def next_value(known: Mapping[float, float], wanted: float, slope: float) -> float:
    """The value of a dial for a wanted logit, by the values that are known.

    Between two neighbors on both sides of it along a line over the logarithm of the value; else from the
    nearest along a slope.
    """
    points = sorted(known.items())
    for (low, first), (high, second) in pairwise(points):
        if min(first, second) <= wanted <= max(first, second) and first != second:
            share = (wanted - first) / (second - first)
            return float(low * (high / low) ** share)
    start, logit = min(points, key=lambda point: abs(point[1] - wanted))
    return start * exp(min(max((wanted - logit) / slope, -MOST_JUMP), MOST_JUMP))
