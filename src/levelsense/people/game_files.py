"""Files of single games that people play: a line is written and synced with each move, none is lost."""

import datetime
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Final

from levelsense.errors import LevelError, LevelsenseError, OutputError, PlayersError
from levelsense.files import sync_folder
from levelsense.game.game import Game, Move
from levelsense.game.state import RULES_VERSION
from levelsense.level.level import Level

SUFFIX: Final = ".game"
FORM: Final = 1  # raised by one with every change of what the lines mean
LEFT: Final = "left"
ENDINGS: Final = ("won", "lost", LEFT)  # an attempt that was left is neither
TESTERS: Final = "testers"
HELPED: Final = "testers, helped"
_ID: Final = re.compile(r"[0-9a-f]{24}")
_MOST_BYTES: Final = 5_000_000


@dataclass(frozen=True)
class GameStart:
    """How a game began: its first line.

    id        24 hexadecimal digits
    player    who plays, as they call themselves
    level     the name of the level, its file's
    text      the level's text as it was played, saved or not
    seed      of the game
    position  the text of the position that it began from; None if it began as the level does
    again     whether the player has played this level with this seed before, and so knows the board
    started   the time with its zone, as 2025-01-31T12:00:00+0100
    """

    id: str
    player: str
    level: str
    text: str
    seed: int
    position: str | None
    again: bool
    started: str

    @cached_property
    def played_level(self) -> Level:
        """The level; LevelError if the text is none."""
        return Level.from_json(self.text, self.level)

    @property
    def version(self) -> str:
        """What results of the game are stored under: the level's name, and its version behind an @."""
        return version_name(self.level, self.played_level)

    @property
    def date(self) -> str:
        """The day on which it began."""
        return self.started[:10]

    def new_game(self) -> Game:
        """The game before its first move."""
        if self.position is None:
            return Game(self.played_level, self.seed)
        return Game.parse(self.position, self.played_level)


@dataclass
class GameRecord:
    """A game as far as it is written: its start, its moves such as c4d4, hints taken, and how it ended."""

    start: GameStart
    moves: list[str] = field(default_factory=list)
    hints: int = 0
    ending: str | None = None
    moves_left: int | None = None

    @property
    def is_attempt(self) -> bool:
        """Whether it is an attempt at the level: begun at its beginning, with at least one move made."""
        return self.start.position is None and bool(self.moves)

    @property
    def cohort(self) -> str:
        """The cohort of its results: players who knew the board or took a hint have their own."""
        return HELPED if self.hints or self.start.again else TESTERS

    def game(self) -> Game:
        """The game after its moves; PlayersError if one of them is not legal."""
        game = self.start.new_game()
        for turn, move in enumerate(self.moves):
            try:
                game.play(move)
            except LevelsenseError as error:
                raise PlayersError(f"game {self.start.id}, turn {turn}: {error}") from None
        return game


def version_name(name: str, level: Level) -> str:
    """The name of a version of a level: `30-grand-tour@7efa79e0`, with the beginning of its digest."""
    return f"{name}@{level.digest[:8]}"


