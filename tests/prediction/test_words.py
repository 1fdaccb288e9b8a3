"""Predictions in words."""

from typing import Any

import pytest

from levelsense.prediction.explain import (
    against_target,
    band_words,
    model_words,
    needed_words,
    players_words,
    verdict_words,
)
from levelsense.prediction.model_file import Origin

ROW = {"low_50": 0.3, "high_50": 0.4, "low_95": 0.2, "high_95": 0.5}


def needed(middle: float, low: float, high: float) -> dict[str, Any]:
    return {"needed": middle, "needed_low_95": low, "needed_high_95": high}


def test_bands() -> None:
    assert band_words(ROW, 50) == "30.0 - 40.0%"
    assert band_words(ROW, 95) == "20.0 - 50.0%"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (needed(2.54, 1.0, 4.0), "2.5 (1 - 4)"),
        (needed(25.4, 9.94, 1234.5), "25 (9.9 - 1,234)"),
        (needed(50, 10, 10_000), "50 (10 - 10,000)"),
        (needed(50, 10, 10_001), "50 (10 - more than 10,000)"),
        (needed(1e9, 10, float("inf")), "more than 10,000 (10 - more than 10,000)"),
        (needed(1e9, 10_001, float("inf")), "more than 10,000"),
    ],
)
def test_attempts_a_success(row: dict[str, Any], words: str) -> None:
    assert needed_words(row) == words


def test_players_are_named_by_cohort_and_simulated_ones_called_so() -> None:
    assert players_words("cohort A", simulated=False) == "players (cohort A)"
    assert players_words("", simulated=False) == "players"
    assert players_words("seed 3", simulated=True) == "simulated players (seed 3)"


def test_what_a_model_was_fitted_to() -> None:
    origin = Origin(1200, "cohort A", attempts={"random": 1000, "greedy": 20})
    sentence = "1,200 levels, players (cohort A); agents random (1,000 attempts), greedy (20 attempts)"
    assert model_words(origin) == sentence
    assert model_words(Origin(3, simulated=True)) == "3 levels, simulated players; agents none"


def test_a_verdict_is_about_both_bands() -> None:
    assert against_target(ROW, 0.1) == "easier"
    assert against_target(ROW, 0.6) == "harder"
    for target in (0.25, 0.35, 0.45):
        assert against_target(ROW, target) == verdict_words(target, (0.3, 0.4), (0.2, 0.5))
