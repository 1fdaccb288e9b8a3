"""docs/telemetry.md says what the columns are, and its examples give what it says."""

import csv
import re
from pathlib import Path

import pytest

from levelsense.game.game import Move
from levelsense.people.move_form import MOVE_SCHEMA, move_metadata
from levelsense.people.position_rows import REQUIRED
from levelsense.people.position_table import POSITION_SCHEMA
from tests.test_cli import run

PAGE = (Path(__file__).parents[2] / "docs" / "telemetry.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


TEXTS = blocks("text")
ROWS, LEVEL, PROGRAM = blocks("csv")[0], blocks("json")[0], blocks("python")[0]


def table(heading: str) -> list[list[str]]:
    """The cells of the tables under a heading."""
    text = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.*) \|$", text, re.MULTILINE)
    return [row.split(" | ") for row in rows]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("levels").mkdir()
    Path("levels/small.json").write_text(LEVEL)
    Path("rows.csv").write_text(ROWS)
    return tmp_path


def test_every_column_of_positions_is_documented() -> None:
    rows = table("Positions: a row a move")
    assert [name.strip("`") for name, *_ in rows] == list(POSITION_SCHEMA)
    assert {name.strip("`") for name, what, *_ in rows if ", required:" in what} == set(REQUIRED)


def test_every_column_and_key_of_moves_is_documented() -> None:
    rows = table("Moves: what simulated players write")
    columns = {row[0].strip("`"): row[1] for row in rows if len(row) == 3}
    assert columns == {name: str(kind()) for name, kind in MOVE_SCHEMA.items()}
    assert {row[0].strip("`") for row in rows if len(row) == 2} == set(move_metadata(1))


def test_the_code_of_a_move_is_as_the_page_says() -> None:
    (code, move), *_ = re.findall(r"`Move\.from_code\((\d+)\)` is (\w+)", PAGE)
    assert str(Move.from_code(int(code))) == move
    assert Move.parse(move).code == int(code)
    (row, column), (_, _) = Move.parse(move)
    assert int(code) == 2 * (row * 12 + column)
    assert Move.parse("d7c7").code == int(code) + 288


@pytest.mark.usefixtures("folder")
def test_the_rows_of_the_page_are_right() -> None:
    assert run("players", "check", "rows.csv", "--levels", "levels").stdout == TEXTS[0]


@pytest.mark.usefixtures("folder")
def test_the_errors_are_those_of_the_page() -> None:
    with Path("rows.csv").open() as file:
        good = {**next(csv.DictReader(file)), "legal_moves": ""}
    wrong = [
        {"move": "a1a2"},
        {"board": good["board"].replace("r r", "r q")},
        {"goals_left": "cherry 1"},
        {"legal_moves": "a1a2 b1b2"},
    ]
    with Path("rows.csv").open("w") as file:
        writer = csv.DictWriter(file, list(good))
        writer.writeheader()
        writer.writerows({**good, "turn": turn, **change} for turn, change in enumerate(wrong))
    checked = run("players", "check", "rows.csv", "--levels", "levels")
    assert (checked.stderr, checked.exit_code) == (TEXTS[1], 2)


@pytest.mark.usefixtures("folder")
def test_the_error_of_levels_is_that_of_the_page() -> None:
    last = ROWS.splitlines()[-1].replace("small", "large")
    Path("rows.csv").write_text(f"{ROWS}{last}\n")
    checked = run("players", "check", "rows.csv", "--levels", "levels")
    assert (checked.stdout, checked.stderr, checked.exit_code) == ("", TEXTS[2], 2)


@pytest.mark.usefixtures("folder")
def test_the_check_of_moves_is_that_of_the_page() -> None:
    run("players", "simulate", "04-jelly-garden", "--players", 3, "--telemetry", "moves.parquet")
    # How many moves there are changes with every version of the simulated players.
    shown, printed = (
        re.sub(r"\d+", "N", text) for text in (TEXTS[3], run("players", "check", "moves.parquet").stdout)
    )
    assert printed == shown


@pytest.mark.usefixtures("folder")
def test_the_program_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PROGRAM, "telemetry.md", "exec"), {})
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert first.startswith("Extent(levels=2, players=20, attempts=")
