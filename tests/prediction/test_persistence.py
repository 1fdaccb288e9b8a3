"""What a predicted rate means for players: attempts needed, who is stuck, who gives up."""

import json
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from levelsense.errors import PredictionError
from levelsense.people.persistence import Persistence
from levelsense.prediction.levels import ExpectedAttempts
from levelsense.prediction.model import DifficultyModel, default_model

ALIKE = Persistence(spread=0.01, quits=0.1)
ROW: dict[str, Any] = {"rate": 0.4, "low_95": 0.2, "high_95": 0.6}


def test_alike_players_by_hand() -> None:
    data = ExpectedAttempts.of(ROW, ALIKE).as_data()
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
    unlike, alike = (ExpectedAttempts.of(ROW, replace(ALIKE, spread=spread)) for spread in (1.0, 0.01))
    assert unlike.stuck(20)["share"] > 10 * alike.stuck(20)["share"]
    assert unlike.expected.rate == pytest.approx(alike.expected.rate, rel=1e-4)


def test_in_a_sentence() -> None:
    assert ExpectedAttempts.of(ROW, ALIKE).words(simulated=False) == (
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
