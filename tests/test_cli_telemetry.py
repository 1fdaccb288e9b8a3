"""`levelsense players check` and `players export`: files of moves and of positions at the command line."""

import json
from pathlib import Path

import polars as pl
import pytest

from levelsense.people.moves import read_moves
from levelsense.people.position_table import POSITION_SCHEMA
from levelsense.people.telemetry import read_telemetry
from tests.test_cli import assert_complaint, run

LEVELS = ("04-jelly-garden", "11-beat-the-clock")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    run("players", "simulate", *LEVELS, "--players", 4, "--telemetry", "moves.parquet")
    return tmp_path


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.usefixtures("folder")
def test_moves_become_positions_that_are_right(suffix: str) -> None:
    path = f"positions.{suffix}"
    rows = len(read_moves("moves.parquet"))
    exported = run("players", "export", "moves.parquet", "-o", path)
    assert (exported.exit_code, exported.stderr) == (0, f"{path} written: {rows:,} rows\n")
    table = pl.read_csv(path, schema=POSITION_SCHEMA) if suffix == "csv" else pl.read_parquet(path)
    assert table.height == rows
    assert table.schema == POSITION_SCHEMA
    assert set(table["cohort"]) == {"simulated everyone, seed 0"}
    checks = [json.loads(run("players", "check", name, "--json").stdout) for name in ("moves.parquet", path)]
    for name in ("levels", "players", "attempts", "moves", "by_level", "wrong", "problems"):
        assert checks[0][name] == checks[1][name]
    assert [check["form"] for check in checks] == ["moves", "positions"]
    assert (checks[0]["levels"], checks[0]["players"], checks[0]["moves"]) == (2, 4, rows)
    assert (checks[0]["simulated_players_version"] is None) == (checks[1]["form"] == "moves")


@pytest.mark.usefixtures("folder")
def test_what_is_exported_is_exported_again() -> None:
    run("players", "export", "moves.parquet", "-o", "one.csv")
    run("players", "export", "one.csv", "-o", "two.csv")
    assert Path("two.csv").read_text() == Path("one.csv").read_text()


@pytest.mark.usefixtures("folder")
def test_every_illegal_move_is_told_and_the_other_attempts_are_checked() -> None:
    """After an illegal move nobody knows the positions of its attempt; those of others are not touched."""
    table, metadata = pl.read_parquet("moves.parquet"), pl.read_parquet_metadata("moves.parquet")
    first = table.with_row_index("row").filter(pl.col("turn") == 0, pl.col("level") == LEVELS[0])["row"]
    wrong = [int(first[1]), int(first[2])]
    of_others = table.filter(pl.col("level") == LEVELS[0], ~pl.col("player").is_in([1, 2])).height
    move = pl.when(pl.int_range(pl.len()).is_in(wrong)).then(pl.lit(287, pl.Int16)).otherwise("move")
    table.with_columns(move=move).write_parquet("wrong.parquet", metadata=metadata)
    checked = run("players", "check", "wrong.parquet", "--json")
    data = json.loads(checked.stdout)
    assert checked.exit_code == 2
    assert data["wrong"] == 2
    assert data["by_level"][LEVELS[0]] == of_others
    for line, row in zip(checked.stderr.splitlines(), wrong, strict=True):
        assert line.startswith(f"error: wrong.parquet: row {row + 1}: level 04-jelly-garden, player ")
        assert "move 287 (l12l13) is not legal there" in line
    assert_complaint(
        run("players", "export", "wrong.parquet", "-o", "x.csv"),
        checked.stderr.splitlines()[0].removeprefix("error: "),
    )
    assert not Path("x.csv").exists()


@pytest.mark.usefixtures("folder")
def test_other_levels() -> None:
    assert_complaint(
        run("players", "check", "moves.parquet", "--levels", LEVELS[0]),
        "not among the levels given: 11-beat-the-clock; expected their level files among --levels",
    )
    result = run("players", "check", "moves.parquet", "--levels", LEVELS[0], "--levels", LEVELS[1])
    assert result.exit_code == 0
    assert result.stdout.startswith("level              moves\n04-jelly-garden    ")
    assert result.stdout.endswith("not people; all are right\n")


def test_files_that_are_neither(folder: Path) -> None:
    (folder / "a.csv").write_text("level,attempts,successes\n1,2,1\n")
    assert_complaint(run("players", "check", "a.csv"), "a.csv: no columns player, attempt, turn,")
    (folder / "a.txt").write_text("")
    assert_complaint(run("players", "check", "a.txt"), "a.txt: suffix '.txt'; expected .csv or .parquet")
    assert_complaint(run("players", "check", "b.parquet"), "b.parquet: cannot be read: No such file")
    assert_complaint(run("players", "check", "b.csv"), "b.csv: cannot be read: No such file")
    run("players", "simulate", LEVELS[0], "--db", "other.db", "--telemetry", "m.csv")
    assert_complaint(
        run("players", "check", "m.csv"), "m.csv: moves as CSV, which does not say of which rules"
    )


def test_the_form_is_told_by_columns(folder: Path) -> None:
    run("players", "export", "moves.parquet", "-o", "p.parquet")
    with_seeds = pl.read_parquet("p.parquet").with_columns(game_seed=pl.lit(1))
    with_seeds.write_parquet(folder / "both.parquet")
    assert type(read_telemetry("moves.parquet")).__name__ == "MoveLog"
    assert type(read_telemetry("both.parquet")).__name__ == "PositionLog"


def test_outputs_that_cannot_be(folder: Path) -> None:
    moves = (folder / "moves.parquet").read_bytes()
    (folder / "link.parquet").symlink_to(folder / "moves.parquet")
    for output in ("moves.parquet", "./moves.parquet", "link.parquet"):
        assert_complaint(
            run("players", "export", "moves.parquet", "-o", output),
            f"{Path(output)}: the file that is read; expected another to write to",
        )
    assert (folder / "moves.parquet").read_bytes() == moves
    assert_complaint(run("players", "export", "moves.parquet", "-o", "x.txt"), "expected .csv or .parquet")
    assert_complaint(run("players", "export", "moves.parquet", "-o", "no/x.csv"), "there is no folder no")
    assert_complaint(run("players", "export", "moves.parquet", "-o", "levelsense.db"), "a database, which is")
