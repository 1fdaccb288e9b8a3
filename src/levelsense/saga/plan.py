"""The plan of a level of the saga: its goals, blockers and twists, drawn by the schedule."""

from dataclasses import dataclass
from typing import Final

from levelsense.rng import Draws
from levelsense.saga.schedule import BY_NAME, ELEMENTS, Element, introduced_at

BLOCKERS: Final = tuple(element.name for element in ELEMENTS if element.kind == "blocker")
# Goals of which a level with mixed goals takes two, of different families.
_MIXABLE: Final = ("score", "jelly", "ingredients", "color orders", "special orders", "blocker orders")
_ORDERS: Final = ("color orders", "special orders", "blocker orders", "combination orders")
# Twists that mean something with one goal or blocker only.
_NEEDS_GOAL: Final = {"double jelly": "jelly"}
_NEEDS_BLOCKER: Final = {"thick icing": "icing"}
_SIDES: Final = (5, 6, 7, 8, 9)
_SIDE_SHARES: Final = (0.04, 0.11, 0.25, 0.30, 0.30)
MOST_BLOCKERS: Final = 3
MIDDLE_MOVES: Final = 22
LARGE: Final = 72  # cells


@dataclass(frozen=True)
class Plan:
    """The plan of a level.

    goals     one or two names of goals
    blockers  names of blockers that are in the way
    ordered   the blocker that is asked for by a goal of blocker orders
    twists    names of the rest
    moves     about how many moves it should have
    """

    number: int
    goals: tuple[str, ...]
    blockers: tuple[str, ...]
    ordered: str | None
    twists: frozenset[str]
    rows: int
    columns: int
    colors: int
    moves: int


def make_plan(rng: Draws, number: int, plain: bool = False) -> Plan:
    """The plan of a level, by the shares that elements have there.

    `plain` leaves out blockers and twists, unless the level introduces an element.
    """
    new = introduced_at(number)
    goals = _goals(rng, number, new)
    ordered = _ordered(rng, number) if "blocker orders" in goals else None
    blockers, twists = _blockers(rng, number, new), _twists(rng, number, new)
    if plain and new is None:
        blockers, twists = (), set()
    goals, blockers = _what_twists_need(twists, goals, blockers, new)
    rows, columns = _size(rng, "large boards" in twists)
    return Plan(
        number,
        goals,
        tuple(name for name in blockers if name != ordered),
        ordered,
        frozenset(twists),
        rows,
        columns,
        _colors(rng, number, rows * columns),
        min(max(round(rng.normal(MIDDLE_MOVES, 5)), 13), 33),
    )


def _drawn(rng: Draws, elements: list[Element], number: int) -> str:
    return rng.choice(elements, [element.share_at(number) for element in elements]).name


def _goals(rng: Draws, number: int, new: Element | None) -> tuple[str, ...]:
    introduced = [element for element in ELEMENTS if element.kind == "goal" and number >= element.first]
    if new is not None and new.kind == "goal":
        goal = new.name
    elif new is not None:
        goal = _drawn(rng, [element for element in introduced if element.name in ("score", "jelly")], number)
    else:
        goal = _drawn(rng, introduced, number)
    return _two_goals(rng, number) if goal == "mixed goals" else (goal,)


def _two_goals(rng: Draws, number: int) -> tuple[str, ...]:
    introduced = [BY_NAME[name] for name in _MIXABLE if number >= BY_NAME[name].first]
    first = _drawn(rng, introduced, number)
    others = [
        element
        for element in introduced
        if element.name != first and not (first in _ORDERS and element.name in _ORDERS)
    ]
    return first, _drawn(rng, others, number)


def _ordered(rng: Draws, number: int) -> str:
    return _drawn(rng, [BY_NAME[name] for name in BLOCKERS], number)


def _blockers(rng: Draws, number: int, new: Element | None) -> tuple[str, ...]:
    if new is not None:
        return (new.name,) if new.kind == "blocker" else ()
    introduced = [BY_NAME[name] for name in BLOCKERS if number >= BY_NAME[name].first]
    wanted = min(rng.binomial(MOST_BLOCKERS, 0.2 + 0.23 * min(number / 300, 1)), len(introduced))
    chosen: list[str] = []
    while len(chosen) < wanted:
        chosen.append(_drawn(rng, [element for element in introduced if element.name not in chosen], number))
    return tuple(chosen)


def _twists(rng: Draws, number: int, new: Element | None) -> set[str]:
    twists = [element for element in ELEMENTS if element.kind == "twist"]
    rolls = [rng.random() for _ in twists]
    if new is not None:
        return {new.name} if new.kind == "twist" else set()
    return {
        element.name
        for element, roll in zip(twists, rolls, strict=True)
        if roll < min(element.share_at(number), 0.5)
    }


def _what_twists_need(
    twists: set[str], goals: tuple[str, ...], blockers: tuple[str, ...], new: Element | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The goals and blockers with those that new twists need; twists in vain are taken out of the set."""
    for twist, goal in _NEEDS_GOAL.items():
        if new is not None and new.name == twist:
            goals = (goal,)
        elif goal not in goals:
            twists.discard(twist)
    for twist, blocker in _NEEDS_BLOCKER.items():
        if twist in twists and blocker not in blockers:
            blockers = (*blockers, blocker)
    return goals, blockers


def _size(rng: Draws, large: bool) -> tuple[int, int]:
    if large:
        return rng.integers(9, 12), rng.integers(10, 13)
    return rng.choice(_SIDES, _SIDE_SHARES), rng.choice(_SIDES, _SIDE_SHARES)


def _colors(rng: Draws, number: int, cells: int) -> int:
    """Four to six colors: few at first, and on large boards no less than five, or cascades never end."""
    many = 0.35 * min(number / 150, 1)
    few = 0.0 if cells > LARGE else 0.25 + 0.35 * max(0.0, 1 - number / 60)
    return rng.choice((4, 5, 6), (few, 1 - few - many, many))
