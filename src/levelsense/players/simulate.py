"""Simulated players at levels: each tries a level until it succeeds or its patience ends."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.agents.attempt import ATTEMPT_DTYPE, OWN, START
from levelsense.game.level import Level
from levelsense.game.moves import MOST_MOVES
from levelsense.game.record import level_record
from levelsense.game.state import WON, new_state, new_work
from levelsense.players.impression import new_impression
from levelsense.players.mind import new_seen, play_players
from levelsense.players.provenance import Provenance
from levelsense.players.traits import PATIENCE, TRAIT_TABLE, Population
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.runner import default_threads
from levelsense.playtest.seeds import attempt_seeds

MOST_TRIES: Final = int(TRAIT_TABLE["patience"].most)
MOST_TIMED_MOVES: Final = 999  # the rules end a timed attempt there (rules, section 10)
NO_MOVE: Final = -1


@dataclass(frozen=True)
class Visit:
    """Everything that a population did at one level: an entry an attempt, in order of players."""

    named: NamedLevel
    cohort: str
    player: NDArray[np.int64]
    attempt: NDArray[np.int64]
    game_seed: NDArray[np.uint64]
    rows: Any  # of ATTEMPT_DTYPE
    moves: NDArray[np.int16]  # made in each attempt, in order; NO_MOVE after the last

    @property
    def won(self) -> NDArray[np.bool_]:
        """Whether each attempt was won."""
        won: NDArray[np.bool_] = self.rows["status"] == WON
        return won


def visit(population: Population, named: NamedLevel) -> Visit:
    """Lets every player of a population try a level."""
    level, tries = named.level, np.minimum(population.traits[:, PATIENCE], MOST_TRIES)
    seeds = attempt_seeds(level.digest, population.mix, population.seed, 0, len(population) * MOST_TRIES)
    trying = np.arange(len(population))
    parts = []
    for attempt in range(MOST_TRIES):
        trying = trying[tries[trying] > attempt]
        if not len(trying):
            break
        own = seeds[trying * MOST_TRIES + attempt]
        rows, moves = _play(level, own, population.at_attempt(trying, attempt))
        parts.append((trying, np.full(len(trying), attempt), own[:, 0], rows, moves))
        trying = trying[rows["status"] != WON]
    player, number, game_seed, rows, moves = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((number, player))
    played = player[order], number[order], game_seed[order], rows[order], moves[order]
    return Visit(named, population.cohort, *played)


def _play(level: Level, seeds: Any, traits: Any) -> tuple[Any, NDArray[np.int16]]:
    """An attempt for each row of traits: how it went, and the moves made."""
    record = level_record(level)
    states = new_state(OWN)
    states[START] = record.start
    rows = np.zeros(len(seeds), ATTEMPT_DTYPE)
    played = np.full((len(seeds), level.moves or MOST_TIMED_MOVES), NO_MOVE, np.int16)
    play_players(
        record.level,
        states,
        np.ascontiguousarray(seeds),
        np.ascontiguousarray(traits),
        rows,
        played,
        np.zeros((2, 1), np.uint64),
        new_work(),
        np.zeros(MOST_MOVES, np.int64),
        new_seen(),
        new_impression(),
    )
    return rows, played


def visits(
    population: Population,
    levels: Sequence[NamedLevel],
    threads: int | None = None,
) -> Iterator[Visit]:
    """What a population does at each level, in order, several levels at once."""
    with ThreadPoolExecutor(threads or default_threads()) as pool:
        yield from pool.map(lambda named: visit(population, named), levels)


def results_of(visited: Visit, population: Population) -> pl.DataFrame:
    """A visit as players' results: a row a player, in a cohort of the population's own."""
    left = visited.rows["moves_left"].astype(np.float64)
    return (
        pl.DataFrame(
            {
                "player": visited.player,
                "won": visited.won,
                "left": np.where(visited.won & (visited.named.level.moves is not None), left, np.nan),
            }
        )
        .group_by("player", maintain_order=True)
        .agg(
            attempts=pl.len().cast(pl.Int64),
            successes=pl.col("won").sum().cast(pl.Int64),
            moves_left=pl.col("left").max(),
        )
        .select(
            pl.lit(visited.named.name).alias("level"),
            pl.format("sim-{}", "player").alias("player"),
            pl.lit(None, pl.Date).alias("date"),
            pl.lit(visited.cohort).alias("cohort"),
            "attempts",
            "successes",
            pl.col("moves_left").fill_nan(None),
            pl.lit(None, pl.Int64).alias("boosters"),
            pl.lit(Provenance.today(len(population), visited.named.level).source).alias("source"),
        )
    )
