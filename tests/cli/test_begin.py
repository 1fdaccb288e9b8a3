"""What one begins with on the command line: new and copied levels, names, completion, quiet commands."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from levelsense.cli import app
from levelsense.cli.completion import complete_agent, complete_goal, complete_level
from levelsense.cli.terminal import screen
from levelsense.level.level import Level


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


# New levels and copies


def test_new_writes_a_level_and_says_what_it_is() -> None:
    result = run(
        "new", "mine.json", "--size", "7x8", "--goal", "red=20", "--goal", "color-bomb", "--moves", 30
    )
    assert result.exit_code == 0, result.output
    assert result.stdout == (
        "mine.json: Mine, 7 x 8. Collect 20 red candies and make 1 color bomb in 30 moves.\n"
    )
    assert "next: levelsense show mine.json" in result.stderr
    assert Level.load("mine.json").asked == {"red": 20, "color bomb": 1}
    assert run("check", "mine.json", "--strict").exit_code == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--size", "9"), "--size '9': expected rows x columns, such as 9x9"),
        (("--size", "9x13"), "--size: 13 columns; expected 3 to 12"),
        (("--goal", "reed"), "--goal: 'reed' is no goal of a new level; expected one of jelly, score"),
        (("--goal", "red=many"), "--goal 'red=many': expected a whole number behind ="),
        (("--goal", "red=0"), "goals, orders, red: 0; expected a whole number from 1 to 9999"),
    ],
)
def test_wrong_options_of_new_are_told(folder: Path, options: tuple[str, ...], sentence: str) -> None:
    result = run("new", "mine.json", *options)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert list(folder.iterdir()) == []


def test_copy_refuses_to_overwrite() -> None:
    assert run("copy", "30", "mine.json", "--title", "Tour").stdout.startswith(
        "mine.json: Tour, 9 x 9. Clear 16"
    )
    again = run("copy", "01", "mine.json")
    assert (again.exit_code, again.stdout) == (2, "")
    assert again.stderr == "error: mine.json: there is a file already; expected a new one, or --replace\n"
    assert run("copy", "01", "mine.json", "--replace").exit_code == 0
    assert Level.load("mine.json").digest == Level.load("01-first-steps").digest


def test_tune_writes_the_file_as_it_was_but_for_the_limit(folder: Path) -> None:
    text = json.dumps(json.loads(Level.load("01").to_json()), indent=7).replace(
        '"moves": 15', '"moves" :   15'
    )
    (folder / "mine.json").write_text(text)
    command = ("tune", "mine.json", "--by", "random", "--attempts", 50, "--target", "50%", "--write")
    for output in ("mine.json", "other.json"):
        assert run(*command, output).exit_code == 0
        moves = Level.load(output).moves
        assert moves != 15
        assert (folder / output).read_text() == text.replace('"moves" :   15', f'"moves" :   {moves}')


# Names


def test_beginnings_of_names_work_in_commands() -> None:
    assert run("show", "30").stdout.startswith("Grand tour\n")
    assert "01-first-steps  random" in run("playtest", "01", "--agent", "random", "--attempts", 2).stdout
    assert "01-first-steps  random" in run("results", "--level", "01").stdout
    several = run("show", "3")
    assert several.exit_code == 2
    assert "'3': 10 bundled levels begin so; expected one of 30-grand-tour, 31-" in several.stderr
    assert run("check", "3").exit_code == 2


def test_a_level_that_is_hidden_by_another_is_told(folder: Path) -> None:
    Level.load("01").save(folder / "30-grand-tour.json")
    for command in (("show", "30"), ("check", "30", "30-grand-tour.json")):
        result = run(*command)
        assert result.stderr == (
            "30: the bundled level, not the file 30-grand-tour.json here, which 30-grand-tour.json means\n"
        )
    (folder / "30").mkdir()
    assert "30: the folder of that name here" in run("check", "30").stderr
    assert "folder" not in run("show", "30").stderr


# Findings for programs


def test_check_gives_codes_cells_and_lines_as_json(folder: Path) -> None:
    text = Level.load("30").to_json().replace('"X  . . .  .  .  . . X"', '"X  . . q  .  .  . . X"')
    (folder / "mine.json").write_text(text)
    ((checked,),) = (json.loads(run("check", "mine.json", "--json").stdout),)
    (finding,) = checked["findings"]
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "q" in row and "." in row)
    assert {key: finding[key] for key in ("severity", "code", "cell", "cells", "line")} == {
        "severity": "error",
        "code": "unknown-token",
        "cell": "d9",
        "cells": ["d9"],
        "line": line,
    }
    shown = run("check", "mine.json").stdout
    assert f"  error: line {line}: board, d9: unknown token 'q'; expected one of" in shown
    for command in (("predict", "mine.json"), ("show", "mine.json"), ("playtest", "mine.json")):
        assert run(*command).stderr.startswith(f"error: mine.json: line {line}: board, d9: unknown token 'q'")


def test_commands_show_the_caret_of_every_file_that_is_no_json(folder: Path) -> None:
    for name in ("a.json", "b.json"):
        (folder / name).write_text('{\n  "name": "x"\n}{')
    assert run("playtest", "a.json", "b.json").stderr.count("\n  3 | }{\n       ^\n") == 2


# Quiet


def test_quiet_commands_say_nothing_but_results_and_errors() -> None:
    assert run("-q", "new", "a.json").stderr == ""
    assert run("new", "b.json", "--quiet").stderr == ""
    assert run("new", "c.json").stderr != ""
    assert run("new", "c.json", "--quiet").stderr.startswith("error: c.json: there is a file already")


def test_a_quiet_command_on_a_terminal_shows_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert screen.shows_progress()
    screen.set_quiet(True)
    try:
        assert not screen.shows_progress()
        assert screen.Counting(None).watch is None  # type: ignore[arg-type]
    finally:
        screen.set_quiet(False)


# Completion


def test_levels_are_completed_with_files_and_folders_beside_them(folder: Path) -> None:
    Level.load("01").save(folder / "30-mine.json")
    (folder / "30-more").mkdir()
    (folder / "30.txt").write_text("")
    assert complete_level("30") == ["30-grand-tour", "30-mine.json", "30-more/"]
    Level.load("01").save(folder / "30-more" / "x.json")
    assert complete_level("30-more/") == ["30-more/x.json"]
    assert complete_level("no-such-folder/") == []


def test_agents_and_goals_are_completed() -> None:
    assert [name for name, _ in complete_agent("mcts")] == [
        "mcts",
        "mcts-b1",
        "mcts-b2",
        "mcts-b3",
        "mcts-b4",
    ]
    assert complete_goal("r") == ["red"]


def test_a_shell_is_told_what_completes_a_command() -> None:
    for words, offered in (("show 30-", ["30-grand-tour"]), ("play 01 --agent heu", ["heuristic"])):
        typed = f"levelsense {words}"
        environment = {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1)}
        done = subprocess.run(
            [sys.executable, "-c", "from levelsense.cli import main; main()"],
            env=os.environ | environment | {"_LEVELSENSE_COMPLETE": "complete_bash"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.stdout.split(), done.stderr) == (offered, "")


# A terminal


def test_an_agent_is_watched_in_a_terminal() -> None:
    """Through a pseudo-terminal: Enter plays the agent's move, u takes it back, q ends."""
    terminal, end = pty.openpty()
    command = ["-m", "levelsense", "play", "01", "--seed", "3", "--agent", "first", "--speed", "0"]
    with subprocess.Popen([sys.executable, *command], stdin=end, stdout=end, stderr=end) as program:
        shown = ""
        for typed, awaited in (("\n", "15 moves left"), ("u\n", "14 moves left"), ("q\n", "15 moves left")):
            shown += _read_until(terminal, awaited + r"[\s\S]*Enter plays it")
            os.write(terminal, typed.encode())
    assert program.returncode == 0
    assert shown.count("first chooses ") == 3
    assert "Reach 4,000 points in 15 moves." in shown
    os.close(terminal)
    os.close(end)


def _read_until(terminal: int, pattern: str) -> str:
    """What a terminal shows until a pattern is in it."""
    shown, deadline = "", time.monotonic() + 60
    while not re.search(pattern, shown):
        assert time.monotonic() < deadline, shown
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 65536).decode(errors="replace")
    return shown
