"""What levels are made of, in numbers."""

import math

import pytest

from levelsense.level.level import Level, bundled_levels
from levelsense.prediction.features import FEATURES, level_features


def test_features_by_hand() -> None:
    level = Level.model_validate(
        {
            "name": "by hand",
            "moves": 10,
            "colors": 5,
            "board": ["- . . .", "#3 . S .", "X . . C", ". . . ."],
            "jelly": ["- 1 2 .", ". . . .", "1 . . .", ". . . ."],
            "locks": ["- L . .", ". . . .", ". . . .", "M . . ."],
            "goals": {"jelly": "all", "ingredients": {"cherry": 1}, "orders": {"red": 20}},
            "drops": [{"piece": "swirl", "rate": 0.1}],
        }
    )
    features = {name: value for name, value in level_features(level).items() if value}
    assert features == pytest.approx(
        {
            "jelly goal": 1,
            "ingredients goal": 1,
            "color orders": 1,
            "several goals": 1,
            "turns (log)": math.log(10),
            "colors": 5,
            "tiles (log)": math.log(15),
            "holes": 1 / 16,
            "jelly a turn": 0.4,
            "ingredients a turn": 0.1,
            "color orders a turn": 2,
            "jelly": 3 / 15,
            "double jelly": 1 / 15,
            "jelly under blockers": 2 / 15,
            "icing": 3 / 15,
            "locks": 1 / 15,
            "chocolate": 1 / 15,
            "marmalade": 1 / 15,
            "swirls": 1 / 15,
            "swirls drop": 1,
        }
    )


def test_seconds_are_turned_into_turns() -> None:
    level = Level.load("11-beat-the-clock")
    assert level.seconds is not None
    cost = level.pace.move + 2 * level.pace.round
    features = level_features(level)
    assert features["turns (log)"] == pytest.approx(math.log(level.seconds / cost))
    assert features["seconds for a limit"] == 1


def test_every_feature_is_told_by_some_bundled_level() -> None:
    rows = [level_features(Level.load(name)) for name in bundled_levels()]
    for feature in FEATURES:
        assert len({features[feature] for features in rows}) > 1, feature
