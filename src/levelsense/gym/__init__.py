"""Levels as Gymnasium environments: importing this package registers levelsense/Match3-v0."""

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "levelsense.gym needs Gymnasium; install it with: pip install 'levelsense[gym]'", name="gymnasium"
    ) from error

from levelsense.gym.environment import Match3Env
from levelsense.gym.vector import Match3VectorEnv

__all__ = ["ENVIRONMENT", "Match3Env", "Match3VectorEnv"]

ENVIRONMENT = "levelsense/Match3-v0"

if ENVIRONMENT not in gymnasium.registry:
    gymnasium.register(
        id=ENVIRONMENT,
        entry_point="levelsense.gym.environment:Match3Env",
        vector_entry_point="levelsense.gym.vector:Match3VectorEnv",
    )
