"""New levels, and copies of others."""

from itertools import product
from pathlib import Path

import pytest

from levelsense.advice import advise
from levelsense.errors import LevelError, OutputError
from levelsense.lab import copy_level, write_new_level
from levelsense.level.bundled import bundled_levels, bundled_text
from levelsense.level.level import Level
from levelsense.level.template import GOALS, new_level, title_of
from levelsense.level.text import with_values

# Where a line of four or of five does not fit, no such special can be made.
IMPOSSIBLE = {"striped": 4, "color bomb": 5}


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("size", [(3, 3), (3, 12), (4, 5), (5, 5), (7, 6), (9, 9), (12, 3), (12, 12)])
def test_new_levels_are_checked_clean(size: tuple[int, int], goal: str) -> None:
    level = new_level("New", size, {goal: None})
    assert (level.rows, level.columns) == size
    assert goal in level.asked
    errors = [] if max(size) >= IMPOSSIBLE.get(goal, 0) else ["goal-out-of-supply"]
    assert [advice.code for advice in advise(level, deals=5)] == errors


def test_a_new_level_is_written_and_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "my-first.json"
    level = write_new_level(file)
    assert Level.load(file) == level
    assert (level.name, level.rows, level.columns, level.moves) == ("My first", 9, 9, 25)
    assert level.asked == {"jelly": 25}
    # Keys to play with are there even if they are at their default.
    assert '"colors": 6' in file.read_text()


def test_a_new_level_has_the_goals_that_are_asked_for(tmp_path: Path) -> None:
    goals = {"red": 30, "cherry": 2, "score": 5000, "jelly": 3, "color bomb": None}
    level = write_new_level(tmp_path / "a.json", size=(8, 7), goals=goals, moves=40, title="Mine")
    assert level.asked == {"score": 5000, "jelly": 3, "cherry": 2, "red": 30, "color bomb": 1}
    assert (level.name, level.moves, level.rows, level.columns) == ("Mine", 40, 8, 7)
    assert [(drop.piece, drop.total) for drop in level.drops] == [("cherry", 2)]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"size": (2, 9)}, "`size`: 2 rows; expected 3 to 12"),
        ({"size": (9, 13)}, "`size`: 13 columns; expected 3 to 12"),
        (
            {"goals": {"chocolate": 3}},
            "`goals`: 'chocolate' is no goal of a new level",
        ),
        ({"goals": {"jelly": 99}}, "goals, jelly: 99, but the level has 25 layers"),
        ({"moves": 0}, "new level: moves: 0; expected a whole number from 1 to 999"),
        (
            {"size": (4, 4), "goals": {"color bomb": 1}},
            "not written, since it could not be won: goals",
        ),
    ],
)
def test_what_no_level_can_be_is_refused(tmp_path: Path, wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(LevelError) as caught:
        write_new_level(tmp_path / "a.json", **wrong)  # type: ignore[arg-type]
    assert sentence in str(caught.value)
    assert not (tmp_path / "a.json").exists()


def test_a_file_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    write_new_level(file)
    before = file.read_text()
    with pytest.raises(OutputError, match=r"there is a file already; expected a new one$"):
        write_new_level(file)
    with pytest.raises(OutputError, match="there is a file already; expected a new one, or `replace`"):
        copy_level("30", file)
    with pytest.raises(OutputError, match="a folder; expected a file to write to"):
        copy_level("30", tmp_path)
    assert file.read_text() == before
    copy_level("30", file, replace=True)
    assert Level.load(file).asked == {"jelly": 16}


@pytest.mark.parametrize("name", bundled_levels())
def test_a_copy_is_the_same_text_with_another_name(tmp_path: Path, name: str) -> None:
    file = tmp_path / "my-copy.json"
    copied = copy_level(name, file)
    assert copied.name == "My copy"
    assert copied.digest == Level.bundled(name).digest
    lines, before = file.read_text().splitlines(), bundled_text(name).splitlines()
    assert [line for line, other in zip(lines, before, strict=True) if line != other] == [
        '  "name": "My copy",'
    ]


def test_a_copy_keeps_how_a_file_is_written(tmp_path: Path) -> None:
    text = (
        '{"goals" : {"score":5},\r\n\t"board":["r  g b","g r b", "b g r"] ,"name":"\\u00c4",\r\n"moves": 3 }'
    )
    source = tmp_path / "odd.json"
    source.write_bytes(text.encode())
    copy_level(source, tmp_path / "b.json", title='"Ä" \\')
    assert (tmp_path / "b.json").read_bytes().decode() == text.replace('"\\u00c4"', '"\\"Ä\\" \\\\"')


def test_drawings_are_replaced_as_drawings() -> None:
    text = bundled_text("30-grand-tour")
    board = list(Level.bundled("30-grand-tour").board)
    board[8] = ". . . . . . . . T3"
    before, after = '    "X  . . .  .  .  . . X"\n', '    ".  . . .  .  .  . . T3"\n'
    assert with_values(text, {"board": board}) == text.replace(before, after)


def test_a_level_that_is_wrong_is_not_copied(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"name": "x"}')
    with pytest.raises(LevelError, match="board is missing"):
        copy_level(tmp_path / "bad.json", tmp_path / "b.json")
    assert not (tmp_path / "b.json").exists()


def test_values_are_replaced_where_they_stand() -> None:
    text = '{"moves":3, "board": ["r"], "other": {"moves": 3}, "name": "moves"}'
    changed = with_values(text, {"name": "x", "moves": 12.0})
    assert changed == '{"moves":12, "board": ["r"], "other": {"moves": 3}, "name": "x"}'


@pytest.mark.parametrize(
    ("file", "title"),
    [
        ("mine.json", "Mine"),
        ("a/30-grand-tour.json", "Grand tour"),
        ("my_second-level", "My second level"),
        ("7.json", "7"),
        ("-.json", "New level"),
        ("éclair.json", "Éclair"),
    ],
)
def test_titles_are_made_of_file_names(file: str, title: str) -> None:
    assert title_of(file) == title


def test_sizes_go_all_the_way() -> None:
    for rows, columns in product((3, 12), repeat=2):
        assert new_level("x", (rows, columns)).asked["jelly"] >= 9
