"""Made-up players with one habit each, whose moves are files of moves: what grouping has to find again."""

from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from levelsense.game.game import Game, Move
from levelsense.people.growing import GrowingFile
from levelsense.people.move_form import MOVE_SCHEMA, move_metadata
from levelsense.people.simulated.run import PLAYERS_VERSION
from levelsense.playtest.levels import NamedLevel, gather_levels
from levelsense.rng import Draws

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
