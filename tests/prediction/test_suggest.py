"""Suggestions: the race, what reaches a target, and what `predict` says of it."""

import threading

import pytest

from levelsense import Lab, Level
from levelsense.edits.edit import Wish
from levelsense.edits.offers import offers
from levelsense.errors import LevelsenseError, PlaytestError, StoppedError
from levelsense.playtest.limits import with_limit
from levelsense.prediction.model import default_model
from levelsense.prediction.paired import Race, SameBoards
from levelsense.prediction.suggestions import REACHED, Suggestions

SMALL = "17-pocket-board"
TARGET = 0.35


@pytest.fixture(scope="module")
def lab() -> Lab:
    return Lab()


@pytest.fixture(scope="module")
def harder(lab: Lab) -> Suggestions:
    return lab.suggest(SMALL, TARGET, most=2)


def test_what_is_suggested_reaches_the_target_as_predict_says(lab: Lab, harder: Suggestions) -> None:
    assert harder.suggestions
    assert harder.nearest is None
    for suggestion in harder.suggestions:
        assert abs(suggestion.rate - TARGET) <= REACHED
        (prediction,) = lab.predict(suggestion.level, target=TARGET)
        assert prediction.rate == suggestion.rate
        assert prediction.band_95 == suggestion.prediction.band_95
        assert prediction.verdict == suggestion.prediction.verdict


def test_a_suggestion_is_another_level_with_words(harder: Suggestions) -> None:
    level = Level.load(SMALL)
    assert len({suggestion.words for suggestion in harder.suggestions}) == len(harder.suggestions)
    for suggestion in harder.suggestions:
        assert suggestion.level.name == level.name
        assert suggestion.level.digest != level.digest
        assert suggestion.difference.old is harder.level
        assert suggestion.feel is not None
        assert suggestion.feel.skill is not None
        assert suggestion.as_data()["change"] == suggestion.words
    assert harder.tried > len(harder.suggestions)


def test_only_what_is_allowed_is_changed(lab: Lab) -> None:
    (shorter,) = lab.predict(with_limit(Level.load(SMALL), 8))
    result = lab.suggest(SMALL, shorter.rate, allow=["moves"], most=1)
    (suggestion,) = result.suggestions
    assert suggestion.words == "4 moves fewer"
    assert suggestion.rate == shorter.rate


def test_a_level_that_reaches_the_target_stays(lab: Lab) -> None:
    (now,) = lab.predict(SMALL)
    result = lab.suggest(SMALL, round(now.rate, 2))
    assert result.is_reached
    assert result.suggestions == ()
    assert result.nearest is None


def test_where_nothing_reaches_the_target_the_nearest_is_told(lab: Lab) -> None:
    result = lab.suggest(SMALL, 0.999, allow=["shape"], most=1)
    assert not result.suggestions
    assert result.nearest is not None
    assert result.nearest.rate < 0.999 - REACHED
    assert result.as_data()["nearest"]["change"] == result.nearest.words


def test_bad_input(lab: Lab) -> None:
    with pytest.raises(PlaytestError, match=r"target: 1\.5"):
        lab.suggest(SMALL, 1.5)
    with pytest.raises(LevelsenseError, match="`allow` 'boosters'"):
        lab.suggest(SMALL, 0.5, allow=["boosters"])
    with pytest.raises(LevelsenseError, match="`keep` 'q9'"):
        lab.suggest(SMALL, 0.5, keep="q9")
    with pytest.raises(PlaytestError, match="`most`: 0; expected a whole number from 1 to 20"):
        lab.suggest(SMALL, 0.5, most=0)


def test_it_can_be_stopped() -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(StoppedError):
        Lab().suggest(SMALL, TARGET, stop=stop)


def test_a_race_is_corrected_by_what_chance_did_to_the_level() -> None:
    """Estimates from 40 attempts are nearer to those from 400 with the correction than without."""
    model, level = default_model(), Level.load(SMALL)
    boards = SameBoards(level, list(model.origin_.attempts))
    (played,) = boards.play([level], 400)
    race = Race(model, level, played, boards)
    levels = [with_limit(level, limit) for limit in (10, 11, 13, 14)]
    levels += [edit.level for edit in offers(level, Wish(easier=False))[:3]]
    few, many = race.logits(levels, 40), race.logits(levels, 400)
    (first,) = boards.play([level], 40)
    alone = Race(model, level, first, boards).logits(levels, 40)  # its own first attempts are all it has
    assert abs(few - many)[:4].mean() < abs(alone - many)[:4].mean()
    assert race.logits([level], 400)[0] == pytest.approx(race.logit)
    agents = len(model.origin_.attempts)
    assert race.attempts == agents * (440 * len(levels) + 400)
