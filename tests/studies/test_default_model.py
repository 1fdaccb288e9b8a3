"""The study that makes the default model, in small."""

from pathlib import Path

import pytest

from levelsense import defaults
from levelsense.prediction.model import DifficultyModel
from levelsense.studies import default_model
from levelsense.studies.registry import run_study
from levelsense.studies.run import StudyRun


def test_the_study_writes_a_model_of_several_populations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(default_model, "EXTENT", {True: (12, 9, 20)})
    monkeypatch.setattr(default_model, "AVERAGED", (("everyone", 0, 20), ("veterans", 2, 20)))
    monkeypatch.setattr(default_model, "ALONE", ("casual",))
    monkeypatch.setattr(default_model, "ALONE_PLAYERS", 10)
    monkeypatch.setattr(default_model, "ALONE_STEP", 2)
    monkeypatch.setattr(defaults, "MODEL_AGENTS", ("random",))
    page = run_study("default-model", StudyRun(tmp_path, quick=True, threads=1))
    model = DifficultyModel.load(tmp_path / "default_model.json")
    assert model.populations_ is not None
    assert model.populations_.names == ("everyone, seed 0", "veterans, seed 2", "casual alone")
    assert model.origin_.simulated
    assert (model.origin_.levels, dict(model.origin_.attempts)) == (12, {"random": 20})
    text = " ".join(page.read_text().split())
    assert "fitted to 12 levels and 3 populations of simulated players, not to people" in text
    assert f"standard deviation of {model.populations_.shift:.3f}" in text
    assert "- casual alone" in text
