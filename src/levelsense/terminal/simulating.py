"""Simulated players in the terminal."""

import threading
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl
from rich.console import Console

from levelsense.files import check_writable
from levelsense.players.growing import GrowingFile
from levelsense.players.rates import sorted_rates, success_rates
from levelsense.players.renewal import named_words, plan_renewal
from levelsense.players.simulate import Visit, results_of, visits
from levelsense.players.telemetry import ATTEMPT_SCHEMA, MOVE_SCHEMA, attempt_table, move_table
from levelsense.players.traits import Population
from levelsense.playtest import NamedLevel
from levelsense.playtest.runner import check_asked, default_threads
from levelsense.playtest.words import percent
from levelsense.store import Database, PlayerResults
from levelsense.store.address import shown_name
from levelsense.terminal.counting import counting
from levelsense.terminal.interruption import Interruption
from levelsense.terminal.listing import print_rows
from levelsense.terminal.screen import announce_compiling, note

LEVELS_AT_ONCE: Final = 20  # between two savings
_VISITS_AT_ONCE: Final = 10_000  # of a player to a level: so much is in memory

Output = tuple[GrowingFile, Callable[[Visit], pl.DataFrame]]  # and what makes its rows


@dataclass(frozen=True)
class SimulationAsked:
    """What a population is to try, and where what it does is to be kept."""

    levels: Sequence[NamedLevel]
    population: Population
    place: str
    threads: int | None = None
    attempts: Path | None = None
    telemetry: Path | None = None

    @property
    def paths(self) -> list[Path]:
        """The files that are asked for."""
        return [path for path in (self.attempts, self.telemetry) if path is not None]

    @property
    def at_once(self) -> int:
        """How many levels are simulated between two savings."""
        few = min(LEVELS_AT_ONCE, _VISITS_AT_ONCE // len(self.population))
        return max(few, self.threads or default_threads())


def run_simulation(asked: SimulationAsked) -> pl.DataFrame | None:
    """Lets a population try levels and keeps what it did; success rates by level, None if interrupted.

    Levels that were finished before an interruption are kept, in files too, beside those that were there.
    What the database knows already is not simulated again, unless there are files to write, which are made
    anew.
    """
    check_asked(threads=asked.threads)
    for path in asked.paths:
        check_writable(path)
    announce_compiling()
    with ExitStack() as stack:
        files = _open_files(asked, stack)
        database = stack.enter_context(Database(asked.place))
        todo, known = _todo(asked, database)
        interruption = stack.enter_context(Interruption(_farewell(asked)))
        tell = stack.enter_context(counting(len(asked.levels), "simulating")).levels
        done, rates = 0, []
        while done < len(asked.levels) and not interruption.stop.is_set():
            some = asked.levels[done : done + asked.at_once]
            finished, some_rates = _simulate(asked, some, todo, database, files, interruption.stop)
            rates.append(some_rates)
            done += finished
            if tell is not None:
                tell(done)
        if done < len(asked.levels):
            places = {file.path: file.keep() for file, _ in files if file.rows}
            interruption.conclude(_interrupted(asked, done, known, places))
            return None
        for file, _ in files:
            if file.rows:
                file.finish()
    for file, _ in files:
        note(f"{file.path} written: {file.rows:,} rows")
    return sorted_rates(pl.concat(rates))


def _open_files(asked: SimulationAsked, stack: ExitStack) -> list[Output]:
    """The files that are asked for, each with what makes its rows."""
    wanted = (
        (asked.attempts, ATTEMPT_SCHEMA, attempt_table),
        (asked.telemetry, MOVE_SCHEMA, move_table),
    )
    return [
        (stack.enter_context(GrowingFile(path, schema)), table)
        for path, schema, table in wanted
        if path is not None
    ]


def _todo(asked: SimulationAsked, database: Database) -> tuple[set[str], frozenset[str]]:
    """The names of levels that are to be simulated, and of known ones; what becomes of results is told."""
    sources = PlayerResults(database).level_sources(asked.population.cohort)
    renewal = plan_renewal(database.name, asked.levels, asked.population, sources)
    if renewal.replaced:
        note(
            f"{database.name}: results of fewer players, or of another version of a level, of the rules or "
            "of the players, are replaced in "
            f"cohort '{asked.population.cohort}': {named_words(renewal.replaced)}"
        )
    names = {named.name for named in asked.levels}
    if asked.paths or not renewal.known:
        return names, renewal.known
    note(f"{database.name}: has {len(renewal.known):,} of {len(names):,} levels already")
    return names - renewal.known, renewal.known


def _simulate(
    asked: SimulationAsked,
    levels: Sequence[NamedLevel],
    todo: Container[str],
    database: Database,
    files: Sequence[Output],
    stop: threading.Event,
) -> tuple[int, pl.DataFrame]:
    """How many of some levels are done, all unless it is stopped, and success rates at these.

    Those to do are simulated, written and stored; after a stop, those that were finished by then.
    """
    stored = PlayerResults(database)
    fresh = [named for named in levels if named.name in todo]
    results: list[pl.DataFrame] = []
    for visit in visits(asked.population, fresh, asked.threads):
        results.append(results_of(visit, asked.population))
        for file, table in files:
            file.add(table(visit))
        if stop.is_set():
            break
    finished, left = fresh[: len(results)], fresh[len(results) :]
    done = levels[: levels.index(left[0])] if left else levels
    if results:
        # A level that was changed since has other results under the same name. What is stored is looked at
        # once more, for another program may have stored its results since.
        stored.put(
            pl.concat(results),
            lambda sources: plan_renewal(database.name, finished, asked.population, sources).known,
        )
    others = [named.name for named in done if named.name not in todo]
    rates = success_rates(pl.concat([*results, stored.read(others, asked.population.cohort)]))
    return len(done), rates


def _farewell(asked: SimulationAsked) -> str:
    """What is said if somebody cannot wait for the levels under way."""
    kept = f"interrupted: the levels that were finished are kept in {shown_name(asked.place)}"
    return f"{kept}; {_and(asked.paths)} not written" if asked.paths else kept


def _interrupted(
    asked: SimulationAsked, done: int, known: Collection[str], places: Mapping[Path, Path]
) -> str:
    """What an interruption leaves; `places` are where the rows for files are."""
    stored = len({named.name for named in asked.levels[:done]}.union(known))
    kept = f"interrupted: {stored:,} of {len(asked.levels):,} levels are kept in {shown_name(asked.place)}"
    if not asked.paths:
        return f"{kept}; the same command goes on from there"
    if not places:
        return f"{kept}; {_and(asked.paths)} not written"
    share = "and" if stored == done else f"and {done:,} of them"
    others = [path for path, place in places.items() if place != path]
    not_replaced = f"; {_and(others)} not replaced" if others else ""
    return (
        f"{kept} {share} in {_and(list(places.values()))}{not_replaced}; "
        "the same command makes files anew, from the first level"
    )


def _and(paths: Sequence[Path]) -> str:
    return " and ".join(map(str, paths))


def print_simulated(console: Console, population: Population, rates: pl.DataFrame) -> None:
    """A line a level: how simulated players did."""
    rows = [("level", "attempts", "successes", "success", "95% interval")]
    for row in rates.iter_rows(named=True):
        interval = f"{100 * row['low']:.1f} - {100 * row['high']:.1f}%"
        rows.append(
            (row["level"], f"{row['attempts']:,}", f"{row['successes']:,}", percent(row["rate"]), interval)
        )
    print_rows(console, rows)
    console.print(
        f"{len(population):,} simulated players, not people; kept as cohort '{population.cohort}'",
        soft_wrap=True,
    )


def simulated_data(population: Population, rates: pl.DataFrame) -> dict[str, Any]:
    """The same as `levelsense players simulate --json` prints it."""
    return {
        "simulated": True,
        "cohort": population.cohort,
        "players": len(population),
        "levels": rates.to_dicts(),
    }
