"""McAdams' mean number of legal moves under random play, replicated.

"Approximating Optimal Strategy in Match-Three Puzzle Games", section V.
`levelsense study mcadams-moves` runs it; docs/studies/mcadams-moves.md shows its table.
"""

from dataclasses import dataclass

import numpy as np

from levelsense.agents.simple import play_attempts
from levelsense.game.moves import MOST_MOVES
from levelsense.game.record import level_record
from levelsense.game.state import new_state, new_work
from levelsense.level.level import Level
from levelsense.rng import new_rng
from levelsense.studies.page import Finding, StudyPage
from levelsense.studies.run import StudyRun

# Rows and columns against the published mean over random play of 20 moves with six colors.
PUBLISHED = {
    (5, 5): 3.28,
    (6, 6): 4.99,
    (7, 7): 7.72,
    (8, 8): 10.59,
    (9, 9): 14.31,
    (10, 10): 18.96,
    (10, 5): 7.284,
}


@dataclass(frozen=True)
class Comparison:
    """Our mean number of legal moves on a board, beside the published one."""

    rows: int
    columns: int
    published: float
    measured: float

    @property
    def gap(self) -> float:
        """How far ours is from theirs, as a share of theirs."""
        return self.measured / self.published - 1


def _study_level(rows: int, columns: int) -> Level:
    """The study's level: its rule set, six colors, 20 moves, a score goal out of reach."""
    return Level.model_validate(
        {
            "name": f"McAdams {rows}x{columns}",
            "rules": "mcadams",
            "colors": 6,
            "moves": 20,
            "board": [" ".join("." * columns)] * rows,
            "goals": {"score": 1_000_000_000},
        }
    )


def mean_legal_moves(rows: int, columns: int, attempts: int, seed: int) -> float:
    """The mean number of legal moves over all positions of random play."""
    record = level_record(_study_level(rows, columns))
    states = new_state(2)
    states[0] = record.start
    buffer = np.empty(MOST_MOVES, np.int64)
    moves, legal, _ = play_attempts(
        record.level, states, new_rng(seed), new_work(), new_rng(seed + 1), buffer, attempts
    )
    return float(legal / moves)


AGREES = 0.06  # a share of the published figure: the paper has no errors of its figures
ATTEMPTS = {False: 10_000, True: 1_000}


def compare(attempts: int = 10_000, seed: int = 0) -> list[Comparison]:
    """The comparison of every published board, each with so many attempts."""
    return [compare_board(board, attempts, seed) for board in PUBLISHED]


def compare_board(board: tuple[int, int], attempts: int, seed: int) -> Comparison:
    """The comparison of one board."""
    return Comparison(*board, PUBLISHED[board], mean_legal_moves(*board, attempts, seed))


def study(run: StudyRun) -> StudyPage:
    """Runs the study and gives its page."""
    attempts = ATTEMPTS[run.quick]
    run.claim("mcadams-moves", attempts=attempts)
    boards = list(PUBLISHED)
    rows = run.collect(
        "boards",
        [f"{rows}x{columns}" for rows, columns in boards],
        # The first seed that studies have is 1, and that of this one has been 0.
        lambda number: {"measured": compare_board(boards[number], attempts, run.seed - 1).measured},
    )
    page = StudyPage("mcadams-moves", "McAdams: mean number of legal moves")
    page.text(
        f"{attempts:,} attempts a board by random legal moves, six colors, 20 moves, the rule set `mcadams`.",
        f"Figures agree if they are within {AGREES:.0%}.",
    )
    compared = [
        Comparison(*board, PUBLISHED[board], row["measured"]) for board, row in zip(boards, rows, strict=True)
    ]
    page.findings(
        [
            Finding(
                f"{row.rows}x{row.columns}",
                f"{row.published:.2f}",
                f"{row.measured:.2f} ({100 * row.gap:+.1f} %)",
                abs(row.gap) <= AGREES,
            )
            for row in compared
        ]
    )
    return page
