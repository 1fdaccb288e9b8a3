"""Simulated players at levels: what they do there, and what their stored results were made from."""

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.agents.attempt import ATTEMPT_DTYPE, OWN, START, AttemptRecords
from levelsense.errors import PlayersError
from levelsense.game.moves import MOST_MOVES
from levelsense.game.record import level_record
from levelsense.game.state import RULES_VERSION, WON, Array, new_state, new_work
from levelsense.level.level import Level
from levelsense.people.simulated.impression import new_impression
from levelsense.people.simulated.mind import new_seen, play_players
from levelsense.people.simulated.traits import PATIENCE, TRAIT_TABLE, Population
from levelsense.playtest.levels import NamedLevel, named_words
from levelsense.playtest.plan import attempt_seeds
from levelsense.playtest.runner import default_threads
from levelsense.store.players import SIMULATED

# A change of what simulated players do adds one: stored results of the former ones are then not theirs.
PLAYERS_VERSION: Final = 3
_DIGITS: Final = 16  # of a level's digest
_TEXT: Final = re.compile(
    re.escape(SIMULATED) + r"(\d+) players(?:, version (\d+), rules (\d+), level ([0-9a-f]+))?"
)


@dataclass(frozen=True)
class Provenance:
    """What simulated results were made from; the last three are None where it is not known."""

    players: int
    version: int | None = None
    rules: int | None = None
    level: str | None = None  # the beginning of its digest

    @classmethod
    def today(cls, players: int, level: Level) -> Self:
        """Of so many players at a level as it is now."""
        return cls(players, PLAYERS_VERSION, RULES_VERSION, level.digest[:_DIGITS])

    @classmethod
    def parse(cls, source: str) -> Self | None:
        """Of a stored source; None if it is not one of simulated players."""
        found = _TEXT.fullmatch(source)
        if found is None:
            return None
        players, version, rules, level = found.groups()
        if level is None:
            return cls(int(players))
        return cls(int(players), int(version), int(rules), level)

    @property
    def source(self) -> str:
        """As it is stored."""
        known = (
            "" if self.level is None else f", version {self.version}, rules {self.rules}, level {self.level}"
        )
        return f"{SIMULATED}{self.players} players{known}"

    def is_alike(self, other: Self) -> bool:
        """Whether everything but the number of players is the same, as far as it is known."""
        mine, others = ((one.version, one.rules, one.level) for one in (self, other))
        return None in mine or None in others or mine == others


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
    rows: AttemptRecords
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


def _play(level: Level, seeds: Array, traits: Array) -> tuple[Any, NDArray[np.int16]]:
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


@dataclass(frozen=True)
class Renewal:
    """Of levels that are asked for: the names of those that are known, and of those whose results go."""

    known: frozenset[str]
    replaced: tuple[str, ...] = ()


def plan_renewal(
    name: str,
    levels: Sequence[NamedLevel],
    population: Population,
    sources: Mapping[str, set[str]],
) -> Renewal:
    """What there is to do, by where the results that a database `name` has of a cohort come from.

    Results of the same players at the same levels are known. Others are replaced, but for those that nobody
    would want to lose: of more players, or of no simulated ones. PlayersError names these.
    """
    known, replaced, people, larger = [], [], [], []
    most = len(population)
    for named in levels:
        today = Provenance.today(len(population), named.level)
        found = sources.get(named.name, set())
        stored = [Provenance.parse(source) for source in found]
        players = max((one.players for one in stored if one and one.is_alike(today)), default=0)
        if found == {today.source}:
            known.append(named.name)
        elif None in stored:
            people.append(named.name)
        elif players > len(population):
            larger.append(named.name)
            most = max(most, players)
        elif stored:
            replaced.append(named.name)
    where = f"{name}: cohort '{population.cohort}'"
    if people:
        raise PlayersError(
            f"{where} has results that were not simulated, of {named_words(people)}; "
            "expected another `seed` or `database`"
        )
    if larger:
        raise PlayersError(
            f"{where} has results of {most:,} players, of {named_words(larger)}, and {len(population):,} "
            f"would replace them; expected `players` of at least {most:,}, or another `seed` or `database`"
        )
    return Renewal(frozenset(known), tuple(replaced))
