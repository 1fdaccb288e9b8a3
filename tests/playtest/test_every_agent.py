"""Every family of agents: an attempt does not depend on those that the same batch played before it."""

import pytest

from levelsense.agents.registry import families
from levelsense.playtest import playtest
from tests.agents.networks import with_model

ATTEMPTS = 6
# Small and short, so that agents that search are done in no time; with something to do for each.
LEVEL = "17-pocket-board"
# The families, and the agent that remembers most from one move to the next.
SPECS = [
    *(family.name for family in families()),
    "mcts:signal=score,playout=to-mast,keep_tree=true",
]


@pytest.mark.parametrize("spec", SPECS)
def test_batches_and_threads_change_nothing(spec: str) -> None:
    agent = with_model(spec)
    together = playtest([LEVEL], [agent], attempts=ATTEMPTS, threads=1, batch=ATTEMPTS).attempts
    alone = playtest([LEVEL], [agent], attempts=ATTEMPTS, threads=2, batch=1).attempts
    assert alone.equals(together)
