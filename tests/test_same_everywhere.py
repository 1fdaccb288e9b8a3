"""Nothing whose last bit is up to the machine can reach a game, a choice, a simulated player or a level."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "levelsense"

_SIMULATED = ("kinds", "traits", "mind", "impression", "planner", "outcome", "run", "leaving")
# What is made there is the same on every machine.
PLACES = [
    *("arithmetic.py", "rng.py", "level", "game", "agents", "saga"),
    *(f"people/simulated/{name}.py" for name in _SIMULATED),
    *(f"studies/foreign_{name}.py" for name in ("kinds", "minds", "people")),
    # How many attempts are played, which limits are tried, and a generated level's stars.
    *(f"playtest/{name}.py" for name in ("plan", "interval", "limits", "tuning", "statistics")),
]
# Modules there that only draw or print.
SHOWN_ONLY = ("agents/mcts/drawing.py",)
WHOLE_POWERS = ("DEEPEST ** 2", "depth ** 2")  # of whole numbers that have a name

# Square roots are exact by IEEE 754; so are rounding, floor and the like.
EXACT = {"sqrt", "floor", "ceil", "trunc", "factorial", "isnan", "isinf", "isfinite", "inf", "nan", "pi"}
EXACT |= {"gcd", "lcm", "comb", "isqrt", "fabs", "copysign", "frexp", "ldexp"}
# Of NumPy: functions by libm or with vectors of several widths, sums in an order of its own, and randomness
# whose stream may change from version to version.
INEXACT = {
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "logaddexp",
    "power",
    "float_power",
    "cbrt",
}
INEXACT |= {"sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "sinh", "cosh", "tanh", "hypot"}
INEXACT |= {"dot", "vdot", "inner", "outer", "matmul", "einsum", "tensordot", "linalg", "fft", "random"}


PACKAGES = {"scipy", "random", "onnxruntime"}
# The one agent that another program computes for is the same on one machine only, which docs/agents.md says.
BY_ONNX_RUNTIME = "agents/convolution/network_file.py"
# A function of one's own is given what Python programs draw from, a random.Random with a seed.
BY_A_CHOOSER = "agents/chooser.py"


def inexact(source: str) -> Iterator[str]:
    """What a module's source uses of math, NumPy, SciPy and random that is not the same everywhere."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner, name = node.value.id, node.attr
            if (owner == "math" and name not in EXACT) or (owner in ("np", "numpy") and name in INEXACT):
                yield f"{owner}.{name}"
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = {alias.name for alias in node.names}
            if node.module == "math":
                yield from (f"math.{name}" for name in sorted(names - EXACT))
            elif node.module == "numpy":
                yield from (f"numpy.{name}" for name in sorted(names & INEXACT))
            elif node.module.partition(".")[0] in PACKAGES:
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] in PACKAGES)
        elif isinstance(node, ast.BinOp) and not _is_exact(node):
            yield ast.unparse(node)


def _is_exact(operation: ast.BinOp) -> bool:
    """Whether an operator is the same everywhere: no product of matrices, powers of whole numbers only."""
    if not isinstance(operation.op, ast.Pow):
        return not isinstance(operation.op, ast.MatMult)
    base = operation.left
    is_number = isinstance(base, ast.Constant) and isinstance(base.value, int)
    return is_number or ast.unparse(operation) in WHOLE_POWERS


def modules() -> list[str]:
    paths = [path for place in PLACES for path in (PACKAGE / place, *(PACKAGE / place).rglob("*.py"))]
    names = sorted(path.relative_to(PACKAGE).as_posix() for path in paths if path.suffix == ".py")
    return [name for name in names if name not in SHOWN_ONLY]


@pytest.mark.parametrize("name", modules())
def test_a_module_uses_nothing_that_depends_on_the_machine(name: str) -> None:
    inexact_names = list(inexact((PACKAGE / name).read_text("utf-8")))
    if name == BY_ONNX_RUNTIME:
        inexact_names.remove("onnxruntime")
    if name == BY_A_CHOOSER:
        inexact_names.remove("random")
    assert not inexact_names, (
        f"{name}: {', '.join(inexact_names)}; take levelsense.arithmetic, or x * x for a square"
    )


def test_the_check_sees_every_form() -> None:
    source = """
import math, random, scipy.stats
import numpy as np
from math import exp, sqrt
from numpy import log2, floor
from scipy.special import expit
def f(x, y):
    return math.log(x), math.sqrt(x), np.hypot(x, y), np.floor(x), np.random.default_rng(1)
def g(x, y):
    return x**2, 2**63, x @ y
"""
    operators, functions = (
        ["x ** 2", "x @ y"],
        ["math.exp", "math.log", "np.hypot", "np.random", "numpy.log2"],
    )
    packages = ["random", "scipy.special", "scipy.stats"]
    assert sorted(inexact(source)) == sorted([*operators, *functions, *packages])
