"""Agents of one's own: functions that play, what they are given, and what is told of those that fail."""

import pickle
import random as random_module
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from levelsense import Game, Lab, Level, parse_agent
from levelsense.agents import from_chooser
from levelsense.cli import app
from levelsense.errors import AgentError, ChooserError
from levelsense.game.game import Move
from levelsense.prediction.table import parse_counted
from tests.agents import choosers
from tests.agents.playing import same_rows, seeds
from tests.agents.test_conformance import with_other_future

LEVEL = Level.load("01-first-steps")
CHOOSERS = "tests.agents.choosers"
MODULE = """\
from helper import pick


def lowest(game):
    return pick(game.legal_moves)


def drawn(game, random):
    return random.choice(game.legal_moves)
"""
HELPER = "def pick(moves):\n    return moves[-1]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, whose modules are forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in ("bots", "helper"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


# What a function is given and what it may give


def test_a_function_and_its_name_are_the_same_agent() -> None:
    agent = parse_agent(f"{CHOOSERS}:lowest")
    assert from_chooser(choosers.lowest) == agent == parse_agent(agent.spec)
    assert agent.spec.startswith(f"{CHOOSERS}:lowest@")
    assert pickle.loads(pickle.dumps(agent)) == agent


def test_its_moves_are_played() -> None:
    game = Game(LEVEL, 3)
    agent = from_chooser(choosers.lowest)
    assert agent.choose(game, 1) == choosers.lowest(game)
    rows = agent.attempts(LEVEL, np.array([[3, 1]], np.uint64))
    while game.status == "playing":
        game.play(choosers.lowest(game))
    assert (rows["score"][0], rows["moves_made"][0]) == (game.score, game.moves_made)


def test_the_game_that_it_is_given_is_its_own() -> None:
    """It may be played upon, and what falls in then does not depend on what will fall in the attempt."""
    agent = from_chooser(choosers.greedy_by_trial)
    for seed in range(5):
        game = Game(LEVEL, seed)
        before = str(game)
        chosen = agent.choose(game, seed)
        assert str(game) == before
        assert agent.choose(with_other_future(game), seed) == chosen


def test_what_falls_in_when_moves_are_tried_is_drawn_anew_for_each_choice() -> None:
    tried: list[str] = []

    def trying(game: Game) -> Move:
        trial = game.copy()
        trial.play(trial.legal_moves[0])
        tried.append(str(trial).partition("board:")[2])
        return game.legal_moves[0]

    agent, game = from_chooser(trying, version="1"), Game(LEVEL, 3)
    for seed in range(8):
        agent.choose(game, seed)
    assert len(set(tried)) > 4


def test_a_wrong_move_is_told_with_the_position_that_was_given() -> None:
    """Not with the one that the function made of it."""

    def playing(game: Game) -> str:
        return str(game.play(game.legal_moves[0]))

    game = Game(LEVEL, 3)
    with pytest.raises(ChooserError) as caught:
        from_chooser(playing).choose(game, 1)
    assert caught.value.position.partition("board:")[2] == str(game).partition("board:")[2]


@pytest.mark.parametrize(
    "as_given",
    [lambda move: move, str, lambda move: move.reversed, tuple, lambda move: [list(move[0]), list(move[1])]],
)
def test_a_move_may_be_written_in_several_ways(as_given: Any) -> None:
    agent = from_chooser(lambda game: as_given(game.legal_moves[2]), name="t:way", version="")
    game = Game(LEVEL, 3)
    assert agent.choose(game, 1) == game.legal_moves[2]


def test_chance_comes_from_the_attempts_seed() -> None:
    agent = from_chooser(choosers.any_move)
    pairs = seeds(12)
    whole = agent.attempts(LEVEL, pairs)
    random_module.seed(5)
    with ThreadPoolExecutor(3) as threads:
        parts = list(threads.map(lambda k: agent.attempts(LEVEL, pairs[k : k + 5]), range(0, 12, 5)))
    assert same_rows(np.concatenate(parts), whole)
    assert len(set(whole["score"])) > 6
    game = Game(LEVEL, 3)
    assert len({agent.choose(game, seed) for seed in range(30)}) > 5


