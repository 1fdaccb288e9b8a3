"""Rows of positions, as any engine can write them, read into states and checked one by one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl

from levelsense.compiled.times import compiling_for
from levelsense.errors import IllegalMoveError, LevelsenseError, PositionError
from levelsense.game.game import Move
from levelsense.game.moves import MOST_MOVES, REVERSED, find_moves, rebuild_masks
from levelsense.game.record import level_record
from levelsense.game.state import (
    COUNT_NAMES,
    MOST_TIME,
    Array,
    LevelRecord,
    State,
    States,
    Work,
    new_state,
    new_work,
)
from levelsense.game.text import DRAWINGS, Blocks, read_boards, read_position, read_values
from levelsense.kernel import kernel
from levelsense.level.elements import COVERS
from levelsense.level.level import Level
from levelsense.people.position_table import ROW_END
from levelsense.people.positions import Positions, Problem
from levelsense.people.replay import Codes, Offsets, is_listed, legal_moves
from levelsense.playtest.levels import NamedLevel

REQUIRED: Final = ("level", "player", "attempt", "turn", "goals_left", "board", "move")
_AS_THEY_ARE: Final = ("score", "counts", "dropped", "paid", "shuffles", "longest")
_SECONDS: Final = re.compile(r"[0-9]{1,7}(\.[0-9]{1,3})?")
_MOST_MOVES_LEFT: Final = 999
_LONGEST: Final = 40
_NO_MOVE: Final = -1
_LEGAL: Final = "a legal move: a swap that makes a line or sets off special candies"

Row = Mapping[str, str | None]


class WrongValueError(LevelsenseError, ValueError):
    """A value of a column that is wrong; its text is what was found there and what was expected."""

    def __init__(self, column: str, value: str | None, expected: str) -> None:
        super().__init__(f"{column}: {value_words(value)}; expected {expected}")


def value_words(value: str | None) -> str:
    """A value as sentences show it."""
    if value is None:
        return "nothing"
    return repr(value if len(value) <= _LONGEST else value[:_LONGEST] + "...")


@dataclass(frozen=True)
class RowReader:
    """Reads rows of one level into states."""

    level: Level
    codes: dict[str, int] = field(default_factory=dict)  # of moves by their texts, as they occur

    @cached_property
    def asked(self) -> dict[str, int]:
        """What the goals ask for."""
        return self.level.asked

    def read(self, row: Row, turn: int, state: State, has_board: bool) -> None:
        """Writes a row's position into a state that is as at the level's start; modified in place.

        `has_board` says that the state has the row's board already. WrongValueError or PositionError if it is
        no position of the level. Legal moves are left to the caller.
        """
        left = self._goals_left(row["goals_left"])
        values = {**self._limit(row), "played": str(turn)}
        values["counts"] = ", ".join(
            f"{name} {asked - left.get(name, 0)}" for name, asked in self.asked.items() if name != "score"
        )
        values["score"] = str(self.asked.get("score", 0) - left.get("score", 0))
        values |= {name: text for name in _AS_THEY_ARE if (text := row.get(name)) is not None}
        if has_board:
            read_values(self.level, values, state)
        else:
            read_position(self.level, values, _blocks(row), state)
        self._check_goals(row, left, state)

    def move_code(self, column: str, text: str) -> int:
        """The code of a move such as c4d4; WrongValueError if it does not swap two neighboring tiles."""
        if text not in self.codes:
            self.codes[text] = self._parse_move(column, text)
        return self.codes[text]

    def own_moves(self, row: Row) -> list[int] | None:
        """The codes of the legal moves that the row lists; None if it lists none."""
        text = row.get("legal_moves")
        if text is None:
            return None
        return list(dict.fromkeys(self.move_code("legal_moves", word) for word in text.split()))

    def made(self, row: Row, listed_moves: Sequence[int] | None) -> int:
        """The code of the move made; WrongValueError if it is not among the row's own legal moves."""
        text = row["move"] or ""
        code = self.move_code("move", text)
        if listed_moves is None or code in listed_moves:
            return code
        other_way = (code + REVERSED) % MOST_MOVES
        if other_way not in listed_moves:
            raise WrongValueError("move", text, f"one of legal_moves, {value_words(row['legal_moves'])}")
        return other_way

    def _parse_move(self, column: str, text: str) -> int:
        try:
            move = Move.parse(text)
        except IllegalMoveError:
            raise WrongValueError(column, text, "two neighboring cells, as in c4d4") from None
        (row, right), (other_row, other_right) = move
        if abs(row - other_row) + abs(right - other_right) != 1:
            raise WrongValueError(column, text, "two neighboring cells, as in c4d4")
        for at_row, at_column in move:
            on_board = at_row < self.level.rows and at_column < self.level.columns
            if not on_board or not self.level.cells[at_row * self.level.columns + at_column].tile:
                raise WrongValueError(column, text, "two cells that are tiles of the level")
        return move.code

    def _limit(self, row: Row) -> dict[str, str]:
        """What is left of the level's limit, as `read_position` takes it."""
        if self.level.seconds is None:
            return {"moves": str(whole("moves_left", row.get("moves_left"), 1, _MOST_MOVES_LEFT))}
        text = row.get("seconds_left")
        if text is None or _SECONDS.fullmatch(text) is None or not 0 < float(text) <= MOST_TIME / 1000:
            expected = f"seconds above 0, up to {MOST_TIME // 1000}, with at most three decimals"
            raise WrongValueError("seconds_left", text, expected)
        return {"time": str(round(float(text) * 1000))}

    def _goals_left(self, text: str | None) -> dict[str, int]:
        """The numbers that are left of the goals, by name."""
        left = {}
        for part in (text or "").split(","):
            name, _, number = part.strip().rpartition(" ")
            if name.strip() not in self.asked:
                goals = ", ".join(f"{goal} {most}" for goal, most in self.asked.items())
                raise WrongValueError("goals_left", text, f"what is left of the level's goals, {goals}")
            left[name.strip()] = whole("goals_left", number, 0, self.asked[name.strip()])
        if not any(left.values()):
            raise WrongValueError("goals_left", text, "something left, since an attempt ends with its goals")
        return left

    def _check_goals(self, row: Row, left: Mapping[str, int], state: State) -> None:
        """WrongValueError if what is left does not fit what was counted, or is not on the board."""
        text = row["goals_left"]
        for name, asked in self.asked.items():
            done = int(state.score if name == "score" else state.count[COUNT_NAMES.index(name)])
            if max(0, asked - done) != left.get(name, 0):
                expected = f"{name} {max(0, asked - done)}: {asked} are asked for, and {done} are counted"
                raise WrongValueError("goals_left", text, expected)
        layers = int(state.jelly.sum())
        if left.get("jelly", 0) > layers:
            raise WrongValueError("goals_left", text, f"at most jelly {layers}, as many layers as are drawn")


