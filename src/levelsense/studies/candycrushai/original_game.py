"""The game of CandyCrush.ai as its authors' program plays it, and their agents in it.

Each step of a cascade clears one group only, the biggest: the lines through one cell, across and down. The
others wait, and count as the next combo. Ours clears all lines of a board at once. The agents, too, are those
of the program where it differs from the paper.
"""

from typing import Any, Final

import numpy as np

from levelsense.game.state import Array
from levelsense.kernel import kernel
from levelsense.rng import Rng, below

SIZE: Final = 9
COLORS: Final = 5
TURNS: Final = 50
SAMPLES: Final = 25
STEP: Final = 0.2  # how far a sample moves Q
DEPTH: Final = 5  # moves of an episode
DISCOUNT: Final = 0.5
MOST_MOVES: Final = SIZE * SIZE
DOWN_SWAP: Final = SIZE * SIZE  # added to a cell's number: the swap with the cell below, not to the right

FIRST, RANDOM, GREEDY, GREEDY_BY_ROW, SAMPLING, UTILITY = range(6)
AGENTS: Final = ("first", "random", "greedy", "greedy by row", "sampling", "utility")


@kernel
def _runs(grid: Array, row: int, column: int) -> tuple[int, int, int, int]:
    """How many cells above, below, left and right of a cell show its color without a break."""
    color = grid[row, column]
    up, down, left, right = 0, 0, 0, 0
    while row - up > 0 and grid[row - up - 1, column] == color:
        up += 1
    while row + down + 1 < SIZE and grid[row + down + 1, column] == color:
        down += 1
    while column - left > 0 and grid[row, column - left - 1] == color:
        left += 1
    while column + right + 1 < SIZE and grid[row, column + right + 1] == color:
        right += 1
    return up, down, left, right


@kernel
def _group_size(grid: Array, row: int, column: int) -> int:
    """The cells of the lines of three or more through a cell, which counts once."""
    up, down, left, right = _runs(grid, row, column)
    tall, wide = up + down, left + right
    size = tall if tall >= 2 else 0
    size += wide if wide >= 2 else 0
    return size + 1 if size else 0


@kernel
def _drop(grid: Array, rng: Rng, column: int, top: int, bottom: int) -> None:
    """Clears some cells of a column: what is above falls, and new candies come in. Modified in place."""
    gone = bottom - top + 1
    for row in range(top - 1, -1, -1):
        grid[row + gone, column] = grid[row, column]
    for row in range(gone):
        grid[row, column] = 1 + below(rng, COLORS)


@kernel
def clear_biggest(grid: Array, rng: Rng) -> int:
    """Clears the biggest group, of equals the first; returns its size, 0 if there is none.

    Grid and rng are modified in place.
    """
    best, best_row, best_column = 0, 0, 0
    for row in range(SIZE):
        for column in range(SIZE):
            size = _group_size(grid, row, column)
            if size > best:
                best, best_row, best_column = size, row, column
    if best == 0:
        return 0
    up, down, left, right = _runs(grid, best_row, best_column)
    if up + down < 2:
        up, down = 0, 0
    if left + right < 2:
        left, right = 0, 0
    for column in range(best_column - left, best_column + right + 1):
        if column == best_column:
            _drop(grid, rng, column, best_row - up, best_row + down)
        else:
            _drop(grid, rng, column, best_row, best_row)
    return best


@kernel
def cascade(grid: Array, rng: Rng) -> int:
    """Clears until no line stands; returns the score, by section 4.1. Modified in place."""
    score, combo = 0, 1
    size = clear_biggest(grid, rng)
    while size:
        score += 10 * (size * size - size) * combo
        combo += 1
        size = clear_biggest(grid, rng)
    return score


@kernel
def _swap(grid: Array, move: int) -> tuple[int, int, int, int]:
    """Swaps the two cells of a move; returns them. Modified in place."""
    cell = move % DOWN_SWAP
    row, column = cell // SIZE, cell % SIZE
    row2 = row + 1 if move >= DOWN_SWAP else row
    column2 = column if move >= DOWN_SWAP else column + 1
    grid[row, column], grid[row2, column2] = grid[row2, column2], grid[row, column]
    return row, column, row2, column2


@kernel
def _is_legal(grid: Array, move: int) -> bool:
    """Whether a swap within the board makes a line. The grid is swapped and swapped back."""
    row, column, row2, column2 = _swap(grid, move)
    legal = _group_size(grid, row, column) > 0 or _group_size(grid, row2, column2) > 0
    _swap(grid, move)
    return legal


@kernel
def list_legal(grid: Array, moves: Array) -> int:
    """Writes the legal moves, row by row; of a cell whose swap to the right is legal not the one down."""
    count = 0
    for row in range(SIZE):
        for column in range(SIZE):
            cell = row * SIZE + column
            move = -1
            if column + 1 < SIZE and _is_legal(grid, cell):
                move = cell
            elif row + 1 < SIZE and _is_legal(grid, cell + DOWN_SWAP):
                move = cell + DOWN_SWAP
            if move >= 0:
                moves[count] = move
                count += 1
    return count


