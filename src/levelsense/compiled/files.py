"""Compiled code on disk, a file for each kernel, signature and processor: a seal, then what it seals.

A file that is not what was written is discarded, and the kernel compiled again: code from a damaged file
would end the program, in this run and in all after it. What cannot be kept is compiled again next time.
"""

import hashlib
import os
import pickle
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from numba.core.serialize import dumps

from levelsense.cache import DAY_SECONDS, forget_unused, mark_folder, usable_cache, warn_once

_SEAL_BYTES: Final = 16
SUFFIX: Final = ".nbc"


def code_folder() -> Path | None:
    """Where compiled code is kept; None if there is no place to keep it."""
    cache = usable_cache()
    return None if cache is None else cache / "kernels"


def read_code(name: str) -> Any:
    """What was kept under a name; None if nothing was, or if it is damaged."""
    folder = code_folder()
    if folder is None:
        return None
    path = folder / f"{name}{SUFFIX}"
    try:
        content = path.read_bytes()
    except OSError:
        return None
    try:
        seal, sealed = content[:_SEAL_BYTES], content[_SEAL_BYTES:]
        if seal != _seal(sealed):
            raise ValueError("it is not what was written")
        kept_name, code = pickle.loads(sealed)
        if kept_name != name:
            raise ValueError(f"it was written as {kept_name}")
    except Exception as error:  # whatever a pickle makes of it
        discard_code(name, error)
        return None
    _note_use(path)
    return code


def discard_code(name: str, error: Exception) -> None:
    """Removes what was kept under a name and is no use."""
    folder = code_folder()
    if folder is not None:
        path = folder / f"{name}{SUFFIX}"
        with suppress(OSError):
            path.unlink()
        warn_once(f"{path}: damaged, {error}; discarded and compiled again", about="damaged")


def write_code(name: str, code: Any, *, once: bool = False) -> bool:
    """Keeps something under a name, whole or not at all, with a warning; returns whether it is kept.

    With `once`, what another process has kept under the name meanwhile stays.
    """
    folder = code_folder()
    if folder is None:
        return False
    sealed = dumps((name, code))
    near = folder / f".{os.urandom(8).hex()}.part"
    try:
        mark_folder(folder)
        with near.open("xb") as file:
            file.write(_seal(sealed) + sealed)
        path = folder / f"{name}{SUFFIX}"
        if once:
            os.link(near, path)
            near.unlink()
        else:
            near.replace(path)
    except FileExistsError:
        with suppress(OSError):
            near.unlink()
        return False
    except OSError as error:
        with suppress(OSError):
            near.unlink()
        warn_once(
            f"{folder}: cannot be written: {error.strerror or error}; "
            "what is compiled now will be compiled again in the next run",
            about="not written",
        )
        return False
    return True


def forget_old_code() -> None:
    """Removes compiled code that no run has used for a month."""
    folder = code_folder()
    if folder is not None:
        forget_unused(folder, f"*{SUFFIX}")


def _note_use(path: Path) -> None:
    """Files are forgotten by the day of their last use, which is written down once a day."""
    with suppress(OSError):
        if path.stat().st_mtime < time.time() - DAY_SECONDS:
            os.utime(path)


def _seal(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_SEAL_BYTES).digest()
