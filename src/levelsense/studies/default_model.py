"""Makes the model that comes with levelsense: fitted to many populations of simulated players.

`levelsense study default-model` simulates them and fits; in the folder of `levelsense study saga-prediction`
it goes on from what is there. docs/prediction.md says what the model is for.
"""

from typing import Final

import polars as pl

from levelsense import defaults
from levelsense.people.simulated.traits import draw_population
from levelsense.prediction.model import DEFAULT_FILE, DifficultyModel
from levelsense.prediction.table import parse_counted
from levelsense.studies.page import StudyPage
from levelsense.studies.run import StudyRun
from levelsense.studies.saga_prediction import EXTENT, Study

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


def study(run: StudyRun) -> StudyPage:
    """Fits the model, writes its file into the folder, and gives a page about it."""
    count, _, attempts = EXTENT[run.quick]
    # Levels and the first populations are those of the 800/200 study, whose folder may be given.
    run.claim("saga-prediction", levels=count, attempts=attempts)
    model = fit_default(Study(run, count), parse_counted(defaults.MODEL_AGENTS, attempts))
    path = run.folder / DEFAULT_FILE
    model.save(path)
    populations = model.populations_
    assert populations is not None
    page = StudyPage("default-model", "A model of many populations of simulated players")
    page.text(
        f"`{path.name}` is fitted to {model.origin_.levels:,} levels and {len(populations.names)}",
        "populations of simulated players, not to people. They differ from the average one by a shift of all",
        f"logits with a standard deviation of {populations.shift:.3f}, and by a slope with one of",
        f"{populations.slope:.3f}; beyond that a population's levels have a sigma around",
        f"{populations.sigma:.3f} logits.",
    )
    page.items(*populations.names)
    return page
