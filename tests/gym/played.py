"""What tests of the environments share: levels of every kind, and the observation made the slow way."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsense.game.game import Game
from levelsense.level.level import Level
from levelsense.level.tokens import COLORS, Cell, cell_name

# Score, jelly, ingredients, orders, seconds, sugar, countdown bombs, a bonus, teleporters, dispensers, other
# rules, boards from the smallest to the widest, in pieces, with every blocker.
LEVELS = [
    *("03-open-field", "04-jelly-garden", "05-cherry-picking", "07-order-up", "11-beat-the-clock"),
    *("17-pocket-board", "20-short-fuses", "21-one-at-a-time", "23-sugar-rush", "25-plain-arithmetic"),
    *("27-clockwork", "28-crossed-wires", "29-good-neighbors", "30-grand-tour", "32-long-shelf"),
    *("35-two-tone", "40-archipelago", "45-last-stand", "46-movie-night", "48-bittersweet"),
]


def drawn_level(board: str, **keys: Any) -> Level:
    """A level whose first board is as drawn."""
    rows = [" ".join(line.split()) for line in board.splitlines() if line.strip()]
    data = {"name": "drawn", "moves": 20, "board": rows, "goals": {"score": 1_000_000}}
    return Level.model_validate(data | keys)


def slow_planes(game: Game, planes: tuple[str, ...]) -> NDArray[np.uint8]:
    """The planes of a position by their names, cell by cell."""
    level = game.level
    cells = game.cells
    board = [[_shown(level, name, index, cell) for index, cell in enumerate(cells)] for name in planes]
    return np.array(board, np.uint8).reshape(len(planes), level.rows, level.columns)


def _shown(level: Level, plane: str, index: int, cell: Cell) -> int:
    name = cell_name(*divmod(index, level.columns))
    if plane in ("teleporter from", "teleporter to"):
        ends = [
            teleporter.from_ if plane.endswith("from") else teleporter.to for teleporter in level.teleporters
        ]
        return ends.index(name) + 1 if name in ends else 0
    if plane in COLORS:
        return int(cell.color == plane)
    if plane == cell.blocker:
        return cell.layers or 1
    return {
        "tile": int(cell.tile),
        "exit": int(index in level.exit_cells),
        "dispenser": int(any(name in dispenser.at for dispenser in level.dispensers)),
        "countdown": cell.timer,
        "jelly": cell.jelly,
    }.get(plane, int(cell.piece == plane))


def slow_numbers(game: Game, numbers: tuple[str, ...]) -> list[float]:
    """What is left, number by number, of those that a position's text tells."""
    left = {f"{goal.name} left": max(goal.asked - goal.done, 0) / goal.asked for goal in game.goals}
    if game.moves_left is None:
        assert game.level.seconds is not None
        assert game.time_left is not None
        left["seconds left"] = max(game.time_left, 0) / game.level.seconds
    else:
        assert game.level.moves is not None
        left["moves left"] = game.moves_left / game.level.moves
    return [left[name] for name in numbers if name in left]
