"""Level files: what is read, what is written, and what is refused in which words."""

import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levelsense.errors import LevelError, LevelsenseError
from levelsense.level.level import COLORS, COUNTS, Cell, Level, bundled_levels, cell_name, parse_cell
from levelsense.level.problems import EXPECTED

DOCS = Path(__file__).parents[2] / "docs"
BOARD = [". . . .", ". . . .", ". . . .", ". . . ."]
JELLY = [". . . .", ". 1 2 .", ". . . .", ". . . ."]
SMALL: dict[str, Any] = {"name": "Small", "moves": 20, "board": BOARD, "goals": {"score": 1000}}
WITHOUT_TILE = ["- . . .", ". . . .", ". . . .", ". . . ."]


def written(**changes: Any) -> str:
    """The JSON text of a small valid level with some keys changed; a key of None is left out."""
    return json.dumps({key: value for key, value in {**SMALL, **changes}.items() if value is not None})


def problems_of(text: str) -> tuple[str, ...]:
    with pytest.raises(LevelError) as caught:
        Level.from_json(text, "my.json")
    return caught.value.problems


def refused(**changes: Any) -> tuple[str, ...]:
    return problems_of(written(**changes))


def level(**changes: Any) -> Level:
    return Level.from_json(written(**changes))


def example() -> Level:
    text = (DOCS / "levels.md").read_text("utf-8")
    match = re.search(r"```json\n(\{.*?)```", text, re.DOTALL)
    assert match is not None
    return Level.from_json(match[1])


# Reading


def test_the_example_of_the_docs_is_read_as_drawn() -> None:
    level = example()
    assert (level.rows, level.columns) == (6, 7)
    assert level.cells[0] == Cell(tile=False)
    assert level.cells[level.index("c1")] == Cell(piece="cherry")
    assert level.cells[level.index("c3")] == Cell(piece="striped row", color="red")
    assert level.cells[level.index("c4")] == Cell(blocker="icing", layers=2)
    assert level.cells[level.index("d5")] == Cell(piece="candy", jelly=2)
    assert level.exit_cells == (37, 39)
    assert level.asked == {"jelly": 6, "cherry": 2}
    assert level.color_table == ("red", "orange", "yellow", "green", "blue")


@pytest.mark.parametrize(
    ("token", "cell"),
    [
        ("-", Cell(tile=False)),
        (".", Cell(piece="candy")),
        ("m", Cell(piece="candy", color="magenta")),
        ("r=", Cell(piece="striped row", color="red")),
        ("o|", Cell(piece="striped column", color="orange")),
        ("y+", Cell(piece="wrapped", color="yellow")),
        ("g7", Cell(piece="countdown", color="green", timer=7)),
        ("b99", Cell(piece="countdown", color="blue", timer=99)),
        ("p~", Cell(piece="sugar", color="purple")),
        ("c@", Cell(piece="time", color="cyan")),
        (".12", Cell(piece="countdown", timer=12)),
        (".+", Cell(piece="wrapped")),
        ("*", Cell(piece="color bomb")),
        ("S", Cell(piece="swirl")),
        ("C", Cell(piece="cherry")),
        ("H", Cell(piece="hazelnut")),
        ("#5", Cell(blocker="icing", layers=5)),
        ("X", Cell(blocker="chocolate")),
    ],
)
def test_a_token_draws_its_cell(token: str, cell: Cell) -> None:
    assert level(board=[f"{token} . . .", *BOARD[1:]]).cells[0] == cell


def test_locks_and_jelly_lie_over_the_board() -> None:
    drawn = level(
        board=["r * . .", "S C . .", ". . . .", ". . . ."],
        locks=["L M . .", "L M . .", ". . . .", ". . . ."],
        jelly=["1 2 . .", ". . . .", ". . . .", ". . . ."],
    )
    assert drawn.cells[0] == Cell(piece="candy", color="red", blocker="lock", jelly=1)
    assert drawn.cells[1] == Cell(piece="color bomb", blocker="marmalade", jelly=2)
    assert drawn.cells[4] == Cell(piece="swirl", blocker="lock")
    assert drawn.cells[5] == Cell(piece="cherry", blocker="marmalade")


@pytest.mark.parametrize(
    ("colors", "table"),
    [
        (2, ("red", "orange")),
        (["blue", "red", "cyan"], ("blue", "red", "cyan")),
        ({"blue": 2, "red": 1}, ("blue", "blue", "red")),
        ({"red": 128, "blue": 128}, ("red",) * 128 + ("blue",) * 128),
        (None, COLORS[:6]),
    ],
)
def test_colors_come_as_number_list_or_weights(colors: Any, table: tuple[str, ...]) -> None:
    assert level(colors=colors).color_table == table


def test_exits_default_to_the_lowest_tiles_of_a_level_with_ingredients() -> None:
    board = [". C . .", ". . - .", ". . - .", "- . - ."]
    assert level(board=board).exit_cells == (8, 13, 2, 15)
    assert level(board=WITHOUT_TILE).exit_cells == ()
    assert level(drops=[{"piece": "hazelnut", "keep": 1}]).exit_cells == (12, 13, 14, 15)
    assert level(board=board, exits=["a3"]).exit_cells == (8,)
    assert level(board=board, exits=[]).exit_cells == ()


