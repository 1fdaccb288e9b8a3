"""An evaluation to test pages with: made-up levels, agents and players, and a model really fitted to them."""

from functools import cache

import polars as pl

from levelsense.prediction.evaluation import Evaluation, evaluate
from tests.prediction.made_up import made_up_table

AGENTS = ("strong", "weak")
LEVELS, FIRST = 75, 45
PLAYERS = "made up, <b>seed 3</b>"
SEED = 0
# Judged levels whose players win what they would have lost, and lose the rest, so that they are outside their
# bands: one above, one below. With this seed no others are outside.
TURNED = ("made-up-047", "made-up-062")


@cache
def evaluation(simulated: bool = True) -> Evaluation:
    """A model fitted to the first levels and judged on the rest, of which two are turned."""
    table = made_up_table(LEVELS, seed=SEED)
    turned = pl.when(pl.col("level").is_in(TURNED)).then(pl.col("attempts") - pl.col("successes"))
    return evaluate(table.with_columns(successes=turned.otherwise("successes")), FIRST, PLAYERS, simulated)
