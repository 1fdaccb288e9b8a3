"""The identity of a function that plays as an agent: a digest of all code and values that it reaches.

Attempts are stored under it, so that those of changed code are never taken for those of the code before. What
is installed is known by its name; what cannot be known raises AgentError, unless a version is given by hand.
"""

import dis
import io
import pickle
import sys
import sysconfig
from collections.abc import Iterator
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any, Final

import numpy as np

from levelsense.errors import AgentError

DIGITS: Final = 12
_PLAIN: Final = (type(None), type(...), bool, int, float, complex, str, bytes)
_FUNCTION_KEYS: Final = ("__func__", "fget", "func")  # where methods and properties keep their function
_READ_BY_NAME: Final = frozenset({"LOAD_GLOBAL", "LOAD_NAME"})


def chooser_digest(function: Any, version: str | None = None) -> str:
    """Hexadecimal digits that change with the code of a function, and with the values that it holds or reads.

    With a `version`, that text stands for all that cannot be known. AgentError if there is such and no
    version.
    """
    described = (version, _Walk(version is not None).describe(function))
    return sha256(repr(described).encode()).hexdigest()[:DIGITS]


class _Walk:
    """One walk over what a function reaches; what has been met is described by its number from then on."""

    def __init__(self, is_lenient: bool) -> None:
        self._is_lenient = is_lenient
        self._numbers: dict[int, int] = {}
        self._kept: list[Any] = []  # an id is one's own only as long as its object lives

    def describe(self, value: Any, name: str = "the function") -> Any:
        """A value as text and tuples of it, equal for values that act alike."""
        if isinstance(value, _PLAIN):
            return type(value).__name__, repr(value)
        if isinstance(value, tuple):
            return "tuple", [self.describe(part, name) for part in value]
        if id(value) in self._numbers:
            return "met", self._numbers[id(value)]
        self._numbers[id(value)] = len(self._numbers)
        self._kept.append(value)
        return self._described(value, name)

    def _described(self, value: Any, name: str) -> Any:
        if isinstance(value, list):
            return "list", [self.describe(part, name) for part in value]
        if isinstance(value, dict):
            return "dict", [(self.describe(key, name), self.describe(value[key], name)) for key in value]
        if isinstance(value, set | frozenset):
            return "set", sorted(repr(self.describe(part, name)) for part in value)
        if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            return "array", value.dtype.str, value.shape, sha256(value.tobytes()).hexdigest()
        if isinstance(value, ModuleType):
            return "module", value.__name__, *self._module(value)
        if _is_installed(value):
            return "installed", value.__module__, getattr(value, "__qualname__", repr(value))
        if isinstance(value, FunctionType):
            return "function", *self._function(value)
        if isinstance(value, MethodType):
            return "method", self.describe(value.__func__), self.describe(value.__self__, name)
        if isinstance(value, partial):
            parts = (value.func, value.args, value.keywords)
            return "partial", [self.describe(part, name) for part in parts]
        if hasattr(value, "__wrapped__"):  # by a decorator such as lru_cache
            return "wrapped", type(value).__name__, self.describe(value.__wrapped__, name)
        if isinstance(value, type):
            return "class", value.__qualname__, *self._class(value)
        return self._object(value, name)

    def _function(self, function: FunctionType) -> Iterator[Any]:
        code = function.__code__
        yield self._code(code)
        yield self.describe((function.__defaults__, function.__kwdefaults__), function.__qualname__)
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            yield name, self.describe(_content(cell), name)
        for name in sorted(_names_read(code) & set(function.__globals__)):
            yield name, self.describe(function.__globals__[name], name)

    def _code(self, code: CodeType) -> tuple[Any, ...]:
        """What code does, without its place in a file."""
        constants = [
            self._code(part) if isinstance(part, CodeType) else self.describe(part) for part in code.co_consts
        ]
        return code.co_code, code.co_exceptiontable, constants, code.co_names, code.co_varnames, code.co_flags

    def _module(self, module: ModuleType) -> Iterator[Any]:
        """The files of a module of one's own and of those that it takes from; nothing of an installed one."""
        if _is_installed_module(module.__name__):
            return
        yield _file_hash(module)
        for name, value in sorted(vars(module).items()):
            origin = value if isinstance(value, ModuleType) else sys.modules.get(_module_name(value) or "")
            if origin is not None and origin is not module:
                yield name, self.describe(origin, name)

    def _class(self, kind: type) -> Iterator[Any]:
        yield [self.describe(base) for base in kind.__bases__]
        for name, part in sorted(vars(kind).items()):
            is_data = name.startswith("__") and not callable(part)
            if not is_data and not isinstance(part, MemberDescriptorType | GetSetDescriptorType):
                function = next((getattr(part, key) for key in _FUNCTION_KEYS if hasattr(part, key)), part)
                yield name, self.describe(function, name)

    def _object(self, value: Any, name: str) -> Any:
        """An object of one's own class, by its class and attributes; one of an installed class, pickled."""
        if not _is_installed(type(value)):
            return "object", self.describe(type(value)), self.describe(getattr(value, "__dict__", {}), name)
        kind = f"{type(value).__module__}.{type(value).__qualname__}"
        try:
            return "pickled", kind, sha256(_pickled(value, self)).hexdigest()
        except Exception:  # whatever an object of another library raises
            if self._is_lenient:
                return "unknown", kind
            raise AgentError(
                f"{name}: it is a {kind}, whose changes cannot be told; "
                "expected `version`, a text that changes with it"
            ) from None


