"""The one decorator for compiled code."""

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np

from levelsense.compiled.units import Kernel

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compiles a function when it is first called; with NUMBA_DISABLE_JIT=1 it stays plain Python."""
    if numba.config.DISABLE_JIT:
        # Compiled integers wrap silently; scalars of NumPy would warn.
        return np.errstate(over="ignore")(function)
    return cast(F, Kernel(cast(FunctionType, function)))


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
