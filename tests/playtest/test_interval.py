"""Wilson's interval against published values."""

import pytest

from levelsense.playtest.interval import half_width, wilson


@pytest.mark.parametrize(
    ("wins", "attempts", "low", "high"),
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion", Stat. Med. 17 (1998), table I
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_intervals(wins: int, attempts: int, low: float, high: float) -> None:
    assert wilson(wins, attempts) == pytest.approx((low, high), abs=5e-5)


def test_the_interval_mirrors() -> None:
    low, high = wilson(3, 40)
    assert wilson(37, 40) == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize("attempts", [1, 7, 100, 12_345])
def test_the_ends_are_exact(attempts: int) -> None:
    assert wilson(0, attempts)[0] == 0
    assert wilson(attempts, attempts)[1] == 1


def test_nothing_attempted_nothing_known() -> None:
    assert wilson(0, 0) == (0, 1)
    assert half_width(0, 0) == 0.5
