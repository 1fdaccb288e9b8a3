"""Phase 1, first part: random attempts at the three levels, their scores, and the size of the state space."""

from dataclasses import dataclass
from math import log10
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.registry import parse_agent
from levelsense.game.game import Game
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.state import PLAYING, WON
from levelsense.level.level import Level
from levelsense.rng import Draws
from levelsense.studies.poromaa.parameters import LEVELS
from levelsense.studies.poromaa.playing import Extent, shared_seeds
from levelsense.studies.run import StudyRun

BINS: Final = 40  # of the histogram of scores
FOLLOWED_SHARE: Final = 10  # one in so many attempts is followed move by move
WATCHED: Final = 200  # attempts at most whose new candies are counted


@dataclass(frozen=True)
class RandomPlay:
    """What random attempts at a level came to.

    actions        mean number of legal moves, over all positions, and its standard error over attempts
    by_depth       the same at each depth, from the first move on
    new_candies    mean number of candies that come in after a move
    scores         quartiles, and the skewness of the distribution
    histogram      counts of scores in bins of one width, from 0 to `top`, the last with all above
    """

    level: str
    attempts: int
    wins: int
    actions: float
    error: float
    depth: int
    by_depth: list[float]
    colors: int
    new_candies: float
    scores: dict[str, float]
    histogram: list[int]
    top: float

    def state_space(self, candies: float | None = None) -> float:
        """The logarithm of equation 3.5, to base 10, with K = colors to the power of candies that come in."""
        each = log10(self.colors) * (self.new_candies if candies is None else candies)
        return sum(log10(actions) for actions in self.by_depth) + each * len(self.by_depth)


def implied_candies(power: float, actions: float, depth: int, colors: int) -> float:
    """How many candies a move brings in, by a published state space of 10 to a power (equation 3.5)."""
    return (power / depth - log10(actions)) / log10(colors)


def play_randomly(run: StudyRun, extent: Extent) -> list[RandomPlay]:
    """Random attempts at the three levels."""

    def make(number: int) -> dict[str, Any]:
        return _measure(LEVELS[number], Level.load(LEVELS[number]), extent.random, run.seed)

    return [RandomPlay(**row) for row in run.collect("random", LEVELS, make)]


def _measure(name: str, level: Level, attempts: int, seed: int) -> dict[str, Any]:
    seeds = shared_seeds(level, seed, 0, attempts)
    rows = parse_agent("random").attempts(level, seeds)
    legal, moves = rows["legal_moves"].astype(float), rows["moves_made"].astype(float)
    actions = legal.sum() / moves.sum()
    residuals = legal - actions * moves
    score = rows["score"].astype(float)
    low, middle, high = np.quantile(score, (0.25, 0.5, 0.75))
    top = float(np.quantile(score, 0.995))
    counts, _ = np.histogram(np.minimum(score, top), BINS, (0, top))
    return {
        "level": name,
        "attempts": attempts,
        "wins": int((rows["status"] == WON).sum()),
        "actions": float(actions),
        "error": float(residuals.std(ddof=1) / np.sqrt(attempts) / moves.mean()),
        "depth": int(level.moves or 0),
        "by_depth": actions_by_depth(level, seeds[: max(1, attempts // FOLLOWED_SHARE)]),
        "colors": level.colors if isinstance(level.colors, int) else len(level.colors),
        "new_candies": new_candies(level, min(WATCHED, attempts), seed),
        "scores": {
            "first quartile": float(low),
            "median": float(middle),
            "third quartile": float(high),
            "mean": float(score.mean()),
            "skewness": float(((score - score.mean()) ** 3).mean() / score.std() ** 3),
        },
        "histogram": counts.tolist(),
        "top": top,
    }


def actions_by_depth(level: Level, seeds: NDArray[np.uint64]) -> list[float]:
    """The mean number of legal moves at each depth, over the random attempts that get there."""
    agent = parse_agent("random")
    totals, counts = np.zeros(level.moves or 0), np.zeros(level.moves or 0)
    buffer = np.empty(MOST_MOVES, np.int64)
    for pair in seeds:
        (states,) = agent.follow(level, pair[np.newaxis])
        for depth, state in enumerate(states):
            if state["status"] == PLAYING:
                totals[depth] += list_moves(state, buffer)
                counts[depth] += 1
    return [float(total / count) for total, count in zip(totals, counts, strict=True) if count]


def new_candies(level: Level, attempts: int, seed: int) -> float:
    """The mean number of candies that come in after a move, cascades and all, in random play."""
    candies = moves = 0
    for number in range(attempts):
        game, draws = Game(level, seed=number), Draws("poromaa", "candies", seed, number)
        while game.status == "playing":
            turn = game.play(draws.pick(*game.legal_moves))
            candies += sum(len(each.dropped) for each in turn.rounds)
            moves += 1
    return candies / moves
