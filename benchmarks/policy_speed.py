"""How fast policies play, the game included, in turns: moves a second of processor time on one thread.

    python benchmarks/policy_speed.py simulated-2 rivals.json

at the 9x9 level of `levelsense bench`, the best of several rounds of 300 attempts each.
"""

import sys
import time

import numpy as np

from levelsense.agents.registry import Agent, parse_agent
from levelsense.bench import POLICY_LEVEL
from levelsense.level.level import Level

ROUNDS, ATTEMPTS = 5, 300


def moves_per_second(agent: Agent, level: Level, attempts: int) -> float:
    """The moves made in a second of processor time."""
    seeds = np.arange(2 * attempts, dtype=np.uint64).reshape(attempts, 2)
    start = time.process_time()
    moves = int(agent.attempts(level, seeds)["moves_made"].sum())
    return moves / (time.process_time() - start)


def main() -> None:
    """Prints a line for each policy."""
    level = Level.load(POLICY_LEVEL)
    agents = {source: parse_agent(f"policy:model={source}") for source in sys.argv[1:]}
    for agent in agents.values():
        moves_per_second(agent, level, 1)
    best = dict.fromkeys(agents, 0.0)
    for _ in range(ROUNDS):
        for source, agent in agents.items():
            best[source] = max(best[source], moves_per_second(agent, level, ATTEMPTS))
    for source, speed in best.items():
        print(f"{source}: {speed:,.0f} moves/s")


if __name__ == "__main__":
    main()
