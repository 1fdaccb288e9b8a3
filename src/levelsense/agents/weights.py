"""The files of learned agents: arrays of weights and a model card, in JSON that needs no other library.

A file is an object with these fields; docs/agents.md shows one:

    "levelsense weights"  the version of this form
    "kind"                the family of agents that they are for, such as "policy"
    "encoding"            the version of the inputs that they were trained on
    "card"                what they were trained on and how they fared, for people
    "arrays"              each by name: its shape, and its numbers as base64 of little-endian float32

The digest of weights names what plays: it covers kind, encoding and arrays, and not the card. Networks in
files of other forms (`read_file`) have the digest of all their bytes.
"""

import base64
import json
from binascii import Error as Base64Error
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from levelsense.errors import AgentError
from levelsense.files import write_text
from levelsense.json_text import NotJsonError, parse_json

FORMAT: Final = 1
DIGITS: Final = 8  # of a digest, where it names weights
MOST_BYTES: Final = 50_000_000
MOST_FILE_BYTES: Final = 500_000_000  # of a file of another form
_SHIPPED: Final = "shipped"  # the folder of the weights that come with the package


@dataclass(frozen=True)
class Weights:
    """The weights of a learned agent, float32 arrays by name, and the card that tells of them."""

    kind: str
    encoding: int
    arrays: Mapping[str, NDArray[np.float32]]
    card: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """Hexadecimal digits that differ wherever the agent could play otherwise."""
        content = sha256(f"{self.kind} {self.encoding}".encode())
        for name in sorted(self.arrays):
            array = self.arrays[name]
            content.update(f" {name} {array.shape} ".encode())
            content.update(array.astype("<f4").tobytes())
        return content.hexdigest()[:DIGITS]


