"""`levelsense tune`, and what `levelsense playtest` tells designers, as they are typed."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from levelsense.cli import app
from levelsense.game.level import Level

FAST = ["--agent", "random", "--attempts", "40", "--threads", "1"]


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_tune_shows_the_curve_and_the_limit() -> None:
    result = run("tune", "04-jelly-garden", "--target", "0.5", *FAST)
    assert result.exit_code == 0
    assert result.stdout.startswith("Jelly garden\nrandom, 40 attempts, target 50.0%\n")
    assert "take this" in result.stdout
    assert "moves give random" in result.stdout
    assert "▲" in result.stdout


def test_tune_writes_the_level(tmp_path: Path) -> None:
    path = tmp_path / "tuned.json"
    result = run("tune", "11-beat-the-clock", "--target", "0.5", *FAST, "--write", str(path))
    assert result.exit_code == 0
    tuned, before = Level.load(path), Level.load("11-beat-the-clock")
    assert tuned.seconds is not None
    assert tuned.seconds < 50
    assert tuned.model_copy(update={"seconds": before.seconds}) == before
    assert f"{tuned.seconds:g} seconds give random" in result.stdout


def test_tune_as_json() -> None:
    result = run("tune", "04-jelly-garden", "--target", "0.5", *FAST, "--json")
    data = json.loads(result.stdout)
    assert (data["agent"], data["target"], data["attempts"], data["unit"]) == ("random", 0.5, 40, "moves")
    assert data["limit_low"] <= data["limit"] <= data["limit_high"]
    assert data["limit_now"] == 15
    assert len(data["curve"]["rate"]) == len(data["curve"]["limit"]) == 30


def test_tune_shows_what_was_played_of_an_agent_that_watches_the_limit() -> None:
    words = [
        "tune",
        "04-jelly-garden",
        "--target",
        "0.35",
        "--agent",
        "mcts:simulations=10",
        "--attempts",
        "30",
    ]
    data = json.loads(run(*words, "--json").stdout)
    assert data["curve"] is None
    played = {check["limit"]: check for check in data["played"]}
    assert played[data["limit"]]["value"] == data["success"]["value"]
    shown = run(*words).stdout
    table = [line.split() for line in shown.splitlines() if line[:1].isdigit() and "%" in line[:15]]
    assert [(int(row[0]), row[1]) for row in table] == [
        (limit, f"{check['wins'] / 30:.1%}") for limit, check in played.items()
    ]
    assert "the table has those that were played" in " ".join(shown.split())
    assert "▲" not in shown


def test_tune_says_what_is_out_of_reach(tmp_path: Path) -> None:
    path = tmp_path / "tuned.json"
    result = run("tune", "20-short-fuses", "--target", "0.95", *FAST, "--write", str(path))
    assert result.exit_code == 1
    assert "No limit up to 60 moves reaches 95.0%: with that many random wins" in result.stdout
    assert "Its attempts ended so: goals met 50%, bomb" in result.stdout
    assert not path.exists()
    assert result.stderr == f"{path} not written: no limit reaches the target\n"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--target", "350"], "target: 350; expected a success rate between 0% and 100%"),
        (["--target", "0.5", "--agent", "nobody"], "unknown agent 'nobody'"),
        (["--target", "0.5", "--attempts", "2"], "attempts: 2; expected at least 20"),
        (["--target", "0.5", "--write", "no/such/folder/x.json"], "there is no folder no/such/folder"),
        (["--target", "0.5", "--write", "."], "a folder; expected a file to write to"),
    ],
)
def test_tune_refuses(words: list[str], problem: str) -> None:
    result = run("tune", "04-jelly-garden", *words)
    assert result.exit_code == 2
    assert problem in " ".join(result.stderr.split())


def test_details(tmp_path: Path) -> None:
    database = str(tmp_path / "db")
    result = run("playtest", "30-grand-tour", *FAST, "--db", database, "--details")
    assert result.exit_code == 0
    for words in ("attempts per success", "near misses", "bottleneck", "jelly left: % of 40 lost attempts"):
        assert words in result.stdout
    for label in ("limits", "shuffles", "legal moves", "score", "stars", "luck", "skill"):
        assert f"\n{label:<13}" in result.stdout
    assert "moves and success rate: 4: 0.0%, " in result.stdout
    told = json.loads(run("playtest", "30-grand-tour", *FAST, "--db", database, "--details", "--json").stdout)
    assert told[0]["statistics"]["bottleneck"] == "jelly"
    assert told[0]["statistics"]["endings"] == {"moves": 40}
    assert told[0]["luck"]["boards"] == 10
    assert told[0]["skill"] is None
    assert told[0]["limits"]["played"] == []
    assert told[0]["limits"]["past"]["limit"][-1] > 40


def test_details_of_an_agent_that_watches_the_limit(tmp_path: Path) -> None:
    agents = ["--agent", "random", "--agent", "mcts:simulations=5", "--attempts", "12"]
    words = ["playtest", "04-jelly-garden", *agents, "--db", str(tmp_path / "db"), "--details", "--json"]
    random, mcts = json.loads(run(*words).stdout)
    assert random["limits"]["past"] is not None
    assert mcts["limits"]["past"] is None
    assert [check["limit"] for check in mcts["limits"]["played"]] == [2, 4, 8, 11, 15, 22]
    assert mcts["limits"]["played"][4]["value"] == mcts["success_rate"]
    assert {mcts["skill"]["weak"], mcts["skill"]["strong"]} == {"random", "mcts:simulations=5"}
    assert mcts["luck"] is None


def test_details_draw_no_map_from_few_attempts(tmp_path: Path) -> None:
    words = ["--agent", "random", "--attempts", "4", "--threads", "1", "--db", str(tmp_path / "db")]
    shown = run("playtest", "30-grand-tour", *words, "--details").stdout
    assert "4 lost attempts: too few for a map" in shown
    assert "jelly left" not in shown


def test_report(tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    words = ["playtest", "04-jelly-garden", *FAST, "--db", str(tmp_path / "db"), "--report", str(page)]
    assert run(*words).exit_code == 0
    text = page.read_text("utf-8")
    assert "<h1>Playtest report</h1>" in text
    assert "04-jelly-garden" in text
    again = page.read_bytes()
    assert run(*words).exit_code == 0
    assert page.read_bytes() == again


def test_report_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    database = tmp_path / "db"
    result = run("playtest", "04-jelly-garden", *FAST, "--db", str(database), "--report", "no/folder/x.html")
    assert result.exit_code == 2
    assert "there is no folder no/folder" in " ".join(result.stderr.split())
    assert not database.exists()
