"""The commands as a user runs them: what they print, where, and with which exit code."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import levelsense
from levelsense.cli import app
from levelsense.level.level import Level, bundled_levels

LEVEL = {
    "name": "Cherry drop",
    "about": "Two cherries, and icing in the way.",
    "moves": 25,
    "colors": 5,
    "board": ["- .  C  .  -", ". .  r= .  .", ". #1 #2 X  .", "- .  .  .  -"],
    "jelly": ["- .  .  .  -", ". .  .  .  .", ". 1  1  2  1", "- .  .  .  -"],
    "goals": {"ingredients": {"cherry": 2}, "jelly": "all"},
    "drops": [{"piece": "cherry", "keep": 1, "total": 1}],
    "exits": ["b4", "c4", "d4"],
    "stars": [20_000, 40_000, 60_000],
}


def run(*arguments: object, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=typed)


def run_really(*arguments: object, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the program in a process of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    return subprocess.run(
        [sys.executable, "-m", "levelsense", *map(str, arguments)],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        env=kept | environment,
        timeout=120,
        check=False,
    )


@pytest.fixture
def level(tmp_path: Path) -> Path:
    return write(tmp_path / "cherry.json", LEVEL)


def write(path: Path, data: dict[str, Any]) -> Path:
    path.write_text(json.dumps(data))
    return path


def assert_complaint(result: Result, *sentences: str) -> None:
    """The input was wrong, and each problem is a line on stderr."""
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert all(line.startswith("error: ") for line in lines)
    assert len(lines) == len(sentences)
    for line, sentence in zip(lines, sentences, strict=True):
        assert sentence in line


# The program as a whole


def test_help_names_every_command() -> None:
    printed = run("--help").stdout
    assert [
        word
        for word in ("show", "play", "check", "schema", "levels", "agents", "players", "bench")
        if word not in printed
    ] == []


@pytest.mark.parametrize(
    ("command", "defaults"),
    [
        ("playtest", ("heuristic", "10000")),
        ("fit", ("random, greedy, heuristic, policy@300",)),
        ("report", ("those of the model", "as many as the model needs, 100 of others")),
    ],
)
def test_help_tells_defaults_that_are_written_by_hand(command: str, defaults: tuple[str, ...]) -> None:
    printed = " ".join(run_really(command, "--help", COLUMNS="300").stdout.split())
    for default in defaults:
        assert f"[default: ({default})]" in printed


def test_version() -> None:
    assert run("--version").stdout == f"levelsense {levelsense.__version__}\n"


def test_without_a_command_help_is_shown() -> None:
    assert "Usage" in run().output


def test_help_loads_nothing_heavy() -> None:
    code = "import levelsense.cli, sys; print(*{'numba', 'numpy', 'levelsense.game'} & set(sys.modules))"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "\n"
    )


def test_the_module_runs_too() -> None:
    done = run_really("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"levelsense {levelsense.__version__}\n", "")


@pytest.mark.parametrize("command", ["show", "play"])
def test_unknown_levels_are_told_in_one_line(command: str) -> None:
    assert_complaint(run(command, "12-locked-upp"), "'12-locked-upp': no such level file")


def test_every_problem_of_a_level_is_a_line(tmp_path: Path) -> None:
    wrong = write(tmp_path / "wrong.json", LEVEL | {"moves": 0, "colors": 9})
    assert_complaint(run("show", wrong), "moves: 0", "colors: 9")


def test_a_users_mistake_shows_no_traceback(tmp_path: Path) -> None:
    done = run_really("show", tmp_path / "missing.json")
    assert done.returncode == 2
    assert done.stderr == f"error: {tmp_path}/missing.json: cannot be read: No such file or directory\n"


def test_a_reader_that_leaves_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "levelsense", "schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


# show


def test_show_draws_the_board_and_tells_the_rest(level: Path) -> None:
    assert run("show", level).stdout.splitlines() == [
        "Cherry drop",
        "Two cherries, and icing in the way.",
        "",
        "     a    b    c    d    e",
        "  1       .    C    .",
        "  2  .    .    r=   .    .",
        "  3  .    #1 ' #2 ' X  \" .  '",
        "  4       .    .    .",
        "          ▽    ▽    ▽",
        "",
        " .  ' jelly    .  \" double jelly   ▽ exit",
        "",
        "goals   clear 5 layers of jelly",
        "        bring down 2 cherries",
        "limit   25 moves",
        "colors  5: red, orange, yellow, green, blue",
        "board   4 rows, 5 columns, 4 gaps, jelly under 4 (1 double), 2 icing (3 layers),",
        "        1 chocolate, 1 striped candy, 1 cherry, 3 exits",
        "drops   cherry: kept at 1, at most 1",
        "stars   20,000 / 40,000 / 60,000",
        "rules   saga, saga scoring",
    ]


def test_show_tells_weights_dispensers_and_seconds(tmp_path: Path) -> None:
    data = LEVEL | {
        "moves": None,
        "seconds": 90,
        "colors": {"red": 3, "green": 1},
        "dispensers": [{"at": ["b1", "d1"], "drops": [{"piece": "countdown", "rate": 0.05, "timer": 9}]}],
    }
    del data["moves"]
    printed = run("show", write(tmp_path / "timed.json", data)).stdout
    assert "limit   90 seconds\n" in printed
    assert "colors  2: red 75%, green 25%\n" in printed
    assert "countdown 9 at b1, d1: 5% of what enters\n" in printed
    assert "↧" in printed


def test_show_deals_with_a_seed(level: Path) -> None:
    once, again, other = (run("show", level, "--seed", seed).stdout for seed in (1, 1, 2))
    assert once == again != other
    rows = [line for line in once.splitlines() if re.match(r"  \d ", line)]
    assert len(rows) == 4
    assert [row for row in rows if "." in row] == []


def test_show_as_json(level: Path) -> None:
    facts = json.loads(run("show", level, "--json").stdout)
    assert facts["goals"] == {"jelly": 5, "cherry": 2}
    assert facts["features"]["icing layers"] == 3
    assert facts["digest"] == Level.load(level).digest
    assert Level.model_validate(facts["level"]) == Level.load(level)


def test_show_as_a_picture(level: Path, tmp_path: Path) -> None:
    assert run("show", level, "--svg", tmp_path / "board.svg").exit_code == 0
    picture = (tmp_path / "board.svg").read_text()
    assert picture.startswith("<svg")
    assert "font-face" not in picture
    assert re.findall(r"url\((?!#)", picture) == []


def test_pictures_that_cannot_be_written_are_told(level: Path, tmp_path: Path) -> None:
    assert_complaint(run("show", level, "--svg", tmp_path), "cannot be written")


def test_colors_are_for_terminals(level: Path) -> None:
    assert "\x1b[" not in run_really("show", level).stdout
    assert "\x1b[" in run_really("show", level, FORCE_COLOR="1", TERM="xterm-256color").stdout


def test_no_color_is_respected(level: Path) -> None:
    printed = run_really("show", level, FORCE_COLOR="1", NO_COLOR="1", TERM="xterm-256color").stdout
    assert "48;" not in printed
    assert "#1 '" in printed


def test_terminals_without_arrows_get_question_marks(level: Path) -> None:
    done = run_really("show", level, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert "?    ?    ?" in done.stdout


@pytest.mark.parametrize("name", bundled_levels())
def test_every_bundled_level_can_be_shown(name: str) -> None:
    assert run("show", name).exit_code == 0


# play


def test_a_random_player_plays_to_the_end() -> None:
    once, again = (run("play", "01-first-steps", "--random", "--seed", 7).stdout for _ in range(2))
    assert once == again
    assert re.search(r"^  1  [a-g]\d[a-g]\d ", once)
    assert re.search(r"^(Won|Lost): ", once.splitlines()[-1])


def test_without_a_seed_one_is_drawn_and_told() -> None:
    printed = run("play", "01-first-steps", "--random").stdout
    seed, rest = re.match(
        r"seed (\d+): `--seed \d+` plays this attempt again\n(.*)", printed, re.DOTALL
    ).groups()  # type: ignore[union-attr]
    assert run("play", "01-first-steps", "--random", "--seed", seed).stdout == rest


def test_a_session_from_start_to_quit() -> None:
    done = run_really("play", "01-first-steps", "--seed", 7, typed="moves\nnonsense\na1 right\nquit\n")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "nonsense: neither a move such as c4d4 nor a command" in done.stdout


def test_the_end_of_input_ends_a_session_politely() -> None:
    assert run("play", "01-first-steps", "--seed", 7, typed="").exit_code == 0


def test_an_interrupt_ends_a_session_politely(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("rich.console.Console.input", interrupt)
    result = run("play", "01-first-steps", "--seed", 7)
    assert result.exit_code == 130
    assert result.stderr == ""


def test_a_saved_position_is_gone_on_from(tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    first = run("play", "01-first-steps", "--seed", 7, typed=f"hint\nsave {file}\n").stdout
    move = re.search(r"try (\w+)", first)[1]  # type: ignore[index]
    at_once = run("play", "01-first-steps", "--seed", 7, typed=f"{move}\n").stdout
    later = run("play", "01-first-steps", "--position", file, typed=f"{move}\n").stdout
    assert later == at_once


def test_wrong_positions_are_told(tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    assert_complaint(run("play", "01-first-steps", "--position", file), "position.txt: cannot be read")
    file.write_text("moves: 3\n")
    assert_complaint(run("play", "01-first-steps", "--position", file), "board: missing")


# check


def test_check_is_content_with_good_levels() -> None:
    result = run("check", "01-first-steps", "03-open-field")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].startswith("2 levels checked: 0 errors")


def test_check_tells_errors_of_each_level(level: Path, tmp_path: Path) -> None:
    write(tmp_path / "wrong.json", LEVEL | {"moves": 0})
    result = run("check", tmp_path)
    assert result.exit_code == 1
    assert f"{tmp_path}/wrong.json\n  error: line 1: moves: 0; expected" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("2 levels checked: 1 error, ")


def test_check_gives_advice_that_fails_only_when_strict(tmp_path: Path) -> None:
    """A countdown bomb that the first move has to clear is likely a mistake."""
    data = LEVEL | {"board": ["- .  C  .  -", ". .  r1 .  .", ". #1 #2 X  .", "- .  .  .  -"]}
    file = write(tmp_path / "fuse.json", data)
    lenient, strict = run("check", file), run("check", file, "--strict")
    assert "  warning: line 1: board, c2: " in lenient.stdout
    assert (lenient.exit_code, strict.exit_code) == (0, 1)
    assert lenient.stdout == strict.stdout


def test_check_as_json(tmp_path: Path) -> None:
    file = write(tmp_path / "wrong.json", LEVEL | {"moves": 0})
    result = run("check", file, "01-first-steps", "--json")
    assert result.exit_code == 1
    wrong, good = json.loads(result.stdout)
    assert wrong["level"] == str(file)
    assert [finding["severity"] for finding in wrong["findings"]] == ["error"]
    assert good == {"level": "01-first-steps", "findings": []}


def test_check_wants_folders_to_hold_levels(tmp_path: Path) -> None:
    assert_complaint(run("check", tmp_path), "a folder without level files")


def test_check_calls_missing_files_errors(tmp_path: Path) -> None:
    result = run("check", tmp_path / "missing.json", "01-first-steps")
    assert result.exit_code == 2
    assert "error: cannot be read" in result.stdout


# levels, schema, bench


def test_levels_lists_all() -> None:
    lines = run("levels").stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(bundled_levels())


def test_levels_as_json() -> None:
    assert [entry["name"] for entry in json.loads(run("levels", "--json").stdout)] == list(bundled_levels())


def test_agents_lists_all_with_their_options_and_presets() -> None:
    printed = run("agents").stdout
    assert [
        name for name in ("random", "greedy", "mcts") if not re.search(rf"^{name} ", printed, re.MULTILINE)
    ] == []
    assert re.search(r"^  of=score +.* \(score, goals\)$", printed, re.MULTILINE)
    assert re.search(r"^  branching=3 +.* \(1 to 1,000\)$", printed, re.MULTILINE)
    assert re.search(r"^  mcts-b4 +.*: mcts:simulations=150,signal=score$", printed, re.MULTILINE)


def test_agents_as_json() -> None:
    listed = {entry["name"]: entry for entry in json.loads(run("agents", "--json").stdout)}
    assert listed["random"]["options"] == []
    assert listed["greedy"]["options"][0]["choices"] == ["score", "goals"]
    simulations = listed["mcts"]["options"][0]
    assert (simulations["name"], simulations["kind"], simulations["default"]) == ("simulations", "int", 100)
    assert (simulations["low"], simulations["high"]) == (1, 1_000_000)
    assert listed["mcts"]["presets"][0]["spec"] == "mcts:simulations=50,signal=score"


def test_agents_are_listed_without_the_compiler() -> None:
    code = (
        "import sys; from levelsense.cli.terminal.agents import agents_data; agents_data();"
        "print(*{'numba', 'numpy', 'levelsense.game'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_schema_is_printed_or_written(tmp_path: Path) -> None:
    file = tmp_path / "schema.json"
    assert run("schema", "-o", file).stdout == ""
    assert json.loads(file.read_text()) == json.loads(run("schema").stdout) == Level.model_json_schema()


def test_schema_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    assert_complaint(run("schema", "--output", tmp_path / "no" / "where.json"), "cannot be written")


FIGURES = {
    "plain_moves_per_second": 400_000.0,
    "yardstick_moves_per_second": 500_000.0,
    "cold_compile_seconds": 12.34,
}


def test_bench_prints_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def run_bench(yardstick: str | None, rounds: int, progress: object) -> dict[str, float]:
        asked.append((yardstick, rounds))
        return FIGURES

    monkeypatch.setattr("levelsense.bench.run_bench", run_bench)
    printed = run("bench", "--yardstick", "./engine", "--rounds", 2).stdout
    assert asked == [("./engine", 2)]
    assert [line.split()[-1] for line in printed.splitlines()] == [
        "figure",
        "400,000",
        "500,000",
        "12.3",
        "80%",
    ]
    assert json.loads(run("bench", "--json").stdout) == FIGURES


def test_bench_measures_at_least_once() -> None:
    assert run("bench", "--rounds", 0).exit_code == 2


def test_tree_draws_a_search(tmp_path: Path) -> None:
    drawing = tmp_path / "tree.svg"
    result = run("tree", "01-first-steps", "--agent", "mcts:simulations=20,c=0.1", "-o", drawing)
    assert result.exit_code == 0
    assert "One search of mcts:simulations=20,c=0.1 on First steps" in drawing.read_text()


def test_tree_draws_a_search_of_a_noisy_agent(tmp_path: Path) -> None:
    drawing = tmp_path / "tree.svg"
    result = run("tree", "01-first-steps", "--agent", "mcts:simulations=20,noise=1", "-o", drawing)
    assert result.exit_code == 0
    assert "20 simulations" in drawing.read_text()


@pytest.mark.parametrize("seed", [-1, 2**64])
@pytest.mark.parametrize(
    "command",
    [
        ("tree", "01-first-steps", "-o", "tree.svg"),
        ("show", "01-first-steps"),
        ("play", "01-first-steps", "--random"),
        ("playtest", "01-first-steps"),
        ("tune", "01-first-steps", "--target", 0.5),
        ("generate",),
        ("players", "simulate", "01-first-steps"),
        ("fit", "01-first-steps", "03-open-field"),
        ("predict", "01-first-steps"),
        ("evaluate", "01-first-steps", "03-open-field", "--first", 1),
        ("report", "01-first-steps"),
    ],
)
def test_every_seed_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[object, ...], seed: int
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_complaint(run(*command, "--seed", seed), f"seed: {seed}; expected a whole number from 0 to ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [("show",), ("play", "--random")])
def test_an_attempts_own_seed_may_be_any_word(command: tuple[str, ...]) -> None:
    assert run(command[0], "01-first-steps", *command[1:], "--seed", 2**64 - 1).exit_code == 0


@pytest.mark.parametrize(
    ("option", "typed"),
    [("--attempts", "abc"), ("--seed", "1.5"), ("--precision", "x"), ("--threads", "two")],
)
def test_numbers_that_are_none_are_shown(option: str, typed: str) -> None:
    result = run("playtest", "01-first-steps", option, typed)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"'{option}': '{typed}'" in " ".join(result.stderr.replace("│", " ").split())


def test_show_gives_json_or_a_picture(tmp_path: Path) -> None:
    result = run("show", "01-first-steps", "--json", "--svg", tmp_path / "x.svg")
    assert_complaint(result, "--json and --svg: both are given; expected only one of them")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("/nonexistent --fast", "--yardstick /nonexistent --fast: there is no such program"),
        ("", "--yardstick : there is no such program"),
        ("'engine", "--yardstick 'engine: it cannot be read as a command: No closing quotation"),
    ],
)
def test_bench_looks_for_the_yardstick_first(
    monkeypatch: pytest.MonkeyPatch, command: str, sentence: str
) -> None:
    monkeypatch.setattr(
        "levelsense.bench._cold_compile_seconds", lambda: pytest.fail("it was measured first")
    )
    assert_complaint(run("bench", "--yardstick", command), sentence)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as on Linux")
def test_a_search_too_large_for_memory_is_one_sentence(tmp_path: Path) -> None:
    search = "levelsense tree 01-first-steps --agent mcts:simulations=1000000"
    done = subprocess.run(
        ["bash", "-c", f"ulimit -v 4000000; exec {sys.executable} -m {search}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(
        "error: mcts: a search as large as it is set to be does not"
    )
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_tree_refuses_agents_without_one(tmp_path: Path) -> None:
    result = run("tree", "01-first-steps", "--agent", "greedy", "-o", tmp_path / "tree.svg")
    assert_complaint(result, "--agent greedy: it grows no search tree; expected an mcts agent")
    assert not (tmp_path / "tree.svg").exists()


@pytest.mark.parametrize("command", [(), ("suggest",), ("predict",), ("players", "simulate")])
def test_help_shows_no_types_of_python(command: tuple[str, ...]) -> None:
    """What a designer reads is `--json`, not `--json <bool>`."""
    printed = run(*command, "--help").stdout
    assert "--help" in printed
    assert not re.search(r"<\w|bool|list\[|…", printed)
