"""Levels that `levelsense check` finds errors in: they are shown and tried by hand, and not played."""

import json
from pathlib import Path

import pytest

from levelsense.level.level import Level
from levelsense.playtest import playtest
from tests.test_cli import run

SENTENCE = "goals, orders, countdown: asks for 7, but at most 6 are drawn or drop in"


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A level of which nobody can meet the goal, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    written = json.loads(Level.load("20-short-fuses").to_json())
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(written | {"goals": {"orders": {"countdown": 7}}}))
    return path


@pytest.mark.parametrize(
    "command",
    [
        ("playtest", "mine.json"),
        ("playtest", "04-jelly-garden", "."),
        ("predict", "mine.json"),
        ("tune", "mine.json", "--target", "35%"),
        ("tune", "mine.json", "--target", "35%", "--by", "random"),
        ("report", "mine.json"),
        ("fit", "mine.json"),
        ("evaluate", "mine.json", "--first", 3),
        ("players", "simulate", "mine.json"),
        ("tree", "mine.json"),
    ],
)
def test_no_command_lets_anybody_play_it(mine: Path, command: tuple[object, ...]) -> None:
    result = run(*command)
    assert (result.exit_code, result.stdout) == (2, "")
    complaint = (
        f"error: mine.json: not played, since it cannot be won: line 1: {SENTENCE}; see `levelsense check`\n"
    )
    assert result.stderr == complaint
    assert list(mine.parent.iterdir()) == [mine]


def test_check_says_the_same() -> None:
    result = run("check", "mine.json")
    assert result.exit_code == 1
    assert f"error: line 1: {SENTENCE}" in result.stdout


def test_a_person_may_look_at_it_and_try_it() -> None:
    shown = run("show", "mine.json")
    assert shown.exit_code == 0
    assert f"mine.json: this level cannot be won: line 1: {SENTENCE}" in shown.stderr
    tried = run("play", "mine.json", "--seed", 1, typed="quit\n")
    assert tried.exit_code == 0
    assert f"mine.json: this level cannot be won: line 1: {SENTENCE}" in tried.stderr
    assert "cannot be won" not in run("play", "20-short-fuses", "--seed", 1, typed="quit\n").stderr


def test_a_level_without_a_board_to_start_from_is_not_played(mine: Path) -> None:
    board = [". # . #", "# . # .", ". # . #", "# . # ."]
    text = json.dumps({"name": "Blocked", "moves": 5, "board": board, "goals": {"score": 10}})
    mine.write_text(text.replace("#", "#5"))
    result = run("playtest", "mine.json")
    assert result.exit_code == 2
    assert "board: none of 20 first boards could be dealt with a legal move" in result.stderr


def test_levels_from_python_are_taken_as_they_are(mine: Path) -> None:
    result = playtest([Level.load(mine)], ["random"], attempts=3)
    assert result.pairs[0].wins == 0
