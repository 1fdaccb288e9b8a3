"""A parser of JSON written by hand: errors show the line, a caret, and the probable correction."""

import json
import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NoReturn

from levelsense.errors import printable

_MOST_DIGITS: Final = 20
_WIDTH: Final = 90  # of an excerpt's line
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_CLOSING: Final = {"{": "}", "[": "]"}
_OTHER_QUOTES: Final = "'`\u2018\u2019\u201c\u201d"
_WORDS: Final = {"True": "true", "False": "false", "None": "null", "undefined": "null"}


class NotJsonError(ValueError):
    """A text that is not JSON: `reason` says what is wrong, `excerpt` shows the line with a caret below.

    `line` and `column` count from 1; they are None where the place is not known.
    """

    def __init__(
        self, reason: str, line: int | None = None, column: int | None = None, excerpt: str = ""
    ) -> None:
        self.reason, self.line, self.column, self.excerpt = reason, line, column, excerpt
        super().__init__(reason, line, column, excerpt)

    @property
    def problem(self) -> str:
        """Where the text is wrong, and what is."""
        return self.reason if self.line is None else f"line {self.line}, column {self.column}: {self.reason}"

    def __str__(self) -> str:
        return f"{self.problem}\n{self.excerpt}" if self.excerpt else self.problem


class _RefusedError(ValueError):
    """Something that Python's parser accepts but JSON does not have.

    `place_in` gives its index in a text, or -1.
    """

    def __init__(self, reason: str, place_in: Callable[[str], int]) -> None:
        self.reason, self.place_in = reason, place_in
        super().__init__(reason)


def parse_json(text: str, *, nan: bool = False) -> Any:
    """The value that a JSON text holds, with finite numbers and no key twice; NotJsonError if it is none.

    With `nan`, NaN and Infinity are accepted, as Python writes them.
    """
    try:
        return json.loads(
            text,
            parse_constant=float if nan else _no_constant,
            parse_int=_whole,
            parse_float=_finite,
            object_pairs_hook=_without_repeats,
        )
    except json.JSONDecodeError as error:
        _fail(text, *_diagnosis(text, error))
    except _RefusedError as error:
        if (place := error.place_in(text)) >= 0:
            _fail(text, place, error.reason)
        raise NotJsonError(f"not JSON: {error.reason}") from None
    except RecursionError:
        raise NotJsonError("lists or objects nested too deeply") from None


_TOKEN: Final = re.compile(rf"{_STRING.pattern}|[{{}}\[\]:,]|[^\s{{}}\[\]:,\"]+")


def value_places(text: str) -> dict[tuple[str | int, ...], slice]:
    """Where each value of a JSON text stands, by the keys and numbers that lead to it; the whole is at ().

    None are given of a text whose lists or objects are nested too deeply.
    """
    tokens = list(_TOKEN.finditer(text))
    places: dict[tuple[str | int, ...], slice] = {}

    def walk(number: int, path: tuple[str | int, ...]) -> int:
        """Notes the value that begins with a token, and those in it; gives the number of its last token."""
        start, opening = tokens[number].start(), tokens[number][0]
        entries = 0
        while opening in _CLOSING and tokens[number + 1][0] != _CLOSING[opening]:
            number += 2 if entries else 1  # past the bracket, or past the comma
            key: str | int = entries
            if opening == "{":
                key = json.loads(tokens[number][0])
                number += 2
            number = walk(number, (*path, key))
            entries += 1
        number += opening in _CLOSING
        places[path] = slice(start, tokens[number].end())
        return number

    try:
        walk(0, ())
    except RecursionError:
        return {}
    return places


def line_of(text: str, place: int) -> int:
    """The number, from 1, of the line in which a place of a text is."""
    return _line_and_column(text, place)[0]


def _no_constant(word: str) -> float:
    raise _RefusedError(f"{word} is not a JSON number", partial(_number_place, word))


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise _RefusedError(f"a number of {len(digits)} digits", partial(_number_place, digits))
    return int(digits)


def _finite(number: str) -> float:
    if math.isinf(value := float(number)):
        reason = f"{printable(number[:20])} is greater than any number can be"
        raise _RefusedError(reason, partial(_number_place, number))
    return value


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            quoted_key = json.dumps(key, ensure_ascii=False)
            raise _RefusedError(
                f"the key {printable(quoted_key)} is there twice", partial(_repeat_place, quoted_key)
            )
        result[key] = value
    return result


def _number_place(number: str, text: str) -> int:
    """The index of a number, or of a word in place of one, outside of strings; -1 if there is none."""
    outside = _STRING.sub(lambda string: '"' * len(string[0]), text)
    match = re.search(rf"(?<![\w.+-]){re.escape(number)}(?![\w.])", outside)
    return match.start() if match else -1


def _repeat_place(key: str, text: str) -> int:
    """The index of a key, with its quotes, where it first repeats within an object; -1 if it does not."""
    has_key: list[bool] = []  # for each object around
    for token in re.finditer(rf"{_STRING.pattern}|[{{}}]", text):
        if token[0] == "{":
            has_key.append(False)
        elif token[0] == "}":
            has_key = has_key[:-1]
        elif token[0] == key and has_key and text[token.end() :].lstrip().startswith(":"):
            if has_key[-1]:
                return token.start()
            has_key[-1] = True
    return -1


def _fail(text: str, place: int, reason: str) -> NoReturn:
    """NotJsonError at a place in the text."""
    line, column = _line_and_column(text, place)
    raise NotJsonError(f"not JSON: {reason}", line, column, _excerpt(text, line, column)) from None


def _line_and_column(text: str, place: int) -> tuple[int, int]:
    """The line and the column of a place, from 1."""
    return text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)


