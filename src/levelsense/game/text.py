"""The text form of a position: what tests draw, transcripts keep and bug reports quote; it parses back."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import PositionError
from levelsense.game.cascade import MOST_TIMED_MOVES
from levelsense.game.record import (
    CellCodes,
    LevelRecords,
    cell_codes,
    cell_places,
    color_code,
    level_record,
    write_cells,
)
from levelsense.game.state import (
    CODED_BLOCKERS,
    COLOR_NAMES,
    COUNT_NAMES,
    GOALS_MET,
    LOST,
    PIECE_NAMES,
    PLAYING,
    REASON_NAMES,
    STATUS_NAMES,
    WON,
    State,
    States,
)
from levelsense.level.checks import drawn_lines
from levelsense.level.elements import BLOCKER, COVERS
from levelsense.level.level import Level
from levelsense.level.tokens import EMPTY_TOKEN, LETTERS, Cell, cell_name, format_token, parse_token

Blocks = dict[str, list[list[str]]]  # the tokens of the drawings of a position, row by row

_COVER_TOKENS = {name: token for token, name in COVERS.items()}
_GAP = Cell(tile=False)
DRAWINGS = ("board", "jelly", "locks")
_NUMBERS = ("score", "played", "shuffles", "paid", "longest")
_BOMB = re.compile(r"([roygbpcm])(\d{1,3})")
_STATUSES = {
    "playing": (PLAYING, 0),
    "won (goals met)": (WON, GOALS_MET),
    **{f"lost ({reason})": (LOST, code) for code, reason in enumerate(REASON_NAMES) if code > GOALS_MET},
}
# What a position may hold. The fields of the state hold more, so that no counter overflows in an attempt that
# goes on from here: at most 999 moves and a bonus, of 2,000 rounds each. One from the start stays far below.
_BOUNDS = {
    "score": (0, 10**15),
    "counts": (0, 10**9),
    "paid": (0, 10**9),
    "dropped": (0, 10**9),
    "time": (-(10**9), 10**9),
    "moves": (0, 999),
    "played": (0, 9_999),
    "shuffles": (0, 9_999),
    "longest": (0, 9_999),
}
_TIMER_MOST = 100  # a bomb enters with at most 99 and one, and has ticked once before the next move
_FIELDS = {"played": "moves_made", "longest": "longest_cascade", "moves": "moves_left", "time": "time_left"}


@cache
def _read_cell(tile: int, piece: int, color: int, blocker: int, jelly: int, timer: int) -> Cell:
    """The cell that its codes stand for; cached, since few different cells occur."""
    if not tile:
        return _GAP
    name, layers = CODED_BLOCKERS[blocker] or (None, 0)
    return Cell(
        piece=PIECE_NAMES[piece] if piece else None,
        color=COLOR_NAMES[color - 1] if color else None,
        blocker=name,
        layers=layers if name and BLOCKER[name].most_layers > 1 else 0,
        jelly=jelly,
        timer=timer,
    )


def read_cells(records: LevelRecords, state: State) -> tuple[Cell, ...]:
    """All cells of a state of a level, which is given by its records, in row-major order."""
    fields = (state.piece, state.color, state.blocker, state.jelly, state.timer)
    codes = (field[records.places].tolist() for field in (records.level.tile, *fields))
    return tuple(map(_read_cell, *codes))


def _rows(level: Level, tokens: Sequence[str]) -> Iterator[str]:
    """Lines of tokens, their columns aligned."""
    width = max(map(len, tokens))
    for first in range(0, len(tokens), level.columns):
        row = tokens[first : first + level.columns]
        yield "  " + " ".join(token.ljust(width) for token in row).rstrip()


def _overlay(cells: Iterable[Cell], mark: dict[str, str] | None) -> list[str]:
    """Tokens of the jelly, or with marks of the locks."""
    tokens = []
    for cell in cells:
        value = mark.get(cell.blocker or "", "") if mark else str(cell.jelly or "")
        tokens.append("-" if not cell.tile else value or ".")
    return tokens


def drawings(cells: Sequence[Cell]) -> dict[str, list[str]]:
    """The tokens of a board's cells, those of its jelly and those of its locks, if there are any, by name."""
    tokens = {"board": [format_token(cell) for cell in cells]}
    if any(cell.jelly for cell in cells):
        tokens["jelly"] = _overlay(cells, None)
    if any(cell.blocker in _COVER_TOKENS for cell in cells):
        tokens["locks"] = _overlay(cells, _COVER_TOKENS)
    return tokens


