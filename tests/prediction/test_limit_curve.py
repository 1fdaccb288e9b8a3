"""Predictions with other limits than a level has: against `tune` and `predict`, and by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from levelsense import Lab
from levelsense.level.level import Level
from levelsense.playtest import gather_levels
from levelsense.playtest.limits import limit_of, with_limit
from levelsense.prediction import tuning
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.paired import Played, SameBoards
from levelsense.prediction.table import play_table, with_players
from levelsense.prediction.tuning import LimitRate, predict_limits

NAMES = ("01-first-steps", "04-jelly-garden", "12-locked-up", "24-hourglass", "30-grand-tour")
SUCCESSES = (95, 60, 80, 50, 5)
LEVEL = Level.load("24-hourglass")


@pytest.fixture(scope="module")
def model() -> DifficultyModel:
    table = play_table(gather_levels(NAMES), {"greedy": 60, "heuristic": 40})
    players = pl.DataFrame({"level": NAMES, "attempts": [100] * 5, "successes": SUCCESSES})
    return DifficultyModel().fit(with_players(table, players))


def curve(model: DifficultyModel, level: Level) -> tuple[LimitRate, ...]:
    (expected,) = Lab().predict(level, model=model)
    return predict_limits(model, level, expected, SameBoards(level, list(model.origin_.attempts)).play)


def test_where_agents_win_now_and_then_it_is_what_predict_says(model: DifficultyModel) -> None:
    rates = curve(model, LEVEL)
    assert [rate.limit for rate in rates] == [6, 11, 16, 22, 28, 33]  # quarters of 22, rounded
    for rate in rates:
        (expected,) = Lab().predict(with_limit(LEVEL, int(rate.limit)), model=model)
        assert (rate.rate, rate.low, rate.high) == pytest.approx((expected.rate, *expected.band_95))


def test_few_attempts_are_moved_by_what_all_say_of_the_present_limit(
    model: DifficultyModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "CURVE_ATTEMPTS", 20)
    (expected,) = Lab().predict(LEVEL, model=model)
    boards, asked = SameBoards(LEVEL, list(model.origin_.attempts)), []

    def play(levels: Sequence[Level], attempts: Mapping[str, int]) -> list[Played]:
        asked.append((list(levels), dict(attempts)))
        return boards.play(levels, attempts)

    rates = {rate.limit: rate for rate in predict_limits(model, LEVEL, expected, play)}
    ((levels, attempts),) = asked
    assert attempts == {"greedy": 20, "heuristic": 20}
    assert [limit_of(level)[0] for level in levels] == [22, 6, 11, 16, 28, 33]
    few = replace_attempts(model, 20)
    alone = {limit: Lab().predict(with_limit(LEVEL, limit), model=few)[0].rate for limit in (11, 22, 33)}
    odds = {limit: np.log(rate / (1 - rate)) for limit, rate in alone.items()}
    off = np.log(expected.rate / (1 - expected.rate)) - odds[22]
    assert abs(off) > 0.005
    for limit in (11, 33):
        assert rates[limit].rate == pytest.approx(1 / (1 + np.exp(-odds[limit] - off)))
    assert rates[22] == LimitRate(22, expected.rate, *expected.band_95)


def replace_attempts(model: DifficultyModel, attempts: int) -> DifficultyModel:
    other = DifficultyModel()
    other.__dict__.update(model.__dict__)
    other.origin_ = replace(model.origin_, attempts=dict.fromkeys(model.origin_.attempts, attempts))
    return other


def test_limits_that_cannot_be_won_with_are_left_out(model: DifficultyModel) -> None:
    """Ten combinations take ten moves: a quarter of 22 is not tried."""
    data = LEVEL.model_dump(exclude_unset=True) | {"goals": {"orders": {"striped+striped": 10}}}
    assert [rate.limit for rate in curve(model, Level.model_validate(data))] == [10, 11, 16, 22, 28, 33]


def test_a_limit_in_parts_of_a_second_stays(model: DifficultyModel) -> None:
    level = Level.load("11-beat-the-clock").model_copy(update={"seconds": 50.5})
    assert [rate.limit for rate in curve(model, level)] == [13, 25, 38, 50.5, 63, 76]
