"""The ceiling of a policy on simulated players: what their like would do in the same positions.

No policy that does not know the player can tell moves better than the players' own mixture does.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from levelsense.learning.examples import Examples, encode, last_cells
from levelsense.learning.judge import Judgement
from levelsense.people.positions import Positions
from levelsense.people.simulated.choices import choice_counts
from levelsense.people.simulated.run import visit
from levelsense.people.simulated.traits import SIMULATED, Population, draw_population
from levelsense.playtest.levels import NamedLevel

MOST_LEVELS: Final = 50
POSITIONS_A_LEVEL: Final = 40
PLAYERS: Final = 200
OTHER_SEED: Final = 987_654_321  # of players who are hardly those of any file
DRAWS: Final = 600  # choices in each position
_COHORT: Final = re.compile(re.escape(SIMULATED) + r" (.+), seed (\d+)")


@dataclass(frozen=True)
class CeilingSample:
    """Positions with the counts of what simulated players did there in DRAWS choices."""

    examples: Examples
    counts: NDArray[np.int64]  # of the legal moves, one after the other

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Several samples as one."""
        return cls(
            Examples.joined([part.examples for part in parts]),
            np.concatenate([part.counts for part in parts]),
        )

    @property
    def judgement(self) -> Judgement:
        """How well the players' own mixture tells the moves made.

        The logarithm of an estimated probability p of n draws is too low by (1 - p) / (2 n p) on average,
        which is taken off the loss again.
        """
        examples = self.examples
        of = np.repeat(np.arange(len(examples)), examples.moves)
        draws = np.bincount(of, self.counts, len(examples))
        made = self.counts[examples.first[:-1] + examples.made]
        share = (made + 0.5) / (draws + 0.5 * examples.moves)
        loss = -np.log(share) - (1.0 - share) / (2.0 * draws * share)
        better = np.bincount(of, self.counts > made[of], len(examples))
        return Judgement(float((better < 1).mean()), float((better < 3).mean()), float(loss.mean()))


def sample_ceiling(positions: Positions, seed: int) -> list[CeilingSample]:
    """Some of the positions, with what simulated players do there; none if the players are not known.

    They are other players of the same mix, as often as they try the level: those who made the moves are a
    sample, and no policy could know which. Positions of other engines have no ceiling.
    """
    mixes = {_mix(cohort) for cohort in np.unique(positions.cohort).tolist()}
    mix = mixes.pop() if len(mixes) == 1 else None
    if mix is None or positions.own is not None:
        return []
    population = _population(mix)
    visited = visit(population, NamedLevel(positions.level, (positions.name,)))
    places = np.sort(np.random.default_rng(seed).permutation(len(positions))[:POSITIONS_A_LEVEL])
    some, last = positions.chosen(places), last_cells(positions)[places]
    visitors = visited.player, visited.attempt
    counts, _ = choice_counts(positions.level, some.states, last, population, visitors, DRAWS, seed)
    return [CeilingSample(encode(some, 0, np.zeros(len(some), np.int64), last), counts)]


def _mix(cohort: str) -> str | None:
    """The mix of players that a cohort names; None if they are not simulated."""
    match = _COHORT.fullmatch(cohort)
    return None if match is None else match[1]


@lru_cache(maxsize=64)
def _population(mix: str) -> Population:
    return draw_population(PLAYERS, OTHER_SEED, mix)
