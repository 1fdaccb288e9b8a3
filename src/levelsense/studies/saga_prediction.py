"""The 800/200 study: fitted to the first 800 levels of a generated saga, held against the next 200.

As in "Human-Like Playtesting with Deep Learning", section IV.E, but on levels of our own and with simulated
players in the place of people. Run it with `python -m levelsense.studies.saga_prediction FOLDER`; stopped and
started again, it goes on where it was. docs/studies/saga-prediction.md shows its tables.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import polars as pl

from levelsense.players.rates import success_rates
from levelsense.players.simulate import results_of, visits
from levelsense.players.traits import Population, draw_population
from levelsense.playtest import NamedLevel, gather_levels
from levelsense.prediction.evaluation import THIRDS, Evaluation, Figures, evaluate
from levelsense.prediction.playing import play_table
from levelsense.prediction.table import with_players
from levelsense.saga.files import write_levels
from levelsense.saga.generate import generate
from levelsense.store import Database, PlayerResults, Recorder

FAST: Final = ("random", "greedy", "heuristic")
SEARCH: Final = "mcts:simulations=50"
PLAYERS: Final = 500
# The first is the one that the defaults were looked at with; the others are changed populations.
POPULATIONS: Final = (("everyone", 0), ("everyone", 1), ("veterans", 2), ("newcomers", 3))
LEVELS_AT_ONCE: Final = 20


class Study:
    """A folder with the saga, the database and how long each part took."""

    def __init__(self, folder: Path, count: int, seed: int) -> None:
        self.folder, self.count, self.seed = folder, count, seed
        self.folder.mkdir(parents=True, exist_ok=True)
        self._times = folder / "seconds.json"

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
            self._times.write_text(json.dumps(seconds, indent=1))

    def levels(self) -> tuple[NamedLevel, ...]:
        """The saga's levels, generated if they are not there yet."""
        saga = self.folder / "saga"
        for first in range(1, self.count + 1, LEVELS_AT_ONCE):
            some = min(LEVELS_AT_ONCE, self.count + 1 - first)
            numbers = range(first, first + some)
            if not all((saga / f"saga-{number:04}.json").exists() for number in numbers):
                with self.timed("levels"):
                    write_levels(saga, list(generate(self.seed, some, first)))
                _say(f"levels: {first + some - 1:,} of {self.count:,}")
        return gather_levels([saga])[: self.count]

    def database(self) -> Database:
        """Where attempts and results are kept."""
        return Database(self.folder / "study.db")

    def rates(self, levels: Sequence[NamedLevel], population: Population) -> pl.DataFrame:
        """A population's success rates, simulated where they are not known yet."""
        with self.database() as database:
            results = PlayerResults(database)
            known = results.read(cohort=population.cohort)
            there = set(known["level"].unique())
            missing = [named for named in levels if named.name not in there]
            for start in range(0, len(missing), LEVELS_AT_ONCE):
                with self.timed(population.cohort):
                    some = missing[start : start + LEVELS_AT_ONCE]
                    results.add(pl.concat(results_of(seen, population) for seen in visits(population, some)))
            found = results.read(cohort=population.cohort) if missing else known
        return success_rates(found)

    def table(self, levels: Sequence[NamedLevel], agents: dict[str, int], part: str) -> pl.DataFrame:
        """What agents do at the levels, played where it is not known yet."""
        with self.database() as database, self.timed(part):
            tell = lambda done: _say(f"{part}: {done:,} of {len(levels):,} levels")  # noqa: E731
            return play_table(levels, agents, sink=lambda: Recorder(database, "the 800/200 study"), tell=tell)


def _say(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")


def join(tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Tables of different agents at the same levels as one."""
    first, *others = tables
    for other in others:
        new = [name for name in other.columns if name == "level" or name not in first.columns]
        first = first.join(other.select(new), on="level", maintain_order="left")
    return first


def figure_table(evaluations: dict[str, Evaluation]) -> str:
    """The model and its baselines for each population, as the study's page has it."""
    lines = [
        "| players (simulated) | prediction by | MAE | outside 95 % | sigma | mean band | "
        + " | ".join(f"outside, {third}" for third in THIRDS)
        + " |",
        "| --- " * (6 + len(THIRDS)) + "|",
    ]
    for name, found in evaluations.items():
        lines += [_figure_line(name, each) for each in (found.figures, *found.baselines)]
    return "\n".join(lines) + "\n"


def _figure_line(players: str, figures: Figures) -> str:
    thirds = " | ".join(f"{100 * share:.1f} %" for share in figures.outside_thirds)
    return (
        f"| {players} | {figures.name} | {100 * figures.mae:.2f} % | {100 * figures.outside:.1f} % | "
        f"{figures.sigma:.2f} | {100 * figures.width:.1f} % | {thirds} |"
    )


def run(folder: Path, count: int, first: int, seed: int, attempts: int, search_attempts: int) -> str:
    """The whole study, as Markdown; without the search agent if it gets no attempts."""
    study = Study(folder, count, seed)
    levels = study.levels()
    populations = [draw_population(PLAYERS, player_seed, mix) for mix, player_seed in POPULATIONS]
    rates = {population.cohort: study.rates(levels, population) for population in populations}
    fast = study.table(levels, dict.fromkeys(FAST, attempts), "fast agents")
    text = "## Fast agents\n\n" + _evaluated(study, fast, rates, first, FAST)
    if search_attempts:
        search = study.table(levels, {SEARCH: search_attempts}, "search agent")
        both = join([fast, search])
        text += "\n## With search\n\n" + _evaluated(study, both, rates, first, (*FAST, SEARCH))
        text += "\n## Search alone, with features\n\n" + _evaluated(study, both, rates, first, (SEARCH,))
    seconds = "".join(f"| {part} | {spent / 60:.1f} |\n" for part, spent in study.seconds.items())
    return f"{text}\n| part | minutes |\n| --- | --- |\n{seconds}"


def _evaluated(
    study: Study, table: pl.DataFrame, rates: dict[str, pl.DataFrame], first: int, agents: Sequence[str]
) -> str:
    found = {}
    for cohort, observed in rates.items():
        with study.timed("fitting and predicting"):
            found[cohort] = evaluate(with_players(table, observed), first, cohort, True, agents)
    return figure_table(found)


def main() -> None:
    """Runs the study and prints its tables."""
    parser = argparse.ArgumentParser(prog="python -m levelsense.studies.saga_prediction", description=__doc__)
    parser.add_argument("folder", type=Path, help="where everything is kept; some 2 GB")
    parser.add_argument("--levels", type=int, default=1000, help="how many (default: 1000)")
    parser.add_argument("--first", type=int, default=800, help="how many to fit to (default: 800)")
    parser.add_argument("--seed", type=int, default=1, help="of the saga (default: 1)")
    parser.add_argument("--attempts", type=int, default=1000, help="of each fast agent (default: 1000)")
    parser.add_argument(
        "--search", type=int, default=0, metavar="N", help=f"attempts of {SEARCH} (default: none)"
    )
    asked = parser.parse_args()
    sys.stdout.write(run(asked.folder, asked.levels, asked.first, asked.seed, asked.attempts, asked.search))


if __name__ == "__main__":
    main()
