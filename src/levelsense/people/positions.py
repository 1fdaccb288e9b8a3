"""Positions of one level with the move that a player made in each: what telemetry of either form gives."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import PlayersError
from levelsense.game.record import level_record
from levelsense.game.state import LevelRecord, States
from levelsense.level.level import Level
from levelsense.people.replay import Codes, Offsets, legal_moves
from levelsense.playtest.levels import NamedLevel, named_words

Levels = Iterable[Level | NamedLevel | str | Path]  # as gather_levels takes them
POSITIONS_AT_ONCE: Final = 50_000  # in memory, of about a kilobyte each


@dataclass(frozen=True, eq=False)
class Positions:
    """Positions of one level, in order of attempts: entry i of each array belongs to states[i].

    states   as they were before the move (STATE_DTYPE)
    codes    of the moves made; each is among the legal ones
    player   who made it, as a text
    type     of the player, or an empty text where it is not known
    attempt  its number among the player's at this level
    turn     the move's number in the attempt, from 0
    own      the legal moves by the engine that was played on, and their offsets; None if by these rules
    """

    level: Level
    name: str
    states: States
    codes: Codes
    player: NDArray[np.str_]
    type: NDArray[np.str_]
    attempt: NDArray[np.int64]
    turn: NDArray[np.int64]
    own: tuple[Codes, Offsets] | None = None

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def record(self) -> LevelRecord:
        """The level as kernels read it."""
        return level_record(self.level).level

    @cached_property
    def legal(self) -> tuple[Codes, Offsets]:
        """The codes of the legal moves of all positions, and where each position's begin and end.

        Position i has codes[offsets[i]:offsets[i + 1]], by the engine played on or else by these rules.
        """
        return self.own if self.own is not None else legal_moves(self.states)


class PositionSource(Protocol):
    """Telemetry of either form: files of moves, and files of positions."""

    path: Path

    def positions(self, levels: Levels, at_once: int = POSITIONS_AT_ONCE) -> Iterator[Positions]:
        """The positions level by level, about so many at once, never part of an attempt."""
        ...


def refuse_unknown(path: Path, unknown: Sequence[str], levels: int, moves: int, all_moves: int) -> None:
    """PlayersError if a file names levels that are not among those given."""
    if unknown:
        raise PlayersError(
            f"{path}: {len(unknown):,} of {levels:,} levels, with {moves:,} of {all_moves:,} moves, are not "
            f"among the levels given: {named_words(unknown)}; expected their level files among `levels`"
        )
