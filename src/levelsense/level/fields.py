"""The keys of a level file and the objects inside it, with the checks that a type cannot express."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from levelsense.level.elements import ON_BOARD
from levelsense.level.problems import PROBLEMS, Problem, cell_problem, shortened, shown, suggestion
from levelsense.level.tokens import (
    CELL_PATTERN,
    COLORS,
    COVER_TOKENS,
    MAX_SIDE,
    MIN_SIDE,
    TOKEN_PATTERN,
    TOKENS_IN_WORDS,
    Color,
    DropPiece,
    Ingredient,
    Order,
    Special,
    parse_token,
)

MAX_WEIGHT = 256
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


def rows_schema(token_pattern: str, fewest: int) -> dict[str, Any]:
    """The JSON Schema of a board or overlay drawn as rows of tokens."""
    row = rf"^\s*{token_pattern}(\s+{token_pattern}){{{MIN_SIDE - 1},{MAX_SIDE - 1}}}\s*$"
    return {
        "type": "array",
        "items": {"type": "string", "pattern": row},
        "minItems": fewest,
        "maxItems": MAX_SIDE,
    }


BOARD_SCHEMA = rows_schema(TOKEN_PATTERN, MIN_SIDE)
JELLY_SCHEMA = rows_schema("[-.12]", 0)
LOCKS_SCHEMA = rows_schema(f"[-.{COVER_TOKENS}]", 0)
COLORS_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "integer", "minimum": 2, "maximum": len(COLORS)},
        {"type": "array", "items": {"enum": list(COLORS)}, "minItems": 2, "uniqueItems": True},
        {
            "type": "object",
            "propertyNames": {"enum": list(COLORS)},
            "additionalProperties": {"type": "integer", "minimum": 1, "maximum": MAX_WEIGHT - 1},
            "minProperties": 2,
        },
    ]
}


def refuse(problems: Sequence[Problem]) -> None:
    """Raise the problems, if there are any, for Pydantic to collect with those of other keys."""
    if problems:
        raise PydanticCustomError(PROBLEMS, "{problems}", {"problems": list(problems)})


def has_decimals(places: int) -> Callable[[float], float]:
    """A check that a number has no more than so many decimals, since the game counts in such steps."""

    def check(number: float) -> float:
        if round(number, places) != number:
            raise ValueError(f"more than {places} decimals")
        return number

    return check


def check_board(rows: tuple[str, ...]) -> tuple[str, ...]:
    """The rows with one space between tokens; refused unless they draw a board."""
    problems = _shape_problems(rows) + _token_problems(rows)
    if not problems and not any(token != "-" for row in rows for token in row.split()):
        problems.append(_shape("board: no tile anywhere; expected at least one token other than -"))
    refuse(problems)
    return _spaced(rows)


def check_jelly(rows: tuple[str, ...]) -> tuple[str, ...]:
    """The rows with one space between tokens; refused if a token is not one of jelly."""
    refuse(_overlay_problems("jelly", rows, "-.12", "., 1, 2 or - where the board has no tile"))
    return _spaced(rows)


def check_locks(rows: tuple[str, ...]) -> tuple[str, ...]:
    """The rows with one space between tokens; refused if a token is not one of locks."""
    expected = f"., {', '.join(COVER_TOKENS)} or - where the board has no tile"
    refuse(_overlay_problems("locks", rows, f"-.{COVER_TOKENS}", expected))
    return _spaced(rows)


def check_colors(value: Any) -> Any:
    """The colors as given; refused unless they are a number, a list or weights."""
    if isinstance(value, Mapping):
        refuse(_name_problems(value) + _weight_problems(value))
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        refuse(_name_problems(value) + _repeated_problems(value))
    elif not (type(value) is int and 2 <= value <= len(COLORS)):
        raise ValueError("not colors")
    return value


def _spaced(rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(" ".join(row.split()) for row in rows)


def _shape(words: str, *row: int) -> Problem:
    return Problem("board-shape", ("board", *row), words)


def _shape_problems(rows: tuple[str, ...]) -> list[Problem]:
    if not MIN_SIDE <= len(rows) <= MAX_SIDE:
        return [_shape(f"board: {len(rows)} rows; expected {MIN_SIDE} to {MAX_SIDE}")]
    widths = [len(row.split()) for row in rows]
    usual = Counter(widths).most_common(1)[0][0]
    if not MIN_SIDE <= usual <= MAX_SIDE:
        sides = f"{MIN_SIDE} to {MAX_SIDE}, separated by spaces"
        return [_shape(f"board: {_tokens(usual)} in a row; expected {sides}")]
    return [
        _shape(f"board row {number + 1}: {_tokens(width)}; expected {usual}, as in the other rows", number)
        for number, width in enumerate(widths)
        if width != usual
    ]


def _token_problems(rows: tuple[str, ...]) -> list[Problem]:
    if not any(len(row.split()) > 1 for row in rows):
        return []  # the rows are not divided into tokens at all, which their width tells
    return [
        cell_problem("unknown-token", "board", number, column, _unknown_token(token))
        for number, row in enumerate(rows)
        for column, token in enumerate(row.split())
        if parse_token(token) is None
    ]


def _tokens(number: int) -> str:
    return "1 token" if number == 1 else f"{number} tokens"


def _unknown_token(token: str) -> str:
    for element in ON_BOARD:
        if element.most_layers > 1 and re.fullmatch(rf"{element.token}\d*", token):
            layers = f"{element.name} of one to {_NUMBERS[element.most_layers]} layers"
            return f"unknown token {token!r}; expected {element.tokens_in_words}, {layers}"
    if re.fullmatch(r"[roygbpcm.]\d+", token):
        return f"unknown token {token!r}; expected a countdown bomb's number from 1 to 99"
    return f"unknown token {shortened(repr(token))}; expected one of {TOKENS_IN_WORDS}"


def _overlay_problems(key: str, rows: tuple[str, ...], tokens: str, expected: str) -> list[Problem]:
    return [
        cell_problem(
            "unknown-token",
            key,
            number,
            column,
            f"unknown token {shortened(repr(token))}; expected {expected}",
        )
        for number, row in enumerate(rows)
        for column, token in enumerate(row.split())
        if len(token) != 1 or token not in tokens
    ]


def _colors(words: str, *name: Any) -> Problem:
    return Problem("colors", ("colors", *name), words)


def _name_problems(names: Any) -> list[Problem]:
    problems = [
        _colors(f"colors: unknown color {shown(name)}; {suggestion(name, COLORS)}")
        for name in names
        if name not in COLORS
    ]
    if not problems and len(set(names)) < 2:
        problems.append(_colors(f"colors: {len(set(names))} different; expected at least 2"))
    return problems


def _repeated_problems(names: Sequence[Any]) -> list[Problem]:
    return [
        _colors(
            f'colors: {name} is listed twice; expected each once, or weights such as {{"{name}": 2, ...}}'
        )
        for name in COLORS
        if list(names).count(name) > 1
    ]


def _weight_problems(weights: Mapping[Any, Any]) -> list[Problem]:
    wrong = [
        _colors(f"colors, {name}: {shown(weight)}; expected a whole number from 1", name)
        for name, weight in weights.items()
        if type(weight) is not int or weight < 1
    ]
    together = 0 if wrong else sum(weights.values())
    if together > MAX_WEIGHT:
        wrong.append(_colors(f"colors: the weights are {together} together; expected at most {MAX_WEIGHT}"))
    return wrong


def without_null(schema: dict[str, Any]) -> None:
    """Take null out of the schema: a key that has no value is left out of the file."""
    for key in schema["properties"].values():
        if key.get("default", ...) is None:
            del key["default"]
            choices = [choice for choice in key.pop("anyOf") if choice != {"type": "null"}]
            key.update(choices[0] if len(choices) == 1 else {"anyOf": choices})


def is_unicode(text: str) -> str:
    """The text, refused if it holds half a surrogate pair, which no file can hold."""
    text.encode("utf-8")
    return text


Whole = Annotated[int, Field(strict=True)]
Score = Annotated[int, Field(strict=True, ge=1, le=1_000_000_000)]
Seconds = Annotated[float, Field(strict=True, allow_inf_nan=False), AfterValidator(has_decimals(3))]
Rate = Annotated[float, Field(strict=True, gt=0, le=1), AfterValidator(has_decimals(4))]
Text = Annotated[str, StringConstraints(strict=True), AfterValidator(is_unicode)]
CellName = Annotated[str, StringConstraints(strict=True, pattern=CELL_PATTERN)]
Rows = tuple[Text, ...]


class Part(BaseModel):
    """An object of a level file: never changed, and without keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=without_null)


