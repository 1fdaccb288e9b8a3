"""The cells of McAdams' study, a player on a board each: first boards as in his program, and attempts."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.registry import Agent, parse_agent
from levelsense.game.cascade import begin_cascade, clear_round, fall_round
from levelsense.game.moves import find_moves, rebuild_masks
from levelsense.game.state import CANDY, COUNT_NAMES, STRIDE, LevelRecord, State, Work
from levelsense.kernel import kernel
from levelsense.level.level import Level
from levelsense.rng import Draws, Rng, below
from levelsense.studies.run import StudyRun

MOVES: Final = 20
COLORS: Final = 6
# Rows and columns, and how far ahead players look there.
SQUARES: Final = {(5, 5): 3, (6, 6): 3, (7, 7): 3, (8, 8): 4, (9, 9): 4, (10, 10): 4}
TALL: Final = (10, 5)  # where ties are studied
TALL_DEPTH: Final = 3
TIED_DEPTH: Final = 2  # further ahead H1 hardly has ties
BOARDS: Final = (*SQUARES, TALL)
# Attempts by depth, 0 for random play. The paper has 500 everywhere; more where they cost little.
ATTEMPTS: Final = {
    False: {0: 10_000, 1: 2_000, 2: 2_000, 3: 1_000, 4: 500},
    True: {0: 500, 1: 100, 2: 100, 3: 60, 4: 25},
}
PAPER_ATTEMPTS: Final = 500
AT_ONCE: Final = {0: 1_000, 1: 500, 2: 250, 3: 100, 4: 25}  # attempts a file, some seconds each
RULES_DEAL, PROGRAM_DEAL = "rules", "program"

Board = tuple[int, int]


@dataclass(frozen=True)
class Player:
    """A player of the study: random, or a heuristic with a depth and a way to decide ties.

    `deal` says who makes the first board: the author's program, or our rules.
    """

    heuristic: str = ""
    depth: int = 0
    ties: str = "lowest"
    deal: str = PROGRAM_DEAL

    @property
    def label(self) -> str:
        """As the paper labels it; ties that go to the first move listed and our deal are marked."""
        name = f"S.{self.heuristic.upper()}.{self.depth}" if self.depth else "R"
        name += " (first)" if self.ties == "first" else ""
        return name + (" (our deal)" if self.deal == RULES_DEAL else "")

    @property
    def key(self) -> str:
        """The name of its files."""
        name = f"{self.heuristic}-{self.depth}-{self.ties}" if self.depth else "random"
        return name if self.deal == PROGRAM_DEAL else f"{name}-{self.deal}"

    @property
    def agent(self) -> Agent:
        """The agent that plays it."""
        if not self.depth:
            return parse_agent("random")
        return parse_agent(f"beam:depth={self.depth},heuristic={self.heuristic},ties={self.ties}")


RANDOM: Final = Player()
# The first board by our rules, where the paper's is made by its program: what that changes.
OUR_DEAL: Final = (
    Player(deal=RULES_DEAL),
    Player("h1", 1, "first", RULES_DEAL),
    Player("h2", 1, deal=RULES_DEAL),
)


def players_of(board: Board) -> list[Player]:
    """The players of a board."""
    if board == TALL:
        depths = range(1, TALL_DEPTH + 1)
        return [RANDOM, *(Player("h1", depth, ties) for depth in depths for ties in ("lowest", "first"))]
    players = [RANDOM]
    for depth in range(1, SQUARES[board] + 1):
        players += [Player("h1", depth, "first"), Player("h2", depth)]
        players += [Player("h1", depth)] if depth <= TIED_DEPTH else []
    return players + list(OUR_DEAL)


def attempts_of(player: Player, quick: bool) -> int:
    """How many attempts a player has on each board."""
    return ATTEMPTS[quick][player.depth]


def study_level(board: Board) -> Level:
    """The paper's level: its rule set, six colors, 20 moves, a score goal out of reach."""
    rows, columns = board
    return Level.model_validate(
        {
            "name": f"McAdams {rows}x{columns}",
            "rules": "mcadams",
            "colors": COLORS,
            "moves": MOVES,
            "board": [" ".join("." * columns)] * rows,
            "goals": {"score": 1_000_000_000},
        }
    )