def format_position(level: Level, state: State, word: int) -> str:
    """The text of a position, with the random word that its next draw starts from."""
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
    ]
    for name, tokens in drawings(read_cells(level_record(level), state)).items():
        lines += [f"{name}:", *_rows(level, tokens)]
    return "\n".join(lines)


def _sections(text: str) -> tuple[dict[str, str], Blocks]:
    """The `key: value` lines and the drawn blocks of a position text."""
    values: dict[str, str] = {}
    blocks: Blocks = {}
    drawing: list[list[str]] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        heading = re.fullmatch(r"(\w+):(?: (.*))?", line.strip())
        if heading and heading[1] in DRAWINGS:
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


def _drawn(level: Level, blocks: Blocks, key: str) -> list[str] | None:
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


def _parse_board_token(token: str) -> Cell | None:
    """The cell that a token of a position draws: those of levels, empty tiles, and any number on a bomb."""
    if token == EMPTY_TOKEN:
        return Cell()
    # One that has gone off shows 0; one that came in with the winning move has not ticked and may show 100.
    if bomb := _BOMB.fullmatch(token):
        return Cell(piece="countdown", color=LETTERS[bomb[1]], timer=int(bomb[2]))
    return parse_token(token)


def _where(level: Level, index: int) -> str:
    """The name of a cell."""
    return cell_name(*divmod(index, level.columns))


def _parse_cell(level: Level, index: int, token: str, jelly: str, lock: str) -> Cell:
    """One cell from its tokens; PositionError says what is wrong where."""
    where = _where(level, index)
    cell = _parse_board_token(token)
    if cell is None or (cell.colored and cell.color is None):
        raise PositionError(f"board, {where}: {token!r}; expected a token of a piece whose color is known")
    if cell.tile != level.cells[index].tile:
        raise PositionError(f"board, {where}: {token!r}; expected a tile exactly where the level has one")
    if jelly not in (".-12" if cell.tile else ".-"):
        raise PositionError(f"jelly, {where}: {jelly!r}; expected ., or 1 or 2 on a tile")
    if lock not in (".", "-", *(COVERS if cell.piece else ())):
        covers = " or ".join(sorted(COVERS))
        raise PositionError(f"locks, {where}: {lock!r}; expected ., or {covers} on a piece")
    if cell.timer > _TIMER_MOST:
        raise PositionError(f"board, {where}: {token!r}; expected a countdown of at most {_TIMER_MOST}")
    return replace(cell, jelly=int(jelly) if jelly.isdigit() else 0, blocker=COVERS.get(lock, cell.blocker))


def _foreign(level: Level, cell: Cell) -> str | None:
    """What a cell holds that cannot occur in this level; the kernels do not look for such things."""
    record = level_record(level).level
    if cell.color and color_code(cell.color) > record.top_color:
        return f"{cell.color} candies"
    # Of blockers a level only ever has the kinds that it draws.
    if cell.blocker and all(drawn.blocker != cell.blocker for drawn in level.cells):
        return cell.blocker
    if cell.tile and not cell.piece and not cell.blocker and not record.has_blockers:
        return "tiles that stay empty"
    return _foreign_piece(level, cell.piece)


def _foreign_piece(level: Level, piece: str | None) -> str | None:
    """A kind of piece that cannot occur in this level."""
    record = level_record(level).level
    can_be = {
        **{kind: _brings(level, kind) for kind in ("swirl", "countdown")},
        "cherry": level.has_ingredients,
        "hazelnut": level.has_ingredients,
    }
    is_special = piece in ("striped row", "striped column", "wrapped", "color bomb")
    allowed = record.has_specials if is_special else can_be.get(piece or "", True)
    return None if allowed else f"{piece} pieces"


def _brings(level: Level, piece: str) -> bool:
    """Whether the level draws such a piece or lets it in."""
    return any(cell.piece == piece for cell in level.cells) or any(
        drop.piece == piece for drop in level.all_drops
    )


