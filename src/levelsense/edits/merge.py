"""Two edits of a level in one."""

from functools import partial
from typing import Any, Final

from levelsense.edits.cells import Canvas
from levelsense.edits.edit import Edit, made

_KEYS: Final = ("moves", "seconds", "colors", "goals", "drops", "dispensers", "teleporters")


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
