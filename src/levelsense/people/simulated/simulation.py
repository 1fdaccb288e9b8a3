"""Simulation of a population at levels: its results go to a database, attempts and moves to files."""

import threading
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from levelsense.people.growing import GrowingFile
from levelsense.people.move_form import MOVE_SCHEMA, move_metadata
from levelsense.people.rates import sorted_rates, success_rates
from levelsense.people.simulated.leaving import Presence, levels_before
from levelsense.people.simulated.run import NO_MOVE, PLAYERS_VERSION, Visit, plan_renewal, results_of, visits
from levelsense.people.simulated.traits import Population
from levelsense.playtest.levels import NamedLevel, named_words
from levelsense.playtest.runner import default_threads
from levelsense.store import Database, PlayerResults

LEVELS_AT_ONCE: Final = 20  # between two savings
_VISITS_AT_ONCE: Final = 10_000  # of a player to a level; as many are in memory

Output = tuple[GrowingFile, Callable[[Visit], pl.DataFrame]]  # a file, and the function that makes its rows
Note = Callable[[str], None]
ATTEMPT_SCHEMA: Final = {
    "level": pl.String,
    "digest": pl.String,
    "cohort": pl.String,
    "player": pl.Int64,
    "attempt": pl.Int64,
    "won": pl.Boolean,
    "score": pl.Int64,
    "moves_made": pl.Int64,
    "moves_left": pl.Int64,
    "game_seed": pl.UInt64,
}


