"""From a level as a designer writes it to the two records that the kernels play on."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levelsense.game.state import (
    BLOCKER_CODES,
    COLOR_BOMB,
    COLOR_NAMES,
    COUNT_NAMES,
    COUNTDOWN,
    ELEMENT,
    GROWS,
    HIDES,
    LEVEL_DTYPE,
    NO_BLOCKER,
    NO_ENTRY,
    NO_RATE,
    PIECE_NAMES,
    PLAIN,
    RULES_NAMES,
    SCORING_NAMES,
    STRIDE,
    STRIPED_ROW,
    SWIRL,
    LevelRecord,
    State,
    new_state,
)
from levelsense.level.checks import fall_sources
from levelsense.level.level import Level
from levelsense.level.tokens import Cell

CellCodes = tuple[int, int, int, int, int]  # of piece, color, blocker, jelly and timer


@dataclass(frozen=True)
class LevelRecords:
    """What the kernels need of a level: its record, and the state before the first board is dealt."""

    level: LevelRecord
    start: State
    places: NDArray[np.int64]  # the kernels' numbers of all cells of the board, in row-major order


@lru_cache(maxsize=1024)
def level_record(level: Level) -> LevelRecords:
    """The records of a level; cached, and not to be modified."""
    record = np.zeros(1, LEVEL_DTYPE)[0]
    start = new_state()[0]
    _write_board(level, record, start)
    _write_colors(level, record, start)
    _write_limits(level, record, start)
    _write_goals(level, record)
    _write_drops(level, record)
    _write_chains(level, record)
    _write_flags(level, record, start)
    return LevelRecords(record, start, np.array(cell_places(level)))


def piece_code(name: str) -> int:
    """The code of a piece by its name; a striped piece whose direction is open takes the row's."""
    return STRIPED_ROW if name == "striped" else PIECE_NAMES.index(name)


def color_code(name: str | None) -> int:
    """The code of a color by its name; 0 for none."""
    return 0 if name is None else COLOR_NAMES.index(name) + 1


def blocker_code(cell: Cell) -> int:
    """The code of a cell's blocker with its layers; one that is drawn without a number has one."""
    return NO_BLOCKER if cell.blocker is None else BLOCKER_CODES[cell.blocker, cell.layers or 1]


def cell_index(level: Level, index: int) -> int:
    """The kernels' number of a cell, from its row-major index on the level's board."""
    return index // level.columns * STRIDE + index % level.columns