def whole(column: str, text: str | None, least: int, most: int) -> int:
    """The whole number that a value holds; WrongValueError if it is none within bounds."""
    if text is None or re.fullmatch("[0-9]{1,18}", text) is None or not least <= int(text) <= most:
        raise WrongValueError(column, text, f"a whole number from {least:,} to {most:,}")
    return int(text)


def needed_columns(level: Level) -> list[str]:
    """The columns, beside those always required, that positions of a level need."""
    needed = ["moves_left" if level.seconds is None else "seconds_left"]
    needed += ["jelly"] if any(cell.jelly for cell in level.cells) else []
    needed += ["locks"] if any(cell.blocker in COVERS.values() for cell in level.cells) else []
    return needed


def _blocks(row: Row) -> Blocks:
    """The tokens of the drawings of a row."""
    return {
        name: [line.split() for line in text.split(ROW_END)]
        for name in DRAWINGS
        if (text := row.get(name)) is not None
    }


@kernel
def find_all_moves(level: LevelRecord, states: States, work: Work) -> None:
    """Finds the legal moves of all states. States and work are modified in place."""
    for i in range(states.shape[0]):
        rebuild_masks(level, states[i], work)
        find_moves(level, states[i], work)


@kernel
def settle_moves(states: States, codes: Codes, by_rules: Array) -> None:
    """Names moves as list_moves does, those by the rules; _NO_MOVE if not legal. Codes are modified."""
    for i in range(states.shape[0]):
        if by_rules[i] and codes[i] >= 0 and not is_listed(states[i], int(codes[i])):
            other_way = (int(codes[i]) + REVERSED) % MOST_MOVES
            codes[i] = other_way if is_listed(states[i], other_way) else _NO_MOVE


def read_rows(named: NamedLevel, rows: pl.DataFrame) -> tuple[Positions | None, list[Problem]]:
    """The positions of rows of one level, without those that are wrong, and what is wrong with these.

    `rows` has the columns of a file as texts, turn and attempt as numbers, and the number of each row.
    """
    record, reader = level_record(named.level), RowReader(named.level)
    states = new_state(rows.height)
    states[:] = record.start
    drawn = rows.select(name for name in DRAWINGS if name in rows.columns).iter_rows(named=True)
    has_board = read_boards(named.level, map(_blocks, drawn), states)
    codes = np.full(rows.height, _NO_MOVE, np.int16)
    listed_moves: list[list[int] | None] = [None] * rows.height
    problems = []
    for number, row in enumerate(rows.iter_rows(named=True)):
        try:
            reader.read(row, row["turn"], states[number], bool(has_board[number]))
            listed_moves[number] = reader.own_moves(row)
            codes[number] = reader.made(row, listed_moves[number])
        except (WrongValueError, PositionError) as error:
            problems.append(Problem(row["row"], str(error)))
    is_read, by_rules = codes != _NO_MOVE, np.array([moves is None for moves in listed_moves], np.int64)
    with compiling_for("positions"):
        find_all_moves(record.level, states, new_work())
        settle_moves(states, codes, by_rules)
    for row, move in rows.filter(is_read & (codes == _NO_MOVE)).select("row", "move").iter_rows():
        problems.append(Problem(row, str(WrongValueError("move", move, _LEGAL))))
    right = np.flatnonzero(codes != _NO_MOVE)
    if not len(right):
        return None, problems
    return _positions(
        named, rows[right], states[right], codes[right], [listed_moves[k] for k in right]
    ), problems


def _positions(
    named: NamedLevel,
    rows: pl.DataFrame,
    states: States,
    codes: Codes,
    listed_moves: Sequence[list[int] | None],
) -> Positions:
    listed = sum(moves is not None for moves in listed_moves)
    types, cohorts = (rows[name].fill_null("").to_numpy().astype(np.str_) for name in ("type", "cohort"))
    return Positions(
        named.level,
        named.name,
        states,
        codes,
        rows["player"].to_numpy().astype(np.str_),
        types,
        cohorts,
        rows["attempt"].to_numpy(),
        rows["turn"].to_numpy(),
        _own_moves(states, listed_moves) if listed else None,
        listed,
    )


def _own_moves(states: States, listed_moves: Sequence[list[int] | None]) -> tuple[Codes, Offsets]:
    """The legal moves of all states one after the other: those listed, else those of these rules."""
    parts = [
        legal_moves(states[k : k + 1])[0] if moves is None else np.array(moves, np.int16)
        for k, moves in enumerate(listed_moves)
    ]
    return np.concatenate(parts), np.cumsum([0, *map(len, parts)])
