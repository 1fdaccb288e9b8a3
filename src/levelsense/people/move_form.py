"""The form of files of moves: their columns, the versions in their footer, and what their rows must be."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from levelsense.errors import PlayersError
from levelsense.game.moves import MOST_MOVES
from levelsense.game.state import RULES_VERSION

MOVE_SCHEMA: Final = {
    "level": pl.String,
    "digest": pl.String,
    "cohort": pl.String,
    "player": pl.Int64,
    "type": pl.String,
    "attempt": pl.Int64,
    "game_seed": pl.UInt64,
    "turn": pl.Int64,
    "move": pl.Int16,
}
FORM_VERSION: Final = 1  # raised by one with every change of what the columns mean
# Keys of the metadata in the footer of a Parquet file.
_FORM, _RULES, _PLAYERS = "levelsense.moves", "levelsense.rules", "levelsense.players"
_MAKE_AGAIN: Final = "make it again by `levelsense players simulate --telemetry`"

ATTEMPT: Final = ("digest", "cohort", "player", "attempt")
_MOST: Final = 2**31 - 1


def move_metadata(players_version: int) -> dict[str, str]:
    """The metadata of a file of moves that is written today."""
    return {_FORM: str(FORM_VERSION), _RULES: str(RULES_VERSION), _PLAYERS: str(players_version)}


def check_versions(path: Path, metadata: Mapping[str, str]) -> int:
    """The version of the simulated players; PlayersError if the form or the rules are others than today's."""
    if _FORM not in metadata:
        raise PlayersError(f"{path}: moves without a version of their form; {_MAKE_AGAIN}")
    for key, what, today in (
        (_FORM, "the form of moves", FORM_VERSION),
        (_RULES, "the rules", RULES_VERSION),
    ):
        version = metadata.get(key, "none")
        if version != str(today):
            raise PlayersError(f"{path}: version {version} of {what}; expected {today}: {_MAKE_AGAIN}")
    version = metadata.get(_PLAYERS, "none")
    if not version.isdecimal():
        raise PlayersError(f"{path}: version {version!r} of the simulated players; expected a number")
    return int(version)


def check_columns(path: Path, schema: Mapping[str, Any]) -> None:
    """PlayersError for each column that is missing or of another type."""
    problems = [
        f"{path}: no column {name}; there is {', '.join(schema)}"
        for name in MOVE_SCHEMA
        if name not in schema
    ]
    problems += [
        f"{path}: column {name}: values of type {schema[name]}; expected {MOVE_SCHEMA[name]}"
        for name in MOVE_SCHEMA
        if schema.get(name, MOVE_SCHEMA[name]) != MOVE_SCHEMA[name]
    ]
    if problems:
        raise PlayersError(problems)


def check_values(path: Path, rows: pl.DataFrame) -> None:
    """PlayersError if there are no rows, or for the first value of a column that is none."""
    if rows.is_empty():
        raise PlayersError(f"{path}: no rows")
    most = {"player": _MOST, "attempt": _MOST, "turn": _MOST, "move": MOST_MOVES - 1}
    for name in MOVE_SCHEMA:
        wrong = pl.col(name).is_null()
        expected = "a value"
        if name in most:
            wrong |= ~pl.col(name).is_between(0, most[name])
            expected = f"a number from 0 to {most[name]}"
        row = rows.filter(wrong).head(1)
        if row.height:
            value = "nothing" if row[name][0] is None else row[name][0]
            raise PlayersError(f"{path}: row {row['row'][0] + 1}: {name}: {value}; expected {expected}")


def check_attempts(path: Path, moves: pl.DataFrame) -> None:
    """PlayersError for the first attempt with two seeds or types, or turns that are not 0, 1, 2 and so on."""
    place = pl.int_range(pl.len())
    is_first = pl.any_horizontal(pl.col(name) != pl.col(name).shift() for name in ATTEMPT).fill_null(True)
    turn = place - pl.when(is_first).then(place).forward_fill()
    checked = moves.with_columns(is_first=is_first, expected=turn)
    wrong = checked.filter(pl.col("turn") != pl.col("expected")).head(1)
    if wrong.height:
        raise PlayersError(
            f"{_attempt_words(path, wrong)}: turn {wrong['turn'][0]}; expected {wrong['expected'][0]}, "
            "the turns of an attempt from 0 on, each once"
        )
    for name in ("game_seed", "type"):
        wrong = checked.filter(~pl.col("is_first") & (pl.col(name) != pl.col(name).shift())).head(1)
        if wrong.height:
            raise PlayersError(
                f"{_attempt_words(path, wrong)}: {name} {wrong[name][0]}, another than before; "
                f"expected one {name} in an attempt"
            )


def _attempt_words(path: Path, move: pl.DataFrame) -> str:
    """The place of a move: its row, player and attempt."""
    return f"{path}: row {move['row'][0] + 1}: player {move['player'][0]}, attempt {move['attempt'][0]}"