class _ArrayData(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    shape: list[Annotated[int, Field(ge=0)]]
    base64: str


class _FileData(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    format: int = Field(alias="levelsense weights")
    kind: str
    encoding: int
    card: dict[str, Any]
    arrays: dict[str, _ArrayData]


def write_weights(path: str | Path, weights: Weights) -> None:
    """Writes a file of weights; it replaces an older one only when it is whole."""
    data = {
        "levelsense weights": FORMAT,
        "kind": weights.kind,
        "encoding": weights.encoding,
        "card": dict(weights.card),
        "arrays": {name: _array_data(array) for name, array in weights.arrays.items()},
    }
    write_text(path, json.dumps(data, indent=1) + "\n")


def read_weights(source: str, kind: str, *encodings: int) -> Weights:
    """The weights that a text names: shipped ones by name, a file by path, or by path@digest.

    AgentError if there are none, or they are of another kind or digest, or of none of the encodings.
    """
    weights = _weights_of(source, kind)
    if weights.encoding not in encodings:
        raise AgentError(
            f"{source}: trained on version {weights.encoding} of the inputs of {kind}, which are at version "
            f"{encodings[-1]} now; expected weights trained with this levelsense"
        )
    return weights


def canonical_source(source: str, kind: str) -> str:
    """How specs name weights: a shipped name as it is, a file by path@digest.

    AgentError if there are no such weights of this kind.
    """
    path, _ = split_source(source)
    digest = _weights_of(source, kind).digest
    return source if path.parent == _shipped_folder() else f"{path}@{digest}"


def _weights_of(source: str, kind: str) -> Weights:
    path, digest = split_source(source)
    weights = _read_file(str(path), _stamp(path, source, kind))
    if weights.kind != kind:
        raise AgentError(f"{source}: weights of the kind {weights.kind}; expected {kind}")
    if digest is not None and weights.digest != digest:
        raise AgentError(f"{source}: the file has the digest {weights.digest} now; expected {digest}")
    return weights


def split_source(source: str) -> tuple[Path, str | None]:
    """The path of the weights that a text names, and the digest that it asks for, if any."""
    if "/" not in source and source.isprintable():
        shipped = _shipped_folder() / f"{source}.json"
        if shipped.is_file():
            return shipped, None
    return _split_digest(source)


def _split_digest(source: str) -> tuple[Path, str | None]:
    """The path in a text such as path@digest, and the digest, if there is one."""
    path, at, digest = source.rpartition("@")
    if at and len(digest) == DIGITS and set(digest) <= set("0123456789abcdef"):
        return Path(path), digest
    return Path(source), None


@dataclass(frozen=True)
class FileContent:
    """The bytes of a file, and the hexadecimal digits that name them."""

    data: bytes
    digest: str


def read_file(source: str) -> FileContent:
    """The content of a file of any form, by path or path@digest; AgentError if it is not there or changed."""
    path, digest = _split_digest(source)
    try:
        if path.stat().st_size > MOST_FILE_BYTES:
            raise AgentError(f"{source}: more than {MOST_FILE_BYTES:,} bytes; expected the file of a network")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, AgentError):
            raise
        reason = "no such file" if isinstance(error, FileNotFoundError) else "it cannot be read"
        raise AgentError(f"{source}: {reason}; expected the file of a network") from None
    content = FileContent(data, sha256(data).hexdigest()[:DIGITS])
    if digest is not None and content.digest != digest:
        raise AgentError(f"{source}: the file has the digest {content.digest} now; expected {digest}")
    return content


def canonical_file(source: str) -> str:
    """How specs name a file of any form: by path@digest; AgentError if there is none."""
    return f"{_split_digest(source)[0]}@{read_file(source).digest}"


def shipped_names(kind: str) -> list[str]:
    """The names of the weights of a kind that come with the package."""
    paths = sorted(_shipped_folder().glob("*.json"))
    return [path.stem for path in paths if _read_file(str(path), (0, 0)).kind == kind]


@lru_cache(maxsize=1)
def _shipped_folder() -> Path:
    return Path(str(files("levelsense.agents"))) / _SHIPPED


def _array_data(array: NDArray[np.float32]) -> dict[str, Any]:
    content = base64.b64encode(array.astype("<f4").tobytes()).decode()
    return {"shape": list(array.shape), "base64": content}


def _stamp(path: Path, source: str, kind: str) -> tuple[int, int]:
    """What changes with a file; AgentError if there is none or it is too large to be one of weights."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        raise AgentError(
            f"{source}: no such file; expected a file of weights, or one of: {', '.join(shipped_names(kind))}"
        ) from None
    if status.st_size > MOST_BYTES:
        raise AgentError(f"{source}: {status.st_size:,} bytes; expected a file of weights, which is smaller")
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=64)
def _read_file(path: str, stamp: tuple[int, int]) -> Weights:
    """The weights in a file; `stamp` makes a changed file be read again."""
    try:
        data = parse_json(Path(path).read_text("utf-8"))
    except (NotJsonError, OSError, UnicodeDecodeError) as error:
        reason = error.problem if isinstance(error, NotJsonError) else "it cannot be read"
        raise AgentError(f"{path}: {reason}; expected a file that `levelsense train` wrote") from None
    try:
        content = _FileData.model_validate(data)
        if content.format != FORMAT:
            raise AgentError(f"{path}: weights of form {content.format}; this levelsense reads {FORMAT}")
        arrays = {name: _array(array) for name, array in content.arrays.items()}
    except (ValidationError, Base64Error, ValueError) as error:
        if isinstance(error, AgentError):
            raise
        reason = _first_problem(error) if isinstance(error, ValidationError) else str(error)
        raise AgentError(f"{path}: {reason}; expected a file that `levelsense train` wrote") from None
    return Weights(content.kind, content.encoding, arrays, content.card)


def _array(data: _ArrayData) -> NDArray[np.float32]:
    numbers = np.frombuffer(base64.b64decode(data.base64, validate=True), "<f4").astype(np.float32)
    if numbers.size != np.prod(data.shape, dtype=np.int64):
        raise ValueError(f"an array of {numbers.size} numbers and the shape {data.shape}")
    if not np.isfinite(numbers).all():
        raise ValueError("an array with a number that is not finite")
    return numbers.reshape(data.shape)


def _first_problem(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place}: {problem['msg'].lower()}" if place else "not an object of weights"
