"""Many attempts at a level, stepped together by one call of compiled code: a Gymnasium vector environment."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from levelsense.errors import IllegalMoveError, LevelsenseError
from levelsense.game.game import Game
from levelsense.gym.drawing import draw_picture, draw_text
from levelsense.gym.environment import METADATA, check_render_mode
from levelsense.gym.games import Described, Games, Illegal, Observation, Reward, draw_seed, load_level
from levelsense.level.level import Level

Array = NDArray[Any]


class Match3VectorEnv(Described, VectorEnv[Observation, NDArray[np.int64], Array]):
    """`num_envs` attempts at a level; each is what Match3Env with its own seed is, step by step.

    The step after an attempt's end begins the next one (AutoresetMode.NEXT_STEP): the action given for it is
    not played, and its reward is 0.
    """

    metadata: dict[str, Any] = METADATA | {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        *,
        level: Level | str | Path,
        reward: Reward = "goals",
        illegal: Illegal = "refuse",
        render_mode: str | None = None,
    ) -> None:
        """`level`, `reward` and `illegal` are those of Match3Env."""
        check_render_mode(render_mode)
        if num_envs < 1:
            raise LevelsenseError(f"`num_envs` {num_envs}; expected at least 1")
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._games = Games(load_level(level), num_envs, reward, illegal)
        layout = self._games.layout
        self.single_observation_space = layout.observation_space
        self.single_action_space = layout.action_space
        self.observation_space = batch_space(layout.observation_space, num_envs)
        self.action_space = batch_space(layout.action_space, num_envs)
        self._generators: list[np.random.Generator] = []
        self._seeds: list[int] = []
        self._drawn: list[int] = []  # seeds of attempts to begin, from a step that was refused as a whole
        self._ended: NDArray[np.bool_] | None = None

    def game(self, number: int) -> Game:
        """One of the attempts as a game of its own: the same position, and the same draws to come."""
        return self._games.game(number)

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The generators that seed the attempts, one each."""
        return tuple(self._generators)

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seeds of the generators."""
        return tuple(self._seeds)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins all attempts anew; options mean nothing.

        A number seeds the first attempt, the next number the second, and so on; a list has a seed for each.
        Without a seed the generators go on.
        """
        for k, start in enumerate(self._seeds_of(seed)):
            if k == len(self._generators):
                generator, taken = seeding.np_random(start)
                self._generators.append(generator)
                self._seeds.append(taken)
            elif start is not None:
                self._generators[k], self._seeds[k] = seeding.np_random(start)
        outcomes = self._games.begin([draw_seed(generator) for generator in self._generators])
        self._drawn = []
        self._ended = np.zeros(self.num_envs, np.bool_)
        return outcomes.observation, _with_presence(outcomes.infos)

    def _seeds_of(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            return range(int(seed), int(seed) + self.num_envs)
        if len(seed) != self.num_envs:
            raise LevelsenseError(f"`seed` has {len(seed)} seeds; expected {self.num_envs}, one an attempt")
        return seed

    def step(self, actions: NDArray[np.int64]) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Plays an action in each attempt, but in those that ended in the last step: they begin anew."""
        if self._ended is None:
            raise ResetNeeded("there are no attempts in play; expected a call of reset() before step()")
        numbers = np.asarray(actions)
        if numbers.shape != (self.num_envs,) or not np.issubdtype(numbers.dtype, np.integer):
            raise IllegalMoveError(
                f"actions of shape {numbers.shape} and type {numbers.dtype}",
                f"expected {self.num_envs} whole numbers",
            )
        begins = self._ended
        self._drawn = self._drawn or [draw_seed(self._generators[k]) for k in np.flatnonzero(begins)]
        outcomes = self._games.step(numbers, begins, self._drawn)
        self._drawn = []
        self._ended = outcomes.ended
        never = np.zeros(self.num_envs, np.bool_)
        infos = _with_presence(outcomes.infos)
        return outcomes.observation, outcomes.rewards, outcomes.ended.copy(), never, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, a row for each attempt; none where it is over."""
        return self._games.legal

    def render(self) -> tuple[Any, ...] | None:
        """The boards as texts or pictures, by the environment's `render_mode`; None without one."""
        if self.render_mode is None:
            return None
        games = [self._games.game(k) for k in range(self.num_envs)]
        if self.render_mode == "ansi":
            return tuple(draw_text(game) for game in games)
        return tuple(draw_picture(game.level, game.cells) for game in games)


def _with_presence(infos: dict[str, Array]) -> dict[str, Any]:
    """Infos with a mask beside each, as vector environments have it: every attempt has every info."""
    present = {f"_{name}": np.ones(len(array), np.bool_) for name, array in infos.items()}
    return infos | present
