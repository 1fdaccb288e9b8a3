"""Positions of one level with the move that a player made in each: what telemetry of either form gives."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import PlayersError
from levelsense.game.record import level_record
from levelsense.game.state import LevelRecord, States
from levelsense.level.level import Level, bundled_levels
from levelsense.people.replay import Codes, Offsets, legal_moves
from levelsense.playtest.levels import NamedLevel, named_words
from levelsense.store.players import MOST_NAMED, more_words

Levels = Iterable[Level | NamedLevel | str | Path]  # as gather_levels takes them
POSITIONS_AT_ONCE: Final = 50_000  # in memory, of about a kilobyte each


@dataclass(frozen=True, eq=False)
class Positions:
    """Positions of one level, in order of attempts: entry i of each array belongs to states[i].

    states   as they were before the move (STATE_DTYPE)
    codes    of the moves made; each is among the legal ones
    player   who made it, as a text
    type     of the player, or an empty text where it is not known
    cohort   the group of players, likewise; players are known by cohort and player
    attempt  its number among the player's at this level
    turn     the move's number in the attempt, from 0
    listed   how many positions list the legal moves of the engine that was played on
    ending   how the position's attempt ended: WON, LOST, or PLAYING if it was left; None if not known

    `own` are the legal moves by that engine and their offsets; None if all are by these rules.
    """

    level: Level
    name: str
    states: States
    codes: Codes
    player: NDArray[np.str_]
    type: NDArray[np.str_]
    cohort: NDArray[np.str_]
    attempt: NDArray[np.int64]
    turn: NDArray[np.int64]
    own: tuple[Codes, Offsets] | None = None
    listed: int = 0
    ending: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def chosen(self, places: NDArray[np.int64]) -> "Positions":
        """Some of the positions, by their numbers in order."""
        columns = ["states", "codes", "player", "type", "cohort", "attempt", "turn"]
        columns += [] if self.ending is None else ["ending"]
        listed_moves = None
        if self.own is not None:
            codes, first = self.own
            parts = [codes[first[k] : first[k + 1]] for k in places]
            ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
            listed_moves = np.concatenate([codes[:0], *parts]), np.concatenate([np.zeros(1, np.int64), ends])
        return replace(self, own=listed_moves, **{name: getattr(self, name)[places] for name in columns})

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


class Problem(NamedTuple):
    """What is wrong with a row (from 0) of a file."""

    row: int
    sentence: str


class Extent(NamedTuple):
    """How much a file of telemetry holds."""

    levels: int
    players: int
    attempts: int
    moves: int


class Telemetry(ABC):
    """Telemetry of any form, of moves, positions or games, whose rows give positions."""

    path: Path

    @property
    @abstractmethod
    def extent(self) -> Extent:
        """How much it holds."""

    @property
    def own_levels(self) -> Levels:
        """The levels that are taken where none are given: the bundled ones, if the file holds none."""
        return bundled_levels()

    @abstractmethod
    def played(self, levels: Levels) -> list[NamedLevel]:
        """Those of the levels that there are rows of, in order; PlayersError if rows are of others."""

    @abstractmethod
    def read(
        self, levels: Levels, at_once: int = POSITIONS_AT_ONCE
    ) -> Iterator[tuple[Positions | None, list[Problem]]]:
        """The positions as `positions` gives them, but for wrong rows, and what is wrong with these."""

    @abstractmethod
    def places(self, rows: Sequence[int]) -> list[str]:
        """The places of rows (from 0) in the file, in words."""

    def positions(self, levels: Levels, at_once: int = POSITIONS_AT_ONCE) -> Iterator[Positions]:
        """The positions level by level, in the order of levels given, with whole attempts each time.

        Levels are files, folders, names of bundled levels or Level objects; those without rows are passed
        over. About `at_once` positions are in memory. PlayersError if rows are of other levels, and with a
        sentence for each of the first wrong rows as soon as it comes to them.
        """
        for positions, problems in self.read(levels, at_once):
            if problems:
                raise PlayersError(self.sentences(problems))
            if positions is not None:
                yield positions

    def sentences(self, problems: Sequence[Problem]) -> list[str]:
        """A sentence for each of the first problems, in order of rows, and one that counts the others."""
        first = sorted(problems)[:MOST_NAMED]
        places = self.places([problem.row for problem in first]) if first else []
        words = [f"{place}: {problem.sentence}" for place, problem in zip(places, first, strict=True)]
        words += more_words(len(problems) - MOST_NAMED, "wrong row", "wrong rows")
        return [f"{self.path}: {sentence}" for sentence in words]


def refuse_unknown(path: Path, unknown: Sequence[str], levels: int, moves: int, all_moves: int) -> None:
    """PlayersError if a file names levels that are not among those given."""
    if unknown:
        raise PlayersError(
            f"{path}: {len(unknown):,} of {levels:,} levels, with {moves:,} of {all_moves:,} moves, are not "
            f"among the levels given: {named_words(unknown)}; expected their level files among `levels`"
        )
