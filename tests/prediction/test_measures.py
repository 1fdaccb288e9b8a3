"""What agents' attempts say, by hand."""

import numpy as np
import polars as pl
import pytest

from levelsense.agents.registry import parse_agent
from levelsense.errors import PredictionError
from levelsense.level.level import Level
from levelsense.playtest import playtest
from levelsense.playtest.attempts import Attempts
from levelsense.prediction.measures import GROUPS, MEASURES, measure, replicate_variance
from tests.prediction.made_up import made_up_attempts, made_up_level


def values(margins: list[float]) -> dict[str, float]:
    found = measure(made_up_attempts(margins))
    return dict(zip(MEASURES, found.values.tolist(), strict=True))


def test_measures_by_hand() -> None:
    # 20 won with half of the moves left, 20 lost with a quarter of the goal left.
    found = values([0.5, -0.25] * 20)
    assert found["rate"] == pytest.approx(0)
    assert found["margin"] == pytest.approx((0.5 - 0.25) / 2)
    assert found["best"] == pytest.approx(0.5)
    assert found["worst"] == pytest.approx(-0.25)
    assert found["left"] == pytest.approx(0.25)
    assert found["progress"] == pytest.approx((1 + 0.75) / 2)


def test_the_rate_is_finite_at_the_ends() -> None:
    assert values([0.1] * 30)["rate"] == pytest.approx(np.log(30.5 / 0.5))
    assert values([-0.1] * 30)["rate"] == pytest.approx(np.log(0.5 / 30.5))


def test_tails_are_five_per_cent() -> None:
    found = values([*([-0.5] * 38), 0.9, 0.8])
    assert found["best"] == pytest.approx(0.85)
    assert found["worst"] == pytest.approx(-0.5)


def test_margins_tell_apart_what_is_always_won() -> None:
    assert values([0.1] * 30)["margin"] < values([0.5] * 30)["margin"]


@pytest.mark.parametrize("measured", ["rate", "margin", "left", "progress"])
def test_replicates_tell_the_sampling_variance(measured: str) -> None:
    """Their variance is, on average over samples, that of the measure from sample to sample (within 20 %)."""
    rng = np.random.default_rng(1)
    samples = [measure(made_up_attempts(rng.normal(0.05, 0.3, 200))) for _ in range(400)]
    column = MEASURES.index(measured)
    actual = np.var([sample.values[column] for sample in samples])
    told = np.mean([replicate_variance(sample.replicates)[column] for sample in samples])
    assert told == pytest.approx(actual, rel=0.2)


def test_too_few_attempts_are_refused() -> None:
    with pytest.raises(PredictionError, match=f"made up: 3 attempts of an agent; expected at least {GROUPS}"):
        values([0.1, 0.2, 0.3])


def test_the_bottleneck_is_the_goal_furthest_from_done() -> None:
    level = made_up_level(goals={"score": 1000, "orders": {"red": 10}})
    frame = made_up_attempts([-0.5] * 40).frame
    done = ['{"score":900,"red":3}'] * 30 + ['{"score":100,"red":9}'] * 10
    attempts = Attempts.from_frame(level, frame.with_columns(goals=pl.Series(done)))
    assert measure(attempts).bottleneck == "red"
    assert measure(made_up_attempts([0.5] * 40)).bottleneck is None


@pytest.mark.parametrize(
    "name", ["04-jelly-garden", "11-beat-the-clock", "18-fruit-and-nut", "30-grand-tour"]
)
def test_real_attempts_are_measured(name: str) -> None:
    (pair,) = playtest([name], [parse_agent("random")], 60).pairs
    found = measure(pair.played)
    told = dict(zip(MEASURES, found.values.tolist(), strict=True))
    assert found.wins == pair.wins
    assert told["margin"] == pytest.approx(told["left"] + told["progress"] - 1)
    assert -1 <= told["worst"] <= told["margin"] <= told["best"] <= 1
    assert found.bottleneck in {None, *Level.load(name).asked}
