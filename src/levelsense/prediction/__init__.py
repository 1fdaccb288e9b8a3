"""From agents' results to people's success rate, with a band; docs/prediction.md has the statistics."""

from levelsense.prediction.band import Band, Prediction
from levelsense.prediction.difficulty import DifficultyModel
from levelsense.prediction.mixed_binomial import MixedBinomial
from levelsense.prediction.selection import PenaltyChoice, choose_penalty, rolling_folds

__all__ = [
    "Band",
    "DifficultyModel",
    "MixedBinomial",
    "PenaltyChoice",
    "Prediction",
    "choose_penalty",
    "rolling_folds",
]
