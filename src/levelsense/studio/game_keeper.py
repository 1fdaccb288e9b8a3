"""Games that testers play: kept in memory while they are played, on the disk with every move."""

import datetime
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from weakref import WeakValueDictionary

import polars as pl

from levelsense.errors import LevelsenseError, PlayersError
from levelsense.game.game import Game, Move
from levelsense.lab import Lab
from levelsense.people.game_files import (
    LEFT,
    SUFFIX,
    GameFile,
    GameRecord,
    GameStart,
    game_paths,
    read_game,
    readable_games,
)
from levelsense.store.players import RESULTS_SCHEMA
from levelsense.studio.problems import RequestError
from levelsense.studio.turn_data import turn_data

MOST_LIVE: Final = 200  # games in memory; others are read again from their files
MOST_FILES: Final = 50_000
STALE_SECONDS: Final = 24 * 3600  # without a move: the attempt was broken off
SOURCE: Final = "studio"
BROKEN_OFF: Final = "testers, broken off"
_ID_BYTES: Final = 12

ResultKey = tuple[str, str, str, str]  # level's version, player, date, cohort


@dataclass(eq=False)
class LiveGame:
    """A game in memory: how it is written, how it stands, its file once a move was made, its last turn."""

    record: GameRecord
    game: Game
    file: GameFile | None = None
    last_turn: dict[str, Any] | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def id(self) -> str:
        """Its name in addresses."""
        return self.record.start.id


@dataclass(frozen=True)
class _Attempt:
    """An attempt that is over, as far as results need it."""

    key: ResultKey
    won: bool
    moves_left: int | None


