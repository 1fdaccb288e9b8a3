"""Files of seeds and moves: the level, the seed and the moves of an attempt give every position again."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.errors import PlayersError
from levelsense.game.moves import MOST_MOVES
from levelsense.game.state import RULES_VERSION
from levelsense.level.level import Level
from levelsense.people.parquet import check_unpacked, readable, unpacked_bytes
from levelsense.people.positions import POSITIONS_AT_ONCE, Levels, Positions, refuse_unknown
from levelsense.people.replay import Codes, IllegalReplayError, Offsets, move_words, replay
from levelsense.playtest.levels import NamedLevel, gather_levels

MOVE_SCHEMA: Final = {
    "level": pl.String,
    "digest": pl.String,
    "cohort": pl.String,
    "player": pl.Int64,
    "type": pl.String,
    "attempt": pl.Int64,
    "game_seed": pl.UInt64,
    "turn": pl.Int64,
    "move": pl.Int16,
}
FORM_VERSION: Final = 1  # raised by one with every change of what the columns mean
# Keys of the metadata in the footer of a Parquet file.
_FORM, _RULES, _PLAYERS = "levelsense.moves", "levelsense.rules", "levelsense.players"
_MAKE_AGAIN: Final = "make it again by `levelsense players simulate --telemetry`"
MOST_UNPACKED: Final = 8_000_000_000  # bytes; about 30 million moves

_ATTEMPT: Final = ("digest", "player", "attempt")
_USED: Final = tuple(name for name in MOVE_SCHEMA if name != "cohort")
_MOST: Final = 2**31 - 1


def move_metadata(players_version: int) -> dict[str, str]:
    """The metadata of a file of moves that is written today."""
    return {_FORM: str(FORM_VERSION), _RULES: str(RULES_VERSION), _PLAYERS: str(players_version)}


@dataclass(frozen=True, eq=False)
class LevelMoves:
    """The attempts at one level: attempt k has seeds[k] and the moves codes[offsets[k]:offsets[k + 1]].

    player   the number of the player, of each attempt
    type     the type of the player
    attempt  its number among the player's at this level, from 0
    """

    named: NamedLevel
    seeds: NDArray[np.uint64]
    codes: Codes
    offsets: Offsets
    player: NDArray[np.int64]
    type: NDArray[np.str_]
    attempt: NDArray[np.int64]

    def split(self, moves: int) -> "Iterator[LevelMoves]":
        """Parts of about so many moves, of whole attempts each."""
        first = 0
        while first < len(self.seeds):
            after = int(np.searchsorted(self.offsets, self.offsets[first] + moves, "right")) - 1
            after = max(after, first + 1)
            begin, end = self.offsets[first], self.offsets[after]
            yield replace(
                self,
                codes=self.codes[begin:end],
                offsets=self.offsets[first : after + 1] - begin,
                **{name: getattr(self, name)[first:after] for name in ("seeds", "player", "type", "attempt")},
            )
            first = after

    def positions(self) -> Positions:
        """All positions, by playing the attempts again; IllegalReplayError if a move is not legal."""
        counts = np.diff(self.offsets)
        names = np.char.add("sim-", self.player.astype(np.str_))
        return Positions(
            self.named.level,
            self.named.name,
            replay(self.named.level, self.seeds, self.codes, self.offsets),
            self.codes,
            np.repeat(names, counts),
            np.repeat(self.type, counts),
            np.repeat(self.attempt, counts),
            np.arange(len(self.codes)) - np.repeat(self.offsets[:-1], counts),
        )


@dataclass(frozen=True, eq=False)
class MoveLog:
    """A file of moves, read and checked.

    moves            row, digest, player, type, attempt, game_seed, turn, move: by attempts, in order
    names            the level's name in the file, by digest
    players_version  of the simulated players who made them
    """

    path: Path
    moves: pl.DataFrame
    names: dict[str, str]
    players_version: int

    def __len__(self) -> int:
        return self.moves.height

    def levels(self, levels: Levels) -> Iterator[tuple[Level, LevelMoves]]:
        """The moves at each of the levels, in their order; PlayersError if the file has others besides.

        Levels are files, folders, names of bundled levels or Level objects; they are known by their digest.
        Those that the file does not have are passed over.
        """
        gathered, places = gather_levels(levels), self._places()
        unknown = self.names.keys() - {named.level.digest for named in gathered}
        refuse_unknown(
            self.path,
            [name for digest, name in self.names.items() if digest in unknown],
            len(self.names),
            sum(places[digest][1] for digest in unknown),
            len(self),
        )
        for named in gathered:
            if named.level.digest in self.names:
                yield named.level, self._of_level(named, *places[named.level.digest])

    def positions(self, levels: Levels, at_once: int = POSITIONS_AT_ONCE) -> Iterator[Positions]:
        """The positions level by level, about `at_once` in memory, never part of an attempt."""
        for _, moves in self.levels(levels):
            for part in moves.split(at_once):
                try:
                    yield part.positions()
                except IllegalReplayError as error:
                    raise PlayersError(self._illegal(part, error)) from None

    def _places(self) -> dict[str, tuple[int, int]]:
        """The first row and the number of rows of each level, by digest."""
        runs = self.moves["digest"].rle().struct.unnest()
        first = runs["len"].cum_sum() - runs["len"]
        return {
            digest: (start, length)
            for digest, start, length in zip(runs["value"], first, runs["len"], strict=True)
        }

    def _of_level(self, named: NamedLevel, first: int, count: int) -> LevelMoves:
        moves = self.moves.slice(first, count)
        attempts = moves.group_by("player", "attempt", maintain_order=True).agg(
            pl.col("game_seed").first(), pl.col("type").first(), moves=pl.len()
        )
        return LevelMoves(
            named,
            attempts["game_seed"].to_numpy(),
            moves["move"].to_numpy(),
            np.concatenate([np.zeros(1, np.int64), attempts["moves"].cast(pl.Int64).cum_sum().to_numpy()]),
            attempts["player"].to_numpy(),
            attempts["type"].cast(pl.String).to_numpy().astype(np.str_),
            attempts["attempt"].to_numpy(),
        )

    def _illegal(self, part: LevelMoves, error: IllegalReplayError) -> str:
        """The sentence about a move that is not legal, with its row in the file."""
        player, attempt = int(part.player[error.attempt]), int(part.attempt[error.attempt])
        row = self.moves.filter(
            pl.col("digest") == part.named.level.digest,
            pl.col("player") == player,
            pl.col("attempt") == attempt,
            pl.col("turn") == error.turn,
        )["row"][0]
        return (
            f"{self.path}: row {row + 1}: level {part.named.name}, player {player}, attempt {attempt}, "
            f"turn {error.turn}: {move_words(error.code)} is not legal there; "
            "expected the moves of an attempt at this level with this seed"
        )


def read_moves(path: str | Path) -> MoveLog:
    """The moves of a Parquet file that `levelsense players simulate --telemetry` wrote.

    PlayersError if it is of another form, of other rules, or its rows are no attempts.
    """
    path = Path(path)
    if path.suffix.lower() == ".csv":
        raise PlayersError(
            f"{path}: moves as CSV, which does not say of which rules they are; expected a Parquet file, as "
            "`levelsense players simulate --telemetry moves.parquet` writes it"
        )
    with readable(path), path.open("rb") as file:
        players_version = _check_versions(path, pl.read_parquet_metadata(file))
        file.seek(0)
        _check_columns(path, pl.read_parquet_schema(file))
        check_unpacked(path, unpacked_bytes(path), MOST_UNPACKED)
        file.seek(0)
        rows = _rows(pl.read_parquet(file, columns=list(_USED)))
    _check_values(path, rows)
    names = dict(rows.group_by("digest", maintain_order=True).agg(pl.col("level").first()).iter_rows())
    moves = rows.drop("level").sort(*_ATTEMPT, "turn", maintain_order=True)
    _check_attempts(path, moves)
    return MoveLog(path, moves, names, players_version)


def _check_versions(path: Path, metadata: Mapping[str, str]) -> int:
    """The version of the simulated players; PlayersError if the form or the rules are others than today's."""
    if _FORM not in metadata:
        raise PlayersError(f"{path}: moves without a version of their form; {_MAKE_AGAIN}")
    for key, what, today in (
        (_FORM, "the form of moves", FORM_VERSION),
        (_RULES, "the rules", RULES_VERSION),
    ):
        version = metadata.get(key, "none")
        if version != str(today):
            raise PlayersError(f"{path}: version {version} of {what}; expected {today}: {_MAKE_AGAIN}")
    version = metadata.get(_PLAYERS, "none")
    if not version.isdecimal():
        raise PlayersError(f"{path}: version {version!r} of the simulated players; expected a number")
    return int(version)