def test_it_is_never_called_on_two_threads_at_once() -> None:
    inside = 0

    def counting(game: Game) -> Move:
        nonlocal inside
        inside += 1
        assert inside == 1
        moves = game.legal_moves
        game.copy().play(moves[0])
        inside -= 1
        return moves[0]

    agent = from_chooser(counting, version="1")
    with ThreadPoolExecutor(4) as threads:
        rows = list(threads.map(lambda k: agent.attempts(LEVEL, seeds(3, k)), range(4)))
    assert sum(map(len, rows)) == 12


def test_objects_and_methods_play() -> None:
    game = Game(LEVEL, 3)
    move = choosers.careful(game)
    assert from_chooser(choosers.careful).choose(game, 1) == move
    assert from_chooser(choosers.careful.method).choose(game, 1) == move
    assert parse_agent(f"{CHOOSERS}:careful.method").choose(game, 1) == move


def test_it_has_no_values() -> None:
    assert from_chooser(choosers.lowest).values(Game(LEVEL, 3), 1) is None


# What goes wrong is told


def test_an_illegal_move_names_the_agent_and_the_position() -> None:
    agent = from_chooser(choosers.illegal)
    with pytest.raises(ChooserError) as caught:
        agent.attempts(LEVEL, seeds(1))
    error = caught.value
    assert error.agent == agent.spec
    assert error.sentences[0].startswith(
        f"{agent.spec}: chose a1c3 at move 3 of an attempt at 'First steps'; expected one of the "
    )
    position = Game.parse(error.position, LEVEL)
    assert position.moves_made == 2
    assert error.excerpt == str(position)
    assert Move.parse("a1c3") not in position.legal_moves


def test_an_exception_names_the_line() -> None:
    agent = from_chooser(choosers.failing)
    with pytest.raises(ChooserError) as caught:
        agent.choose(Game(LEVEL, 3), 1)
    line = choosers.failing.__code__.co_firstlineno + 3
    assert caught.value.sentences[0] == (
        f"{agent.spec}: failed at move 1 of an attempt at 'First steps': "
        f"IndexError: tuple index out of range (choosers.py, line {line})"
    )
    assert caught.value.excerpt == f"  {line} | return moves[len(moves)]"


def test_an_exception_of_a_library_names_the_line_that_called_it() -> None:
    def sampling(game: Game, random: random_module.Random) -> Any:
        return random.sample(game.legal_moves, 10_000)

    with pytest.raises(ChooserError) as caught:
        from_chooser(sampling).choose(Game(LEVEL, 3), 1)
    line = sampling.__code__.co_firstlineno + 1
    assert caught.value.sentences[0].endswith(f"(test_chooser.py, line {line})")


@pytest.mark.parametrize("given", [None, 5, "a1", "hello", ((0, 0), (9, 9)), ((0,), (1, 1)), object])
def test_what_is_no_move_is_told(given: Any) -> None:
    agent = from_chooser(lambda game: given, name="t:wrong", version="")
    with pytest.raises(ChooserError, match=r"^t:wrong@\w+: chose .* at move 1 of an attempt"):
        agent.choose(Game(LEVEL, 3), 1)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (f"{CHOOSERS}:nobody", "there is no nobody in .*choosers.py; expected the name of a function"),
        (f"{CHOOSERS}:NUMBER", "choosers:NUMBER: 3; expected a function that takes a game and gives a move"),
        (f"{CHOOSERS}:of_three", "of_three: expected a function of a game, or of a game and a random.Random"),
        ("no_such_module:f", "no agent is called no_such_module, and there is no Python module of that name"),
        (f"{CHOOSERS}:lowest@000000000000", "its code has another digest by now"),
        ("greedy:goals", "'goals' in 'greedy:goals': not an option"),
    ],
)
def test_specs_of_no_function_are_told(spec: str, sentence: str) -> None:
    with pytest.raises(AgentError, match=sentence):
        parse_agent(spec)


