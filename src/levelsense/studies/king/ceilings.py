"""The most that can be told of moves: how often those who made them would make the same ones again."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from levelsense.agents.registry import Agent
from levelsense.game.game import Game
from levelsense.learning.ceiling import CeilingSample, sample_ceiling
from levelsense.learning.judge import judge_random
from levelsense.people.positions import Positions
from levelsense.studies.king.plan import KEPT
from levelsense.studies.run import StudyRun

CHOICES: Final = 8  # of tree search in each position
MOST_LEVELS: Final = 20  # that the players' ceiling is computed at


def choose_again(run: StudyRun, agent: Agent, parts: Sequence[Positions], most: int) -> dict[str, float]:
    """How often an agent makes its most frequent move of a position in another search there.

    Each of CHOICES choices is told by the most frequent of the others, of equals any.
    """

    def choose(number: int) -> dict[str, Any]:
        positions = parts[number]
        share = -(-most // len(parts))
        places = np.random.default_rng((run.seed, number)).permutation(len(positions))[:share]
        agreements = []
        for place in np.sort(places):
            game = Game.at(positions.level, positions.states[place], 0)
            agreements.append(_agreement([str(agent.choose(game, seed)) for seed in range(1, CHOICES + 1)]))
        return {KEPT: agreements}

    kept = run.collect("search again", [positions.name for positions in parts], choose)
    agreements = np.concatenate([np.array(entry[KEPT]) for entry in kept])
    half = 1.96 * agreements.std(ddof=1) / np.sqrt(len(agreements))
    return {"share": float(agreements.mean()), "half": float(half), "positions": len(agreements)}


def _agreement(choices: Sequence[str]) -> float:
    """The share of choices that the most frequent of the others tells, of equals any."""
    agreeing = 0.0
    for number, choice in enumerate(choices):
        others = [*choices[:number], *choices[number + 1 :]]
        counts = {other: others.count(other) for other in others}
        best = [other for other, count in counts.items() if count == max(counts.values())]
        agreeing += (choice in best) / len(best)
    return agreeing / len(choices)


def players_ceiling(run: StudyRun, parts: Sequence[Positions]) -> dict[str, float]:
    """How well the players' own mixture tells what they do at some of the levels, and any legal move."""

    def sample(number: int) -> dict[str, Any]:
        chosen = np.unique(np.linspace(0, len(parts) - 1, MOST_LEVELS).round().astype(int))
        samples = [sample for k in chosen for sample in sample_ceiling(parts[k], run.seed)]
        joined = CeilingSample.joined(samples)
        players, anything = joined.judgement, judge_random(joined.examples)
        return {
            "accuracy": players.top_1,
            "loss": players.loss,
            "random accuracy": anything.top_1,
            "random loss": anything.loss,
            "positions": len(joined.examples),
        }

    (kept,) = run.collect("ceiling", ["players"], sample)
    return kept
