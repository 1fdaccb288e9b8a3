"""How strong the halving agent is beside mcts, on the ten bundled levels that are hardest for the heuristic.

`python benchmarks/strong_agents.py` prints a table in Markdown: success rates, and the processor time of a
move, which is to be about the same. Attempts start from the same seeds for every agent. 100 attempts take
some half an hour of a processor; `--attempts` makes them fewer or more.
"""

import argparse
import sys
import time
from typing import NamedTuple

import numpy as np

from levelsense.agents.registry import parse_agent
from levelsense.game.state import WON
from levelsense.level.level import Level, bundled_levels
from levelsense.playtest.interval import wilson

SEED = 20_261_117
HARDEST = 10
SCREENING_ATTEMPTS = 400
AGENTS = ("heuristic", "mcts:simulations=400,playout=heuristic", "halving")


class Played(NamedTuple):
    """What an agent's attempts at a level came to."""

    won: int
    moves: int
    seconds: float


def play(spec: str, level: str, attempts: int) -> Played:
    """Plays attempts at a bundled level, and takes the processor time of that."""
    agent, loaded = parse_agent(spec), Level.load(level)
    seeds = np.random.default_rng(SEED).integers(0, 2**63, (attempts, 2), dtype=np.uint64)
    agent.attempts(loaded.model_copy(update={"moves": 1}) if loaded.moves else loaded, seeds[:1])  # compiles
    start = time.process_time()
    rows = agent.attempts(loaded, seeds)
    seconds = time.process_time() - start
    return Played(int((rows["status"] == WON).sum()), int(rows["moves_made"].sum()), seconds)


def hardest_levels() -> list[str]:
    """The bundled levels that the heuristic agent wins least often, the hardest first."""
    won = {level: play("heuristic", level, SCREENING_ATTEMPTS).won for level in bundled_levels()}
    return sorted(won, key=lambda level: (won[level], level))[:HARDEST]


def main() -> None:
    """Prints the table, level by level."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--attempts", type=int, default=100, help="attempts of each agent at each level")
    attempts = parser.parse_args().attempts
    print("| level | " + " | ".join(f"`{spec}`" for spec in AGENTS) + " |")
    print("| --- |" + " ---: |" * len(AGENTS))
    played: dict[str, list[Played]] = {spec: [] for spec in AGENTS}
    for level in hardest_levels():
        for spec in AGENTS:
            played[spec].append(play(spec, level, attempts))
        rates = [f"{played[spec][-1].won / attempts:.1%}".replace("%", " %") for spec in AGENTS]
        print(f"| {level} | " + " | ".join(rates) + " |")
        sys.stdout.flush()
    total = attempts * HARDEST
    means, intervals, times = [], [], []
    for spec in AGENTS:
        won = sum(one.won for one in played[spec])
        low, high = wilson(won, total)
        means.append(f"**{100 * won / total:.1f} %**")
        intervals.append(f"{100 * low:.1f} to {100 * high:.1f} %")
        moves = sum(one.moves for one in played[spec])
        times.append(f"{1000 * sum(one.seconds for one in played[spec]) / moves:.3g} ms")
    print(f"| **mean of {HARDEST} levels** | " + " | ".join(means) + " |")
    print("| 95 % interval | " + " | ".join(intervals) + " |")
    print("| time for a move | " + " | ".join(times) + " |")


if __name__ == "__main__":
    main()
