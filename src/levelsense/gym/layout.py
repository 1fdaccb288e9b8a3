"""What a network sees and does in a level: the planes of its board, its numbers and its actions, by name."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from levelsense.game.game import Move
from levelsense.game.moves import MOST_MOVES
from levelsense.game.record import level_record
from levelsense.game.state import (
    COLOR_NAMES,
    COUNTDOWN,
    I8,
    MCADAMS,
    MOST_COUNT,
    MOST_DROPS,
    MOST_TIME,
    PIECE_NAMES,
    PLAIN,
    QUADRATIC_SCORING,
    SAGA_SCORING,
    SCORING_NAMES,
    STRIPED_COLUMN,
    STRIPED_ROW,
    Array,
    record_dtype,
)
from levelsense.level.elements import BLOCKERS
from levelsense.level.level import Level
from levelsense.level.tokens import parse_cell

NO_PLANE = -1
NO_ACTION = -1
REWARDS = ("score", "goals", "win")
SCORE_REWARD, GOALS_REWARD, WIN_REWARD = range(3)
# Points of a line of three in the first round of a move (docs/rules.md, section 11).
_LINE_OF_THREE = {SAGA_SCORING: 60.0, QUADRATIC_SCORING: 60.0}
_LINE_OF_THREE_BY_PIECES = 3.0
_MOST_JELLY = 2
# A plain candy is a color without anything else; primed candies never outlast a move, and countdown bombs
# are told by their number.
_SHOWN_PIECES = tuple(
    name for name in PIECE_NAMES if name not in ("empty", "candy", "countdown", "primed", "large primed")
)


class LayoutRecord:
    """Where the kernels write what, and what an action means; NO_PLANE is written nowhere."""

    actions: I8
    line_of_three: Annotated[float, "f8"]  # points
    jelly_plane: I8
    countdown_plane: I8
    limited_drops: I8
    plane_of_color: Annotated[Array, "i8", len(COLOR_NAMES) + 1]
    plane_of_piece: Annotated[Array, "i8", len(PIECE_NAMES)]
    plane_of_element: Annotated[Array, "i8", len(BLOCKERS) + 1]  # by the numbers of ELEMENT
    limited_drop: Annotated[Array, "i8", MOST_DROPS]  # the drops that have a total
    code: Annotated[Array, "i8", MOST_MOVES]  # the kernels' number of each action's move
    action_of: Annotated[Array, "i8", MOST_MOVES]  # the action of each number of a move, or NO_ACTION


LAYOUT_DTYPE = record_dtype(LayoutRecord)


@dataclass(frozen=True)
class Layout:
    """The spaces of a level, with a name for each of their parts.

    planes    what each plane of the observation's `board` shows
    numbers   what each of the observation's `numbers` is
    moves     the move of each action
    records   the same for the kernels: one LayoutRecord
    constant  the board's planes with all that never changes in them, and 0 elsewhere
    """

    planes: tuple[str, ...]
    numbers: tuple[str, ...]
    moves: tuple[Move, ...]
    records: NDArray[Any]
    constant: NDArray[np.uint8]
    observation_space: spaces.Dict
    action_space: "spaces.Discrete[np.int64]"


@lru_cache(maxsize=64)
def layout_of(level: Level) -> Layout:
    """The layout of a level; cached, and not to be modified."""
    highest, constant = _planes(level)
    numbers = _numbers(level)
    moves = _moves(level)
    planes = tuple(highest)
    return Layout(
        planes,
        tuple(name for name, _ in numbers),
        moves,
        _records(level, planes, moves),
        np.array([constant.get(name, np.zeros((level.rows, level.columns))) for name in planes], np.uint8),
        _observation_space(level, list(highest.values()), [most for _, most in numbers]),
        spaces.Discrete(len(moves)),
    )


def _planes(level: Level) -> tuple[dict[str, int], dict[str, NDArray[np.uint8]]]:
    """The highest value of each plane by its name, in order; and the planes that never change."""
    constant = _constant_planes(level)
    pieces = _possible_pieces(level)
    blockers = {cell.blocker for cell in level.cells}
    highest = {name: int(plane.max()) for name, plane in constant.items()}
    highest |= dict.fromkeys(_possible_colors(level), 1)
    highest |= {name: 1 for name in _SHOWN_PIECES if name in pieces}
    if PIECE_NAMES[COUNTDOWN] in pieces:
        highest["countdown"] = _longest_countdown(level)
    highest |= {element.name: element.most_layers for element in BLOCKERS if element.name in blockers}
    if any(cell.jelly for cell in level.cells):
        highest["jelly"] = _MOST_JELLY
    return highest, constant


def _constant_planes(level: Level) -> dict[str, NDArray[np.uint8]]:
    """Tiles, and of exits, dispensers and teleporters those that a level has."""
    shape = level.rows, level.columns
    tile, exits, dispenser, entrance, arrival = (np.zeros(shape, np.uint8) for _ in range(5))
    tile.flat[:] = [cell.tile for cell in level.cells]
    exits.flat[list(level.exit_cells)] = 1
    for each in level.dispensers:
        for name in each.at:
            dispenser[parse_cell(name)] = 1
    for number, teleporter in enumerate(level.teleporters, 1):
        entrance[parse_cell(teleporter.from_)] = number
        arrival[parse_cell(teleporter.to)] = number
    planes = {
        "tile": tile,
        "exit": exits,
        "dispenser": dispenser,
        "teleporter from": entrance,
        "teleporter to": arrival,
    }
    return {name: plane for name, plane in planes.items() if plane.any()}


def _possible_colors(level: Level) -> list[str]:
    """The colors that can be on the board, in their order."""
    drawn = {cell.color for cell in level.cells} | {drop.color for drop in level.all_drops}
    return [color for color in COLOR_NAMES if color in {*level.color_table, *drawn}]


def _possible_pieces(level: Level) -> set[str]:
    """The pieces that can be on the board: drawn, dropped, paid, left by a blocker, made by the rules."""
    record = level_record(level).level
    pieces = {cell.piece or "" for cell in level.cells}
    pieces |= {drop.piece for drop in level.all_drops} | set(level.sugar.pays if level.sugar else ())
    drawn = {cell.blocker for cell in level.cells}
    if any(element.left == "bomb" and element.name in drawn for element in BLOCKERS):
        pieces.add("color bomb")
    if record.rules != PLAIN:
        pieces |= {"striped", "color bomb"}
        pieces |= set() if record.rules == MCADAMS else {"wrapped"}
    directions = {PIECE_NAMES[STRIPED_ROW], PIECE_NAMES[STRIPED_COLUMN]}
    return pieces | (directions if pieces & {"striped", *directions} else set())


def _longest_countdown(level: Level) -> int:
    """The highest number of a countdown bomb: one that drops in starts one higher than written."""
    drawn = (cell.timer for cell in level.cells)
    return max([*drawn, *(drop.timer + 1 for drop in level.all_drops if drop.timer is not None)])


def _numbers(level: Level) -> list[tuple[str, float]]:
    """The name and the highest value of each number, in the order in which the kernels write them."""
    # Time candies may bring more time than there was at the start, and payouts of sugar may wait.
    limit = ("moves left", 1.0)
    if level.seconds is not None:
        limit = ("seconds left", MOST_TIME / 1000 / level.seconds)
    limited = [drop for drop in level.all_drops if drop.total is not None]
    return [
        *((f"{name} left", 1.0) for name in level.asked),
        limit,
        *((f"drop {k}, {drop.piece}, left", 1.0) for k, drop in enumerate(limited, 1)),
        *([("sugar", MOST_COUNT / level.sugar.every)] if level.sugar else []),
    ]


def _moves(level: Level) -> tuple[Move, ...]:
    """The swaps of neighboring tiles in the order of the rules; with specials, then the other way round."""
    has_tile = {divmod(k, level.columns) for k, cell in enumerate(level.cells) if cell.tile}
    swaps = [
        Move((row, column), other)
        for row, column in sorted(has_tile)
        for other in ((row, column + 1), (row + 1, column))
        if other in has_tile
    ]
    other_way = [swap.reversed for swap in swaps] if level_record(level).level.has_specials else []
    return (*swaps, *other_way)


def _observation_space(level: Level, of_planes: list[int], of_numbers: list[float]) -> spaces.Dict:
    shape = (len(of_planes), level.rows, level.columns)
    board = np.broadcast_to(np.array(of_planes, np.uint8)[:, None, None], shape)
    numbers = np.array(of_numbers, np.float32)
    return spaces.Dict(
        {
            "board": spaces.Box(np.zeros(shape, np.uint8), board.copy(), dtype=np.uint8),
            "numbers": spaces.Box(np.zeros_like(numbers), numbers, dtype=np.float32),
        }
    )


def _records(level: Level, planes: tuple[str, ...], moves: tuple[Move, ...]) -> NDArray[Any]:
    records = np.zeros(1, LAYOUT_DTYPE)
    record: LayoutRecord = records[0]
    plane = {name: number for number, name in enumerate(planes)}
    record.actions = len(moves)
    record.line_of_three = _LINE_OF_THREE.get(
        SCORING_NAMES.index(level.scoring_scheme), _LINE_OF_THREE_BY_PIECES
    )
    record.jelly_plane = plane.get("jelly", NO_PLANE)
    record.countdown_plane = plane.get("countdown", NO_PLANE)
    record.plane_of_color[:] = [NO_PLANE, *(plane.get(name, NO_PLANE) for name in COLOR_NAMES)]
    shown = {*_SHOWN_PIECES}
    record.plane_of_piece[:] = [
        plane.get(name, NO_PLANE) if name in shown else NO_PLANE for name in PIECE_NAMES
    ]
    record.plane_of_element[:] = [NO_PLANE, *(plane.get(element.name, NO_PLANE) for element in BLOCKERS)]
    limited = [number for number, drop in enumerate(level.all_drops) if drop.total is not None]
    record.limited_drops = len(limited)
    record.limited_drop[: len(limited)] = limited
    record.action_of[:] = NO_ACTION
    for action, move in enumerate(moves):
        record.code[action] = move.code
        record.action_of[move.code] = action
    return records
