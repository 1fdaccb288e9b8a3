"""The model that comes with levelsense, fitted to simulated players."""

from functools import cache
from importlib import resources

from levelsense.prediction.difficulty import DifficultyModel

DEFAULT_FILE = "default_model.json"


@cache
def default_model() -> DifficultyModel:
    """The model for who has no players' results of their own yet."""
    text = (resources.files("levelsense.prediction") / DEFAULT_FILE).read_text(encoding="utf-8")
    return DifficultyModel.from_text(text, f"the default model ({DEFAULT_FILE})")