def test_asked_lists_the_goals_in_the_order_of_counts() -> None:
    goals = {"orders": {"swirl": 2, "red": 3}, "ingredients": {"cherry": 1}, "jelly": 2, "score": 5}
    asked = level(goals=goals, jelly=JELLY).asked
    assert list(asked.items()) == [("score", 5), ("jelly", 2), ("cherry", 1), ("red", 3), ("swirl", 2)]
    assert level(goals={"jelly": "all"}, jelly=JELLY).asked == {"jelly": 3}
    assert [name for name in COUNTS if name in asked] == [name for name in asked if name != "score"]


def test_seconds_may_be_a_fraction_and_pace_has_defaults() -> None:
    timed = level(moves=None, seconds=90.5, pace={"move": 1.25})
    assert timed.seconds == 90.5
    assert (timed.pace.move, timed.pace.round, timed.pace.time_candy) == (1.25, 0.5, 5.0)


def test_cells_are_named_by_column_and_row() -> None:
    assert cell_name(3, 2) == "c4"
    assert parse_cell("c4") == (3, 2)
    assert parse_cell("l12") == (11, 11)
    for wrong in ("", "m1", "a0", "a13", "c4 ", "C4", "4c", "c4\n"):
        with pytest.raises(ValueError, match="is not a cell name"):
            parse_cell(wrong)


# Writing


def test_a_saved_level_is_drawn_with_aligned_columns(tmp_path: Path) -> None:
    original = level(
        about="Grün",
        colors={"red": 2, "blue": 1},
        board=["- .  r= .", ". #2 .   .", "r12 . . .", ". . . ."],
        jelly=["- . . 1", ". . . .", "2 . . .", ". . . ."],
        drops=[{"piece": "swirl", "rate": 0.25}, {"piece": "cherry", "keep": 1, "total": 2}],
        teleporters=[{"from": "a3", "to": "d1"}],
        stars=[1000, 2000, 3000],
        bonus=False,
        rules="saga",
    )
    original.save(tmp_path / "level.json")
    assert (tmp_path / "level.json").read_text("utf-8") == (
        "{\n"
        '  "name": "Small",\n'
        '  "about": "Grün",\n'
        '  "moves": 20,\n'
        '  "colors": {"red": 2, "blue": 1},\n'
        '  "board": [\n'
        '    "-   .  r= .",\n'
        '    ".   #2 .  .",\n'
        '    "r12 .  .  .",\n'
        '    ".   .  .  ."\n'
        "  ],\n"
        '  "jelly": [\n'
        '    "-   .  .  1",\n'
        '    ".   .  .  .",\n'
        '    "2   .  .  .",\n'
        '    ".   .  .  ."\n'
        "  ],\n"
        '  "goals": {"score": 1000},\n'
        '  "drops": [\n'
        '    {"piece": "swirl", "rate": 0.25},\n'
        '    {"piece": "cherry", "keep": 1, "total": 2}\n'
        "  ],\n"
        '  "teleporters": [{"from": "a3", "to": "d1"}],\n'
        '  "stars": [1000, 2000, 3000]\n'
        "}\n"
    )
    assert Level.load(tmp_path / "level.json") == original


def test_long_goals_are_written_an_entry_a_line() -> None:
    orders = dict.fromkeys((*COLORS, "striped", "wrapped"), 3)
    text = level(goals={"score": 1, "orders": orders}).to_json()
    assert '  "goals": {\n    "score": 1,\n    "orders": {\n      "red": 3,\n' in text
    assert Level.from_json(text).goals.orders == orders


TOKENS = ["-", ".", "o", "r=", "g|", ".+", "b7", "y99", "p~", ".@", "*", "S", "#3", "X", ".1"]
OPTIONAL: dict[str, st.SearchStrategy[Any]] = {
    "about": st.text(max_size=20),
    "colors": st.one_of(
        st.integers(2, 8),
        st.lists(st.sampled_from(COLORS), min_size=2, unique=True),
        st.dictionaries(st.sampled_from(COLORS), st.integers(1, 32), min_size=2),
    ),
    "drops": st.lists(
        st.one_of(
            st.builds(lambda rate: {"piece": "swirl", "rate": rate / 10_000}, st.integers(1, 625)),
            st.builds(
                lambda n: {"piece": "countdown", "keep": n, "timer": n, "total": n}, st.integers(1, 99)
            ),
            st.builds(
                lambda color: {"piece": "sugar", "rate": 0.05, "color": color}, st.sampled_from(COLORS)
            ),
        ),
        max_size=16,
    ),
    "stars": st.lists(st.integers(1, 10**9), min_size=3, max_size=3, unique=True).map(sorted),
    "bonus": st.booleans(),
    "sugar": st.just({"every": 7, "pays": ["wrapped", "color bomb"]}),
    "rules": st.sampled_from(["saga", "mcadams", "plain"]),
    "scoring": st.sampled_from(["saga", "pieces", "quadratic"]),
    "exits": st.just([]),
}