@pytest.mark.parametrize(
    ("module", "sentence"),
    [
        ("def f(game:\n", r"SyntaxError: .* \(bots.py, line 1\)"),
        ("\n1 / 0\n", r"ZeroDivisionError: division by zero \(bots.py, line 2\)"),
        ("import no_such_package\n", r"No module named 'no_such_package' \(bots.py, line 1\)"),
        ("raise SystemExit(3)\n", r"SystemExit: 3 \(bots.py, line 1\)"),
    ],
)
def test_a_module_that_cannot_be_imported_is_told_with_its_line(
    folder: Path, module: str, sentence: str
) -> None:
    (folder / "bots.py").write_text(module)
    with pytest.raises(AgentError, match=rf"^bots:f: its module cannot be imported: .*{sentence}$"):
        parse_agent("bots:f")


# On the command line and in the Lab


def test_a_module_in_the_working_folder_plays(folder: Path) -> None:
    (folder / "bots.py").write_text(MODULE)
    (folder / "helper.py").write_text(HELPER)
    command = ["playtest", "01", "--agent", "bots:lowest", "--agent", "bots:drawn", "--attempts", "12"]
    result = CliRunner().invoke(app, [*command, "--details", "--json"])
    assert result.exit_code == 0, result.output
    again = CliRunner().invoke(app, [*command, "--json", "--threads", "3"])
    assert again.exit_code == 0
    assert "bots:lowest@" in result.stdout
    verified = CliRunner().invoke(app, ["verify", "--all"])
    assert "played again: " in verified.stdout
    assert "nothing is damaged" in verified.stdout


def test_a_failure_is_a_sentence_on_the_command_line(folder: Path) -> None:
    (folder / "bots.py").write_text("def f(game):\n    return game.no_such_thing\n")
    result = CliRunner().invoke(app, ["playtest", "01", "--agent", "bots:f"])
    assert (result.exit_code, result.stdout.count("bots:f")) == (2, 0)
    assert "AttributeError: 'Game' object has no attribute 'no_such_thing' (bots.py, line 2)" in result.stderr
    assert "Traceback" not in result.stderr


def test_attempts_of_changed_code_are_apart() -> None:
    lab = Lab()
    for choice in (0, -1):
        agent = from_chooser(lambda game, choice=choice: game.legal_moves[choice], name="t:choice")
        lab.playtest(LEVEL, [agent], 5)
        assert lab.playtest(LEVEL, [agent.spec], 5).summary["agent"].to_list() == [agent.spec]
    agents = {from_chooser(lambda game, c=c: game.legal_moves[c], name="t:choice").spec for c in (0, -1)}
    assert len(agents) == 2


def test_pages_and_models_count_the_attempts_of_functions() -> None:
    agent = from_chooser(choosers.lowest)
    assert parse_counted([agent], 25) == parse_counted([agent.spec], 25) == {agent.spec: 25}
    assert parse_counted([f"{CHOOSERS}:lowest@30"], 25) == {agent.spec: 30}


def test_the_examples_of_the_page_run(folder: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")
    section = page[page.index("## Your own") : page.index("## Adding one")]
    module, script = re.findall(r"^```python\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    (folder / "bots.py").write_text(module)
    commands = re.findall(r"^    levelsense (.*)$", section, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        attempts = ["--attempts", "3"] if command.startswith("playtest") else []
        result = CliRunner().invoke(app, [*command.split(), *attempts])
        assert result.exit_code == 0, result.output
        assert "bots:lowest@" in result.stdout
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(script, "docs/agents.md", "exec"), space)
    assert space["tested"].summary["agent"].to_list()[0].startswith("__main__:first_or_last@")
