"""Players' results in the terminal: what was taken in, success rates by level, simulated players."""

import sys
import threading
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

import polars as pl
from rich.console import Console

from levelsense.cli.app import print_json
from levelsense.cli.terminal.export import output, safe_cells
from levelsense.cli.terminal.interruption import Interruption
from levelsense.cli.terminal.progress import counting
from levelsense.cli.terminal.screen import note, print_rows, screen, warn_if_cold
from levelsense.errors import PlayersError
from levelsense.files import check_writable
from levelsense.people.rates import sorted_rates, success_rates
from levelsense.people.records import Records
from levelsense.people.simulated.run import Visit, named_words, plan_renewal, results_of, visits
from levelsense.people.simulated.telemetry import (
    ATTEMPT_SCHEMA,
    MOVE_SCHEMA,
    GrowingFile,
    attempt_table,
    move_table,
)
from levelsense.people.simulated.traits import Population
from levelsense.playtest import NamedLevel
from levelsense.playtest.levels import natural
from levelsense.playtest.runner import check_asked, default_threads
from levelsense.playtest.words import percent
from levelsense.store import Counts, Database, PlayerResults
from levelsense.store.address import shown_name
from levelsense.store.players import SIMULATED

_MOST_SHOWN = 8


def show_import(database: str, imported: Sequence[tuple[Records, Counts]], as_json: bool) -> None:
    """What was read from each file and what became of it, in words or as JSON."""
    if as_json:
        print_json([import_data(*one) for one in imported])
        return
    console = screen()
    for records, counts in imported:
        for reason in records.reasons:
            note(reason)
        for sentence in import_words(database, records, counts):
            console.print(sentence, soft_wrap=True)


def import_words(database: str, records: Records, counts: Counts) -> list[str]:
    """Sentences about a file that was taken in."""
    taken = ", ".join(
        field if field == header else f"{field} from {header}" for field, header in records.columns.items()
    )
    unused = f"; not used: {', '.join(records.unused)}" if records.unused else ""
    words = [f"{records.path}: {taken}{unused}"]
    if records.left_out:
        words.append(f"{records.path}: {_rows(records.left_out)} left out, with values that are wrong")
    daily = daily_words(records)
    words += [f"{records.path}: {daily}"] if daily else []
    if not counts.added and not counts.replaced:
        words.append(f"{records.path}: nothing new, {database} has its {_rows(counts.known)} already")
        return words
    done = [f"{_rows(counts.added)} added to {database}"]
    done += [f"{_rows(counts.replaced)} replaced"] if counts.replaced else []
    done += [f"{_rows(counts.known)} known already"] if counts.known else []
    return [*words, f"{records.path}: {', '.join(done)}"]


def daily_words(records: Records) -> str | None:
    """How many rows were taken that would be wrong without a date, and why; None if there are none."""
    none, more = records.without_attempts, records.more_successes
    told = [f"{_rows(none)} with 0 attempts"] if none else []
    others = f"{more:,} other{'' if more == 1 else 's'}" if none else _rows(more)
    told += [f"{others} with more successes than attempts"] if more else []
    why = "taken as counts of a day, where an attempt may be won on a later day than it began"
    return f"{' and '.join(told)}: {why}" if told else None


def _rows(number: int) -> str:
    return f"{number:,} row{'' if number == 1 else 's'}"


def import_data(records: Records, counts: Counts) -> dict[str, Any]:
    """A file that was taken in, as `levelsense players import --json` prints it."""
    return {
        "file": str(records.path),
        "columns": dict(records.columns),
        "unused": list(records.unused),
        "added": counts.added,
        "known": counts.known,
        "replaced": counts.replaced,
        "left_out": records.left_out,
        "without_attempts": records.without_attempts,
        "more_successes": records.more_successes,
        "note": daily_words(records),
    }


def show_rates(
    database: Database,
    levels: Sequence[str],
    cohort: str | None,
    csv: Path | None,
    as_json: bool,
    exact: bool = False,
) -> None:
    """Success rates by level as a table, as JSON, or in a CSV file."""
    found = level_rates(database, levels, cohort)
    if as_json:
        print_json(found.to_dicts())
    elif csv is not None:
        with output(csv) as file:
            (found if exact else safe_cells(found)).write_csv(file)
    elif found.height:
        print_rates(screen(), found)
    else:
        note(f"{database.name}: no results of players; `levelsense players import` takes them in")


def level_rates(database: Database, levels: Sequence[str], cohort: str | None) -> pl.DataFrame:
    """Success rates of people and, apart from them, of simulated players; PlayersError if there are none."""
    stored = PlayerResults(database)
    if cohort is not None and cohort not in stored.cohorts():
        raise PlayersError(_nothing(database, "cohort", cohort, stored.cohorts()))
    names = _meant(database, stored, levels) if levels else None
    rows = stored.read(names, cohort)
    is_simulated = pl.col("source").str.starts_with(SIMULATED)
    # Two populations have players of the same names, who are not the same.
    populations = rows.filter(is_simulated).partition_by("cohort", maintain_order=True)
    people = success_rates(rows.filter(~is_simulated)).with_columns(
        simulated=pl.lit(False), cohort=pl.lit(cohort, pl.String)
    )
    simulated = [
        success_rates(part).with_columns(simulated=pl.lit(True), cohort=pl.lit(part["cohort"][0], pl.String))
        for part in populations
    ]
    return pl.concat([people, *simulated])


def _meant(database: Database, stored: PlayerResults, levels: Sequence[str]) -> list[str]:
    """The stored names that names or patterns mean."""
    names = stored.levels()
    found: list[str] = []
    for word in levels:
        meant = [name for name in names if name == word or fnmatchcase(name, word)]
        if not meant:
            raise PlayersError(_nothing(database, "level", word, names))
        found += meant
    return list(dict.fromkeys(found))


def _nothing(database: Database, kind: str, word: str, stored: Sequence[str]) -> str:
    names = sorted(stored, key=natural)
    shown = ", ".join(names[:_MOST_SHOWN]) or "none yet"
    rest = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    return f"{database.name}: no results of {kind} {word!r}; there is {shown}{rest}"


def print_rates(console: Console, found: pl.DataFrame) -> None:
    """A line a level; simulated players under a heading of their own."""
    for part in found.partition_by("simulated", "cohort", maintain_order=True):
        if part["simulated"][0]:
            cohort = part["cohort"][0]
            console.print("simulated players" + (f", cohort '{cohort}'" if cohort else ""), soft_wrap=True)
        heading = ("level", "players", "attempts", "successes", "success", "95% interval")
        print_rows(console, [heading, *(_line(row) for row in part.iter_rows(named=True))])


def _line(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        row["level"],
        "-" if row["players"] is None else f"{row['players']:,}",
        f"{row['attempts']:,}",
        f"{row['successes']:,}",
        percent(row["rate"]),
        f"{100 * row['low']:.1f} - {percent(row['high'])}",
    )


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
    if sys.stderr.isatty():
        warn_if_cold()
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
