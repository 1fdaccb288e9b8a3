"""How much of what goals count a level can ever yield: the most, or no limit."""

from collections import Counter
from collections.abc import Iterable
from math import ceil, inf
from typing import Final

from levelsense.advice.layout import Layout
from levelsense.level.checks import SHARES
from levelsense.level.elements import BLOCKER, BLOCKERS
from levelsense.level.fields import Drop
from levelsense.level.tokens import COLORS, COUNTS, INGREDIENTS, Cell

SPECIALS: Final = ("striped", "wrapped", "color bomb")
CARRIED: Final = ("swirl", "sugar", "time", "countdown")
COMBINATIONS: Final = tuple(name for name in COUNTS if "+" in name)


def kind(cell: Cell) -> str | None:
    """The piece of a cell as drops and goals name it: striped whatever its direction."""
    return "striped" if cell.piece and cell.piece.startswith("striped") else cell.piece


def reachable_drops(drops: Iterable[Drop]) -> list[Drop]:
    """The drops of an entry that it may come to: none after those that together always apply."""
    reachable: list[Drop] = []
    shares = 0
    for drop in drops:
        reachable.append(drop)
        shares += round(drop.rate * SHARES) if drop.rate is not None and drop.total is None else 0
        if shares >= SHARES:
            break
    return reachable


class Supply:
    """The most that an attempt at a level can reach of each count; infinity where there is no limit."""

    def __init__(self, layout: Layout) -> None:
        self.level = layout.level
        self.layout = layout
        self.drops = [drop for drops in layout.drop_lists.values() for drop in reachable_drops(drops)]
        self._drawn = Counter(kind(cell) for cell in self.level.cells)
        self._blockers = Counter(cell.blocker for cell in self.level.cells)

    def most(self, count: str) -> float:
        """The most of a count that an attempt can reach."""
        if count == "jelly":
            return sum(cell.jelly for cell in self.level.cells)
        if count in INGREDIENTS:
            return self._carried(count) if self.level.exit_cells else 0
        if count in CARRIED:
            return self._carried(count)
        if count in COLORS:
            return self._of_color(count)
        if count in SPECIALS:
            return inf if self.can_be_made(count) else 0
        if count in COMBINATIONS:
            return self._combinations(*count.split("+"))
        # What is left are blockers.
        return inf if BLOCKER[count].grows and self._blockers[count] else self._blockers[count]

    @property
    def most_moves(self) -> float:
        """The most moves of an attempt."""
        if self.level.moves is not None or self.level.seconds is None:
            return self.level.moves or 0
        if self.most("time") > 0:
            return inf
        return ceil(self.level.seconds / (self.level.pace.move + self.level.pace.round))

    @property
    def blasts(self) -> bool:
        """Whether any special can ever be on the board; those that only blasts set free do not count."""
        return any(self._comes(special) for special in SPECIALS)

    def can_be_made(self, special: str) -> bool:
        """Whether the rule set makes such specials, and the line that leaves one fits."""
        if self.level.rules == "plain" or (self.level.rules == "mcadams" and special == "wrapped"):
            return False
        if special == "wrapped":
            return self.layout.crossing_fits
        return self.layout.longest_line >= (4 if special == "striped" else 5)

    def at_hand(self, special: str) -> float:
        """The most specials of a kind that can come on the board: those that blockers leave, too."""
        is_left = special == "color bomb" and self.blasts
        leaving = [element.name for element in BLOCKERS if element.left == "bomb"] if is_left else []
        return self._comes(special) + sum(self._blockers[name] for name in leaving)

    def _comes(self, special: str) -> float:
        """The most that are made, drawn, dropped or paid for sugar."""
        return self.most(special) + self._carried(special) + self._paid(special)

    def _carried(self, piece: str) -> float:
        return self._drawn[piece] + _in_all(drop for drop in self.drops if drop.piece == piece)

    def _of_color(self, color: str) -> float:
        if color in self.level.color_table:
            return inf
        drawn = sum(cell.color == color for cell in self.level.cells)
        return drawn + _in_all(drop for drop in self.drops if drop.color == color)

    def _combinations(self, first: str, second: str) -> float:
        if first == second:
            pairs = self.at_hand(first) / 2
            return pairs if pairs == inf else int(pairs)
        return min(self.at_hand(first), self.at_hand(second))

    def _paid(self, special: str) -> float:
        sugar = self.level.sugar
        if sugar is None:
            return 0
        payouts = self.most("sugar") / sugar.every
        if payouts == inf:
            return inf if sugar.pays[-1] == special else sugar.pays.count(special)
        paid = tuple(sugar.pays[min(number, len(sugar.pays) - 1)] for number in range(int(payouts)))
        return paid.count(special)


def _in_all(drops: Iterable[Drop]) -> float:
    return sum(inf if drop.total is None else drop.total for drop in drops)