class Goals(Part):
    """What must be reached to win; all of it."""

    score: Score | None = Field(None, description="At least so many points.")
    jelly: Annotated[Whole, Field(ge=1, le=288)] | Literal["all"] | None = Field(
        None, description="Layers of jelly to remove, or all."
    )
    ingredients: dict[Ingredient, Annotated[Whole, Field(ge=1, le=999)]] = Field(
        {}, description="So many of each brought to an exit."
    )
    orders: dict[Order, Annotated[Whole, Field(ge=1, le=9999)]] = Field(
        {},
        description="So many of each: a color removed, a special made, a combination swapped, "
        "a blocker removed, or a candy removed that carries something.",
    )


class Drop(Part):
    """What an entry lets in besides plain candies, by `rate` or on demand by `keep`."""

    piece: DropPiece = Field(description="The piece that enters.")
    rate: Rate | None = Field(
        None,
        description="Share of new pieces, in steps of 0.0001; either this or keep. "
        "The rates of one list add up to 1 at most.",
    )
    keep: Annotated[Whole, Field(ge=1, le=99)] | None = Field(
        None, description="Enters whenever fewer than so many are on the board; either this or rate."
    )
    total: Annotated[Whole, Field(ge=1, le=999)] | None = Field(
        None, description="At most so many in an attempt; no limit if left out."
    )
    color: Color | None = Field(None, description="For pieces that have a color; drawn if left out.")
    timer: Annotated[Whole, Field(ge=1, le=99)] | None = Field(
        None, description="The number of moves of a countdown bomb."
    )


