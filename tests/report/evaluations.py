"""Evaluations to test with: random levels, agents and players, and a model that is really fitted to them."""

from functools import cache

import numpy as np
import polars as pl

from levelsense.prediction.evaluation import Evaluation, evaluate
from levelsense.prediction.features import FEATURES
from levelsense.prediction.measures import GROUPS, MEASURES
from levelsense.prediction.table import REPLICATES, agent_column

AGENTS = ("random", "heuristic")
LEVELS, FIRST = 60, 35
AGENT_ATTEMPTS, PLAYER_ATTEMPTS = 200, 500
PLAYERS = "made up, <b>seed 1</b>"


def random_table(levels: int = LEVELS, seed: int = 1) -> pl.DataFrame:
    """Levels of random difficulty: agents find them about as hard as players do."""
    generator = np.random.default_rng(seed)
    logit = generator.normal(0, 1.5, levels)
    columns: dict[str, object] = {"level": [f"level-{k + 1:03d}" for k in range(levels)]}
    columns |= {name: generator.normal(0, 1, levels) for name in FEATURES}
    for agent, skill in zip(AGENTS, (-1.5, 0.7), strict=True):
        columns |= _agent_columns(agent, logit + skill + generator.normal(0, 0.2, levels), generator)
    own = logit + generator.normal(0, 0.5, levels)
    successes = generator.binomial(PLAYER_ATTEMPTS, 1 / (1 + np.exp(-own)))
    return pl.DataFrame(columns).with_columns(
        attempts=pl.lit(PLAYER_ATTEMPTS, pl.Int64), successes=pl.Series(successes)
    )


def _agent_columns(agent: str, logit: np.ndarray, generator: np.random.Generator) -> dict[str, object]:
    wins = generator.binomial(AGENT_ATTEMPTS, 1 / (1 + np.exp(-logit)))
    rate = np.log((wins + 0.5) / (AGENT_ATTEMPTS - wins + 0.5))
    measures = {name: rate if name == "rate" else generator.normal(0, 1, len(logit)) for name in MEASURES}
    values = np.column_stack(list(measures.values()))
    replicates = values[:, None, :] + generator.normal(0, 0.01, (len(logit), GROUPS, len(MEASURES)))
    parts = {"wins": wins, "attempts": np.full(len(logit), AGENT_ATTEMPTS), **measures}
    return {agent_column(agent, name): part for name, part in parts.items()} | {
        agent_column(agent, "replicates"): pl.Series(replicates.tolist(), dtype=REPLICATES)
    }


@cache
def evaluation(simulated: bool = True) -> Evaluation:
    """A model fitted to the first levels and judged on the rest."""
    return evaluate(random_table(), FIRST, PLAYERS, simulated)
