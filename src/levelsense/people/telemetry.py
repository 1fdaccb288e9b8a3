"""Telemetry of any form: recognized, checked, and turned from moves and games into positions."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl

from levelsense.people.csv_text import CsvText
from levelsense.people.game_log import GameLog, read_games
from levelsense.people.growing import GrowingFile
from levelsense.people.moves import MoveLog, read_moves
from levelsense.people.parquet import readable
from levelsense.people.position_files import PositionLog, read_positions
from levelsense.people.position_table import POSITION_SCHEMA, position_table
from levelsense.people.positions import Extent, Problem
from levelsense.playtest.levels import NamedLevel

_FORMS: Final = {MoveLog: "moves", PositionLog: "positions", GameLog: "games"}


@dataclass(frozen=True)
class TelemetryCheck:
    """What a file of telemetry holds, and what is wrong with it.

    form       moves, positions or games
    simulated  the version of the simulated players who made the moves; None if that is not known
    by_level   how many moves each level has, but for wrong rows
    listed     how many of these list the legal moves of another engine
    unused     headers of columns that mean nothing here
    wrong      how many rows are wrong
    sentences  about the first of them
    """

    path: Path
    form: str
    simulated: int | None
    extent: Extent
    by_level: dict[str, int]
    listed: int
    unused: tuple[str, ...]
    wrong: int
    sentences: tuple[str, ...]


AnyTelemetry = MoveLog | PositionLog | GameLog


def read_telemetry(path: str | Path) -> AnyTelemetry:
    """The telemetry of a file, its form by its columns: one with seeds and no boards has moves.

    A folder holds games that testers played in the studio.
    """
    path = Path(path)
    if path.is_dir():
        return read_games(path)
    headers = _headers(path)
    return read_moves(path) if "game_seed" in headers and "board" not in headers else read_positions(path)


def _headers(path: Path) -> Sequence[str]:
    """The names of a file's columns; none if its suffix is of another kind of file."""
    with readable(path):
        if path.suffix.lower() == ".csv":
            return CsvText(path).headers()
        if path.suffix.lower() in (".parquet", ".pq"):
            with path.open("rb") as file:
                return list(pl.read_parquet_schema(file))
    return ()


def check_telemetry(
    telemetry: AnyTelemetry, levels: Sequence[NamedLevel], progress: Callable[[int], None]
) -> TelemetryCheck:
    """Reads every row of telemetry; calls `progress` with the number of levels that it has come to.

    PlayersError if there are levels that are not given, or that need columns which are not there.
    """
    by_level: Counter[str] = Counter()
    listed, problems = 0, list[Problem]()
    for positions, part_problems in telemetry.read(levels):
        problems += part_problems
        if positions is not None:
            by_level[positions.name] += len(positions)
            listed += positions.listed
            progress(len(by_level))
    return TelemetryCheck(
        telemetry.path,
        _FORMS[type(telemetry)],
        telemetry.players_version if isinstance(telemetry, MoveLog) else None,
        telemetry.extent,
        dict(by_level),
        listed,
        telemetry.unused if isinstance(telemetry, PositionLog) else (),
        len(problems),
        tuple(telemetry.sentences(problems)),
    )


def export_positions(
    telemetry: AnyTelemetry,
    levels: Sequence[NamedLevel],
    output: Path,
    progress: Callable[[int], None],
) -> int:
    """Writes positions as rows, CSV or Parquet by suffix, and gives their number; whole or not at all.

    Calls `progress` with the number of levels that it has come to. PlayersError if anything is wrong.
    """
    with GrowingFile(output, POSITION_SCHEMA) as file:
        names = set[str]()
        for positions in telemetry.positions(levels):
            file.add(position_table(positions))
            names.add(positions.name)
            progress(len(names))
        file.finish()
    return file.rows
