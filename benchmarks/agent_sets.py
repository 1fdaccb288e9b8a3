"""Which agents predict players best for their cost: sets of agents in the 800/200 study, and at 10 levels.

    levelsense study saga-prediction -o study
    python benchmarks/agent_sets.py study

The folder is the study's; what is not stored there is played. Players are simulated, not people.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from levelsense.agents.registry import parse_agent
from levelsense.people.simulated.traits import draw_population
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.plan import attempt_seeds
from levelsense.prediction.evaluation import Figures, evaluate, figures, judged
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.table import with_players
from levelsense.studies.page import markdown_table
from levelsense.studies.run import StudyRun
from levelsense.studies.saga_prediction import (
    NEXT,
    PLACES,
    PLAYERS,
    POPULATIONS,
    Study,
    join,
)

FIRST, FEW = 800, 10
TIMED = 50  # of so many levels one is timed
FEWER_ATTEMPTS = {"policy": 300}  # of who plays longer; the others have --attempts
SETS = (
    ("random", "greedy", "heuristic"),
    ("policy",),
    ("random", "policy"),
    ("heuristic", "policy"),
    ("greedy", "policy"),
    ("random", "heuristic", "policy"),
    ("random", "greedy", "heuristic", "policy"),
)


def seconds_a_level(spec: str, levels: Sequence[NamedLevel], attempts: int) -> float:
    """The seconds of processor time that an agent's attempts at a level take, compiled before."""
    agent = parse_agent(spec)
    agent.attempts(levels[0].level, attempt_seeds(levels[0].level.digest, spec, 1, 0, 2))
    start = time.process_time()
    for named in levels:
        agent.attempts(named.level, attempt_seeds(named.level.digest, spec, 1, 0, attempts))
    return (time.process_time() - start) / len(levels)


def fitted_to_few(table: pl.DataFrame, agents: Sequence[str]) -> tuple[float, float]:
    """MAE and share outside of the bands at the levels after FEW, the mean over places of the saga."""
    parts: list[Figures] = []
    for start in sorted({round(at) for at in np.linspace(0, table.height - FEW - NEXT, PLACES)}):
        model = DifficultyModel(agents).fit(table.slice(start, FEW))
        parts.append(figures("few", model, judged(model, table.slice(start + FEW, NEXT))))
    return float(np.mean([part.mae for part in parts])), float(np.mean([part.outside for part in parts]))


def row_of(
    agents: Sequence[str], cost: float, table: pl.DataFrame, rates: Sequence[pl.DataFrame]
) -> tuple[str, ...]:
    """The figures of a set of agents: processor time, each population's errors, and those of few levels."""
    errors = [evaluate(with_players(table, observed), FIRST, agents=agents).figures for observed in rates]
    mae, outside = fitted_to_few(with_players(table, rates[0]).head(FIRST), agents)
    return (
        ", ".join(agents),
        f"{cost:.2f} s",
        *(f"{100 * part.mae:.2f} ({100 * part.outside:.1f})" for part in errors),
        f"{100 * np.mean([part.mae for part in errors]):.2f}",
        f"{100 * mae:.1f} ({100 * outside:.1f})",
    )


def main() -> None:
    """Prints a row for each set of agents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("study", type=Path, help="the folder of the 800/200 study")
    parser.add_argument("--attempts", type=int, default=1_000, help="of each agent but the policy")
    parser.add_argument("--seed", type=int, default=1, help="of the study's saga")
    parser.add_argument("--set", action="append", nargs="+", metavar="AGENT", help="agents to compare, again")
    options = parser.parse_args()
    sets = [tuple(parse_agent(agent).spec for agent in agents) for agents in options.set or SETS]
    agents = list(dict.fromkeys(agent for each in sets for agent in each))
    study = Study(StudyRun(options.study, seed=options.seed), 1_000)
    levels = study.levels()
    fewer = {parse_agent(agent).spec: number for agent, number in FEWER_ATTEMPTS.items()}
    attempts = {agent: fewer.get(agent, options.attempts) for agent in agents}
    tables = [study.table(levels, {agent: attempts[agent]}, agent) for agent in agents]
    populations = [draw_population(PLAYERS, seed, mix) for mix, seed in POPULATIONS]
    rates = [study.rates(levels, population) for population in populations]
    cost = {agent: seconds_a_level(agent, levels[::TIMED], attempts[agent]) for agent in agents}
    table = join(tables)
    heading = (
        "agents",
        "processor time a level",
        *(f"{mix}, seed {seed}: MAE % (outside %)" for mix, seed in POPULATIONS),
        "mean MAE %",
        f"fitted to {FEW} levels",
    )
    rows = [row_of(each, sum(cost[agent] for agent in each), table, rates) for each in sets]
    print(markdown_table(heading, rows))


if __name__ == "__main__":
    main()