@dataclass(frozen=True)
class Simulation:
    """The levels that a population is to play, and the files to write beside the database.

    attempts   a file for every attempt, as CSV or Parquet by suffix
    telemetry  a file for every move
    """

    levels: Sequence[NamedLevel]
    population: Population
    threads: int | None = None
    attempts: Path | None = None
    telemetry: Path | None = None

    @property
    def paths(self) -> list[Path]:
        """The files to write."""
        return [path for path in (self.attempts, self.telemetry) if path is not None]

    @property
    def after(self) -> dict[str, str]:
        """Digests of the levels before each, by its name, where players leave; none where they do not."""
        return levels_before(self.levels) if self.population.leave else {}

    @property
    def levels_at_once(self) -> int:
        """How many levels are simulated between two savings."""
        few = min(LEVELS_AT_ONCE, _VISITS_AT_ONCE // len(self.population))
        return max(few, self.threads or default_threads())


@dataclass(frozen=True, eq=False)
class Simulated:
    """The results of a population at levels, which are stored.

    rates         success rates by level, of the levels that are done
    done          how many levels are done: all, unless it was interrupted
    known         names of levels whose results were stored already
    files         how many rows were written to each file
    kept          after an interruption, the paths that the rows of files were written to, by the files' paths
    players_left  how many players are in the game after the levels that are done; None if nobody leaves
    """

    population: Population
    rates: pl.DataFrame
    levels: tuple[NamedLevel, ...]
    done: int
    known: frozenset[str]
    files: Mapping[Path, int] = field(default_factory=dict)
    kept: Mapping[Path, Path] = field(default_factory=dict)
    players_left: int | None = None

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped before all levels were done."""
        return self.done < len(self.levels)

    def __repr__(self) -> str:
        return (
            f"<Simulated: {len(self.population):,} simulated players at {self.done:,} levels, "
            f"cohort '{self.population.cohort}'>"
        )

    def _repr_html_(self) -> str:
        return self.rates._repr_html_()


def simulate_levels(
    simulation: Simulation,
    open_database: Callable[[], AbstractContextManager[Database]],
    progress: Callable[[int], None],
    stop: threading.Event,
    note: Note,
) -> Simulated:
    """Simulates a population at levels and stores its results; calls `progress` with the levels done.

    Levels that are finished before `stop` is set are kept, in files too, beside those stored before. Results
    that are stored already are not simulated again, unless there are files to write, which are made anew.
    `note` is called with sentences about stored results that are replaced or used.
    """
    with ExitStack() as stack:
        # Files first: one that cannot be written leaves no new database behind.
        files = _open_files(simulation, stack)
        database = stack.enter_context(open_database())
        todo, known = _todo(simulation, database, note)
        presence = Presence(simulation.population, simulation.levels) if simulation.population.leave else None
        done, rates = 0, []
        while done < len(simulation.levels) and not stop.is_set():
            batch = simulation.levels[done : done + simulation.levels_at_once]
            finished, batch_rates = _simulate(simulation, batch, todo, database, files, stop, presence)
            rates.append(batch_rates)
            done += finished
            progress(done)
        result_rates = sorted_rates(pl.concat(rates)) if rates else success_rates(_no_results(database))
        players_left = None if presence is None else len(presence.present)
        if done < len(simulation.levels):
            kept = {file.path: file.keep() for file, _ in files if file.rows}
            return Simulated(
                simulation.population,
                result_rates,
                tuple(simulation.levels),
                done,
                frozenset(known),
                kept=kept,
                players_left=players_left,
            )
        for file, _ in files:
            if file.rows:
                file.finish()
    written = {file.path: file.rows for file, _ in files}
    return Simulated(
        simulation.population,
        result_rates,
        tuple(simulation.levels),
        done,
        frozenset(known),
        written,
        players_left=players_left,
    )


def _no_results(database: Database) -> pl.DataFrame:
    return PlayerResults(database).read([], None)


def _open_files(simulation: Simulation, stack: ExitStack) -> list[Output]:
    """The files to write, opened, each with the function that makes its rows."""
    outputs: list[Output] = []
    if simulation.attempts is not None:
        outputs.append((GrowingFile(simulation.attempts, ATTEMPT_SCHEMA), attempt_table))
    if simulation.telemetry is not None:
        file = GrowingFile(simulation.telemetry, MOVE_SCHEMA, move_metadata(PLAYERS_VERSION))
        outputs.append((file, partial(move_table, types=simulation.population.types)))
    for file, _ in outputs:
        stack.enter_context(file)
    return outputs


def _todo(simulation: Simulation, database: Database, note: Note) -> tuple[set[str], frozenset[str]]:
    """The names of the levels to simulate, and of those known; notes which results are replaced or used."""
    sources = PlayerResults(database).level_sources(simulation.population.cohort)
    renewal = plan_renewal(database.name, simulation.levels, simulation.population, sources, simulation.after)
    if renewal.replaced:
        note(
            f"{database.name}: results of fewer players, or of another version of a level, of the rules or "
            f"of the players{', or after other levels,' if simulation.after else ','} are replaced in "
            f"cohort '{simulation.population.cohort}': {named_words(renewal.replaced)}"
        )
    names = {named.name for named in simulation.levels}
    if simulation.paths or not renewal.known:
        return names, renewal.known
    note(f"{database.name}: has {len(renewal.known):,} of {len(names):,} levels already")
    return names - renewal.known, renewal.known


def _simulate(
    simulation: Simulation,
    levels: Sequence[NamedLevel],
    todo: Container[str],
    database: Database,
    files: Sequence[Output],
    stop: threading.Event,
    presence: Presence | None,
) -> tuple[int, pl.DataFrame]:
    """Simulates, writes and stores those of the levels that are to do; gives how many levels are done.

    All are done unless `stop` is set: then those that were finished by then. Also gives their success rates.
    Where players leave, `presence` says who is there, and is modified.
    """
    stored = PlayerResults(database)
    fresh = [named for named in levels if named.name in todo]
    results: list[pl.DataFrame] = []
    for visit in _visits(simulation, levels, fresh, stored, presence):
        results.append(results_of(visit, simulation.population))
        for file, table in files:
            file.add(table(visit))
        if stop.is_set():
            break
    finished, left = fresh[: len(results)], fresh[len(results) :]
    done = levels[: levels.index(left[0])] if left else levels
    if results:
        # A level that was changed since has other results under the same name. Stored results are checked
        # once more, since another program may have stored its own meanwhile.
        stored.put(
            pl.concat(results),
            lambda sources: (
                plan_renewal(database.name, finished, simulation.population, sources, simulation.after).known
            ),
        )
    others = [named.name for named in done if named.name not in todo]
    rates = success_rates(pl.concat([*results, stored.read(others, simulation.population.cohort)]))
    return len(done), rates


def _visits(
    simulation: Simulation,
    levels: Sequence[NamedLevel],
    fresh: Sequence[NamedLevel],
    stored: PlayerResults,
    presence: Presence | None,
) -> Iterator[Visit]:
    """The visits to those of the levels that are fresh, in order, by those who are in the game.

    Who leaves after a level that is known is read off its stored results. Levels are played at once by all
    who are there before the first; who has left by then is taken out behind.
    """
    population, threads = simulation.population, simulation.threads
    if presence is None:
        yield from visits(population, fresh, threads)
        return
    played = visits(population, fresh, threads, players=presence.present)
    names = {named.name for named in fresh}
    for named in levels:
        if named.name in names:
            yield presence.visit(next(played))
        else:
            presence.recall(named, stored.read([named.name], population.cohort))


def attempt_table(visit: Visit) -> pl.DataFrame:
    """A row an attempt (ATTEMPT_SCHEMA): the player, the result, and the seed that replays it."""
    rows = visit.rows
    timed = visit.named.level.seconds is not None
    return _of_visit(
        visit,
        ATTEMPT_SCHEMA,
        player=visit.player,
        attempt=visit.attempt,
        won=visit.won,
        score=np.ascontiguousarray(rows["score"]),
        moves_made=np.ascontiguousarray(rows["moves_made"]),
        moves_left=None if timed else np.ascontiguousarray(rows["moves_left"]),
        game_seed=visit.game_seed,
    )


def move_table(visit: Visit, types: Sequence[str]) -> pl.DataFrame:
    """A row a move (MOVE_SCHEMA), in order; `types` are those of the population's players."""
    attempts, turns = np.nonzero(visit.moves != NO_MOVE)
    players = visit.player[attempts]
    return _of_visit(
        visit,
        MOVE_SCHEMA,
        player=players,
        type=pl.Series(types, dtype=pl.String).gather(players),
        attempt=visit.attempt[attempts],
        game_seed=visit.game_seed[attempts],
        turn=turns,
        move=visit.moves[attempts, turns],
    )


def _of_visit(visit: Visit, schema: dict[str, Any], **columns: Any) -> pl.DataFrame:
    """A table of a visit's columns, with those of its level and cohort added."""
    named = visit.named
    constants = {"level": named.name, "digest": named.level.digest, "cohort": visit.cohort}
    return (
        pl.DataFrame(columns)
        .with_columns(pl.lit(text, pl.String).alias(name) for name, text in constants.items())
        .select(pl.col(name).cast(kind) for name, kind in schema.items())
    )
