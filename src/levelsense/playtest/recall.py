"""Stored attempts as agents gave them: the way back from a table to rows of ATTEMPT_DTYPE."""

import json
from typing import Any

import numpy as np
import polars as pl

from levelsense.agents.attempt import ATTEMPT_DTYPE
from levelsense.game.level import Level
from levelsense.game.state import COUNT_NAMES, LOST, REASON_NAMES, WON
from levelsense.playtest.rows import LEFT, unpack_cells

_SAME = ("score", "moves_made", "shuffles", "longest_cascade")
_SPECIALS = {"striped": "striped", "wrapped": "wrapped", "color_bomb": "color bomb"}


def recall_attempts(level: Level, table: pl.DataFrame) -> Any:
    """Attempts (ATTEMPT_DTYPE) from rows of ROW_SCHEMA.

    A table knows the counts that the level asks for and specials made; other counts are 0. Of what was left
    on a board it knows where, not how many layers: each such cell has 1. Boards of won attempts are empty.
    The least time left before a move is taken for that before the last, which counts as one round.
    """
    rows = np.zeros(table.height, ATTEMPT_DTYPE)
    for name in _SAME:
        rows[name] = table[name].to_numpy()
    rows["status"] = np.where(table["won"].to_numpy(), WON, LOST)
    rows["reason"] = [REASON_NAMES.index(reason) for reason in table["reason"]]
    rows["moves_left"] = table["moves_left"].fill_null(0).to_numpy()
    rows["time_left"] = np.rint(1000 * table["time_left"].fill_null(0).to_numpy())
    rows["least_time"] = _before_last(level, rows["time_left"])
    legal = table["legal_moves"].fill_null(0).to_numpy() * table["moves_made"].to_numpy()
    rows["legal_moves"] = np.rint(legal)
    for column, name in _SPECIALS.items():
        rows["count"][:, COUNT_NAMES.index(name)] = table[column].to_numpy()
    _recall_goals(level, table, rows)
    for column, field in LEFT.items():
        kept = table[column].is_not_null().to_numpy()
        if kept.any():
            rows[field][kept] = unpack_cells(table[column].drop_nulls().to_list())
    return rows


def _before_last(level: Level, time_left: Any) -> Any:
    """The time left before the last move, in milliseconds, from that in the end."""
    if level.seconds is None:
        return time_left
    at_least = round(1000 * (level.pace.move + level.pace.round))
    return np.minimum(time_left + at_least, round(1000 * level.seconds))


def _recall_goals(level: Level, table: pl.DataFrame, rows: Any) -> None:
    """Writes the counts that the level asks for. The rows are modified in place."""
    done = [json.loads(text) for text in table["goals"]]
    for name in level.asked:
        if name != "score":
            rows["count"][:, COUNT_NAMES.index(name)] = [counts[name] for counts in done]
