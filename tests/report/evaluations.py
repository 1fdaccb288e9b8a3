"""An evaluation to test pages with: made-up levels, agents and players, and a model really fitted to them."""

from functools import cache

from levelsense.prediction.evaluation import Evaluation, evaluate
from tests.prediction.made_up import made_up_table

AGENTS = ("strong", "weak")
LEVELS, FIRST = 75, 45
PLAYERS = "made up, <b>seed 3</b>"
SEED = 3  # two judged levels are outside their bands with this one, so that pages have both to show


@cache
def evaluation(simulated: bool = True) -> Evaluation:
    """A model fitted to the first levels and judged on the rest."""
    return evaluate(made_up_table(LEVELS, seed=SEED), FIRST, PLAYERS, simulated)