@st.composite
def level_data(draw: st.DrawFn) -> dict[str, Any]:
    """Valid levels: colors are drawn far enough apart to form no line."""
    rows, columns = draw(st.integers(3, 12)), draw(st.integers(3, 12))
    board = [[draw(st.sampled_from(TOKENS)) for _ in range(columns)] for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            if (row + column) % 2:
                board[row][column] = draw(st.sampled_from([".", "#1", "S"]))
    limit = draw(
        st.one_of(
            st.builds(lambda n: {"moves": n}, st.integers(1, 999)),
            st.builds(lambda n: {"seconds": n / 1000}, st.integers(1000, 3_600_000)),
        )
    )
    gap = draw(st.sampled_from([" ", "   ", "\t"]))
    return {
        "name": draw(st.text(min_size=1, max_size=20).filter(lambda text: text.strip())),
        **limit,
        "board": [gap.join(row) for row in board],
        "goals": {"score": draw(st.integers(1, 10**9)), "orders": {"red": draw(st.integers(1, 9999))}},
        **{key: draw(values) for key, values in OPTIONAL.items() if draw(st.booleans())},
    }


@settings(deadline=None, max_examples=60)
@given(level_data())
def test_load_save_load_is_exact(data: dict[str, Any]) -> None:
    first = Level.from_json(json.dumps(data))
    second = Level.from_json(first.to_json())
    assert second == first
    assert second.to_json() == first.to_json()
    assert second.digest == first.digest
    assert hash(second) == hash(first)


def test_a_level_is_frozen_and_pickles() -> None:
    small = level()
    assert pickle.loads(pickle.dumps(small)) == small
    with pytest.raises(ValueError, match="frozen"):
        small.moves = 3  # type: ignore[misc]


# The digest


@pytest.mark.parametrize(
    "same",
    [
        {"name": "Other"},
        {"about": "A note."},
        {"$schema": "level.schema.json"},
        {"board": [".   . . .", *BOARD[1:]]},
        {"colors": list(COLORS[:6])},
        {"colors": dict.fromkeys(COLORS[:6], 1)},
        {"jelly": BOARD},
        {"locks": BOARD},
        {"bonus": False},
        {"rules": "saga", "scoring": "saga"},
        {"drops": []},
    ],
)
def test_the_digest_is_the_same_for_files_that_play_alike(same: dict[str, Any]) -> None:
    assert level(**same).digest == level().digest


@pytest.mark.parametrize(
    "other",
    [
        {"moves": 21},
        {"moves": None, "seconds": 20},
        {"colors": 5},
        {"colors": ["orange", "red", "yellow", "green", "blue", "purple"]},
        {"board": ["r . . .", *BOARD[1:]]},
        {"jelly": JELLY},
        {"locks": ["L . . .", *BOARD[1:]]},
        {"goals": {"score": 1001}},
        {"goals": {"orders": {"red": 1}}},
        {"drops": [{"piece": "swirl", "rate": 0.1}]},
        {"dispensers": [{"at": ["a2"]}]},
        {"teleporters": [{"from": "a2", "to": "b2"}]},
        {"exits": ["a4"]},
        {"stars": [1, 2, 3]},
        {"bonus": True},
        {"sugar": {"every": 3, "pays": ["striped"]}},
        {"rules": "plain"},
        {"scoring": "pieces"},
    ],
)
def test_the_digest_tells_levels_that_play_differently(other: dict[str, Any]) -> None:
    assert level(**other).digest != level().digest


def test_the_digest_is_stable_across_versions() -> None:
    assert example().earlier_digest == "744914a993cfc32d11e8de3a696a9ea9a298d5352927667798d4067467d634d2"
    assert example().digest == "744914a993cfc32d-e6bfa97c4ca89eea248d951c256dbd8be99c493e5da4a1bb"


@pytest.mark.parametrize("limit", [{"moves": 12}, {"moves": None, "seconds": 40.0}])
def test_the_end_of_the_digest_leaves_out_the_limit(limit: dict[str, Any]) -> None:
    start, end = level().digest.split("-")
    other_start, other_end = level(**limit).digest.split("-")
    assert (start != other_start, end == other_end) == (True, True)
    assert level(stars=[1, 2, 3]).digest.split("-")[1] != end


def test_the_digest_of_explicit_default_exits_is_that_of_the_default() -> None:
    cherry = ["C . . .", *BOARD[1:]]
    assert level(board=cherry, exits=["d4", "c4", "b4", "a4"]).digest == level(board=cherry).digest
    assert level(board=cherry, exits=["a4"]).digest != level(board=cherry).digest


# The schema


def test_the_schema_helps_an_editor() -> None:
    schema = Level.model_json_schema()
    assert schema["title"] == "levelsense level"
    assert set(schema["required"]) == {"name", "board", "goals"}
    assert schema["additionalProperties"] is False
    assert all("description" in key for key in schema["properties"].values())
    assert schema["properties"]["moves"]["maximum"] == 999
    assert "null" not in json.dumps(schema)
    assert schema["$defs"]["Drop"]["properties"]["color"]["enum"] == list(COLORS)
    assert schema["$defs"]["Goals"]["properties"]["orders"]["propertyNames"]["enum"] == list(COUNTS[3:])


def test_the_schema_takes_the_rows_that_the_reader_takes() -> None:
    pattern = re.compile(Level.model_json_schema()["properties"]["board"]["items"]["pattern"])
    for row in (*example().board, "r= .7 #5", "  . . X  "):
        assert pattern.search(row)
    for row in (". .", "q . .", ". . #6", "r100 . .", "..."):
        assert not pattern.search(row)


def schema_paths(node: dict[str, Any], defs: dict[str, Any], path: str = "") -> set[str]:
    """The paths of keys that a schema names, written as in EXPECTED."""
    node = defs[node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else node
    paths = {path}
    if path == "colors":
        return paths
    for key, value in node.get("properties", {}).items():
        paths |= schema_paths(value, defs, f"{path}.{key}" if path else key)
    if "items" in node:
        paths |= schema_paths(node["items"], defs, f"{path}[]")
    if isinstance(node.get("additionalProperties"), dict):
        paths |= schema_paths(node["additionalProperties"], defs, f"{path}.*")
    return paths


def test_every_key_has_words_for_what_is_expected() -> None:
    schema = Level.model_json_schema()
    paths = schema_paths(schema, schema["$defs"])
    assert paths <= set(EXPECTED)
    assert set(EXPECTED) == paths


# What is refused: the key changed, and what one of the sentences must say after the file's name


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        # types and ranges
        ({"moves": 0}, "moves: 0; expected a whole number from 1 to 999"),
        ({"moves": 1000}, "moves: 1000; expected a whole number from 1 to 999"),
        ({"moves": 20.0}, "moves: 20.0; expected a whole number"),
        ({"moves": 20.5}, "moves: 20.5; expected a whole number"),
        ({"moves": True}, "moves: true; expected a whole number"),
        ({"moves": "20"}, 'moves: "20"; expected a whole number'),
        ({"moves": [20]}, "moves: [20]; expected a whole number"),
        ({"moves": None, "seconds": 0.5}, "seconds: 0.5; expected a number from 1 to 3600"),
        ({"moves": None, "seconds": 4000}, "seconds: 4000; expected a number from 1 to 3600"),
        ({"moves": None, "seconds": True}, "seconds: true; expected a number from 1 to 3600"),
        (
            {"moves": None, "seconds": 60.0001},
            "seconds: 60.0001; expected a number from 1 to 3600, with at most",
        ),
        ({"name": 5}, "name: 5; expected text"),
        ({"name": "  "}, 'name: "  "; expected text with at least one visible character'),
        ({"about": ["x"]}, 'about: ["x"]; expected text'),
        ({"bonus": 1}, "bonus: 1; expected true or false"),
        ({"bonus": "yes"}, 'bonus: "yes"; expected true or false'),
        ({"rules": "saag"}, 'rules: "saag"; expected one of saga, mcadams, plain'),
        ({"scoring": 3}, "scoring: 3; expected one of saga, pieces, quadratic"),
        # the limit
        ({"seconds": 60}, "moves is 20 and seconds is 60; expected only one of them"),
        ({"moves": None}, "neither moves nor seconds; expected one of them"),
        ({"pace": {"move": 2.0}}, "pace: the level has moves; expected pace only in a level with seconds"),
        ({"pace": {"move": 0}}, "pace, move: 0; expected a number of seconds from 0.001 to 60"),
        ({"pace": {"round": -1}}, "pace, round: -1; expected a number of seconds from 0 to 60"),
        ({"pace": {"time_candies": 1}}, 'pace: unknown key "time_candies"; did you mean "time_candy"?'),
        ({"pace": 2}, 'pace: 2; expected an object such as {"move"'),
        # keys
        ({"mvoes": 20}, 'unknown key "mvoes"; did you mean "moves"?'),
        ({"zzz": 20}, 'unknown key "zzz"; expected one of name, about, moves,'),
        ({"name": None}, "name is missing; expected text"),
        ({"board": None}, "board is missing; expected a list of rows"),
        ({"goals": None}, "goals is missing; expected an object with at least one of score"),
        # colors
        ({"colors": 1}, "colors: 1; expected a number from 2 to 8, a list of color names, or an object"),
        ({"colors": 9}, "colors: 9; expected a number from 2 to 8"),
        ({"colors": True}, "colors: true; expected a number from 2 to 8"),
        ({"colors": 5.0}, "colors: 5.0; expected a number from 2 to 8"),
        ({"colors": "red"}, 'colors: "red"; expected a number from 2 to 8'),
        ({"colors": ["red"]}, "colors: 1 different; expected at least 2"),
        ({"colors": []}, "colors: 0 different; expected at least 2"),
        ({"colors": ["red", "bleu"]}, 'colors: unknown color "bleu"; did you mean "blue"?'),
        ({"colors": ["red", "Blue"]}, 'colors: unknown color "Blue"; did you mean "blue"?'),
        ({"colors": ["red", 3]}, "colors: unknown color 3; expected one of red, orange"),
        ({"colors": ["red", ["blue"]]}, 'colors: unknown color ["blue"]; expected one of red, orange'),
        (
            {"colors": ["red", "blue", "red"]},
            "colors: red is listed twice; expected each once, or weights such as",
        ),
        ({"colors": {"red": 1}}, "colors: 1 different; expected at least 2"),
        ({"colors": {"red": 0, "blue": 1}}, "colors, red: 0; expected a whole number from 1"),
        ({"colors": {"red": 1.5, "blue": 1}}, "colors, red: 1.5; expected a whole number from 1"),
        ({"colors": {"red": True, "blue": 1}}, "colors, red: true; expected a whole number from 1"),
        ({"colors": {"red": 200, "blue": 57}}, "colors: the weights are 257 together; expected at most 256"),
        ({"colors": {"red": 2, "pink": 1}}, 'colors: unknown color "pink"; expected one of red'),
        # the board
        ({"board": "..."}, 'board: "..."; expected a list of rows'),
        ({"board": [". . .", 7, ". . ."]}, "board row 2: 7; expected a text of cell tokens"),
        ({"board": []}, "board: 0 rows; expected 3 to 12"),
        ({"board": BOARD[:2]}, "board: 2 rows; expected 3 to 12"),
        ({"board": [". . ."] * 13}, "board: 13 rows; expected 3 to 12"),
        ({"board": [". ."] * 4}, "board: 2 tokens in a row; expected 3 to 12, separated by spaces"),
        ({"board": ["...."] * 4}, "board: 1 token in a row; expected 3 to 12, separated by spaces"),
        ({"board": [". " * 13] * 4}, "board: 13 tokens in a row; expected 3 to 12"),
        ({"board": [*BOARD[:3], ". . ."]}, "board row 4: 3 tokens; expected 4, as in the other rows"),
        ({"board": [". . .", *BOARD[1:]]}, "board row 1: 3 tokens; expected 4, as in the other rows"),
        (
            {"board": [*BOARD[:2], ". q . .", ". . . ."]},
            "board, b3: unknown token 'q'; expected one of -",
        ),
        (
            {"board": [". . . R", *BOARD[1:]]},
            "board, d1: unknown token 'R'; expected one of - . r o",
        ),
        (
            {"board": [". . . r0", *BOARD[1:]]},
            "unknown token 'r0'; expected a countdown bomb's number from 1 to 99",
        ),
        ({"board": [". . . r100", *BOARD[1:]]}, "unknown token 'r100'; expected a countdown bomb's number"),
        (
            {"board": [". . . #6", *BOARD[1:]]},
            "unknown token '#6'; expected #1 to #5, icing of one to five layers",
        ),
        ({"board": ["- - -"] * 3}, "board: no tile anywhere; expected at least one token other than -"),
        (
            {"board": ["r r r .", *BOARD[1:]]},
            "board, a1 to c1: 3 red candies are drawn in a line; expected no line",
        ),
        ({"board": ["r= r+ r7 r~", *BOARD[1:]]}, "board, a1 to d1: 4 red candies are drawn in a line"),
        ({"board": [". . . ."] + [". m . ."] * 3}, "board, b2 to b4: 3 magenta candies are drawn in a line"),
        (
            {"board": ["r r r .", *BOARD[1:]], "locks": [". L . .", *BOARD[1:]]},
            "board, a1 to c1: 3 red candies are drawn in a line",
        ),
        # jelly and locks
        (
            {"jelly": [". . . 3", *BOARD[1:]]},
            "jelly, d1: unknown token '3'; expected ., 1, 2 or -",
        ),
        (
            {"jelly": [". . . .1", *BOARD[1:]]},
            "jelly, d1: unknown token '.1'; expected ., 1, 2 or -",
        ),
        (
            {"locks": [". l . .", *BOARD[1:]]},
            "locks, b1: unknown token 'l'; expected ., L, M or -",
        ),
        ({"jelly": BOARD[1:]}, "jelly: 3 rows; expected 4, as many as the board"),
        (
            {"locks": [". . . . .", *BOARD[1:]]},
            "locks row 1: 5 tokens; expected 4, as many as the board's row",
        ),
        ({"jelly": [5]}, "jelly row 1: 5; expected a text of the tokens . 1 2 -"),
        (
            {"board": WITHOUT_TILE, "jelly": ["1 . . .", *BOARD[1:]]},
            "jelly, a1: '1' where the board has no tile; expected '-'",
        ),
        (
            {"board": WITHOUT_TILE, "locks": [". . . .", *BOARD[1:]]},
            "locks, a1: '.' where the board has no tile; expected '-'",
        ),
        (
            {"jelly": ["- . . .", *BOARD[1:]]},
            "jelly, a1: '-' where the board has '.'; expected '-' only",
        ),
        (
            {"board": [". #2 . .", *BOARD[1:]], "locks": [". L . .", *BOARD[1:]]},
            "locks, b1: 'L' on icing; expected a cell with a piece",
        ),
        (
            {"board": [". X . .", *BOARD[1:]], "locks": [". M . .", *BOARD[1:]]},
            "locks, b1: 'M' on chocolate; expected a cell with a piece",
        ),
        # goals
        ({"goals": {}}, "goals: empty; expected at least one of score, jelly, ingredients, orders"),
        ({"goals": {"orders": {}, "ingredients": {}}}, "goals: empty; expected at least one of"),
        ({"goals": []}, "goals: []; expected an object with at least one of"),
        ({"goals": {"score": 0}}, "goals, score: 0; expected a whole number from 1 to 1000000000"),
        (
            {"goals": {"points": 9}},
            'goals: unknown key "points"; expected one of score, jelly, ingredients, orders',
        ),
        ({"goals": {"jelly": "all"}}, "goals, jelly: all, but the level has no jelly"),
        ({"goals": {"jelly": 2}, "jelly": BOARD}, "goals, jelly: 2, but the level has no jelly"),
        (
            {"goals": {"jelly": 4}, "jelly": JELLY},
            "goals, jelly: 4, but the level has 3 layers; expected at most 3",
        ),
        ({"goals": {"jelly": 0}}, 'goals, jelly: 0; expected "all" or a whole number of layers from 1'),
        ({"goals": {"jelly": "some"}}, 'goals, jelly: "some"; expected "all" or a whole number of layers'),
        ({"goals": {"jelly": True}}, 'goals, jelly: true; expected "all" or a whole number of layers'),
        (
            {"goals": {"ingredients": {"cherry": 0}}},
            "goals, ingredients, cherry: 0; expected a whole number from 1",
        ),
        (
            {"goals": {"ingredients": {"chery": 1}}},
            'goals, ingredients: unknown name "chery"; did you mean "cherry"?',
        ),
        ({"goals": {"orders": {"reed": 1}}}, 'goals, orders: unknown name "reed"; did you mean "red"?'),
        ({"goals": {"orders": {"wrapped+striped": 1}}}, 'did you mean "striped+wrapped"?'),
        (
            {"goals": {"orders": {"color bomb": 1.0}}},
            "goals, orders, color bomb: 1.0; expected a whole number",
        ),
        (
            {"goals": {"orders": {"red": -1}}},
            "goals, orders, red: -1; expected a whole number from 1 to 9999",
        ),
        ({"goals": {"orders": ["red"]}}, 'goals, orders: ["red"]; expected an object such as {"red": 30}'),
        # drops
        ({"drops": {}}, "drops: {}; expected a list of drops"),
        ({"drops": [3]}, 'drops 1: 3; expected an object such as {"piece": "cherry", "keep": 1}'),
        ({"drops": [{"rate": 0.1}]}, "drops 1, piece is missing; expected one of candy, striped"),
        (
            {"drops": [{"piece": "chery", "keep": 1}]},
            'drops 1, piece: "chery"; expected one of candy, striped',
        ),
        ({"drops": [{"piece": "swirl"}]}, "drops 1: neither rate nor keep; expected one of them"),
        (
            {"drops": [{"piece": "swirl", "rate": 0.5, "keep": 2}]},
            "drops 1: rate is 0.5 and keep is 2; expected only",
        ),
        ({"drops": [{"piece": "swirl", "rate": 0}]}, "drops 1, rate: 0; expected a number above 0 up to 1"),
        (
            {"drops": [{"piece": "swirl", "rate": 1.5}]},
            "drops 1, rate: 1.5; expected a number above 0 up to 1",
        ),
        ({"drops": [{"piece": "swirl", "rate": 0.00001}]}, "drops 1, rate: 1e-05; expected a number above 0"),
        ({"drops": [{"piece": "swirl", "rate": True}]}, "drops 1, rate: true; expected a number above 0"),
        (
            {"drops": [{"piece": "swirl", "keep": 100}]},
            "drops 1, keep: 100; expected a whole number from 1 to 99",
        ),
        (
            {"drops": [{"piece": "swirl", "keep": 1, "total": 0}]},
            "drops 1, total: 0; expected a whole number from 1",
        ),
        (
            {"drops": [{"piece": "swirl", "keep": 1, "color": "red"}]},
            "drops 1: color is 'red', but a swirl has no",
        ),
        (
            {"drops": [{"piece": "candy", "keep": 1, "color": "rde"}]},
            'drops 1, color: "rde"; expected a color name',
        ),
        ({"drops": [{"piece": "countdown", "keep": 1}]}, "drops 1: no timer; expected one from 1 to 99"),
        (
            {"drops": [{"piece": "sugar", "keep": 1, "timer": 5}]},
            "drops 1: timer is 5, but the piece is sugar",
        ),
        (
            {"drops": [{"piece": "swirl", "keep": 1, "odds": 5}]},
            'drops 1: unknown key "odds"; expected one of piece',
        ),
        (
            {"drops": [{"piece": "swirl", "rate": 0.05}] * 17},
            "drops: 17 with those of dispensers; expected at most 16",
        ),
        (
            {"drops": [{"piece": "swirl", "rate": 0.6}, {"piece": "time", "rate": 0.4001}]},
            "drops: the rates add up to 1.0001; expected at most 1, since each is a share of the new pieces",
        ),
        (
            {"drops": [{"piece": "swirl", "rate": 1, "total": 1}, {"piece": "time", "rate": 0.5}]},
            "drops: the rates add up to 1.5; expected at most 1",
        ),
        (
            {"dispensers": [{"at": ["c1", "d1"], "drops": [{"piece": "swirl", "rate": 0.6}] * 2}]},
            "dispensers 1 (at c1, d1), drops: the rates add up to 1.2; expected at most 1",
        ),
        # dispensers, teleporters, exits
        (
            {"dispensers": [{"at": [], "drops": []}]},
            "dispensers 1, at: []; expected a list of at least one cell",
        ),
        ({"dispensers": [{"at": "c1"}]}, 'dispensers 1, at: "c1"; expected a list of at least one cell'),
        ({"dispensers": [{"at": ["c99"]}]}, 'dispensers 1, at 1: "c99"; expected a cell name such as c6'),
        (
            {"dispensers": [{"at": ["e1"]}]},
            "dispensers 1: e1 is off the board; expected a cell from a1 to d4",
        ),
        (
            {"dispensers": [{"at": ["a1", "a1"]}]},
            "dispensers 1: a1 already has a dispenser; expected each cell once",
        ),
        ({"dispensers": [{"at": ["a1"]}, {"at": ["a1"]}]}, "dispensers 2: a1 already has a dispenser"),
        (
            {"dispensers": [{"at": ["a1"]}], "board": WITHOUT_TILE},
            "dispensers 1: a1 has no tile; expected a cell with",
        ),
        (
            {"dispensers": [{"at": ["a1"], "drops": [{"piece": "swirl", "rate": 2}]}]},
            "dispensers 1, drops 1, rate: 2; expected a number above 0 up to 1",
        ),
        (
            {"dispensers": [{"at": ["a1"], "drops": [{"piece": "swirl"}]}]},
            "dispensers 1, drops 1: neither rate nor keep",
        ),
        (
            {"dispensers": [{"at": ["b1"]}], "teleporters": [{"from": "a4", "to": "b1"}]},
            "dispensers 1: b1 is the exit of a teleporter; expected a cell that nothing else falls into",
        ),
        ({"teleporters": [{"from": "a4"}]}, "teleporters 1, to is missing; expected a cell name"),
        (
            {"teleporters": [{"from_": "a4", "to": "b1"}]},
            'teleporters 1: unknown key "from_"; did you mean "from"?',
        ),
        (
            {"teleporters": [{"from": "a4", "to": "B1"}]},
            'teleporters 1, to: "B1"; expected a cell name such as c6',
        ),
        ({"teleporters": [{"from": "a9", "to": "b1"}]}, "teleporters 1, from: a9 is off the board"),
        (
            {"teleporters": [{"from": "b4", "to": "a1"}], "board": WITHOUT_TILE},
            "teleporters 1, to: a1 has no tile",
        ),
        (
            {"teleporters": [{"from": "b4", "to": "b4"}]},
            "teleporters 1: from and to are both b4; expected two different",
        ),
        (
            {"teleporters": [{"from": "a4", "to": "b1"}, {"from": "a4", "to": "c1"}]},
            "teleporters 2, from: a4 already is the entrance of a teleporter",
        ),
        (
            {"teleporters": [{"from": "a4", "to": "b1"}, {"from": "c4", "to": "b1"}]},
            "teleporters 2, to: b1 already is the exit of a teleporter",
        ),
        (
            {"teleporters": [{"from": "a3", "to": "a1"}]},
            "teleporters: pieces would fall in a circle, a1 > a2 > a3 > a1; expected every way down to end",
        ),
        (
            {"teleporters": [{"from": "a4", "to": "b3"}, {"from": "b4", "to": "a4"}]},
            "teleporters: pieces would fall in a circle, b3 > b4 > a4 > b3",
        ),
        ({"exits": "a4"}, 'exits: "a4"; expected a list of cells'),
        ({"exits": ["a4", "z4"]}, 'exits 2: "z4"; expected a cell name'),
        ({"exits": ["a4", "a4"]}, "exits: a4 is listed twice; expected each cell once"),
        ({"exits": ["a5"]}, "exits: a5 is off the board"),
        ({"exits": ["a1"], "board": WITHOUT_TILE}, "exits: a1 has no tile"),
        (
            {"board": [*BOARD[:3], ". C . ."]},
            "board, b4: a cherry stands on an exit; expected it elsewhere, or other exits",
        ),
        (
            {"board": [". . H .", *BOARD[1:]], "exits": ["c1"]},
            "board, c1: a hazelnut stands on an exit",
        ),
        # stars, sugar
        ({"stars": [1, 2]}, "stars: [1, 2]; expected a list of three scores, ascending"),
        ({"stars": [1, 2, 3, 4]}, "stars: [1, 2, 3, 4]; expected a list of three scores"),
        ({"stars": [1, 3, 3]}, "stars: [1, 3, 3]; expected three scores, each above the one before"),
        ({"stars": [0, 1, 2]}, "stars 1: 0; expected a whole number from 1"),
        ({"stars": 5}, "stars: 5; expected a list of three scores"),
        (
            {"sugar": {"every": 0, "pays": ["striped"]}},
            "sugar, every: 0; expected a whole number from 1 to 999",
        ),
        ({"sugar": {"every": 3}}, "sugar, pays is missing; expected a list of one to 16 of striped, wrapped"),
        ({"sugar": {"every": 3, "pays": []}}, "sugar, pays: []; expected a list of one to 16"),
        (
            {"sugar": {"every": 3, "pays": ["stripe"]}},
            'sugar, pays 1: "stripe"; expected one of striped, wrapped',
        ),
    ],
)
def test_a_wrong_key_is_refused_in_a_sentence(changes: dict[str, Any], sentence: str) -> None:
    problems = refused(**changes)
    assert all(problem.startswith("my.json: ") for problem in problems)
    assert any(sentence in problem for problem in problems), problems
    assert "Input should" not in str(problems)
    assert len(problems) <= 3