def _pickled(value: Any, walk: _Walk) -> bytes:
    """A pickle of an object, with functions and classes of one's own in it by what they do."""

    class Pickler(pickle.Pickler):
        def reducer_override(self, part: Any) -> Any:
            if isinstance(part, FunctionType | type) and not _is_installed(part):
                return str, (repr(walk.describe(part)),)
            return NotImplemented

    buffer = io.BytesIO()
    Pickler(buffer, protocol=4).dump(value)
    return buffer.getvalue()


def _content(cell: Any) -> Any:
    """What a cell of a closure holds; nothing yet if its variable has no value."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _names_read(code: CodeType) -> set[str]:
    """The names of globals that code reads, or code within it."""
    names = {step.argval for step in dis.get_instructions(code) if step.opname in _READ_BY_NAME}
    return names.union(*(_names_read(part) for part in code.co_consts if isinstance(part, CodeType)))


def _is_installed(value: Any) -> bool:
    """Whether a function or a class comes with Python, levelsense or another package that was installed."""
    if isinstance(value, BuiltinFunctionType):
        return True
    module = _module_name(value)
    return module is not None and _is_installed_module(module)


def _module_name(value: Any) -> str | None:
    """The name of the module that a function or a class is of."""
    module = getattr(value, "__module__", None) if isinstance(value, FunctionType | type) else None
    return module if isinstance(module, str) else None


def _is_installed_module(name: str) -> bool:
    if name == "__main__":  # a script, or a notebook, which has no file, or that of the program that runs it
        return False
    path = getattr(sys.modules.get(name), "__file__", None)
    if path is None:
        return True
    return is_in_installed_folder(path)


def is_in_installed_folder(path: str) -> bool:
    """Whether a file comes with Python, levelsense or another package that was installed."""
    return any(Path(path).resolve().is_relative_to(folder) for folder in _installed_folders())


@lru_cache(maxsize=1)
def _installed_folders() -> tuple[Path, ...]:
    """The folders of Python's and of installed packages, and levelsense's own."""
    known = sysconfig.get_paths()
    folders = {known[name] for name in ("stdlib", "platstdlib", "purelib", "platlib") if name in known}
    return (*(Path(folder).resolve() for folder in sorted(folders)), Path(__file__).resolve().parents[1])


def _file_hash(module: ModuleType) -> str:
    """A hash of a module's file; none if it has none."""
    try:
        return sha256(Path(str(module.__file__)).read_bytes()).hexdigest()
    except OSError:
        return ""
