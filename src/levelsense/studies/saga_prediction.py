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
# The first is the one that the method was looked at with; the others are changed populations.
POPULATIONS: Final = (("everyone", 0), ("everyone", 1), ("veterans", 2), ("newcomers", 3))
# What the model has, and less of it.
PARTS: Final = {
    "agents' success rates only": Covariates(FAST, ("rate",), ()),
    "success rates and features": Covariates(FAST, ("rate",)),
    "all measures of the agents, no features": Covariates(FAST, features=()),
    "all measures and features: the model": Covariates(FAST),
}
# How well it does with fewer levels: so many in a row, and the next ones judged, at some places of the saga.
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
    """A table as a page has it."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def figure_table(evaluations: Evaluations) -> str:
    """The model and its baselines for each population."""
    rows = [
        (players, *_figure_cells(each))
        for players, found in evaluations.items()
        for each in (found.figures, *found.baselines)
    ]
    return markdown(HEADING, rows)


def _figure_cells(each: Figures) -> tuple[str, ...]:
    thirds = (_percent(share) for share in each.outside_thirds)
    return (
        each.name,
        f"{100 * each.mae:.2f} %",
        _percent(each.outside),
        f"{each.sigma:.2f}",
        _percent(each.width),
        *thirds,
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def part_table(table: pl.DataFrame, first: int) -> str:
    """What the model would be with fewer columns."""
    rows = []
    for name, columns in PARTS.items():
        model = DifficultyModel(columns=columns).fit(table.head(first))
        rows.append(_figure_cells(figures(name, model, judged(model, table.slice(first)))))
    return markdown(HEADING[1:], rows)


def fewer_table(table: pl.DataFrame) -> str:
    """The model and each agent's success rate alone, fitted to fewer levels."""
    ways = {"the model": None, **{f"{agent} alone": Covariates((agent,), ("rate",), ()) for agent in FAST}}
    rows = []
    for count in (count for count in FEWER if count + NEXT <= table.height):
        starts = sorted({round(at) for at in np.linspace(0, table.height - count - NEXT, PLACES)})
        found: dict[str, list[Figures]] = {name: [] for name in ways}
        for start in starts:
            rest = table.slice(start + count, NEXT)
            for name, columns in ways.items():
                model = DifficultyModel(FAST, columns=columns).fit(table.slice(start, count))
                found[name].append(figures(name, model, judged(model, rest)))
        own = found["the model"]
        rows.append(
            (
                str(count),
                *(f"{100 * np.mean([each.mae for each in parts]):.1f} %" for parts in found.values()),
                _percent(float(np.mean([each.outside for each in own]))),
                _percent(float(np.mean([each.width for each in own]))),
            )
        )
    return markdown(
        ("levels fitted", *(f"MAE, {name}" for name in ways), "outside 95 %, the model", "mean band"), rows
    )


def feature_table(evaluations: Evaluations, table: pl.DataFrame) -> str:
    """How predictions of levels with a feature went, over all populations."""
    levels = pl.concat(found.levels for found in evaluations.values()).join(
        table.select("level", *FEATURES), on="level"
    )
    rows = []
    for feature in FEATURES:
        having = levels.filter(pl.col(feature) > 0)
        if 0 < having.height < levels.height:
            delta = having["delta"].to_numpy()
            rows.append(
                (
                    feature,
                    str(having["level"].n_unique()),
                    f"{100 * abs(delta).mean():.1f} %",
                    _percent(float(having["outside"].to_numpy().mean())),
                    f"{100 * delta.mean():+.1f} %",
                )
            )
    return markdown(("levels with", "levels", "MAE", "outside 95 %", "mean delta"), rows)


def bundled_table(study: Study) -> str:
    """How the default model, fitted to generated levels, predicts the first population at hand-drawn ones."""
    mix, seed = POPULATIONS[0]
    levels, population = gather_levels(bundled_levels()), draw_population(PLAYERS, seed, mix)
    model = default_model()
    table = study.table(levels, dict(model.origin_.attempts), "bundled levels")
    found = judged(model, with_players(table, study.rates(levels, population)))
    rows = [_figure_cells(figures("the default model", model, found))]
    outside = ", ".join(
        f"{row['level']} (observed {row['observed']:.1%}, predicted {row['rate']:.1%})"
        for row in found.filter("outside").iter_rows(named=True)
    )
    return markdown(HEADING[1:], rows) + f"\nOutside: {outside or 'none'}\n"


def run(folder: Path, count: int, first: int, seed: int, attempts: int, search_attempts: int) -> str:
    """The whole study, as Markdown; without the search agent if it gets no attempts."""
    study = Study(folder, count, seed)
    levels = study.levels()
    populations = [draw_population(PLAYERS, player_seed, mix) for mix, player_seed in POPULATIONS]
    rates = {population.cohort: study.rates(levels, population) for population in populations}
    fast = study.table(levels, dict.fromkeys(FAST, attempts), "fast agents")
    found = _evaluated(study, fast, rates, first, FAST)
    text = f"## Fast agents\n\n{figure_table(found)}"
    if search_attempts:
        both = join([fast, study.table(levels, {SEARCH: search_attempts}, "search agent")])
        for title, agents in (("With search", (*FAST, SEARCH)), ("Search and features", (SEARCH,))):
            text += f"\n## {title}\n\n{figure_table(_evaluated(study, both, rates, first, agents))}"
    first_rates = next(iter(rates.values()))
    text += f"\n## Parts\n\n{part_table(with_players(fast, first_rates), first)}"
    text += f"\n## Fewer levels\n\n{fewer_table(with_players(fast, first_rates).head(first))}"
    text += f"\n## By feature\n\n{feature_table(found, fast)}"
    text += f"\n## Bundled levels\n\n{bundled_table(study)}"
    minutes = [(part, f"{spent / 60:.1f}") for part, spent in study.seconds.items()]
    return f"{text}\n## Time\n\n{markdown(('part', 'minutes'), minutes)}"


def _evaluated(
    study: Study, table: pl.DataFrame, rates: dict[str, pl.DataFrame], first: int, agents: Sequence[str]
) -> Evaluations:
    found = {}
    for cohort, observed in rates.items():
        with study.timed("fitting and predicting"):
            found[cohort] = evaluate(with_players(table, observed), first, cohort, True, agents)
    return found


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
    asked = parser.parse_args()
    sys.stdout.write(run(asked.folder, asked.levels, asked.first, asked.seed, asked.attempts, asked.search))


if __name__ == "__main__":
    main()
