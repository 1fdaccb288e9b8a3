"""The data of the 800/200 study, made once and kept in a folder: levels, players' results, attempts."""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import polars as pl

from levelsense.errors import SagaError
from levelsense.files import write_text
from levelsense.people.rates import success_rates
from levelsense.people.simulated.run import results_of, visits
from levelsense.people.simulated.traits import Population
from levelsense.playtest import NamedLevel, gather_levels
from levelsense.prediction.table import play_table
from levelsense.saga.files import write_levels
from levelsense.saga.generate import generate
from levelsense.store import Database, PlayerResults, Recorder

LEVELS_AT_ONCE: Final = 20


class Study:
    """A folder with the saga, the database and the time that each part took."""

    def __init__(self, folder: Path, count: int, seed: int) -> None:
        self.folder, self.count, self.seed = folder, count, seed
        self.folder.mkdir(parents=True, exist_ok=True)
        self._times = folder / "seconds.json"
        seed_file = folder / "seed.txt"
        if not seed_file.exists():
            write_text(seed_file, f"{seed}\n")
        elif int(seed_file.read_text()) != seed:
            raise SagaError(f"{folder}: the study of seed {seed_file.read_text().strip()}, not of {seed}")

    @property
    def seconds(self) -> dict[str, float]:
        """How long each part has taken so far, in all runs together."""
        return dict(json.loads(self._times.read_text())) if self._times.exists() else {}

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Adds the time of the block to a part's, even if it is interrupted."""
        start = time.perf_counter()
        try:
            yield
        finally:
            seconds = self.seconds
            seconds[part] = seconds.get(part, 0.0) + time.perf_counter() - start
            write_text(self._times, json.dumps(seconds, indent=1))

    def levels(self) -> tuple[NamedLevel, ...]:
        """The saga's levels, generated where files are missing."""
        saga = self.folder / "saga"
        for first in range(1, self.count + 1, LEVELS_AT_ONCE):
            batch_size = min(LEVELS_AT_ONCE, self.count + 1 - first)
            numbers = range(first, first + batch_size)
            if not all((saga / f"saga-{number:04}.json").exists() for number in numbers):
                with self.timed("levels"):
                    write_levels(saga, list(generate(self.seed, batch_size, first)))
                _say(f"levels: {first + batch_size - 1:,} of {self.count:,}")
        return gather_levels([saga])[: self.count]

    def database(self) -> Database:
        """The database of attempts and results."""
        return Database(self.folder / "study.db")

    def rates(self, levels: Sequence[NamedLevel], population: Population) -> pl.DataFrame:
        """A population's success rates, simulated where they are not stored yet."""
        with self.database() as database:
            results = PlayerResults(database)
            known = set(results.read(cohort=population.cohort)["level"].unique())
            missing = [named for named in levels if named.name not in known]
            for start in range(0, len(missing), LEVELS_AT_ONCE):
                with self.timed(population.cohort):
                    batch = missing[start : start + LEVELS_AT_ONCE]
                    results.add(
                        pl.concat(results_of(visit, population) for visit in visits(population, batch))
                    )
            stored = results.read([named.name for named in levels], population.cohort)
        return success_rates(stored)

    def table(self, levels: Sequence[NamedLevel], agents: dict[str, int], part: str) -> pl.DataFrame:
        """The table of agents' results at the levels, played where they are not stored yet."""
        with self.database() as database, self.timed(part):
            levels_done = lambda done: _say(f"{part}: {done:,} of {len(levels):,} levels")  # noqa: E731
            return play_table(
                levels, agents, sink=lambda: Recorder(database, "the 800/200 study"), levels_done=levels_done
            )


def _say(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")
