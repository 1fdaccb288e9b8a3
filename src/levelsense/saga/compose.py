"""From a plan to a draft: a shape, blockers in patterns on it, and goals."""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from levelsense.game.tokens import COLORS
from levelsense.saga.chance import pick
from levelsense.saga.draft import Carried, Counted, Draft, Growing, names
from levelsense.saga.patterns import PATTERNS, first_cells, ordered
from levelsense.saga.plan import Plan, make_plan
from levelsense.saga.schedule import COMBINATIONS, introduced_at
from levelsense.saga.shapes import Place, Shape, draw_shape

MOST_BLOCKED: Final = 0.4  # of the tiles, whatever blocks them
# As goals count them; and the share of tiles that each takes where it is in the way.
_COUNTS: Final = {
    "icing": "icing",
    "locks": "lock",
    "swirls": "swirl",
    "chocolate": "chocolate",
    "countdown bombs": "countdown",
    "marmalade": "marmalade",
}
_SHARES: Final = {
    "icing": (0.08, 0.25),
    "lock": (0.06, 0.2),
    "swirl": (0.05, 0.14),
    "chocolate": (0.02, 0.08),
    "countdown": (0.02, 0.06),
    "marmalade": (0.05, 0.15),
}
_PATTERNS: Final = tuple(PATTERNS)


@dataclass
class Work:
    """A draft in the making."""

    rng: np.random.Generator
    plan: Plan
    shape: Shape
    kept: set[Place] = field(default_factory=set)
    growing: list[Growing] = field(default_factory=list)
    counted: list[Counted] = field(default_factory=list)
    carried: list[Carried] = field(default_factory=list)
    tokens: dict[Place, str] = field(default_factory=dict)
    locks: dict[Place, str] = field(default_factory=dict)
    drops: list[dict[str, Any]] = field(default_factory=list)
    rest: dict[str, Any] = field(default_factory=dict)

    @property
    def free(self) -> set[Place]:
        """The tiles where nothing stands yet."""
        return set(self.shape.tiles) - self.kept

    def orbits(self) -> tuple[tuple[Place, ...], ...]:
        """The free tiles in the order of some pattern."""
        return tuple(ordered(self.shape, str(self.rng.choice(_PATTERNS)), self.free))


def draft(seed: int, number: int, again: int = 0) -> Draft:
    """A draft of a level; `again` counts those drawn before it and thrown away."""
    rng = np.random.default_rng([seed, number, 1, again])
    plan = make_plan(rng, number)
    work = Work(rng, plan, _shape(rng, plan))
    _colors(work)
    _teleporters(work)
    _ingredients(work)
    _gifts(work)
    for blocker in plan.blockers:
        _in_the_way(work, _COUNTS[blocker])
    _goals(work)
    _twists(work)
    if work.drops:
        work.rest["drops"] = work.drops
    return Draft(
        number,
        _about(work),
        work.shape,
        "timed" in plan.twists,
        plan.moves,
        work.tokens,
        work.locks,
        tuple(work.growing),
        tuple(work.counted),
        tuple(work.carried),
        work.rest,
    )


def _about(work: Work) -> str:
    plan = work.plan
    new = introduced_at(plan.number)
    parts = [*plan.goals, *plan.blockers, *sorted(plan.twists)]
    words = f"{work.shape.family.capitalize()}: {', '.join(parts)}."
    return f"New: {new.name}. {words}" if new else words


# Shape


def _shape(rng: np.random.Generator, plan: Plan) -> Shape:
    if "teleporters" in plan.twists:
        return _islands(rng, max(plan.rows, 7), max(plan.columns, 7))
    return draw_shape(rng, plan.rows, plan.columns)


