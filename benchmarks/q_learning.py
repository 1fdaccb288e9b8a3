"""The agents of Lee et al. on the game of their paper, and how the learned ones came to play as they do.

`python benchmarks/q_learning.py` prints the table of mean scores of docs/agents.md (some six minutes of a
processor), with `--curve` that of the scores by games of training (some six), and with `--seeds 0 1 2` how
the network's training goes from other seeds (half a minute each).
Attempts start from the same seeds for every agent.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from levelsense.agents.qlearning.features import ENCODING, FEATURES, UTILITY
from levelsense.agents.qlearning.games import Training, paper_board
from levelsense.agents.qlearning.training import Trainer
from levelsense.agents.registry import parse_agent
from levelsense.agents.weights import Weights, write_weights

SEED = 20_261_117
AGENTS = {
    "first": 1000,
    "random": 1000,
    "greedy": 1000,
    "sampling:per=turn": 100,
    "sampling:epsilon=1": 100,
    "q-linear": 200,
    "q-network": 200,
}
KINDS = ("q-linear", "q-network")
CURVE_GAMES = (0, 1, 5, 20, 100, 400)
CURVE_ATTEMPTS = 60
SEEDS_GAMES = (0, 20, 60)
SEEDS_ATTEMPTS = 30


def play(spec: str, attempts: int) -> tuple[Any, float]:
    """The scores of an agent's attempts, and the processor time of a turn in milliseconds."""
    agent, level = parse_agent(spec), paper_board()
    seeds = np.random.default_rng(SEED).integers(0, 2**63, (attempts, 2), dtype=np.uint64)
    agent.attempts(level.model_copy(update={"moves": 1}), seeds[:1])  # compiles
    start = time.process_time()
    rows = agent.attempts(level, seeds)
    return rows["score"], 1000 * (time.process_time() - start) / rows["moves_made"].sum()


def interval(scores: Any) -> str:
    """Half the width of the 95 % interval of a mean."""
    return f"{1.96 * scores.std(ddof=1) / len(scores) ** 0.5:,.0f}"


def play_weights(weights: Weights, attempts: int) -> tuple[Any, float]:
    """The same for an agent with these weights."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weights.json"
        write_weights(path, weights)
        return play(f"{weights.kind}:model={path}", attempts)


def print_scores() -> None:
    """Prints a line an agent: mean score with its 95 % interval, and the time of a turn."""
    print("| agent | attempts | mean score | ms for a turn |\n| --- | ---: | ---: | ---: |")
    alone = np.zeros(FEATURES, np.float32)
    alone[UTILITY] = 1
    utility_alone = Weights("q-linear", ENCODING, {"weights": alone})
    for spec, attempts in AGENTS.items():
        print_line(f"`{spec}`", attempts, *play(spec, attempts))
    print_line("feature 5 alone", 200, *play_weights(utility_alone, 200))


def print_line(name: str, attempts: int, scores: Any, milliseconds: float) -> None:
    """Prints a line of the table."""
    print(f"| {name} | {attempts:,} | {scores.mean():,.0f} ± {interval(scores)} | {milliseconds:.2g} |")
    sys.stdout.flush()


def print_curve() -> None:
    """Prints, by games of training, the mean score that the weights then play to."""
    print("| games of training | " + " | ".join(f"`{kind}`" for kind in KINDS) + " |")
    print("| ---: |" + " ---: |" * len(KINDS))
    trainers = [Trainer(Training(kind, paper_board(), CURVE_GAMES[-1])) for kind in KINDS]
    for games in CURVE_GAMES:
        cells = []
        for trainer in trainers:
            while trainer.done < games:
                trainer.advance()
            scores, _ = play_weights(trainer.weights(), CURVE_ATTEMPTS)
            cells.append(f"{scores.mean():,.0f} ± {interval(scores)}")
        print(f"| {games:,} | " + " | ".join(cells) + " |")
        sys.stdout.flush()


def print_seeds(seeds: list[int]) -> None:
    """Prints, by seed of the training, what the network scores before, during and after its first games."""
    print("| seed | " + " | ".join(f"{games} games" for games in SEEDS_GAMES) + " |")
    print("| ---: |" + " ---: |" * len(SEEDS_GAMES))
    for seed in seeds:
        trainer = Trainer(Training("q-network", paper_board(), SEEDS_GAMES[-1], seed))
        cells = []
        for games in SEEDS_GAMES:
            while trainer.done < games:
                trainer.advance()
            scores, _ = play_weights(trainer.weights(), SEEDS_ATTEMPTS)
            cells.append(f"{scores.mean():,.0f} ± {interval(scores)}")
        print(f"| {seed} | " + " | ".join(cells) + " |")
        sys.stdout.flush()


def main() -> None:
    """Prints one of the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--curve", action="store_true", help="scores by games of training")
    parser.add_argument("--seeds", type=int, nargs="+", help="the network's scores by seed of its training")
    asked = parser.parse_args()
    if asked.seeds:
        print_seeds(asked.seeds)
    elif asked.curve:
        print_curve()
    else:
        print_scores()


if __name__ == "__main__":
    main()
