"""Where policies differ from simulated players: the loss beyond the players' own ceiling, by position.

    levelsense players simulate saga/saga-07{51..99}.json --players 25 --seed 700 --telemetry moves.parquet
    python benchmarks/policy_gap.py moves.parquet --levels saga --policy moves.json rivals.json

A row for each group of positions: how many there are, and of each policy the mean loss beyond the ceiling in
nats, with the group's part of all of it. Groups overlap. Players are simulated, not people.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.policy import inputs as names
from levelsense.agents.policy.network import ENCODINGS, KIND
from levelsense.agents.weights import read_weights
from levelsense.learning.ceiling import CeilingSample
from levelsense.learning.corpus import Split, read_corpus
from levelsense.learning.examples import Examples
from levelsense.learning.judge import judge_random
from levelsense.learning.judged import weights_logs
from levelsense.people.telemetry import read_telemetry
from levelsense.playtest.levels import gather_levels

COMBINATIONS = slice(names.BOMB_CANDY, names.WRAPPED_WRAPPED + 1)
MAKES_SPECIALS = slice(names.MAKES_STRIPED, names.MAKES_BOMB + 1)
ASKS_JELLY, ASKS_INGREDIENTS, ASKS_COLORS, SCORE_ALONE = 6, 7, 8, 9


def excess(sample: CeilingSample, logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The loss of a policy at each position beyond that of the players' own mixture, in nats.

    Shares of n draws over k moves look surer than they are by (k - 1) / (2 n) on average, which is taken off.
    """
    moves = sample.examples.moves
    of = np.repeat(np.arange(len(moves)), moves)
    draws = np.bincount(of, sample.counts)
    share = sample.counts / draws[of]
    apart = np.where(share > 0, share * (np.log(np.maximum(share, 1e-12)) - logs), 0.0)
    drawn = np.bincount(of, sample.counts > 0)
    loss: NDArray[np.float64] = np.bincount(of, apart) - (drawn - 1) / (2 * draws)
    return loss


def groups_of(examples: Examples) -> dict[str, NDArray[np.bool_]]:
    """Which positions belong to each group."""
    moves, position = examples.moves, examples.position
    most = np.maximum.reduceat(examples.inputs, examples.first[:-1])
    return {
        "all": np.ones(len(moves), bool),
        "1 to 4 legal moves": moves <= 4,
        "5 to 8": (moves > 4) & (moves <= 8),
        "9 to 14": (moves > 8) & (moves <= 14),
        "15 or more": moves > 14,
        "first move of an attempt": most[:, names.HAS_LAST] == 0,
        "a special can be made": most[:, MAKES_SPECIALS].any(1),
        "two specials can be combined": most[:, COMBINATIONS].any(1),
        "a countdown bomb can be struck": most[:, names.URGENCY] > 0,
        "goals ask for jelly": position[:, ASKS_JELLY] > 0,
        "for ingredients": position[:, ASKS_INGREDIENTS] > 0,
        "for colors": position[:, ASKS_COLORS] > 0,
        "for score alone": position[:, SCORE_ALONE] > 0,
    }


def main() -> None:
    """Prints the table in Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("moves", nargs="+", type=Path, help="telemetry of simulated players")
    parser.add_argument("--levels", nargs="+", required=True, help="the levels played")
    parser.add_argument(
        "--policy", nargs="+", required=True, help="files of weights, or names of shipped ones"
    )
    asked = parser.parse_args()
    telemetry = [read_telemetry(file) for file in asked.moves]
    corpus = read_corpus(telemetry, gather_levels(asked.levels), split=lambda number: Split(0, 0, number))
    sample = corpus.ceiling
    if sample is None:
        parser.error("the players are not simulated; expected some whose ceiling can be known")
    weights = [read_weights(policy, KIND, *ENCODINGS) for policy in asked.policy]
    losses = [excess(sample, weights_logs(each, sample.examples)) for each in weights]
    random, ceiling = judge_random(sample.examples).loss, sample.judgement.loss
    assert random is not None
    assert ceiling is not None
    print("| | positions |", " | ".join(f"`{policy}` | part" for policy in asked.policy), "|")
    print("| --- | ---: |", " | ".join("---: | ---:" for _ in losses), "|")
    for name, members in groups_of(sample.examples).items():
        if not members.any():
            continue
        cells = (f"{loss[members].mean():.4f} | {loss[members].sum() / loss.sum():.0%}" for loss in losses)
        print(f"| {name} | {members.sum():,} |", " | ".join(cells), "|")
    shares = (f"{1 - loss.mean() / (random - ceiling):.1%}" for loss in losses)
    print(f"\nshare of the gap of {random - ceiling:.4f} nats: {', '.join(shares)}")


if __name__ == "__main__":
    main()
