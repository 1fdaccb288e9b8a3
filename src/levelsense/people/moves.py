"""Files of seeds and moves: the level, the seed and the moves of an attempt give every position again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.errors import PlayersError
from levelsense.level.level import Level
from levelsense.people.move_form import (
    ATTEMPT,
    MOVE_SCHEMA,
    check_attempts,
    check_columns,
    check_values,
    check_versions,
)
from levelsense.people.parquet import check_unpacked, readable, unpacked_bytes
from levelsense.people.positions import (
    POSITIONS_AT_ONCE,
    Extent,
    Levels,
    Positions,
    Problem,
    Telemetry,
    refuse_unknown,
)
from levelsense.people.replay import Codes, IllegalReplayError, Offsets, move_words, replay_to_the_end
from levelsense.playtest.levels import NamedLevel, gather_levels

MOST_UNPACKED: Final = 8_000_000_000  # bytes; about 30 million moves


@dataclass(frozen=True, eq=False)
class LevelMoves:
    """The attempts at one level: attempt k has seeds[k] and the moves codes[offsets[k]:offsets[k + 1]].

    player   the number of the player, of each attempt
    type     the type of the player
    cohort   the cohort of the player, which begins with `simulated`
    attempt  its number among the player's at this level, from 0
    """

    named: NamedLevel
    seeds: NDArray[np.uint64]
    codes: Codes
    offsets: Offsets
    player: NDArray[np.int64]
    type: NDArray[np.str_]
    cohort: NDArray[np.str_]
    attempt: NDArray[np.int64]

    def part(self, first: int, after: int) -> "LevelMoves":
        """The attempts from number `first` up to, but not, `after`."""
        begin, end = self.offsets[first], self.offsets[after]
        of_attempts = {
            name: getattr(self, name)[first:after]
            for name in ("seeds", "player", "type", "cohort", "attempt")
        }
        offsets = self.offsets[first : after + 1] - begin
        return replace(self, codes=self.codes[begin:end], offsets=offsets, **of_attempts)

    def split(self, moves: int) -> "Iterator[LevelMoves]":
        """Parts of about so many moves, of whole attempts each."""
        first = 0
        while first < len(self.seeds):
            after = int(np.searchsorted(self.offsets, self.offsets[first] + moves, "right")) - 1
            after = max(after, first + 1)
            yield self.part(first, after)
            first = after

    def positions(self) -> Positions:
        """All positions, by playing the attempts again; IllegalReplayError if a move is not legal."""
        counts = np.diff(self.offsets)
        names = np.char.add("sim-", self.player.astype(np.str_))
        states, endings = replay_to_the_end(self.named.level, self.seeds, self.codes, self.offsets)
        return Positions(
            self.named.level,
            self.named.name,
            states,
            self.codes,
            np.repeat(names, counts),
            np.repeat(self.type, counts),
            np.repeat(self.cohort, counts),
            np.repeat(self.attempt, counts),
            np.arange(len(self.codes)) - np.repeat(self.offsets[:-1], counts),
            ending=np.repeat(endings, counts),
        )


@dataclass(frozen=True, eq=False)
class MoveLog(Telemetry):
    """A file of moves, read and checked.

    moves            row, digest, cohort, player, type, attempt, game_seed, turn, move: by attempts, in order
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
        for named in self.played(levels):
            yield named.level, self._of_level(named, *self._places[named.level.digest])

    def played(self, levels: Levels) -> list[NamedLevel]:
        """Those of the levels that there are rows of, in order; PlayersError if rows are of others."""
        gathered, places = gather_levels(levels), self._places
        unknown = self.names.keys() - {named.level.digest for named in gathered}
        refuse_unknown(
            self.path,
            [name for digest, name in self.names.items() if digest in unknown],
            len(self.names),
            sum(places[digest][1] for digest in unknown),
            len(self),
        )
        return [named for named in gathered if named.level.digest in self.names]

    def read(
        self, levels: Levels, at_once: int = POSITIONS_AT_ONCE
    ) -> Iterator[tuple[Positions | None, list[Problem]]]:
        """The positions as `positions` gives them, without attempts with an illegal move, which are told."""
        for _, moves in self.levels(levels):
            for part in moves.split(at_once):
                yield from self._read_part(part)

    def _read_part(self, part: LevelMoves) -> Iterator[tuple[Positions | None, list[Problem]]]:
        while len(part.seeds):
            try:
                yield part.positions(), []
            except IllegalReplayError as error:
                if error.attempt:
                    yield part.part(0, error.attempt).positions(), []
                yield None, [self._illegal(part, error)]
                part = part.part(error.attempt + 1, len(part.seeds))
            else:
                return

    def places(self, rows: Sequence[int]) -> list[str]:
        """The places of rows in words."""
        return [f"row {row + 1}" for row in rows]

    @cached_property
    def extent(self) -> Extent:
        """How much it holds."""
        attempts = self.moves.filter(pl.col("turn") == 0).height
        return Extent(
            len(self.names),
            self.moves.select(pl.struct("cohort", "player").n_unique()).item(),
            attempts,
            len(self),
        )

    @cached_property
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
        attempts = moves.group_by(ATTEMPT, maintain_order=True).agg(
            pl.col("game_seed", "type").first(), moves=pl.len()
        )
        return LevelMoves(
            named,
            attempts["game_seed"].to_numpy(),
            moves["move"].to_numpy(),
            np.concatenate([np.zeros(1, np.int64), attempts["moves"].cast(pl.Int64).cum_sum().to_numpy()]),
            attempts["player"].to_numpy(),
            attempts["type"].cast(pl.String).to_numpy().astype(np.str_),
            attempts["cohort"].cast(pl.String).to_numpy().astype(np.str_),
            attempts["attempt"].to_numpy(),
        )

    def _illegal(self, part: LevelMoves, error: IllegalReplayError) -> Problem:
        """The problem of a move that is not legal."""
        player, attempt = int(part.player[error.attempt]), int(part.attempt[error.attempt])
        row = self.moves.filter(
            pl.col("digest") == part.named.level.digest,
            pl.col("cohort") == part.cohort[error.attempt],
            pl.col("player") == player,
            pl.col("attempt") == attempt,
            pl.col("turn") == error.turn,
        )["row"][0]
        return Problem(
            row,
            f"level {part.named.name}, player {player}, attempt {attempt}, turn {error.turn}: "
            f"{move_words(error.code)} is not legal there; "
            "expected the moves of an attempt at this level with this seed",
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
        players_version = check_versions(path, pl.read_parquet_metadata(file))
        file.seek(0)
        check_columns(path, pl.read_parquet_schema(file))
        check_unpacked(path, unpacked_bytes(path), MOST_UNPACKED)
        file.seek(0)
        rows = _rows(pl.read_parquet(file, columns=list(MOVE_SCHEMA)))
    check_values(path, rows)
    names = dict(rows.group_by("digest", maintain_order=True).agg(pl.col("level").first()).iter_rows())
    moves = rows.drop("level").sort(*ATTEMPT, "turn", maintain_order=True)
    check_attempts(path, moves)
    return MoveLog(path, moves, names, players_version)


def _rows(table: pl.DataFrame) -> pl.DataFrame:
    """The columns that are used, with the number of each row; texts, of which few differ, by categories."""
    texts = pl.col("level", "digest", "cohort", "type").cast(pl.Categorical)
    return table.with_columns(texts).with_row_index("row")