def _islands(rng: np.random.Generator, rows: int, columns: int) -> Shape:
    """Two parts that only teleporters join as they are meant to be: side by side, or one above the other."""
    if rng.random() < 0.5:
        tiles = {(row, column) for row in range(rows) for column in range(columns) if column != columns // 2}
        if columns % 2 == 0:
            tiles -= {(row, columns // 2 - 1) for row in range(rows)}
        return Shape("islands", rows, columns, frozenset(tiles))
    gap = int(rng.integers(3, rows - 3))
    tiles = {(row, column) for row in range(rows) for column in range(columns) if row != gap}
    return Shape("storeys", rows, columns, frozenset(tiles))


def _teleporters(work: Work) -> None:
    if "teleporters" not in work.plan.twists:
        return
    shape, rng = work.shape, work.rng
    if shape.family == "islands":
        filled = [column for column in range(shape.columns) if shape.column(column)]
        half = len(filled) // 2
        left, right = filled[:half], filled[half:]
        if rng.random() < 0.5:
            right = right[::-1]
        ways = [(shape.column(a)[-1], shape.column(b)[0]) for a, b in zip(left, right, strict=True)]
    else:
        gap = next(row for row in range(shape.rows) if (row, 0) not in shape.tiles)
        used = int(rng.integers(2, shape.columns // 2 + 1))
        crossed = [c for c in range(shape.columns) if min(c, shape.columns - 1 - c) < used]
        ways = [
            ((gap - 1, column), (gap + 1, shape.columns - 1 - column))
            for column in crossed
            if 2 * column != shape.columns - 1
        ]
    work.rest["teleporters"] = [{"from": start, "to": end} for start, end in (names([a, b]) for a, b in ways)]


def _colors(work: Work) -> None:
    colors = COLORS[: work.plan.colors]
    if "uneven colors" in work.plan.twists:
        common = {str(name) for name in work.rng.choice(colors, 2, replace=False)}
        work.rest["colors"] = {name: 3 if name in common else 2 for name in colors}
    else:
        work.rest["colors"] = work.plan.colors


# Blockers


def _growing(work: Work, what: str, base: float, asked: bool) -> Growing:
    layers, core = 1, 1.0
    if what == "icing":
        thick = "thick icing" in work.plan.twists
        layers = (
            int(work.rng.integers(3, 6 if work.plan.number > 400 else 5))
            if thick
            else pick(work.rng, 1, 1, 2)
        )
        core = pick(work.rng, 1.0, 0.5)
    elif what == "countdown":
        layers = int(work.rng.integers(9, 18))
    return Growing(what, work.orbits(), base, asked, layers, core)


def _in_the_way(work: Work, what: str) -> None:
    """Puts a blocker on the board that no goal asks for: it does not grow."""
    low, high = _SHARES[what]
    blocked = sum(token in ("X", "S") or token[0] == "#" for token in work.tokens.values()) + len(work.locks)
    room = MOST_BLOCKED * len(work.shape.tiles) - blocked
    count = round(min(room, work.rng.uniform(low, high) * len(work.shape.tiles)))
    if count < 1:
        return
    part = _growing(work, what, count, asked=False)
    cells = first_cells(part.orbits, count)
    for index, place in enumerate(cells):
        _stand(work, part, place, index, len(cells))
    work.kept.update(cells)
    if what == "countdown" and work.rng.random() < 0.3:
        timer = int(work.rng.integers(10, 16))
        work.drops.append({"piece": "countdown", "rate": 0.015, "timer": timer})


def _stand(work: Work, part: Growing, place: Place, index: int, count: int) -> None:
    what = part.what
    if what in ("lock", "marmalade"):
        work.locks[place] = "L" if what == "lock" else "M"
        if what == "marmalade" and index < 2 and count > 3:
            work.tokens[place] = ".="
    elif what == "icing":
        work.tokens[place] = f"#{part.layers_of(index, count)}"
    elif what == "countdown":
        work.tokens[place] = f".{part.layers}"
    else:
        work.tokens[place] = {"swirl": "S", "chocolate": "X"}[what]


def _gifts(work: Work) -> None:
    """A few specials on the board from the start."""
    if "gifts" not in work.plan.twists:
        return
    cells = first_cells(work.orbits(), pick(work.rng, 2, 2, 4))
    for index, place in enumerate(cells):
        if place not in work.kept:
            work.tokens[place] = (
                pick(work.rng, ".=", ".|", ".+", "*") if index % 2 == 0 else work.tokens[cells[index - 1]]
            )
    work.kept.update(cells)


# Goals


def _ingredients(work: Work) -> None:
    """Ingredients above exits, which come first: nothing may stand where they do."""
    if "ingredients" not in work.plan.goals:
        return
    shape, rng, plan = work.shape, work.rng, work.plan
    bottoms = _exits(work)
    columns = _columns_above(work, bottoms)
    orbits = tuple(ordered(shape, pick(rng, "column", "sides", "square"), columns))
    kinds = pick(rng, ("cherry",), ("cherry",), ("hazelnut",), ("cherry", "hazelnut"))
    base = rng.uniform(2, 4.5) / len(kinds)
    drawn = int(rng.integers(1, 3)) * 2
    half = len(orbits) // 2 if len(kinds) > 1 else len(orbits)
    for number, kind in enumerate(kinds):
        places = orbits[number * half : (number + 1) * half]
        work.carried.append(Carried(kind, base, places, drawn // len(kinds), int(rng.integers(1, 3))))
    work.kept.update(place for orbit in orbits for place in orbit)
    work.kept.update(bottoms)
    if "dispensers" in plan.twists:
        work.rest["ingredients_at"] = names(sorted(columns))


def _exits(work: Work) -> list[Place]:
    """Where ingredients leave: below every column, or below some if dispensers can be where they are."""
    shape, plan, rng = work.shape, work.plan, work.rng
    if shape.family == "islands":
        bottoms = [place for place in shape.bottoms if place[1] > shape.columns // 2]
        work.rest["exits"] = names(bottoms)
        return bottoms
    if "dispensers" in plan.twists and shape.family != "storeys":
        orbits = ordered(shape, pick(rng, "column", "sides"), shape.bottoms)
        bottoms = first_cells(orbits, int(rng.integers(2, 5)))
        work.rest["exits"] = names(sorted(bottoms))
        return bottoms
    return shape.bottoms


def _columns_above(work: Work, exits: list[Place]) -> list[Place]:
    """The cells where ingredients are drawn and enter: at the top of columns that lead to an exit."""
    shape = work.shape
    if shape.family == "islands":
        return [place for place in shape.tops if place[1] < shape.columns // 2]
    columns = {column for _, column in exits}
    return [place for place in shape.tops if place[1] in columns]


def _goals(work: Work) -> None:
    rng, tiles = work.rng, len(work.shape.tiles)
    for goal in work.plan.goals:
        if goal == "score":
            work.counted.append(Counted("score", 5000))
        elif goal == "jelly":
            double = "double jelly" in work.plan.twists
            orbits = tuple(ordered(work.shape, str(rng.choice(_PATTERNS)), work.shape.tiles))
            core = pick(rng, 1.0, 0.5, 0.3) if double else 1.0
            share = rng.uniform(0.2, 0.5) / (1.5 if double else 1)
            work.growing.append(Growing("jelly", orbits, share * tiles, True, 2 if double else 1, core))
        elif goal == "color orders":
            _color_orders(work)
        elif goal == "special orders":
            special = str(rng.choice(["striped", "wrapped", "color bomb"], p=[0.6, 0.3, 0.1]))
            work.counted.append(Counted(special, {"striped": 5, "wrapped": 3, "color bomb": 1}[special]))
            if special == "wrapped" and rng.random() < 0.4:
                work.counted.append(Counted("striped", 3))
        elif goal == "combination orders":
            name = str(rng.choice(COMBINATIONS, p=[0.5, 0.3, 0.2]))
            work.counted.append(Counted(name, 1.4))
        elif goal == "blocker orders":
            what = _COUNTS[work.plan.ordered or "icing"]
            low, high = _SHARES[what]
            work.growing.append(_growing(work, what, rng.uniform(low, 1.5 * high) * tiles, asked=True))


def _color_orders(work: Work) -> None:
    rng = work.rng
    count = int(rng.integers(1, 4))
    chosen = rng.choice(COLORS[: work.plan.colors], count, replace=False)
    for name in COLORS[: work.plan.colors]:
        if name in chosen:
            work.counted.append(Counted(name, 5 * round(rng.uniform(3, 7))))


# Twists


def _twists(work: Work) -> None:
    rng, twists = work.rng, work.plan.twists
    if "sugar drops" in twists:
        work.drops.append({"piece": "sugar", "rate": pick(rng, 0.12, 0.16, 0.2)})
        work.rest["sugar"] = {
            "every": int(rng.integers(5, 11)),
            "pays": pick(rng, ["striped"], ["striped", "wrapped"], ["striped", "wrapped", "color bomb"]),
        }
    if "licorice rain" in twists:
        work.drops.append({"piece": "swirl", "rate": pick(rng, 0.03, 0.05, 0.07)})
    if "timed" in twists and rng.random() < 0.6:
        work.drops.append({"piece": "time", "rate": pick(rng, 0.02, 0.03, 0.04)})
    if "dispensers" in twists and "ingredients_at" not in work.rest:
        tops = (
            [top for top in work.shape.tops if top[1] < work.shape.columns // 2]
            if work.shape.family == "islands"
            else work.shape.tops
        )
        at = first_cells(ordered(work.shape, pick(rng, "column", "sides"), tops), 2)
        helping = pick(
            rng,
            {"piece": "striped", "rate": 0.1},
            {"piece": "wrapped", "rate": 0.08},
            {"piece": "color bomb", "rate": 0.03},
        )
        work.rest["dispensers"] = [{"at": names(sorted(at)), "drops": [helping]}]
