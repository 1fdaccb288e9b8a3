"""`levelsense playtest` and `levelsense results` as a user runs them."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from levelsense.game.state import RULES_VERSION
from levelsense.level.level import Level
from levelsense.playtest import playtest
from levelsense.playtest.result import TABLE_SCHEMA, with_seeds
from levelsense.store import Database, runs
from tests.test_cli import assert_complaint, run, run_really

LEVELS = ("01-first-steps", "03-open-field")
PLAYED = ("playtest", *LEVELS, "--agent", "random", "--attempts", 30)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The databases of tests are made in folders of their own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# playtest


def test_a_line_for_each_level_and_agent(folder: Path) -> None:
    result = run("playtest", *LEVELS, "--agent", "random", "--agent", "first", "--attempts", 30)
    assert (result.exit_code, result.stderr) == (0, "")
    heading, *lines = result.stdout.splitlines()
    assert heading.split() == ["level", "agent", "attempts", "success", "95%", "interval"]
    keys = {tuple(line.split()[:3]) for line in lines}
    assert keys == {(level, agent, "30") for level in LEVELS for agent in ("random", "first")}
    assert [path.name for path in folder.iterdir()] == ["levelsense.db"]


def test_what_is_there_is_not_played_again() -> None:
    once, again = run(*PLAYED).stdout, run(*PLAYED).stdout
    assert once == again
    with Database("levelsense.db") as database:
        assert [run.finished is not None for run in runs(database)] == [True, True]


def test_the_number_of_threads_changes_nothing() -> None:
    one, two = (run(*PLAYED, "--threads", n, "--db", f"{n}.db", "--json").stdout for n in (1, 2))
    assert one == two


def test_playtest_as_json() -> None:
    data = json.loads(run(*PLAYED, "--seed", 4, "--json").stdout)
    expected = playtest(LEVELS, ["random"], attempts=30, seed=4)
    assert [entry["wins"] for entry in data] == [pair.wins for pair in expected.pairs]
    assert data[0] == {
        "level": "01-first-steps",
        "digest": Level.load("01-first-steps").digest,
        "agent": "random",
        "rules": RULES_VERSION,
        "seed": 4,
        "attempts": 30,
        "wins": expected.pairs[0].wins,
        "success_rate": expected.pairs[0].wins / 30,
        "interval": list(expected.pairs[0].interval),
        "finished": True,
    }


def test_precision_and_its_ceiling() -> None:
    result = run("playtest", "04-jelly-garden", *PLAYED[2:], "--precision", 0.07, "--ceiling", 60)
    assert result.exit_code == 0
    counts = {line.split()[0]: line.split()[2] for line in result.stdout.splitlines()[1:]}
    assert counts == {"04-jelly-garden": "60", "03-open-field": "30"}
    assert result.stderr == (
        "04-jelly-garden, random: after 60 attempts, the ceiling, "
        "the interval still reaches 0.077 to either side\n"
    )


def test_levels_that_are_alike_are_played_once(folder: Path) -> None:
    Level.load("01-first-steps").save(folder / "copy.json")
    result = run(*PLAYED, "copy.json")
    assert result.stderr == "copy: the same level as 01-first-steps, played once\n"
    assert [line.split("  ")[0] for line in result.stdout.splitlines()[1:]] == [
        "01-first-steps, copy",
        "03-open-field",
    ]


def test_passwords_are_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    from levelsense.cli.terminal.playtests import command_words

    url = "postgresql://ann:secret@localhost/levels"
    monkeypatch.setattr(sys, "argv", ["levelsense", "playtest", "my level.json", f"--db={url}"])
    assert command_words() == (
        "levelsense playtest 'my level.json' '--db=postgresql://ann:***@localhost/levels'"
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--attempts", 0), "attempts: 0; expected a whole number from 1 to"),
        (("--precision", 0.9), "precision: 0.9; expected the half width of an interval"),
        (("--ceiling", 10), "ceiling: 10; it limits a precision"),
        (("--seed", -1), "seed: -1; expected"),
        (("--threads", 0), "threads: 0; expected"),
        (("--agent", "nobody"), "unknown agent 'nobody'"),
        (("--agent", "random:c=1"), "random"),
        (("no-such-level",), "'no-such-level': no such level file"),
        (("--db", "no/where.db"), "no/where.db: cannot be made: there is no folder no"),
        (("--db", "mysql://x/y"), "mysql: not a kind of database that is supported"),
    ],
)
def test_wrong_input_is_one_sentence_and_leaves_nothing(
    folder: Path, options: tuple[object, ...], sentence: str
) -> None:
    assert_complaint(run(*PLAYED, *options), sentence)
    assert list(folder.iterdir()) == []


def test_files_that_are_no_database(folder: Path) -> None:
    (folder / "notes.txt").write_text("not a database, but long enough to be looked at " * 20)
    assert_complaint(run(*PLAYED, "--db", "notes.txt"), "notes.txt: file is not a database")
    assert_complaint(run("results", "--db", "notes.txt"), "notes.txt: file is not a database")


def test_results_go_to_stdout_and_nothing_to_stderr() -> None:
    run(*PLAYED)
    done = run_really(*PLAYED)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert len(done.stdout.splitlines()) == 3


# results


@pytest.fixture
def played() -> pl.DataFrame:
    """Some attempts in the database, and the table of them."""
    run(*PLAYED)
    return playtest(LEVELS, ["random"], attempts=30).attempts


def test_results_show_what_playtest_showed() -> None:
    lines = run(*PLAYED).stdout.splitlines()
    result = run("results")
    assert (result.exit_code, result.stderr) == (0, "")
    cells = [[line.split()[k] for k in (0, 1, 3, 4)] for line in result.stdout.splitlines()[1:]]
    assert cells == [line.split()[:4] for line in lines[1:]]


def test_results_as_json(played: pl.DataFrame) -> None:
    first, second = json.loads(run("results", "--json").stdout)
    assert (first["level"], second["level"]) == LEVELS
    assert first["wins"] + second["wins"] == played["won"].sum()
    assert first["mean_score"] == pytest.approx(played.head(30)["score"].mean())


def test_results_of_a_level_an_agent_a_seed_a_run(played: pl.DataFrame) -> None:
    run(*PLAYED, "--seed", 1)
    assert len(run("results").stdout.splitlines()) == 5
    for options in (("--level", LEVELS[0]), ("--seed", 1), ("--run", 1), ("--level", "*", "--run", 2)):
        assert len(run("results", "--agent", "random", *options).stdout.splitlines()) == 3, options


def test_runs_are_listed(played: pl.DataFrame) -> None:
    heading, line = run("results", "--runs").stdout.splitlines()
    assert heading.split()[:2] == ["run", "started"]
    assert line.split()[0] == "1"
    assert " finished " in line
    (noted,) = json.loads(run("results", "--runs", "--json").stdout)
    assert (noted["run"], noted["attempts"], noted["levels"]) == (1, 30, 2)
    assert noted["versions"]["numba"]


def test_attempts_as_csv(played: pl.DataFrame) -> None:
    printed = run("results", "--csv", "-").stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert list(rows[0]) == with_seeds(played).columns
    assert [int(row["score"]) for row in rows] == played["score"].to_list()
    assert rows[0]["game_seed"] == str(with_seeds(played)["game_seed"][0])
    lost = next(row for row in rows if row["won"] == "false")
    assert bytes.fromhex(lost["left_jelly"]) == bytes(18)
    result = run("results", "--csv", "out.csv", "--level", LEVELS[1])
    assert result.stderr == "30 attempts written to out.csv\n"
    assert Path("out.csv").read_text().splitlines()[1:] == printed.splitlines()[31:]


def test_attempts_as_parquet(played: pl.DataFrame) -> None:
    run("results", "--parquet", "out.parquet")
    assert pl.read_parquet("out.parquet").select(*TABLE_SCHEMA).equals(played)


def test_a_seed_of_an_attempt_deals_its_board(played: pl.DataFrame) -> None:
    seeds = with_seeds(played)["game_seed"]
    assert run("show", LEVELS[0], "--seed", seeds[0]).exit_code == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--level", "nothing"), "no level 'nothing' is stored"),
        (("--agent", "first"), "no agent 'first' is stored"),
        (("--run", 7), "there is no run 7"),
        (("--csv", "no/where.csv"), "no/where.csv: cannot be written"),
        (("--parquet", "no/where.parquet"), "no/where.parquet: cannot be written"),
        (("--runs", "--level", LEVELS[0]), "--runs and --level: both are given; expected only one of them"),
        (("--runs", "--agent", "random"), "--runs and --agent: both are given"),
        (("--runs", "--seed", 0), "--runs and --seed: both are given"),
        (("--runs", "--run", 1), "--runs and --run: both are given"),
        (("--runs", "--csv", "out.csv"), "--runs and --csv: both are given"),
        (("--runs", "--parquet", "out.parquet"), "--runs and --parquet: both are given"),
        (("--csv", "out.csv", "--json"), "--csv and --json: both are given"),
        (("--parquet", "out.parquet", "--json"), "--parquet and --json: both are given"),
        (("--seed", -1), "seed: -1; expected a whole number from 0 to"),
        (("--seed", 2**63), f"seed: {2**63}; expected a whole number from 0 to"),
    ],
)
def test_wrong_questions_are_one_sentence(
    played: pl.DataFrame, options: tuple[object, ...], sentence: str
) -> None:
    assert_complaint(run("results", *options), sentence)


def test_results_need_a_database(folder: Path) -> None:
    assert_complaint(
        run("results"),
        "levelsense.db: no such database; `levelsense playtest` makes one with agents' attempts",
    )
    assert list(folder.iterdir()) == []


def test_no_such_attempts_is_said(played: pl.DataFrame) -> None:
    result = run("results", "--seed", 5)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "levelsense.db: no such attempts\n"


def test_help_does_not_wait_for_heavy_packages() -> None:
    code = "import levelsense.cli, sys; print(*{'polars', 'sqlalchemy', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_levels_lists_what_is_bundled_whatever_lies_in_the_folder(folder: Path) -> None:
    before = run("levels")
    (folder / "12-locked-up").write_text("hi")
    assert run("levels").stdout == before.stdout
