"""The 800/200 study: fitted to the first 800 levels of a generated saga, held against the next 200.

As in "Human-Like Playtesting with Deep Learning", section IV.E, but on levels of our own and with simulated
players in the place of people. Run it with `python -m levelsense.studies.saga_prediction FOLDER`; stopped and
started again, it goes on where it was. docs/studies/saga-prediction.md shows its tables.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from levelsense.level.level import bundled_levels
from levelsense.people.simulated.traits import draw_population
from levelsense.playtest import gather_levels
from levelsense.prediction.covariates import Covariates
from levelsense.prediction.evaluation import THIRDS, Evaluation, Figures, evaluate, figures, judged
from levelsense.prediction.features import FEATURES
from levelsense.prediction.model import DifficultyModel, default_model
from levelsense.prediction.table import with_players
from levelsense.studies.saga_data import Study

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
