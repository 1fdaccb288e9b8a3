"""Attempts as a table: one row each, as the database keeps it and the statistics read it."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.agents.attempt import ATTEMPT_DTYPE, Attempts
from levelsense.game.state import CELLS, COUNT_NAMES, LOST, REASON_NAMES, WON
from levelsense.level.level import Level
from levelsense.playtest.plan import attempt_seeds

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
# Whose attempt it is; together with its number, what makes a row one of a kind.
KEY_SCHEMA: Final = {
    "level": pl.String(),  # digest
    "name": pl.String(),
    "agent": pl.String(),  # canonical spec
    "rules": pl.Int32(),  # version
    "seed": pl.Int64(),  # of the run
}
TABLE_SCHEMA: Final = KEY_SCHEMA | ROW_SCHEMA
SEED_COLUMNS: Final = ("game_seed", "agent_seed")
LEFT: Final = {
    "left_jelly": "jelly_left",
    "left_blocker": "blocker_left",
    "left_ingredient": "ingredient_left",
}


def empty_rows() -> pl.DataFrame:
    """A table of attempts without any."""
    return pl.DataFrame(schema=ROW_SCHEMA)


def attempt_rows(level: Level, first: int, attempts: Any) -> pl.DataFrame:
    """Rows for attempts first, first + 1, ..., from what an agent gives (ATTEMPT_DTYPE)."""
    won = attempts["status"] == WON
    made = attempts["moves_made"]
    counts = {name: attempts["count"][:, k] for k, name in enumerate(COUNT_NAMES)}
    timed = level.seconds is not None
    columns = {
        "attempt": np.arange(first, first + len(attempts)),
        "won": won,
        "reason": [REASON_NAMES[code] for code in attempts["reason"].tolist()],
        "score": attempts["score"],
        "stars": _stars(level, attempts["score"], won),
        "moves_made": made,
        "moves_left": None if timed else attempts["moves_left"],
        "time_left": attempts["time_left"] / 1000 if timed else None,
        "shuffles": attempts["shuffles"],
        "longest_cascade": attempts["longest_cascade"],
        "striped": counts["striped"],
        "wrapped": counts["wrapped"],
        "color_bomb": counts["color bomb"],
        "legal_moves": _mean(attempts["legal_moves"], made),
        "goals": _goals(level, {"score": attempts["score"], **counts}, len(attempts)),
        **{name: _left(attempts[field], won) for name, field in LEFT.items()},
    }
    return pl.DataFrame([_series(name, values, len(attempts)) for name, values in columns.items()])


def _series(name: str, values: Any, length: int) -> pl.Series:
    """A column of the schema's type; no values at all make a column of nulls."""
    kind = ROW_SCHEMA[name]
    if values is None:
        return pl.Series(name, [None] * length, dtype=kind)
    if isinstance(values, np.ndarray):
        # Fields of a record lie apart in memory.
        values = np.ascontiguousarray(values)
        return pl.Series(name, values).cast(kind)
    return pl.Series(name, values, dtype=kind)


def _stars(level: Level, score: Any, won: Any) -> Any:
    """A won attempt earns a star for each star score that it reaches (rules, section 10)."""
    return won * sum(
        ((score >= star).astype(np.int32) for star in level.stars or ()), np.zeros(len(won), np.int32)
    )


def _mean(total: Any, positions: Any) -> list[float | None]:
    pairs = zip(total.tolist(), positions.tolist(), strict=True)
    return [legal / seen if seen else None for legal, seen in pairs]


def _goals(level: Level, done: dict[str, Any], length: int) -> list[str]:
    """What was done of each goal, as JSON texts."""
    names = list(level.asked)
    # Names need no escapes, numbers neither: filling in a form is several times faster than json.dumps.
    form = json.dumps(dict.fromkeys(names, "%d"), separators=(",", ":")).replace('"%d"', "%d")
    if not names:
        return [form] * length
    return [form % numbers for numbers in zip(*(done[name].tolist() for name in names), strict=True)]


def _left(cells: Any, won: Any) -> list[bytes | None]:
    """Where something was left on the boards of lost attempts."""
    packed = pack_cells(cells)
    return [None if is_won else bits for bits, is_won in zip(packed, won.tolist(), strict=True)]


def pack_cells(cells: NDArray[Any]) -> list[bytes]:
    """Boards, a row of CELLS numbers each, as bits: set where it is not 0, the first cell in the highest."""
    return [row.tobytes() for row in np.packbits(cells != 0, axis=1)]


def unpack_cells(packed: Sequence[bytes]) -> NDArray[np.bool_]:
    """The boards that pack_cells packed: an (n, CELLS) array of truth values."""
    bits = np.frombuffer(b"".join(packed), np.uint8).reshape(len(packed), CELLS // 8)
    return np.unpackbits(bits, axis=1, count=CELLS).astype(bool)


def with_key(rows: pl.DataFrame, level: str, name: str, agent: str, rules: int, seed: int) -> pl.DataFrame:
    """Rows with the columns of whose attempts they are in front."""
    key = {"level": level, "name": name, "agent": agent, "rules": rules, "seed": seed}
    columns = [pl.lit(value, dtype=KEY_SCHEMA[column]).alias(column) for column, value in key.items()]
    return rows.select(*columns, *ROW_SCHEMA)


def with_seeds(table: pl.DataFrame) -> pl.DataFrame:
    """A table (TABLE_SCHEMA) with each attempt's own seeds behind the key, which the key implies.

    `Game(level, game_seed)` starts from the attempt's board.
    """
    seeds = np.zeros((table.height, 2), np.uint64)
    start = 0
    for key, attempts in _runs_of_key(table):
        numbers = attempts.to_numpy()
        first, last = int(numbers.min()), int(numbers.max())
        level, agent, rules, seed = key
        of_pair = attempt_seeds(level, agent, seed, first, last - first + 1, rules)
        seeds[start : start + len(numbers)] = of_pair[numbers - first]
        start += len(numbers)
    own = [pl.Series(name, seeds[:, k]) for k, name in enumerate(SEED_COLUMNS)]
    return table.with_columns(*own).select(
        *KEY_SCHEMA, "attempt", *SEED_COLUMNS, pl.exclude(*KEY_SCHEMA, "attempt", *SEED_COLUMNS)
    )


def _runs_of_key(table: pl.DataFrame) -> Iterator[tuple[tuple[str, str, int, int], pl.Series]]:
    """The attempt numbers of neighboring rows with the same key."""
    key = ("level", "agent", "rules", "seed")
    numbered = table.with_columns(_part=pl.struct(key).rle_id())
    for part in numbered.partition_by("_part", maintain_order=True):
        yield part.select(key).row(0), part["attempt"]


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


def _recall_goals(level: Level, table: pl.DataFrame, rows: Attempts) -> None:
    """Writes the counts that the level asks for. The rows are modified in place."""
    done = [json.loads(text) for text in table["goals"]]
    for name in level.asked:
        if name != "score":
            rows["count"][:, COUNT_NAMES.index(name)] = [counts[name] for counts in done]
