"""The 800/200 study: fitted to the first 800 levels of a generated saga, held against the next 200.

As in "Human-Like Playtesting with Deep Learning", section IV.E, but on levels of our own and with simulated
players in the place of people (`levelsense study saga-prediction`, and `saga-search` with tree search).
docs/studies/saga-prediction.md shows its tables.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import polars as pl

from levelsense import defaults
from levelsense.agents.registry import agent_words
from levelsense.level.level import bundled_levels
from levelsense.people.rates import rates_to_fit
from levelsense.people.simulated.run import results_of, visits
from levelsense.people.simulated.traits import Population, draw_population
from levelsense.playtest import NamedLevel, gather_levels
from levelsense.prediction.covariates import Covariates
from levelsense.prediction.evaluation import THIRDS, Evaluation, Figures, evaluate, figures, judged
from levelsense.prediction.features import FEATURES
from levelsense.prediction.model import DifficultyModel, default_model
from levelsense.prediction.table import (
    MEASURES_VERSION,
    agents_of,
    parse_counted,
    play_table,
    with_players,
)
from levelsense.saga.files import write_levels
from levelsense.saga.generate import generate
from levelsense.store import Database, KeptMeasures, PlayerResults, Recorder
from levelsense.studies.page import StudyPage, markdown_table
from levelsense.studies.run import StudyRun

LEVELS_AT_ONCE: Final = 20


class Study:
    """A saga and the results of agents and players at its levels, in the folder of a run."""

    def __init__(self, run: StudyRun, count: int) -> None:
        self.run, self.folder, self.count, self.seed = run, run.folder, count, run.seed

    def levels(self) -> tuple[NamedLevel, ...]:
        """The saga's levels, generated where files are missing."""
        saga = self.folder / "saga"
        for first in range(1, self.count + 1, LEVELS_AT_ONCE):
            batch_size = min(LEVELS_AT_ONCE, self.count + 1 - first)
            numbers = range(first, first + batch_size)
            if not all((saga / f"saga-{number:04}.json").exists() for number in numbers):
                with self.run.timed("levels"):
                    write_levels(saga, list(generate(self.seed, batch_size, first)))
                self.run.hear("generating", first + batch_size - 1, self.count)
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
                with self.run.timed(population.cohort):
                    batch = missing[start : start + LEVELS_AT_ONCE]
                    results.add(
                        pl.concat(results_of(visit, population) for visit in visits(population, batch))
                    )
                done = len(levels) - len(missing) + start + len(batch)
                self.run.hear(f"simulating {population.cohort},", done, len(levels))
            stored = results.read([named.name for named in levels], population.cohort)
        return rates_to_fit(stored)

    def table(self, levels: Sequence[NamedLevel], agents: dict[str, int], part: str) -> pl.DataFrame:
        """The table of agents' results at the levels, played where they are not stored yet."""
        with self.database() as database, self.run.timed(part):
            return play_table(
                levels,
                agents,
                threads=self.run.threads,
                sink=lambda: Recorder(database, "the 800/200 study"),
                stop=self.run.stop,
                levels_done=lambda done: self.run.hear(f"playing, {part},", done, len(levels)),
                kept=KeptMeasures(database, 0, MEASURES_VERSION),
            )


SEARCH: Final = "mcts:simulations=50"
SEARCH_ATTEMPTS: Final = {False: 100, True: 20}  # in a full run and in a quick one
PLAYERS: Final = 500
# The method was developed with the first; the others are different populations.
POPULATIONS: Final = (("everyone", 0), ("everyone", 1), ("veterans", 2), ("newcomers", 3))
# The columns of the model, and subsets of them: measures of agents and features of levels, or all there are.
PARTS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "agents' success rates only": {"measures": ("rate",), "features": ()},
    "success rates and features": {"measures": ("rate",)},
    "all measures of the agents, no features": {"features": ()},
    "all measures and features: the model": {},
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


def figure_table(evaluations: Evaluations) -> str:
    """A table of the model and its baselines for each population."""
    rows = [
        (players, *_figure_cells(figures))
        for players, evaluation in evaluations.items()
        for figures in (evaluation.figures, *evaluation.baselines)
    ]
    return markdown_table(HEADING, rows)


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
    for name, part in PARTS.items():
        model = DifficultyModel(columns=Covariates(agents_of(table), **part)).fit(table.head(first))
        rows.append(_figure_cells(figures(name, model, judged(model, table.slice(first)))))
    return markdown_table(HEADING[1:], rows)


