"""New levels to begin with: an open board with a goal, to be drawn on and tuned."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from levelsense.errors import LevelError
from levelsense.level.level import Level
from levelsense.level.tokens import COLORS, INGREDIENTS, MAX_SIDE, MIN_SIDE

MOVES: Final = 25
SIZE: Final = (9, 9)
GOAL: Final = "jelly"
COLORS_DEALT: Final = 6
ABOUT: Final = "A new level. docs/levels.md explains its keys and the tokens of the board."
# What a goal without a number asks for in MOVES moves.
_SPECIALS: Final = {"striped": 4, "wrapped": 2, "color bomb": 1}
_INGREDIENTS: Final = 1
_POINTS_A_TILE: Final = 120
_CANDIES_A_ROW: Final = 4  # of one color; a column counts where there are fewer

GOALS: Final = ("jelly", "score", *INGREDIENTS, *COLORS[:COLORS_DEALT], *_SPECIALS)


def title_of(path: str | Path) -> str:
    """A level's name from that of its file: `30-grand-tour.json` is `Grand tour`."""
    stem = Path(path).name.removesuffix(".json")
    words = re.sub(r"[-_\s]+", " ", re.sub(r"^\d+[-_\s]+(?=\S)", "", stem)).strip()
    return words[:1].upper() + words[1:] if words else "New level"


def new_level(
    title: str,
    size: tuple[int, int] = SIZE,
    goals: Mapping[str, int | None] | None = None,
    moves: int = MOVES,
) -> Level:
    """A level with an open board of so many rows and columns, and goals: each with its number, or None.

    None is a number that suits the size of the board. LevelError if there is no such board, goal or number.
    """
    rows, columns = size
    for name, side in (("rows", rows), ("columns", columns)):
        if not MIN_SIDE <= side <= MAX_SIDE:
            raise LevelError([f"`size`: {side} {name}; expected {MIN_SIDE} to {MAX_SIDE}"])
    asked = {name: _number(name, number, size) for name, number in (goals or {GOAL: None}).items()}
    data: dict[str, Any] = {
        "name": title,
        "about": ABOUT,
        "moves": moves,
        "colors": COLORS_DEALT,
        "board": [" ".join("." * columns)] * rows,
        "goals": _goals(asked),
    }
    if "jelly" in asked:
        data["jelly"] = _jelly(rows, columns)
    dropped = [name for name in asked if name in INGREDIENTS]
    if dropped:
        data["drops"] = [{"piece": name, "keep": 1, "total": asked[name]} for name in dropped]
    return Level.model_validate(data, context={"source": "new level"})


def _number(name: str, number: int | None, size: tuple[int, int]) -> int | str:
    """What a goal asks for: as given, or else a number that suits a board of this size."""
    if name not in GOALS:
        raise LevelError([f"`goals`: {name!r} is no goal of a new level; expected one of {', '.join(GOALS)}"])
    if number is not None:
        return number
    rows, columns = size
    if name == "jelly":
        return "all"
    if name == "score":
        return _POINTS_A_TILE * rows * columns
    if name in COLORS:
        return _CANDIES_A_ROW * min(rows, columns)
    return _SPECIALS.get(name, _INGREDIENTS)


def _goals(asked: Mapping[str, int | str]) -> dict[str, Any]:
    goals: dict[str, Any] = {name: asked[name] for name in ("score", "jelly") if name in asked}
    ingredients = {name: number for name, number in asked.items() if name in INGREDIENTS}
    orders = {name: number for name, number in asked.items() if name in COLORS or name in _SPECIALS}
    parts = {"ingredients": ingredients, "orders": orders}
    return goals | {key: numbers for key, numbers in parts.items() if numbers}


def _jelly(rows: int, columns: int) -> list[str]:
    """A layer of jelly in the middle, half as high and half as wide as the board."""
    above, left = rows // 4, columns // 4
    row = " ".join("1" if left <= column < columns - left else "." for column in range(columns))
    return [row if above <= number < rows - above else " ".join("." * columns) for number in range(rows)]
