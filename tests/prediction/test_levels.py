"""Predictions as objects: figures by hand, each level with its own, and what a rate means for players."""

import json
from copy import copy
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from levelsense.errors import PredictionError
from levelsense.people.persistence import Persistence
from levelsense.prediction.explain import Reason, against_target, reasons
from levelsense.prediction.levels import ExpectedAttempts, LevelPrediction, predict_levels
from levelsense.prediction.model import DifficultyModel, default_model
from tests.prediction.made_up import made_up_table

ALIKE = Persistence(spread=0.01, quits=0.1)
BANDED_ROW: dict[str, Any] = {"rate": 0.4, "low_95": 0.2, "high_95": 0.6}
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


def test_alike_players_by_hand() -> None:
    data = ExpectedAttempts.of(BANDED_ROW, ALIKE).as_data()
    assert data["needed"] == {"attempts": 2, "low_95": 1, "high_95": 4}
    for attempts in (5, 10, 20):
        assert data[f"stuck_{attempts}"] == {
            "share": pytest.approx(0.6**attempts, rel=0.05),
            "low_95": pytest.approx(0.4**attempts, rel=0.05),
            "high_95": pytest.approx(0.8**attempts, rel=0.05),
        }
    # Who loses and gives up, before the next attempt is won: 0.6 * 0.1 of 1 - 0.6 * 0.9.
    assert data["gave_up"]["share"] == pytest.approx(0.06 / (1 - 0.54), rel=1e-3)


def test_unlike_players_are_stuck_for_longer() -> None:
    unlike, alike = (ExpectedAttempts.of(BANDED_ROW, replace(ALIKE, spread=spread)) for spread in (1.0, 0.01))
    assert unlike.stuck(20)["share"] > 10 * alike.stuck(20)["share"]
    assert unlike.expected.rate == pytest.approx(alike.expected.rate, rel=1e-4)


def test_in_a_sentence() -> None:
    assert ExpectedAttempts.of(BANDED_ROW, ALIKE).words(simulated=False) == (
        "half of players succeed within 2 attempts; 0.6% are still stuck after 10 (95% 0.0 - 10.7%); "
        "13.0% give up"
    )
    hopeless = {"rate": 1e-5, "low_95": 1e-6, "high_95": 1e-4}
    sentence = ExpectedAttempts.of(hopeless, ALIKE).words(simulated=True)
    assert sentence.startswith("fewer than half of simulated players ever succeed; 100.0% are still stuck")


def test_a_model_keeps_it(tmp_path: Path) -> None:
    model = copy(default_model())
    model.origin_ = replace(model.origin_, persistence=Persistence(0.7, 0.08))
    model.save(tmp_path / "model.json")
    assert DifficultyModel.load(tmp_path / "model.json").origin_.persistence == Persistence(0.7, 0.08)
    data = json.loads((tmp_path / "model.json").read_text())
    data["about"]["persistence"]["quits"] = 1.5
    (tmp_path / "wrong.json").write_text(json.dumps(data))
    with pytest.raises(PredictionError, match=r"about, persistence, quits: 1\.5; expected a number below 1"):
        DifficultyModel.load(tmp_path / "wrong.json")
