"""The walker: random pushes, and from the start again where it is stuck or has tried for long."""

from typing import Any

from levelsense.kernel import kernel
from levelsense.rng import Rng, draw_in_proportion, uniform
from levelsense.studies.sokoban.board import DIRECTIONS, BoardRecord
from levelsense.studies.sokoban.moves import (
    Position,
    Pushes,
    is_dead,
    is_solved,
    list_pushes,
    look,
    moves_of,
    place,
    push,
    pushes_left,
    unpush,
)

NOT_SOLVED = -1
BACK = 0.2  # how likely a box is pushed right back, beside other pushes


@kernel
def walk(
    board: BoardRecord,
    position: Position,
    pushes: Pushes,
    weights: Any,
    rng: Rng,
    budget: int,
    length: int,
    pull: float,
    care: float,
    outcome: Any,
) -> None:
    """One attempt of up to `budget` moves; writes those made until it was solved, and the fewest pushes left.

    It starts again where nothing can be pushed, where a push has made the board unsolvable, and after
    `length` moves. A push that brings boxes nearer to goals is `pull` times as likely as another, and one
    that would make the board unsolvable is seen with the chance `care`, and not made. All but the board are
    modified in place.
    """
    spent = 0
    place(board, position, board.box, board.player)
    outcome[0], outcome[1] = NOT_SOLVED, pushes_left(board, position)
    while spent < budget:
        place(board, position, board.box, board.player)
        last = -1
        begun = spent
        while spent < min(begun + length, budget):
            count = list_pushes(board, position, pushes)
            if not _weigh(board, position, pushes, weights, count, rng, last, pull, care):
                spent += 1  # it looks, and gives up
                break
            last = pushes[draw_in_proportion(rng, weights, count)]
            spent += moves_of(board, position, last)
            push(board, position, last)
            if is_solved(board, position):
                outcome[0], outcome[1] = spent, 0
                return
            if is_dead(board, position, last // DIRECTIONS):
                break
            outcome[1] = min(outcome[1], pushes_left(board, position))
            look(board, position)


@kernel
def _weigh(
    board: BoardRecord,
    position: Position,
    pushes: Pushes,
    weights: Any,
    count: int,
    rng: Rng,
    last: int,
    pull: float,
    care: float,
) -> bool:
    """Writes how likely each push is; False if there is none to make."""
    before, player = pushes_left(board, position), position.player
    total = 0.0
    for k in range(count):
        push(board, position, pushes[k])
        weights[k] = pull if pushes_left(board, position) < before else 1.0
        if care > 0.0 and uniform(rng) < care and is_dead(board, position, pushes[k] // DIRECTIONS):
            weights[k] = 0.0
        if pushes[k] == last ^ 2:
            weights[k] *= BACK
        unpush(board, position, pushes[k], player)
        total += weights[k]
    return total > 0.0
