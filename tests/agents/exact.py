"""Bounds on the best success rate of any player on a tiny level, by brute force over moves and refills.

The level lets in one of two pieces at each entry, each with a probability of exactly a half (a drop with rate
0.5, then one with rate 1). What a move can lead to is gathered over many seeds; a result that took n new
pieces has the probability 2**-n. Whatever was not met, and shuffles, count as lost in the lower bound and as
won in the upper one.
"""

from typing import Any, NamedTuple

import numpy as np

from levelsense.game.cascade import play
from levelsense.game.game import Game
from levelsense.game.level import Level
from levelsense.game.moves import list_moves
from levelsense.game.record import level_record
from levelsense.game.rng import new_rng
from levelsense.game.state import CELLS, PLAYING, WON, new_state, new_work

SEEDS = 3_000


class Bounds(NamedTuple):
    """A success rate lies between these."""

    low: float
    high: float


def tiny_level(board: list[str], goals: dict[str, Any], moves: int) -> Level:
    """A level whose refills have two equally likely colors in each column, other ones in the next column.

    Few of them make lines, so that what can follow a move stays small.
    """
    pairs = [("red", "cyan"), ("green", "magenta")]
    columns = len(board[0].split())
    dispensers = [
        {
            "at": [f"{'abcdefghijkl'[column]}1"],
            "drops": [
                {"piece": "candy", "color": pairs[column % 2][0], "rate": 0.5},
                {"piece": "candy", "color": pairs[column % 2][1], "rate": 1},
            ],
        }
        for column in range(columns)
    ]
    return Level.model_validate(
        {"name": "tiny", "moves": moves, "board": board, "goals": goals, "dispensers": dispensers}
    )


class Solver:
    """Perfect play on one level."""

    def __init__(self, level: Level) -> None:
        self._level = level_record(level).level
        self._work = new_work()
        self._known: dict[bytes, Bounds] = {}
        self._start = Game(level).state

    def bounds(self) -> Bounds:
        """Bounds on the success rate of perfect play from the start."""
        return self._best(self._start)

    def _outcomes(self, state: Any, move: int) -> dict[bytes, tuple[float, Any]]:
        found: dict[bytes, tuple[float, Any]] = {}
        for seed in range(SEEDS):
            after = new_state()
            after[0] = state
            play(self._level, after[0], new_rng(seed * 7919 + 1), self._work, move)
            if after[0].shuffles:
                continue
            pieces = int(after[0].dropped.sum()) - int(state.dropped.sum())
            found[after.tobytes()] = (0.5**pieces, after[0])
        return found

    def _after(self, state: Any, move: int) -> Bounds:
        outcomes = self._outcomes(state, move).values()
        met = sum(probability for probability, _ in outcomes)
        # Two ways to one position are counted once: the mass that is missing then widens the bounds.
        assert met <= 1 + 1e-9
        below = [(probability, self._best(after)) for probability, after in outcomes]
        low = sum(probability * bounds.low for probability, bounds in below)
        high = sum(probability * bounds.high for probability, bounds in below)
        return Bounds(low, high + 1 - met)

    def _best(self, state: Any) -> Bounds:
        if state.status != PLAYING:
            won = float(state.status == WON)
            return Bounds(won, won)
        key = state.tobytes()
        if key not in self._known:
            moves = np.empty(2 * CELLS, np.int64)
            choices = [self._after(state, int(move)) for move in moves[: list_moves(state, moves)]]
            self._known[key] = Bounds(max(b.low for b in choices), max(b.high for b in choices))
        return self._known[key]