class Dispenser(Part):
    """Cells where pieces enter, with drops of their own."""

    at: Annotated[tuple[CellName, ...], Field(min_length=1)] = Field(
        description="Cells such as c1: a column letter and a row number from the top left."
    )
    drops: tuple[Drop, ...] = Field((), description="What enters here besides plain candies.")


class Teleporter(Part):
    """What would fall out of `from` falls into `to`."""

    from_: CellName = Field(alias="from", description="The entrance: a cell such as c6.")
    to: CellName = Field(description="The exit: a cell such as g1.")


class Pace(Part):
    """What things cost and give in a level with seconds, in seconds."""

    move: Annotated[Seconds, Field(ge=0.001, le=60)] = Field(2.0, description="What a move costs.")
    round: Annotated[Seconds, Field(ge=0, le=60)] = Field(0.5, description="What a round of a cascade costs.")
    time_candy: Annotated[Seconds, Field(ge=0, le=600)] = Field(
        5.0, description="What a time candy gives back."
    )


class Sugar(Part):
    """Every so many sugar drops pay out the next special of `pays`, the last one again and again."""

    every: Annotated[Whole, Field(ge=1, le=999)] = Field(description="Sugar drops for a payout.")
    pays: Annotated[tuple[Special, ...], Field(min_length=1, max_length=16)] = Field(
        description="The specials paid out, in order."
    )