def _excerpt(text: str, line: int, column: int) -> str:
    """A line with its number and a caret under a column; of a long line, the part around it."""
    content = printable(text.split("\n")[line - 1].rstrip("\r").replace("\t", " "))
    start = max(0, column - 1 - _WIDTH // 2) if len(content) > _WIDTH else 0
    part, before = content[start : start + _WIDTH], "…" if start else ""
    after = "…" if start + _WIDTH < len(content) else ""
    margin = f"  {line} | "
    return f"{margin}{before}{part}{after}\n{' ' * (len(margin) + len(before) + column - 1 - start)}^"


def _diagnosis(text: str, error: json.JSONDecodeError) -> tuple[int, str]:
    """The index where a text stops being JSON, and what is wrong there, with the probable correction."""
    place = error.pos
    before = len(text[:place].rstrip())
    if not text.strip():
        return 0, "there is nothing in it"
    if error.msg.startswith(("Unterminated string", "Invalid control character")):
        return _unclosed_text(text, error)
    if error.msg.startswith("Invalid \\"):
        return place, 'a backslash that means nothing; a backslash itself is written "\\\\"'
    if error.msg.startswith("Illegal trailing comma"):  # a message of Python 3.13 and later
        closing = text[place + 1 :].lstrip()[0]
        return place, f"a comma after the last entry, before {closing}; leave it out"
    if error.msg == "Extra data":
        return place, _surplus(text, place)
    if place >= len(text.rstrip()):
        return before, _unfinished(text)
    for diagnosis in (_odd_word(text, place), _odd_comma(text, place, before)):
        if diagnosis is not None:
            return diagnosis
    if error.msg.startswith("Expecting ','"):
        return _missing_comma(text, place, before)
    if error.msg.startswith("Expecting ':'"):
        return before, "no colon after the key; expected one here"
    if error.msg.startswith("Expecting property name"):
        return place, "expected a key in double quotes here"
    return place, "expected a value here: a text in double quotes, a number, a list or an object"


def _unclosed_text(text: str, error: json.JSONDecodeError) -> tuple[int, str]:
    """The diagnosis of a quote missing at the end of a line, or of a control character within a text."""
    place = error.pos
    if error.msg.startswith("Invalid control character") and text[place] not in "\r\n":
        name = {"\t": "a tab, which is written \\t"}.get(text[place], f"the character {text[place]!a}")
        return place, f"in a text, {name}"
    end = text.find("\n", place)
    last = len(text[: end if end >= 0 else len(text)].rstrip().rstrip(",]}").rstrip())
    return last, "no double quote at the end of the text; expected one here"


def _surplus(text: str, place: int) -> str:
    line, _ = _line_and_column(text, len(text[:place].rstrip()) - 1)
    if text[place] in "]}":
        return f"a {text[place]} too many; what was opened is closed in line {line} already"
    return f"something after the end, which is the last bracket in line {line}; is that bracket too early?"


def _unfinished(text: str) -> str:
    """What is missing where a text ends too early: a value, or a closing bracket."""
    still_open = _open_brackets(text)
    if not still_open:
        return "it ends too early; expected a value here"
    bracket, place = still_open[-1]
    line, _ = _line_and_column(text, place)
    return f"it ends too early; expected {_CLOSING[bracket]} for the {bracket} in line {line}"


def _open_brackets(text: str) -> list[tuple[str, int]]:
    """The brackets that are open at the end of a text, with their places."""
    still_open: list[tuple[str, int]] = []
    for match in re.finditer(r'"(?:[^"\\\n]|\\.)*"|[\[\]{}]', text):
        mark = match[0]
        if mark in _CLOSING:
            still_open.append((mark, match.start()))
        elif mark in "]}" and still_open:
            still_open.pop()
    return still_open


def _odd_word(text: str, place: int) -> tuple[int, str] | None:
    """The diagnosis of a token of other languages in place of a JSON value or key; None if there is none."""
    if text.startswith(("//", "/*", "#"), place):
        return place, "a comment; JSON has none"
    if text[place] in _OTHER_QUOTES:
        return place, f'{text[place]} in the place of a double quote; expected "'
    match = re.compile(r"[A-Za-z_]\w*").match(text, place)
    if match is not None:
        word = match[0]
        if re.compile(r"\s*:").match(text, match.end()):
            return place, f'a key without quotes; expected "{word}"'
        expected = _WORDS.get(word, f'"{word}", in double quotes')
        return place, f"{printable(word[:30])} without quotes; expected {expected[:50]}"
    if re.compile(r"\+\d|\.\d").match(text, place):
        return place, "a number begins with a digit or with -"
    return None


def _odd_comma(text: str, place: int, before: int) -> tuple[int, str] | None:
    """The diagnosis of a comma too many; None if there is none."""
    if text[place] in "]}" and text[before - 1] == ",":
        return before - 1, f"a comma after the last entry, before {text[place]}; leave it out"
    if text[place] == ",":
        return place, "a comma too many, or nothing before it; expected a value or a key"
    return None


def _missing_comma(text: str, place: int, before: int) -> tuple[int, str]:
    """The diagnosis of an entry that lacks a comma, or of a closing bracket of the wrong kind."""
    still_open = _open_brackets(text[:place])
    if still_open and text[place] in "]}":
        bracket, opened = still_open[-1]
        line, _ = _line_and_column(text, opened)
        return place, f"{text[place]} for the {bracket} in line {line}; expected {_CLOSING[bracket]}"
    if text[place] == ":" and still_open and still_open[-1][0] == "[":
        return place, "a key in a list; expected { } around keys, or a comma"
    return before, "no comma between two entries; expected one here"
