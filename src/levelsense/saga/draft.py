"""A level before it is calibrated: a board, and goals whose amounts grow with the effort asked."""

from dataclasses import dataclass, field
from typing import Any, Final

from levelsense.level.elements import ELEMENTS
from levelsense.level.level import Level, cell_name
from levelsense.rng import Draws
from levelsense.saga.plan import Plan
from levelsense.saga.shapes import PATTERNS, Orbits, Place, Shape, first_cells, ordered, whole_orbits

SECONDS_A_MOVE: Final = 3  # about what a move takes in a level with seconds, its cascade included
_ELEMENT: Final = {element.name: element for element in ELEMENTS}


@dataclass(frozen=True)
class Spread:
    """Jelly or an element spread over cells; its amount grows with the effort if a goal asks for it.

    name         jelly, or the name of an element
    orbits       the cells it takes, in their order, mirrored ones together
    count        how many cells at effort 1
    asked        whether a goal asks for all of it
    least, most  bounds of the count, whatever the effort
    layers       of jelly or icing; or the number of a countdown bomb
    core         the share of its cells, the first ones, that have those layers; the others have one
    inside       the piece in the cells of the first orbit, if it is a cover with something in it
    """

    name: str
    orbits: Orbits
    count: float
    asked: bool = False
    least: int = 1
    most: int = 999
    layers: int = 1
    core: float = 1.0
    inside: str = ""

    def cells(self, effort: float) -> list[Place]:
        """The cells that it takes at an effort."""
        count = self.count * effort if self.asked else self.count
        return first_cells(self.orbits, min(max(round(count), self.least), self.most))

    def layers_at(self, cells: list[Place]) -> dict[Place, int]:
        """The layers of each of its cells."""
        core = set(first_cells(self.orbits, round(self.core * len(cells))))
        return {place: self.layers if place in core else 1 for place in cells}


@dataclass(frozen=True)
class Counted:
    """A goal that asks for a number: score, or an order that the board does not limit."""

    name: str
    base: float
    least: int = 1
    most: int = 100_000

    def amount(self, effort: float) -> int:
        """The amount asked for at an effort, rounded to a number that is easy to read."""
        bounded = min(max(self.base * effort, self.least), self.most)
        step = 500 if self.name == "score" else 5 if bounded >= 20 else 1
        return max(step * round(bounded / step), 1)


@dataclass(frozen=True)
class Carried:
    """Ingredients to be brought down: some drawn, the others drop in, kept at so many on the board."""

    name: str
    base: float
    places: Orbits
    drawn: int
    keep: int
    most: int = 8

    def amount(self, effort: float) -> int:
        """How many are asked for at an effort."""
        return min(max(1, round(self.base * effort)), self.most)

    def cells(self, effort: float) -> list[Place]:
        """Where they are drawn, never more than asked."""
        return whole_orbits(self.places, min(self.drawn, self.amount(effort)))


@dataclass(frozen=True)
class Draft:
    """A level but for the amounts of its goals and its limit.

    timed   whether its limit is in seconds
    moves   about how many moves it should have
    tokens  pieces on the board whatever the effort
    rest    other keys of the level file

    Ingredients enter at `dispenser_cells`; anywhere if there are none.
    """

    number: int
    about: str
    shape: Shape
    timed: bool
    moves: int
    tokens: dict[Place, str] = field(default_factory=dict)
    spreads: tuple[Spread, ...] = ()
    counted: tuple[Counted, ...] = ()
    carried: tuple[Carried, ...] = ()
    rest: dict[str, Any] = field(default_factory=dict)
    dispenser_cells: tuple[Place, ...] = ()

    def level(self, effort: float = 1.0, limit: int | None = None) -> Level:
        """The level of an effort, with a limit in its own unit."""
        file = _LevelFile(dict(self.tokens))
        for ingredient in self.carried:
            file.carry(ingredient, effort)
        for spread in self.spreads:
            file.spread(spread, effort)
        for counted in self.counted:
            file.ask(counted, effort)
        return Level.model_validate(self._data(file, limit))

    def _data(self, file: "_LevelFile", limit: int | None) -> dict[str, Any]:
        usual = self.moves * (SECONDS_A_MOVE if self.timed else 1)
        goals = {**file.goals, **({"orders": file.orders} if file.orders else {})}
        data: dict[str, Any] = {
            "name": f"Saga {self.number}",
            "about": self.about,
            **({"seconds": float(limit or usual)} if self.timed else {"moves": limit or usual}),
            "board": self._rows(file.tokens),
            "goals": goals,
            **self.rest,
            **({"jelly": self._rows(file.jelly)} if file.jelly else {}),
            **({"locks": self._rows(file.locks)} if file.locks else {}),
        }
        if file.drops and self.dispenser_cells:
            data["dispensers"] = [
                *data.get("dispensers", ()),
                {"at": cell_names(self.dispenser_cells), "drops": file.drops},
            ]
        elif file.drops:
            data["drops"] = [*file.drops, *data.get("drops", ())]
        return data

    def _rows(self, tokens: dict[Place, str]) -> list[str]:
        return [
            " ".join(
                tokens.get((row, column), ".") if (row, column) in self.shape.tiles else "-"
                for column in range(self.shape.columns)
            )
            for row in range(self.shape.rows)
        ]


