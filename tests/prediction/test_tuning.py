"""Tuning for players: the limit whose prediction is nearest to a target, by as few predictions as need be."""

import json
from collections.abc import Callable, Sequence
from math import exp
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.errors import PlaytestError
from levelsense.level.level import Level
from levelsense.playtest import NamedLevel
from levelsense.playtest.limits import limit_of, with_limit
from levelsense.prediction import tuning
from levelsense.prediction.explain import against_target
from levelsense.prediction.levels import LevelPrediction
from levelsense.prediction.tuning import PlayersTuning, rising_rates, tune_for_players

LEVEL = Level.load("04-jelly-garden")  # 15 moves
TIMED = Level.load("11-beat-the-clock")  # 50 seconds


class Drawn:
    """A model whose prediction is a function of the limit, which it is told by the table."""

    def __init__(self, rate: Callable[[float], float]) -> None:
        self.rate = rate
        self.origin_ = SimpleNamespace(attempts={})
        self.asked: list[float] = []

    def play(self, levels: Sequence[NamedLevel]) -> pl.DataFrame:
        limits = [float(limit_of(named.level)[0]) for named in levels]
        self.asked += limits
        return pl.DataFrame({"limit": limits})

    def predict(self, table: pl.DataFrame) -> pl.DataFrame:
        rate = self.rate(table["limit"][0])
        bands = {"low_50": rate - 0.02, "high_50": rate + 0.02, "low_95": rate - 0.1, "high_95": rate + 0.1}
        return pl.DataFrame({"rate": [rate], **{name: [end] for name, end in bands.items()}})


@pytest.fixture(autouse=True)
def drawn_predictions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "predict_levels", drawn_prediction)


def drawn_prediction(model: Any, table: pl.DataFrame, target: float) -> list[LevelPrediction]:
    """What a drawn model says, without reasons, which it has none for."""
    (row,) = model.predict(table).to_dicts()
    verdict = against_target(row, target)
    return [LevelPrediction("mine", row, (), None, (), None, {}, True, target, verdict)]


def tuned(model: Any, target: float, level: Level = LEVEL) -> PlayersTuning:
    return tune_for_players(model, NamedLevel(level, ("mine",)), target, play=model.play)


@pytest.mark.parametrize(("target", "limit"), [(0.35, 14), (0.5, 20), (0.03, 1), (0.76, 30), (0.99, 40)])
def test_the_nearest_limit(target: float, limit: int) -> None:
    model = Drawn(lambda limit: min(limit / 40, 0.99))
    result = tuned(model, target)
    assert result.best is not None
    assert result.best.limit == limit
    assert result.best.level == with_limit(LEVEL, limit)
    assert len(model.asked) == len(set(model.asked)) < 20


@given(st.lists(st.floats(0.001, 0.999), min_size=100, max_size=100), st.floats(0.01, 0.99))
def test_no_limit_on_the_way_is_nearer(rates: list[float], target: float) -> None:
    """Of rates that rise, the one taken is as near to the target as any, or the target is out of reach."""
    ordered = sorted(rates)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tuning, "predict_levels", drawn_prediction)
        result = tuned(Drawn(lambda limit: ordered[int(limit) - 1]), target)
    if result.best is not None:
        nearest = min(abs(rate - target) for rate in ordered)
        assert abs(result.best.rate - target) == pytest.approx(nearest, abs=1e-6)
    else:
        assert not ordered[0] <= target <= ordered[-1]


def test_a_prediction_that_falls_is_evened_out_to_compare() -> None:
    """The rate of 15 moves is off: the limits beside it say that 35 % lie beyond."""
    result = tuned(Drawn(lambda limit: 0.36 if limit == 11 else limit / 60), 0.35)
    assert result.falls
    assert (result.rising[1:] >= result.rising[:-1]).all()
    assert result.best is not None
    assert result.best.limit >= 20
    assert result.best.rate == result.best.limit / 60


def test_of_equals_the_present_limit_stays() -> None:
    result = tuned(Drawn(lambda limit: 0.5 - 0.001 * limit), 0.48)
    assert result.best is not None
    assert result.best.limit == 15


@pytest.mark.parametrize(("rate", "target"), [(0.4, 0.6), (0.6, 0.4)])
def test_a_target_that_no_limit_reaches(rate: float, target: float) -> None:
    result = tuned(Drawn(lambda limit: rate + limit / 10_000), target)
    assert result.best is None
    limits = [prediction.limit for prediction in result.predictions]
    assert limits[-1] == 100 if target > rate else limits[0] == 1


def test_the_shortest_limit_may_be_on_target_though_all_lie_above() -> None:
    """42 % where 40 % are wanted: the 50 % band holds it."""
    result = tuned(Drawn(lambda limit: 0.42 + limit / 10_000), 0.4)
    assert result.best is not None
    assert (result.best.limit, result.best.verdict) == (1, "on target")


def test_two_limits_on_either_side_are_looked_at() -> None:
    """And limits that are on target lie around the one to take: within 3 % of it, at 2.5 % a move."""
    result = tuned(Drawn(lambda limit: limit / 40), 0.5)
    limits = {prediction.limit for prediction in result.predictions}
    assert {18, 19, 20, 21, 22} <= limits
    assert result.on_target == (19, 21)


def test_seconds_and_a_present_limit_between_two() -> None:
    level = TIMED.model_copy(update={"seconds": 12.5})
    result = tuned(Drawn(lambda limit: limit / 40), 0.5, level)
    assert result.now.limit == 12.5
    assert result.best is not None
    assert (result.best.limit, result.best.level.seconds) == (20, 20.0)
    assert 12.5 not in {prediction.limit for prediction in result.predictions}


def test_limits_with_which_the_level_cannot_be_won_are_left_out() -> None:
    """Three combinations take three moves."""
    goals = {"goals": {"orders": {"striped+striped": 3}}}
    level = Level.from_json(json.dumps(json.loads(LEVEL.to_json()) | goals))
    result = tuned(Drawn(lambda limit: limit / 40), 0.01, level)
    assert result.predictions[0].limit == 3


def test_rates_that_fall_are_evened_out_by_hand() -> None:
    """Log odds of 1, 2 and -3: the last two have the mean -1/2, which is below 1; all three have 0."""
    fallen = [1 / (1 + exp(-odds)) for odds in (-4, 1, 2, -3, 5)]
    evened = [1 / (1 + exp(-odds)) for odds in (-4, 0, 0, 0, 5)]
    assert rising_rates(fallen) == pytest.approx(evened)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_rising_rates_rise_and_are_left_alone_where_they_do(rates: list[float]) -> None:
    evened = rising_rates(rates)
    assert (evened[1:] >= evened[:-1] - 1e-12).all()
    assert rising_rates(sorted(rates)) == pytest.approx(sorted(rates), abs=1e-9)
    assert min(rates) - 1e-9 <= evened.min() <= evened.max() <= max(rates) + 1e-9


@pytest.mark.parametrize("target", [0, 1, 35])
def test_what_is_no_target(target: float) -> None:
    with pytest.raises(PlaytestError, match="expected a success rate between 0 and 1"):
        tuned(Drawn(lambda limit: 0.5), target)
