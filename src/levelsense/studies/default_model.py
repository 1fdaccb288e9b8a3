"""Makes the model that comes with levelsense: fitted to many populations of simulated players.

It takes the folder of `levelsense study saga-prediction` and simulates more populations there, then fits.
Run it with `python -m levelsense.studies.default_model FOLDER -o FILE`; stopped and started again, it goes on
where it was. docs/prediction.md says what the model is for.
"""

import argparse
import sys
from pathlib import Path
from typing import Final

import polars as pl

from levelsense import defaults
from levelsense.people.simulated.traits import draw_population
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.table import parse_counted
from levelsense.studies.run import StudyRun
from levelsense.studies.saga_prediction import Study

# Mixes of both kinds at all levels, whose average is the average population.
AVERAGED: Final = (("everyone", 0, 500), ("veterans", 2, 500), ("newcomers", 3, 500), ("planners", 4, 200))
# Every type by itself at every fifth level: as far as simulated players differ.
ALONE: Final = (
    "expert",
    "casual",
    "strategist",
    "drifter",
    "sparkler",
    "hoarder",
    "spender",
    "steady",
)
ALONE_PLAYERS: Final = 120
ALONE_SEED: Final = 11
ALONE_STEP: Final = 5


def fit_default(study: Study, agents: dict[str, int]) -> DifficultyModel:
    """The model of all populations, simulated where they are not stored yet."""
    levels = study.levels()
    populations: dict[str, pl.DataFrame] = {}
    for mix, seed, players in AVERAGED:
        population = draw_population(players, seed, mix)
        populations[f"{mix}, seed {seed}"] = study.rates(levels, population)
    for number, name in enumerate(ALONE):
        population = draw_population(ALONE_PLAYERS, ALONE_SEED + number, f"{name}=1")
        populations[f"{name} alone"] = study.rates(levels[::ALONE_STEP], population)
    table = study.table(levels, agents, "agents of the default model")
    return DifficultyModel(tuple(agents)).fit_populations(table, populations, simulated=True)


def main() -> None:
    """Fits the model and writes its file."""
    parser = argparse.ArgumentParser(prog="python -m levelsense.studies.default_model", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of the 800/200 study")
    parser.add_argument("-o", "--output", type=Path, default=Path("default_model.json"), help="the file")
    parser.add_argument("--levels", type=int, default=1000, help="how many (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the saga (default: 1)")
    parser.add_argument("--agent", action="append", help="an agent's spec; can be repeated")
    parser.add_argument("--attempts", type=int, default=defaults.MODEL_ATTEMPTS, help="of each agent")
    arguments = parser.parse_args()
    agents = parse_counted(arguments.agent or defaults.MODEL_AGENTS, arguments.attempts)
    run = StudyRun(arguments.folder, seed=arguments.seed)
    model = fit_default(Study(run, arguments.levels), agents)
    model.save(arguments.output)
    sys.stdout.write(f"{arguments.output}: {model.populations_}\n")


if __name__ == "__main__":
    main()