def test_several_problems_are_told_together() -> None:
    assert refused(moves="x", bord=BOARD, board=[". q . .", *BOARD[1:]], colors=9, stars=[1]) == (
        'my.json: line 1: moves: "x"; expected a whole number from 1 to 999',
        "my.json: line 1: colors: 9; expected a number from 2 to 8, a list of color names, or an object "
        "from color name to weight",
        "my.json: line 1: board, b1: unknown token 'q'; expected one of - . r o y g b p c m, "
        "one of these letters or . followed by = | + ~ @ or a number from 1 to 99, * S C H X, #1 to #5, "
        "P1 to P3, T1 to T5, D1 to D3",
        "my.json: line 1: stars: [1]; expected a list of three scores, ascending",
        'my.json: line 1: unknown key "bord"; did you mean "board"?',
    )
    assert len(refused(seconds=5, stars=[3, 2, 1], exits=["f1"], goals={"jelly": 3})) == 4


def test_a_board_of_wrong_tokens_does_not_flood_the_terminal() -> None:
    problems = refused(board=["q q q q q q q q q q"] * 10)
    assert len(problems) == 21
    assert problems[-1] == "my.json: and 80 problems more"


def test_a_long_value_is_shortened() -> None:
    assert refused(rules="x" * 500) == (
        f'my.json: line 1: rules: "{"x" * 49}... (502 characters); expected one of saga, mcadams, plain',
    )


