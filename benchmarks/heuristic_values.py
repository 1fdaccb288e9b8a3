"""How long it takes to value the moves of a position: by the heuristic agent, and by playing first rounds.

Run it with `python benchmarks/heuristic_values.py LEVEL...`; docs/design.md quotes it.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from levelsense.agents.attempt import GAME, SCRATCH
from levelsense.agents.heuristic import heuristic_values
from levelsense.agents.simple import value_greedily
from levelsense.game.game import Game
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.record import level_record
from levelsense.game.state import new_state, new_work
from levelsense.kernel import kernel
from levelsense.level.level import Level
from levelsense.rng import below, new_rng

POSITIONS = 200
TURNS = 20
ROUNDS = 7


@kernel
def by_looks(
    level: Any, states: Any, positions: Any, rng: Any, work: Any, moves: Any, options: Any, values: Any
) -> int:
    """Values the moves of all positions by the heuristic; returns how many there were."""
    seen = 0
    for _ in range(TURNS):
        for k in range(positions.shape[0]):
            states[GAME] = positions[k]
            count = list_moves(states[GAME], moves)
            heuristic_values(level, states, GAME, work, moves, count, values)
            seen += count
    return seen


@kernel
def by_rounds(
    level: Any, states: Any, positions: Any, rng: Any, work: Any, moves: Any, options: Any, values: Any
) -> int:
    """Values them by playing the first round of each on a copy; returns how many there were."""
    seen = 0
    for _ in range(TURNS):
        for k in range(positions.shape[0]):
            states[GAME] = positions[k]
            seen += list_moves(states[GAME], moves)
            value_greedily(level, states, rng, work, moves, options, options, values)
    return seen


def random_positions(level: Level) -> Any:
    """Positions that random play meets."""
    positions, choice, seed = new_state(POSITIONS), new_rng(1), 0
    game = Game(level, seed)
    for k in range(POSITIONS):
        if game.status != "playing":
            seed += 1
            game = Game(level, seed)
        positions[k] = game.state
        game.play(game.legal_moves[below(choice, len(game.legal_moves))])
    return positions


def microseconds(run: Callable[..., int], level: Level, positions: Any) -> tuple[float, float]:
    """The time a position takes, the best of several rounds, and how many moves it has on average."""
    room = (
        new_state(SCRATCH + 1),
        positions,
        new_rng(2),
        new_work(),
        np.zeros(MOST_MOVES, np.int64),
        np.zeros(1),
        np.zeros(MOST_MOVES),
    )
    times, seen = [], 0
    for _ in range(ROUNDS + 1):
        start = time.perf_counter()
        seen = run(level_record(level).level, *room)
        times.append(time.perf_counter() - start)
    return min(times[1:]) / (POSITIONS * TURNS) * 1e6, seen / (POSITIONS * TURNS)


def main() -> None:
    """Prints a line for each level named on the command line."""
    for name in sys.argv[1:] or ["03-open-field"]:
        level = Level.load(name)
        positions = random_positions(level)
        look, moves = microseconds(by_looks, level, positions)
        rounds, _ = microseconds(by_rounds, level, positions)
        sys.stdout.write(
            f"{name}: {moves:.1f} moves, by looks {look:.2f} us, by first rounds {rounds:.2f} us\n"
        )


if __name__ == "__main__":
    main()