def _whole(key: str, text: str, low: int, high: int) -> int:
    """A number of a position, refused outside of what a state can hold."""
    try:
        number = int(text, 0)
    except ValueError:
        raise PositionError(f"{key}: {text!r}; expected a whole number") from None
    if not low <= number <= high:
        raise PositionError(f"{key}: {number}; expected a number from {low} to {high}")
    return number


def _read_values(level: Level, state: State, values: Mapping[str, str]) -> int:
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
            setattr(state, _FIELDS.get(key, key), _whole(key, values[key], *_BOUNDS[key]))
    counts = state.count  # a view; to ask a record for it takes its time
    for count in filter(None, values.get("counts", "").split(", ")):
        name, _, number = count.rpartition(" ")
        if name not in COUNT_NAMES:
            raise PositionError(f"counts: {name!r}; expected one of {', '.join(COUNT_NAMES)}")
        counts[COUNT_NAMES.index(name)] = _whole("counts", number, *_BOUNDS["counts"])
    dropped = [_whole("dropped", n, *_BOUNDS["dropped"]) for n in values.get("dropped", "").split()]
    if len(dropped) > len(level.all_drops):
        raise PositionError(f"dropped: {len(dropped)} numbers; the level has {len(level.all_drops)} drops")
    state.dropped[: len(dropped)] = dropped
    _read_status(state, values.get("status", STATUS_NAMES[0]))
    return _whole("word", values.get("word", "0"), 0, 2**64 - 1)


def _read_status(state: State, text: str) -> None:
    """Takes `won (goals met)` and the like into a state. Modified in place."""
    if text not in _STATUSES:
        raise PositionError(f"status: {text!r}; expected one of {', '.join(_STATUSES)}")
    state.status, state.reason = _STATUSES[text]


def _refuse_ended(level: Level, state: State) -> None:
    """PositionError if a position is said to be in play whose limit is used up."""
    limit, left = ("moves", state.moves_left) if level.seconds is None else ("time", state.time_left)
    if left <= 0:
        raise PositionError(f"{limit}: {left} while playing; expected at least 1, or another status")
    if level.seconds is not None and state.moves_made >= MOST_TIMED_MOVES:
        raise PositionError(
            f"played: {state.moves_made} while playing; "
            f"expected less than {MOST_TIMED_MOVES} in a level with seconds"
        )


def _refuse_unsettled(level: Level, cells: Sequence[Cell]) -> None:
    """PositionError if a board is said to be in play that no move can have led to."""
    for index, cell in enumerate(cells):
        if not _may_tick(cell):
            raise PositionError(
                f"board, {_where(level, index)}: a countdown bomb at {cell.timer} while playing; "
                f"expected 1 to {_TIMER_MOST - 1}"
            )
    for color, names in drawn_lines(cells, level.columns):
        raise PositionError(
            f"board, {names[0]} to {names[-1]}: {len(names)} {color} candies in a line while playing; "
            "expected no line, since a move ends when there is none"
        )


def _may_tick(cell: Cell) -> bool:
    """Whether a cell is no countdown bomb, or one that has not gone off."""
    return cell.piece != "countdown" or 0 < cell.timer < _TIMER_MOST


class _KnownCell(NamedTuple):
    """What tokens of a level's positions draw."""

    cell: Cell
    codes: CellCodes


_Tokens = tuple[str, str, str, bool]  # of board, jelly and locks, and whether the level has a tile there


@lru_cache(maxsize=64)
def _known_cells(level: Level) -> dict[_Tokens, _KnownCell]:
    """The cells that tokens of this level's positions have been found to draw; grown by `_cells_drawn`."""
    return {}


def _cells_drawn(level: Level, blocks: Blocks) -> list[_KnownCell]:
    """The cells that the drawings of a position show, in row-major order."""
    board = _drawn(level, blocks, "board")
    if board is None:
        raise PositionError("board: missing; expected the board drawn as rows of tokens")
    none = ["."] * len(board)
    overlays = [_drawn(level, blocks, key) or none for key in ("jelly", "locks")]
    tokens = list(zip(board, *overlays, _tiles(level), strict=True))
    known = _known_cells(level)
    try:
        return [known[key] for key in tokens]
    except KeyError:
        return [known.get(key) or _new_cell(level, index, key) for index, key in enumerate(tokens)]