@dataclass
class _LevelFile:
    """A level file being filled in."""

    tokens: dict[Place, str]
    locks: dict[Place, str] = field(default_factory=dict)
    jelly: dict[Place, str] = field(default_factory=dict)
    goals: dict[str, Any] = field(default_factory=dict)
    orders: dict[str, int] = field(default_factory=dict)
    drops: list[dict[str, Any]] = field(default_factory=list)

    def carry(self, ingredient: Carried, effort: float) -> None:
        """Draws ingredients, lets the others drop in, and asks for all."""
        amount, cells = ingredient.amount(effort), ingredient.cells(effort)
        self.goals.setdefault("ingredients", {})[ingredient.name] = amount
        self.tokens.update(dict.fromkeys(cells, ingredient.name[0].upper()))
        if amount > len(cells):
            drop = {"piece": ingredient.name, "keep": ingredient.keep, "total": amount - len(cells)}
            self.drops.append(drop)

    def spread(self, spread: Spread, effort: float) -> None:
        """Puts a spread on its cells, and adds its goal if it has one."""
        cells = spread.cells(effort)
        for place, layers in spread.layers_at(cells).items():
            self._put(spread, place, layers)
        if spread.asked and spread.name == "jelly":
            self.goals["jelly"] = "all"
        elif spread.asked:
            self.orders[spread.name] = len(cells)

    def _put(self, spread: Spread, place: Place, layers: int) -> None:
        if spread.name == "jelly":
            self.jelly[place] = str(layers)
        elif spread.name == "countdown":
            self.tokens[place] = f".{spread.layers}"
        elif _ELEMENT[spread.name].place == "cover":
            self.locks[place] = _ELEMENT[spread.name].token
            if spread.inside and place in spread.orbits[0]:
                self.tokens[place] = spread.inside
        else:
            self.tokens[place] = _ELEMENT[spread.name].token_of(layers)

    def ask(self, counted: Counted, effort: float) -> None:
        """Adds the goal of a number."""
        goals = self.goals if counted.name == "score" else self.orders
        goals[counted.name] = counted.amount(effort)


def cell_names(places: "list[Place] | tuple[Place, ...]") -> list[str]:
    """The names of cells, from the left."""
    return [cell_name(*place) for place in sorted(places, key=lambda place: (place[1], place[0]))]


_PATTERNS: Final = tuple(PATTERNS)


@dataclass
class Making:
    """A plan on its shape, and what has been added so far; `kept` are cells where nothing more may stand."""

    rng: Draws
    plan: Plan
    shape: Shape
    kept: set[Place] = field(default_factory=set)
    tokens: dict[Place, str] = field(default_factory=dict)
    spreads: list[Spread] = field(default_factory=list)
    counted: list[Counted] = field(default_factory=list)
    carried: list[Carried] = field(default_factory=list)
    drops: list[dict[str, Any]] = field(default_factory=list)
    rest: dict[str, Any] = field(default_factory=dict)
    dispenser_cells: tuple[Place, ...] = ()

    @property
    def size(self) -> int:
        """The number of tiles."""
        return len(self.shape.tiles)

    def somewhere(self, everywhere: bool = False) -> Orbits:
        """The tiles that are not kept, or all, in the order of some pattern."""
        free = self.shape.tiles if everywhere else self.shape.tiles - self.kept
        return ordered(self.shape, self.rng.pick(*_PATTERNS), free)
