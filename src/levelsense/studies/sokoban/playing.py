"""Agents play the levels, and all that is known of a level goes into one row of numbers."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from levelsense.studies.run import StudyRun
from levelsense.studies.sokoban.agents import AGENTS, agent_columns, play_attempts
from levelsense.studies.sokoban.columns import (
    board_columns,
    pushes_at_start,
    solution_columns,
    space_columns,
)
from levelsense.studies.sokoban.data import PlayedLevel
from levelsense.studies.sokoban.space import count_positions

VERSION: Final = 1  # a change of agents or columns adds one: folders of other versions are refused
ATTEMPTS: Final = {False: 100, True: 16}  # of each agent at a level, in a full run and in a quick one
PART: Final = "levels"

Columns = dict[str, float]
# The columns of a level by what they are about; None if not all its positions can be counted.
LevelColumns = dict[str, Columns] | None


def level_columns(level: PlayedLevel, attempts: int, seed: int) -> Mapping[str, Any]:
    """Everything about a level in numbers, by group: of the board, a solution, all positions, the agents."""
    space = count_positions(level.board)
    if space is None:
        return {"groups": None}
    start = pushes_at_start(level.board)
    played: Columns = {}
    for agent in AGENTS:
        played |= agent_columns(agent, play_attempts(level.board, agent, attempts, seed), start)
    return {
        "groups": {
            "board": board_columns(level.board),
            "solution": solution_columns(level.board, space),
            "positions": space_columns(space),
            "agents": played,
        }
    }


def play_levels(run: StudyRun, levels: Sequence[PlayedLevel]) -> list[LevelColumns]:
    """The columns of each level, kept in the folder of the study as they are made."""
    attempts = ATTEMPTS[run.quick]
    boards = "\n".join("/".join(level.board.rows) for level in levels)
    run.claim("sokoban", version=VERSION, boards=hashlib.sha256(boards.encode()).hexdigest()[:16])
    keys = [f"{number:04}" for number in range(1, len(levels) + 1)]
    rows = run.collect(PART, keys, lambda number: level_columns(levels[number], attempts, run.seed))
    return [row["groups"] for row in rows]
