"""A kernel in two forms: the part, which other kernels take in, and the whole, which Python calls.

Numba makes machine code of every function, and optimizes it again with every function that calls it. Here a
part is not optimized at all. A whole is linked from all the parts that it needs, each once, then optimized
and made machine code of.
"""

import hashlib
import itertools
from collections.abc import Iterator
from types import FunctionType
from typing import Any, Final

import llvmlite.binding as llvm
from numba import types
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.sigutils import normalize_signature

from levelsense.compiled.files import discard_code, read_code, write_code
from levelsense.compiled.keys import kernel_key
from levelsense.compiled.times import timed_compiling

_OPTIONS: Final = {
    "nopython": True,
    "boundscheck": None,  # as the flag of Numba says
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
_PACKAGE: Final = __name__.partition(".")[0]  # stands for the module of every part: a kernel may move
_SYMBOL: Final = f"_ZN{len(_PACKAGE)}{_PACKAGE}"  # how the names of parts begin
_ENVIRONMENT: Final = "_ZN08NumbaEnv"  # how the names of environments begin, in machine code
_nameless = itertools.count()


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """The code of one kernel, for the linker only."""

    kept_as: str | None = None  # the name of its file
    symbol: str = ""  # what callers call it by
    environment: Any = None

    def _optimize_functions(self, module: Any) -> None:
        """The fewest passes that make code small, and free of addresses that are valid in one run only."""
        module.data_layout = self._codegen._data_layout
        passes = llvm.create_new_module_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_dead_code_elimination_pass()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(module, self._codegen._pass_builder())

    def finalize(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def parts(self) -> Iterator["_PartLibrary"]:
        """The parts that it calls."""
        return (library for library in self._linking_libraries if isinstance(library, _PartLibrary))

    def bitcode(self) -> bytes:
        """Its code, with that of Numba's own that it calls."""
        module = self._final_module.clone()
        for library in self._linking_libraries:
            if not isinstance(library, _PartLibrary):
                module.link_in(library._get_module_for_linking(), preserve=True)
        return bytes(module.as_bitcode())


class _WholeLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Machine code of a kernel and all that it calls."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        needed: dict[Any, None] = {}
        waiting: list[Any] = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library not in needed:
                needed[library] = None
                waiting += library._linking_libraries
        self._linking_libraries = list(needed)
        super().finalize()

    def environments(self) -> list[Any]:
        """The environments, which hold Python objects, that the code refers to by their names."""
        names = (variable.name for variable in self._final_module.global_variables)
        environments = (lookup_environment(name) for name in names if name.startswith(_ENVIRONMENT))
        return [environment for environment in environments if environment is not None]

    def outside_symbols(self) -> list[str]:
        """The names of what the code calls or reads that is not in it."""
        module = self._final_module
        return [
            symbol.name
            for symbol in (*module.functions, *module.global_variables)
            if symbol.is_declaration and not symbol.name.startswith("llvm.")
        ]


class _PartCompiler(Compiler):  # type: ignore[misc]
    """Compiles as far as the linker needs it."""

    def _compile_bytecode(self) -> Any:
        state = self.state
        state.func_id.unique_id = 0  # the name is unique, and the same in every run
        state.func_id.unique_name = state.func_id.func_qualname
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        result = super()._compile_bytecode()
        result.library.environment = result.environment
        result.library.symbol = result.fndesc.mangled_name
        # Callers find a part by its library: there is no function for Python, by which Numba would find it.
        state.targetctx.insert_user_function(result.library, result.fndesc, [result.library])
        return result._replace(entry_point=result.library)


class _PartFiles(NullCache):  # type: ignore[misc]
    """Where Numba looks for a part before it compiles one."""

    def __init__(self, name: str) -> None:
        self._name = name

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        return _load_part(_file_name(self._name, sig, target_context, "part"), target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        library = data.library
        library._ensure_finalized()
        data.fndesc.typemap = data.fndesc.calltypes = None  # large, and not needed any more
        callees = [(part.kept_as, part.symbol) for part in library.parts()]
        is_known = all(kept_as is not None for kept_as, _ in callees)
        if library._dynamic_globals or data.lifted or data.reload_init or not is_known:
            return
        name = _file_name(self._name, sig, data.target_context, "part")
        contents = (library.bitcode(), data.fndesc, data.environment, data.signature, callees)
        # Symbols hold numbers that Numba gives records, which differ from process to process: of two that
        # compile the same part at once, one keeps its own, and what is kept calls that one.
        if write_code(name, contents, once=True):
            library.kept_as = name
            _parts[name] = data


_parts: dict[str, Any] = {}


def _load_part(name: str, target_context: Any) -> Any:
    """The part in a file, with those that it calls; None if one of them is not there, or another now."""
    if name not in _parts:
        contents = read_code(name)
        if contents is None:
            return None
        code, fndesc, environment, signature, callees = contents
        parts = [_load_part(callee, target_context) for callee, _ in callees]
        if None in parts or [part.library.symbol for part in parts] != [symbol for _, symbol in callees]:
            return None
        library = _PartLibrary(target_context.codegen(), fndesc.qualname)
        library._final_module = llvm.parse_bitcode(code)
        library._linking_libraries = [part.library for part in parts]
        library._finalized, library.kept_as, library.environment = True, name, environment
        library.symbol = fndesc.mangled_name
        _parts[name] = _result(target_context, library, library, fndesc, environment, signature)
    return _parts[name]


class _Part(CPUDispatcher):  # type: ignore[misc]
    """A kernel as other kernels call it."""

    def __init__(self, function: FunctionType, key: str | None) -> None:
        name = f"{function.__qualname__}-{key or next(_nameless)}"
        named = FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        named.__kwdefaults__, named.__module__, named.__qualname__ = function.__kwdefaults__, _PACKAGE, name
        super().__init__(named, targetoptions=dict(_OPTIONS), pipeline_class=_PartCompiler)
        if key is not None:
            self._cache = _PartFiles(name)

    def add_overload(self, cres: Any) -> None:
        """Notes a signature; Python is told of none."""
        self.overloads[tuple(cres.signature.args)] = cres


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A kernel as Python calls it; kernels that call it get its part."""

    is_kernel = True

    def __init__(self, function: FunctionType) -> None:
        super().__init__(function, targetoptions=dict(_OPTIONS))
        self._part: _Part | None = None

    def part(self) -> _Part:
        """The kernel for other kernels; made when first needed, when all that it calls is defined."""
        if self._part is None:
            self._part = _Part(self.py_func, kernel_key(self.py_func))
        return self._part

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Lets kernels call this one with any whole number, compiled once for all widths and constants."""
        if self.part().is_compiling:
            raise TypeError(f"{self.__name__}: a kernel cannot call itself")
        widened = {name: _widen(kind) for name, kind in kws.items()}
        return self.part().get_call_template(tuple(map(_widen, args)), widened)

    def get_overload(self, sig: Any) -> Any:
        return self.part().get_overload(sig)

    def compile(self, sig: Any) -> Any:
        """What Python can call, loaded or compiled."""
        with global_compiler_lock:
            args = tuple(normalize_signature(sig)[0])
            if args not in self.overloads:
                self.add_overload(self._loaded(args) or self._linked(args))
            return self.overloads[args].entry_point

    def _loaded(self, args: Any) -> Any:
        key = kernel_key(self.py_func)
        if key is None:
            return None
        name = _file_name(f"{self.__qualname__}-{key}", args, self.targetctx)
        if name not in _wholes:
            contents = read_code(name)
            if contents is None:
                return None
            try:
                _wholes[name] = _load_whole(name, contents, self.targetctx)
            except Exception as error:  # a linker may raise anything
                discard_code(name, error)
                return None
        self._cache_hits[args] += 1
        return _wholes[name]

    def _linked(self, args: Any) -> Any:
        self._cache_misses[args] += 1
        with timed_compiling():
            self.part().compile(args)
            whole = self._with_entrance(self.part().overloads[args])
        _check_whole(self.__qualname__, whole.library.outside_symbols())
        self._keep(args, whole)
        return whole

    def _with_entrance(self, part: Any) -> Any:
        """A part and all that it calls as one, with an entrance from Python."""
        library = _WholeLibrary(self.targetctx.codegen(), part.library.name)
        library.enable_object_caching()
        library.add_linking_library(part.library)
        with self.targetctx.push_code_library(library):
            self.targetctx.create_cpython_wrapper(
                library, part.fndesc, part.environment, None, release_gil=True
            )
        return _executable(self.targetctx, library, part.fndesc, part.environment, part.signature)

    def _keep(self, args: Any, whole: Any) -> None:
        key = kernel_key(self.py_func)
        if key is not None and not whole.library._dynamic_globals:
            name = _file_name(f"{self.__qualname__}-{key}", args, self.targetctx)
            environments = whole.library.environments()
            symbols = [whole.fndesc.llvm_cpython_wrapper_name, *(env.env_name for env in environments)]
            code = whole.library._get_compiled_object(), symbols, whole.library.outside_symbols()
            _wholes[name] = whole
            constants = [(env, list(env.consts)) for env in (whole.environment, *environments)]
            write_code(
                name, (code, environments, constants, whole.fndesc, whole.environment, whole.signature)
            )


_wholes: dict[str, Any] = {}


def _check_whole(name: str, outside: list[str]) -> None:
    """ValueError if a kernel that the code calls is not in it: the linker would let it call nothing."""
    missing = [symbol for symbol in outside if symbol.startswith(_SYMBOL)]
    if missing:
        raise ValueError(f"{name}: it lacks {len(missing)} of the kernels that it calls")


def _load_whole(name: str, contents: Any, target_context: Any) -> Any:
    (code, symbols, outside), environments, constants, fndesc, environment, signature = contents
    # Numba keeps one environment by its name, and an entrance from Python adds constants to it. One that came
    # with the code of another kernel may be older, and lack them: code would read past its end.
    for known, needed in constants:
        if len(known.consts) < len(needed):
            known.consts[:] = needed
    # The linker ends the program for a symbol that it does not find. Numba's runtime has most of them;
    # loading all of Numba, which takes a third of a second, gives the others.
    _check_whole(name, outside)
    rtsys.initialize(target_context)
    if any(llvm.address_of_symbol(name) is None for name in outside):
        target_context.refresh()
    library = _WholeLibrary(target_context.codegen(), name)
    library.enable_object_caching()
    library._set_compiled_object(code)
    library._finalize_final_module()
    library.codegen._engine._defined_symbols.update(symbols)
    return _executable(target_context, library, fndesc, environment, signature, environments)


def _executable(
    target_context: Any,
    library: Any,
    fndesc: Any,
    environment: Any,
    signature: Any,
    environments: Any = None,
) -> Any:
    """Machine code as something that Python can call."""
    entry_point = target_context.get_executable(library, fndesc, environment)
    library.needed = library.environments() if environments is None else environments
    for needed in library.needed:
        library.codegen.set_env(needed.env_name, needed)
    return _result(target_context, library, entry_point, fndesc, environment, signature)


def _result(
    target_context: Any, library: Any, entry_point: Any, fndesc: Any, environment: Any, signature: Any
) -> Any:
    return CompileResult(
        typing_context=target_context.typing_context,
        target_context=target_context,
        entry_point=entry_point,
        typing_error=None,
        type_annotation=None,
        signature=signature,
        library=library,
        objectmode=False,
        lifted=(),
        fndesc=fndesc,
        call_helper=None,
        environment=environment,
        metadata=None,
        reload_init=[],
        referenced_envs=[],
    )


def _file_name(name: str, sig: Any, target_context: Any, *form: str) -> str:
    """The name of the file for a kernel, by signature and processor."""
    kinds = normalize_signature(sig)[0]
    depends_on = str((kinds, target_context.codegen().magic_tuple()))
    plain = name.replace("<", "").replace(">", "")
    return ".".join((plain, hashlib.sha256(depends_on.encode()).hexdigest()[:16], *form))


def _widen(kind: Any) -> Any:
    """The one type that kernels take whole numbers as: a constant or a narrow field is no type of its own."""
    kind = types.unliteral(kind)
    is_narrow = isinstance(kind, types.Integer) and kind != types.uint64
    return types.int64 if is_narrow else kind
