"""Games that testers played, as telemetry: positions with the move that was made in each."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from levelsense.errors import LevelsenseError, PlayersError
from levelsense.game.game import Game, Move
from levelsense.game.state import STATE_DTYPE, STATUS_NAMES
from levelsense.level.level import Level
from levelsense.people.game_files import GameRecord, game_paths, has_begun, read_game
from levelsense.people.positions import (
    POSITIONS_AT_ONCE,
    Extent,
    Levels,
    Positions,
    Problem,
    Telemetry,
    refuse_unknown,
)
from levelsense.playtest.levels import NamedLevel, gather_levels

_GAMES_AT_ONCE: Final = 500  # of some 30 moves each


@dataclass(frozen=True)
class _Played:
    """A game that has moves: its file, its number among the player's at this level, and its level."""

    path: Path
    record: GameRecord
    attempt: int
    digest: str


@dataclass(frozen=True, eq=False)
class GameLog(Telemetry):
    """The games of a folder. Each file holds the level it was played on, so that no others are needed."""

    path: Path
    records: tuple[tuple[Path, GameRecord], ...]

    @cached_property
    def _games(self) -> list[_Played]:
        """The games with moves, in the order in which they began, level by level."""
        numbers: Counter[tuple[str, str]] = Counter()
        games = []
        for path, record in sorted(self.records, key=lambda game: game[1].start.started):
            if record.moves:
                digest = record.start.played_level.digest
                key = digest, record.start.player
                games.append(_Played(path, record, numbers[key], digest))
                numbers[key] += 1
        return sorted(games, key=lambda game: (game.record.start.level, game.digest))

    @cached_property
    def extent(self) -> Extent:
        """How much it holds."""
        games = self._games
        return Extent(
            len({game.digest for game in games}),
            len({game.record.start.player for game in games}),
            len(games),
            sum(len(game.record.moves) for game in games),
        )

    @cached_property
    def _named(self) -> dict[str, NamedLevel]:
        """The levels by their digest, each by the names that it was played under."""
        names: dict[str, list[str]] = {}
        levels: dict[str, Level] = {}
        for game in self._games:
            names.setdefault(game.digest, []).append(game.record.start.level)
            levels.setdefault(game.digest, game.record.start.played_level)
        return {
            digest: NamedLevel(level, tuple(dict.fromkeys(names[digest]))) for digest, level in levels.items()
        }

    @property
    def own_levels(self) -> Levels:
        """The levels that were played, as the files have them."""
        return list(self._named.values())

    def played(self, levels: Levels) -> list[NamedLevel]:
        """Those of the levels that there are games of, in order; PlayersError if games are of others."""
        gathered = gather_levels(levels)
        unknown = self._named.keys() - {named.level.digest for named in gathered}
        refuse_unknown(
            self.path,
            [named.name for digest, named in self._named.items() if digest in unknown],
            len(self._named),
            sum(len(game.record.moves) for game in self._games if game.digest in unknown),
            self.extent.moves,
        )
        return [named for named in gathered if named.level.digest in self._named]

    def read(
        self, levels: Levels, at_once: int = POSITIONS_AT_ONCE
    ) -> Iterator[tuple[Positions | None, list[Problem]]]:
        """The positions as `positions` gives them, but for wrong games, and what is wrong with these."""
        for named in self.played(levels):
            games = [each for each in enumerate(self._games) if each[1].digest == named.level.digest]
            for first in range(0, len(games), _GAMES_AT_ONCE):
                parts, problems = [], []
                for row, game in games[first : first + _GAMES_AT_ONCE]:
                    try:
                        parts.append(_positions(named, game))
                    except LevelsenseError as error:
                        problems.append(Problem(row, str(error)))
                yield _joined(parts), problems

    def places(self, rows: Sequence[int]) -> list[str]:
        """The names of games' files."""
        return [self._games[row].path.name for row in rows]


def read_games(folder: str | Path) -> GameLog:
    """The games in a folder; PlayersError if there are none, or if a file is damaged."""
    records = tuple((path, read_game(path)) for path in game_paths(Path(folder)) if has_begun(path))
    log = GameLog(Path(folder), records)
    if not log.extent.moves:
        raise PlayersError(f"{folder}: a folder without games; expected files that the studio wrote")
    return log


def _positions(named: NamedLevel, played: _Played) -> Positions:
    """The positions of one game, by playing it again."""
    record = played.record
    game: Game = record.start.new_game()
    states, codes, turns = [], [], []
    for move in record.moves:
        states.append(game.state.copy())
        turns.append(game.moves_made)
        codes.append(Move.parse(game.play(move).move).code)
    count = len(codes)
    return Positions(
        named.level,
        named.name,
        np.array(states, STATE_DTYPE),
        np.array(codes, np.int16),
        np.full(count, record.start.player),
        np.full(count, ""),
        np.full(count, record.cohort),
        np.full(count, played.attempt, np.int64),
        np.array(turns, np.int64),
        ending=np.full(count, STATUS_NAMES.index(game.status), np.int64),
    )


def _joined(parts: Sequence[Positions]) -> Positions | None:
    if not parts:
        return None
    # Some attributes of Positions have no entry a position.
    joined: dict[str, Any] = {
        column: np.concatenate([getattr(part, column) for part in parts])
        for column in ("states", "codes", "player", "type", "cohort", "attempt", "turn", "ending")
    }
    return replace(parts[0], **joined)
