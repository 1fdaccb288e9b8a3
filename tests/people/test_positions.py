"""Files of positions: read as they were written, and every row that is wrong is told by its line."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from levelsense.errors import PlayersError
from levelsense.game.game import Game, Move
from levelsense.game.state import STATE_DTYPE
from levelsense.level.level import Level, bundled_levels
from levelsense.people.position_files import PositionLog, read_positions
from levelsense.people.position_table import POSITION_SCHEMA, position_table
from levelsense.people.positions import Positions
from tests.people.test_replay import play_randomly

#     a b c d
#  1  r r g b      a1a2 does nothing; c2c1 makes a line of three red
#  2  g b r g      jelly lies under c1 and c2
#  3  b g b g
LEVEL = Level.model_validate(
    {
        "name": "Small",
        "moves": 9,
        "colors": ["red", "green", "blue"],
        "board": [". . . .", ". . . .", ". . . ."],
        "jelly": [". . 1 .", ". . 2 .", ". . . ."],
        "goals": {"jelly": "all", "score": 1000},
    }
)
ROW = {
    "level": "Small",
    "player": "ann",
    "attempt": "0",
    "turn": "2",
    "moves_left": "7",
    "goals_left": "jelly 2, score 400",
    "board": "r r g b / g b r g / b g b g",
    "jelly": ". . 1 . / . . 1 . / . . . .",
    "move": "c2c1",
}


def written(folder: Path, *rows: dict[str, Any], suffix: str = "csv") -> Path:
    path = folder / f"rows.{suffix}"
    table = pl.DataFrame(list(rows))
    table.write_csv(path) if suffix == "csv" else table.write_parquet(path)
    return path


def read(path: Path, *levels: Any) -> list[Positions]:
    return list(read_positions(path).positions(levels or [LEVEL]))


def complaint(path: Path, *levels: Any) -> str:
    """What is said of a file, without its path."""
    with pytest.raises(PlayersError) as caught:
        read(path, *levels)
    assert all(problem.startswith(f"{path}: ") for problem in caught.value.problems)
    return str(caught.value).replace(f"{path}: ", "")


def random_positions(level: Level, name: str) -> Positions:
    games = [play_randomly(level, seed, 6) for seed in (1, 2, 3)]
    counts = [len(codes) for _, codes in games]
    return Positions(
        level,
        name,
        np.array([state for states, _ in games for state in states], STATE_DTYPE),
        np.concatenate([np.array(codes, np.int16) for _, codes in games]),
        np.repeat(["ann", "bob", "eve"], counts),
        np.repeat(["keen", "keen", ""], counts),
        np.repeat(["x", "x", "x"], counts),
        np.repeat([0, 4, 0], counts),
        np.concatenate([np.arange(count) for count in counts]),
    )


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_what_is_written_is_read_on_all_levels(tmp_path: Path, suffix: str) -> None:
    expected = [random_positions(Level.load(name), name) for name in bundled_levels()]
    table = pl.concat(map(position_table, expected))
    assert table.schema == POSITION_SCHEMA
    path = tmp_path / f"rows.{suffix}"
    table.write_csv(path) if suffix == "csv" else table.write_parquet(path)
    positions = read(path, *bundled_levels())
    assert len(positions) == len(expected) > 50
    for here, there in zip(positions, expected, strict=True):
        assert (here.level.digest, here.name) == (there.level.digest, there.name)
        for field in STATE_DTYPE.names or ():
            assert np.array_equal(here.states[field], there.states[field]), (here.name, field)
        for field in ("codes", "player", "type", "cohort", "attempt", "turn"):
            assert getattr(here, field).tolist() == getattr(there, field).tolist()
        assert [array.tolist() for array in here.legal] == [array.tolist() for array in there.legal]


def test_a_row_written_by_hand(tmp_path: Path) -> None:
    (positions,) = read(written(tmp_path, ROW))
    state = positions.states[0]
    assert (state.moves_left, state.moves_made, state.score) == (7, 2, 600)
    assert state.count[0] == 1  # jelly: 3 are asked for, 2 are left
    assert Move.from_code(int(positions.codes[0])) == Move.parse(
        "c1c2"
    )  # the name in the list of legal moves
    assert positions.codes[0] in positions.legal[0]
    assert positions.own is None
    assert (positions.player[0], positions.type[0], positions.attempt[0], positions.turn[0]) == (
        "ann",
        "",
        0,
        2,
    )
    text = """
