"""Drafts of levels: blockers in the way or asked for, islands and teleporters, ways for ingredients."""

from typing import Final

from levelsense.level.elements import is_wrapping, saga_elements
from levelsense.level.tokens import COLORS
from levelsense.rng import Draws
from levelsense.saga.draft import Carried, Counted, Draft, Making, Spread, cell_names
from levelsense.saga.plan import Plan, make_plan
from levelsense.saga.schedule import COMBINATIONS, introduced_at
from levelsense.saga.shapes import Place, Shape, draw_shape, first_cells, ordered

LEAST_SIDE: Final = 7
DEEP: Final = 4  # tiles: ingredients start in columns so deep, if there are any


def draw_islands(rng: Draws, rows: int, columns: int) -> Shape:
    """Two islands side by side, or two storeys one above the other; at least 7 x 7."""
    rows, columns = max(rows, LEAST_SIDE), max(columns, LEAST_SIDE)
    board = {(row, column) for row in range(rows) for column in range(columns)}
    if rng.random() < 0.5:
        water = {columns // 2, (columns - 1) // 2}
        return Shape("islands", rows, columns, frozenset(place for place in board if place[1] not in water))
    gap = rng.integers(3, rows - 3)
    return Shape("storeys", rows, columns, frozenset(place for place in board if place[0] != gap))


def add_teleporters(making: Making) -> None:
    """Joins the parts: the left island feeds the right one, or columns cross between the storeys."""
    links = _from_left(making) if making.shape.family == "islands" else _crossed(making)
    making.rest["teleporters"] = [
        {"from": cell_names([start])[0], "to": cell_names([end])[0]} for start, end in links
    ]


def _from_left(making: Making) -> list[tuple[Place, Place]]:
    shape = making.shape
    half = len(shape.tops) // 2
    ends = shape.tops[half:]
    if making.rng.random() < 0.5:
        ends = ends[::-1]
    return list(zip(shape.bottoms[:half], ends, strict=True))


def _crossed(making: Making) -> list[tuple[Place, Place]]:
    """Some columns, from the sides, change over to their mirror images."""
    shape = making.shape
    gap = next(row for row in range(shape.rows) if (row, 0) not in shape.tiles)
    used = making.rng.integers(2, shape.columns // 2 + 1)
    return [
        ((gap - 1, column), (gap + 1, shape.columns - 1 - column))
        for column in range(shape.columns)
        if min(column, shape.columns - 1 - column) < used and 2 * column != shape.columns - 1
    ]


def add_exits(making: Making) -> list[Place]:
    """Chooses where ingredients leave; gives the cells where they start, on top of columns that lead there.

    They leave below every column, unless they come from dispensers: then below some.
    """
    shape, rng = making.shape, making.rng
    exits = shape.bottoms
    tops = shape.tops
    if shape.family == "islands":
        half = len(tops) // 2
        exits, tops = exits[half:], tops[:half]
    elif "dispensers" in making.plan.twists and shape.family != "storeys":
        pattern, most = rng.pick("column", "sides"), rng.integers(2, 5)
        exits = first_cells(ordered(shape, pattern, exits), most)
        if all(len(shape.column(column)) == 1 for _, column in exits):
            deeper = [place for place in shape.bottoms if len(shape.column(place[1])) > 1]
            exits = first_cells(ordered(shape, pattern, deeper), most)
        columns = {column for _, column in exits}
        tops = [place for place in tops if place[1] in columns]
    deep = [place for place in tops if len(shape.column(place[1])) >= DEEP]
    # In a column of one tile they would start on their exit.
    tops = deep or [place for place in tops if place not in exits]
    if len(exits) < len(shape.bottoms):
        making.rest["exits"] = cell_names(exits)
    making.kept.update(exits, tops)
    if "dispensers" in making.plan.twists:
        making.dispenser_cells = tuple(tops)
    return tops


def entries(shape: Shape) -> list[Place]:
    """The cells where new pieces enter."""
    return shape.tops[: len(shape.tops) // 2] if shape.family == "islands" else shape.tops


MOST_BLOCKED: Final = 0.4  # of the tiles, by blockers in the way
# A blocker of a plan as goals count it.
COUNTS: Final = {element.several: element.name for element in saga_elements()}
# The shares of tiles that each takes where it is in the way; and the most where a goal asks for it.
_SHARES: Final = {element.name: in_saga.tiles for element, in_saga in saga_elements().items()}
_RAIN: Final = 0.3  # of levels with countdown bombs have them drop in too


def add_blocker(making: Making, blocker: str) -> None:
    """Puts a blocker in the way, if there is room."""
    name, rng = COUNTS[blocker], making.rng
    low, high, _ = _SHARES[name]
    blocked = sum(len(spread.cells(1)) for spread in making.spreads if spread.name != "jelly")
    count = round(min(MOST_BLOCKED * making.size - blocked, rng.uniform(low, high) * making.size))
    if count < 1:
        return
    spread = _spread(making, name, count, asked=False)
    making.spreads.append(spread)
    making.kept.update(spread.cells(1))
    if name == "countdown" and rng.random() < _RAIN:
        making.drops.append({"piece": "countdown", "rate": 0.015, "timer": rng.integers(10, 16)})


def ask_for_blocker(making: Making, blocker: str) -> None:
    """Adds a goal of a blocker, whose amount grows with the effort."""
    name = COUNTS[blocker]
    low, high, _ = _SHARES[name]
    count = making.rng.uniform(low, 1.5 * high) * making.size
    making.spreads.append(_spread(making, name, count, asked=True))


def _spread(making: Making, name: str, count: float, asked: bool) -> Spread:
    rng, layers, core, inside = making.rng, 1, 1.0, ""
    if name == "icing":
        thick = "thick icing" in making.plan.twists
        layers = rng.integers(3, 6) if thick else rng.pick(1, 1, 2)
        core = rng.pick(1.0, 0.5)
    elif name == "countdown":
        layers = rng.integers(9, 18)
    elif is_wrapping(name) and "gifts" in making.plan.twists:
        inside = rng.pick(".=", ".|", ".+")
    most = max(3, round(_SHARES[name][2] * making.size))
    least = 3 if asked else 1
    return Spread(name, making.somewhere(), count, asked, least, most, layers, core, inside)


def add_gifts(making: Making) -> None:
    """A few specials on the board from the start."""
    orbits = making.somewhere()
    for orbit in orbits[: making.rng.pick(1, 1, 2)]:
        gift = making.rng.pick(".=", ".|", ".+", "*")
        making.tokens.update(dict.fromkeys(orbit, gift))
        making.kept.update(orbit)


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


PLAIN_FROM: Final = 8  # drafts thrown away: those after them are plain


def draft(seed: int, number: int, again: int = 0) -> Draft:
    """A draft of a level; `again` counts those drawn before it and thrown away."""
    rng = Draws("draft", seed, number, again)
    plan = make_plan(rng, number, again >= PLAIN_FROM)
    draw = draw_islands if "teleporters" in plan.twists else draw_shape
    making = Making(rng, plan, draw(rng, plan.rows, plan.columns))
    _fill(making)
    return Draft(
        number,
        _about(making),
        making.shape,
        "timed" in plan.twists,
        plan.moves,
        making.tokens,
        tuple(making.spreads),
        tuple(making.counted),
        tuple(making.carried),
        making.rest,
        making.dispenser_cells,
    )


def _fill(making: Making) -> None:
    plan = making.plan
    making.rest["colors"] = _colors(making.rng, plan)
    if "teleporters" in plan.twists:
        add_teleporters(making)
    if "ingredients" in plan.goals:
        add_ingredients(making)
    if "gifts" in plan.twists:
        add_gifts(making)
    for blocker in plan.blockers:
        add_blocker(making, blocker)
    for goal in plan.goals:
        add_goal(making, goal)
    _add_drops(making)
    if making.drops:
        making.rest["drops"] = making.drops


def _colors(rng: Draws, plan: Plan) -> int | dict[str, int]:
    colors = COLORS[: plan.colors]
    if "uneven colors" not in plan.twists:
        return len(colors)
    common = set(rng.sample(colors, 2))
    return {name: 3 if name in common else 2 for name in colors}


def _add_drops(making: Making) -> None:
    """What enters besides plain candies: sugar, swirls, time, and specials from dispensers."""
    rng, twists = making.rng, making.plan.twists
    if "sugar drops" in twists:
        making.drops.append({"piece": "sugar", "rate": rng.pick(0.12, 0.16, 0.2)})
        pays = rng.pick(["striped"], ["striped", "wrapped"], ["striped", "wrapped", "color bomb"])
        making.rest["sugar"] = {"every": rng.integers(5, 11), "pays": pays}
    if "licorice rain" in twists:
        making.drops.append({"piece": "swirl", "rate": rng.pick(0.03, 0.05, 0.07)})
    if "timed" in twists and rng.random() < 0.6:
        making.drops.append({"piece": "time", "rate": rng.pick(0.02, 0.03, 0.04)})
    if "dispensers" in twists and not making.dispenser_cells:
        orbits = ordered(making.shape, rng.pick("column", "sides"), entries(making.shape))
        special, rate = rng.pick(("striped", 0.1), ("wrapped", 0.08), ("color bomb", 0.03))
        at = cell_names(first_cells(orbits, 2))
        making.rest["dispensers"] = [{"at": at, "drops": [{"piece": special, "rate": rate}]}]


def _about(making: Making) -> str:
    plan, family = making.plan, making.shape.family
    new = introduced_at(plan.number)
    ordered_blocker = [plan.ordered] if plan.ordered else []
    parts = [*plan.goals, *ordered_blocker, *plan.blockers, *sorted(plan.twists)]
    words = f"{family[0].upper()}{family[1:]}: {', '.join(dict.fromkeys(parts))}."
    return f"New: {new.name}. {words}" if new else words
