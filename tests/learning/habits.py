"""Made-up players with one habit each, whose moves are files of moves: what grouping has to find again."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from levelsense.agents.policy import inputs
from levelsense.agents.policy.inputs import ENCODING
from levelsense.agents.policy.network import KIND, sizes_of
from levelsense.agents.weights import Weights
from levelsense.game.game import Game, Move
from levelsense.people.growing import GrowingFile
from levelsense.people.move_form import MOVE_SCHEMA, move_metadata
from levelsense.people.simulated.run import PLAYERS_VERSION
from levelsense.playtest.levels import NamedLevel, gather_levels
from levelsense.rng import Draws

# What the last layer of the made-up policy sees of a move: inputs, with a shift that keeps them above 0.
SEEN = ((inputs.GOALS_GAP, -1.0, 10.0), (inputs.FROM_TOP, 4.0, 0.0), (inputs.COLUMN, 4.0, 0.0))
LEVELS = ("01-first-steps", "03-open-field", "07-order-up")
MOST_MOVES = 15  # of an attempt

Habit = Callable[[Sequence[Move], Draws], Move]


def at_the_top(moves: Sequence[Move], draws: Draws) -> Move:
    """Mostly the uppermost move."""
    return min(moves, key=lambda move: move[0]) if draws.random() < 0.8 else draws.pick(*moves)


def at_the_bottom(moves: Sequence[Move], draws: Draws) -> Move:
    """Mostly the lowest move."""
    return max(moves, key=lambda move: move[0]) if draws.random() < 0.8 else draws.pick(*moves)


def anywhere(moves: Sequence[Move], draws: Draws) -> Move:
    """Any move."""
    return draws.pick(*moves)


def goals_policy() -> Weights:
    """A policy that likes what is good for the goals, and sees where moves are without caring."""
    shapes = sizes_of(len(SEEN), 1, len(SEEN))
    arrays = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    for unit, (number, factor, shift) in enumerate(SEEN):
        arrays["move"][number, unit] = factor
        arrays["move_shift"][unit] = shift
        arrays["of_move"][unit, unit] = 1.0
    arrays["out"][0, 0] = 0.3
    return Weights(KIND, ENCODING, arrays)


def levels() -> list[NamedLevel]:
    """The levels that all of them play."""
    return list(gather_levels(LEVELS))


def write_habits(path: Path, habits: Sequence[Habit]) -> Path:
    """A file of the moves of players with these habits: player k has habits[k] and tries each level once."""
    with GrowingFile(path, MOVE_SCHEMA, move_metadata(PLAYERS_VERSION)) as file:
        for named in levels():
            rows = [row for number, habit in enumerate(habits) for row in _attempt(named, number, habit)]
            file.add(pl.DataFrame(rows, schema=MOVE_SCHEMA, orient="row"))
        file.finish()
    return path


def _attempt(named: NamedLevel, number: int, habit: Habit) -> list[tuple[object, ...]]:
    seed, draws = 1000 + number, Draws("habit", named.name, number)
    game, rows = Game(named.level, seed), list[tuple[object, ...]]()
    who = (named.name, named.level.digest, "simulated habits, seed 0", number, habit.__name__, 0, seed)
    while game.status == "playing" and len(rows) < MOST_MOVES:
        move = habit(game.legal_moves, draws)
        rows.append((*who, len(rows), move.code))
        game.play(move)
    return rows
