"""Simulated players at levels: their attempts, and the provenance of their stored results."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.agents.attempt import ATTEMPT_DTYPE, SCRATCH, START, AttemptRecords
from levelsense.errors import PlayersError
from levelsense.game.moves import MOST_MOVES
from levelsense.game.record import level_record
from levelsense.game.state import RULES_VERSION, WON, Array, new_state, new_work
from levelsense.level.level import Level
from levelsense.people.simulated.impression import new_impression
from levelsense.people.simulated.kinds import GLANCERS, MOST_TRIES, PLANNERS, Kind
from levelsense.people.simulated.mind import new_noticed, play_players
from levelsense.people.simulated.planner import new_weights, play_planners
from levelsense.people.simulated.traits import Population
from levelsense.playtest.levels import NamedLevel, named_words
from levelsense.playtest.plan import attempt_seeds
from levelsense.playtest.runner import default_threads
from levelsense.store.players import SIMULATED

# Raised by one with every change of what simulated players do, which makes stored results outdated.
PLAYERS_VERSION: Final = 3
_DIGITS: Final = 16  # of a level's digest
_TEXT: Final = re.compile(
    re.escape(SIMULATED)
    + r"(\d+) players(?:, version (\d+), rules (\d+), level ([0-9a-f]+)(?:, after ([0-9a-f]+))?)?"
)


@dataclass(frozen=True)
class Provenance:
    """The versions that simulated results were made from; the three after `players` are None if not known."""

    players: int
    version: int | None = None
    rules: int | None = None
    level: str | None = None  # the beginning of its digest
    after: str | None = None  # where players leave: a digest of the levels that they had played before

    @classmethod
    def today(cls, players: int, level: Level, after: str | None = None) -> Self:
        """The provenance of results of so many players at a level, made with the present versions."""
        return cls(players, PLAYERS_VERSION, RULES_VERSION, level.digest[:_DIGITS], after)

    @classmethod
    def parse(cls, source: str) -> Self | None:
        """The provenance that a stored source names; None if it is not one of simulated players."""
        match = _TEXT.fullmatch(source)
        if match is None:
            return None
        players, version, rules, level, after = match.groups()
        if level is None:
            return cls(int(players))
        return cls(int(players), int(version), int(rules), level, after)

    @property
    def source(self) -> str:
        """The provenance as the source of stored results."""
        known = (
            "" if self.level is None else f", version {self.version}, rules {self.rules}, level {self.level}"
        )
        before = "" if self.after is None else f", after {self.after}"
        return f"{SIMULATED}{self.players} players{known}{before}"

    def is_alike(self, other: Self) -> bool:
        """Whether everything but the number of players is the same, as far as it is known."""
        self_parts, other_parts = (
            (provenance.version, provenance.rules, provenance.level) for provenance in (self, other)
        )
        is_alike = None in self_parts or None in other_parts or self_parts == other_parts
        return is_alike and self.after == other.after


MOST_TIMED_MOVES: Final = 999  # the rules end a timed attempt there (rules, section 10)
NO_MOVE: Final = -1


@dataclass(frozen=True)
class Visit:
    """The attempts of a population at one level: an entry an attempt, in order of players."""

    named: NamedLevel
    cohort: str
    player: NDArray[np.int64]
    attempt: NDArray[np.int64]
    game_seed: NDArray[np.uint64]
    rows: AttemptRecords
    moves: NDArray[np.int16]  # made in each attempt, in order; NO_MOVE after the last
    after: str | None = None  # where players leave: a digest of the levels that they had played before

    @property
    def won(self) -> NDArray[np.bool_]:
        """Whether each attempt was won."""
        won: NDArray[np.bool_] = self.rows["status"] == WON
        return won


# Plays an attempt for each row of a kind's traits: the results (ATTEMPT_DTYPE), and the moves made.
Play = Callable[[Kind, Level, Array, Array], tuple[AttemptRecords, NDArray[np.int16]]]


def visit(
    population: Population,
    named: NamedLevel,
    play: Play | None = None,
    players: NDArray[np.int64] | None = None,
) -> Visit:
    """Plays a level with the players of a population, up to a win or the end of the player's patience.

    `play` plays the attempts of kinds that are not this package's. `players` are the numbers of those who
    play, at least one; everybody if left out.
    """
    play = play or play_kind
    tries = np.minimum(population.patience, MOST_TRIES)
    seeds = attempt_seeds(
        named.level.digest, population.mix, population.seed, 0, len(population) * MOST_TRIES
    )
    parts = []
    # Kinds play one after the other: what a player does depends on nobody else.
    for kind, of_kind in population.kinds.items():
        trying = of_kind if players is None else of_kind[np.isin(of_kind, players)]
        for attempt in range(MOST_TRIES):
            trying = trying[tries[trying] > attempt]
            if not len(trying):
                break
            seed_pairs = seeds[trying * MOST_TRIES + attempt]
            rows, moves = play(kind, named.level, seed_pairs, population.at_attempt(trying, attempt))
            parts.append((trying, np.full(len(trying), attempt), seed_pairs[:, 0], rows, moves))
            trying = trying[rows["status"] != WON]
    player, number, game_seed, rows, moves = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((number, player))
    played = player[order], number[order], game_seed[order], rows[order], moves[order]
    return Visit(named, population.cohort, *played)


# How each kind plays, and what it needs room for.
_PLAYING: Final[Mapping[Kind, tuple[Any, Callable[[], tuple[Any, Any]]]]] = {
    GLANCERS: (play_players, lambda: (new_noticed(), new_impression())),
    PLANNERS: (play_planners, lambda: (np.zeros(MOST_MOVES, np.int64), new_weights())),
}


def play_kind(
    kind: Kind, level: Level, seeds: Array, traits: Array
) -> tuple[AttemptRecords, NDArray[np.int16]]:
    """Plays an attempt for each row of the traits of glancers or planners."""
    record = level_record(level)
    states = new_state(SCRATCH + 1)
    states[START] = record.start
    rows = np.zeros(len(seeds), ATTEMPT_DTYPE)
    played = np.full((len(seeds), level.moves or MOST_TIMED_MOVES), NO_MOVE, np.int16)
    play_attempts, new_memory = _PLAYING[kind]
    play_attempts(
        record.level,
        states,
        np.ascontiguousarray(seeds),
        np.ascontiguousarray(traits),
        rows,
        played,
        np.zeros((2, 1), np.uint64),
        new_work(),
        np.zeros(MOST_MOVES, np.int64),
        *new_memory(),
    )
    return rows, played


def visits(
    population: Population,
    levels: Sequence[NamedLevel],
    threads: int | None = None,
    play: Play | None = None,
    players: NDArray[np.int64] | None = None,
) -> Iterator[Visit]:
    """The visits of a population, or of some of it, to each level, in order, several levels at once."""
    with ThreadPoolExecutor(threads or default_threads()) as pool:
        yield from pool.map(lambda named: visit(population, named, play, players), levels)


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
            pl.lit(Provenance.today(len(population), visited.named.level, visited.after).source).alias(
                "source"
            ),
        )
    )


@dataclass(frozen=True)
class Renewal:
    """The names of levels whose stored results are up to date, and of those whose results are replaced."""

    known: frozenset[str]
    replaced: tuple[str, ...] = ()


def plan_renewal(
    name: str,
    levels: Sequence[NamedLevel],
    population: Population,
    sources: Mapping[str, set[str]],
    after: Mapping[str, str] | None = None,
) -> Renewal:
    """Which stored results stay and which are replaced, by the sources of a cohort's in the database `name`.

    Results of the same players at the same levels are known. Others are replaced. PlayersError if some would
    be lost that are worth more: of more players, or not simulated. `after` are digests of the levels before
    each, by name, where players leave.
    """
    known, replaced, people, larger = [], [], [], []
    most = len(population)
    for named in levels:
        today = Provenance.today(len(population), named.level, (after or {}).get(named.name))
        stored_sources = sources.get(named.name, set())
        provenances = [Provenance.parse(source) for source in stored_sources]
        players = max(
            (provenance.players for provenance in provenances if provenance and provenance.is_alike(today)),
            default=0,
        )
        if stored_sources == {today.source}:
            known.append(named.name)
        elif None in provenances:
            people.append(named.name)
        elif players > len(population):
            larger.append(named.name)
            most = max(most, players)
        elif provenances:
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
