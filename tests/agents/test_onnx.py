"""The onnx agent: probabilities by hand, files that are refused, and attempts that depend on nothing else."""

import math
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, save_model
from scipy.stats import binom

from levelsense.agents.convolution.network_file import (
    CARD_KEY,
    ENCODING_KEY,
    read_network_file,
)
from levelsense.agents.convolution.planes import ENCODING, PLANES, SIDE, SWAPS, swap_number
from levelsense.agents.registry import ONNX, parse_agent
from levelsense.errors import AgentError
from levelsense.game.game import Game, Move
from levelsense.level.level import Level
from tests.agents.networks import small_file, small_network, with_model
from tests.agents.playing import positions, same_rows, seeds
from tests.game.drawn import position

LEVEL = Level.load("03-open-field")

# c1c2, g1g2 and the swap of two striped candies, a4b4, which has two directions.
BOARD = """
    r  r  o p b b y p
    c  y  r c o y b o
    p  o  c y p c o y
    g= y| b o y p c p
"""


def written(folder: Path, model: Any, name: str = "network.onnx") -> str:
    path = folder / name
    path.write_bytes(model.SerializeToString())
    return str(path)


def constant_network(folder: Path, logits: dict[str, float], **changes: Any) -> str:
    """The file of a network that gives these logits to swaps by name, and 0 to others, in any position.

    The plane of ones is the only one with weights, and only the middle of each kernel has any.
    """
    weights = np.zeros((SWAPS, PLANES, 3, 3))
    for move, logit in logits.items():
        weights[swap_number(Move.parse(move).code), PLANES - 1, 1, 1] = logit
    return written(folder, small_network(weights=weights, **changes))


def refusal(spec: str) -> str:
    with pytest.raises(AgentError) as caught:
        parse_agent(spec).choose(Game(LEVEL, 1), 1)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# How it plays


def test_options_stand_in_the_order_that_the_agent_reads_them_in() -> None:
    assert [option.name for option in ONNX.options] == ["model", "play", "temperature", "epsilon"]
    assert ONNX.options[1].choices == ("sample", "greedy", "epsilon")


def test_probabilities_are_those_of_the_legal_swaps(tmp_path: Path) -> None:
    """exp(1) : exp(2) : exp(0); what the network gives to illegal swaps does not count."""
    game = position(BOARD)
    assert [str(move) for move in game.legal_moves] == ["c1c2", "g1g2", "a4b4", "b4a4"]
    model = constant_network(tmp_path, {"c1c2": 1, "g1g2": 2, "h1i1": 50, "a1a2": 50})
    total = math.exp(1) + math.exp(2) + 1
    values = parse_agent(f"onnx:model={model}").values(game, 1)
    assert values is not None
    # The two directions of the striped candies share the probability of their swap.
    assert list(values.values()) == pytest.approx(
        [math.exp(1) / total, math.exp(2) / total, 0.5 / total, 0.5 / total], abs=1e-6
    )
    cooler = parse_agent(f"onnx:model={model},temperature=0.5").values(game, 1)
    total = math.exp(2) + math.exp(4) + 1
    assert cooler is not None
    assert list(cooler.values()) == pytest.approx(
        [math.exp(2) / total, math.exp(4) / total, 0.5 / total, 0.5 / total], abs=1e-6
    )


def counted(spec: str, game: Game, choices: int = 400) -> Counter[str]:
    agent = parse_agent(spec)
    return Counter(str(agent.choose(game, seed)) for seed in range(choices))


def is_usual(count: int, share: float, choices: int = 400) -> bool:
    """Whether a count is one of those in the middle, but for one case in 10,000."""
    return bool(binom.ppf(0.00005, choices, share) <= count <= binom.ppf(0.99995, choices, share))


def test_moves_are_drawn_by_their_probability(tmp_path: Path) -> None:
    model = constant_network(tmp_path, {"c1c2": 1, "g1g2": 2})
    total = math.exp(1) + math.exp(2) + 1
    moves = counted(f"onnx:model={model}", position(BOARD))
    shares = {"c1c2": math.exp(1), "g1g2": math.exp(2), "a4b4": 0.5, "b4a4": 0.5}
    assert all(is_usual(moves[move], share / total) for move, share in shares.items()), moves


def test_greedy_plays_the_most_probable_swap_in_any_direction(tmp_path: Path) -> None:
    """A swap counts as a whole: a4b4 is played, though each of its directions is less probable than g1g2."""
    game = position(BOARD)
    model = constant_network(tmp_path, {"g1g2": 2})
    assert counted(f"onnx:model={model},play=greedy", game, 20) == {"g1g2": 20}
    model = constant_network(tmp_path, {"g1g2": 2, "a4b4": 2.1})
    moves = counted(f"onnx:model={model},play=greedy", game)
    assert set(moves) == {"a4b4", "b4a4"}
    assert is_usual(moves["a4b4"], 0.5)


def test_epsilon_is_the_share_of_random_moves(tmp_path: Path) -> None:
    model = constant_network(tmp_path, {"g1g2": 9})
    moves = counted(f"onnx:model={model},play=epsilon,epsilon=0.4", position(BOARD))
    assert is_usual(moves["g1g2"], 0.6 + 0.1), moves
    assert is_usual(moves["b4a4"], 0.1), moves


def test_the_network_sees_the_position() -> None:
    agent = parse_agent(with_model("onnx:play=greedy"))
    played = [agent.choose(game, 1) for game in positions("03-open-field", 5)]
    assert len(set(played)) > 5


def test_attempts_depend_neither_on_batches_nor_on_threads() -> None:
    """One position at a time: a batch could change the last bits of a logit."""
    pairs = seeds(12)
    whole = parse_agent(with_model("onnx")).attempts(LEVEL, pairs)
    with ThreadPoolExecutor(4) as threads:
        alone = threads.map(
            lambda k: parse_agent(with_model("onnx")).attempts(LEVEL, pairs[k : k + 1]), range(12)
        )
        assert same_rows(np.concatenate(list(alone)), whole)


