"""Blockers on a draft: in the way, or asked for by a goal."""

from typing import Final

from levelsense.saga.draft import Spread
from levelsense.saga.making import Making

MOST_BLOCKED: Final = 0.4  # of the tiles, by blockers in the way
# A blocker of a plan as goals count it.
COUNTS: Final = {
    "icing": "icing",
    "locks": "lock",
    "swirls": "swirl",
    "chocolate": "chocolate",
    "countdown bombs": "countdown",
    "marmalade": "marmalade",
}
# The shares of tiles that each takes where it is in the way; and the most where a goal asks for it.
_SHARES: Final = {
    "icing": (0.08, 0.25, 0.5),
    "lock": (0.06, 0.20, 0.5),
    "swirl": (0.05, 0.14, 0.35),
    "chocolate": (0.02, 0.08, 0.3),
    "countdown": (0.02, 0.06, 0.12),
    "marmalade": (0.05, 0.15, 0.4),
}
_RAIN: Final = 0.3  # of levels with countdown bombs have them drop in too


def add_blocker(making: Making, blocker: str) -> None:
    """Puts a blocker in the way, if there is room."""
    what, rng = COUNTS[blocker], making.rng
    low, high, _ = _SHARES[what]
    blocked = sum(len(spread.cells(1)) for spread in making.spreads if spread.what != "jelly")
    count = round(min(MOST_BLOCKED * making.size - blocked, rng.uniform(low, high) * making.size))
    if count < 1:
        return
    spread = _spread(making, what, count, asked=False)
    making.spreads.append(spread)
    making.kept.update(spread.cells(1))
    if what == "countdown" and rng.random() < _RAIN:
        making.drops.append({"piece": "countdown", "rate": 0.015, "timer": rng.integers(10, 16)})


def ask_for_blocker(making: Making, blocker: str) -> None:
    """Makes a goal of a blocker: as much of it as the effort asks."""
    what = COUNTS[blocker]
    low, high, _ = _SHARES[what]
    count = making.rng.uniform(low, 1.5 * high) * making.size
    making.spreads.append(_spread(making, what, count, asked=True))


def _spread(making: Making, what: str, count: float, asked: bool) -> Spread:
    rng, layers, core, inside = making.rng, 1, 1.0, ""
    if what == "icing":
        thick = "thick icing" in making.plan.twists
        layers = rng.integers(3, 6) if thick else rng.pick(1, 1, 2)
        core = rng.pick(1.0, 0.5)
    elif what == "countdown":
        layers = rng.integers(9, 18)
    elif what == "marmalade" and "gifts" in making.plan.twists:
        inside = rng.pick(".=", ".|", ".+")
    most = max(3, round(_SHARES[what][2] * making.size))
    least = 3 if asked else 1
    return Spread(what, making.somewhere(), count, asked, least, most, layers, core, inside)


def add_gifts(making: Making) -> None:
    """A few specials on the board from the start."""
    orbits = making.somewhere()
    for orbit in orbits[: making.rng.pick(1, 1, 2)]:
        gift = making.rng.pick(".=", ".|", ".+", "*")
        making.tokens.update(dict.fromkeys(orbit, gift))
        making.kept.update(orbit)
