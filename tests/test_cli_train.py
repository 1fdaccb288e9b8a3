"""`levelsense train` as it is typed."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from levelsense.agents.qlearning.games import Training
from levelsense.agents.qlearning.training import checkpoint_of, train
from levelsense.agents.registry import parse_agent
from levelsense.agents.weights import read_weights
from levelsense.cli import app
from levelsense.game.game import Game
from levelsense.level.level import Level

LEVEL = "17-pocket-board"


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["train", *words])


@pytest.mark.parametrize("kind", ["q-linear", "q-network"])
def test_training_writes_weights_and_says_how_to_play_them(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    result = run(kind, LEVEL, "--games", "3", "--seed", "5", "-o", str(path))
    assert (result.exit_code, result.stderr) == (0, "")
    trained = train(Training(kind, Level.load(LEVEL), 3, seed=5))
    assert read_weights(str(path), kind, 1).digest == trained.digest
    first, second = result.stdout.splitlines()
    assert first.startswith(f"{path} written: 3 games on 'Pocket board'; mean score of the latest")
    assert second == f"it plays as {kind}:model={path}@{trained.digest}"
    game = Game(Level.load(LEVEL), 1)
    assert parse_agent(second.removeprefix("it plays as ")).choose(game, 1) in game.legal_moves


def test_the_file_is_named_like_the_agent_unless_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("q-linear", LEVEL, "--games", "1").exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["q-linear.json"]
    assert json.loads(Path("q-linear.json").read_text())["card"]["games"] == 1


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["q-linear", LEVEL, "--games", "0"], "--games: 0; expected 1 to 1,000,000"),
        (["q-linear", "no-level"], "'no-level': no such level file"),
        (
            ["q-network", LEVEL, "-o", "no/folder.json"],
            "no/folder.json: cannot be written: there is no folder",
        ),
        (["q-nothing", LEVEL], "No such command 'q-nothing'"),
    ],
)
def test_what_cannot_be_trained_is_said(
    words: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code == 2
    assert problem in " ".join(result.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_checkpoint_stops_the_command(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    checkpoint_of(path).write_text("mine, too")
    result = run("q-linear", LEVEL, "--games", "1", "-o", str(path))
    assert result.exit_code == 2
    assert "mine.json.checkpoint: not a checkpoint of a training; remove it" in " ".join(
        result.stderr.split()
    )
    assert checkpoint_of(path).read_text() == "mine, too"
