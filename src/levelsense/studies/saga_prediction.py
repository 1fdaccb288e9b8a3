"""The 800/200 study: fitted to the first 800 levels of a generated saga, held against the next 200.

As in "Human-Like Playtesting with Deep Learning", section IV.E, but on levels of our own and with simulated
players in the place of people. Run it with `python -m levelsense.studies.saga_prediction FOLDER`; stopped and
started again, it goes on where it was. docs/studies/saga-prediction.md shows its tables.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from levelsense.errors import SagaError
from levelsense.files import write_text
from levelsense.level.level import bundled_levels
from levelsense.people.rates import success_rates
from levelsense.people.simulated.run import results_of, visits
from levelsense.people.simulated.traits import Population, draw_population
from levelsense.playtest import NamedLevel, gather_levels
from levelsense.prediction.covariates import Covariates
from levelsense.prediction.evaluation import THIRDS, Evaluation, Figures, evaluate, figures, judged
from levelsense.prediction.features import FEATURES
from levelsense.prediction.model import DifficultyModel, default_model
from levelsense.prediction.table import play_table, with_players
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


FAST: Final = ("random", "greedy", "heuristic")
SEARCH: Final = "mcts:simulations=50"
PLAYERS: Final = 500
# The method was developed with the first; the others are different populations.
POPULATIONS: Final = (("everyone", 0), ("everyone", 1), ("veterans", 2), ("newcomers", 3))
# The columns of the model, and subsets of them.
PARTS: Final = {
    "agents' success rates only": Covariates(FAST, ("rate",), ()),
    "success rates and features": Covariates(FAST, ("rate",)),
    "all measures of the agents, no features": Covariates(FAST, features=()),
    "all measures and features: the model": Covariates(FAST),
}
# Fits to fewer levels: so many in a row, judged by the next ones, at several places of the saga.
FEWER: Final = (3, 10, 20, 40, 80, 200)
NEXT: Final = 40
PLACES: Final = 8
HEADING: Final = (
    "players (simulated)",
    "prediction by",
    "MAE",
    "outside 95 %",
    "sigma",
    "mean band",
    *(f"outside, {third}" for third in THIRDS),
)
Evaluations = dict[str, Evaluation]


def join(tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Tables of different agents at the same levels as one."""
    first, *others = tables
    for other in others:
        new = [name for name in other.columns if name == "level" or name not in first.columns]
        first = first.join(other.select(new), on="level", maintain_order="left")
    return first


