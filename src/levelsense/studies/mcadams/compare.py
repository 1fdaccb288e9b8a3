"""The paper's players and ours side by side: who is held against whom, and whether a published t agrees."""

from typing import Final

from levelsense.studies.mcadams import published
from levelsense.studies.mcadams.cells import (
    PAPER_ATTEMPTS,
    RANDOM,
    TALL,
    Board,
    Cell,
    Cells,
    Player,
)
from levelsense.studies.page import Finding
from levelsense.studies.welch import TWO_SIDED_95, Welch

READING_ERROR: Final = 0.001  # of a chart's axis, which reaches 1.2 times the highest bar or so


def name(board: Board) -> str:
    """A board in words."""
    return f"{board[0]}x{board[1]}"


def played(label: str, board: Board) -> Player:
    """The player here that is held against a label of the paper: H1's ties go to the first move listed.

    On 10x5 the paper has both ways, as S and NS.
    """
    kind, *rest = label.split(".")
    if board == TALL:
        return Player("h1", int(rest[0]), "lowest" if kind == "S" else "first")
    if not rest:
        return RANDOM
    heuristic = rest[0].lower()
    return Player(heuristic, int(rest[1]), "first" if heuristic == "h1" else "lowest")


def cell_of(cells: Cells, board: Board, label: str) -> Cell:
    """The cell that is held against a label of the paper."""
    return cells[board, played(label, board).label]


def compared(cells: Cells, board: Board, first: str, second: str) -> Welch:
    """Two players of the paper on a board: game n of both begins with the same board, there as here."""
    return Welch(cell_of(cells, board, first).scores, cell_of(cells, board, second).scores, paired=True)


def t_finding(what: str, words: str, t: float, test: Welch, why: str = "") -> Finding:
    """A published t beside ours: agrees if 500 attempts of ours would have such a t in 95 of 100 cases."""
    low, high = test.t_range(PAPER_ATTEMPTS)
    ours = f"{test.t_of(PAPER_ATTEMPTS):.2f} ({low:.1f} to {high:.1f})"
    return Finding(what, words, ours, low <= t <= high, why)


def ratio(cells: Cells, board: Board, first: str, second: str) -> float:
    """The mean score of one player of the paper as a share of another's."""
    return cell_of(cells, board, first).mean / cell_of(cells, board, second).mean


def means_agree(board: Board, label: str, cells: Cells) -> bool:
    """Whether a published mean differs from ours by no more than its 95 % interval, and what can be read."""
    cell = cell_of(cells, board, label)
    mean, _, deviation = published.SCORES[board][label]
    error = (deviation**2 / PAPER_ATTEMPTS + cell.variance / len(cell.scores)) ** 0.5
    reading = READING_ERROR * 1.2 * max(bars[0] for bars in published.SCORES[board].values())
    return bool(abs(mean - cell.mean) <= TWO_SIDED_95 * error + reading)