@lru_cache(maxsize=64)
def _tiles(level: Level) -> list[bool]:
    return [cell.tile for cell in level.cells]


def _new_cell(level: Level, index: int, tokens: _Tokens) -> _KnownCell:
    """A cell that tokens draw which this level's positions had not shown before.

    It is checked once a level: what is wrong with it does not depend on its place.
    """
    cell = _parse_cell(level, index, *tokens[:3])
    if foreign := _foreign(level, cell):
        raise PositionError(f"board: {tokens[0]!r}; the level has no {foreign}")
    known = _known_cells(level)
    return known.setdefault(tokens, _KnownCell(cell, cell_codes(cell)))


def read_position(level: Level, values: Mapping[str, str], blocks: Blocks, state: State) -> int:
    """Writes a position into a state, modified in place; returns the random word.

    `values` are those of a text's `key: value` lines, `blocks` the tokens of its drawings, row by row. What
    is left out is as at the start of an attempt; the board must be drawn. Legal moves are left to the caller.
    """
    cells = _cells_drawn(level, blocks)
    write_cells(state, cell_places(level), [cell.codes for cell in cells])
    word = _read_values(level, state, values)
    if state.status == PLAYING:
        _refuse_ended(level, state)
        _refuse_unsettled(level, [cell.cell for cell in cells])
    return word


def read_values(level: Level, values: Mapping[str, str], state: State) -> None:
    """Writes all but the board of a position in play into a state, as `read_position` does."""
    _read_values(level, state, values)
    _refuse_ended(level, state)


def read_boards(level: Level, drawn: Iterable[Blocks], states: States) -> NDArray[np.bool_]:
    """Writes the boards of many positions in play into states, modified in place; which ones it has written.

    It leaves out those that are wrong in any way: `read_position` says what is wrong with each.
    """
    numbers = np.zeros((len(states), level.rows * level.columns), np.int32)
    is_read = np.zeros(len(states), bool)
    number_of: dict[int, int] = {}
    cells: list[_KnownCell] = []
    for k, blocks in enumerate(drawn):
        try:
            row = _cells_drawn(level, blocks)
        except PositionError:
            continue
        for cell in row:
            if id(cell) not in number_of:
                number_of[id(cell)] = len(cells)
                cells.append(cell)
        numbers[k] = [number_of[id(cell)] for cell in row]
        is_read[k] = True
    if cells:
        is_read &= _are_settled(level, cells, numbers)
        _write_boards(level, cells, numbers[is_read], states, np.flatnonzero(is_read))
    return is_read


def _write_boards(
    level: Level, cells: Sequence[_KnownCell], numbers: NDArray[Any], states: States, which: NDArray[Any]
) -> None:
    """Puts cells into some of the states, by rows of the numbers of cells. Modified in place."""
    codes, places = np.array([cell.codes for cell in cells], np.int8), cell_places(level)
    for field, column in zip(("piece", "color", "blocker", "jelly", "timer"), codes.T, strict=True):
        states[field][which[:, None], places] = column[numbers]


def _are_settled(level: Level, cells: Sequence[_KnownCell], numbers: NDArray[Any]) -> NDArray[np.bool_]:
    """Which boards, each a row of numbers of cells, `_refuse_unsettled` would let pass."""
    may_tick = np.array([_may_tick(cell.cell) for cell in cells])
    colors = np.array([color_code(cell.cell.visible_color) for cell in cells])
    boards = colors[numbers].reshape(-1, level.rows, level.columns)
    settled: NDArray[np.bool_] = (
        may_tick[numbers].all(1) & ~_has_line(boards) & ~_has_line(boards.swapaxes(1, 2))
    )
    return settled


def _has_line(boards: NDArray[Any]) -> NDArray[np.bool_]:
    """Which boards of colors, 0 for none, have three of a color side by side in a row."""
    left, middle, right = boards[:, :, :-2], boards[:, :, 1:-1], boards[:, :, 2:]
    lines: NDArray[np.bool_] = ((left != 0) & (left == middle) & (middle == right)).any((1, 2))
    return lines


def parse_position(level: Level, text: str, state: State) -> int:
    """Writes the position that a text describes into a state, as `read_position` does."""
    return read_position(level, *_sections(text), state)
