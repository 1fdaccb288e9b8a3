"""What `settle` saves a tree search: the share of its simulations that are not needed, by the final move.

Positions are those of attempts played at random, every third move. `python benchmarks/mcts_settle.py` prints
the table of docs/agents.md.
"""

from collections.abc import Iterator

import numpy as np

from levelsense.agents.mcts.search import search_tree
from levelsense.agents.mcts.tree import ROOT
from levelsense.agents.registry import parse_agent
from levelsense.game.game import Game
from levelsense.level.level import Level

LEVELS = ("17-pocket-board", "04-jelly-garden", "thesis-013")
SEEDS = (1, 2, 3)
EVERY = 3
FINALS = ("max", "robust", "robust-max")
SPECS = ("mcts:simulations=400,c=0.05", "mcts:simulations=100", "mcts:simulations=60,signal=binary")


def positions() -> Iterator[Game]:
    """Games, each standing at the next position to look at."""
    for level in LEVELS:
        for seed in SEEDS:
            game, rng = Game(Level.load(level), seed), np.random.default_rng(seed)
            for turn in range(1000):
                if game.status != "playing":
                    break
                if turn % EVERY == 0:
                    yield game
                game.play(game.legal_moves[int(rng.integers(len(game.legal_moves)))])


def saved(spec: str) -> tuple[float, int]:
    """The share of simulations that a search was spared, over all positions, and how many those are."""
    agent, spent, count = parse_agent(spec), 0, 0
    for count, game in enumerate(positions(), start=1):  # noqa: B007
        tree = search_tree(game, agent.options, agent.codes, seed=5)
        spent += int(tree.node_visits[tree.number[ROOT]])
    return 1 - spent / (count * int(agent.options["simulations"])), count


def main() -> None:
    """Prints the table."""
    print("| | " + " | ".join(f"`{final}`" for final in FINALS) + " |\n| --- | ---: | ---: | ---: |")
    for spec in SPECS:
        shares = [saved(f"{spec},settle=true,final={final}") for final in FINALS]
        print(f"| `{spec}` | " + " | ".join(f"{share:.0%}" for share, _ in shares) + " |")
    print(f"\n{shares[0][1]} positions")


if __name__ == "__main__":
    main()
