"""The file of levels with what people made of them, read and checked."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from levelsense.errors import LevelError, StudyError
from levelsense.people.csv_text import CsvText
from levelsense.studies.sokoban.board import Board, parse_board

COLUMNS: Final = ("id", "collection", "name", "board", "played", "solved")
_NUMBER: Final = re.compile(r"\d+")
FEWEST: Final = 40


@dataclass(frozen=True, eq=False)
class PlayedLevel:
    """A level, how often people played it, and how often they solved it.

    place  its number in the collection, the last in its name; None if there is none
    """

    id: str
    collection: str
    place: int | None
    board: Board
    played: int
    solved: int


def read_levels(path: Path) -> list[PlayedLevel]:
    """The levels of a CSV file (rows of a board are joined by `/`); StudyError if it cannot be used."""
    if not path.is_file():
        raise StudyError(f"{path}: no such file; expected a CSV file with columns {', '.join(COLUMNS)}")
    table = CsvText(path).read()
    missing = [name for name in COLUMNS if name not in table.columns]
    if missing:
        raise StudyError(f"{path}: no column {missing[0]!r}; it has: {', '.join(table.columns)}")
    levels = [
        _level(f"{path}, line {number}", row) for number, row in enumerate(table.iter_rows(named=True), 2)
    ]
    twice = [name for name, count in Counter(level.id for level in levels).items() if count > 1]
    if twice:
        raise StudyError(f"{path}: two levels with the id {twice[0]!r}; expected ids that tell levels apart")
    if len(levels) < FEWEST:
        raise StudyError(f"{path}: {len(levels)} levels; expected at least {FEWEST}")
    return levels


def _level(where: str, row: dict[str, str]) -> PlayedLevel:
    try:
        board = parse_board((row["board"] or "").split("/"))
    except LevelError as error:
        raise StudyError(f"{where}: {error}") from None
    played, solved = _count(where, "played", row), _count(where, "solved", row)
    if not 0 <= solved <= played or not played:
        raise StudyError(f"{where}: {solved} of {played} plays solved; expected at most as many, of some")
    numbers = _NUMBER.findall(row["name"] or "")
    place = int(numbers[-1]) if numbers else None
    return PlayedLevel(row["id"], row["collection"] or "", place, board, played, solved)


def _count(where: str, column: str, row: dict[str, str]) -> int:
    value = row[column] or ""
    if not value.isdecimal():
        raise StudyError(f"{where}: {column} {value!r}; expected a whole number")
    return int(value)
