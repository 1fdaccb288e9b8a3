"""What the Lab does about players: their results, simulated ones, and files of their moves."""

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from levelsense import defaults
from levelsense.errors import PlayersError
from levelsense.files import check_writable
from levelsense.lab.run import Levels, Note, Run, Watch
from levelsense.lab.store import LabStore
from levelsense.store import Counts, Database, PlayerResults
from levelsense.store.address import IN_MEMORY

if TYPE_CHECKING:
    from levelsense.people.records import Records
    from levelsense.people.simulated.simulation import Simulated
    from levelsense.people.telemetry import TelemetryCheck


class Players(LabStore):
    """Players' results and moves, of people and of simulated ones."""

    def import_players(
        self,
        files: str | Path | Sequence[str | Path],
        *,
        columns: Mapping[str, str] | None = None,
        cohort: str | None = None,
        replace: bool = False,
        skip_wrong: bool = False,
    ) -> "list[tuple[Records, Counts]]":
        """Takes in people's results from CSV or Parquet files: what each file held, and what was stored.

        `columns` says which column holds what where that is not clear, as {"level": "stage"}. Nothing is
        stored if anything is wrong; what is stored already is not stored again.
        """
        from levelsense.people.records import read_all

        paths = [Path(files)] if isinstance(files, str | Path) else [Path(path) for path in files]
        records = read_all(paths, columns or {}, cohort, skip_wrong=skip_wrong)
        frames = [read.rows for read in records]
        if self.is_new:
            # Tried before: what cannot be stored leaves no empty database behind.
            with Database(IN_MEMORY) as trial:
                PlayerResults(trial).add_all(frames, replace=replace)
        with self._open() as database:
            counts = PlayerResults(database).add_all(frames, replace=replace)
        return list(zip(records, counts, strict=True))

    def store_results(self, rows: pl.DataFrame) -> Counts:
        """Stores people's results (RESULTS_SCHEMA) in the place of those of the same level, player, date and
        cohort; all of them or none."""
        with self._open() as database:
            return PlayerResults(database).add(rows, replace=True)

    def rates(
        self,
        levels: Sequence[str] = (),
        *,
        cohort: str | None = None,
        boosters: bool = False,
        details: bool = False,
    ) -> pl.DataFrame:
        """Players' success rate at each level with its interval, simulated players apart from people.

        `levels` are names or patterns such as `0*` of what is stored; all if there are none. Each cohort has
        rates of its own; a pattern such as `*` takes people's cohorts that match it together. Rows with
        boosters are told apart, unless `boosters` lets them count. `details` adds how many attempts a player
        needs, who is still stuck after 5, 10 and 20, who gave up, and moves left.
        """
        from levelsense.people.rates import stored_rates

        with self._open(make=False) as database:
            return stored_rates(database, levels, cohort, boosters=boosters, details=details)

    def simulate(
        self,
        levels: Levels,
        players: int = defaults.SIMULATED_PLAYERS,
        *,
        mix: str | Mapping[str, float] = defaults.MIX,
        leave: float = 0.0,
        seed: int = 0,
        threads: int | None = None,
        attempts: str | Path | None = None,
        telemetry: str | Path | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
        note: Note | None = None,
    ) -> "Simulated":
        """Lets simulated players try levels, and keeps their results as those of a cohort of their own.

        They are no people, and every figure from them says so. `mix` is a name such as `both`, or shares of
        types: by type, or as text such as `casual=0.4,hoarder=0.6`. Who gives up at a level leaves the game
        with the probability `leave` times the share of levels given up so far: later levels are played by
        those who are left. `attempts` and `telemetry` are files for every attempt and every move, as CSV or
        Parquet by suffix. The result says whether it was interrupted.
        """
        from levelsense.people.simulated.simulation import Simulation, simulate_levels
        from levelsense.people.simulated.traits import draw_population

        run = Run(seed, threads, progress, stop, note)
        population = draw_population(players, seed, mix, leave)
        gathered = run.gather(levels)
        simulation = Simulation(gathered, population, threads, _path(attempts), _path(telemetry))
        for path in simulation.paths:
            check_writable(path)
        levels_done = run.levels_progress("simulating", len(gathered))
        return simulate_levels(simulation, self._open, levels_done, stop or threading.Event(), run.notify)

    def check_telemetry(
        self,
        file: str | Path,
        levels: Levels | None = None,
        *,
        progress: Watch | None = None,
    ) -> "TelemetryCheck":
        """Reads a file of moves or of positions row by row: how much it holds, and what is wrong with it.

        `levels` are those that it is of; the bundled ones if left out, or those that games hold themselves.
        PlayersError if it cannot be read.
        """
        from levelsense.people.telemetry import check_telemetry, read_telemetry

        run, telemetry = Run(progress=progress), read_telemetry(file)
        gathered = run.gather(telemetry.own_levels if levels is None else levels)
        return check_telemetry(telemetry, gathered, run.levels_progress("checking", telemetry.extent.levels))

    def export_positions(
        self,
        file: str | Path,
        output: str | Path,
        levels: Levels | None = None,
        *,
        progress: Watch | None = None,
    ) -> int:
        """Writes the positions of a file of moves as rows, CSV or Parquet by suffix; gives their number.

        `levels` are those that the file is of; the bundled ones if left out, or those that games hold.
        """
        from levelsense.people.telemetry import export_positions, read_telemetry

        if Path(output).resolve() == Path(file).resolve():
            raise PlayersError(f"{output}: the file that is read; expected another to write to")
        check_writable(output)
        run, telemetry = Run(progress=progress), read_telemetry(file)
        gathered = run.gather(telemetry.own_levels if levels is None else levels)
        levels_done = run.levels_progress("exporting", telemetry.extent.levels)
        return export_positions(telemetry, gathered, Path(output), levels_done)


def _path(path: str | Path | None) -> Path | None:
    return None if path is None else Path(path)
