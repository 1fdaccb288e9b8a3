"""Agents for the tests of the runner: they play nothing, and compile nothing."""

import time
from typing import Any

import numpy as np

from levelsense.agents.attempt import ATTEMPT_DTYPE
from levelsense.game.state import GOALS_MET, LOST, OUT_OF_MOVES, WON
from levelsense.level.level import Level


class CoinPlayer:
    """Wins by its seeds alone, at a rate; notes every call."""

    def __init__(self, rate: float = 0.5, spec: str = "coin", seconds: float = 0.0) -> None:
        self.spec = spec
        self.calls: list[int] = []
        self._rate = rate
        self._seconds = seconds

    @property
    def played(self) -> int:
        """How many attempts it was asked for."""
        return sum(self.calls)

    def attempts(self, level: Level, seeds: Any) -> Any:
        """Tosses a coin for each attempt."""
        self.calls.append(len(seeds))
        time.sleep(self._seconds * len(seeds))
        rows = np.zeros(len(seeds), ATTEMPT_DTYPE)
        won = (seeds[:, 0] % 1000) < 1000 * self._rate
        rows["status"] = np.where(won, WON, LOST)
        rows["reason"] = np.where(won, GOALS_MET, OUT_OF_MOVES)
        rows["score"] = (seeds[:, 1] % 100_000).astype(np.int64)
        rows["moves_made"] = 1 + (seeds[:, 1] % 20).astype(np.int16)
        rows["legal_moves"] = 7 * rows["moves_made"]
        return rows


class ShyPlayer(CoinPlayer):
    """Takes its time for the first call, as if it compiled something, and notes whether it was disturbed."""

    def __init__(self, spec: str) -> None:
        super().__init__(spec=spec)
        self.disturbed = False
        self._is_new = True

    def attempts(self, level: Level, seeds: Any) -> Any:
        """Plays, and sees whether the first call is still under way."""
        if self.calls and self._is_new:
            self.disturbed = True
        rows = super().attempts(level, seeds)
        if self._is_new:
            time.sleep(0.2)
            self._is_new = False
        return rows


class BrokenPlayer(CoinPlayer):
    """Fails at its third call."""

    def attempts(self, level: Level, seeds: Any) -> Any:
        """Plays or fails."""
        if len(self.calls) == 2:
            raise ZeroDivisionError("a mistake in an agent")
        return super().attempts(level, seeds)
