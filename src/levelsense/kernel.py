"""The one decorator for compiled code, with an on-disk cache that sees every edit.

Numba's own cache looks at one file only: a caller keeps the old answer when a kernel or a constant in
another file is edited, or when a NUMBA_* flag changes. Where its folder cannot be used it takes the one
beside the sources, and a damaged file ends the program. Here the cache folder is named by a hash of all that
can change an answer, and each file in it is sealed.
"""

import functools
import hashlib
import inspect
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import Any, Final, TypeVar

import numba
import numpy as np
from numba import types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from levelsense.cache import forget_others, mark_folder, usable_cache, warn_once

KERNEL_FOLDERS = ("game", "agents")
KERNEL_FILES = (
    "arithmetic.py",
    "kernel.py",
    "rng.py",
)  # beside the folders: kernels that they call, and how all compile
# Folders with kernels that no kernel outside of them calls: an edit there leaves the others compiled.
OUTER_FOLDERS = ("people",)
F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent
_SEAL_BYTES: Final = 16


def _add_sources(key: "hashlib._Hash", folder: str) -> None:
    """Adds the sources of a folder to a hash."""
    for path in sorted((_PACKAGE / folder).rglob("*.py")):
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
    versions = [numba.__version__, version("llvmlite"), np.__version__, sys.version]
    key.update("\n".join(flags + versions).encode())
    return key.hexdigest()[:16]


@functools.cache
def cache_folder() -> Path | None:
    """Where this version of the kernels is kept once compiled; None if there is no place to keep it."""
    cache = usable_cache()
    return None if cache is None else cache / "kernels" / _source_key()


@functools.cache
def _outer_folder(folder: str) -> str:
    """Where the kernels of an outer folder are kept, within the cache: they go with what they call."""
    key = hashlib.sha256()
    _add_sources(key, folder)
    return f"{folder}-{key.hexdigest()[:16]}"


def _folder_for(function: Callable[..., Any]) -> Path | None:
    """Where a kernel is kept once compiled; None if nowhere."""
    whole = cache_folder()
    if whole is None:
        return None
    package, _, rest = function.__module__.partition(".")
    folder = rest.partition(".")[0]
    is_outer = package == "levelsense" and folder in OUTER_FOLDERS
    return (whole / _outer_folder(folder) if is_outer else whole) / Path(
        inspect.getfile(function)
    ).parent.name


def is_cold() -> bool:
    """Whether nothing has been compiled yet for this version of the kernels."""
    folder = cache_folder()
    return folder is None or not folder.is_dir() or next(folder.rglob("*.nbc"), None) is None


def forget_old_caches() -> None:
    """Removes compiled kernels of other versions that no run has used for a month."""
    folder = cache_folder()
    if folder is not None and folder.is_dir():
        forget_others(folder)


class _KernelCache(NullCache):  # type: ignore[misc]  # Numba has no types
    """What a kernel was compiled to, a file a signature: a seal, then the key and the code that it seals.

    A file that is not what was written is discarded, and the kernel compiled again: code from a damaged file
    would end the program, in this run and in all after it. What cannot be kept is compiled again next time.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        source = Path(inspect.getfile(function))
        line = function.__code__.co_firstlineno
        self._folder = folder
        self._name = f"{source.stem}.{function.__qualname__}-{line}".replace("<", "").replace(">", "")
        self._code = hashlib.sha256(_content(source) + function.__code__.co_code).hexdigest()

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What the kernel was compiled to for a signature; None if it is not known."""
        target_context.refresh()
        key = self._key(sig, target_context.codegen())
        path = self._path(key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        try:
            seal, sealed = content[:_SEAL_BYTES], content[_SEAL_BYTES:]
            if seal != _seal(sealed):
                raise ValueError("it is not what was written")
            kept, code = pickle.loads(sealed)
            if kept != key:
                return None
            return CompileResult._rebuild(target_context, *code)
        except Exception as error:  # whatever a pickle or a linker makes of it
            with suppress(OSError):
                path.unlink()
            warn_once(f"{path}: damaged, {error}; discarded and compiled again", about="damaged")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps what the kernel was compiled to."""
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        key = self._key(sig, data.codegen)
        sealed = dumps((key, data._reduce()))
        path = self._path(key)
        near = path.with_name(f".{os.urandom(8).hex()}.part")
        try:
            whole = cache_folder()
            if whole is not None:
                mark_folder(whole)
            path.parent.mkdir(parents=True, exist_ok=True)
            with near.open("xb") as file:
                file.write(_seal(sealed) + sealed)
            near.replace(path)
        except OSError as error:
            with suppress(OSError):
                near.unlink()
            warn_once(
                f"{self._folder}: cannot be written: {error.strerror or error}; "
                "what is compiled now will be compiled again in the next run",
                about="not written",
            )

    def _key(self, sig: Any, codegen: Any) -> str:
        """What the code depends on beside the folder's name: signature, processor, source."""
        return str((sig, codegen.magic_tuple(), self._code))

    def _path(self, key: str) -> Path:
        return self._folder / f"{self._name}.{hashlib.sha256(key.encode()).hexdigest()[:16]}.nbc"


@functools.cache
def _content(source: Path) -> bytes:
    return source.read_bytes()


def _seal(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_SEAL_BYTES).digest()


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
    # A name with an underscore is called by other kernels only, and is spared its entrance from Python.
    dispatcher = numba.njit(
        nogil=True,
        error_model="numpy",
        no_cfunc_wrapper=True,
        no_cpython_wrapper=function.__name__.startswith("_"),
    )(function)
    folder = _folder_for(function)
    if folder is not None and function.__closure__ is None:  # what a closure holds is in no key
        dispatcher._cache = _KernelCache(function, folder)
    _keep_one_signature(dispatcher)
    compiled: F = dispatcher
    return compiled


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
