"""Simulated players in the terminal."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import polars as pl
from rich.console import Console

from levelsense.errors import PlayersError
from levelsense.players.rates import success_rates
from levelsense.players.simulate import results_of, visits
from levelsense.players.telemetry import attempt_table, move_table
from levelsense.players.traits import Population
from levelsense.playtest import NamedLevel
from levelsense.playtest.runner import check_asked
from levelsense.playtest.words import percent
from levelsense.store import Database, PlayerResults
from levelsense.store.database import shown_name
from levelsense.terminal.interruption import Interruption
from levelsense.terminal.listing import print_rows
from levelsense.terminal.reporting import check_place
from levelsense.terminal.screen import note, warn_if_cold

LEVELS_AT_ONCE: Final = 20  # between two looks at whether somebody wants to stop
_WRITERS: Final[dict[str, Callable[[pl.DataFrame, Path], None]]] = {
    ".csv": lambda table, path: table.write_csv(path),
    ".parquet": lambda table, path: table.write_parquet(path),
}


def run_simulation(
    levels: Sequence[NamedLevel],
    population: Population,
    place: str,
    threads: int | None,
    attempts: Path | None,
    telemetry: Path | None,
) -> pl.DataFrame | None:
    """Lets a population try levels and keeps what it did; success rates by level, None if interrupted.

    Levels that were finished before an interruption are kept.
    """
    check_asked(threads=threads)
    for path in (attempts, telemetry):
        if path is not None:
            _check_file(path)
    if sys.stderr.isatty():
        warn_if_cold()
    sentence = f"interrupted: the levels that were finished are kept in {shown_name(place)}"
    interruption = Interruption(sentence)
    results, tried, moves = [], [], []
    with Database(place) as database, interruption:
        stored = PlayerResults(database)
        for start in range(0, len(levels), LEVELS_AT_ONCE):
            if interruption.stop.is_set():
                interruption.conclude(sentence)
                return None
            part = []
            for visit in visits(population, levels[start : start + LEVELS_AT_ONCE], threads):
                part.append(results_of(visit, population))
                if attempts is not None:
                    tried.append(attempt_table(visit))
                if telemetry is not None:
                    moves.append(move_table(visit))
            # A level that was changed since has other results under the same name.
            stored.put(pl.concat(part))
            results += part
    for path, tables in ((attempts, tried), (telemetry, moves)):
        if path is not None:
            _write(pl.concat(tables), path)
    return success_rates(pl.concat(results))


def _check_file(path: Path) -> None:
    check_place(path)
    if path.suffix not in _WRITERS:
        raise PlayersError(f"{path}: files are told by suffix; expected .csv or .parquet")


def _write(table: pl.DataFrame, path: Path) -> None:
    try:
        _WRITERS[path.suffix](table, path)
    except OSError as error:
        raise PlayersError(f"{path}: cannot be written: {error.strerror or error}") from None
    note(f"{path} written: {table.height:,} rows")


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
