"""`levelsense tune`, and what `levelsense playtest` tells designers, as they are typed."""

import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from levelsense import Lab
from levelsense.cli import app
from levelsense.cli.terminal.tuning import players_conclusions
from levelsense.level.level import Level
from levelsense.playtest import tuning
from levelsense.playtest.limits import with_limit
from levelsense.playtest.tuning import tune
from levelsense.playtest.words import counted
from levelsense.store import Database, results
from tests.prediction.attempts_due import attempts_due

FAST = ["--agent", "random", "--attempts", "40", "--threads", "1"]
BY_RANDOM = ["--by", "random", "--attempts", "40", "--threads", "1"]


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of few levels, few simulated players and few attempts."""
    folder = tmp_path_factory.mktemp("model")
    levels = ("01-first-steps", "04-jelly-garden", "12-locked-up", "24-hourglass", "30-grand-tour")
    place, path = ["--db", str(folder / "db")], folder / "model.json"
    assert run("players", "simulate", *levels, "--players", "30", *place).exit_code == 0
    agents = ["--agent", "random", "--agent", "heuristic", "--attempts", "40"]
    assert run("fit", *levels, *agents, "-o", str(path), *place).exit_code == 0
    return path


@pytest.fixture
def asked(model: Path, tmp_path: Path) -> list[str]:
    """The model, and a database of its own."""
    return ["--model", str(model), "--db", str(tmp_path / "db")]


def told_of(*words: str) -> dict[str, Any]:
    """What `predict` says of a level."""
    (data,) = json.loads(run("predict", *words, "--json").stdout)
    return dict(data)


def test_tune_and_predict_say_the_same_of_a_level(model: Path, tmp_path: Path, asked: list[str]) -> None:
    """Of the limit to take as of the present one, to the last digit, also from another database."""
    path = tmp_path / "tuned.json"
    tuned = json.loads(
        run("tune", "24-hourglass", "--target", "50%", *asked, "--write", str(path), "--json").stdout
    )
    assert Level.load(path).moves == tuned["limit"]
    elsewhere = ["--model", str(model), "--db", str(tmp_path / "other")]
    for source, figures in ((str(path), tuned["success"]), ("24-hourglass", tuned["now"])):
        predicted = told_of(source, *elsewhere, "--target", "50%")
        names = ("rate", "low_50", "high_50", "low_95", "high_95", "verdict", "unlike")
        assert {name: figures[name] for name in names} == {name: predicted[name] for name in names}
    rising = [figures["rising"] for figures in tuned["predictions"]]
    assert rising == sorted(rising)


def test_agents_never_win_less_with_a_longer_limit(asked: list[str]) -> None:
    """What an agent wins with a limit it wins with every longer one, attempt by attempt.

    Where it hardly wins it plays more attempts, and its rate is of these, too.
    """
    tuned = json.loads(run("tune", "24-hourglass", "--target", "50%", *asked, "--json").stdout)
    with Database(asked[-1]) as database:
        attempts = results.attempts(database)
    limits = [one["limit"] for one in tuned["predictions"]]
    level = Level.load("24-hourglass")
    for agent in ("random", "heuristic"):
        of_agent = [
            attempts.filter(level=with_limit(level, limit).digest, agent=agent)
            .sort("attempt")["won"]
            .to_list()
            for limit in limits
        ]
        assert [len(won) for won in of_agent] == [attempts_due(won, 40) for won in of_agent]
        rates = [one["agents"][agent] for one in tuned["predictions"]]
        assert rates == [sum(won) / len(won) for won in of_agent]
        assert rates[0] < rates[-1]
        for shorter, longer in pairwise(of_agent):
            assert all(after for before, after in zip(shorter, longer, strict=False) if before)


@pytest.mark.parametrize("target", ["50%", "50", "0.5"])
def test_tune_tells_limits_and_what_to_take(asked: list[str], target: str) -> None:
    result = run("tune", "24-hourglass", "--target", target, *asked)
    assert result.exit_code == 0
    assert result.stdout.startswith("Hourglass\nsuccess rates to expect of simulated players, target 50.0%\n")
    (taken,) = [line for line in result.stdout.splitlines() if line.endswith("take this")]
    moves, rate = taken.split()[:2]
    sentence = f"With {counted(int(moves), 'moves')} simulated players are expected to succeed in {rate}"
    assert sentence in result.stdout
    assert "fitted to simulated players, not to people" in result.stderr


def test_tune_says_that_no_limit_reaches_a_target(tmp_path: Path, asked: list[str]) -> None:
    path = tmp_path / "tuned.json"
    result = run("tune", "20-short-fuses", "--target", "99.999", *asked, "--write", str(path))
    assert result.exit_code == 1
    assert "No limit up to 120 moves reaches 100.0%: the most that simulated players" in result.stdout
    assert "With 120 moves random wins" in result.stdout
    assert f"{path} not written: no limit reaches the target\n" in result.stderr
    assert not path.exists()


def test_tune_says_that_a_target_next_to_a_band_is_out_of_reach(model: Path) -> None:
    """The longest limit is on target by its band, though its rate falls short."""
    tuning = Lab().tune("24-hourglass", 0.5, model=model, threads=1)
    longest, out_of_reach = tuning.predictions[-1], "itself is out of reach: of the limits above"
    beyond = replace(tuning, target=float(tuning.rising[-1]) + 0.001, best=longest)
    assert any(out_of_reach in sentence for sentence in players_conclusions("players", beyond))
    assert not any(out_of_reach in sentence for sentence in players_conclusions("players", tuning))


@pytest.mark.parametrize("text", ["", "my notes", Level.load("04-jelly-garden").to_json()])
def test_tune_writes_onto_nothing_but_the_level(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    result = run("tune", "11-beat-the-clock", "--target", "0.5", *BY_RANDOM, "--write", str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"error: {path}: there is a file that is not this level" in result.stderr
    assert path.read_text() == text


def test_tune_writes_onto_the_level_and_what_it_wrote_before(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    Level.load("11-beat-the-clock").save(path)
    for target in ("0.5", "0.3"):
        result = run("tune", str(path), "--target", target, *BY_RANDOM, "--write", str(path))
        assert result.exit_code == 0
        assert result.stderr.endswith(f"{path} written\n")
    assert (
        run("tune", "11-beat-the-clock", "--target", "0.4", *BY_RANDOM, "--write", str(path)).exit_code == 0
    )
    assert (Level.load(path).seconds or 0) < 50


def test_tune_does_not_overwrite_what_somebody_else_wrote_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.json"
    Level.load("11-beat-the-clock").save(path)

    def edited_meanwhile(*words: Any) -> Any:
        path.write_text("edited")
        return tune(*words)

    monkeypatch.setattr(tuning, "tune", edited_meanwhile)
    result = run("tune", str(path), "--target", "0.5", *BY_RANDOM, "--write", str(path))
    assert result.exit_code == 2
    assert f"error: {path}: not written, since the file has changed while agents played" in result.stderr
    assert path.read_text() == "edited"


def test_tune_shows_the_curve_and_the_limit() -> None:
    result = run("tune", "04-jelly-garden", "--target", "0.5", *BY_RANDOM)
    assert result.exit_code == 0
    assert result.stdout.startswith("Jelly garden\nrandom, 40 attempts, target 50.0%\n")
    assert "take this" in result.stdout
    assert "moves random wins" in result.stdout
    assert "▲" in result.stdout


def test_tune_writes_the_level(tmp_path: Path) -> None:
    path = tmp_path / "tuned.json"
    result = run("tune", "11-beat-the-clock", "--target", "0.5", *BY_RANDOM, "--write", str(path))
    assert result.exit_code == 0
    tuned, before = Level.load(path), Level.load("11-beat-the-clock")
    assert tuned.seconds is not None
    assert tuned.seconds < 50
    assert tuned.model_copy(update={"seconds": before.seconds}) == before
    assert f"{tuned.seconds:g} seconds random wins" in result.stdout


def test_tune_as_json() -> None:
    result = run("tune", "04-jelly-garden", "--target", "0.5", *BY_RANDOM, "--json")
    data = json.loads(result.stdout)
    assert (data["by"], data["target"], data["attempts"], data["unit"]) == ("random", 0.5, 40, "moves")
    assert data["limit_low"] <= data["limit"] <= data["limit_high"]
    assert data["limit_now"] == 15
    assert len(data["curve"]["rate"]) == len(data["curve"]["limit"]) == 30


def test_tune_shows_what_was_played_of_an_agent_that_watches_the_limit() -> None:
    words = [
        "tune",
        "04-jelly-garden",
        "--target",
        "0.35",
        "--by",
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


def test_no_attempts_are_refused() -> None:
    result = run("tune", "20-short-fuses", "--target", "0.5", "--by", "random", "--attempts", "0")
    assert result.exit_code == 2
    assert "attempts" in result.stderr
    assert "0" in result.stderr


def test_tune_does_not_write_onto_a_level_of_another_name(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    Level.load("24-hourglass").model_copy(update={"name": "another level"}).save(path)
    before = path.read_bytes()
    result = run("tune", "24-hourglass", "--target", "0.5", *BY_RANDOM, "--write", str(path))
    assert result.exit_code == 2
    assert path.read_bytes() == before


def test_tune_says_what_is_out_of_reach(tmp_path: Path) -> None:
    path = tmp_path / "tuned.json"
    result = run("tune", "20-short-fuses", "--target", "0.95", *BY_RANDOM, "--write", str(path))
    assert result.exit_code == 1
    assert "No limit up to 60 moves reaches 95.0%: with that many random wins" in result.stdout
    ended = re.search(r"Its attempts ended so: (.*)\.", " ".join(result.stdout.split()))
    assert ended is not None
    shares = dict(re.findall(r"([a-z][a-z ]*) (\d+)%", ended[1]))
    assert shares.keys() == {"goals met", "bomb"}, "60 moves do not run out before the bombs"
    assert sum(map(int, shares.values())) == 100
    assert not path.exists()
    assert result.stderr == f"{path} not written: no limit reaches the target\n"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--target", "350"], "target: 350; expected a success rate above 0% and below 100%"),
        (["--target", "0.5", "--by", "nobody"], "unknown agent 'nobody'"),
        (["--target", "0.5", "--attempts", "2", "--by", "random"], "attempts: 2; expected at least 20"),
        (["--target", "0.5", "--write", "no/such/folder/x.json"], "there is no folder no/such/folder"),
        (["--target", "0.5", "--write", "."], "a folder; expected a file to write to"),
        (["--target", "0.5", "--by", "random", "--model", "m.json"], "--by and --model: both are given"),
        (["--target", "0.5", "--by", "random", "--db", "x.db"], "--by and --db: both are given"),
        (["--target", "0.5", "--attempts", "50"], "a model says how many attempts its agents have"),
        (["--target", "0.5", "--model", "none.json"], "none.json: cannot be read"),
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
    data = json.loads(run("playtest", "30-grand-tour", *FAST, "--db", database, "--details", "--json").stdout)
    assert data[0]["statistics"]["bottleneck"] == "jelly"
    assert data[0]["statistics"]["endings"] == {"moves": 40}
    assert data[0]["luck"]["boards"] == 10
    assert data[0]["skill"] is None
    assert data[0]["limits"]["played"] == []
    assert data[0]["limits"]["past"]["limit"][-1] > 40


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
