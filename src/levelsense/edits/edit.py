"""Edits of a level: other levels that a designer might make of it with a small change, or with two."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final

from levelsense.advice import advise, first_error
from levelsense.advice.layout import Layout
from levelsense.advice.supply import Supply
from levelsense.edits.cells import Canvas, changed
from levelsense.edits.difference import Difference, difference
from levelsense.errors import LevelError, LevelsenseError
from levelsense.level.elements import ELEMENTS
from levelsense.level.level import Level

# What an edit may change, in the order in which a designer tries it.
KINDS: Final = ("moves", "jelly", "blockers", "goals", "colors", "drops", "teleporters", "shape")
_KEYS: Final = ("moves", "seconds", "colors", "goals", "drops", "dispensers", "teleporters")


@dataclass(frozen=True, eq=False)
class Edit:
    """A level that is another one with a small change."""

    origin: Level
    level: Level

    @cached_property
    def difference(self) -> Difference:
        """What is different."""
        return difference(self.origin, self.level)

    @property
    def words(self) -> str:
        """What is different, in words."""
        return self.difference.words

    @property
    def size(self) -> float:
        """How much of a change it is."""
        return self.difference.size

    @property
    def kinds(self) -> frozenset[str]:
        """The parts of the level that are changed."""
        return frozenset(change.kind for change in self.difference.changes)


@dataclass(frozen=True)
class Wish:
    """What edits may do, and where they are worth most.

    allow   the kinds of edits that may be made
    keep    cells that stay as they are
    easier  whether the level is to become easier, or harder
    heat    how often a cell is what is left in lost attempts, from 0 to 1; may be empty
    """

    allow: frozenset[str] = frozenset(KINDS)
    keep: frozenset[int] = frozenset()
    easier: bool = True
    heat: Mapping[int, float] = field(default_factory=dict)

    def warmth(self, cells: Collection[int]) -> float:
        """How often cells are what is left, on average."""
        return sum(self.heat.get(cell, 0.0) for cell in cells) / len(cells)


def parse_kinds(words: Sequence[str]) -> frozenset[str]:
    """The kinds of edits that words name, such as `moves,jelly`; LevelsenseError for a word that is none."""
    kinds = [word.strip() for text in words for word in text.split(",") if word.strip()]
    for word in kinds:
        if word not in KINDS:
            raise LevelsenseError(f"`allow` {word!r}: no kind of edit; expected some of {', '.join(KINDS)}")
    return frozenset(kinds) or frozenset(KINDS)


def made(level: Level, make: Callable[[], Level]) -> Edit | None:
    """The edit that a function makes; None if it is no level that can be won, or the same as before."""
    try:
        edited = with_fitting_goals(make())
    except LevelError:
        return None
    if edited.digest == level.digest or first_error(edited) is not None:
        return None
    return Edit(level, edited)


def with_fitting_goals(level: Level) -> Level:
    """The level with no more blockers asked for than there are; LevelError if no goal is left."""
    supply, orders = Supply(Layout(level)), dict(level.goals.orders)
    for name in {element.name for element in ELEMENTS} & orders.keys():
        most = supply.most(name)
        if orders[name] > most:
            orders[name] = int(most)
    if orders == level.goals.orders:
        return level
    goals = level.goals.model_dump(mode="json", exclude_defaults=True)
    return changed(level, goals={**goals, "orders": {name: n for name, n in orders.items() if n}})


def warnings_of(level: Level) -> int:
    """How many warnings a designer gets about a level."""
    return sum(advice.severity == "warning" for advice in advise(level))


def is_sound(edit: Edit) -> bool:
    """Whether an edit can be won, and a designer gets no more warnings about it than before."""
    return first_error(edit.level) is None and warnings_of(edit.level) <= warnings_of(edit.origin)


def different(edits: Iterator[Edit | None]) -> list[Edit]:
    """The edits that were made, each level once."""
    by_digest: dict[str, Edit] = {}
    for edit in edits:
        if edit is not None:
            by_digest.setdefault(edit.level.digest, edit)
    return list(by_digest.values())


def merged(first: Edit, second: Edit) -> Edit | None:
    """Both edits of a level in one; None if they change the same things, or do not fit together."""
    if first.difference.cells & second.difference.cells:
        return None
    canvas, other, before = (Canvas(level) for level in (first.level, second.level, first.origin))
    for name in ("board", "jelly", "locks"):
        tokens, new, old = (getattr(drawing, name) for drawing in (canvas, other, before))
        for cell in second.difference.cells:
            if new[cell] != old[cell]:
                tokens[cell] = new[cell]
    origin, one, two = (
        level.model_dump(mode="json", by_alias=True) for level in (first.origin, first.level, second.level)
    )
    keys: dict[str, Any] = {}
    for key in _KEYS:
        both_change = origin[key] not in (one[key], two[key])
        if both_change and one[key] != two[key] and key != "goals":
            return None
        value = _lower_orders(one[key], two[key]) if key == "goals" and both_change else two[key]
        if value is not None and value != origin[key]:
            keys[key] = value
    return made(first.origin, partial(canvas.level, **keys))


def _lower_orders(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    """Goals where each edit took some of what is asked for away: the lower number of each."""
    orders = {
        name: min(one["orders"][name], two["orders"][name]) for name in one["orders"].keys() & two["orders"]
    }
    return {**one, "orders": orders}