# What is no mistake


@pytest.mark.parametrize(
    "changes",
    [
        {"board": ["r r r .", *BOARD[1:]], "locks": [". M . .", *BOARD[1:]]},
        {"board": ["r r - r", "r r . r", ". . r .", "r r . r"]},
        {"board": ["C . . .", *BOARD[1:]], "exits": ["a1"], "locks": ["M . . .", *BOARD[1:]]},
        {"board": ["m . . .", *BOARD[1:]], "colors": 2},
        {"goals": {"orders": {"sugar": 3}}},
        {"teleporters": [{"from": "a4", "to": "b1"}, {"from": "b4", "to": "c1"}]},
        {"teleporters": [{"from": "a1", "to": "a3"}]},
        {"dispensers": [{"at": ["a4"]}], "teleporters": [{"from": "a4", "to": "b1"}]},
        {"drops": [{"piece": "cherry", "rate": 0.0625, "total": 999}] * 16},
        {"drops": [{"piece": "swirl", "rate": rate} for rate in (0.7, 0.2, 0.1)]},
        {
            "drops": [{"piece": "swirl", "rate": 1}],
            "dispensers": [{"at": ["a1"], "drops": [{"piece": "time", "rate": 1}]}],
        },
        {"drops": [{"piece": "swirl", "rate": 1}, {"piece": "time", "keep": 9}]},
        {"colors": {"red": 255, "blue": 1}},
    ],
)
def test_unusual_levels_are_read(changes: dict[str, Any]) -> None:
    assert level(**changes).rows == 4