@kernel
def play_swap(grid: Array, rng: Rng, move: int) -> int:
    """Plays a move; returns its score. Modified in place."""
    _swap(grid, move)
    return cascade(grid, rng)


@kernel
def deal_grid(grid: Array, rng: Rng, moves: Array) -> int:
    """Deals a board whose lines are cleared and that has legal moves; returns how many. Modified in place."""
    count = 0
    while count == 0:
        for row in range(SIZE):
            for column in range(SIZE):
                grid[row, column] = 1 + below(rng, COLORS)
        cascade(grid, rng)
        count = list_legal(grid, moves)
    return count


@kernel
def _median(values: Array, count: int) -> float:
    """The median of the first values, which are sorted in place."""
    for k in range(1, count):
        value, at = values[k], k
        while at > 0 and values[at - 1] > value:
            values[at] = values[at - 1]
            at -= 1
        values[at] = value
    return (values[count // 2] + values[(count - 1) // 2]) / 2  # type: ignore[no-any-return]


@kernel
def _utility(
    grid: Array, trial: Array, rng: Rng, move: int, turns: int, moves: Array, values: Array
) -> float:
    """Feature 5: the median over episodes of their discounted scores; after the first, moves are random."""
    for k in range(SAMPLES):
        trial[:] = grid
        total, weight, step = 0.0, 1.0, move
        for depth in range(min(DEPTH, turns)):
            if depth:
                count = list_legal(trial, moves)
                if count == 0:
                    break
                step = moves[below(rng, count)]
            total += weight * play_swap(trial, rng, step)
            weight *= DISCOUNT
        values[k] = total
    return _median(values, SAMPLES)


@kernel
def _choose_greedy(grid: Array, trial: Array, rng: Rng, moves: Array, count: int, by_row: bool) -> int:
    """The first move whose trial scores most; `by_row` looks at the first legal move of each row only.

    A trial plays the whole cascade with candies of its own.
    """
    best, chosen, last_row = -1, moves[0], -1
    for k in range(count):
        row = moves[k] % DOWN_SWAP // SIZE
        if by_row and row == last_row:
            continue
        last_row = row
        trial[:] = grid
        score = play_swap(trial, rng, moves[k])
        if score > best:
            best, chosen = score, moves[k]
    return chosen  # type: ignore[no-any-return]


@kernel
def _choose_sampling(grid: Array, trial: Array, rng: Rng, moves: Array, count: int, values: Array) -> int:
    """25 random first moves, each of which draws Q nearer to its score; the last of the best is played.

    The program simulates on to the end of the game, but Q of the positions on the way is 0 when the first
    move is updated, so that only the score of that move ever counts.
    """
    values[:count] = 0.0
    for _ in range(SAMPLES):
        k = below(rng, count)
        trial[:] = grid
        values[k] += STEP * (play_swap(trial, rng, moves[k]) - values[k])
    best = 0
    for k in range(1, count):
        if values[k] >= values[best]:
            best = k
    return moves[best]  # type: ignore[no-any-return]


@kernel
def play_game(agent: int, choice: Rng, rng: Rng, boards: Array, lists: Array, values: Array) -> int:
    """Plays a game; returns its score. `boards` holds two grids, `lists` two lists of moves.

    `choice` is the agent's generator, `rng` the game's. All are modified in place.
    """
    grid, trial = boards[0], boards[1]
    moves, others = lists[0], lists[1]
    count = deal_grid(grid, rng, moves)
    score = 0
    for turn in range(TURNS):
        move = moves[0]
        if agent == RANDOM:
            move = moves[below(choice, count)]
        elif agent in (GREEDY, GREEDY_BY_ROW):
            move = _choose_greedy(grid, trial, choice, moves, count, agent == GREEDY_BY_ROW)
        elif agent == SAMPLING:
            move = _choose_sampling(grid, trial, choice, moves, count, values)
        elif agent == UTILITY:
            best = -1.0
            for k in range(count):
                value = _utility(grid, trial, choice, moves[k], TURNS - turn, others, values)
                if value >= best:
                    best, move = value, moves[k]
        score += play_swap(grid, rng, move)
        count = list_legal(grid, moves)
        if count == 0:
            # The program cannot go on then; it happens in one of hundreds of games.
            count = deal_grid(grid, rng, moves)
    return score


def play_games(agent: str, seeds: Any) -> list[int]:
    """The scores of games: for each pair of seeds the game's and the agent's."""
    boards = np.zeros((2, SIZE, SIZE), np.int64)
    lists, values = np.zeros((2, MOST_MOVES), np.int64), np.zeros(MOST_MOVES)
    scores = []
    for pair in np.asarray(seeds, np.uint64):
        game, agent_seed = pair[:1].copy(), pair[1:].copy()
        scores.append(int(play_game(AGENTS.index(agent), agent_seed, game, boards, lists, values)))
    return scores