def markdown(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def figure_table(evaluations: Evaluations) -> str:
    """A table of the model and its baselines for each population."""
    rows = [
        (players, *_figure_cells(figures))
        for players, evaluation in evaluations.items()
        for figures in (evaluation.figures, *evaluation.baselines)
    ]
    return markdown(HEADING, rows)


def _figure_cells(figures: Figures) -> tuple[str, ...]:
    thirds = (_percent(share) for share in figures.outside_thirds)
    return (
        figures.name,
        f"{100 * figures.mae:.2f} %",
        _percent(figures.outside),
        f"{figures.sigma:.2f}",
        _percent(figures.width),
        *thirds,
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def part_table(table: pl.DataFrame, first: int) -> str:
    """A table of the model with subsets of its columns."""
    rows = []
    for name, columns in PARTS.items():
        model = DifficultyModel(columns=columns).fit(table.head(first))
        rows.append(_figure_cells(figures(name, model, judged(model, table.slice(first)))))
    return markdown(HEADING[1:], rows)


def fewer_table(table: pl.DataFrame) -> str:
    """A table of the model, and of each agent's success rate alone, fitted to fewer levels."""
    ways = {"the model": None, **{f"{agent} alone": Covariates((agent,), ("rate",), ()) for agent in FAST}}
    rows = []
    for count in (count for count in FEWER if count + NEXT <= table.height):
        starts = sorted({round(at) for at in np.linspace(0, table.height - count - NEXT, PLACES)})
        figures_by_way: dict[str, list[Figures]] = {name: [] for name in ways}
        for start in starts:
            rest = table.slice(start + count, NEXT)
            for name, columns in ways.items():
                model = DifficultyModel(FAST, columns=columns).fit(table.slice(start, count))
                figures_by_way[name].append(figures(name, model, judged(model, rest)))
        model_figures = figures_by_way["the model"]
        rows.append(
            (
                str(count),
                *(
                    f"{100 * np.mean([entry.mae for entry in parts]):.1f} %"
                    for parts in figures_by_way.values()
                ),
                _percent(float(np.mean([entry.outside for entry in model_figures]))),
                _percent(float(np.mean([entry.width for entry in model_figures]))),
            )
        )
    return markdown(
        ("levels fitted", *(f"MAE, {name}" for name in ways), "outside 95 %, the model", "mean band"), rows
    )


def feature_table(evaluations: Evaluations, table: pl.DataFrame) -> str:
    """A table of the errors of predictions at levels with each feature, over all populations."""
    levels = pl.concat(evaluation.levels for evaluation in evaluations.values()).join(
        table.select("level", *FEATURES), on="level"
    )
    rows = []
    for feature in FEATURES:
        with_feature = levels.filter(pl.col(feature) > 0)
        if 0 < with_feature.height < levels.height:
            delta = with_feature["delta"].to_numpy()
            rows.append(
                (
                    feature,
                    str(with_feature["level"].n_unique()),
                    f"{100 * abs(delta).mean():.1f} %",
                    _percent(float(with_feature["outside"].to_numpy().mean())),
                    f"{100 * delta.mean():+.1f} %",
                )
            )
    return markdown(("levels with", "levels", "MAE", "outside 95 %", "mean delta"), rows)


def bundled_table(study: Study) -> str:
    """A table of the default model, fitted to generated levels, at the hand-drawn ones."""
    mix, seed = POPULATIONS[0]
    levels, population = gather_levels(bundled_levels()), draw_population(PLAYERS, seed, mix)
    model = default_model()
    table = study.table(levels, dict(model.origin_.attempts), "bundled levels")
    judged_levels = judged(model, with_players(table, study.rates(levels, population)))
    rows = [_figure_cells(figures("the default model", model, judged_levels))]
    outside = ", ".join(
        f"{row['level']} (observed {row['observed']:.1%}, predicted {row['rate']:.1%})"
        for row in judged_levels.filter("outside").iter_rows(named=True)
    )
    return markdown(HEADING[1:], rows) + f"\nOutside: {outside or 'none'}\n"


def run(folder: Path, count: int, first: int, seed: int, attempts: int, search_attempts: int) -> str:
    """Runs the whole study and gives it as Markdown; without the search agent if it gets no attempts."""
    study = Study(folder, count, seed)
    levels = study.levels()
    populations = [draw_population(PLAYERS, player_seed, mix) for mix, player_seed in POPULATIONS]
    rates = {population.cohort: study.rates(levels, population) for population in populations}
    fast = study.table(levels, dict.fromkeys(FAST, attempts), "fast agents")
    evaluations = _evaluated(study, fast, rates, first, FAST)
    text = f"## Fast agents\n\n{figure_table(evaluations)}"
    if search_attempts:
        both = join([fast, study.table(levels, {SEARCH: search_attempts}, "search agent")])
        for title, agents in (("With search", (*FAST, SEARCH)), ("Search and features", (SEARCH,))):
            text += f"\n## {title}\n\n{figure_table(_evaluated(study, both, rates, first, agents))}"
    first_rates = next(iter(rates.values()))
    text += f"\n## Parts\n\n{part_table(with_players(fast, first_rates), first)}"
    text += f"\n## Fewer levels\n\n{fewer_table(with_players(fast, first_rates).head(first))}"
    text += f"\n## By feature\n\n{feature_table(evaluations, fast)}"
    text += f"\n## Bundled levels\n\n{bundled_table(study)}"
    minutes = [(part, f"{spent / 60:.1f}") for part, spent in study.seconds.items()]
    return f"{text}\n## Time\n\n{markdown(('part', 'minutes'), minutes)}"


def _evaluated(
    study: Study, table: pl.DataFrame, rates: dict[str, pl.DataFrame], first: int, agents: Sequence[str]
) -> Evaluations:
    evaluations = {}
    for cohort, observed in rates.items():
        with study.timed("fitting and predicting"):
            evaluations[cohort] = evaluate(with_players(table, observed), first, cohort, True, agents)
    return evaluations


def main() -> None:
    """Runs the study and prints its tables."""
    parser = argparse.ArgumentParser(prog="python -m levelsense.studies.saga_prediction", description=__doc__)
    parser.add_argument("folder", type=Path, help="where everything is kept; some 1 GB")
    parser.add_argument("--levels", type=int, default=1000, help="how many (default: 1000)")
    parser.add_argument("--first", type=int, default=800, help="how many to fit to (default: 800)")
    parser.add_argument("--seed", type=int, default=1, help="of the saga (default: 1)")
    parser.add_argument("--attempts", type=int, default=1000, help="of each fast agent (default: 1000)")
    parser.add_argument(
        "--search", type=int, default=0, metavar="N", help=f"attempts of {SEARCH} (default: none)"
    )
    arguments = parser.parse_args()
    sys.stdout.write(
        run(
            arguments.folder,
            arguments.levels,
            arguments.first,
            arguments.seed,
            arguments.attempts,
            arguments.search,
        )
    )


if __name__ == "__main__":
    main()