moves: 7
played: 2
score: 600
counts: jelly 1
board:
  r r g b
  g b r g
  b g b g
jelly:
  . . 1 .
  . . 1 .
  . . . .
"""
    assert state == Game.parse(text, LEVEL).state


def test_seconds_are_left(tmp_path: Path) -> None:
    level = Level.model_validate(
        LEVEL.model_dump(by_alias=True, exclude_none=True) | {"seconds": 60} | {"moves": None}
    )
    row = {**ROW, "moves_left": None, "seconds_left": "12.25"}
    (positions,) = read(written(tmp_path, row), level)
    assert positions.states[0].time_left == 12_250
    for wrong in ("0", "-1", "1.2345", "12,5", "", "1e3", "1000001"):
        assert complaint(written(tmp_path, {**row, "seconds_left": wrong}), level) == (
            f"line 2: seconds_left: {repr(wrong) if wrong else 'nothing'}; "
            "expected seconds above 0, up to 1000000, with at most three decimals"
        )


def test_legal_moves_of_another_engine(tmp_path: Path) -> None:
    """a1a2 makes no line; an engine with other rules may have it all the same."""
    free = {**ROW, "move": "a2a1", "legal_moves": "b1b2 a1a2 a1a2", "turn": "3"}
    (positions,) = read(written(tmp_path, {**ROW, "legal_moves": None}, free))
    assert positions.own is not None
    codes, offsets = positions.legal
    assert [str(Move.from_code(int(code))) for code in codes[offsets[1] :]] == ["b1b2", "a1a2"]
    assert str(Move.from_code(int(positions.codes[1]))) == "a1a2"
    by_rules = [move.code for move in Game.parse(board_text(), LEVEL).legal_moves]
    assert codes[: offsets[1]].tolist() == by_rules
    assert positions.listed == 1
    assert position_table(positions)["legal_moves"][1] == "b1b2 a1a2"


def board_text() -> str:
    return "board:\n" + ROW["board"].replace("/", "\n")


def test_moves_that_are_wrong(tmp_path: Path) -> None:
    expected = {
        "a1a2": "line 2: move: 'a1a2'; expected a legal move: "
        "a swap that makes a line or sets off special candies",
        "c1": "line 2: move: 'c1'; expected two neighboring cells, as in c4d4",
        "a1c1": "line 2: move: 'a1c1'; expected two neighboring cells, as in c4d4",
        "c1c1": "line 2: move: 'c1c1'; expected two neighboring cells, as in c4d4",
        "d1e1": "line 2: move: 'd1e1'; expected two cells that are tiles of the level",
        "d3d4": "line 2: move: 'd3d4'; expected two cells that are tiles of the level",
    }
    for move, sentence in expected.items():
        assert complaint(written(tmp_path, {**ROW, "move": move})) == sentence
    listing = {**ROW, "legal_moves": "a1a2 b1b2"}
    assert complaint(written(tmp_path, listing)) == (
        "line 2: move: 'c2c1'; expected one of legal_moves, 'a1a2 b1b2'"
    )
    assert complaint(written(tmp_path, {**ROW, "legal_moves": "c1c2 x9"})) == (
        "line 2: legal_moves: 'x9'; expected two neighboring cells, as in c4d4"
    )


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("board", "r r g b / g b r g", "board: rows of [4, 4] tokens; expected 3 rows of 4, as in the level"),
        (
            "board",
            "r r g q / g b r g / b g b g",
            "board, d1: 'q'; expected a token of a piece whose color is known",
        ),
        (
            "board",
            "r r g - / g b r g / b g b g",
            "board, d1: '-'; expected a tile exactly where the level has one",
        ),
        ("board", "r r g #1 / g b r g / b g b g", "board: '#1'; the level has no icing"),
        (
            "board",
            "r r g b / g b r g / status: won",
            "board: rows of [4, 4, 2] tokens; expected 3 rows of 4, as in the level",
        ),
        (
            "board",
            "r r r b / g b g g / b g b g",
            "board, a1 to c1: 3 red candies in a line while playing; "
            "expected no line, since a move ends when there is none",
        ),
        (
            "jelly",
            ". . 3 . / . . 1 . / . . . .",
            "jelly, c1: '3'; expected ., or 1 or 2 on a tile",
        ),
        (
            "jelly",
            ". . 1 . / . . . . / . . . .",
            "goals_left: 'jelly 2, score 400'; expected at most jelly 1, as many layers as are drawn",
        ),
        ("moves_left", "0", "moves_left: '0'; expected a whole number from 1 to 999"),
        ("moves_left", "many", "moves_left: 'many'; expected a whole number from 1 to 999"),
        ("moves_left", None, "moves_left: nothing; expected a whole number from 1 to 999"),
        ("goals_left", "jelly 4", "goals_left: '4'; expected a whole number from 0 to 3"),
        (
            "goals_left",
            "cherry 1",
            "goals_left: 'cherry 1'; expected what is left of the level's goals, score 1000, jelly 3",
        ),
        (
            "goals_left",
            "jelly 0",
            "goals_left: 'jelly 0'; expected something left, since an attempt ends with its goals",
        ),
        ("attempt", "1.5", "attempt: '1.5'; expected a whole number from 0 to 2,147,483,647"),
        ("turn", "-1", "turn: '-1'; expected a whole number from 0 to 9,999"),
        ("turn", "٣", "turn: '٣'; expected a whole number from 0 to 9,999"),
        ("turn", "9" * 30, f"turn: '{'9' * 30}'; expected a whole number from 0 to 9,999"),
        ("player", None, "player: nothing; expected a value"),
        ("move", None, "move: nothing; expected a value"),
        (
            "score",
            "700",
            "goals_left: 'jelly 2, score 400'; expected score 300: 1000 are asked for, and 700 are counted",
        ),
        ("score", "much", "score: 'much'; expected a whole number"),
        (
            "counts",
            "jelly 3",
            "goals_left: 'jelly 2, score 400'; expected jelly 0: 3 are asked for, and 3 are counted",
        ),
        ("dropped", "1", "dropped: 1 numbers; the level has 0 drops"),
    ],
)
def test_values_that_are_wrong(tmp_path: Path, column: str, value: str | None, sentence: str) -> None:
    good = {**ROW, "score": None, "counts": None, "dropped": None}
    rows = good, {**good, "turn": "3", column: value}
    assert complaint(written(tmp_path, *rows)) == f"line 3: {sentence}"
    assert complaint(written(tmp_path, *rows, suffix="parquet")) == f"row 2: {sentence}"


def test_columns_that_are_missing_or_nested(tmp_path: Path) -> None:
    few = {name: value for name, value in ROW.items() if name not in ("board", "turn")}
    there = "level, player, attempt, moves_left, goals_left, jelly, move"
    assert complaint(written(tmp_path, few)) == (
        f"no columns turn, board, which positions need; there is {there}"
    )
    nested = {**ROW, "legal_moves": ["c1c2"]}
    assert "column 'legal_moves': values of type List(String); expected a text" in complaint(
        written(tmp_path, nested, suffix="parquet")
    )
    bare = {name: value for name, value in ROW.items() if name not in ("jelly", "moves_left")}
    there = "level, player, attempt, turn, goals_left, board, move"
    assert complaint(written(tmp_path, bare)).split("\n") == [
        f"no column moves_left, which level Small needs; there is {there}",
        f"no column jelly, which level Small needs; there is {there}",
    ]


def test_a_turn_that_comes_twice(tmp_path: Path) -> None:
    other = {**ROW, "player": "bob"}
    assert len(read(written(tmp_path, ROW, other, {**ROW, "attempt": "1"}, {**ROW, "turn": "7"}))[0]) == 4
    assert complaint(written(tmp_path, ROW, other, ROW)) == (
        "line 4: level Small, player ann, attempt 0, turn 2, as in line 2 already; expected each turn once"
    )
    apart = {**ROW, "cohort": "x"}, {**ROW, "cohort": "y"}
    assert len(read(written(tmp_path, *apart))[0]) == 2


def test_the_first_ten_wrong_rows_are_told(tmp_path: Path) -> None:
    rows = [{**ROW, "turn": str(turn), "move": "zz"} for turn in range(12)]
    *sentences, more = complaint(written(tmp_path, ROW | {"player": "bob"}, *rows)).split("\n")
    assert [sentence.split(":")[0] for sentence in sentences] == [f"line {line}" for line in range(3, 13)]
    assert more == "and 2 more wrong rows"


def test_wrong_rows_are_left_out_of_the_others(tmp_path: Path) -> None:
    log = read_positions(written(tmp_path, ROW, {**ROW, "turn": "3", "move": "a1a2"}, {**ROW, "turn": "4"}))
    ((positions, problems),) = log.read([LEVEL])
    assert positions is not None
    assert positions.turn.tolist() == [2, 4]
    assert [problem.row for problem in problems] == [1]


def test_boards_read_at_once_are_those_read_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Right rows among ones with unknown tokens, lines, a row too few, and a bomb that has gone off."""
    wrong = ["r r g b / g b z g / b g b g", "r r r b / g b r g / b g b g", "g r g b / g b r b / g g b g"]
    wrong += ["r r g b / g b r g", "r r g b / g b r g / b g b s", "r r g b / g b r g / b g b r0"]
    boards = [ROW["board"], *wrong, "r r g g / g b r b / b g b g"]
    rows = [ROW | {"turn": str(turn), "board": board} for turn, board in enumerate(boards)]
    path = written(tmp_path, *rows)
    (positions, problems), *rest = read_positions(path).read([LEVEL])
    monkeypatch.setattr(
        "levelsense.people.position_rows.read_boards",
        lambda level, drawn, states: np.zeros(len(states), bool),
    )
    (expected, complaints), *_ = read_positions(path).read([LEVEL])
    assert positions is not None
    assert expected is not None
    assert not rest
    assert positions.turn.tolist() == expected.turn.tolist() == [0, len(boards) - 1]
    assert (positions.states == expected.states).all()
    assert problems == complaints
    assert len(problems) == len(wrong)


