"""The two kinds of simulated players, with the traits of each kind and its types of player.

Glancers see part of the board and settle for what is good enough (mind.py, impression.py). Planners play a
few moves forward in their heads, and have habits (planner.py, outcome.py). They have no trait in common but
learning and patience.

These numbers are assumptions. They were chosen so that players see part of what there is, err and differ, as
people do; they were fitted to no person's play.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from levelsense.people.simulated import mind, outcome

GROWS, SHRINKS = 1, -1  # what a trait does from attempt to attempt


class Trait(NamedTuple):
    """How a trait varies among players of one type."""

    code: int
    middle: float
    spread: float  # of its logarithm or logit; of itself if it is signed
    load: float  # how much of it comes with skill, from -1 to 1
    probability: bool = False
    most: float = float("inf")
    whole: bool = False  # a whole number, at least 1
    signed: bool = False  # spread around 0, whatever the middle
    learned: int = 0  # GROWS or SHRINKS


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of simulated players, which all come to a move in the same way.

    columns  how many traits kernels read: those of the first codes
    types    how types differ from the table: factors of the middles (of the odds, if a probability; of the
             spread, if signed)
    """

    name: str
    columns: int
    table: Mapping[str, Trait]
    types: Mapping[str, Mapping[str, float]]

    @property
    def learning(self) -> int:
        """The column that says how much is learned from attempt to attempt."""
        return self.table["learning"].code

    @property
    def patience(self) -> int:
        """The column that says how many attempts are made at a level before giving up."""
        return self.table["patience"].code


MOST_TRIES: Final = 8  # attempts of the most patient player at a level

GLANCERS: Final = Kind(
    "glancers",
    mind.TRAITS,
    MappingProxyType(
        {
            # Places looked at, at most, before a move.
            "looks": Trait(mind.LOOKS, 5.0, 0.45, 0.8, most=24, whole=True, learned=GROWS),
            "span": Trait(mind.SPAN, 2.0, 0.25, 0.3, most=5),  # cells around the eye in which swaps are seen
            "acuity": Trait(mind.ACUITY, 0.6, 0.6, 0.6, True),  # share of the swaps there that are noticed
            "purpose": Trait(mind.PURPOSE, 0.35, 0.8, 0.6, True),  # how often the eye goes where work is
            "goals": Trait(mind.GOALS, 0.8, 0.6, 0.6, learned=GROWS),  # what a step towards a goal is worth
            "specials": Trait(mind.SPECIALS, 1.0, 0.6, 0.4),  # what a special is worth
            "obvious": Trait(mind.OBVIOUS, 1.0, 0.5, -0.4),  # what it is worth that a move is near to the eye
            "alarm": Trait(mind.ALARM, 3.0, 0.7, 0.5),  # what defusing a bomb is worth
            "error": Trait(mind.ERROR, 0.8, 0.4, -0.5),  # of an impression
            "content": Trait(mind.CONTENT, 3.0, 0.4, 0.5),  # how good is good enough
            "haste": Trait(mind.HASTE, 0.10, 0.7, -0.4, True),  # how often the first swap noticed is made
            # Looks and goals grow so much with log2(attempt).
            "learning": Trait(mind.TRAITS, 0.12, 0.6, 0.2),
            # Attempts at a level before giving up.
            "patience": Trait(mind.TRAITS + 1, 3.0, 0.5, 0.0, most=MOST_TRIES, whole=True),
        }
    ),
    MappingProxyType(
        {
            "casual": {"looks": 0.7, "goals": 0.7, "obvious": 1.4, "content": 0.8, "haste": 1.8},
            "steady": {},
            "keen": {
                "looks": 1.4,
                "goals": 1.3,
                "specials": 1.2,
                "error": 0.8,
                "haste": 0.6,
                "patience": 1.3,
            },
            "expert": {
                "looks": 2.2,
                "acuity": 2.5,
                "goals": 1.6,
                "specials": 1.4,
                "obvious": 0.6,
                "error": 0.6,
                "content": 1.5,
                "haste": 0.3,
                "patience": 1.5,
            },
            "sparkler": {"specials": 2.5, "goals": 0.35, "purpose": 0.5, "content": 1.2},
        }
    ),
)

PLANNERS: Final = Kind(
    "planners",
    outcome.TRAITS,
    MappingProxyType(
        {
            # Moves that come to mind, at most.
            "considered": Trait(outcome.CONSIDERED, 3.5, 0.4, 0.6, most=12, whole=True, learned=GROWS),
            "samples": Trait(outcome.SAMPLES, 1.5, 0.4, 0.4, most=3, whole=True),  # of what a move leads to
            "deep": Trait(outcome.DEEP, 0.25, 0.9, 0.4, True),  # how often a second move is imagined, too
            "error": Trait(outcome.ERROR, 2.0, 0.5, -0.6),  # of what an outcome is worth
            "points": Trait(outcome.POINTS, 0.5, 0.5, 0.0),  # what a doubling of the points won is worth
            "goals": Trait(outcome.GOALS, 0.7, 0.5, 0.5),  # what a fair move's progress is worth
            # The share of the limit from which on goals count fully.
            "late": Trait(outcome.LATE, 0.4, 1.0, -0.5, True, learned=SHRINKS),
            "blockers": Trait(outcome.BLOCKERS, 0.4, 0.6, 0.2),  # what a layer less is worth
            "hoard": Trait(outcome.HOARD, 0.8, 0.6, 0.1),  # what a special more on the board is worth
            "spend": Trait(outcome.SPEND, 0.8, 0.6, -0.1),  # what a special that goes off is worth
            "across": Trait(outcome.ACROSS, 0.0, 0.8, 0.0, signed=True),  # to the right, or left (below 0)
            "down": Trait(outcome.DOWN, 0.0, 0.8, 0.0, signed=True),  # to the bottom, or top (below 0)
            "repeat": Trait(outcome.REPEAT, 0.6, 0.9, -0.2),  # how much more readily the neighborhood comes
            "watch": Trait(outcome.WATCH, 0.6, 0.9, 0.4, True),  # how often bombs and the clock are minded
            "boredom": Trait(outcome.BOREDOM, 0.2, 0.7, -0.4, True),  # random moves, at the limit's end
            # Considered grows, and late shrinks, so much with log2(attempt).
            "learning": Trait(outcome.TRAITS, 0.15, 0.6, 0.2),
            "patience": Trait(outcome.TRAITS + 1, 3.0, 0.5, 0.0, most=MOST_TRIES, whole=True),
        }
    ),
    MappingProxyType(
        {
            "drifter": {
                "considered": 0.6,
                "deep": 0.3,
                "error": 1.4,
                "late": 2.0,
                "across": 1.5,
                "down": 1.5,
                "repeat": 2.0,
                "boredom": 2.0,
                "patience": 0.8,
            },
            "hoarder": {"hoard": 3.0, "spend": 0.1, "repeat": 0.5},
            "spender": {"hoard": 0.3, "spend": 3.0, "samples": 0.8, "late": 1.3},
            "strategist": {
                "considered": 1.7,
                "samples": 1.3,
                "deep": 2.0,
                "error": 0.75,
                "goals": 1.5,
                "late": 0.4,
                "across": 0.4,
                "down": 0.4,
                "repeat": 0.3,
                "watch": 2.0,
                "boredom": 0.5,
                "patience": 1.4,
            },
        }
    ),
)

KINDS: Final = (GLANCERS, PLANNERS)
KIND_OF: Final = MappingProxyType({name: kind for kind in KINDS for name in kind.types})
