"""The tables of foreign kinds of simulated people: how their traits vary, and who is in which population.

Made to judge predictions by: unlike glancers, planners and each other, and written before a model was judged
on them, without a look at it. The numbers are assumptions; no person's play was looked at.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from levelsense.people.simulated.kinds import GROWS, MOST_TRIES, SHRINKS, Kind, Trait
from levelsense.studies import foreign_minds as minds


def _kind(
    name: str,
    own: Mapping[str, Trait],
    *,
    alarm: float = 3.0,
    size: float = 0.15,
    error: float = 0.6,
    spark: float = 0.8,
    careless: float = 0.1,
    unlike: float = 1.6,
    learning: float = 0.12,
    patience: float = 3.0,
) -> Kind:
    """A kind with traits of its own behind those that all have, around these middles.

    `unlike` is how much its players differ in carelessness, the trait that decides most who wins.
    """
    columns = minds.CARELESS + 1 + len(own)
    table = {
        "alarm": Trait(minds.ALARM, alarm, 0.7, 0.3),  # what a bomb is worth, over its moves left
        "size": Trait(minds.SIZE, size, 0.5, 0.0),  # what a piece is worth, beside a step towards a goal
        "error": Trait(minds.ERROR, error, 0.8, -0.8),  # of a judgment; the noise is a Gumbel number
        "spark": Trait(minds.SPARK, spark, 0.6, 0.3),  # what a special is worth
        "careless": Trait(minds.CARELESS, careless, unlike, -0.8, True),  # how often any move is made
        **own,
        "learning": Trait(columns, learning, 0.6, 0.2),
        "patience": Trait(columns + 1, patience, 0.5, 0.0, most=MOST_TRIES, whole=True),
    }
    return Kind(name, columns, MappingProxyType(table), MappingProxyType({name: {}}))


SCANNER: Final = _kind(
    "scanner",
    {
        "rightward": Trait(minds.RIGHTWARD, 0.0, 1.0, 0.0, signed=True),  # above 0 from the right
        "upward": Trait(minds.UPWARD, 0.0, 1.0, 0.0, signed=True),  # above 0 from the bottom
        "by column": Trait(minds.BY_COLUMN, 0.0, 1.0, 0.0, signed=True),
        "overlooks": Trait(minds.OVERLOOKS, 0.3, 0.8, -0.5, True),  # share of moves that are not noticed
        "standard": Trait(minds.STANDARD, 2.5, 0.4, 0.4, learned=GROWS),  # what is good enough
        "stamina": Trait(minds.STAMINA, 6.0, 0.5, 0.4, whole=True, learned=GROWS),  # moves looked at
    },
    error=0.4,
)
BOTTOMER: Final = _kind(
    "bottomer",
    {
        "low": Trait(minds.LOW, 2.5, 0.5, 0.0),  # what the bottom row is worth, beside the top one
        "near": Trait(minds.NEAR, 1.5, 0.7, -0.3),  # what the cell of the last match is worth
        "goals": Trait(minds.LOW_GOALS, 0.5, 0.6, 0.6, learned=GROWS),  # what the sense of a move counts
    },
    patience=4.0,
)
COMPARER: Final = _kind(
    "comparer",
    {
        "few": Trait(minds.FEW, 2.8, 0.35, 0.6, most=6, whole=True, learned=GROWS),  # moves compared
        "rechecks": Trait(minds.RECHECKS, 0.5, 1.0, 0.4, True),  # how often one is looked at twice
    },
    error=0.8,
    unlike=1.0,
    patience=5.0,
)
ROWER: Final = _kind(
    "rower",
    {
        "upright": Trait(minds.UPRIGHT, 0.10, 0.9, 0.3, True, learned=GROWS),  # lines in columns noticed
        "length": Trait(minds.LENGTH, 0.8, 0.5, 0.0),  # what a candy of the longest line is worth
        "goals": Trait(minds.ROW_GOALS, 0.6, 0.6, 0.6),
    },
)
CHASER: Final = _kind(
    "chaser",
    {
        "wakes": Trait(minds.WAKES, 0.3, 0.9, 0.5, True, learned=GROWS),  # share left when goals count
        "goals": Trait(minds.LATE_GOALS, 1.5, 0.5, 0.4),
    },
    size=0.3,
    spark=1.5,
    unlike=2.2,
    patience=4.0,
)
PANICKER: Final = _kind(
    "panicker",
    {
        "nerves": Trait(minds.NERVES, 4.0, 0.6, -0.6, learned=SHRINKS),  # errors more under full pressure
        "freezes": Trait(minds.FREEZES, 0.4, 0.9, -0.4, True, learned=SHRINKS),  # any move, under it
    },
    alarm=5.0,
    error=0.7,
    learning=0.25,
    patience=2.5,
)
COLORIST: Final = _kind(
    "colorist",
    {
        "taste": Trait(minds.TASTE, 1.0, 1.0, 0.0),  # which colors
        "love": Trait(minds.LOVE, 2.5, 0.6, -0.3),  # what a line of the loved color is worth
        "goals": Trait(minds.COLOR_GOALS, 0.6, 0.6, 0.6, learned=GROWS),
    },
)
SAVER: Final = _kind(
    "saver",
    {
        "keep": Trait(minds.KEEP, 2.0, 0.6, -0.2),  # what a special that stays is worth
        "spends": Trait(minds.SPENDS, 0.15, 0.8, 0.4, True, learned=GROWS),  # share left when they may go
    },
    error=1.2,
    spark=1.2,
    patience=4.0,
)
TIRED: Final = _kind(
    "tired",
    {
        "looks": Trait(minds.LOOKS, 6.0, 0.4, 0.5, whole=True, learned=SHRINKS),  # moves, when fresh
        "fatigue": Trait(minds.FATIGUE, 0.9, 0.5, -0.3, learned=GROWS),  # of 25 moves
        "slips": Trait(minds.SLIPS, 0.4, 0.8, -0.3, True),  # how often the nearest move, when worn out
    },
    unlike=2.2,
    learning=0.2,
    patience=2.0,
)

CODES: Final = MappingProxyType(
    {
        SCANNER: minds.SCANNER,
        BOTTOMER: minds.BOTTOMER,
        COMPARER: minds.COMPARER,
        ROWER: minds.ROWER,
        CHASER: minds.CHASER,
        PANICKER: minds.PANICKER,
        COLORIST: minds.COLORIST,
        SAVER: minds.SAVER,
        TIRED: minds.TIRED,
    }
)
FOREIGN: Final = MappingProxyType({kind.name: kind for kind in CODES})
