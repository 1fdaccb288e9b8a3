"""Boards of Sokoban: read from text, checked, and written into the record that the kernels play on."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import LevelError
from levelsense.game.state import I8, Array, record_dtype
from levelsense.rng import new_rng, next_word

WALL, FLOOR, BOX, GOAL, BOX_ON_GOAL, PLAYER, PLAYER_ON_GOAL = "# $.*@+"
TOKENS: Final = WALL + FLOOR + BOX + GOAL + BOX_ON_GOAL + PLAYER + PLAYER_ON_GOAL
MOST_CELLS: Final = 512
MOST_BOXES: Final = 16
NO_CELL: Final = -1
DEAD: Final = 10_000  # the distance of a cell from a goal that no box can be pushed to from there

# Up, right, down, left; the opposite of direction d is d ^ 2.
STEPS: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))
DIRECTIONS: Final = len(STEPS)


class BoardRecord:
    """What never changes on a board. Cells are those that the player could reach if there were no boxes."""

    cells: I8
    boxes: I8  # as many as goals
    player: I8
    neighbor: Annotated[Array, "i2", (MOST_CELLS, DIRECTIONS)]  # or NO_CELL
    distance: Annotated[Array, "i2", (MOST_CELLS, MOST_BOXES)]  # pushes to each goal, no other box around
    nearest: Annotated[Array, "i2", MOST_CELLS]  # pushes to the nearest goal, or DEAD
    is_goal: Annotated[Array, "i1", MOST_CELLS]
    box: Annotated[Array, "i2", MOST_BOXES]
    key: Annotated[Array, "i8", (2, MOST_CELLS)]  # random words of a box and of the player at each cell


BOARD_DTYPE: Final = record_dtype(BoardRecord)


@dataclass(frozen=True, eq=False)
class Board:
    """A board: its rows of text, the cells of its record by row and column, and the record."""

    rows: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    record: BoardRecord


def parse_board(rows: Sequence[str]) -> Board:
    """A board from its rows; LevelError if it cannot be played."""
    tokens = {(row, column): token for row, text in enumerate(rows) for column, token in enumerate(text)}
    wrong = [token for token in tokens.values() if token not in TOKENS]
    if wrong:
        raise LevelError(f"board: {wrong[0]!r}; expected only {' '.join(TOKENS)} and blanks")
    players = [place for place, token in tokens.items() if token in PLAYER + PLAYER_ON_GOAL]
    if len(players) != 1:
        raise LevelError(f"board: {len(players)} players; expected one, {PLAYER} or {PLAYER_ON_GOAL}")
    places = _reached(tokens, players[0])
    boxes = [place for place in places if tokens[place] in BOX + BOX_ON_GOAL]
    goals = [place for place in places if tokens[place] in GOAL + BOX_ON_GOAL + PLAYER_ON_GOAL]
    outside = [place for place, token in tokens.items() if token in BOX + GOAL and place not in set(places)]
    if outside:
        row, column = outside[0]
        raise LevelError(f"board, row {row + 1}, column {column + 1}: out of the player's reach")
    if not boxes or len(boxes) != len(goals):
        raise LevelError(f"board: {len(boxes)} boxes and {len(goals)} goals; expected as many, one at least")
    if len(boxes) > MOST_BOXES or len(places) > MOST_CELLS:
        raise LevelError(
            f"board: {len(boxes)} boxes and {len(places)} cells; "
            f"expected at most {MOST_BOXES} and {MOST_CELLS}"
        )
    return Board(tuple(rows), tuple(places), _record(places, boxes, goals, players[0]))


def _reached(tokens: dict[tuple[int, int], str], start: tuple[int, int]) -> list[tuple[int, int]]:
    """The places that the player could reach if there were no boxes; LevelError if the board is open."""
    reached, waiting = {start}, deque([start])
    while waiting:
        row, column = waiting.popleft()
        for down, right in STEPS:
            place = row + down, column + right
            if place not in tokens:
                raise LevelError(f"board, row {row + 1}, column {column + 1}: open; expected walls around it")
            if tokens[place] != WALL and place not in reached:
                reached.add(place)
                waiting.append(place)
    return sorted(reached)


Place = tuple[int, int]


def _record(places: list[Place], boxes: list[Place], goals: list[Place], player: Place) -> BoardRecord:
    number = {place: cell for cell, place in enumerate(places)}
    record: BoardRecord = np.zeros(1, BOARD_DTYPE)[0]
    record.cells, record.boxes, record.player = len(places), len(boxes), number[player]
    record.box[: len(boxes)] = [number[place] for place in boxes]
    for (row, column), cell in number.items():
        record.neighbor[cell] = [number.get((row + down, column + right), NO_CELL) for down, right in STEPS]
    record.distance[:] = DEAD
    for goal, place in enumerate(goals):
        record.is_goal[number[place]] = 1
        record.distance[:, goal] = _distances(record.neighbor, number[place])
    record.nearest[:] = record.distance.min(axis=1)
    rng = new_rng(0)
    record.key[:] = [[np.int64(next_word(rng) >> np.uint64(1)) for _ in range(MOST_CELLS)] for _ in range(2)]
    return record


def _distances(neighbor: NDArray[np.int16], goal: int) -> NDArray[np.int16]:
    """How many pushes bring a box from each cell to a goal if nothing is in the way, by pulling it back."""
    distances = np.full(MOST_CELLS, DEAD, np.int16)
    distances[goal] = 0
    waiting = deque([goal])
    while waiting:
        cell = waiting.popleft()
        for direction in range(DIRECTIONS):
            # A box comes from `before` by a push from behind it.
            before = neighbor[cell, direction ^ 2]
            if before == NO_CELL or distances[before] != DEAD or neighbor[before, direction ^ 2] == NO_CELL:
                continue
            distances[before] = distances[cell] + 1
            waiting.append(int(before))
    return distances