def _check_columns(path: Path, schema: Mapping[str, Any]) -> None:
    """PlayersError for each column that is missing or of another type."""
    problems = [
        f"{path}: no column {name}; there is {', '.join(schema)}" for name in _USED if name not in schema
    ]
    problems += [
        f"{path}: column {name}: values of type {schema[name]}; expected {MOVE_SCHEMA[name]}"
        for name in _USED
        if schema.get(name, MOVE_SCHEMA[name]) != MOVE_SCHEMA[name]
    ]
    if problems:
        raise PlayersError(problems)


def _rows(table: pl.DataFrame) -> pl.DataFrame:
    """The columns that are used, with the number of each row; texts, of which few differ, by categories."""
    texts = pl.col("level", "digest", "type").cast(pl.Categorical)
    return table.with_columns(texts).with_row_index("row")


def _check_values(path: Path, rows: pl.DataFrame) -> None:
    """PlayersError if there are no rows, or for the first value of a column that is none."""
    if rows.is_empty():
        raise PlayersError(f"{path}: no rows")
    most = {"player": _MOST, "attempt": _MOST, "turn": _MOST, "move": MOST_MOVES - 1}
    for name in _USED:
        wrong = pl.col(name).is_null()
        expected = "a value"
        if name in most:
            wrong |= ~pl.col(name).is_between(0, most[name])
            expected = f"a number from 0 to {most[name]}"
        row = rows.filter(wrong).head(1)
        if row.height:
            value = "nothing" if row[name][0] is None else row[name][0]
            raise PlayersError(f"{path}: row {row['row'][0] + 1}: {name}: {value}; expected {expected}")