@dataclass(frozen=True)
class Cell:
    """The attempts of a player on a board."""

    board: Board
    player: Player
    scores: NDArray[np.float64]
    legal_moves: NDArray[np.float64]  # the mean over the positions of each attempt
    moves: NDArray[np.float64]
    seconds: float  # of a processor, for all of them

    @cached_property
    def mean(self) -> float:
        """The mean score."""
        return float(self.scores.mean())

    @cached_property
    def variance(self) -> float:
        """The variance of scores, of the sample."""
        return float(self.scores.var(ddof=1))

    @property
    def deviation(self) -> float:
        """The standard deviation of scores."""
        return float(self.variance**0.5)


Cells = dict[tuple[Board, str], Cell]  # by board and the label of the player


def play(board: Board, player: Player, numbers: range, seed: int) -> dict[str, Any]:
    """The attempts of some numbers: attempt n has the game's seed n, as in the paper."""
    seeds = np.zeros((len(numbers), 2), np.uint64)
    for row, number in enumerate(numbers):
        seeds[row] = (
            number + ((seed - 1) << 32),
            Draws("mcadams", seed, str(board), player.key, number).word(),
        )
    start = time.thread_time()
    deal = deal_and_clear if player.deal == PROGRAM_DEAL else None
    rows = player.agent.attempts(study_level(board), seeds, deal)
    seconds = time.thread_time() - start
    return {
        "scores": rows["score"].tolist(),
        "legal": rows["legal_moves"].tolist(),
        "moves": rows["moves_made"].tolist(),
        "seconds": seconds,
    }


def _batches(quick: bool) -> Iterator[tuple[Board, Player, range]]:
    """All that is to be played, what costs least first."""
    pairs = [(board, player) for board in BOARDS for player in players_of(board)]
    for board, player in sorted(pairs, key=lambda pair: pair[1].depth):
        attempts = attempts_of(player, quick)
        step = AT_ONCE[player.depth]
        for first in range(1, attempts + 1, step):
            yield board, player, range(first, min(first + step, attempts + 1))


def play_cells(run: StudyRun) -> Cells:
    """The attempts of every cell, played where they are not kept yet."""
    batches = list(_batches(run.quick))
    run.claim("mcadams", attempts={str(depth): number for depth, number in ATTEMPTS[run.quick].items()})
    # What is compiled is compiled before time is taken.
    for player in (RANDOM, Player("h1", 1), Player("h2", 1)):
        play((5, 5), player, range(1, 2), run.seed)
    keys = [f"{board[0]}x{board[1]}-{player.key}-{numbers.start:05}" for board, player, numbers in batches]
    kept = run.collect("attempts", keys, lambda number: play(*batches[number], run.seed))
    cells: Cells = {}
    for board in BOARDS:
        for player in players_of(board):
            mine = [row for row, batch in zip(kept, batches, strict=True) if batch[:2] == (board, player)]
            joined = {
                name: np.concatenate([row[name] for row in mine]) for name in ("scores", "legal", "moves")
            }
            cells[board, player.label] = Cell(
                board,
                player,
                joined["scores"].astype(float),
                joined["legal"] / joined["moves"],
                joined["moves"].astype(float),
                sum(row["seconds"] for row in mine),
            )
    return cells


@kernel
def deal_and_clear(level: LevelRecord, state: State, rng: Rng, work: Work) -> None:
    """Deals a full board without blockers, clears its lines as in play, and counts nothing of that.

    Striped candies and color bombs that the lines leave stay: the game begins with them. A board without a
    legal move is dealt again. All but the level are modified in place.
    """
    while True:
        for row in range(level.rows):
            for column in range(level.columns):
                state.piece[row * STRIDE + column] = CANDY
                state.color[row * STRIDE + column] = level.color_table[below(rng, level.table_size)]
        begin_cascade(work)
        rebuild_masks(level, state, work)
        while clear_round(level, state, rng, work):
            fall_round(level, state, rng, work)
        state.score = 0
        state.longest_cascade = 0
        for k in range(len(COUNT_NAMES)):
            state.count[k] = 0
        if find_moves(level, state, work):
            return
