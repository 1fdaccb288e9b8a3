"""Attempts written by hand, so that a test's reader can do the sums."""

from typing import Any

import numpy as np

from levelsense.agents.attempt import ATTEMPT_DTYPE, AttemptRecords
from levelsense.game.state import COUNT_NAMES, GOALS_MET, LOST, OUT_OF_MOVES, OUT_OF_TIME, STRIDE, WON
from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts


def small_level(**keys: Any) -> Level:
    """A 3 x 4 level with a gap at its upper left corner, ten moves, and a goal of 1,000 points."""
    written = {
        "name": "small",
        "moves": 10,
        "board": ["- . . .", ". . . .", ". . . ."],
        "goals": {"score": 1000},
    }
    return Level.model_validate({key: value for key, value in (written | keys).items() if value is not None})


def won(level: Level, **fields: Any) -> dict[str, Any]:
    """A won attempt: every goal is just met, unless something else is said."""
    return {"status": WON, "reason": GOALS_MET, **level.asked, **fields}


def lost(level: Level, **fields: Any) -> dict[str, Any]:
    """A lost attempt: nothing is done, unless something else is said."""
    reason = OUT_OF_MOVES if level.seconds is None else OUT_OF_TIME
    return {"status": LOST, "reason": reason, **fields}


def attempts_at(level: Level, *attempts: dict[str, Any]) -> Attempts:
    """Attempts at a level, each written as for `records_of`."""
    return Attempts.from_records(level, 0, records_of(*attempts))


def records_of(*attempts: dict[str, Any]) -> AttemptRecords:
    """Records of attempts: fields by their names, counts by theirs; `jelly_left` and such as lists of cells.

    A cell is its row and column from 0.
    """
    records = np.zeros(len(attempts), ATTEMPT_DTYPE)
    for record, attempt in zip(records, attempts, strict=True):
        for name, value in attempt.items():
            if name in COUNT_NAMES:
                record["count"][COUNT_NAMES.index(name)] = value
            elif name.endswith("_left") and isinstance(value, list):
                for at, column in value:
                    record[name][at * STRIDE + column] = 1
            else:
                record[name] = value
    return records