# Text and files


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "x: line 1, column 1: not JSON: there is nothing in it"),
        ('{\n  "name": "a"\n  "moves": 3\n}', "x: line 2, column 14: not JSON: no comma between two entries"),
        ("[1, 2]", "x: line 1: [1, 2]; expected an object, { ... }"),
        ("null", "x: line 1: null; expected an object"),
        ('"level"', 'x: line 1: "level"; expected an object'),
        ('{"moves": NaN}', "x: line 1, column 11: not JSON: NaN is not a JSON number"),
        ('{"moves": -Infinity}', "x: line 1, column 11: not JSON: -Infinity is not a JSON number"),
        ('{"moves": ' + "9" * 5000 + "}", "x: line 1, column 11: not JSON: a number of 5000 digits"),
        ('{"moves": 1, "moves": 2}', 'x: line 1, column 14: not JSON: the key "moves" is there twice'),
        ("[" * 100_000, "x: lists or objects nested too deeply"),
        (
            written(moves=None, seconds=60).replace("60", "1e999"),
            ": not JSON: 1e999 is greater than any number can be",
        ),
        (
            written(moves=None, pace={"move": 3.0}).replace("3.0", "1e999"),
            ": not JSON: 1e999 is greater than any number can be",
        ),
        (written(name="\ud800"), "expected text"),
        (written(about="\ud800"), "about: "),
    ],
)
def test_a_text_that_is_no_level_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(LevelError) as caught:
        Level.from_json(text, "x")
    assert any(problem.startswith("x: ") and sentence in problem for problem in caught.value.problems)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*SMALL, "rate"]), inner),
        max_leaves=8,
    ),
    st.sampled_from([key for key in Level.model_json_schema()["properties"] if key != "name"]),
)
@settings(deadline=None, max_examples=200)
def test_any_value_of_any_key_is_read_or_refused_in_sentences(value: Any, key: str) -> None:
    problems: tuple[str, ...] = ()
    try:
        Level.model_validate({**SMALL, key: value})
    except LevelError as error:
        problems = error.problems
    assert all(problem.startswith("level: ") for problem in problems)
    assert "Input should" not in str(problems)


