"""From a plan to a draft: a shape, then ingredients, gifts, blockers, goals and twists on it."""

from typing import Final

from levelsense.draws import Draws
from levelsense.game.tokens import COLORS
from levelsense.saga.blockers import add_blocker, add_gifts
from levelsense.saga.draft import Draft, cell_names
from levelsense.saga.goals import add_goal, add_ingredients
from levelsense.saga.islands import add_teleporters, draw_islands, entries
from levelsense.saga.making import Making
from levelsense.saga.patterns import first_cells, ordered
from levelsense.saga.plan import Plan, make_plan
from levelsense.saga.schedule import introduced_at
from levelsense.saga.shapes import draw_shape

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
        making.ways,
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
    if "dispensers" in twists and not making.ways:
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
