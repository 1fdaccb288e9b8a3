"""Random draws: distributed as they say, and the same ones everywhere."""

import math
from collections import Counter

import numpy as np
import pytest

from levelsense.rng import Draws

MANY = 20_000


def is_near(value: float, expected: float, deviation: float) -> bool:
    """Whether the mean of MANY numbers with a standard deviation is where it should be."""
    return abs(value - expected) < 4.5 * deviation / math.sqrt(MANY)


def test_a_stream_goes_by_its_purpose() -> None:
    def first(*purpose: str | int) -> int:
        return Draws(*purpose).word()

    assert first("player", 1, 2) == first("player", 1, 2)
    others = [("player", 1, 3), ("player", 12), ("player", 2, 1), ("draft", 1, 2), ("player", 1, 2, 0)]
    assert len({first("player", 1, 2), *(first(*purpose) for purpose in others)}) == 6


def test_the_first_draws_of_a_stream() -> None:
    """Kept once and for all: another machine, and another version of NumPy, has to give the same ones."""
    draws = Draws("kept", 7)
    assert draws.word() == 16546187602276988451
    assert [draws.random().hex(), draws.normal().hex(), draws.gamma(1.5).hex()] == [
        "0x1.a06bfbc705a87p-1",
        "0x1.4943805bad807p+0",
        "0x1.ee6e90376202ep+0",
    ]
    assert [draws.integers(3, 9) for _ in range(6)] == [5, 6, 5, 5, 4, 3]
    assert draws.sample("abcdef", 3) == ["f", "b", "e"]


def test_numbers_are_even() -> None:
    draws = Draws("even")
    numbers = [draws.random() for _ in range(MANY)]
    assert all(0 <= number < 1 for number in numbers)
    assert is_near(float(np.mean(numbers)), 0.5, math.sqrt(1 / 12))
    assert is_near(float(np.mean(np.square(numbers))), 1 / 3, math.sqrt(4 / 45))
    assert is_near(float(np.mean([draws.uniform(-2, 4) for _ in range(MANY)])), 1, math.sqrt(3))


def test_whole_numbers_are_from_low_up_to_but_not_high() -> None:
    draws = Draws("whole")
    counts = Counter(draws.integers(-1, 4) for _ in range(MANY))
    assert set(counts) == {-1, 0, 1, 2, 3}
    assert all(is_near(count / MANY, 0.2, 0.4) for count in counts.values())
    assert set(Counter(draws.pick("a", "b") for _ in range(100))) == {"a", "b"}


def test_choices_come_by_their_weights() -> None:
    draws = Draws("choice")
    counts = Counter(draws.choice("abcd", (3, 0, 1.5, 0)) for _ in range(MANY))
    assert set(counts) == {"a", "c"}
    assert is_near(counts["a"] / MANY, 2 / 3, math.sqrt(2) / 3)


def test_a_point_that_rounding_leaves_over_goes_to_the_last_choice_with_a_weight(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draws = Draws("over")
    monkeypatch.setattr(draws, "random", lambda: 1.0)
    assert draws.choice("abc", (1, 1, 0)) == "b"


def test_a_sample_has_nothing_twice_and_every_set_as_often() -> None:
    draws = Draws("sample")
    sets = Counter(frozenset(draws.sample("abcd", 2)) for _ in range(MANY))
    assert len(sets) == 6
    assert all(len(chosen) == 2 and is_near(count / MANY, 1 / 6, 0.373) for chosen, count in sets.items())


def test_binomial_numbers() -> None:
    draws = Draws("binomial")
    numbers = [draws.binomial(3, 0.3) for _ in range(MANY)]
    assert set(numbers) == {0, 1, 2, 3}
    assert is_near(float(np.mean(numbers)), 0.9, math.sqrt(0.63))


def test_normal_numbers() -> None:
    draws = Draws("normal")
    numbers = np.array([draws.normal(1, 2) for _ in range(MANY)])
    standard = (numbers - 1) / 2
    assert is_near(float(standard.mean()), 0, 1)
    assert is_near(float(np.square(standard).mean()), 1, math.sqrt(2))
    assert is_near(float((standard**4).mean()), 3, math.sqrt(96))
    for limit, share in ((-1.96, 0.025), (-0.6745, 0.25), (1.0, 0.8413)):
        assert is_near(float((standard < limit).mean()), share, math.sqrt(share * (1 - share)))


@pytest.mark.parametrize("shape", [0.5, 1, 1.5, 4])
def test_gamma_numbers(shape: float) -> None:
    draws = Draws("gamma", str(shape))
    numbers = np.array([draws.gamma(shape) for _ in range(MANY)])
    assert numbers.min() > 0
    assert is_near(float(numbers.mean()), shape, math.sqrt(shape))
    assert numbers.var() == pytest.approx(shape, rel=0.1)


def test_shares_of_a_dirichlet_draw() -> None:
    draws = Draws("dirichlet")
    shares = np.array([draws.dirichlet((4, 2, 1.5)) for _ in range(MANY)])
    assert np.allclose(shares.sum(axis=1), 1)
    for mean, expected in zip(shares.mean(axis=0), np.array([4, 2, 1.5]) / 7.5, strict=True):
        assert is_near(float(mean), float(expected), math.sqrt(expected * (1 - expected) / 8.5))
