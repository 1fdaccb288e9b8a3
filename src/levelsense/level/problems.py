"""The problems of a level file as sentences: where, the value, and what was expected."""

import difflib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from levelsense.level.elements import COVERS
from levelsense.level.tokens import MAX_SIDE, cell_name

Place = tuple[str | int, ...]  # the keys and numbers that lead to a value of the file

MAX_PROBLEMS: Final = 20
PROBLEMS: Final = "level_problems"

_COLOR: Final = "a color name: red, orange, yellow, green, blue, purple, cyan or magenta"
_CELL: Final = "a cell name such as c6, column a to l and row 1 to 12"
_SCORE: Final = "a whole number from 1 to 1000000000"
_DROPS: Final = "a list of drops, each an object with a piece and a rate or keep"
_DROP: Final = {
    "": 'an object such as {"piece": "cherry", "keep": 1}',
    ".piece": "one of candy, striped, wrapped, color bomb, swirl, cherry, hazelnut, sugar, time, countdown",
    ".rate": "a number above 0 up to 1, with at most four decimals",
    ".keep": "a whole number from 1 to 99",
    ".total": "a whole number from 1 to 999",
    ".color": _COLOR,
    ".timer": "a whole number from 1 to 99",
}

# By the path of keys; [] stands for an entry of a list, * for any name of an object.
EXPECTED: Final[Mapping[str, str]] = {
    "": "an object, { ... }",
    "$schema": "text, the address of the JSON Schema",
    "name": "text with at least one visible character",
    "about": "text",
    "moves": "a whole number from 1 to 999",
    "seconds": "a number from 1 to 3600, with at most three decimals",
    "colors": "a number from 2 to 8, a list of color names, or an object from color name to weight",
    "board": "a list of rows, each a text of cell tokens",
    "board[]": "a text of cell tokens separated by spaces",
    "jelly": "a list of rows, each a text of jelly tokens",
    "jelly[]": "a text of the tokens . 1 2 - separated by spaces",
    "locks": "a list of rows, each a text of lock tokens",
    "locks[]": f"a text of the tokens . {' '.join(sorted(COVERS))} - separated by spaces",
    "goals": "an object with at least one of score, jelly, ingredients, orders",
    "goals.score": _SCORE,
    "goals.jelly": '"all" or a whole number of layers from 1',
    "goals.ingredients": 'an object such as {"cherry": 2}',
    "goals.ingredients.*": "a whole number from 1 to 999",
    "goals.orders": 'an object such as {"red": 30}',
    "goals.orders.*": "a whole number from 1 to 9999",
    "drops": _DROPS,
    **{f"drops[]{key}": text for key, text in _DROP.items()},
    "dispensers": "a list of dispensers",
    "dispensers[]": 'an object such as {"at": ["c1"], "drops": [...]}',
    "dispensers[].at": 'a list of at least one cell, such as ["c1"]',
    "dispensers[].at[]": _CELL,
    "dispensers[].drops": _DROPS,
    **{f"dispensers[].drops[]{key}": text for key, text in _DROP.items()},
    "teleporters": "a list of teleporters",
    "teleporters[]": 'an object such as {"from": "c6", "to": "g1"}',
    "teleporters[].from": _CELL,
    "teleporters[].to": _CELL,
    "exits": 'a list of cells, such as ["c6", "e6"]',
    "exits[]": _CELL,
    "stars": "a list of three scores, ascending",
    "stars[]": _SCORE,
    "bonus": "true or false",
    "pace": 'an object such as {"move": 2.0, "round": 0.5, "time_candy": 5.0}',
    "pace.move": "a number of seconds from 0.001 to 60, with at most three decimals",
    "pace.round": "a number of seconds from 0 to 60, with at most three decimals",
    "pace.time_candy": "a number of seconds from 0 to 600, with at most three decimals",
    "sugar": 'an object such as {"every": 10, "pays": ["striped", "wrapped"]}',
    "sugar.every": "a whole number from 1 to 999",
    "sugar.pays": "a list of one to 16 of striped, wrapped, color bomb",
    "sugar.pays[]": "one of striped, wrapped, color bomb",
    "rules": "one of saga, mcadams, plain",
    "scoring": "one of saga, pieces, quadratic",
}


@dataclass(frozen=True)
class Problem:
    """A thing that is wrong with a level: a code for programs, its place in the file, and words about it.

    The codes stay the same; docs/levels.md lists them.
    """

    code: str
    place: Place
    words: str
    cell: str | None = None