def fewer_table(table: pl.DataFrame) -> str:
    """A table of the model, and of each agent's success rate alone, fitted to fewer levels."""
    agents = agents_of(table)
    alone = {f"{agent_words(agent)} alone": Covariates((agent,), ("rate",), ()) for agent in agents}
    columns_of: dict[str, Covariates | None] = {"the model": None, **alone}
    rows = []
    for count in (count for count in FEWER if count + NEXT <= table.height):
        starts = sorted({round(at) for at in np.linspace(0, table.height - count - NEXT, PLACES)})
        figures_by_way: dict[str, list[Figures]] = {name: [] for name in columns_of}
        for start in starts:
            rest = table.slice(start + count, NEXT)
            for name, columns in columns_of.items():
                model = DifficultyModel(columns=columns).fit(table.slice(start, count))
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
    return markdown_table(
        ("levels fitted", *(f"MAE, {name}" for name in columns_of), "outside 95 %, the model", "mean band"),
        rows,
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
    return markdown_table(("levels with", "levels", "MAE", "outside 95 %", "mean delta"), rows)


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
    return markdown_table(HEADING[1:], rows) + f"\nOutside: {outside or 'none'}\n"


# Levels, how many of them are fitted to, and attempts of each fast agent: in a full run and in a quick one.
EXTENT: Final = {False: (1000, 800, 1000), True: (120, 90, 100)}


def study(run: StudyRun, search_attempts: int = 0) -> StudyPage:
    """Runs the study and gives its page; without the search agent if it gets no attempts."""
    count, first, attempts = EXTENT[run.quick]
    run.claim("saga-prediction", levels=count, attempts=attempts)
    page = StudyPage("saga-prediction", "The 800/200 study: predicting the next levels of a saga")
    page.text(
        "Every figure is about simulated players. Levels:",
        f"`levelsense generate --count {count} --seed {run.seed}`; models are fitted to the first {first:,}",
        f"and judged on the next {count - first:,}.",
    )
    for title, table in sections(Study(run, count), first, attempts, search_attempts).items():
        page.heading(title)
        page.block(table)
    return page


def study_with_search(run: StudyRun) -> StudyPage:
    """The same with tree search among the agents; a folder of results may go on with either."""
    return study(run, SEARCH_ATTEMPTS[run.quick])


def sections(study: Study, first: int, attempts: int, search_attempts: int) -> dict[str, str]:
    """The tables of the whole study, in Markdown, by their headings."""
    levels = study.levels()
    populations = [draw_population(PLAYERS, player_seed, mix) for mix, player_seed in POPULATIONS]
    rates = {population.cohort: study.rates(levels, population) for population in populations}
    agents = parse_counted(defaults.MODEL_AGENTS, attempts)
    fast = study.table(levels, agents, "fast agents")
    evaluations = _evaluated(study, fast, rates, first, tuple(agents))
    tables = {"Fast agents": figure_table(evaluations)}
    if search_attempts:
        both = join([fast, study.table(levels, {SEARCH: search_attempts}, "search agent")])
        for title, chosen in (("With search", (*agents, SEARCH)), ("Search and features", (SEARCH,))):
            tables[title] = figure_table(_evaluated(study, both, rates, first, chosen))
    first_rates = next(iter(rates.values()))
    tables["Parts"] = part_table(with_players(fast, first_rates), first)
    tables["Fewer levels"] = fewer_table(with_players(fast, first_rates).head(first))
    tables["By feature"] = feature_table(evaluations, fast)
    tables["Bundled levels"] = bundled_table(study)
    minutes = [(part, f"{spent / 60:.1f}") for part, spent in study.run.seconds.items()]
    return {**tables, "Time": markdown_table(("part", "minutes"), minutes)}


def _evaluated(
    study: Study, table: pl.DataFrame, rates: dict[str, pl.DataFrame], first: int, agents: Sequence[str]
) -> Evaluations:
    evaluations = {}
    for cohort, observed in rates.items():
        with study.run.timed("fitting and predicting"):
            evaluations[cohort] = evaluate(with_players(table, observed), first, cohort, True, agents)
    return evaluations