def test_levels_are_found_by_file_by_title_and_by_digest(tmp_path: Path) -> None:
    (tmp_path / "levels").mkdir()
    LEVEL.save(tmp_path / "levels" / "017.json")
    folder = tmp_path / "levels"
    by_digest = {**ROW, "level": "whatever", "digest": LEVEL.digest}
    for row in (ROW, {**ROW, "level": "017"}, by_digest):
        assert read(written(tmp_path, row), folder)[0].name == "017"
    unknown = {**ROW, "level": "018"}, {**ROW, "level": "018", "turn": "3"}, ROW
    assert complaint(written(tmp_path, *unknown), folder) == (
        "1 of 2 levels, with 2 of 3 moves, are not among the levels given: 018; "
        "expected their level files among `levels`"
    )
    changed = {**ROW, "digest": "0123456789abcdef-0123"}
    assert "not among the levels given: Small (digest 0123456789abcdef); " in complaint(
        written(tmp_path, changed), folder
    )


def test_a_title_of_two_levels_is_the_name_of_neither(tmp_path: Path) -> None:
    for number in (7, 8):
        LEVEL.model_copy(update={"moves": number}).save(tmp_path / f"{number}.json")
    assert read(written(tmp_path, {**ROW, "level": "8"}), tmp_path)[0].level.moves == 8
    assert "not among the levels given: Small" in complaint(written(tmp_path, ROW), tmp_path)


@pytest.mark.parametrize("at_once", [1, 3, 100])
def test_attempts_are_never_parted(tmp_path: Path, at_once: int) -> None:
    rows = [{**ROW, "attempt": str(attempt), "turn": str(turn)} for attempt in range(4) for turn in (1, 0)]
    log = read_positions(written(tmp_path, *rows))
    parts = list(log.positions([LEVEL], at_once))
    assert [len(part) for part in parts] == ([8] if at_once == 100 else [2] * 4)
    assert [turn for part in parts for turn in part.turn.tolist()] == [0, 1] * 4
    assert log.extent == (1, 1, 4, 8)


def test_files_that_are_no_files_of_positions(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(",".join(ROW) + "\n")
    assert complaint(path) == "no rows"
    with pytest.raises(PlayersError, match=r"x\.txt: suffix '\.txt'; expected \.csv or \.parquet"):
        read_positions(tmp_path / "x.txt")


def test_other_columns_are_told(tmp_path: Path) -> None:
    log = read_positions(written(tmp_path, {**ROW, "country": "nl"}))
    assert isinstance(log, PositionLog)
    assert log.unused == ("country",)
