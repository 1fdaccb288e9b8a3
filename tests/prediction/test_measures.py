"""What agents' attempts say, by hand."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from levelsense.agents.registry import parse_agent
from levelsense.errors import PredictionError
from levelsense.level.level import Level
from levelsense.playtest import playtest
from levelsense.playtest.attempts import ROW_SCHEMA, Attempts
from levelsense.prediction import table
from levelsense.prediction.features import GROUPS, MEASURES, measure, replicate_variance
from tests.prediction.made_up import made_up_attempts, made_up_level


def values(margins: list[float]) -> dict[str, float]:
    return measured_values(made_up_attempts(margins))


def measured_values(attempts: Attempts) -> dict[str, float]:
    return dict(zip(MEASURES, measure(attempts).values.tolist(), strict=True))


def changed_attempts(level: Level, margins: list[float], **columns: list[Any] | None) -> Attempts:
    """Made-up attempts at a level, with some columns as they are given; None is a column of nulls."""
    changed = [
        pl.Series(name, column or [None] * len(margins), dtype=ROW_SCHEMA[name])
        for name, column in columns.items()
    ]
    return Attempts.from_frame(level, made_up_attempts(margins).frame.with_columns(changed))


def test_measures_by_hand() -> None:
    # 20 won with half of the moves left, 20 lost with a quarter of the goal left.
    measured = values([0.5, -0.25] * 20)
    assert measured["rate"] == pytest.approx(0)
    assert measured["margin"] == pytest.approx((0.5 - 0.25) / 2)
    assert measured["best"] == pytest.approx(0.5)
    assert measured["worst"] == pytest.approx(-0.25)
    assert measured["left"] == pytest.approx(0.25)
    assert measured["progress"] == pytest.approx((1 + 0.75) / 2)


def test_the_rate_is_finite_at_the_ends() -> None:
    assert values([0.1] * 30)["rate"] == pytest.approx(np.log(30.5 / 0.5))
    assert values([-0.1] * 30)["rate"] == pytest.approx(np.log(0.5 / 30.5))


def test_tails_are_five_per_cent() -> None:
    measured = values([*([-0.5] * 38), 0.9, 0.8])
    assert measured["best"] == pytest.approx(0.85)
    assert measured["worst"] == pytest.approx(-0.5)


def test_time_candies_leave_no_more_than_the_limit() -> None:
    """Of 20 seconds 10 are left, all of them, or 30: 0.5, 1 and 1. Time that has run out is 0, not less."""
    level = made_up_level(moves=None, seconds=20.0)
    time_left = [10.0, 20.0, 30.0, -5.0] * 10
    values_of = measured_values(changed_attempts(level, [0.5] * 40, moves_left=None, time_left=time_left))
    assert values_of["left"] == pytest.approx((0.5 + 1 + 1 + 0) / 4)
    assert values_of["best"] == pytest.approx(1)


def test_lost_attempts_have_nothing_left_and_the_mean_of_their_goals() -> None:
    """Half of the moves were left when a bomb went off; of two goals one was done twice over, one by half."""
    level = made_up_level(goals={"score": 1000, "orders": {"red": 10}})
    done = ['{"score":2000,"red":5}'] * 40
    values_of = measured_values(changed_attempts(level, [-0.5] * 40, moves_left=[10] * 40, goals=done))
    assert (values_of["left"], values_of["progress"], values_of["margin"]) == pytest.approx((0, 0.75, -0.25))


def test_five_per_cent_are_rounded() -> None:
    """Of 35 attempts 1.75, which is two; of 30 attempts and fewer one or two, never none."""
    assert values([*([-0.5] * 33), 0.9, 0.8])["best"] == pytest.approx(0.85)
    assert values([*([-0.5] * 19), 0.9])["best"] == pytest.approx(0.9)


def test_margins_tell_apart_what_is_always_won() -> None:
    assert values([0.1] * 30)["margin"] < values([0.5] * 30)["margin"]


@pytest.mark.parametrize("measured", ["rate", "margin", "left", "progress"])
def test_replicates_tell_the_sampling_variance(measured: str) -> None:
    """Their variance is, on average over samples, that of the measure from sample to sample (within 20 %)."""
    rng = np.random.default_rng(1)
    samples = [measure(made_up_attempts(rng.normal(0.05, 0.3, 200))) for _ in range(400)]
    column = MEASURES.index(measured)
    actual = np.var([sample.values[column] for sample in samples])
    variance = np.mean([replicate_variance(sample.replicates)[column] for sample in samples])
    assert variance == pytest.approx(actual, rel=0.2)


def test_too_few_attempts_are_refused() -> None:
    with pytest.raises(PredictionError, match=f"made up: 3 attempts of an agent; expected at least {GROUPS}"):
        values([0.1, 0.2, 0.3])


def test_the_bottleneck_is_the_goal_furthest_from_done() -> None:
    level = made_up_level(goals={"score": 1000, "orders": {"red": 10}})
    done = ['{"score":900,"red":3}'] * 30 + ['{"score":100,"red":9}'] * 10
    lost = changed_attempts(level, [-0.5] * 40, goals=done)
    assert measure(lost).bottleneck == "red"
    # Goals equally far share an attempt: 15 of the score and 15 of the red ones are less than 20 of the blue.
    three = made_up_level(goals={"score": 1000, "orders": {"red": 10, "blue": 10}})
    done = ['{"score":500,"red":5,"blue":9}'] * 30 + ['{"score":900,"red":9,"blue":1}'] * 20
    lost = changed_attempts(three, [-0.5] * 50, goals=done)
    assert measure(lost).bottleneck == "blue"
    assert measure(made_up_attempts([0.5] * 40)).bottleneck is None


@pytest.mark.parametrize(
    "name", ["04-jelly-garden", "11-beat-the-clock", "18-fruit-and-nut", "30-grand-tour"]
)
def test_real_attempts_are_measured(name: str) -> None:
    (pair,) = playtest([name], [parse_agent("random")], 60).pairs
    measured = measure(pair.played)
    by_name = dict(zip(MEASURES, measured.values.tolist(), strict=True))
    assert measured.wins == pair.wins
    assert by_name["margin"] == pytest.approx(by_name["left"] + by_name["progress"] - 1)
    assert -1 <= by_name["worst"] <= by_name["margin"] <= by_name["best"] <= 1
    assert measured.bottleneck in {None, *Level.load(name).asked}


def test_a_change_of_measures_is_a_new_version() -> None:
    """Databases keep measures by their version: who changes these figures adds one to MEASURING."""
    measures = measure(made_up_attempts(np.linspace(-1, 1, 40)))
    assert table.MEASURING == 2
    assert measures.values.tolist() == pytest.approx([0.0, 0.00585, 0.975, -0.9745, 0.2625, 0.74335])
    assert measures.replicates.sum() == pytest.approx(20.2455)
    assert (measures.wins, measures.bottleneck) == (20, "score")
