"""A level as a Gymnasium environment: an episode is an attempt."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from levelsense.errors import LevelsenseError
from levelsense.game.game import Game
from levelsense.gym.drawing import draw_picture, draw_text
from levelsense.gym.games import (
    Described,
    Games,
    Illegal,
    Observation,
    Outcomes,
    Reward,
    action_number,
    draw_seed,
    load_level,
)
from levelsense.level.level import Level

RENDER_MODES = ("ansi", "rgb_array")
METADATA: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}


def check_render_mode(mode: str | None) -> None:
    """LevelsenseError if there is no such mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise LevelsenseError(f"`render_mode` {mode!r}; expected one of {', '.join(RENDER_MODES)}")


class Match3Env(Described, gymnasium.Env[Observation, np.int64]):
    """An attempt at a level, move by move; docs/gymnasium.md describes observations, actions and rewards."""

    metadata: dict[str, Any] = METADATA

    def __init__(
        self,
        level: Level | str | Path,
        *,
        reward: Reward = "goals",
        illegal: Illegal = "refuse",
        render_mode: str | None = None,
    ) -> None:
        """`level` is a Level, a path or a bundled level's name.

        `reward` is what steps are rewarded for, `illegal` what is done about an action that is not legal.
        """
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._games = Games(load_level(level), 1, reward, illegal)
        layout = self._games.layout
        self.observation_space: spaces.Dict = layout.observation_space  # type: ignore[assignment]
        self.action_space = layout.action_space
        self._in_play = False

    @property
    def game(self) -> Game:
        """The attempt as a game of its own: the same position, and the same draws to come."""
        return self._games.game(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a new attempt; options mean nothing."""
        super().reset(seed=seed)
        self._in_play = True
        observation, _, _, info = _of_one(self._games.begin([draw_seed(self.np_random)]))
        return observation, info

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action; ResetNeeded before the first reset and after the end of an attempt."""
        if not self._in_play:
            raise ResetNeeded("there is no attempt in play; expected a call of reset() before step()")
        number = np.array([action_number(action)], np.int64)
        outcomes = self._games.step(number, np.zeros(1, np.bool_))
        observation, reward, ended, info = _of_one(outcomes)
        self._in_play = not ended
        return observation, reward, ended, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as sb3-contrib asks for it; none when the attempt is over."""
        legal: NDArray[np.bool_] = self._games.legal[0]
        return legal

    def render(self) -> Any:
        """The board as a text or a picture, by the environment's `render_mode`; None without one."""
        if self.render_mode is None:
            return None
        game = self.game
        return draw_text(game) if self.render_mode == "ansi" else draw_picture(game.level, game.cells)


def _of_one(outcomes: Outcomes) -> tuple[Observation, float, bool, dict[str, Any]]:
    """The outcome of the one game that there is."""
    infos = outcomes.infos
    info = {
        "action_mask": infos["action_mask"][0],
        "score": int(infos["score"][0]),
        "is_success": bool(infos["is_success"][0]),
        "refused": bool(infos["refused"][0]),
    }
    observation = {name: array[0] for name, array in outcomes.observation.items()}
    return observation, float(outcomes.rewards[0]), bool(outcomes.ended[0]), info
