"""Positions with the moves made in them as a table: a row a move, which any program can read."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

import polars as pl

from levelsense.game.game import Move
from levelsense.game.record import level_record
from levelsense.game.state import COUNT_NAMES, State
from levelsense.game.text import DRAWINGS, drawings, read_cells
from levelsense.level.level import Level
from levelsense.people.positions import Positions

# Every column, in the order in which they are written, with its type where this library writes Parquet.
POSITION_SCHEMA: Final = {
    "level": pl.String,
    "digest": pl.String,
    "player": pl.String,
    "type": pl.String,
    "cohort": pl.String,
    "attempt": pl.Int64,
    "turn": pl.Int64,
    "moves_left": pl.Int64,
    "seconds_left": pl.Float64,
    "goals_left": pl.String,
    "board": pl.String,
    "jelly": pl.String,
    "locks": pl.String,
    "legal_moves": pl.String,
    "move": pl.String,
    "score": pl.Int64,
    "counts": pl.String,
    "dropped": pl.String,
    "paid": pl.Int64,
    "shuffles": pl.Int64,
    "longest": pl.Int64,
}
ROW_END: Final = "/"  # between the rows of a drawing


def position_table(positions: Positions) -> pl.DataFrame:
    """Positions as rows (POSITION_SCHEMA). Legal moves are listed only where they are not by these rules."""
    level, states, asked = positions.level, positions.states, positions.level.asked
    drawn = [_drawings(level, state) for state in states]
    timed = level.seconds is not None
    columns = {
        "level": [positions.name] * len(positions),
        "digest": [level.digest] * len(positions),
        "player": positions.player,
        "type": positions.type,
        "cohort": positions.cohort,
        "attempt": positions.attempt,
        "turn": positions.turn,
        "moves_left": None if timed else states["moves_left"],
        "seconds_left": states["time_left"] / 1000 if timed else None,
        "goals_left": [_goals_words(asked, state) for state in states],
        **{name: [each[name] for each in drawn] for name in DRAWINGS},
        "legal_moves": _own_words(positions),
        "move": [_move_word(int(code)) for code in positions.codes],
        "score": states["score"],
        "counts": [_counts_words(state) for state in states],
        "dropped": [" ".join(map(str, state.dropped[: len(level.all_drops)].tolist())) for state in states],
        "paid": states["paid"],
        "shuffles": states["shuffles"],
        "longest": states["longest_cascade"],
    }
    series = {name: pl.Series(values, dtype=None) for name, values in columns.items() if values is not None}
    table = pl.DataFrame(series).with_columns(
        pl.lit(None, kind).alias(name) for name, kind in POSITION_SCHEMA.items() if name not in series
    )
    return table.select(pl.col(name).cast(kind) for name, kind in POSITION_SCHEMA.items())


@cache
def _move_word(code: int) -> str:
    return str(Move.from_code(code))


def _own_words(positions: Positions) -> list[str] | None:
    if positions.own is None:
        return None
    codes, offsets = positions.own
    words = [_move_word(int(code)) for code in codes]
    return [" ".join(words[begin:end]) for begin, end in pairwise(offsets)]


def _drawings(level: Level, state: State) -> dict[str, str | None]:
    """The drawings of a state, each in one line; None where there is nothing to draw."""
    tokens = drawings(read_cells(level_record(level), state))
    return {name: _line(tokens[name], level.columns) if name in tokens else None for name in DRAWINGS}


def _line(tokens: Sequence[str], columns: int) -> str:
    rows = (" ".join(tokens[first : first + columns]) for first in range(0, len(tokens), columns))
    return f" {ROW_END} ".join(rows)


def _goals_words(asked: Mapping[str, int], state: State) -> str:
    done = {"score": int(state.score), **dict(zip(COUNT_NAMES, state.count.tolist(), strict=True))}
    return _words((name, number - done[name]) for name, number in asked.items())


def _counts_words(state: State) -> str:
    return _words(zip(COUNT_NAMES, state.count.tolist(), strict=True))


def _words(numbers: Iterable[tuple[str, int]]) -> str:
    """Names with their numbers, those above 0."""
    return ", ".join(f"{name} {number}" for name, number in numbers if number > 0)