def shown(value: Any) -> str:
    """A value as its JSON text, shortened to fit in a sentence."""
    try:
        return shortened(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        return shortened(repr(value))


def shortened(text: str) -> str:
    """The text, cut if it is too long for a sentence, and with nothing in it that cannot be printed."""
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= 60 else f"{text[:50]}... ({len(text)} characters)"


def suggestion(name: Any, known: Iterable[str]) -> str:
    """What to write in place of an unknown name: the nearest known one, or all of them."""
    known = list(known)
    if not isinstance(name, str):
        return f"expected one of {', '.join(known)}"
    turned = "+".join(reversed(name.split("+")))
    near = [turned] if turned in known else difflib.get_close_matches(name.lower(), known, n=1)
    return f"did you mean {shown(near[0])}?" if near else f"expected one of {', '.join(known)}"


def explain(error: ValidationError, data: Any) -> list[Problem]:
    """What Pydantic found in `data`, a problem a place, in the order of the file's keys."""
    problems: dict[Problem, None] = {}
    for detail in error.errors(include_url=False):
        problems.update(dict.fromkeys(_problems(detail, data)))
    return list(problems)


def _problems(detail: Mapping[str, Any], data: Any) -> list[Problem]:
    kind, place = detail["type"], tuple(detail["loc"])
    if kind == PROBLEMS:
        return list(detail["ctx"]["problems"])
    if kind == "extra_forbidden":
        known, words = _keys_of(_path(place[:-1])), _prefix(place[:-1])
        words += f"unknown key {shown(place[-1])}; {suggestion(place[-1], known)}"
        return [Problem("unknown-key", place, words)]
    if place and place[-1] == "[key]":
        known, words = _names_of(detail), _prefix(place[:-2])
        words += f"unknown name {shown(place[-2])}; {suggestion(place[-2], known)}"
        return [Problem("unknown-name", place[:-1], words)]
    place = _known_place(place)
    expected = EXPECTED[_path(place)]
    if kind == "missing":
        return [Problem("missing-key", place[:-1], f"{place_words(place)} is missing; expected {expected}")]
    value = shown(_value_at(data, place, detail["input"]))
    return [Problem("wrong-value", place, f"{_prefix(place)}{value}; expected {expected}")]


def _names_of(detail: Mapping[str, Any]) -> list[str]:
    """The names that Pydantic lists as "'a', 'b' or 'c'"."""
    return str(detail["ctx"]["expected"]).replace(" or ", ", ").replace("'", "").split(", ")


def _keys_of(path: str) -> list[str]:
    start = f"{path}." if path else ""
    keys = [key.removeprefix(start) for key in EXPECTED if key.startswith(start) and key != path]
    return [key for key in keys if key and not set(key) & set(".[*$")]


def _path(place: Place) -> str:
    """The place as a path in EXPECTED."""
    path = ""
    for part in place:
        if isinstance(part, int):
            path += "[]"
        elif f"{path}.*" in EXPECTED:
            path += ".*"
        else:
            path += f".{part}" if path else part
    return path


def _known_place(place: Place) -> Place:
    """The innermost place that is one of the file's: Pydantic adds the branch of a union below it."""
    while _path(place) not in EXPECTED:
        place = place[:-1]
    return place


def _value_at(data: Any, place: Place, otherwise: Any) -> Any:
    for part in place:
        try:
            data = data[part]
        except (TypeError, KeyError, IndexError):
            return otherwise
    return data


def place_words(place: Place) -> str:
    """The place in words: 'board row 3', 'dispensers 1, drops 2, rate'."""
    words: list[str] = []
    for part in place:
        if isinstance(part, str):
            words.append(part)
        elif words[-1] in ("board", "jelly", "locks"):
            words[-1] += f" row {part + 1}"
        else:
            words[-1] += f" {part + 1}"
    return ", ".join(words)


def _prefix(place: Place) -> str:
    return f"{place_words(place)}: " if place else ""


def cell_of(row: int, column: int) -> str | None:
    """The name of a cell by its row and column counted from 0; None if no board is as large as that."""
    is_on_a_board = row < MAX_SIDE and column < MAX_SIDE
    return cell_name(row, column) if is_on_a_board else None


def cell_problem(code: str, key: str, row: int, column: int, words: str) -> Problem:
    """A problem of a token in a drawing, by its row and column counted from 0."""
    cell = cell_of(row, column)
    where = f"{key}, {cell}" if cell else f"{key} row {row + 1}, column {column + 1}"
    return Problem(code, (key, row), f"{where}: {words}", cell)
