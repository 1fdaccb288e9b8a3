"""The rules of Sokoban as kernels: reach, pushes, dead positions, and how far boxes are from goals."""

from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.game.state import I8, Array, record_dtype
from levelsense.kernel import kernel
from levelsense.studies.sokoban.board import DEAD, DIRECTIONS, MOST_BOXES, MOST_CELLS, NO_CELL, BoardRecord

MOST_PUSHES: Final = DIRECTIONS * MOST_BOXES
NO_BOX: Final = 0
Pushes = NDArray[np.int64]  # box * DIRECTIONS + direction


class Position:
    """Boxes and the player, with what the player reaches."""

    player: I8
    hash: I8  # of the boxes
    stamp: I8
    lowest: I8  # the lowest cell that the player reaches: with the boxes it tells positions apart
    box: Annotated[Array, "i2", MOST_BOXES]
    occupied: Annotated[Array, "i1", MOST_CELLS]  # the number of the box there plus one, or NO_BOX
    reached: Annotated[Array, "i8", MOST_CELLS]  # `stamp` where the player can go
    steps: Annotated[Array, "i2", MOST_CELLS]  # to walk there, where the player can go
    queue: Annotated[Array, "i2", MOST_CELLS]
    frozen: Annotated[Array, "i1", MOST_BOXES]


POSITION_DTYPE: Final = record_dtype(Position)


def new_position() -> Position:
    """An empty position, to be set up by `place`."""
    position: Position = np.zeros(1, POSITION_DTYPE)[0]
    return position


@kernel
def place(board: BoardRecord, position: Position, boxes: Any, player: int) -> None:
    """Puts boxes and the player onto a board, and looks where the player can go. Modifies the position."""
    for k in range(board.boxes):
        position.occupied[position.box[k]] = NO_BOX
    position.hash = 0
    for k in range(board.boxes):
        cell = boxes[k]
        position.box[k] = cell
        position.occupied[cell] = k + 1
        position.hash ^= board.key[0, cell]
    position.player = player
    look(board, position)


@kernel
def look(board: BoardRecord, position: Position) -> None:
    """Finds where the player can go without pushing. Modifies the position."""
    position.stamp += 1
    position.reached[position.player] = position.stamp
    position.steps[position.player] = 0
    position.queue[0] = position.player
    lowest = position.player
    first, last = 0, 1
    while first < last:
        cell = position.queue[first]
        first += 1
        if cell < lowest:
            lowest = cell
        for direction in range(DIRECTIONS):
            next_cell = board.neighbor[cell, direction]
            if next_cell == NO_CELL or position.occupied[next_cell] != NO_BOX:
                continue
            if position.reached[next_cell] != position.stamp:
                position.reached[next_cell] = position.stamp
                position.steps[next_cell] = position.steps[cell] + 1
                position.queue[last] = next_cell
                last += 1
    position.lowest = lowest


@kernel
def moves_of(board: BoardRecord, position: Position, move: int) -> int:
    """How many moves a push takes: the way to the box, and the push itself."""
    behind = board.neighbor[position.box[move // DIRECTIONS], (move % DIRECTIONS) ^ 2]
    return position.steps[behind] + 1  # type: ignore[no-any-return]


@kernel
def list_pushes(board: BoardRecord, position: Position, pushes: Pushes) -> int:
    """Writes the pushes that are possible into an array of MOST_PUSHES, and gives their number."""
    count = 0
    for k in range(board.boxes):
        cell = position.box[k]
        for direction in range(DIRECTIONS):
            behind = board.neighbor[cell, direction ^ 2]
            ahead = board.neighbor[cell, direction]
            if behind == NO_CELL or ahead == NO_CELL:
                continue
            if position.reached[behind] == position.stamp and position.occupied[ahead] == NO_BOX:
                pushes[count] = k * DIRECTIONS + direction
                count += 1
    return count


@kernel
def push(board: BoardRecord, position: Position, move: int) -> None:
    """Pushes a box; where the player can go afterwards is not looked at yet. Modifies the position."""
    k, direction = move // DIRECTIONS, move % DIRECTIONS
    cell = position.box[k]
    _shift(board, position, k, board.neighbor[cell, direction])
    position.player = cell


@kernel
def unpush(board: BoardRecord, position: Position, move: int, player: int) -> None:
    """Takes a push back, to where the player stood before; what the player reached stays out of date."""
    k, direction = move // DIRECTIONS, move % DIRECTIONS
    _shift(board, position, k, board.neighbor[position.box[k], direction ^ 2])
    position.player = player


@kernel
def _shift(board: BoardRecord, position: Position, k: int, cell: int) -> None:
    before = position.box[k]
    position.occupied[before] = NO_BOX
    position.occupied[cell] = k + 1
    position.box[k] = cell
    position.hash ^= board.key[0, before] ^ board.key[0, cell]


@kernel
def is_solved(board: BoardRecord, position: Position) -> bool:
    """Whether every box is on a goal."""
    for k in range(board.boxes):
        if board.is_goal[position.box[k]] == 0:
            return False
    return True


@kernel
def boxes_home(board: BoardRecord, position: Position) -> int:
    """How many boxes are on goals."""
    count = 0
    for k in range(board.boxes):
        count += board.is_goal[position.box[k]]
    return count


@kernel
def is_dead(board: BoardRecord, position: Position, k: int) -> bool:
    """Whether box k, just pushed, has made the position one that cannot be solved, as far as is easily seen.

    It stands where no push leads to a goal, or boxes off their goals can never be moved again: each is held
    in both axes by walls and by other such boxes.
    """
    if board.nearest[position.box[k]] >= DEAD:
        return True
    for other in range(board.boxes):
        position.frozen[other] = 1
    changed = True
    while changed:
        changed = False
        for other in range(board.boxes):
            if position.frozen[other] == 1 and _is_free(board, position, position.box[other]):
                position.frozen[other] = 0
                changed = True
    for other in range(board.boxes):
        if position.frozen[other] == 1 and board.is_goal[position.box[other]] == 0:
            return True
    return False


@kernel
def _is_free(board: BoardRecord, position: Position, cell: int) -> bool:
    """Whether nothing that stays holds a box at a cell in one of the axes."""
    for axis in range(2):
        held = False
        for direction in range(axis, DIRECTIONS, 2):
            beside = board.neighbor[cell, direction]
            if beside == NO_CELL:
                held = True
            elif position.occupied[beside] != NO_BOX and position.frozen[position.occupied[beside] - 1] == 1:
                held = True
        if not held:
            return True
    return False


@kernel
def pushes_left(board: BoardRecord, position: Position) -> int:
    """About how many pushes are left: boxes and goals matched greedily, the nearest pair first.

    A box that no free goal is left for counts its way to the nearest.
    """
    total = 0
    boxes_done, goals_done = 0, 0
    for _ in range(board.boxes):
        best, best_box, best_goal = DEAD, -1, -1
        for k in range(board.boxes):
            if boxes_done >> k & 1:
                continue
            for goal in range(board.boxes):
                distance = board.distance[position.box[k], goal]
                if distance < best and not goals_done >> goal & 1:
                    best, best_box, best_goal = distance, k, goal
        if best_box < 0:
            break
        boxes_done |= 1 << best_box
        goals_done |= 1 << best_goal
        total += best
    for k in range(board.boxes):
        if not boxes_done >> k & 1:
            total += min(board.nearest[position.box[k]], DEAD)
    return total
