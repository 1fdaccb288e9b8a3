"""ONNX files of networks over planes: what they must take and give, and sessions of ONNX Runtime for them."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.convolution.planes import ENCODING, PLANES, SIDE, SWAPS, new_planes
from levelsense.agents.weights import read_file
from levelsense.errors import AgentError

INPUT, OUTPUT = "planes", "logits"
INPUT_SHAPE: Final = (PLANES, SIDE, SIDE)
OUTPUT_SHAPE: Final = (SWAPS,)
# The keys of the file's metadata, each with a text.
ENCODING_KEY, CARD_KEY = "levelsense.encoding", "levelsense.card"
_FLOAT: Final = "tensor(float)"
_WEIGHTS_FOLDER: Final = "session.model_external_initializers_file_folder_path"
_ONLY_FATAL: Final = 4  # what ONNX Runtime prints by itself; errors are raised, too


@dataclass(frozen=True, eq=False)
class NetworkFile:
    """A network over planes that ONNX Runtime runs; threads may share it.

    encoding  the version of the planes that it was trained on; None if the file does not say it
    card      what it was trained on and how it fared, for people
    """

    source: str
    session: Any
    encoding: int | None
    card: Mapping[str, Any]

    def logits(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        """The logits (positions, 144) of planes (positions, 102, 9, 9).

        AgentError if it fails, or gives numbers of another shape.
        """
        try:
            (logits,) = self.session.run([OUTPUT], {INPUT: planes})
        except Exception as error:
            raise AgentError(f"{self.source}: the network fails: {_first_line(error)}") from None
        expected = (len(planes), *OUTPUT_SHAPE)
        if logits.shape != expected:
            raise AgentError(f"{self.source}: {OUTPUT} of the shape {logits.shape}; expected {expected}")
        return logits  # type: ignore[no-any-return]


_sessions: dict[tuple[str, str], NetworkFile] = {}
_lock = Lock()


def read_network_file(source: str) -> NetworkFile:
    """The network of a file by path, or by path@digest; one for each content in a process.

    AgentError if there is no such file, if it is no network over planes, or if ONNX Runtime is missing.
    """
    content = read_file(source)
    with _lock:
        key = source, content.digest
        if key not in _sessions:
            _sessions[key] = network_of(source, content.data)
        return _sessions[key]


def network_of(source: str, content: bytes) -> NetworkFile:
    """The network in the content of a file, tried out once; `source` names it in errors."""
    session = _new_session(source, content)
    _check_ends("input", session.get_inputs(), INPUT, INPUT_SHAPE, source)
    _check_ends("output", session.get_outputs(), OUTPUT, OUTPUT_SHAPE, source)
    metadata = session.get_modelmeta().custom_metadata_map
    network = NetworkFile(source, session, _encoding(metadata, source), _card(metadata))
    network.logits(new_planes())
    return network


def _new_session(source: str, content: bytes) -> Any:
    """A session of one thread: levelsense plays on several threads itself, and results must not vary."""
    try:
        import onnxruntime
    except ImportError:
        raise AgentError(
            f"{source}: playing by an ONNX file needs ONNX Runtime; expected `pip install levelsense[onnx]`"
        ) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = _ONLY_FATAL
    # Weights in other files have no part in the digest; by default they are looked for where one stands.
    options.add_session_config_entry(_WEIGHTS_FOLDER, os.devnull)
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise AgentError(
            f"{source}: ONNX Runtime cannot read it: {_first_line(error)}; "
            "expected an ONNX file with its weights inside"
        ) from None


def _check_ends(kind: str, ends: Any, name: str, shape: tuple[int, ...], source: str) -> None:
    """AgentError unless a network has an input or output of this name and shape, and no other input."""
    by_name = {end.name: end for end in ends}
    wanted = f"expected one {kind} {name!r}, float32 of the shape (N, {', '.join(map(str, shape))})"
    if name not in by_name or (kind == "input" and len(by_name) > 1):
        raise AgentError(f"{source}: {kind}s named {', '.join(map(repr, by_name))}; {wanted}")
    end = by_name[name]
    if end.type != _FLOAT:
        raise AgentError(f"{source}: {kind} {name!r} of type {end.type}; {wanted}")
    if len(end.shape) != 1 + len(shape) or not all(map(_may_be, end.shape, (1, *shape))):
        raise AgentError(f"{source}: {kind} {name!r} of the shape {tuple(end.shape)}; {wanted}")


def _may_be(size: int | str | None, expected: int) -> bool:
    """Whether a size that a file states may be the one expected; a text or None stands for any size."""
    return size == expected if isinstance(size, int) else True


def _encoding(metadata: Mapping[str, str], source: str) -> int | None:
    """The version of the planes that a file states; AgentError if it is another than today's."""
    text = metadata.get(ENCODING_KEY)
    if text is None:
        return None
    if text != str(ENCODING):
        raise AgentError(
            f"{source}: trained on version {text} of the planes, which are at version {ENCODING} now; "
            "expected a network trained with this levelsense"
        )
    return ENCODING


def _card(metadata: Mapping[str, str]) -> Mapping[str, Any]:
    """The card in a file's metadata; an empty one if there is none that can be read."""
    try:
        card = json.loads(metadata.get(CARD_KEY, "{}"))
    except ValueError:
        return {}
    return card if isinstance(card, dict) else {}


def _first_line(error: Exception) -> str:
    """The first line of an error of ONNX Runtime, without the code before it."""
    line = (str(error).splitlines() or [type(error).__name__])[0]
    return line.rpartition(" : ")[2].strip().removesuffix(".")
