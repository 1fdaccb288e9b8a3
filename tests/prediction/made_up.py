"""Made-up levels, attempts and players for tests of predictions, where the truth is known."""

from functools import cache
from typing import Any

import numpy as np
import polars as pl

from levelsense.level.level import Level
from levelsense.playtest.attempts import ROW_SCHEMA, Attempts
from levelsense.prediction.features import FEATURES, measure
from levelsense.prediction.table import agent_cells, as_table

MOVES = 20
SCORE = 1000


def made_up_level(**keys: Any) -> Level:
    """A small level with a score to reach."""
    data: dict[str, Any] = {
        "name": "made up",
        "moves": MOVES,
        "board": ["r o y g", "o y g b", "y g b r", "g b r o"],
        "goals": {"score": SCORE},
    }
    return Level.model_validate(data | keys)


plain_level = cache(made_up_level)


def made_up_attempts(margins: Any) -> Attempts:
    """Attempts whose margins are these: moves left as a share if positive, goals left if negative."""
    margins = np.clip(np.asarray(margins, float), -1, 1)
    won = margins > 0
    done = np.where(won, SCORE, np.floor(SCORE * (1 + margins))).astype(int)
    columns: dict[str, Any] = {
        "attempt": np.arange(len(margins)),
        "won": won,
        "moves_left": np.where(won, np.round(MOVES * margins), 0).astype(int),
        "goals": [f'{{"score":{number}}}' for number in done],
    }
    empty = {name: pl.Series(name, [None] * len(margins), dtype=kind) for name, kind in ROW_SCHEMA.items()}
    filled = {name: pl.Series(name, values).cast(ROW_SCHEMA[name]) for name, values in columns.items()}
    return Attempts.from_frame(plain_level(), pl.DataFrame(list((empty | filled).values())))


@cache
def made_up_table(
    levels: int = 60,
    seed: int = 0,
    attempts: int = 200,
    sigma: float = 0.3,
    players: int = 500,
    bias: float = 0.0,
) -> pl.DataFrame:
    """A saga of which the truth is known: two agents whose margins go with the level's ease, and players.

    Players' logit is 2 * ease + 0.5 * (jelly goal) + kappa + bias, kappa with standard deviation sigma.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(levels):
        ease, jelly = rng.normal(0, 1), float(rng.random() < 0.4)
        row: dict[str, Any] = {"level": f"made-up-{number:03}", **dict.fromkeys(FEATURES, 0.0), "parts": []}
        row |= {"jelly goal": jelly, "colors": float(rng.integers(4, 7))}
        for agent, shift in (("strong", 0.3), ("weak", -0.5)):
            margins = 0.3 * (0.6 * ease + shift) + 0.3 * rng.normal(size=attempts)
            row |= agent_cells(agent, measure(made_up_attempts(margins)))
        logit = 2 * ease + 0.5 * jelly + sigma * rng.normal() + bias
        row |= {"attempts": players, "successes": int(rng.binomial(players, 1 / (1 + np.exp(-logit))))}
        rows.append(row)
    return as_table(rows)
