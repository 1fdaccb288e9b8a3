"""A number of games at one level that are stepped together: the memory that both environments work in."""

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import IllegalMoveError, LevelsenseError
from levelsense.game.game import Game, Move
from levelsense.game.moves import MOST_MOVES
from levelsense.game.record import level_record
from levelsense.game.state import LEVEL_DTYPE, PLAYING, WON, WORK_DTYPE, new_state
from levelsense.game.text import format_position
from levelsense.gym.kernels import NO_GAME, STEP_DTYPE, step_games
from levelsense.gym.layout import REWARDS, layout_of
from levelsense.level.level import Level

Reward = Literal["score", "goals", "win"]
Illegal = Literal["refuse", "raise"]
Observation = dict[str, NDArray[Any]]

_SEEDS: Final = 1 << 63  # seeds of games that `levelsense play --seed` takes, too


@dataclass(frozen=True)
class Outcomes:
    """What a step of all games brought, in arrays of their own: nothing changes them later."""

    observation: Observation
    rewards: NDArray[np.float64]
    ended: NDArray[np.bool_]
    infos: dict[str, NDArray[Any]]


def load_level(level: Level | str | Path) -> Level:
    """A level, or the one that a path or the name of a bundled level means."""
    return level if isinstance(level, Level) else Level.load(level)


def draw_seed(generator: np.random.Generator) -> int:
    """The seed of a game."""
    return int(generator.integers(_SEEDS))


class Games:
    """Some games at one level. They have no position until `step` begins them."""

    def __init__(self, level: Level, count: int, reward: Reward, illegal: Illegal) -> None:
        self.level = level
        self.layout = layout_of(level)
        self._reward = _position("reward", reward, REWARDS)
        self._strict = _position("illegal", illegal, get_args(Illegal))
        record = level_record(level)
        self._levels = np.array([record.level], LEVEL_DTYPE)
        self._states = new_state(count + 1)
        self._states[count] = record.start
        self._rng = np.zeros((count, 1), np.uint64)
        self._works = np.zeros(1, WORK_DTYPE)
        self._moves = np.zeros(MOST_MOVES, np.int64)
        self._steps = np.zeros(count, STEP_DTYPE)
        self._legal = np.zeros((count, len(self.layout.moves)), np.bool_)

    def begin(self, seeds: Sequence[int]) -> Outcomes:
        """Deals a new attempt of each game, from its seed."""
        every = np.ones(len(seeds), np.bool_)
        return self.step(np.zeros(len(seeds), np.int64), every, seeds)

    def step(
        self, actions: NDArray[np.int64], begins: NDArray[np.bool_], seeds: Sequence[int] = ()
    ) -> Outcomes:
        """Plays an action in each game; those that begin take the next of the seeds instead.

        IllegalMoveError, and nothing changed, for a number that is no action, and for an action that is not
        legal if the games were told to raise. Games that are over stay as they are.
        """
        self._check(actions)
        self._steps["action"] = actions
        self._steps["begins"] = begins
        words = self._rng[begins].copy()
        self._rng[begins, 0] = np.array(seeds, np.uint64)
        count, layout = len(self._steps), self.layout
        boards = np.repeat(layout.constant[None], count, axis=0)
        numbers = np.zeros((count, len(layout.numbers)), np.float32)
        masks = np.zeros((count, len(layout.moves)), np.int8)
        illegal = step_games(
            self._levels,
            layout.records,
            self._states,
            self._rng,
            self._works,
            self._moves,
            self._steps,
            self._reward,
            self._strict,
            boards,
            numbers,
            masks,
        )
        if illegal != NO_GAME:
            self._rng[begins] = words
            raise IllegalMoveError(layout.moves[actions[illegal]], self._why(int(illegal), actions))
        return self._outcomes(boards, numbers, masks)

    def _outcomes(self, boards: Any, numbers: Any, masks: Any) -> Outcomes:
        self._legal = masks != 0
        status = self._steps["status"]
        infos = {
            "action_mask": masks,
            "score": self._steps["score"].copy(),
            "is_success": status == WON,
            "refused": self._steps["refused"] != 0,
        }
        observation = {"board": boards, "numbers": numbers}
        return Outcomes(observation, self._steps["reward"].copy(), status != PLAYING, infos)

    def _check(self, actions: NDArray[np.int64]) -> None:
        """IllegalMoveError for a number that is no action."""
        wrong = (actions < 0) | (actions >= len(self.layout.moves))
        if wrong.any():
            k = int(wrong.argmax())
            expected = f"no action of this level; expected a number from 0 to {len(self.layout.moves) - 1}"
            raise IllegalMoveError(f"action {actions[k]}{self._where(k)}", expected)

    def _why(self, k: int, actions: NDArray[np.int64]) -> str:
        return (
            f"action {actions[k]}{self._where(k)} is not legal here; "
            "expected one that the action mask has a 1 for"
        )

    def _where(self, k: int) -> str:
        return f" of game {k}" if len(self._steps) > 1 else ""

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Which actions are legal, game by game; none in a game that is over."""
        return self._legal.copy()

    def game(self, k: int) -> Game:
        """A game as one of its own: the same position, and the same draws to come."""
        return Game.parse(format_position(self.level, self._states[k], int(self._rng[k, 0])), self.level)


def _position(name: str, value: object, known: Sequence[str]) -> int:
    if value not in known:
        raise LevelsenseError(f"`{name}` {value!r}; expected one of {', '.join(known)}")
    return known.index(str(value))


def action_number(action: object) -> int:
    """An action as a whole number; IllegalMoveError for anything else."""
    try:
        return operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        raise IllegalMoveError(f"action {action!r}", "not a whole number") from None


class Described:
    """What both environments tell of the level that is played, its observations and its actions."""

    _games: Games

    @property
    def level(self) -> Level:
        """The level that is played."""
        return self._games.level

    @property
    def planes(self) -> tuple[str, ...]:
        """What each plane of `board` shows."""
        return self._games.layout.planes

    @property
    def numbers(self) -> tuple[str, ...]:
        """What each of the `numbers` is."""
        return self._games.layout.numbers

    @property
    def moves(self) -> tuple[Move, ...]:
        """The move of each action."""
        return self._games.layout.moves
