"""The three families of agents, each with settings from clumsy to keen, and their attempts at a board."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.playtest.plan import attempt_seeds
from levelsense.rng import Rng, new_rng
from levelsense.studies.sokoban.board import Board
from levelsense.studies.sokoban.moves import MOST_PUSHES, new_position
from levelsense.studies.sokoban.plan import plan
from levelsense.studies.sokoban.search import search
from levelsense.studies.sokoban.table import new_table
from levelsense.studies.sokoban.walk import NOT_SOLVED, walk

MOST_NODES: Final = 40_000  # positions that a search keeps
MOST_AHEAD: Final = 1_000  # that a look ahead does
ONE_TRY: Final = 600  # moves, after which a walker starts again
CENSORED: Final = 3  # an attempt that fails counts as if it had taken so many times its budget


class Desk:
    """Working memory for the attempts at one board."""

    def __init__(self, board: Board) -> None:
        self.board = board.record
        self.position = new_position()
        self.pushes, self.weights = np.empty(MOST_PUSHES, np.int64), np.empty(MOST_PUSHES)
        self.nodes = np.zeros((MOST_NODES, board.record.boxes + 1), np.int16)
        self.heap, self.priority = np.zeros(MOST_NODES, np.int64), np.zeros(MOST_NODES)
        self.depths, self.stamps = np.zeros(MOST_AHEAD, np.int64), np.zeros(2, np.int64)
        self.table, self.ahead, self.visited = map(new_table, (MOST_NODES, MOST_AHEAD, 4 * MOST_AHEAD))


Outcome = NDArray[np.int64]  # the effort until it was solved, or NOT_SOLVED, and the fewest pushes left
Play = Callable[[Desk, Rng, int, Outcome], None]


@dataclass(frozen=True)
class SokobanAgent:
    """An agent: how it plays an attempt, and the budgets at which its success counts, the last being all.

    The unit of effort is a move of the walkers, a position of the searchers, and a push of the planners.
    """

    name: str
    budgets: tuple[int, ...]
    play: Play


def _walker(pull: float, care: float) -> Play:
    def play(desk: Desk, rng: Rng, budget: int, outcome: Outcome) -> None:
        walk(desk.board, desk.position, desk.pushes, desk.weights, rng, budget, ONE_TRY, pull, care, outcome)

    return play


def _searcher(noise: float) -> Play:
    def play(desk: Desk, rng: Rng, budget: int, outcome: Outcome) -> None:
        desk.stamps[0] += 1
        search(
            desk.board,
            desk.position,
            desk.pushes,
            desk.nodes,
            desk.heap,
            desk.priority,
            desk.table,
            desk.stamps[0],
            rng,
            budget,
            noise,
            outcome,
        )

    return play


def _planner(depth: int, noise: float) -> Play:
    def play(desk: Desk, rng: Rng, budget: int, outcome: Outcome) -> None:
        plan(
            desk.board,
            desk.position,
            desk.pushes,
            desk.nodes[:MOST_AHEAD],
            desk.depths,
            desk.ahead,
            desk.visited,
            desk.stamps,
            rng,
            budget,
            depth,
            noise,
            outcome,
        )

    return play


_WALK: Final = (300, 1_000, 3_000, 10_000)
_SEARCH: Final = (20, 60, 200, 600, 2_000)
_PLAN: Final = (50, 150, 500, 1_000)
AGENTS: Final = (
    SokobanAgent("walk", _WALK, _walker(pull=1, care=0)),
    SokobanAgent("walk:pull=4,care=0.8", _WALK, _walker(pull=4, care=0.8)),
    SokobanAgent("walk:pull=10,care=0.8", _WALK, _walker(pull=10, care=0.8)),
    SokobanAgent("search:noise=0.5", _SEARCH, _searcher(noise=0.5)),
    SokobanAgent("search:noise=2", _SEARCH, _searcher(noise=2)),
    SokobanAgent("plan:depth=1", _PLAN, _planner(depth=1, noise=0.3)),
    SokobanAgent("plan:depth=2", _PLAN, _planner(depth=2, noise=0.3)),
    SokobanAgent("plan:depth=4", _PLAN, _planner(depth=4, noise=0.3)),
)


def play_attempts(board: Board, agent: SokobanAgent, attempts: int, seed: int) -> Outcome:
    """A row an attempt: the effort until it was solved, or NOT_SOLVED, and the fewest pushes left.

    The same board, agent and seed give the same attempts, whatever was played before.
    """
    desk, outcomes = Desk(board), np.zeros((attempts, 2), np.int64)
    seeds = attempt_seeds("/".join(board.rows), agent.name, seed, 0, attempts)
    for attempt_seed, outcome in zip(seeds[:, 1], outcomes, strict=True):
        agent.play(desk, new_rng(int(attempt_seed)), agent.budgets[-1], outcome)
    return outcomes


def agent_columns(agent: SokobanAgent, outcomes: Outcome, start: int) -> dict[str, float]:
    """What an agent's attempts say in numbers; `start` is how many pushes were left at the start.

    rate N    log((solved + 1/2) / (failed + 1/2)) with a budget of N
    effort    mean logarithm of the effort
    left      mean share of the pushes that were left at best
    """
    effort, attempts = outcomes[:, 0], len(outcomes)
    columns = {}
    for budget in agent.budgets:
        solved = int(((effort != NOT_SOLVED) & (effort <= budget)).sum())
        columns[f"{agent.name}: rate {budget}"] = float(np.log((solved + 0.5) / (attempts - solved + 0.5)))
    whole = np.where(effort == NOT_SOLVED, CENSORED * agent.budgets[-1], effort)
    columns[f"{agent.name}: effort"] = float(np.log(whole).mean())
    columns[f"{agent.name}: left"] = float((outcomes[:, 1] / max(start, 1)).mean())
    return columns