class GameKeeper:
    """The games of a studio: started, played move by move, found again after the server was killed."""

    def __init__(self, folder: Path, lab: Lab) -> None:
        self._folder, self._lab = folder, lab
        self._live: OrderedDict[str, LiveGame] = OrderedDict()
        # Those that a request still holds, too: two copies of a game would write its turns twice.
        self._held: WeakValueDictionary[str, LiveGame] = WeakValueDictionary()
        self._paths: dict[str, Path] = {}
        self._attempts: dict[str, _Attempt] = {}
        self._boards: set[tuple[str, str, int]] = set()  # player, digest, seed that were played
        self._unstored: set[ResultKey] = set()
        self._lock = threading.RLock()
        self._is_read = False
        self.problem: str | None = None  # why results are not in the database yet

    # ---- starting and finding

    def start(
        self, player: str, name: str, text: str, seed: int | None = None, position: str | None = None
    ) -> LiveGame:
        """A new game; LevelError or PositionError if there can be none. It is written with its first move."""
        self.recover()
        start = GameStart(
            id=secrets.token_hex(_ID_BYTES),
            player=player,
            level=name,
            text=text,
            seed=secrets.randbelow(2**32) if seed is None else seed,
            position=position,
            again=False,
            started=_now(),
        )
        game = start.new_game()
        if game.status == "playing" and not game.legal_moves:
            raise PlayersError("the position has no legal move; expected one that can be played on")
        live = LiveGame(GameRecord(start), game)
        with self._lock:
            self._keep(live)
        return live

    def find(self, game_id: str) -> LiveGame:
        """A game by its id, from memory or from its file; RequestError if there is none."""
        self.recover()
        with self._lock:
            held = self._held.get(game_id)
            if held is not None:
                self._keep(held)
                return held
            path = self._paths.get(game_id)
            if path is None:
                raise RequestError(
                    404, "no-such-game", f"{game_id}: no such game; one without a move is not kept"
                )
            record = read_game(path)
            live = LiveGame(record, record.game(), GameFile(path))
            self._keep(live)
            return live

    def _keep(self, live: LiveGame) -> None:
        self._live[live.id] = self._held[live.id] = live
        self._live.move_to_end(live.id)
        while len(self._live) > MOST_LIVE:
            self._live.popitem(last=False)

    def recent(self, most: int) -> list[GameRecord]:
        """The games that were played last, the newest first."""
        self.recover()
        with self._lock:
            paths = list(self._paths.values())
        return readable_games(sorted(paths, key=_last_written, reverse=True)[:most])

    # ---- playing

    def play(self, game_id: str, turn: int, move: str) -> tuple[LiveGame, dict[str, Any]]:
        """Plays a move, the `turn`-th of the game from 0, and gives what happened, once it is on the disk.

        A move that was played before is answered again. RequestError (409) if another one was, or if moves
        before it are missing; IllegalMoveError if it is not legal.
        """
        live = self.find(game_id)
        with live.lock:
            made = live.record.moves
            if turn < len(made):
                happened_before = self._again(live, turn, move)
                self._settle(live)
                return live, happened_before
            if turn > len(made) or live.record.ending is not None:
                self._refuse(live, turn)
            played = live.game.copy()
            happened = played.play(move)
            self._write(live).add_move(turn, happened.move, _now())
            made.append(happened.move)
            live.game, live.last_turn = played, turn_data(happened)
            if played.status != "playing":
                self._end(live, played.status)
            return live, live.last_turn

    def _again(self, live: LiveGame, turn: int, move: str) -> dict[str, Any]:
        """What a move that was played did; RequestError if it was another one."""
        played = live.record.moves[turn]
        if not _is_same_swap(move, played):
            self._refuse(live, turn)
        if turn == len(live.record.moves) - 1 and live.last_turn is not None:
            return live.last_turn
        game = live.record.start.new_game()
        for earlier in live.record.moves[:turn]:
            game.play(earlier)
        return turn_data(game.play(played))

    def _refuse(self, live: LiveGame, turn: int) -> None:
        made = len(live.record.moves)
        ended = f" and it is over ({live.record.ending})" if live.record.ending else ""
        raise RequestError(
            409,
            "other-turn",
            f"turn {turn}: the game has {made} moves{ended}; expected turn {made}, or the same move again",
            {"turn": made},
        )

    def note_hint(self, live: LiveGame) -> None:
        """Writes that a hint was taken."""
        with live.lock:
            if live.record.ending is None:
                self._write(live).add_hint(len(live.record.moves), _now())
                live.record.hints += 1

    def leave(self, game_id: str) -> LiveGame:
        """Breaks a game off, unless it is over."""
        live = self.find(game_id)
        with live.lock:
            self._settle(live)
            if live.record.ending is None and live.file is not None:
                self._end(live, LEFT)
            elif live.file is None:
                live.record.ending = LEFT
        return live

    def _write(self, live: LiveGame) -> GameFile:
        """The game's file, made if there is none yet."""
        if live.file is not None:
            return live.file
        with self._lock:
            if len(self._paths) >= MOST_FILES:
                self._paths = {game_id: path for game_id, path in self._paths.items() if path.exists()}
            if len(self._paths) >= MOST_FILES:
                raise RequestError(
                    507, "too-many-games", f"{self._folder} holds {MOST_FILES:,} games; move some elsewhere"
                )
            start = live.record.start
            board = start.player, start.played_level.digest, start.seed
            if start.position is None and board in self._boards:
                start = replace(start, again=True)
                live.record.start = start
            live.file = GameFile.begin(self._folder, start)
            self._paths[live.id] = live.file.path
            self._boards.add(board)
            return live.file

    # ---- results

    def _settle(self, live: LiveGame) -> None:
        """Writes the ending of a game that is over by its last move: the server may have been stopped, or the
        disk full, after that move was written and before the ending was."""
        if live.record.ending is None and live.file is not None and live.game.status != "playing":
            self._end(live, live.game.status)

    def _end(self, live: LiveGame, ending: str) -> None:
        """Writes how a game ended, and stores the player's results."""
        assert live.file is not None
        left = live.game.moves_left
        live.file.add_ending(ending, left, _now())
        live.record.ending, live.record.moves_left = ending, left
        with self._lock:
            self._count(live.record)
            self._count_others(live.record.start.date)
            self._store()

    def _count_others(self, date: str) -> None:
        """Takes in what another studio on the same folder has written on a day: a day's results are stored
        as a whole."""
        for path in self._folder.glob(f"{date}-*{SUFFIX}"):
            game_id = _id_of(path)
            if game_id not in self._attempts and game_id not in self._live:
                self._paths[game_id] = path
                with suppress(LevelsenseError):
                    self._count(read_game(path))

    def _count(self, record: GameRecord) -> None:
        """Takes an attempt that is over among those that results are made of."""
        if not record.is_attempt or record.ending is None:
            return
        start = record.start
        cohort = BROKEN_OFF if record.ending == LEFT else record.cohort
        key = start.version, start.player, start.date, cohort
        self._attempts[start.id] = _Attempt(key, record.ending == "won", record.moves_left)
        self._unstored.add(key)

    def _store(self) -> None:
        """Writes the results of days that have changed into the database. If it cannot, they stay to be
        written: nothing is lost, since they are made from the games' files."""
        if not self._unstored:
            return
        by_key: dict[ResultKey, list[_Attempt]] = {key: [] for key in sorted(self._unstored)}
        for attempt in self._attempts.values():
            if attempt.key in by_key:
                by_key[attempt.key].append(attempt)
        rows = [_row(key, attempts) for key, attempts in by_key.items()]
        try:
            self._lab.store_results(pl.DataFrame(rows, schema=RESULTS_SCHEMA))
        except LevelsenseError as error:
            self.problem = str(error)
        else:
            self._unstored.clear()
            self.problem = None

    def recover(self) -> None:
        """Reads the games that are on the disk, once, and stores what is not in the database yet.

        Those without a move for a day were broken off.
        """
        with self._lock:
            if self._is_read:
                return
            self._is_read = True
            for path in game_paths(self._folder):
                self._paths[_id_of(path)] = path
                with suppress(LevelsenseError):  # no file of a game, or of other rules: it stays as it is
                    self._take_in(path)
            self._store()

    def _take_in(self, path: Path) -> None:
        """Reads a game of the disk, whose ending is written if it has none and is over."""
        record = read_game(path)
        self._boards.add((record.start.player, record.start.played_level.digest, record.start.seed))
        if record.ending is None:
            game = record.game()
            is_stale = time.time_ns() - _last_written(path) > STALE_SECONDS * 1_000_000_000
            ending = game.status if game.status != "playing" else LEFT if is_stale else None
            if ending is not None:
                GameFile(path).add_ending(ending, game.moves_left, _now())
                record.ending, record.moves_left = ending, game.moves_left
        self._count(record)


def _row(key: ResultKey, attempts: Sequence[_Attempt]) -> dict[str, Any]:
    """A player's results at a level on a day: always all of them, so that none is counted twice."""
    left = [attempt.moves_left for attempt in attempts if attempt.won and attempt.moves_left is not None]
    level, player, date, cohort = key
    return {
        "level": level,
        "player": player,
        "date": datetime.date.fromisoformat(date),
        "cohort": cohort,
        "attempts": len(attempts),
        "successes": sum(attempt.won for attempt in attempts),
        "moves_left": sum(left) / len(left) if left else None,
        "boosters": None,
        "source": SOURCE,
    }


def _id_of(path: Path) -> str:
    return path.name.removesuffix(SUFFIX).rpartition("-")[2]


def _last_written(path: Path) -> int:
    """When a file was last written, in nanoseconds since 1970; 0 if it was taken away."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")


def _is_same_swap(one: str, other: str) -> bool:
    first, second = Move.parse(one), Move.parse(other)
    return first in (second, second.reversed)
