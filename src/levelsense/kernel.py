"""The one decorator for compiled code, with an on-disk cache that sees every edit.

Numba's own cache looks at one file only: a caller keeps the old answer when a kernel or a constant in
another file is edited, or when a NUMBA_* flag changes. Here the cache folder is named by a hash of everything
that can change an answer.
"""

import functools
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types

KERNEL_FOLDERS = ("game", "agents")
KERNEL_FILES = ("arithmetic.py",)  # beside the folders: kernels that they call
# Folders with kernels that no kernel outside of them calls: an edit there leaves the others compiled.
OUTER_FOLDERS = ("players",)
F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent
_DAYS_KEPT = 30
_DAY_SECONDS = 86_400


def user_cache() -> Path:
    """The user's cache folder for levelsense, by each platform's custom."""
    if override := os.environ.get("LEVELSENSE_CACHE_DIR"):
        return Path(override)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "levelsense"


def _add_sources(key: "hashlib._Hash", folder: str) -> None:
    """Adds the sources of a folder to a hash."""
    for path in sorted((_PACKAGE / folder).glob("*.py")):
        _add_source(key, path)


def _add_source(key: "hashlib._Hash", path: Path) -> None:
    """Adds a source to a hash."""
    key.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")


def _source_key() -> str:
    """A hash of all kernel sources, the NUMBA_* flags and the versions that compile them."""
    key = hashlib.sha256()
    for folder in KERNEL_FOLDERS:
        _add_sources(key, folder)
    for name in KERNEL_FILES:
        _add_source(key, _PACKAGE / name)
    flags = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_"))
    versions = [numba.__version__, np.__version__, sys.version]
    key.update("\n".join(flags + versions).encode())
    return key.hexdigest()[:16]


@functools.cache
def cache_folder() -> Path:
    """Where this version of the kernels is kept once compiled."""
    return user_cache() / "kernels" / _source_key()


@functools.cache
def _outer_folder(folder: str) -> Path:
    """Where the kernels of an outer folder are kept: inside, so that they go with what they call."""
    key = hashlib.sha256()
    _add_sources(key, folder)
    return cache_folder() / f"{folder}-{key.hexdigest()[:16]}"


def _folder_for(function: Callable[..., Any]) -> Path:
    """Where a kernel is kept once compiled."""
    package, _, rest = function.__module__.partition(".")
    folder = rest.partition(".")[0]
    is_outer = package == "levelsense" and folder in OUTER_FOLDERS
    return _outer_folder(folder) if is_outer else cache_folder()


def is_cold() -> bool:
    """Whether nothing has been compiled yet for this version of the kernels."""
    folder = cache_folder()
    return not folder.is_dir() or next(folder.rglob("*.nbc"), None) is None


def forget_old_caches() -> None:
    """Removes compiled kernels of other versions that no run has used for a month."""
    folder = cache_folder()
    if not folder.is_dir():
        return
    os.utime(folder)
    for other in folder.parent.iterdir():
        if other != folder and other.stat().st_mtime < time.time() - _DAYS_KEPT * _DAY_SECONDS:
            shutil.rmtree(other, ignore_errors=True)


def _widen(kind: Any) -> Any:
    """The one type that kernels take whole numbers as: a constant or a narrow field is no type of its own."""
    kind = types.unliteral(kind)
    is_narrow = isinstance(kind, types.Integer) and kind != types.uint64
    return types.int64 if is_narrow else kind


def _keep_one_signature(dispatcher: Any) -> None:
    """Lets kernels call this one with any whole number, compiled once for all widths and constants."""
    get_call_template = dispatcher.get_call_template

    def widened(args: Any, kws: Any) -> Any:
        return get_call_template(tuple(map(_widen, args)), {name: _widen(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = widened


def kernel(function: F) -> F:
    """Compiles a function on its first call; with NUMBA_DISABLE_JIT=1 it stays plain Python."""
    if numba.config.DISABLE_JIT:
        # Compiled integers wrap silently; scalars of NumPy would warn.
        return np.errstate(over="ignore")(function)
    kept = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(_folder_for(function))
    try:
        # A name with an underscore is called by other kernels only, and is spared its entrance from Python.
        compiled: F = numba.njit(
            cache=True,
            nogil=True,
            error_model="numpy",
            no_cfunc_wrapper=True,
            no_cpython_wrapper=function.__name__.startswith("_"),
        )(function)
        _keep_one_signature(compiled)
        return compiled
    finally:
        numba.config.CACHE_DIR = kept


def kernel_with(template: Callable[..., Any], name: str, **parts: Any) -> Any:
    """Compiles a copy of a template in which some global names stand for other kernels.

    This is how one loop serves many agents: each copy is a kernel with a place of its own in the cache,
    and compiles only when it is first called. (Numba cannot cache functions that take kernels as arguments.)
    """
    copy = FunctionType(template.__code__, {**template.__globals__, **parts}, name)
    copy.__qualname__ = name
    copy.__module__ = template.__module__
    copy.__doc__ = template.__doc__
    return kernel(copy)
