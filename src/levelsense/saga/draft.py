"""A level before it is calibrated: a board, and goals whose amounts grow with the effort asked."""

from dataclasses import dataclass, field, replace
from typing import Any, Final

from levelsense.game.level import Level, cell_name
from levelsense.saga.patterns import first_cells
from levelsense.saga.shapes import Place, Shape

SECONDS_A_MOVE: Final = 3  # about what a move takes in a level with seconds, its cascade included
_TOKENS: Final = {"swirl": "S", "chocolate": "X"}


@dataclass(frozen=True)
class Growing:
    """Something of which a level has more, the more effort it asks.

    what    jelly, icing, lock, marmalade, swirl, chocolate, countdown, cherry or hazelnut
    orbits  the cells it takes, in their order, mirrored ones together
    base    how many cells at effort 1
    asked   whether a goal asks for all of it
    layers  of jelly or icing; or the number of a countdown bomb
    core    the share of its cells, the first ones, that have those layers; the others have one
    """

    what: str
    orbits: tuple[tuple[Place, ...], ...]
    base: float
    asked: bool = True
    layers: int = 1
    core: float = 1.0

    def cells(self, effort: float) -> list[Place]:
        """The cells that it takes at an effort."""
        return first_cells(self.orbits, max(1, round(self.base * effort)))

    def layers_of(self, index: int, count: int) -> int:
        """The layers of one of its cells."""
        return self.layers if index < self.core * count else 1


@dataclass(frozen=True)
class Counted:
    """A goal that asks for a number: score, or an order that the board does not limit."""

    what: str
    base: float

    def amount(self, effort: float) -> int:
        """How much is asked at an effort."""
        asked = self.base * effort
        return max(500, 500 * round(asked / 500)) if self.what == "score" else max(1, round(asked))


@dataclass(frozen=True)
class Carried:
    """Ingredients to be brought down: some drawn, the others drop in."""

    what: str
    base: float
    places: tuple[tuple[Place, ...], ...]
    drawn: int
    keep: int

    def amount(self, effort: float) -> int:
        """How many are asked at an effort."""
        return max(1, round(self.base * effort))

    def cells(self, effort: float) -> list[Place]:
        """Where they are drawn, never more than asked."""
        cells = [place for orbit in self.places for place in orbit]
        return cells[: min(self.drawn, self.amount(effort))]


@dataclass(frozen=True)
class Draft:
    """A level but for the amounts of its goals and its limit.

    tokens, locks  what stands on the board whatever the effort
    rest           other keys of the level file
    timed          whether its limit is in seconds
    moves          about how many moves it should have
    """

    number: int
    about: str
    shape: Shape
    timed: bool
    moves: int
    tokens: dict[Place, str] = field(default_factory=dict)
    locks: dict[Place, str] = field(default_factory=dict)
    growing: tuple[Growing, ...] = ()
    counted: tuple[Counted, ...] = ()
    carried: tuple[Carried, ...] = ()
    rest: dict[str, Any] = field(default_factory=dict)

    def level(self, effort: float = 1.0, limit: int | None = None) -> Level:
        """The level that asks so much effort, with a limit in its own unit."""
        sheet = _Sheet(dict(self.tokens), dict(self.locks), {}, {}, {}, [])
        for ask in self.carried:
            sheet.carry(ask, effort)
        for part in self.growing:
            sheet.grow(part, effort)
        for count in self.counted:
            sheet.count(count, effort)
        return Level.model_validate(self._data(sheet, limit))

    def _data(self, sheet: "_Sheet", limit: int | None) -> dict[str, Any]:
        unit = "seconds" if self.timed else "moves"
        usual = self.moves * (SECONDS_A_MOVE if self.timed else 1)
        data: dict[str, Any] = {
            "name": f"Saga {self.number}",
            "about": self.about,
            unit: float(limit or usual) if self.timed else limit or usual,
            "board": self._rows(sheet.tokens),
            "goals": sheet.written_goals(),
            **self.rest,
        }
        if sheet.jelly:
            data["jelly"] = self._rows({place: str(layers) for place, layers in sheet.jelly.items()})
        if sheet.locks:
            data["locks"] = self._rows(sheet.locks)
        self._add_drops(data, sheet.drops)
        return data

    def _add_drops(self, data: dict[str, Any], drops: list[dict[str, Any]]) -> None:
        """Ingredients enter by the dispensers that are theirs, if there are any, or else anywhere."""
        theirs = data.pop("ingredients_at", None)
        if not drops:
            return
        if theirs:
            data["dispensers"] = [*data.get("dispensers", ()), {"at": theirs, "drops": drops}]
        else:
            data["drops"] = [*drops, *data.get("drops", ())]

    def _rows(self, tokens: dict[Place, str]) -> list[str]:
        return [
            " ".join(
                tokens.get((row, column), ".") if (row, column) in self.shape.tiles else "-"
                for column in range(self.shape.columns)
            )
            for row in range(self.shape.rows)
        ]

    def with_moves(self, moves: int) -> "Draft":
        """The same draft with another number of moves in mind."""
        return replace(self, moves=moves)


@dataclass
class _Sheet:
    """A level file being filled in."""

    tokens: dict[Place, str]
    locks: dict[Place, str]
    jelly: dict[Place, int]
    goals: dict[str, Any]
    orders: dict[str, int]
    drops: list[dict[str, Any]]

    def carry(self, ask: Carried, effort: float) -> None:
        """Draws ingredients, lets the others drop in, and asks for all."""
        asked, cells = ask.amount(effort), ask.cells(effort)
        self.goals.setdefault("ingredients", {})[ask.what] = asked
        for place in cells:
            self.tokens[place] = ask.what[0].upper()
            self.locks.pop(place, None)
        if asked > len(cells):
            self.drops.append({"piece": ask.what, "keep": ask.keep, "total": asked - len(cells)})

    def grow(self, part: Growing, effort: float) -> None:
        """Puts something on its cells, and asks for it if a goal does."""
        cells = part.cells(effort)
        if part.what != "jelly":
            cells = [place for place in cells if place not in self.tokens and place not in self.locks]
        for index, place in enumerate(cells):
            self._put(part, place, part.layers_of(index, len(cells)))
        if part.asked and part.what == "jelly":
            self.goals["jelly"] = "all"
        elif part.asked and cells:
            self.orders[part.what] = len(cells)

    def _put(self, part: Growing, place: Place, layers: int) -> None:
        if part.what == "jelly":
            self.jelly[place] = layers
        elif part.what in ("lock", "marmalade"):
            self.locks[place] = "L" if part.what == "lock" else "M"
        elif part.what == "icing":
            self.tokens[place] = f"#{layers}"
        elif part.what == "countdown":
            self.tokens[place] = f".{part.layers}"
        else:
            self.tokens[place] = _TOKENS[part.what]

    def count(self, asked: Counted, effort: float) -> None:
        """Asks for a number."""
        if asked.what == "score":
            self.goals["score"] = asked.amount(effort)
        else:
            self.orders[asked.what] = self.orders.get(asked.what, 0) + asked.amount(effort)

    def written_goals(self) -> dict[str, Any]:
        """The goals as a level file writes them."""
        return {**self.goals, **({"orders": self.orders} if self.orders else {})}


def names(places: list[Place]) -> list[str]:
    """The names of cells."""
    return [cell_name(*place) for place in places]
