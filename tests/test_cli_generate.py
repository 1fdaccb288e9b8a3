"""`levelsense generate` as it is typed."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from levelsense.cli import app
from levelsense.level.level import Level
from levelsense.saga.generate import saga_level


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["generate", *words])


def test_generate_writes_levels_and_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "saga"
    result = run("--count", "3", "--seed", "5", "-o", str(folder))
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].split() == ["element", "levels", "from", "level"]
    assert result.stdout.splitlines()[-1] == f"{folder}: 3 levels written"
    assert Level.load(folder / "saga-0003.json") == saga_level(5, 3).level
    again = run("--count", "2", "--first", "2", "--seed", "5", "-o", str(folder))
    assert again.stdout.splitlines()[-1] == f"{folder}: 0 levels written, 2 were there already"


def test_generate_as_json(tmp_path: Path) -> None:
    result = run("--count", "1", "--first", "6", "-o", str(tmp_path), "--json")
    data = json.loads(result.stdout)
    (level,) = data["levels"]
    made = saga_level(1, 6)
    assert (data["written"], data["known"]) == (1, 0)
    assert (level["number"], level["file"]) == (6, "saga-0006.json")
    assert level["digest"] == Level.load(tmp_path / "saga-0006.json").digest
    assert level["elements"] == ["jelly"]
    assert level["intended"] == pytest.approx(made.intended, abs=1e-4)
    assert level["heuristic"] == {"wins": made.wins, "attempts": 120}


def test_generate_refuses_to_overwrite_unless_forced(tmp_path: Path) -> None:
    assert run("--count", "1", "-o", str(tmp_path)).exit_code == 0
    before = (tmp_path / "saga-0001.json").read_text()
    refused = run("--count", "1", "--seed", "2", "-o", str(tmp_path))
    assert refused.exit_code == 2
    assert "saga-0001.json would be overwritten" in refused.stderr
    assert (tmp_path / "saga-0001.json").read_text() == before
    assert run("--count", "1", "--seed", "2", "-o", str(tmp_path), "--force").exit_code == 0
    assert (tmp_path / "saga-0001.json").read_text() != before


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--count", "0"], "count: 0; expected at least 1"),
        (["--seed", "-1"], "seed: -1; expected a whole number from 0"),
        (["--first", "0"], "first: 0; expected at least 1"),
    ],
)
def test_wrong_input(tmp_path: Path, words: list[str], problem: str) -> None:
    result = run(*words, "-o", str(tmp_path / "saga"))
    assert result.exit_code == 2
    assert problem in result.stderr
    assert not (tmp_path / "saga").exists()


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "saga"
    path.write_text("")
    result = run("--count", "1", "-o", str(path))
    assert result.exit_code == 2
    assert "a file; expected a folder for the levels" in result.stderr
