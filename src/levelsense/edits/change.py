"""A change from one version of a level to another, and how large it is.

The size of a change is about how many small things a designer touches:

    a fifth more or less of the limit                             1
    a tenth more or less of a goal's number                       1
    a quarter more or less of the share that drops in             1
    a cell that gains, loses or moves jelly or a blocker          1
    a layer more or less in a cell                                0.5
    a tile added or taken away                                    1.5
    an end of a teleporter                                        1.5
    a color more or less                                          4
    each change beyond the first                                  1
"""

from dataclasses import dataclass
from math import log
from typing import Final

LIMIT_STEP: Final = log(1.2)
GOAL_STEP: Final = log(1.1)
RATE_STEP: Final = log(1.25)
CELL_SIZE, LAYER_SIZE, TILE_SIZE, END_SIZE, COLOR_SIZE, OTHER_SIZE = 1.0, 0.5, 1.5, 1.5, 4.0, 1.0
MORE_SIZE: Final = 1.0
WHOLE_SIZE: Final = 10.0  # a goal, a rule or a kind of limit that is new or gone


@dataclass(frozen=True)
class Change:
    """One difference.

    kind   which part of a level it is of, as in edits.KINDS; `rest` for what no edit touches
    words  what is different, as `3 moves fewer` or `chocolate gone at a9, i9`
    size   about how many small things were changed
    cells  the cells that look different
    """

    kind: str
    words: str
    size: float
    cells: frozenset[int] = frozenset()
