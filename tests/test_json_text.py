"""JSON written by hand: where it is wrong and what was probably meant."""

import pickle

import pytest

from levelsense.json_text import NotJsonError, line_of, parse_json, value_places
from levelsense.level.bundled import bundled_levels, bundled_text

NO_QUOTE = "no double quote at the end of the text; expected one here"
BACKSLASH = 'a backslash that means nothing; a backslash itself is written "\\\\"'


def refusal(text: str) -> NotJsonError:
    with pytest.raises(NotJsonError) as caught:
        parse_json(text)
    return caught.value


def test_json_is_read() -> None:
    assert parse_json('{"a": [1, 2.5, -3e2, true, null, "x\\n"], "b": {"a": 0}}') == {
        "a": [1, 2.5, -300.0, True, None, "x\n"],
        "b": {"a": 0},
    }


def test_python_writes_numbers_that_json_does_not_have() -> None:
    nan, most = parse_json("[NaN, -Infinity]", nan=True)
    assert nan != nan
    assert most == float("-inf")
    with pytest.raises(NotJsonError, match="1e400 is greater than any number can be"):
        parse_json("[1e400]", nan=True)


def test_the_line_that_lacks_a_comma_is_shown() -> None:
    """And not the next one, where the reader stumbles."""
    error = refusal('{\n  "name": "A",\n  "moves": 20\n\n  "goals": {"score": 1}\n}')
    assert str(error) == (
        "line 3, column 14: not JSON: no comma between two entries; expected one here\n"
        '  3 |   "moves": 20\n'
        "                   ^"
    )


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("", (1, 1), "there is nothing in it"),
        (" \n\n ", (1, 1), "there is nothing in it"),
        ('["r g" "b r"]', (1, 7), "no comma between two entries; expected one here"),
        ('{"a": 1,\n}', (1, 8), "a comma after the last entry, before }; leave it out"),
        ('["r",\n "b",\n]', (2, 5), "a comma after the last entry, before ]; leave it out"),
        ('["r",,"b"]', (1, 6), "a comma too many, or nothing before it; expected a value or a key"),
        ('{,"a": 1}', (1, 2), "a comma too many, or nothing before it; expected a value or a key"),
        ('{"a" 1}', (1, 5), "no colon after the key; expected one here"),
        ('{"a": }', (1, 7), "expected a value here: a text in double quotes, a number, a list or an object"),
        ("{1: 2}", (1, 2), "expected a key in double quotes here"),
        ("{'a': 1}", (1, 2), "' in the place of a double quote; expected \""),
        ('{"a": “x”}', (1, 7), '“ in the place of a double quote; expected "'),
        ("{moves: 1}", (1, 2), 'a key without quotes; expected "moves"'),
        ('{"a": True}', (1, 7), "True without quotes; expected true"),
        ('{"a": None}', (1, 7), "None without quotes; expected null"),
        ('{"a": red}', (1, 7), 'red without quotes; expected "red", in double quotes'),
        ('{"a": .5}', (1, 7), "a number begins with a digit or with -"),
        ('{"a": 1 // moves\n}', (1, 9), "a comment; JSON has none"),
        ('# a level\n{"a": 1}', (1, 1), "a comment; JSON has none"),
        (
            '{\n "name": "A,\n "moves": 3}',
            (2, 12),
            NO_QUOTE,
        ),
        ('{"a": "b', (1, 9), NO_QUOTE),
        ('{"a": "b}', (1, 9), NO_QUOTE),
        ('{"a": "b\tc"}', (1, 9), "in a text, a tab, which is written \\t"),
        ('{"a": "b\x1bc"}', (1, 9), "in a text, the character '\\x1b'"),
        (
            '{"a": "C:\\levels"}',
            (1, 10),
            BACKSLASH,
        ),
        ('{"a": [1, 2}', (1, 12), "} for the [ in line 1; expected ]"),
        ('{"a": [\n 1, 2', (2, 6), "it ends too early; expected ] for the [ in line 1"),
        ('{"a": {"b": 1},\n', (1, 16), "it ends too early; expected } for the { in line 1"),
        ('{"a":', (1, 6), "it ends too early; expected } for the { in line 1"),
        ('{"a": 1}\n}', (2, 1), "a } too many; what was opened is closed in line 1 already"),
        (
            '{"a": 1},\n"b": 2}',
            (1, 9),
            "something after the end, which is the last bracket in line 1; is that bracket too early?",
        ),
        ('["a": 1]', (1, 5), "a key in a list; expected { } around keys, or a comma"),
        ('{"a": 1e400}', (1, 7), "1e400 is greater than any number can be"),
        ('{"b": 0,\n "a": -1e400}', (2, 7), "-1e400 is greater than any number can be"),
        ('{"a": NaN}', (1, 7), "NaN is not a JSON number"),
        ('{"a": 123456789012345678901}', (1, 7), "a number of 21 digits"),
        ('{"x": NaN,\n"note": "NaN is fine"}', (1, 7), "NaN is not a JSON number"),
        ('{"note": "1e400",\n"x": 1e400}', (2, 6), "1e400 is greater than any number can be"),
        ('{"a": 1,\n"b": 2,\n"a": 3}', (3, 1), 'the key "a" is there twice'),
        ('[{"a": {},\n"a": 3},\n{"a": 4}]', (2, 1), 'the key "a" is there twice'),
        ('{"a": {"a": 1},\n"b": "\\"a\\": {",\n"a": 4}', (3, 1), 'the key "a" is there twice'),
    ],
)
def test_what_is_wrong(text: str, place: tuple[int, int], reason: str) -> None:
    line, column = place
    error = refusal(text)
    assert error.problem == f"line {line}, column {column}: not JSON: {reason}"
    shown, caret = error.excerpt.split("\n")
    margin = f"  {line} | "
    assert shown.startswith(margin)
    assert caret == " " * (len(margin) + column - 1) + "^"


