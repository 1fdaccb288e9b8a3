"""The Lab about changes: a file that is watched, and levels for a curve."""

import threading
from pathlib import Path

import pytest

from levelsense import Lab, Level
from levelsense.errors import PlaytestError, SagaError
from levelsense.playtest.limits import with_limit

SMALL = Level.load("17-pocket-board")


def test_every_save_is_seen_also_one_between_two_looks(tmp_path: Path) -> None:
    file, stop = tmp_path / "mine.json", threading.Event()
    SMALL.save(file)
    saves = Lab().watch(file, target=0.4, stop=stop)
    first = next(saves)
    assert first.prediction is not None
    assert (first.prediction.verdict or "").endswith("easier")  # 62 % of simulated players
    assert first.difference is None
    file.write_text("{")
    assert next(saves).problems[0].startswith(f"{file}: line 1, column 2")
    with_limit(SMALL, 20).save(file)
    longer = next(saves)
    assert longer.difference is not None
    assert longer.difference.words == "8 moves more"
    assert longer.before is first.prediction
    file.unlink()
    assert "cannot be read" in next(saves).problems[0]
    stop.set()
    assert list(saves) == []


def test_a_level_that_agents_hardly_win_is_compared_as_it_is_predicted() -> None:
    """They play more there, and so they do before a change; after it as often, on the same boards."""
    lab, old = Lab(), Level.load("30-grand-tour")
    (predicted,) = lab.predict(old)
    compared = lab.compare(old, with_limit(old, 29))
    assert compared.old.rate == predicted.rate
    assert compared.attempts["random"] > 1000
    assert compared.attempts["heuristic"] == 1000
    assert compared.new.rate < compared.old.rate


def test_bad_input(tmp_path: Path) -> None:
    with pytest.raises(PlaytestError, match="target: 2"):
        Lab().watch(tmp_path / "mine.json", target=2)
    with pytest.raises(SagaError, match="`targets`: none; expected a success rate for each level"):
        Lab().generate([])
    with pytest.raises(SagaError, match="first: 0; expected at least 1"):
        Lab().generate([0.5], first=0)
    with pytest.raises(PlaytestError, match="target: 0; expected a success rate between 0 and 1"):
        Lab().generate([0.5, 0.0])
