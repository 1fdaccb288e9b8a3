"""The level: what a designer writes, checked, and where the flow to a prediction begins."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.json_schema import WithJsonSchema

from levelsense.errors import LevelError, LevelProblem, OutputError
from levelsense.files import write_text
from levelsense.level.bundled import bundled_levels, bundled_text, full_name, read_source
from levelsense.level.checks import find_problems
from levelsense.level.elements import COVERS
from levelsense.level.fields import (
    BOARD_SCHEMA,
    COLORS_SCHEMA,
    JELLY_SCHEMA,
    LOCKS_SCHEMA,
    CellName,
    Dispenser,
    Drop,
    Goals,
    Pace,
    Part,
    Rows,
    Score,
    Seconds,
    Sugar,
    Teleporter,
    Text,
    Whole,
    check_board,
    check_colors,
    check_jelly,
    check_locks,
    without_null,
)
from levelsense.level.problems import MAX_PROBLEMS, Problem, explain
from levelsense.level.text import format_level, line_at, parse_object
from levelsense.level.tokens import (
    BLOCKERS_IN_WORDS,
    COLORS,
    COUNTS,
    COVERS_IN_WORDS,
    INGREDIENTS,
    Cell,
    Color,
    cell_name,
    parse_cell,
    parse_token,
)

__all__ = [
    "COLORS",
    "COUNTS",
    "Cell",
    "Dispenser",
    "Drop",
    "Goals",
    "Level",
    "Pace",
    "Sugar",
    "Teleporter",
    "bundled_levels",
    "cell_name",
    "parse_cell",
]

DEFAULT_SCORING: Final = {"saga": "saga", "mcadams": "pieces", "plain": "quadratic"}


def _schema_extra(schema: dict[str, Any]) -> None:
    without_null(schema)
    schema["oneOf"] = [{"required": ["moves"]}, {"required": ["seconds"]}]


class Level(Part):
    """A level as docs/levels.md describes it: valid once it exists, and never changed.

    Whatever is wrong with the input is raised together as one LevelError.
    """

    model_config = ConfigDict(title="levelsense level", json_schema_extra=_schema_extra)

    schema_: Text | None = Field(
        None, alias="$schema", description="Where this schema is, for editors; it means nothing to the game."
    )
    name: Annotated[Text, Field(pattern=r"\S")] = Field(description="The level's name.")
    about: Text = Field("", description="A note for people.")
    moves: Annotated[Whole, Field(ge=1, le=999)] | None = Field(
        None, description="How many moves the player has; either this or seconds."
    )
    seconds: Annotated[Seconds, Field(ge=1, le=3600)] | None = Field(
        None, description="How many seconds the player has; either this or moves."
    )
    colors: Annotated[
        int | tuple[Color, ...] | dict[Color, int],
        BeforeValidator(check_colors),
        WithJsonSchema(COLORS_SCHEMA),
    ] = Field(
        6,
        description="The colors that are dealt and drop in: the first so many of red, orange, yellow, "
        "green, blue, purple, cyan, magenta; or a list of names; or an object from name to weight.",
    )
    board: Annotated[Rows, AfterValidator(check_board), WithJsonSchema(BOARD_SCHEMA)] = Field(
        description="Rows of cell tokens, separated by spaces: - no tile, . any candy, r o y g b p c m "
        "candies, r= r| striped, r+ wrapped, r7 countdown bomb, r~ sugar, r@ time, * color bomb, S swirl, "
        f"C cherry, H hazelnut, {BLOCKERS_IN_WORDS}."
    )
    jelly: Annotated[Rows, AfterValidator(check_jelly), WithJsonSchema(JELLY_SCHEMA)] = Field(
        (), description="Rows of the board's shape: . none, 1 or 2 layers, - where there is no tile."
    )
    locks: Annotated[Rows, AfterValidator(check_locks), WithJsonSchema(LOCKS_SCHEMA)] = Field(
        (),
        description=f"Rows of the board's shape: . none, {COVERS_IN_WORDS}, - where no tile is.",
    )
    goals: Goals = Field(description="What must be reached to win: at least one goal.")
    drops: tuple[Drop, ...] = Field(
        (), description="What enters besides plain candies, everywhere but at dispensers."
    )
    dispensers: tuple[Dispenser, ...] = Field(
        (), description="Cells where pieces enter, with drops of their own."
    )
    teleporters: tuple[Teleporter, ...] = Field((), description="What would fall out of from falls into to.")
    exits: tuple[CellName, ...] | None = Field(
        None,
        description="Cells where ingredients leave; if left out, the lowest tile of every column.",
    )
    stars: Annotated[tuple[Score, ...], Field(min_length=3, max_length=3)] | None = Field(
        None, description="The scores of the three stars, ascending."
    )
    bonus: Annotated[bool, Field(strict=True)] = Field(
        False, description="Whether specials, and then remaining moves, go off when the level is won."
    )
    pace: Pace = Field(Pace(), description="For levels with seconds: what things cost and give.")
    sugar: Sugar | None = Field(None, description="What collected sugar drops pay; nothing if left out.")
    rules: Literal["saga", "mcadams", "plain"] = Field("saga", description="The rule set.")
    scoring: Literal["saga", "pieces", "quadratic"] | None = Field(
        None, description="The score scheme; the rule set's if left out."
    )

    @model_validator(mode="wrap")
    @classmethod
    def _check(cls, data: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        context = info.context or {}
        try:
            level = handler(data)
        except ValidationError as error:
            problems = explain(error, data)
        else:
            problems = find_problems(level)
        if problems:
            raise LevelError(_located(problems, context.get("source", "level"), context.get("text")))
        return level

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The level in a file or, for a text that names no file, the bundled level of that name.

        The beginning of a bundled level's name will do if no other begins so.
        """
        source = full_name(path) if isinstance(path, str) else path
        return cls.from_json(read_source(source), str(source))

    @classmethod
    def bundled(cls, name: str) -> Self:
        """The bundled level of a name, whatever files there are."""
        return cls.from_json(bundled_text(name), name)

    @classmethod
    def from_json(cls, text: str, source: str = "level") -> Self:
        """The level that a JSON text describes; `source` is what errors call the text."""
        return cls.model_validate(parse_object(text, source), context={"source": source, "text": text})

    def to_json(self, *, defaults: bool = False) -> str:
        """The text of the level's file: `from_json` of it is the same level.

        Keys at their default are left out; with `defaults`, only those that are not set.
        """
        return format_level(self.to_data(defaults=defaults))

    def to_data(self, *, defaults: bool = False) -> dict[str, Any]:
        """What the level's file holds, without keys at their default; with `defaults`, all that are set."""
        return self.model_dump(
            mode="json", by_alias=True, exclude_unset=defaults, exclude_defaults=not defaults
        )

    def save(self, path: str | Path) -> None:
        """Write the level's file, whole or not at all; LevelError if that cannot be done."""
        try:
            write_text(path, self.to_json())
        except OutputError as error:
            raise LevelError([LevelProblem(error.problem, str(error.path), "unwritable")]) from None

    def __hash__(self) -> int:
        return hash((self.name, self.board))

    @property
    def digest(self) -> str:
        """What the level is known by: 16 hexadecimal digits, a dash, and 48 more.

        The first part is a hash of everything that decides play and outcome: not the name nor the note. The
        second leaves out the limit too, so that it stays the same when moves are added or taken away.
        """
        deciding = self._deciding()
        for_any_limit = {key: value for key, value in deciding.items() if key not in ("moves", "seconds")}
        return f"{_hash_of(deciding)[:16]}-{_hash_of(for_any_limit)[:48]}"

    @property
    def earlier_digest(self) -> str:
        """What databases of earlier versions know the level by."""
        return _hash_of(self._deciding())

    def _deciding(self) -> dict[str, Any]:
        """What the digest covers, equal for files that play alike; what is at its default is left out."""
        deciding = self.model_dump(
            mode="json",
            by_alias=True,
            exclude_defaults=True,
            exclude={"schema_", "name", "about", "colors", "goals", "exits", "scoring"},
        )
        deciding["goals"] = self.asked
        if self.color_table != COLORS[:6]:
            deciding["colors"] = self.color_table
        if self.exits is not None and sorted(self.exit_cells) != sorted(self._lowest_tiles):
            deciding["exits"] = sorted(self.exit_cells)
        if self.scoring_scheme != DEFAULT_SCORING[self.rules]:
            deciding["scoring"] = self.scoring_scheme
        for overlay in ("jelly", "locks"):
            if all(set(row) <= {".", "-", " "} for row in deciding.get(overlay, ())):
                deciding.pop(overlay, None)
        return deciding

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.board)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.board[0].split())

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells in row-major order, with their jelly and blockers."""
        return _cells(self.board, self.jelly, self.locks)

    @property
    def color_table(self) -> tuple[str, ...]:
        """The colors of the level in its order, each as often as its weight."""
        if isinstance(self.colors, int):
            return COLORS[: self.colors]
        if isinstance(self.colors, Mapping):
            return tuple(color for color, weight in self.colors.items() for _ in range(weight))
        return self.colors

    @property
    def scoring_scheme(self) -> str:
        """The score scheme in force: the level's own, or else its rule set's."""
        return self.scoring or DEFAULT_SCORING[self.rules]

    @property
    def has_ingredients(self) -> bool:
        """Whether ingredients are on the board, drop in or are asked for."""
        pieces = {cell.piece for cell in self.cells} | {drop.piece for drop in self.all_drops}
        return bool(self.goals.ingredients) or not pieces.isdisjoint(INGREDIENTS)

    @property
    def all_drops(self) -> tuple[Drop, ...]:
        """The drops of the level, then those of its dispensers."""
        return (*self.drops, *(drop for dispenser in self.dispensers for drop in dispenser.drops))

    @property
    def exit_cells(self) -> tuple[int, ...]:
        """The row-major indexes of the cells where ingredients leave, the default applied."""
        if self.exits is not None:
            return tuple(self.index(name) for name in self.exits)
        return self._lowest_tiles if self.has_ingredients else ()

    @property
    def _lowest_tiles(self) -> tuple[int, ...]:
        tiles = [index for index, cell in enumerate(self.cells) if cell.tile]
        return tuple({index % self.columns: index for index in tiles}.values())

    def index(self, name: str) -> int:
        """The row-major index of a cell by its name."""
        row, column = parse_cell(name)
        return row * self.columns + column

    @property
    def asked(self) -> dict[str, int]:
        """What the goals ask: the score, if any, then the counts in the order of COUNTS."""
        goals: Counter[str] = Counter()
        goals.update(self.goals.ingredients)
        goals.update(self.goals.orders)
        layers = sum(cell.jelly for cell in self.cells)
        goals["jelly"] = layers if self.goals.jelly == "all" else self.goals.jelly or 0
        goals["score"] = self.goals.score or 0
        return {name: goals[name] for name in ("score", *COUNTS) if goals[name]}


def _hash_of(data: dict[str, Any]) -> str:
    """SHA-256 of data as JSON, in hexadecimal."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _located(problems: list[Problem], source: str, text: str | None) -> list[LevelProblem]:
    """The problems with the file that they are in and, if its text is known, the line; the first of many."""
    located = [
        LevelProblem(
            problem.words,
            source,
            problem.code,
            None if text is None else line_at(text, problem.place),
            cell=problem.cell,
        )
        for problem in problems[:MAX_PROBLEMS]
    ]
    if len(problems) > MAX_PROBLEMS:
        more = f"and {len(problems) - MAX_PROBLEMS} problems more"
        located.append(LevelProblem(more, source, "more-problems"))
    return located


@lru_cache(maxsize=256)
def _cells(board: Rows, jelly: Rows, locks: Rows) -> tuple[Cell, ...]:
    """The cells that checked rows draw."""
    cells = [parse_token(token) for row in board for token in row.split()]
    layers = [token for row in jelly for token in row.split()] or ["."] * len(cells)
    covers = [token for row in locks for token in row.split()] or ["."] * len(cells)
    return tuple(
        Cell(
            tile=cell.tile,
            piece=cell.piece,
            color=cell.color,
            blocker=COVERS.get(cover, cell.blocker),
            layers=cell.layers,
            jelly=int(layer) if layer.isdigit() else 0,
            timer=cell.timer,
        )
        for cell, layer, cover in zip(cells, layers, covers, strict=True)
        if cell is not None
    )
