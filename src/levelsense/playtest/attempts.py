"""The attempts of one agent at one level: one form in which they are stored, read back and computed on."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.agents.attempt import AttemptRecords
from levelsense.errors import PlaytestError
from levelsense.game.state import CELLS, COUNT_NAMES, REASON_NAMES, WON
from levelsense.level.level import Level

# What is known of one attempt. Numbers that a level's limit makes meaningless are null.
ROW_SCHEMA: Final = {
    "attempt": pl.Int64(),  # its number, from 0
    "won": pl.Boolean(),
    "reason": pl.String(),  # goals met, moves, time, bomb, no move possible
    "score": pl.Int64(),
    "stars": pl.Int32(),
    "moves_made": pl.Int32(),
    "moves_left": pl.Int32(),  # null in a level with seconds
    "time_left": pl.Float64(),  # seconds; null in a level with moves
    "least_time": pl.Float64(),  # seconds, before a move; null like time_left, and in older databases
    "shuffles": pl.Int32(),
    "longest_cascade": pl.Int32(),  # rounds
    "striped": pl.Int32(),  # made, like the next two
    "wrapped": pl.Int32(),
    "color_bomb": pl.Int32(),
    "legal_moves": pl.Float64(),  # mean over the positions; null if no move was made
    "goals": pl.String(),  # JSON: what was done of each goal
    "left_jelly": pl.Binary(),  # cells as bits, see pack_cells; null if won
    "left_blocker": pl.Binary(),
    "left_ingredient": pl.Binary(),
}
# Columns of what was left on the board, and the fields of the kernels' records that they come from.
LEFT_COLUMNS: Final = {
    "left_jelly": "jelly_left",
    "left_blocker": "blocker_left",
    "left_ingredient": "ingredient_left",
}
BOARD_BYTES: Final = CELLS // 8


@dataclass(frozen=True, eq=False, repr=False)
class Attempts:
    """An agent's attempts at a level: a table with a row each (ROW_SCHEMA), and its columns as arrays.

    Of counts it knows those that the level asks for and specials made; of what was left on the boards of
    lost attempts it knows where, not how many layers.
    """

    level: Level
    frame: pl.DataFrame

    @classmethod
    def from_records(cls, level: Level, first: int, records: AttemptRecords) -> Self:
        """Attempts first, first + 1, ..., from the records that an agent's kernels wrote (ATTEMPT_DTYPE)."""
        return cls(level, _frame_of_records(level, first, records))

    @classmethod
    def from_frame(cls, level: Level, frame: pl.DataFrame) -> Self:
        """Attempts from a table with the columns of ROW_SCHEMA among its own; PlaytestError if one lacks."""
        for name, kind in ROW_SCHEMA.items():
            if frame.schema.get(name) != kind:
                raise PlaytestError(
                    f"a table of attempts: column {name!r} is {frame.schema.get(name, 'missing')}; "
                    f"expected {kind}"
                )
        return cls(level, frame.select(*ROW_SCHEMA))

    @classmethod
    def joined(cls, level: Level, parts: Iterable["Attempts"]) -> Self:
        """Attempts at a level from several parts, in their order; none at all if there is no part."""
        return cls(level, pl.concat([pl.DataFrame(schema=ROW_SCHEMA), *(part.frame for part in parts)]))

    def __len__(self) -> int:
        return self.frame.height

    def __repr__(self) -> str:
        return f"Attempts(level={self.level.name!r}, attempts={len(self)}, wins={self.wins})"

    def _repr_html_(self) -> str:
        return self.frame._repr_html_()

    def head(self, count: int) -> "Attempts":
        """The first attempts, at most so many."""
        return Attempts(self.level, self.frame.head(count))

    @cached_property
    def wins(self) -> int:
        """How many attempts were won."""
        return int(self.won.sum())

    # Columns as arrays, with an entry an attempt.

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """The attempts' numbers."""
        return self.frame["attempt"].to_numpy()

    @cached_property
    def won(self) -> NDArray[np.bool_]:
        """Whether all goals were met."""
        return self.frame["won"].to_numpy()

    @cached_property
    def score(self) -> NDArray[np.int64]:
        """The score at the end."""
        return self.frame["score"].to_numpy()

    @cached_property
    def moves_made(self) -> NDArray[np.int64]:
        """How many moves were made."""
        return self.frame["moves_made"].cast(pl.Int64).to_numpy()

    @cached_property
    def shuffles(self) -> NDArray[np.int64]:
        """How often the board was shuffled."""
        return self.frame["shuffles"].cast(pl.Int64).to_numpy()

    @cached_property
    def legal_moves(self) -> NDArray[np.int64]:
        """How many legal moves there were, added up over all positions."""
        return np.rint(self.frame["legal_moves"].fill_null(0).to_numpy() * self.moves_made).astype(np.int64)

    @cached_property
    def limit_left(self) -> NDArray[np.float64]:
        """What was left of the limit at the end: moves, or seconds, and at least 0."""
        column = "moves_left" if self.level.moves is not None else "time_left"
        return self.frame[column].cast(pl.Float64).clip(lower_bound=0.0).to_numpy()

    @cached_property
    def least_time(self) -> NDArray[np.int64]:
        """The least time left before a move, in milliseconds, in a level with seconds.

        Attempts that an older version stored did not note it. Theirs is estimated: the time before the last
        move, if that move was a single round. It is too short if the last move cascaded, and too long if time
        candies gave time back after a move before which less was left.
        """
        if self.level.seconds is None:
            raise PlaytestError(f"{self.level.name}: the least time left; expected a level with seconds")
        stored = self.frame["least_time"]
        pace, limit = self.level.pace, round(1000 * self.level.seconds)
        before_last = _milliseconds(self.frame["time_left"]) + round(1000 * (pace.move + pace.round))
        estimate = np.minimum(before_last, limit)
        return np.where(stored.is_null().to_numpy(), estimate, _milliseconds(stored))

    @cached_property
    def goal_counts(self) -> NDArray[np.int64]:
        """What was done of each goal: a row an attempt, a column a goal in the order of level.asked."""
        goals = list(self.level.asked)
        counts = self.frame["goals"].str.json_decode(pl.Struct(dict.fromkeys(goals, pl.Int64)))
        return np.stack([counts.struct.field(name).to_numpy() for name in goals], axis=1)

    @cached_property
    def goal_shares(self) -> NDArray[np.float64]:
        """The share of each goal that was done, from 0 to 1, in the same order."""
        return np.asarray(np.minimum(self.goal_counts / list(self.level.asked.values()), 1.0))

    def boards_left(self, column: str) -> NDArray[np.bool_]:
        """Where something was left, by a column of LEFT_COLUMNS: a board of CELLS for each lost attempt."""
        packed = self.frame.filter(~pl.col("won"))[column].to_list()
        return unpack_cells([bytes(BOARD_BYTES) if board is None else board for board in packed])