def test_boards_larger_than_the_planes_are_refused() -> None:
    agent = parse_agent(with_model("onnx"))
    with pytest.raises(AgentError, match="Great plain: a board of 12 rows and 12 columns; expected at most"):
        agent.attempts(Level.load("31-great-plain"), seeds(1))


# Files


def test_specs_name_the_file_and_its_digest(tmp_path: Path) -> None:
    model = written(tmp_path, small_network())
    agent = parse_agent(f"onnx:model={model}")
    assert agent.spec == f"onnx:model={agent.options['model']}"
    path, _, digest = agent.spec.rpartition("@")
    assert (path, len(digest)) == (f"onnx:model={model}", 8)
    assert parse_agent(agent.spec) == agent
    written(tmp_path, small_network(2))
    assert parse_agent(f"onnx:model={model}") != agent
    assert f"@{digest}: the file has the digest" in refusal(agent.spec)


def test_a_file_is_loaded_once_in_a_process() -> None:
    source = str(small_file())
    with ThreadPoolExecutor(4) as threads:
        sessions = {id(network) for network in threads.map(read_network_file, [source] * 8)}
    assert len(sessions) == 1


def test_a_file_without_metadata_plays_and_one_with_tells_its_card(tmp_path: Path) -> None:
    plain = read_network_file(str(small_file()))
    assert (plain.encoding, plain.card) == (None, {})
    metadata = {ENCODING_KEY: str(ENCODING), CARD_KEY: '{"data": "none"}'}
    network = read_network_file(written(tmp_path, small_network(metadata=metadata)))
    assert (network.encoding, network.card) == (ENCODING, {"data": "none"})
    odd = read_network_file(written(tmp_path, small_network(metadata={CARD_KEY: "[1"}), "odd.onnx"))
    assert odd.card == {}


def test_a_model_must_be_named() -> None:
    assert refusal("onnx") == "onnx without model; expected onnx:model=FILE, where the value is an ONNX file"
    assert "onnx without model" in refusal("onnx:play=greedy")
    assert "nowhere.onnx: no such file; expected the file of a network" in refusal("onnx:model=nowhere.onnx")


WANTED = "expected one input 'planes', float32 of the shape (N, 102, 9, 9)"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"shape": ("N", 101, 9, 9)}, f"input 'planes' of the shape ('N', 101, 9, 9); {WANTED}"),
        ({"shape": ("N", 102, 8, 9)}, f"input 'planes' of the shape ('N', 102, 8, 9); {WANTED}"),
        ({"shape": (4, 102, 9, 9)}, f"input 'planes' of the shape (4, 102, 9, 9); {WANTED}"),
        ({"type": TensorProto.DOUBLE}, f"input 'planes' of type tensor(double); {WANTED}"),
        ({"names": ("board", "logits")}, f"inputs named 'board'; {WANTED}"),
        (
            {"names": ("planes", "moves")},
            "outputs named 'moves'; expected one output 'logits', float32 of the shape (N, 144)",
        ),
        ({"swaps": 143}, "output 'logits' of the shape ('N', 143); expected one output"),
        (
            {"shape": ("N", 102, "rows", "columns"), "mean": False, "outputs": ("N", "swaps")},
            "logits of the shape (1, 11664); expected (1, 144)",
        ),
        (
            {"metadata": {ENCODING_KEY: "7"}},
            f"trained on version 7 of the planes, which are at version {ENCODING} now",
        ),
    ],
)
def test_other_networks_are_refused(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    model = written(tmp_path, small_network(**changes))
    assert f"{model}@" in refusal(f"onnx:model={model}")
    assert reason in refusal(f"onnx:model={model}")
    with pytest.raises(AgentError):
        read_network_file(model)


def test_sizes_that_a_file_leaves_open_are_tried(tmp_path: Path) -> None:
    shape = ("N", PLANES, "rows", "columns")
    model = written(tmp_path, small_network(shape=shape))
    assert parse_agent(f"onnx:model={model}").choose(Game(LEVEL, 1), 1)
    alone = written(tmp_path, small_network(shape=(1, PLANES, SIDE, SIDE)))
    assert parse_agent(f"onnx:model={alone}").choose(Game(LEVEL, 1), 1)


@pytest.mark.parametrize("content", [b"", b"hello", b"\x08\x08\x12\x04", b"{}"])
def test_what_is_no_network_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.onnx"
    path.write_bytes(content)
    assert "expected an ONNX file with its weights inside" in refusal(f"onnx:model={path}")
    assert "it cannot be read" in refusal(f"onnx:model={tmp_path}")


def test_weights_beside_the_file_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest would not tell that they have changed."""
    monkeypatch.chdir(tmp_path)
    save_model(
        small_network(), "parted.onnx", save_as_external_data=True, location="weights", size_threshold=0
    )
    assert Path("weights").exists()
    assert "expected an ONNX file with its weights inside" in refusal("onnx:model=parted.onnx")


def test_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    model = constant_network(tmp_path, {"c1c2": math.nan})
    with pytest.raises(AgentError, match="the network gives nan for a legal move"):
        parse_agent(f"onnx:model={model}").choose(position(BOARD), 1)


def test_a_missing_extra_is_one_sentence() -> None:
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from levelsense import Game, Level, parse_agent\n"
        f"agent = parse_agent('onnx:model={small_file()}')\n"
        "try: agent.choose(Game(Level.load('01-first-steps'), 1), 1)\n"
        "except ValueError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("needs ONNX Runtime; expected `pip install levelsense[onnx]`\n")