def test_a_long_line_is_shown_in_part() -> None:
    error = refusal('{"a": [' + "1, " * 5000 + "x]}")
    shown, caret = error.excerpt.split("\n")
    assert len(shown) < 110
    assert shown.startswith(("  1 | …1, ", "  1 | …, 1"))
    assert shown[caret.index("^")] == "x"


def test_lines_of_a_file_reach_no_terminal_as_they_are() -> None:
    error = refusal('{"a": 1 "\x1b[31m\u202e"}')
    assert error.excerpt.split("\n")[0] == '  1 | {"a": 1 "␛[31m\ufffd"}'


def test_depth_is_a_sentence() -> None:
    for text in ("[" * 200_000, '{"a":' * 200_000, "[" * 200_000 + "]" * 200_000):
        assert refusal(text).problem == "lists or objects nested too deeply"


def test_the_error_survives_pickling() -> None:
    error = refusal("[1 2]")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


# Where values stand


def test_values_are_found_by_what_leads_to_them() -> None:
    text = '{"a": [1, {"b": "x, y"}, []],\n "c\\"": {}, "d": -2.5e3}'
    values = {path: text[place] for path, place in value_places(text).items()}
    assert values == {
        (): text,
        ("a",): '[1, {"b": "x, y"}, []]',
        ("a", 0): "1",
        ("a", 1): '{"b": "x, y"}',
        ("a", 1, "b"): '"x, y"',
        ("a", 2): "[]",
        ('c"',): "{}",
        ("d",): "-2.5e3",
    }
    assert line_of(text, value_places(text)["d",].start) == 2


@pytest.mark.parametrize("name", bundled_levels())
def test_every_place_holds_the_value_that_a_parser_finds_there(name: str) -> None:
    text = bundled_text(name)
    data = parse_json(text)
    for path, place in value_places(text).items():
        value = data
        for part in path:
            value = value[part]
        assert parse_json(text[place]) == value


def test_too_deep_a_nest_has_no_places() -> None:
    assert value_places("[" * 100_000 + "]" * 100_000) == {}