def _milliseconds(seconds: pl.Series) -> NDArray[np.int64]:
    return (1000 * seconds.fill_null(0)).round().cast(pl.Int64).to_numpy()


def _frame_of_records(level: Level, first: int, records: AttemptRecords) -> pl.DataFrame:
    won = records["status"] == WON
    moves_made = records["moves_made"]
    counts = {name: records["count"][:, k] for k, name in enumerate(COUNT_NAMES)}
    timed = level.seconds is not None
    columns = {
        "attempt": np.arange(first, first + len(records)),
        "won": won,
        "reason": [REASON_NAMES[code] for code in records["reason"].tolist()],
        "score": records["score"],
        "stars": _stars(level, records["score"], won),
        "moves_made": moves_made,
        "moves_left": None if timed else records["moves_left"],
        "time_left": records["time_left"] / 1000 if timed else None,
        "least_time": records["least_time"] / 1000 if timed else None,
        "shuffles": records["shuffles"],
        "longest_cascade": records["longest_cascade"],
        "striped": counts["striped"],
        "wrapped": counts["wrapped"],
        "color_bomb": counts["color bomb"],
        "legal_moves": _mean(records["legal_moves"], moves_made),
        "goals": _goal_texts(level, {"score": records["score"], **counts}, len(records)),
        **{name: _boards_of_lost(records[field], won) for name, field in LEFT_COLUMNS.items()},
    }
    return pl.DataFrame([_series(name, values, len(records)) for name, values in columns.items()])


def _series(name: str, values: NDArray[Any] | Sequence[object] | None, length: int) -> pl.Series:
    """A column of the schema's type; no values at all make a column of nulls."""
    kind = ROW_SCHEMA[name]
    if values is None:
        return pl.Series(name, [None] * length, dtype=kind)
    if isinstance(values, np.ndarray):
        # Fields of a record lie apart in memory.
        values = np.ascontiguousarray(values)
        return pl.Series(name, values).cast(kind)
    return pl.Series(name, values, dtype=kind)


def _stars(level: Level, score: NDArray[np.int64], won: NDArray[np.bool_]) -> NDArray[np.int32]:
    """A won attempt earns a star for each star score that it reaches (rules, section 10)."""
    reached = [(score >= star).astype(np.int32) for star in level.stars or ()]
    return won * sum(reached, np.zeros(len(won), np.int32))


def _mean(totals: NDArray[np.int64], positions: NDArray[np.int16]) -> list[float | None]:
    pairs = zip(totals.tolist(), positions.tolist(), strict=True)
    return [total / number if number else None for total, number in pairs]


def _goal_texts(level: Level, done: dict[str, NDArray[Any]], length: int) -> list[str]:
    """What was done of each goal, as JSON texts."""
    names = list(level.asked)
    # Names need no escapes, numbers neither: filling in a form is several times faster than json.dumps.
    form = json.dumps(dict.fromkeys(names, "%d"), separators=(",", ":")).replace('"%d"', "%d")
    if not names:
        return [form] * length
    return [form % numbers for numbers in zip(*(done[name].tolist() for name in names), strict=True)]


def _boards_of_lost(cells: NDArray[np.int8], won: NDArray[np.bool_]) -> list[bytes | None]:
    """Where something was left on the boards of lost attempts; None for won ones."""
    packed = pack_cells(cells)
    return [None if is_won else bits for bits, is_won in zip(packed, won.tolist(), strict=True)]


def pack_cells(cells: NDArray[Any]) -> list[bytes]:
    """Boards, a row of CELLS numbers each, as bits: set where it is not 0, the first cell in the highest."""
    return [row.tobytes() for row in np.packbits(cells != 0, axis=1)]


def unpack_cells(packed: Sequence[bytes]) -> NDArray[np.bool_]:
    """The boards that pack_cells packed: an (n, CELLS) array of truth values."""
    bits = np.frombuffer(b"".join(packed), np.uint8).reshape(len(packed), BOARD_BYTES)
    return np.unpackbits(bits, axis=1, count=CELLS).astype(bool)
