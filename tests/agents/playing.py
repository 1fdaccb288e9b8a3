"""What the tests of agents share: seeds, positions on the way through a level, and results compared."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from levelsense.agents.registry import Agent
from levelsense.game.game import Game
from levelsense.game.state import WON
from levelsense.level.level import Level
from levelsense.rng import below, new_rng


def seeds(attempts: int, start: int = 0) -> Any:
    """Pairs of seeds for so many attempts: the game's and the agent's."""
    return np.random.default_rng(start).integers(0, 2**63, size=(attempts, 2), dtype=np.uint64)


def success_rate(agent: Agent, level: str, attempts: int) -> float:
    """The share of attempts at a bundled level that an agent wins."""
    return float((agent.attempts(Level.load(level), seeds(attempts))["status"] == WON).mean())


def positions(level: str, seed: int, every: int = 1) -> Iterator[Game]:
    """Positions that random play of a bundled level meets, as games of their own."""
    game, choice = Game(Level.load(level), seed), new_rng(seed + 1)
    while game.status == "playing":
        if game.moves_made % every == 0:
            yield game.copy()
        moves = game.legal_moves
        game.play(moves[below(choice, len(moves))])


def same_rows(some: Any, others: Any) -> bool:
    """Whether attempts went alike in everything. (The bytes between fields mean nothing.)"""
    return all(np.array_equal(some[field], others[field]) for field in some.dtype.names)
