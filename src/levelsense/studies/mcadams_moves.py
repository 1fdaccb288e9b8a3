"""McAdams' mean number of legal moves under random play, replicated.

"Approximating Optimal Strategy in Match-Three Puzzle Games", section V.
Run it with `python -m levelsense.studies.mcadams_moves`; docs/studies/mcadams-moves.md shows its table.
"""

import sys
from dataclasses import dataclass

import numpy as np

from levelsense.agents.simple import play_attempts
from levelsense.game.moves import MOST_MOVES
from levelsense.game.record import level_record
from levelsense.game.state import new_state, new_work
from levelsense.level.level import Level
from levelsense.rng import new_rng

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


def compare(attempts: int = 10_000, seed: int = 0) -> list[Comparison]:
    """The comparison of every published board, each with so many attempts."""
    return [
        Comparison(rows, columns, published, mean_legal_moves(rows, columns, attempts, seed))
        for (rows, columns), published in PUBLISHED.items()
    ]


def main() -> None:
    """Prints the comparison as the table of the study's page."""
    sys.stdout.write("| board | published | measured | gap |\n| --- | --- | --- | --- |\n")
    for row in compare():
        figures = f"{row.published:.2f} | {row.measured:.2f} | {100 * row.gap:+.1f} %"
        sys.stdout.write(f"| {row.rows}x{row.columns} | {figures} |\n")


if __name__ == "__main__":
    main()
