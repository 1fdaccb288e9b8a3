"""Predictions as objects: their figures by hand, and each level with its own."""

import json
from math import inf

import polars as pl
import pytest

from levelsense.prediction.explain import Reason, against_target, reasons
from levelsense.prediction.levels import LevelPrediction, predict_levels
from levelsense.prediction.model import DifficultyModel
from tests.prediction.made_up import made_up_table

ROW = {
    "level": "mine",
    "rate": 0.25,
    "needed": 4.0,
    "low_50": 0.2,
    "high_50": 0.3,
    "low_95": 0.0,
    "high_95": 0.5,
    "needed_low_50": 3.3,
    "needed_high_50": 5.0,
    "needed_low_95": 2.0,
    "needed_high_95": inf,
}


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    return made_up_table(30, seed=2)


@pytest.fixture(scope="module")
def model(table: pl.DataFrame) -> DifficultyModel:
    return DifficultyModel().fit(table, simulated=True)


def prediction(target: float | None = None, verdict: str | None = None) -> LevelPrediction:
    why = Reason("icing", -0.5, -0.1, by_agents=False)
    return LevelPrediction("mine", ROW, (why,), None, (), None, {"random": 0.1}, False, target, verdict)


def test_figures_by_hand() -> None:
    expected = prediction()
    assert (expected.rate, expected.needed) == (0.25, 4)
    assert [*expected.band_50, *expected.band_95, *expected.needed_95] == [0.2, 0.3, 0.0, 0.5, 2.0, inf]
    assert repr(expected) == "<LevelPrediction mine: 25.0% of players, 95% band 0.0 - 50.0%>"
    assert repr(prediction(0.2, "on target")).endswith("95% band 0.0 - 50.0%, on target>")


def test_data_has_no_infinite_numbers_and_a_target_only_if_there_is_one() -> None:
    data = prediction().as_data()
    assert (data["needed_low_95"], data["needed_high_95"]) == (2, None)
    assert data["reasons"] == [{"what": "icing", "effect": -0.5, "points": -0.1}]
    assert not {"target", "verdict"} & set(data)
    json.dumps(data, allow_nan=False)
    as_data = prediction(0.4, "harder").as_data()
    assert (as_data["target"], as_data["verdict"]) == (0.4, "harder")


def test_each_level_has_its_own(model: DifficultyModel, table: pl.DataFrame) -> None:
    """Figures, agents' rates and reasons of its own row, in the order of the table."""
    rows = model.predict(table).to_dicts()
    predictions = predict_levels(model, table, target=0.5)
    assert [one.name for one in predictions] == table["level"].to_list()
    for number, (one, row, why) in enumerate(zip(predictions, rows, reasons(model, table), strict=True)):
        assert one.row == row
        assert one.reasons == tuple(why)
        assert one.why[: len(why)] == tuple(reason.words for reason in why)
        assert one.agents == {agent: table[f"{agent}: wins"][number] / 200 for agent in ("strong", "weak")}
        assert (one.target, one.verdict) == (0.5, against_target(row, 0.5))
        assert one.simulated
    assert len({one.verdict for one in predictions}) > 1
    assert all(one.target is None is one.verdict for one in predict_levels(model, table))
