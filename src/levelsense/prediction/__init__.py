"""From agents' results to people's success rate, with a band; docs/prediction.md has the statistics."""

from levelsense.prediction.levels import LevelPrediction
from levelsense.prediction.mixed.band import Band, Prediction
from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.prediction.mixed.selection import PenaltyChoice, choose_penalty, rolling_folds
from levelsense.prediction.model import DifficultyModel

__all__ = [
    "Band",
    "DifficultyModel",
    "LevelPrediction",
    "MixedBinomial",
    "PenaltyChoice",
    "Prediction",
    "choose_penalty",
    "rolling_folds",
]
