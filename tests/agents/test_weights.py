"""Files of weights: what is written is read back, and anything else is refused with a sentence."""

import json
from pathlib import Path

import numpy as np
import pytest

from levelsense.agents.spec import read_options, weights, write_spec
from levelsense.agents.weights import Weights, canonical_source, read_weights, write_weights
from levelsense.errors import AgentError

ARRAYS = {"slopes": np.array([[1.5, -2], [0.25, 1e-3]], np.float32), "shift": np.array([7], np.float32)}
EXAMPLE = Weights("policy", 3, ARRAYS, {"data": "none"})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.json"
    write_weights(path, EXAMPLE)
    return path


def edited(file: Path, **changes: object) -> str:
    data = json.loads(file.read_text())
    file.write_text(json.dumps(data | changes))
    return str(file)


def test_weights_are_read_back_as_they_were_written(file: Path) -> None:
    back = read_weights(str(file), "policy", 3)
    assert (back.kind, back.encoding, back.card, back.digest) == (
        "policy",
        3,
        {"data": "none"},
        EXAMPLE.digest,
    )
    assert {name: array.tolist() for name, array in back.arrays.items()} == {
        name: array.tolist() for name, array in ARRAYS.items()
    }


def test_the_digest_changes_with_what_plays_and_not_with_the_card() -> None:
    turned = {**ARRAYS, "slopes": ARRAYS["slopes"].reshape(4)}
    digests = [
        EXAMPLE.digest,
        Weights("policy", 4, ARRAYS).digest,
        Weights("q-linear", 3, ARRAYS).digest,
        Weights("policy", 3, turned).digest,
        Weights("policy", 3, {**ARRAYS, "shift": np.array([8], np.float32)}).digest,
    ]
    assert len(set(digests)) == len(digests)
    assert Weights("policy", 3, ARRAYS, {"data": "much"}).digest == EXAMPLE.digest


def test_a_file_is_named_by_path_and_digest(file: Path) -> None:
    canonical = canonical_source(str(file), "policy")
    assert canonical == f"{file}@{EXAMPLE.digest}"
    assert canonical_source(canonical, "policy") == canonical
    write_weights(file, Weights("policy", 3, {"shift": np.zeros(1, np.float32)}))
    with pytest.raises(AgentError, match=rf"@{EXAMPLE.digest}: the file has the digest \w+ now; expected"):
        read_weights(canonical, "policy", 3)


def test_specs_always_write_weights(file: Path) -> None:
    options = (weights("model", "policy", "shipped-1", "what plays"),)
    values = read_options("policy", options, {"model": str(file)}, {"model": "shipped-1"})
    assert write_spec("policy", options, values) == f"policy:model={file}@{EXAMPLE.digest}"
    assert write_spec("policy", options, {"model": "shipped-1"}) == "policy:model=shipped-1"
    with pytest.raises(AgentError, match=r"for policy: nowhere\.json: no such file; .* one of: simulated-2$"):
        read_options("policy", options, {"model": "nowhere.json"}, {"model": "shipped-1"})


def test_other_weights_are_refused(file: Path) -> None:
    with pytest.raises(AgentError, match="weights of the kind policy; expected q-linear"):
        read_weights(str(file), "q-linear", 3)
    with pytest.raises(AgentError, match="trained on version 3 of the inputs of policy, which are at"):
        read_weights(str(file), "policy", 4)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"levelsense weights": 2}, "weights of form 2; this levelsense reads 1"),
        ({"kind": 5}, "kind: input should be a valid string"),
        ({"arrays": {"a": {"shape": [3], "base64": "AAAA"}}}, "buffer size must be a multiple"),
        (
            {"arrays": {"a": {"shape": [3], "base64": "AAAAAA=="}}},
            "an array of 1 numbers and the shape",
        ),
        ({"arrays": {"a": {"shape": [1], "base64": "AADAfw=="}}}, "a number that is not finite"),
        ({"arrays": {"a": {"shape": [1], "base64": "!"}}}, "expected a file that `levelsense train` wrote"),
        ({"surplus": 1}, "surplus: extra inputs"),
    ],
)
def test_damaged_files_are_refused(file: Path, changes: dict[str, object], reason: str) -> None:
    with pytest.raises(AgentError, match=reason):
        read_weights(edited(file, **changes), "policy", 3)


@pytest.mark.parametrize("text", ["", "[]", "{", "\x00", '{"a": 1}'])
def test_what_is_no_file_of_weights_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.json"
    path.write_text(text)
    with pytest.raises(AgentError, match="expected a file that `levelsense train` wrote"):
        read_weights(str(path), "policy", 3)
    with pytest.raises(AgentError, match=r"no such file|cannot be read"):
        read_weights(str(tmp_path), "policy", 3)
