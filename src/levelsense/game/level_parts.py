"""The objects inside a level file: goals, drops, dispensers, teleporters, pace and sugar."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from levelsense.game.level_fields import has_decimals
from levelsense.game.tokens import CELL_PATTERN, Color, DropPiece, Ingredient, Order, Special


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
