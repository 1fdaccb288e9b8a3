"""The commands about changes of a level: suggest, compare, watch, generate --target, versions in results."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from levelsense import Level
from levelsense.cli import app
from levelsense.playtest.limits import with_limit

SMALL = Level.load("17-pocket-board")
SMALL_NAME = "17-pocket-board"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words)


def test_suggest_prints_writes_and_predict_agrees() -> None:
    shown = run("suggest", SMALL_NAME, "--target", "35%", "--write", "1", "-o", "new.json", "--most", "1")
    assert shown.exit_code == 0, shown.output
    lines = shown.stdout.splitlines()
    assert lines[:2] == ["Pocket board", "success rates to expect of simulated players, target 35.0%"]
    assert lines[2].startswith("now ")
    assert lines[4].startswith("1  ")
    assert "skill" in shown.stdout
    assert "changes were tried; this is the smallest that reaches 35.0%" in shown.stdout
    assert f"new.json written: {lines[4][3:]}" in shown.stderr
    predicted = json.loads(run("predict", "new.json", "--json").stdout)[0]
    assert lines[5].startswith(f"   {predicted['rate']:.1%} (95% band ")
    difference = run("compare", SMALL_NAME, "new.json", "--json")
    assert "; ".join(json.loads(difference.stdout)["changes"]) == lines[4][3:]


def test_suggest_as_json_and_without_a_way() -> None:
    shown = run("suggest", SMALL_NAME, "--target", "0.99", "--allow", "shape", "--json")
    assert shown.exit_code == 1
    data = json.loads(shown.stdout)
    assert data["suggestions"] == []
    assert data["reached"] is False
    assert Level.model_validate(data["nearest"]["level"]).digest == data["nearest"]["digest"]
    refused = run(
        "suggest", SMALL_NAME, "--target", "0.99", "--allow", "shape", "--write", "1", "-o", "x.json"
    )
    assert refused.exit_code == 1
    assert "and none reaches 99.0% within 2.5 points; the nearest:" in refused.stdout
    assert "x.json not written: there is no suggestion 1" in refused.stderr
    assert not Path("x.json").exists()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--target", "0"), "target: 0; expected a success rate above 0%"),
        (
            ("--target", "35", "--allow", "jam"),
            "--allow 'jam': no kind of edit; expected some of moves, jelly",
        ),
        (("--target", "35", "--keep", "d1"), "--keep 'd1': off the board; expected cells from a1 to c3"),
        (("--target", "35", "--most", "0"), "--most: 0; expected a whole number from 1 to 20"),
        (("--target", "35", "--write", "1"), "--write and -o: only one of them is given"),
        (
            ("--target", "35", "--write", "6", "-o", "x.json"),
            "--write: 6; expected a whole number from 1 to 5",
        ),
    ],
)
def test_suggest_refuses(words: tuple[str, ...], expected: str) -> None:
    shown = run("suggest", SMALL_NAME, *words)
    assert shown.exit_code == 2
    assert expected in shown.stderr


def test_compare_tells_a_change_or_what_it_would_take() -> None:
    with_limit(SMALL, 20).save("long.json")
    shown = run("compare", SMALL_NAME, "long.json")
    assert shown.exit_code == 0, shown.output
    assert "- 8 moves more\nlimit   12 moves > 20 moves" in shown.stdout
    assert "It gets easier for simulated players, by" in shown.stdout
    assert "boards of its own" not in shown.stderr  # with another limit, boards are the same
    SMALL.save("same.json")
    same = run("compare", SMALL_NAME, "same.json")
    assert "Nothing is different that decides play." in same.stdout
    assert "-0.0" not in same.stdout
    few = run("compare", SMALL_NAME, "long.json", "--attempts", "10")
    assert few.exit_code == 2
    assert "--attempts: 10; expected a whole number from 1,000" in few.stderr


def test_compare_draws_the_rows_that_changed() -> None:
    old = SMALL.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    board = list(SMALL.board)
    board[2] = board[2].replace(".", "#1", 1)
    Level.model_validate({**old, "board": board}).save("iced.json")
    compared = run("compare", SMALL_NAME, "iced.json")
    assert "`levelsense predict` deals the new one boards of its own" in compared.stderr
    shown = compared.stdout
    assert "- icing added at a3" in shown
    assert "before" in shown
    assert "  3 » #1 " in shown
    assert "  2 " not in shown.split("success of")[0]


def test_results_tell_versions_apart() -> None:
    for limit in (12, 15):
        with_limit(SMALL, limit).save("mine.json")
        assert run("playtest", "mine.json", "--agent", "first", "--attempts", "3").exit_code == 0
    shown = run("results")
    assert "mine   1 of 2   first" in shown.stdout
    assert "mine, version 2 of 2, 20" in shown.stdout
    assert "3 moves more" in shown.stdout
    data = json.loads(run("results", "--json").stdout)
    assert [entry["version"]["changed"] for entry in data] == [None, "3 moves more"]


def test_generate_for_targets() -> None:
    shown = run("generate", "--target", "60%", "--first", "2", "-o", "curve", "--json")
    assert shown.exit_code == 0, shown.output
    data = json.loads(shown.stdout)
    assert [entry["intended"] for entry in data["levels"]] == [0.6]
    assert sorted(path.name for path in Path("curve").iterdir()) == ["saga-0002.json"]
    for entry in data["levels"]:
        assert abs(entry["prediction"]["rate"] - entry["intended"]) < 0.05
        predicted = json.loads(run("predict", f"curve/{entry['file']}", "--json").stdout)[0]
        assert predicted["rate"] == entry["prediction"]["rate"]


def test_generate_refuses() -> None:
    both = run("generate", "--target", "0.3", "--count", "2")
    assert "--target and --count: both are given" in both.stderr
    alone = run("generate", "--model", "model.json")
    assert "--model: it goes with --target" in alone.stderr
    wrong = run("generate", "--target", "0.3,,0.5")
    assert "target: ''; expected a success rate" in wrong.stderr
    assert {both.exit_code, alone.exit_code, wrong.exit_code} == {2}


def test_watch_tells_each_save_and_goes_on_after_a_bad_one(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    SMALL.save(file)
    command = [sys.executable, "-u", "-m", "levelsense", "watch", str(file), "--target", "50"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as watching:
        assert watching.stdout is not None
        lines = iter(watching.stdout.readline, "")
        _until(lines, "of simulated players' attempts (95% band ")
        with_limit(SMALL, 20).save(file)
        _until(lines, "8 moves more: +")
        file.write_text("{")
        _until(lines, "not JSON")
        SMALL.save(file)
        _until(lines, "8 moves fewer: -")
        watching.send_signal(signal.SIGINT)
        _until(lines, "no longer watched")
        assert watching.wait(20) == 0


def _until(lines: Iterator[str], part: str) -> None:
    """Reads lines up to one that has a part."""
    start = time.monotonic()
    for line in lines:
        if part in line:
            return
        assert time.monotonic() - start < 120
    pytest.fail(f"the watch ended without {part!r}")


def test_watch_wants_a_file() -> None:
    shown = run("watch", "nothing.json")
    assert shown.exit_code == 2
    assert "nothing.json: no such file; expected a level file to watch" in shown.stderr