def test_a_level_built_in_python_is_refused_alike() -> None:
    with pytest.raises(LevelsenseError, match="level: moves: 0; expected a whole number from 1 to 999"):
        Level(name="x", moves=0, board=tuple(BOARD), goals={"score": 1})


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", str(tmp_path / "none.json")):
        with pytest.raises(LevelError, match=r"none\.json: cannot be read: No such file"):
            Level.load(path)
    with pytest.raises(LevelError, match="cannot be read: Is a directory"):
        Level.load(tmp_path)


@pytest.mark.parametrize("name", ["a\0b.json", "x" * 5000 + ".json", "no/such/place"])
def test_a_strange_path_is_told(name: str) -> None:
    with pytest.raises(LevelError, match="cannot be read"):
        Level.load(name)


def test_an_unknown_name_is_told_with_the_nearest_bundled_ones() -> None:
    with pytest.raises(
        LevelError, match="'zzz': no such level file, nor a bundled level of that name; expected"
    ):
        Level.load("zzz")
    for name in bundled_levels()[:1]:
        with pytest.raises(LevelError, match=f"did you mean .*{name}"):
            Level.load(f"{name}s")
    with pytest.raises(LevelError, match=r"did you mean 30-grand-tour\?"):
        Level.load("Grand-tuor")
    with pytest.raises(LevelError, match=r"'nosuch': .*; expected a path, or a name that"):
        Level.load("nosuch")  # it shares letters with some, which does not help


def test_a_folder_is_told_from_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "levels").mkdir()
    with pytest.raises(LevelError, match="'levels': a folder; expected one level"):
        Level.load("levels")


def test_a_file_that_is_not_utf8_is_told(tmp_path: Path) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes(b'{\n"name": "caf\xe9"}')
    with pytest.raises(LevelError, match=r"latin\.json: line 2: byte 0xe9 is not UTF-8"):
        Level.load(path)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "windows.json"
    path.write_bytes(b"\xef\xbb\xbf" + written().replace(",", ",\r\n").encode())
    assert Level.load(str(path)) == level()


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    path.write_bytes(b" " * 1_000_001)
    with pytest.raises(LevelError, match=r"huge\.json: larger than 1000000 bytes"):
        Level.load(path)


def test_a_level_that_cannot_be_saved_is_told(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match="cannot be written: Is a directory"):
        level().save(tmp_path)


@pytest.mark.parametrize("name", bundled_levels())
def test_bundled_levels_are_read_and_written(name: str) -> None:
    bundled = Level.load(name)
    assert Level.from_json(bundled.to_json()) == bundled
