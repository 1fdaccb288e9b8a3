"""Positions of simulated players, for tests of what learns from them."""

from functools import lru_cache

import numpy as np

from levelsense.level.level import Level
from levelsense.people.positions import Positions
from levelsense.people.replay import replay
from levelsense.people.simulated.run import NO_MOVE, visit
from levelsense.people.simulated.traits import draw_population
from levelsense.playtest.levels import gather_levels


@lru_cache(maxsize=16)
def positions_of(name: str, players: int = 6, seed: int = 1) -> Positions:
    """All positions that some simulated players meet at a bundled level."""
    (named,) = gather_levels([name])
    population = draw_population(players, seed, "everyone")
    seen = visit(population, named)
    made = seen.moves != NO_MOVE
    counts = made.sum(1)
    codes = seen.moves[made]
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    player = np.repeat(seen.player, counts)
    return Positions(
        Level.load(name),
        name,
        replay(named.level, seen.game_seed, codes, offsets),
        codes,
        player.astype(np.str_),
        np.array(population.types)[player],
        np.full(len(codes), seen.cohort),
        np.repeat(seen.attempt, counts),
        np.arange(len(codes)) - np.repeat(offsets[:-1], counts),
    )
