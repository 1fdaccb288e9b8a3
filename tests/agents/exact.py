"""The best success rate of any player on a tiny level, by brute force over moves and refills.

The level lets in one of two pieces at each entry, by one draw with a probability of exactly a half: the word
drawn has its highest bit clear or set. What a move can lead to is enumerated: a seed whose draws begin with
given bits shows which draws the move makes and where they lead, and the next seed differs in the last of
these bits. A result of n draws has the probability 2**-n. Where this ends (longer cascades than there are
seeds for, and shuffles, which draw otherwise) counts as lost in the lower bound and as won in the upper one.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from levelsense.game.cascade import play
from levelsense.game.game import Game
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.record import level_record
from levelsense.game.state import PLAYING, WON, new_state, new_work
from levelsense.level.level import Level
from levelsense.rng import new_rng

MOST_DRAWS = 12
SEEDS = 1 << 17
# Splitmix64, as in game/rng.py, for many seeds at once.
GAMMA, MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1
STEPS = {GAMMA * draws & MASK: draws for draws in range(200)}


class Bounds(NamedTuple):
    """A success rate lies between these."""

    low: float
    high: float


def tiny_level(board: list[str], goals: dict[str, Any], moves: int, other: str = "candy") -> Level:
    """A level whose refills are one of two equally likely pieces in each column, other ones in the next one.

    Few of them make lines, so that what can follow a move stays small; with a swirl as the other piece, fewer
    still.
    """
    pairs = [("red", "cyan"), ("green", "magenta")]
    columns = len(board[0].split())
    dispensers = []
    for column in range(columns):
        likely, unlike = pairs[column % 2]
        rest = {"piece": "candy", "color": unlike} if other == "candy" else {"piece": other}
        drops = [{"piece": "candy", "color": likely, "rate": 0.5}, rest | {"keep": 99}]
        dispensers.append({"at": [f"{'abcdefghijkl'[column]}1"], "drops": drops})
    return Level.model_validate(
        {"name": "tiny", "moves": moves, "board": board, "goals": goals, "dispensers": dispensers}
    )


@cache
def first_bits() -> Any:
    """The highest bits of the first words that each seed gives, the first word's in the highest place."""
    bits, words = np.zeros(SEEDS, np.int64), np.arange(SEEDS, dtype=np.uint64)
    for _ in range(MOST_DRAWS):
        words += np.uint64(GAMMA)
        mixed = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        bits = 2 * bits + ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(63)).astype(np.int64)
    return bits


@cache
def seeds_by_bits() -> Any:
    """A seed for each number of MOST_DRAWS bits."""
    seeds = np.full(1 << MOST_DRAWS, -1)
    seeds[first_bits()] = np.arange(SEEDS)
    assert seeds.min() >= 0
    return seeds


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

    def outcomes(self, state: Any, move: int) -> Iterator[tuple[float, Any]]:
        """What a move can lead to, each with its probability; None stands for what is not known."""
        bits = 0
        while bits < 1 << MOST_DRAWS:
            seed = int(seeds_by_bits()[bits])
            after, rng = new_state(), new_rng(seed)
            after[0] = state
            play(self._level, after[0], rng, self._work, move)
            draws = STEPS.get((int(rng[0]) - seed) & MASK, MOST_DRAWS + 1)
            known = draws <= MOST_DRAWS and after[0].shuffles == state.shuffles
            # All seeds that begin with the bits of these draws go the same way.
            alike = 1 << (MOST_DRAWS - min(draws, MOST_DRAWS))
            yield alike / (1 << MOST_DRAWS), after[0] if known else None
            bits += alike

    def _after(self, state: Any, move: int) -> Bounds:
        low = high = 0.0
        for probability, after in self.outcomes(state, move):
            bounds = Bounds(0.0, 1.0) if after is None else self._best(after)
            low += probability * bounds.low
            high += probability * bounds.high
        return Bounds(low, high)

    def _best(self, state: Any) -> Bounds:
        if state.status != PLAYING:
            won = float(state.status == WON)
            return Bounds(won, won)
        key = state.tobytes()
        if key not in self._known:
            moves = np.empty(MOST_MOVES, np.int64)
            choices = [self._after(state, int(move)) for move in moves[: list_moves(state, moves)]]
            self._known[key] = Bounds(max(b.low for b in choices), max(b.high for b in choices))
        return self._known[key]
