"""The checkpoint of a training: its arrays to the last bit, in a file that is replaced as a whole."""

import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np

from levelsense.errors import AgentError
from levelsense.files import write_bytes
from levelsense.game.state import Array

_KEY: Final = "key"


def write_checkpoint(path: Path, key: Mapping[str, Any], record: Mapping[str, Array]) -> None:
    """Writes the arrays of the training that `key` tells of; OutputError if the file cannot be written."""
    content = BytesIO()
    np.savez(content, allow_pickle=False, **{_KEY: np.array(json.dumps(key)), **record})
    write_bytes(path, content.getvalue())


def read_checkpoint(path: Path, key: Mapping[str, Any], games: int) -> dict[str, Array] | None:
    """The arrays of a training; None if there is no file.

    AgentError if it is of another training than `key` tells, of one with more games, or damaged.
    """
    if not path.exists():
        return None
    advice = "remove it to start anew"
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as file:
            record = {name: file[name] for name in file.files}
        written = json.loads(str(record.pop(_KEY)))
        done = len(record["games"])
    except (BadZipFile, EOFError, KeyError, OSError, TypeError, ValueError):
        raise AgentError(f"{path}: not a checkpoint of a training; {advice}") from None
    others = [name for name in key if written.get(name) != key[name]]
    if others:
        name = others[0]
        raise AgentError(
            f"{path}: of a training with {name} {written.get(name)}; expected {name} {key[name]}, or {advice}"
        )
    if done > games:
        raise AgentError(
            f"{path}: of a training of {done:,} games already; expected at most {games:,}, or {advice}"
        )
    return record
