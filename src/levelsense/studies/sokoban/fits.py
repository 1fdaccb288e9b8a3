"""The models that are compared: which columns each has, and its predictions of every level."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from levelsense.studies.run import StudyRun
from levelsense.studies.sokoban.columns import Columns, LevelColumns
from levelsense.studies.sokoban.data import PlayedLevel
from levelsense.studies.sokoban.judge import QUESTIONS, Counts, Judged, Question, Values, judge

MEAN, BOARD, SOLVED, COUNTED = "the mean", "board", "board, solution", "board, solution, positions"
AGENTS_ONLY, BOARD_PLAYED = "agents", "board, agents"
SOLVED_PLAYED, EVERYTHING = "board, solution, agents", "everything"
# The groups of columns of each model; every model but the mean knows the level's place in its collection.
MODELS: Final = {
    MEAN: (),
    BOARD: ("place", "board"),
    SOLVED: ("place", "board", "solution"),
    COUNTED: ("place", "board", "solution", "positions"),
    AGENTS_ONLY: ("place", "agents"),
    BOARD_PLAYED: ("place", "board", "agents"),
    SOLVED_PLAYED: ("place", "board", "solution", "agents"),
    EVERYTHING: ("place", "board", "solution", "positions", "agents"),
}
PART: Final = "fits"


@dataclass(frozen=True, eq=False)
class Table:
    """The levels that could be counted, their columns by group, and people's results."""

    levels: Sequence[PlayedLevel]
    groups: Sequence[dict[str, Columns]]
    counts: Counts

    def values(self, groups: Sequence[str]) -> Values:
        """The columns of some groups, a row a level."""
        rows = [
            [number for group in groups for number in of_level[group].values()] for of_level in self.groups
        ]
        return np.array(rows, float).reshape(len(rows), -1)


def place_columns(level: PlayedLevel) -> Columns:
    """Where a level is in its collection: who gets far is no beginner."""
    place = level.place or 0
    return {
        "place (log)": float(np.log1p(place)),
        "place (root)": float(np.sqrt(place)),
        "first of its collection": float(place == 1),
        "no place": float(level.place is None),
    }


def make_table(levels: Sequence[PlayedLevel], columns: Sequence[LevelColumns]) -> Table:
    """The table of the levels whose positions could be counted."""
    known = [
        (level, {"place": place_columns(level), **groups})
        for level, groups in zip(levels, columns, strict=True)
        if groups is not None
    ]
    counts = Counts(
        np.array([level.played for level, _ in known]),
        np.array([level.solved for level, _ in known]),
        [level.collection for level, _ in known],
    )
    return Table([level for level, _ in known], [groups for _, groups in known], counts)


def judge_models(run: StudyRun, table: Table) -> dict[tuple[Question, str], Judged]:
    """Every model's predictions by question and name, kept in the folder of the study."""
    asked = [(question, name) for question in QUESTIONS for name in MODELS]

    def make(number: int) -> dict[str, Any]:
        question, name = asked[number]
        judged = judge(question, table.values(MODELS[name]), table.counts)
        return {"levels": judged.levels.to_dict(as_series=False), "sigma": judged.sigma}

    keys = [f"{question.name}-{name}".replace(", ", "-").replace(" ", "_") for question, name in asked]
    rows = run.collect(PART, keys, make)
    return {
        of: Judged(pl.DataFrame(row["levels"]), row["sigma"]) for of, row in zip(asked, rows, strict=True)
    }
