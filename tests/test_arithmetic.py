"""Logarithm and exponential: near the truth, and the same to the last bit compiled and interpreted."""

import math
import random
from decimal import Decimal, localcontext
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from levelsense import arithmetic
from levelsense.arithmetic import exp, log, log2
from levelsense.kernel import kernel

# What goes into them: visits of a tree search, means over a temperature, deviations of a trait, rates.
NUMBERS = [
    *map(float, range(1, 200)),
    *(random.Random(1).uniform(1e-6, 30) for _ in range(500)),
    *(10.0**power for power in range(-300, 301, 25)),
    5e-324,
    1.7976931348623157e308,
]
EXPONENTS = [
    *(k / 16 for k in range(-320, 321)),
    *(random.Random(2).uniform(-700, 709) for _ in range(500)),
]


def interpreted(function: Any) -> Any:
    """A kernel, and those that it calls, as plain Python runs them: every operation rounded on its own."""
    if not hasattr(function, "py_func"):
        return function
    plain = function.py_func
    called = {
        name: interpreted(plain.__globals__[name])
        for name in plain.__code__.co_names
        if name in vars(arithmetic)
    }
    return FunctionType(plain.__code__, {**plain.__globals__, **called})


def misses(value: float, true: Decimal) -> float:
    """How far a number is from the true one, in units of the last place."""
    return abs(float((Decimal(value) - true) / Decimal(math.ulp(float(true)))))


def test_logarithms_are_true_to_the_last_places() -> None:
    with localcontext(prec=50):
        of_2 = Decimal(2).ln()
        for x in NUMBERS:
            true = Decimal(x).ln()
            assert misses(log(x), true) <= 2, x
            assert misses(log2(x), true / of_2) <= 3, x


def test_exponentials_are_true_to_the_last_places() -> None:
    with localcontext(prec=50):
        for x in EXPONENTS:
            assert misses(exp(x), Decimal(x).exp()) <= 2, x


@pytest.mark.parametrize(("function", "numbers"), [(log, NUMBERS), (log2, NUMBERS), (exp, EXPONENTS)])
def test_compiled_code_gives_every_bit_that_plain_python_gives(function: Any, numbers: list[float]) -> None:
    """A compiler that fuses or reorders operations, or takes libm's functions, would change some of these."""
    plain = interpreted(function)
    assert [function(x).hex() for x in numbers] == [float(plain(x)).hex() for x in numbers]


def test_the_bits_of_some_values() -> None:
    """Computed once and kept: another machine has to give the same ones."""
    assert [log(x).hex() for x in (3.0, 100.0, 0.3)] == [
        "0x1.193ea7aad030bp+0",
        "0x1.26bb1bbb55516p+2",
        "-0x1.34378fcbda721p+0",
    ]
    assert [exp(x).hex() for x in (1.0, 3.7, -0.8)] == [
        "0x1.5bf0a8b14576ap+1",
        "0x1.4394144eeec81p+5",
        "0x1.cc1ce4581db88p-2",
    ]


def test_ends() -> None:
    assert log(1.0) == 0
    assert exp(0.0) == 1
    assert [log2(2.0**power) for power in range(-30, 31)] == list(range(-30, 31))
    assert log(0.0) == -math.inf
    assert log(math.inf) == math.inf
    assert math.isnan(log(-1.0))
    assert math.isnan(log(math.nan))
    assert exp(710.0) == exp(math.inf) == math.inf
    assert exp(-746.0) == exp(-math.inf) == 0
    assert exp(709.78) < math.inf
    assert math.isnan(exp(math.nan))


@kernel
def product_and_sum(a: float, b: float, c: float) -> float:
    """What a processor can fuse into one operation, rounded once."""
    return a * b + c


@kernel
def total(numbers: Any) -> float:
    """What a compiler can turn into several sums side by side."""
    total = 0.0
    for k in range(numbers.shape[0]):
        total += numbers[k]
    return total


def test_kernels_do_not_fuse_a_product_and_a_sum() -> None:
    a = 1.0 + 2.0**-30
    fused = 2.0**-60  # what a * a leaves beyond its last bit
    assert product_and_sum(a, a, -(a * a)) == 0.0 != fused


def test_kernels_add_in_the_order_written() -> None:
    numbers = np.array([1e16, 1.0, -1e16, 1.0] * 50)
    in_order = 0.0
    for number in numbers.tolist():
        in_order += number
    assert total(numbers) == in_order != math.fsum(numbers)
