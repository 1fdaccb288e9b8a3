"""How much of the thesis a run does, in full and quickly."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Extent:
    """Numbers of attempts, levels and players.

    random      random attempts at each of the three levels (phase 1)
    timed       attempts whose searches are timed
    attempts    of each setup at each of the three levels (phase 2)
    more        further attempts of the setups that differ in shrinking
    guided      attempts of those setups with heuristic playouts
    tries       attempts of each bot at each level of the saga (phases 3 and 4)
    tester      attempts of each of the three testers at a level
    players     simulated players who begin the saga
    early       the first number of the early levels, and how many there are (phase 3)
    late        the same of the later ones (phase 4); the saga ends with the last of them
    """

    random: int
    timed: int
    attempts: int
    more: int
    guided: int
    tries: int
    tester: int
    players: int
    early: tuple[int, int]
    late: tuple[int, int]

    @property
    def last(self) -> int:
        """The number of the saga's last level."""
        return self.late[0] + self.late[1] - 1


EXTENTS: Final = {
    False: Extent(10_000, 200, 200, 300, 200, 50, 50, 600, (50, 48), (951, 50)),
    True: Extent(500, 3, 6, 4, 4, 4, 10, 60, (20, 6), (45, 6)),
}
