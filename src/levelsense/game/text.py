"""The text form of a position: what tests draw, transcripts keep and bug reports quote; it parses back."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from levelsense.errors import PositionError
from levelsense.game.level import Level
from levelsense.game.record import cell_index, color_code, level_record, write_cell
from levelsense.game.state import (
    CHOCOLATE,
    COLOR_NAMES,
    COUNT_NAMES,
    ICING_MOST,
    LOCK,
    MARMALADE,
    PIECE_NAMES,
    REASON_NAMES,
    STATUS_NAMES,
    STRIDE,
)
from levelsense.game.tokens import EMPTY_TOKEN, Cell, format_token, parse_token

_BLOCKER_NAMES = {CHOCOLATE: "chocolate", MARMALADE: "marmalade", LOCK: "lock"}
_LOCK_TOKENS = {"lock": "L", "marmalade": "M"}
_GAP = Cell(tile=False)
_BLOCKS = ("board", "jelly", "locks")
_NUMBERS = ("score", "played", "shuffles", "paid", "longest")
_FIELDS = {"played": "moves_made", "longest": "longest_cascade", "moves": "moves_left", "time": "time_left"}


@cache
def _read_cell(piece: int, color: int, blocker: int, jelly: int, timer: int) -> Cell:
    """What the codes of a tile say; the same few cells come again and again."""
    is_icing = 0 < blocker <= ICING_MOST
    return Cell(
        piece=PIECE_NAMES[piece] if piece else None,
        color=COLOR_NAMES[color - 1] if color else None,
        blocker="icing" if is_icing else _BLOCKER_NAMES.get(blocker),
        layers=blocker if is_icing else 0,
        jelly=jelly,
        timer=timer,
    )


def read_cells(level: Level, state: Any) -> tuple[Cell, ...]:
    """All cells of a state in row-major order."""
    columns = level.columns
    boards = [getattr(state, field).tolist() for field in ("piece", "color", "blocker", "jelly", "timer")]
    tiles = level_record(level).level.tile.tolist()
    numbers = [row * STRIDE + column for row in range(level.rows) for column in range(columns)]
    return tuple(_read_cell(*(board[i] for board in boards)) if tiles[i] else _GAP for i in numbers)


def _rows(level: Level, tokens: Iterable[str]) -> Iterator[str]:
    """Lines of tokens, their columns aligned."""
    flat = list(tokens)
    width = max(map(len, flat))
    for first in range(0, len(flat), level.columns):
        row = flat[first : first + level.columns]
        yield "  " + " ".join(token.ljust(width) for token in row).rstrip()


def _overlay(cells: Iterable[Cell], mark: dict[str, str] | None) -> list[str]:
    """Tokens of the jelly, or with marks of the locks."""
    tokens = []
    for cell in cells:
        value = mark.get(cell.blocker or "", "") if mark else str(cell.jelly or "")
        tokens.append("-" if not cell.tile else value or ".")
    return tokens


def format_position(level: Level, state: Any, word: int) -> str:
    """The text of a position, with the random word that its next draw starts from."""
    cells = read_cells(level, state)
    limit = f"time: {state.time_left}" if level.seconds is not None else f"moves: {state.moves_left}"
    status = STATUS_NAMES[state.status]
    reason = REASON_NAMES[state.reason]
    counts = [f"{name} {n}" for name, n in zip(COUNT_NAMES, state.count.tolist(), strict=True) if n]
    dropped = state.dropped[: len(level.all_drops)].tolist()
    lines = [
        f"status: {status} ({reason})" if reason else f"status: {status}",
        limit,
        *(f"{name}: {getattr(state, _FIELDS.get(name, name))}" for name in _NUMBERS),
        f"counts: {', '.join(counts)}".rstrip(),
        f"dropped: {' '.join(map(str, dropped))}".rstrip(),
        f"word: {word:#018x}",
        "board:",
        *_rows(level, map(format_token, cells)),
    ]
    if any(cell.jelly for cell in cells):
        lines += ["jelly:", *_rows(level, _overlay(cells, None))]
    if any(cell.blocker in _LOCK_TOKENS for cell in cells):
        lines += ["locks:", *_rows(level, _overlay(cells, _LOCK_TOKENS))]
    return "\n".join(lines)


def _sections(text: str) -> tuple[dict[str, str], dict[str, list[list[str]]]]:
    """The `key: value` lines and the drawn blocks of a position text."""
    values: dict[str, str] = {}
    blocks: dict[str, list[list[str]]] = {}
    drawing: list[list[str]] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        heading = re.fullmatch(r"(\w+):(?: (.*))?", line.strip())
        if heading and heading[1] in _BLOCKS:
            drawing = blocks.setdefault(heading[1], [])
        elif heading:
            values[heading[1]] = heading[2] or ""
            drawing = None
        elif drawing is not None:
            drawing.append(line.split())
        else:
            raise PositionError(
                f"line {number}: {line.strip()!r}; expected `key: value` or the rows of a drawing"
            )
    return values, blocks


def _drawn(level: Level, blocks: dict[str, list[list[str]]], key: str) -> list[str] | None:
    """The tokens of a drawing in row-major order; None if it is not there."""
    if key not in blocks:
        return None
    rows = blocks[key]
    if [len(row) for row in rows] != [level.columns] * level.rows:
        raise PositionError(
            f"{key}: rows of {[len(row) for row in rows]} tokens; "
            f"expected {level.rows} rows of {level.columns}, as in the level"
        )
    return [token for row in rows for token in row]


def _parse_cell(level: Level, index: int, token: str, jelly: str, lock: str) -> Cell:
    """One cell from its tokens; PositionError says what is wrong where."""
    where = f"row {index // level.columns + 1}, column {index % level.columns + 1}"
    cell = Cell() if token == EMPTY_TOKEN else parse_token(token)
    if cell is None or (cell.colored and cell.color is None):
        raise PositionError(f"board {where}: {token!r}; expected a token of a piece whose color is known")
    if cell.tile != level.cells[index].tile:
        raise PositionError(f"board {where}: {token!r}; expected a tile exactly where the level has one")
    if jelly not in (".", "-", "1", "2"):
        raise PositionError(f"jelly {where}: {jelly!r}; expected ., 1 or 2")
    if lock not in (".", "-", "L", "M"):
        raise PositionError(f"locks {where}: {lock!r}; expected ., L or M")
    blocker = {"L": "lock", "M": "marmalade"}.get(lock, cell.blocker)
    return replace(cell, jelly=int(jelly) if jelly.isdigit() else 0, blocker=blocker)


def _whole(key: str, text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise PositionError(f"{key}: {text!r}; expected a whole number") from None


def _read_values(level: Level, state: Any, values: dict[str, str]) -> int:
    """Takes the `key: value` lines into a state; returns the random word. The state is modified in place."""
    limit = "time" if level.seconds is not None else "moves"
    known = {limit, "status", "counts", "dropped", "word", *_NUMBERS}
    for key in values:
        if key not in known:
            raise PositionError(
                f"{key}: unknown in a position of this level; expected one of {', '.join(sorted(known))}"
            )
    for key in (limit, *_NUMBERS):
        if key in values:
            setattr(state, _FIELDS.get(key, key), _whole(key, values[key]))
    for count in filter(None, values.get("counts", "").split(", ")):
        name, _, number = count.rpartition(" ")
        if name not in COUNT_NAMES:
            raise PositionError(f"counts: {name!r}; expected one of {', '.join(COUNT_NAMES)}")
        state.count[COUNT_NAMES.index(name)] = _whole("counts", number)
    dropped = [_whole("dropped", n) for n in values.get("dropped", "").split()]
    if len(dropped) > len(level.all_drops):
        raise PositionError(f"dropped: {len(dropped)} numbers; the level has {len(level.all_drops)} drops")
    state.dropped[: len(dropped)] = dropped
    _read_status(state, values.get("status", STATUS_NAMES[0]))
    return _whole("word", values.get("word", "0"))


def _read_status(state: Any, text: str) -> None:
    """Takes `won (goals met)` and the like into a state. Modified in place."""
    match = re.fullmatch(r"(\w+)(?: \((.+)\))?", text)
    if match is None or match[1] not in STATUS_NAMES or match[2] not in REASON_NAMES:
        raise PositionError(f"status: {text!r}; expected playing, won (goals met) or lost (reason)")
    state.status = STATUS_NAMES.index(match[1])
    state.reason = REASON_NAMES.index(match[2])


def parse_position(level: Level, text: str, state: Any) -> int:
    """Writes the position that a text describes into a state, modified in place; returns the random word.

    What the text leaves out is as at the start of an attempt; the board must be drawn. Legal moves are left
    to the caller.
    """
    values, blocks = _sections(text)
    board = _drawn(level, blocks, "board")
    if board is None:
        raise PositionError("board: missing; expected the board drawn as rows of tokens")
    none = ["."] * len(board)
    jelly = _drawn(level, blocks, "jelly") or none
    locks = _drawn(level, blocks, "locks") or none
    highest = level_record(level).level.top_color
    for index, tokens in enumerate(zip(board, jelly, locks, strict=True)):
        cell = _parse_cell(level, index, *tokens)
        if color_code(cell.color) > highest:
            raise PositionError(f"board: {tokens[0]!r}; the level has no {cell.color} candies")
        write_cell(state, cell_index(level, index), cell)
    return _read_values(level, state, values)
