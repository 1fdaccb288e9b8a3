"""Limit curves drawn as text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.cli.terminal.figures import HEIGHT, draw_curve
from levelsense.playtest.limits import LimitCurve


def test_drawn() -> None:
    """A thousand attempts make a thin band; the target's line is seen where the curve does not cover it."""
    curve = LimitCurve("moves", 1000, np.array([0, 100, 250, 500, 750, 1000, 1000]))
    drawn = [line.rstrip() for line in draw_curve(curve, 0.35, {4: "▲", 6: "△"}, 60).plain.split("\n")]
    assert drawn == [
        "  100%      ██",
        "            ██",
        "           ▄██",
        "           ███",
        "           ███",
        "          ████",
        "   35% ┄┄┄████",
        "         ▄████",
        "         █████",
        "        ██████",
        "    0% ───────",
        "       1        moves",
        "          ▲ △",
    ]


def test_the_band_above_the_curve() -> None:
    curve = LimitCurve("moves", 10, np.array([5]))
    column = [line[7:8] for line in draw_curve(curve, 0.9, {}, 60).plain.split("\n")[:HEIGHT]]
    assert "".join(column) == "┄ ░░░█████"


@pytest.mark.parametrize("longest", [1, 5, 60, 61, 999])
def test_fits_the_width(longest: int) -> None:
    curve = LimitCurve("moves", 10, np.linspace(0, 10, longest).astype(int))
    lines = draw_curve(curve, 0.5, {longest: "▲"}, 60).plain.split("\n")
    assert max(map(len, lines)) <= 60
    assert lines[-1].endswith("▲")


@given(st.lists(st.integers(0, 50), min_size=1, max_size=200), st.floats(0.01, 0.99), st.integers(10, 200))
def test_any_curve_can_be_drawn(steps: list[int], target: float, width: int) -> None:
    curve = LimitCurve("seconds", 50, np.array(sorted(steps)))
    assert len(draw_curve(curve, target, {1: "△"}, width).plain.split("\n")) == HEIGHT + 3
