"""Level files as text: reading JSON with errors that name line and column, and writing it to be diffed."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from levelsense.errors import LevelError, LevelProblem
from levelsense.json_text import NotJsonError, line_of, parse_json, value_places
from levelsense.level.problems import Place, shown

MAX_BYTES: Final = 1_000_000
WIDTH: Final = 100
ROWS: Final = ("board", "jelly", "locks")


def read_level_file(path: str | Path) -> str:
    """The text of a level file; LevelError if there is no such file or it is no text."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise LevelError([LevelProblem(f"cannot be read: {reason}", str(path))]) from None
    if len(content) > MAX_BYTES:
        words = f"larger than {MAX_BYTES} bytes; expected a level file"
        raise LevelError([LevelProblem(words, str(path))])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        words = f"byte 0x{content[error.start]:02x} is not UTF-8; expected UTF-8 text"
        raise LevelError([LevelProblem(words, str(path), line=line)]) from None


def parse_object(text: str, source: str) -> dict[str, Any]:
    """The object that a JSON text holds; LevelError, with line and column, if it is none."""
    try:
        data = parse_json(text)
    except NotJsonError as error:
        problem = LevelProblem(
            error.reason, source, "not-json", error.line, error.column, excerpt=error.excerpt
        )
        raise LevelError([problem]) from None
    if not isinstance(data, dict):
        words = f"{shown(data)}; expected an object, {{ ... }}"
        raise LevelError([LevelProblem(words, source, "wrong-value", 1)])
    return data


def line_at(text: str, place: Place) -> int:
    """The line of a level file's text where a value stands, or the innermost one around it that there is."""
    places = value_places(text)
    while place and place not in places:
        place = place[:-1]
    return line_of(text, places[place].start) if place in places else 1


def format_level(data: Mapping[str, Any]) -> str:
    """The text of a level file: one key a line, boards drawn as rows with their columns aligned."""
    lines = [f"  {json.dumps(key)}: {_value(key, value, data['board'])}" for key, value in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _value(key: str, value: Any, board: Sequence[str]) -> str:
    """A value of a key as a level file has it."""
    return _rows(value, _column_widths(board)) if key in ROWS and value else _block(value)


def with_values(text: str, values: Mapping[str, Any]) -> str:
    """The text of a level file with other values of keys that it has; all else stays as it is written."""
    places, board = value_places(text), values["board"] if "board" in values else parse_json(text)["board"]
    for key in sorted(values, key=lambda key: places[key,].start, reverse=True):
        place = places[key,]
        text = text[: place.start] + _value(key, values[key], board) + text[place.stop :]
    return text


def _column_widths(rows: Sequence[str]) -> list[int]:
    return [max(map(len, column)) for column in zip(*(row.split() for row in rows), strict=True)]


def _rows(rows: Sequence[str], widths: Sequence[int]) -> str:
    """Rows one below the other; overlays take the board's widths, so that cells stand under cells."""
    drawn = [
        " ".join(token.ljust(width) for token, width in zip(row.split(), widths, strict=True)).rstrip()
        for row in rows
    ]
    return "[\n" + ",\n".join(f"    {_line(row)}" for row in drawn) + "\n  ]"


def _block(value: Any, indent: int = 2) -> str:
    """A value on one line if it fits and is no list of several objects, else an entry a line."""
    line = _line(value)
    several = isinstance(value, list) and len(value) > 1 and isinstance(value[0], dict)
    if not isinstance(value, list | dict) or (not several and len(line) + indent <= WIDTH):
        return line
    inner, outer = " " * (indent + 2), " " * indent
    if isinstance(value, dict):
        entries = [f"{json.dumps(key)}: {_block(entry, indent + 2)}" for key, entry in value.items()]
        return "{\n" + ",\n".join(inner + entry for entry in entries) + f"\n{outer}}}"
    return "[\n" + ",\n".join(inner + _block(entry, indent + 2) for entry in value) + f"\n{outer}]"


def _line(value: Any) -> str:
    return json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: Any) -> Any:
    """The value with whole floats written as designers do: 90, not 90.0."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    return value