def _write_board(level: Level, record: LevelRecord, start: State) -> None:
    record.rows, record.columns = level.rows, level.columns
    places = cell_places(level)
    write_cells(start, places, [cell_codes(cell) for cell in level.cells])
    for i, cell in zip(places, level.cells, strict=True):
        record.tile[i] = cell.tile
        record.tile_row[i // STRIDE] |= int(cell.tile) << (i % STRIDE)
        record.dealt[i] = cell.colored and cell.color is None


def cell_codes(cell: Cell) -> CellCodes:
    """What a cell holds, in the codes of a state."""
    piece = piece_code(cell.piece) if cell.piece else 0
    return piece, color_code(cell.color), blocker_code(cell), cell.jelly, cell.timer


def write_cells(state: State, places: Sequence[int], cells: Sequence[CellCodes]) -> None:
    """Puts cells into a state, each at its place. Modified in place."""
    columns = np.array(cells, np.int8).T
    for field, column in zip(("piece", "color", "blocker", "jelly", "timer"), columns, strict=True):
        getattr(state, field)[places] = column


def cell_places(level: Level) -> list[int]:
    """The kernels' numbers of all cells of a level's board, in row-major order."""
    return [row * STRIDE + column for row in range(level.rows) for column in range(level.columns)]


def _write_colors(level: Level, record: LevelRecord, start: State) -> None:
    table = [color_code(name) for name in level.color_table]
    record.table_size = len(table)
    record.color_table[: len(table)] = table
    dropped = [color_code(drop.color) for drop in level.all_drops]
    record.top_color = max([*table, *dropped, int(start.color.max())])


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def _write_limits(level: Level, record: LevelRecord, start: State) -> None:
    if level.moves is not None:
        record.moves = start.moves_left = level.moves
    if level.seconds is not None:
        record.milliseconds = start.time_left = _milliseconds(level.seconds)
        record.move_cost = _milliseconds(level.pace.move)
        record.round_cost = _milliseconds(level.pace.round)
        record.time_bonus = _milliseconds(level.pace.time_candy)
    record.bonus = level.bonus
    record.rules = RULES_NAMES.index(level.rules)
    record.scoring = SCORING_NAMES.index(level.scoring_scheme)


def _write_goals(level: Level, record: LevelRecord) -> None:
    asked = dict(level.asked)
    record.asked_score = asked.pop("score", 0)
    for k, (name, number) in enumerate(asked.items()):
        record.goal_count[k] = COUNT_NAMES.index(name)
        record.asked[COUNT_NAMES.index(name)] = number
    record.goals = len(asked)
    if level.sugar:
        record.sugar_every = level.sugar.every
        record.pays = len(level.sugar.pays)
        record.pay[: record.pays] = [piece_code(name) for name in level.sugar.pays]


def _write_drops(level: Level, record: LevelRecord) -> None:
    for k, drop in enumerate(level.all_drops):
        record.drop_piece[k] = piece_code(drop.piece)
        record.drop_rate[k] = NO_RATE if drop.rate is None else round(drop.rate * 10_000)
        record.drop_keep[k] = drop.keep or 0
        record.drop_total[k] = drop.total or 0
        record.drop_color[k] = color_code(drop.color)
        record.drop_timer[k] = drop.timer or 0
    ends = np.cumsum([len(level.drops), *(len(dispenser.drops) for dispenser in level.dispensers)])
    record.rule_first[1 : len(ends) + 1] = ends


def _entry_rules(level: Level) -> dict[int, int]:
    """For each cell where pieces enter, the number of its list of drops.

    0 the level's, then one a dispenser.
    """
    tops: dict[int, int] = {}
    for index, cell in enumerate(level.cells):
        if cell.tile:
            tops.setdefault(index % level.columns, index)
    entries = dict.fromkeys(tops.values(), 0)
    for teleporter in level.teleporters:
        entries.pop(level.index(teleporter.to), None)
    for rule, dispenser in enumerate(level.dispensers, 1):
        entries.update((level.index(name), rule) for name in dispenser.at)
    return entries


def chains(level: Level) -> list[list[int]]:
    """The falling chains of a level, each from its top down, in their order (docs/rules.md, section 8).

    Cells are row-major indexes.
    """
    sources = fall_sources(level)
    below = {source: cell for cell, source in sources.items() if source is not None}
    tops = sorted(
        (cell for cell, source in sources.items() if source is None),
        key=lambda cell: (cell % level.columns, cell // level.columns),
    )
    ordered = []
    for top in tops:
        chain = [top]
        while chain[-1] in below:
            chain.append(below[chain[-1]])
        ordered.append(chain)
    return ordered


def _write_chains(level: Level, record: LevelRecord) -> None:
    entries = _entry_rules(level)
    position = 0
    for number, chain in enumerate(chains(level)):
        record.chain_first[number] = position
        record.chain_entry[number] = entries.get(chain[0], NO_ENTRY)
        for index in reversed(chain):
            i = cell_index(level, index)
            record.chain_cell[position] = i
            record.chain_of[i] = number
            record.chain_columns[number] |= 1 << (i % STRIDE)
            position += 1
        record.chain_first[number + 1] = position
        record.chains = number + 1
    exits = sorted(cell_index(level, index) for index in level.exit_cells)
    record.exits = len(exits)
    record.exit_cell[: len(exits)] = exits


def _write_flags(level: Level, record: LevelRecord, start: State) -> None:
    """Flags of what can occur in a level, so that kernels skip the search for the rest."""
    pieces = {*start.piece[record.tile > 0].tolist(), *(piece_code(drop.piece) for drop in level.all_drops)}
    is_dry = bool((record.chain_entry[: record.chains] == NO_ENTRY).any())
    record.has_blockers = bool(start.blocker.any()) or is_dry
    record.has_touchables = bool(start.blocker.any()) or SWIRL in pieces
    record.has_hidden_pieces = bool((HIDES[start.blocker] & (start.piece > 0)).any())
    growing = {int(ELEMENT[code]) for code in start.blocker.tolist() if GROWS[code]}
    record.growing = sum(1 << element for element in growing)
    record.has_countdowns = COUNTDOWN in pieces
    specials = set(range(STRIPED_ROW, COLOR_BOMB + 1))
    record.has_specials = (
        level.rules != RULES_NAMES[PLAIN] or level.sugar is not None or bool(specials & pieces)
    )
