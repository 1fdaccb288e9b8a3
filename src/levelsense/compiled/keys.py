"""What a kernel's machine code depends on, as one hash: its code, the constants it reads, those it calls.

A key says nothing of names of modules, line numbers, docstrings and annotations: they change no answer.
"""

import builtins
import functools
import hashlib
import math
import opcode
import os
import sys
from importlib.metadata import version
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final

import numba
import numpy as np

_LOAD_GLOBAL: Final = opcode.opmap["LOAD_GLOBAL"]
_HAS_DOCSTRING: Final = 0x4000000  # a flag of code, from Python 3.13 on
# Modules whose contents are known by their version, which is in every key.
_KNOWN_MODULES: Final[tuple[ModuleType, ...]] = (np, math)
_KNOWN_NAMES: Final = frozenset(("numpy", "math", "builtins"))


class UnknownPartError(Exception):
    """A kernel reads a value whose changes cannot be detected."""


def kernel_key(function: FunctionType) -> str | None:
    """A hash of all that can change what a kernel is compiled to, but for signature and processor.

    None if it reads something that cannot be hashed with certainty. Constants are read when this is first
    called, as the compiler does.
    """
    try:
        return _key(function, ())
    except UnknownPartError:
        return None


_keys: dict[FunctionType, str] = {}


def _key(function: FunctionType, callers: tuple[FunctionType, ...]) -> str:
    if function in callers:
        raise UnknownPartError(f"{function.__qualname__}: it calls itself")
    if function not in _keys:
        if function.__closure__ is not None:
            raise UnknownPartError(f"{function.__qualname__}: it is a closure")
        around = (*callers, function)
        constants = [
            (name, _global(function, name, around)) for name in sorted(_global_names(function.__code__))
        ]
        defaults = _value((function.__defaults__, *sorted((function.__kwdefaults__ or {}).items())), around)
        described = (_surroundings(), _code(function.__code__, function.__doc__), constants, defaults)
        _keys[function] = hashlib.sha256(repr(described).encode()).hexdigest()[:24]
    return _keys[function]


@functools.cache
def _surroundings() -> tuple[Any, ...]:
    """The compiler as part of a key: versions, the flags of Numba, and the modules that drive it."""
    flags = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_"))
    versions = (numba.__version__, version("llvmlite"), np.__version__, sys.version)
    how = tuple(hashlib.sha256(path.read_bytes()).hexdigest() for path in _how_sources())
    return (*flags, versions, how)


def _how_sources() -> list[Path]:
    module = Path(__file__)
    return [module, module.with_name("units.py")]


def _code(code: CodeType, docstring: str | None = None) -> tuple[Any, ...]:
    """All of a function's code but for its place in a file and its docstring."""
    constants = code.co_consts
    if docstring is not None and constants and constants[0] == docstring:
        constants = (None, *constants[1:])
    return (
        code.co_code,
        code.co_exceptiontable,
        tuple(_code(part) if isinstance(part, CodeType) else _value(part, ()) for part in constants),
        (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars),
        (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount),
        code.co_flags & ~_HAS_DOCSTRING,
    )


def _global_names(code: CodeType) -> set[str]:
    """The global names that a function reads, or a function within it."""
    names = set()
    number = 0
    for operation, byte in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        number = number << 8 | byte
        if operation == opcode.EXTENDED_ARG:
            continue
        if operation == _LOAD_GLOBAL:
            names.add(code.co_names[number >> 1])
        number = 0
    for part in code.co_consts:
        if isinstance(part, CodeType):
            names |= _global_names(part)
    return names


def _global(function: FunctionType, name: str, around: tuple[FunctionType, ...]) -> Any:
    if name in function.__globals__:
        return _value(function.__globals__[name], around)
    if hasattr(builtins, name):
        return ("builtin", name)
    raise UnknownPartError(f"{function.__qualname__}: {name} is not defined")


def _value(value: Any, around: tuple[FunctionType, ...]) -> Any:
    """A description of a constant, different for all that a compiler could tell apart."""
    kind = type(value)
    if value is None or value is Ellipsis or kind in (bool, int, float, complex, str, bytes):
        return (kind.__name__, repr(value))
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        if kind is not tuple and fields is None:
            raise UnknownPartError(f"a tuple of type {kind.__qualname__}")
        return (kind.__qualname__, fields, tuple(_value(part, around) for part in value))
    if isinstance(value, np.dtype):
        return _dtype(value)
    if kind is np.ndarray or isinstance(value, np.generic):
        layout = (value.shape, value.strides, value.flags.aligned) if kind is np.ndarray else None
        return (kind.__name__, _dtype(value.dtype), layout, hashlib.sha256(value.tobytes()).hexdigest())
    if getattr(kind, "is_kernel", False):
        return ("kernel", _key(value.py_func, around))
    return _named(value)


def _dtype(dtype: np.dtype[Any]) -> Any:
    if dtype.hasobject:
        raise UnknownPartError(f"a dtype with objects: {dtype}")
    fields = dtype.fields and tuple((name, _dtype(part[0]), part[1]) for name, part in dtype.fields.items())
    inner = dtype.subdtype and (_dtype(dtype.subdtype[0]), dtype.subdtype[1])
    return ("dtype", dtype.str, dtype.type.__name__, dtype.itemsize, dtype.alignment, fields, inner)


def _named(value: Any) -> tuple[str, str]:
    """What is known by its name, and by the version of where it comes from."""
    if any(value is module for module in _KNOWN_MODULES):
        return ("module", value.__name__)
    if isinstance(value, type | BuiltinFunctionType) and value.__module__ in _KNOWN_NAMES:
        return (value.__module__, value.__qualname__)
    if isinstance(value, np.ufunc):
        return ("ufunc", value.__name__)
    raise UnknownPartError(f"a global of type {type(value).__qualname__}")