class GameFile:
    """The file of one game, grown line by line. A line that is there stays, whatever happens next."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def begin(cls, folder: Path, start: GameStart) -> "GameFile":
        """Makes the file of a new game; OutputError if it cannot be written."""
        file = cls(folder / f"{start.date}-{start.id}{SUFFIX}")
        head = {
            "game": start.id,
            "form": FORM,
            "rules": RULES_VERSION,
            "player": start.player,
            "level": start.level,
            "seed": start.seed,
            "again": start.again,
            "started": start.started,
            "position": start.position,
            "text": start.text,
        }
        with _written(folder):
            folder.mkdir(parents=True, exist_ok=True)
        with _written(file.path):
            try:
                with file.path.open("xb") as new:
                    _write(new, head)
            except OSError:
                file.path.unlink(missing_ok=True)
                raise
        sync_folder(folder)
        return file

    def add_move(self, turn: int, move: Move | str, at: str) -> None:
        """Writes a move that was made; it is on the disk when this returns."""
        self._append({"turn": turn, "move": str(move), "at": at})

    def add_hint(self, turn: int, at: str) -> None:
        """Writes that a hint was taken before a move."""
        self._append({"hint": turn, "at": at})

    def add_ending(self, ending: str, moves_left: int | None, at: str) -> None:
        """Writes how the game ended."""
        self._append({"ending": ending, "moves_left": moves_left, "at": at})

    def _append(self, line: Mapping[str, Any]) -> None:
        """Writes a line behind the whole ones; OutputError if that cannot be, or if the file is gone."""
        with _written(self.path), self.path.open("r+b") as file:
            before = len(_whole_lines(file.read()))
            try:
                file.truncate(before)
                file.seek(before)
                _write(file, line)
            except OSError:
                file.truncate(before)
                raise


def _write(file: IO[bytes], line: Mapping[str, Any]) -> None:
    """Writes a line; it is on the disk when this returns."""
    file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())


def _whole_lines(content: bytes) -> bytes:
    """The lines that have an end: a machine that stopped may have left a piece of another one."""
    return content[: content.rfind(b"\n") + 1]


@contextmanager
def _written(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(path, f"cannot be written: {error.strerror}") from None


def read_game(path: Path) -> GameRecord:
    """A game out of its file; PlayersError if it is no file of a game of today's rules.

    A last line without an end is passed over: it was being written when the machine stopped.
    """
    lines = _read_lines(path)
    if not lines:
        raise PlayersError(f"{path}: no whole line; expected a game")
    try:
        record = GameRecord(_read_start(path, json.loads(lines[0])))
        for line in lines[1:]:
            _take_in(record, json.loads(line))
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, PlayersError):
            raise
        raise PlayersError(f"{path}: no file of a game, or a damaged one: {error}") from None
    return record


def readable_games(paths: Iterable[Path]) -> list[GameRecord]:
    """The games of those files that can be read; one that is damaged, or was taken away, is passed over."""
    records = []
    for path in paths:
        with suppress(PlayersError):
            records.append(read_game(path))
    return records


def has_begun(path: Path) -> bool:
    """Whether a file has a whole line: without one it was being made when the machine stopped; it is no game.

    PlayersError if it cannot be read.
    """
    return bool(_read_lines(path))


def _read_lines(path: Path) -> list[str]:
    """The whole lines of a file. Only its line ends divide it: texts hold other separators as they are."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise PlayersError(f"{path}: more than {_MOST_BYTES:,} bytes; expected a game")
        content = path.read_bytes()
    except OSError as error:
        raise PlayersError(f"{path}: cannot be read: {error.strerror}") from None
    return [line.decode("utf-8", "replace") for line in _whole_lines(content).split(b"\n")[:-1]]


def _read_start(path: Path, head: Any) -> GameStart:
    for key, what, today in (("form", "the form of games", FORM), ("rules", "the rules", RULES_VERSION)):
        if head[key] != today:
            raise PlayersError(f"{path}: version {head[key]} of {what}; expected {today}")
    texts = ("game", "player", "level", "text", "started")
    if not all(isinstance(head[key], str) for key in texts) or not _ID.fullmatch(head["game"]):
        raise PlayersError(f"{path}: no file of a game, or a damaged one: expected {', '.join(texts)}")
    position = head["position"]
    start = GameStart(
        head["game"],
        head["player"],
        head["level"],
        head["text"],
        _whole_number("seed", head["seed"]),
        None if position is None else str(position),
        bool(head["again"]),
        head["started"],
    )
    datetime.date.fromisoformat(start.date)
    try:
        _ = start.played_level
    except LevelError as error:
        raise PlayersError(f"{path}: the level of the game: {error.sentences[0]}") from None
    return start


def _whole_number(name: str, value: Any) -> int:
    if not isinstance(value, int):
        raise ValueError(f"{name} {value!r}; expected a whole number")
    return value


def _take_in(record: GameRecord, line: Any) -> None:
    """Adds what a line says to a record. Modified in place."""
    if "move" in line:
        if line["turn"] != len(record.moves):
            raise ValueError(f"turn {line['turn']}; expected {len(record.moves)}")
        record.moves.append(str(line["move"]))
    elif "hint" in line:
        record.hints += 1
    elif line["ending"] in ENDINGS:
        left = line["moves_left"]
        record.ending = line["ending"]
        record.moves_left = None if left is None else _whole_number("moves_left", left)
    else:
        raise ValueError(f"ending {line['ending']!r}; expected {', '.join(ENDINGS)}")


def game_paths(folder: Path) -> list[Path]:
    """The files of games in a folder, in the order of their days."""
    return sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []
