"""Levels in numbers: what the board shows, what a solution takes, all positions, and how agents fare."""

import hashlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.studies.run import StudyRun
from levelsense.studies.sokoban.agents import AGENTS, agent_columns, play_attempts
from levelsense.studies.sokoban.board import BOX_ON_GOAL, DEAD, DIRECTIONS, NO_CELL, Board
from levelsense.studies.sokoban.data import PlayedLevel
from levelsense.studies.sokoban.moves import (
    MOST_PUSHES,
    list_pushes,
    moves_of,
    new_position,
    place,
    pushes_left,
)
from levelsense.studies.sokoban.space import Space, count_positions

CORRIDOR, DEAD_END = 2, 1  # neighbors of a cell
_LEAST: Final = 1e-9  # a chance that is 0
VERSION: Final = 1  # a change of agents or columns adds one: folders of other versions are refused
ATTEMPTS: Final = {False: 100, True: 16}  # of each agent at a level, in a full run and in a quick one
PART: Final = "levels"

Columns = dict[str, float]
# The columns of a level by what they are about; None if not all its positions can be counted.
LevelColumns = dict[str, Columns] | None


def pushes_at_start(board: Board) -> int:
    """About how many pushes are left at the start (moves.pushes_left)."""
    record, position = board.record, new_position()
    place(record, position, record.box, record.player)
    return int(pushes_left(record, position))


def board_columns(board: Board) -> dict[str, float]:
    """What can be seen without playing."""
    record, position = board.record, new_position()
    cells = int(record.cells)
    beside = (record.neighbor[:cells] != NO_CELL).sum(axis=1)
    rows, columns = zip(*board.places, strict=True)
    place(record, position, record.box, record.player)
    pushes = int(list_pushes(record, position, np.empty(MOST_PUSHES, np.int64)))
    return {
        "boxes (log)": float(np.log(record.boxes)),
        "cells (log)": float(np.log(cells)),
        "area (log)": float(np.log((1 + max(rows) - min(rows)) * (1 + max(columns) - min(columns)))),
        "boxes a cell": record.boxes / cells,
        "boxes on goals": "".join(board.rows).count(BOX_ON_GOAL) / record.boxes,
        "cells that a box may stand on": float((record.nearest[:cells] < DEAD).mean()),
        "neighbors of a cell": float(beside.mean()),
        "corridors": float((beside == CORRIDOR).mean()),
        "dead ends": float((beside == DEAD_END).mean()),
        "pushes to the goals (log)": float(np.log1p(pushes_at_start(board))),
        "pushes to choose from (log)": float(np.log1p(pushes)),
    }


def solution_columns(board: Board, space: Space) -> dict[str, float]:
    """What a solution with the fewest pushes takes; one of several, the first that was found."""
    pushes = len(space.solution) - 1
    if not pushes:
        return dict.fromkeys(SOLUTION, 0.0)
    start = pushes_at_start(board)
    left, moves, boxes, directions = _replayed(board, space.solution)
    home = np.array([board.record.is_goal[row[:-1]].sum() for row in space.solution])
    rises = np.diff([start, *left])
    return {
        "pushes (log)": float(np.log(pushes)),
        "moves (log)": float(np.log(sum(moves))),
        "moves a push (log)": float(np.log(sum(moves) / pushes)),
        "pushes beyond the least (log)": float(np.log(pushes / max(start, 1))),
        "changes of box (log)": float(np.log(1 + sum(a != b for a, b in pairwise(boxes)))),
        "changes of direction (log)": float(np.log(1 + sum(a != b for a, b in pairwise(directions)))),
        "pushes away from goals (log)": float(np.log1p((rises > 0).sum())),
        "pushes that bring nothing": float((rises >= 0).mean()),
        "boxes pushed off goals (log)": float(np.log1p((np.diff(home) < 0).sum())),
    }


SOLUTION: Final = (
    "pushes (log)",
    "moves (log)",
    "moves a push (log)",
    "pushes beyond the least (log)",
    "changes of box (log)",
    "changes of direction (log)",
    "pushes away from goals (log)",
    "pushes that bring nothing",
    "boxes pushed off goals (log)",
)


def _replayed(board: Board, solution: NDArray[np.int16]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Of each push of a solution: the pushes left after it, its moves, its box and its direction."""
    record, position = board.record, new_position()
    left, moves, boxes, directions = [], [], [], []
    for before, after in pairwise(solution):
        place(record, position, before, int(before[-1]))
        box = int(np.flatnonzero(before[:-1] != after[:-1])[0])
        direction = record.neighbor[before[box]].tolist().index(after[box])
        moves.append(int(moves_of(record, position, box * DIRECTIONS + direction)))
        place(record, position, after, int(after[-1]))
        left.append(int(pushes_left(record, position)))
        boxes.append(box)
        directions.append(direction)
    return left, moves, boxes, directions


def space_columns(space: Space) -> dict[str, float]:
    """What all positions of a board say: how large it is, and how easily it is spoiled."""
    luck = -np.log(np.maximum(1 - space.risk, _LEAST)).sum()
    return {
        "positions (log)": float(np.log(space.positions)),
        "pushes a position (log)": float(np.log(max(space.pushes, 1) / space.positions)),
        "solvable positions": space.solvable,
        "traps": space.traps,
        "traps along the solution": float(space.risk.mean()) if len(space.risk) else 0.0,
        "luck along the solution (log)": float(np.log1p(luck)),
        "choices along the solution (log)": float(np.log(space.choices).mean())
        if len(space.choices)
        else 0.0,
    }


Groups = Mapping[str, tuple[str, ...]]  # names of columns by what they are about


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
