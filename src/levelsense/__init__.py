"""levelsense tells a match-3 level designer how hard a level will be for people, before people play it.

>>> from levelsense import Game, Level
>>> game = Game(Level.load("01-first-steps"), seed=7)
>>> game.status
'playing'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from levelsense.advice import Advice, advise
    from levelsense.agents.registry import Agent, parse_agent
    from levelsense.errors import (
        AgentError,
        IllegalMoveError,
        LevelError,
        LevelsenseError,
        PositionError,
        StoppedError,
    )
    from levelsense.game.game import Game, GoalProgress, Move, Outcome
    from levelsense.game.turn import Fall, Round, Turn
    from levelsense.lab import Lab, Progress
    from levelsense.level.level import Level, bundled_levels
    from levelsense.level.tokens import Cell
    from levelsense.playtest import PlaytestResult
    from levelsense.prediction import DifficultyModel, LevelPrediction

__version__ = "0.1.0"

__all__ = [
    "Advice",
    "Agent",
    "AgentError",
    "Cell",
    "DifficultyModel",
    "Fall",
    "Game",
    "GoalProgress",
    "IllegalMoveError",
    "Lab",
    "Level",
    "LevelError",
    "LevelPrediction",
    "LevelsenseError",
    "Move",
    "Outcome",
    "PlaytestResult",
    "PositionError",
    "Progress",
    "Round",
    "StoppedError",
    "Turn",
    "advise",
    "bundled_levels",
    "parse_agent",
]

_HOME = {
    "levelsense.advice": ("Advice", "advise"),
    "levelsense.agents.registry": ("Agent", "parse_agent"),
    "levelsense.errors": (
        "AgentError",
        "IllegalMoveError",
        "LevelError",
        "LevelsenseError",
        "PositionError",
        "StoppedError",
    ),
    "levelsense.game.game": ("Game", "GoalProgress", "Move", "Outcome"),
    "levelsense.game.turn": ("Fall", "Round", "Turn"),
    "levelsense.lab": ("Lab", "Progress"),
    "levelsense.level.level": ("Level", "bundled_levels"),
    "levelsense.level.tokens": ("Cell",),
    "levelsense.playtest": ("PlaytestResult",),
    "levelsense.prediction": ("DifficultyModel", "LevelPrediction"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}


def __getattr__(name: str) -> Any:
    """Loads a public name when it is first asked for: `levelsense --help` need not wait for the compiler."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'levelsense' has no attribute {name!r}")
    return getattr(import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