def _check_attempts(path: Path, moves: pl.DataFrame) -> None:
    """PlayersError for the first attempt with two seeds or types, or turns that are not 0, 1, 2 and so on."""
    place = pl.int_range(pl.len())
    is_first = pl.any_horizontal(pl.col(name) != pl.col(name).shift() for name in _ATTEMPT).fill_null(True)
    turn = place - pl.when(is_first).then(place).forward_fill()
    checked = moves.with_columns(is_first=is_first, expected=turn)
    wrong = checked.filter(pl.col("turn") != pl.col("expected")).head(1)
    if wrong.height:
        raise PlayersError(
            f"{_attempt_words(path, wrong)}: turn {wrong['turn'][0]}; expected {wrong['expected'][0]}, "
            "the turns of an attempt from 0 on, each once"
        )
    for name in ("game_seed", "type"):
        wrong = checked.filter(~pl.col("is_first") & (pl.col(name) != pl.col(name).shift())).head(1)
        if wrong.height:
            raise PlayersError(
                f"{_attempt_words(path, wrong)}: {name} {wrong[name][0]}, another than before; "
                f"expected one {name} in an attempt"
            )


def _attempt_words(path: Path, move: pl.DataFrame) -> str:
    """The place of a move: its row, player and attempt."""
    return f"{path}: row {move['row'][0] + 1}: player {move['player'][0]}, attempt {move['attempt'][0]}"
