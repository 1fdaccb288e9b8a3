"""The ceiling of a policy on simulated players: what those who visited a level would do in its positions.

No policy that does not know the player can tell moves better than the players' own mixture does.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import PlayersError
from levelsense.learning.examples import Examples, encode, last_cells
from levelsense.learning.judge import Judgement
from levelsense.people.positions import Positions
from levelsense.people.simulated.choices import choice_counts
from levelsense.people.simulated.traits import SIMULATED, Population, draw_population

POSITIONS_A_LEVEL: Final = 20
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


def sample_ceiling(positions: Positions, visits: Positions, seed: int) -> list[CeilingSample]:
    """Some of the positions, with what simulated players do there; none if the players are not known.

    Players are drawn among those who visited the level. Positions of other engines have no ceiling.
    """
    populations = {cohort: _population(cohort) for cohort in np.unique(visits.cohort).tolist()}
    if positions.own is not None or len(populations) != 1:
        return []
    population = populations.popitem()[1]
    if population is None:
        return []
    is_first = visits.turn == 0
    players = _player_numbers(visits.player[is_first])
    if players is None:
        return []
    places = np.sort(np.random.default_rng(seed).permutation(len(positions))[:POSITIONS_A_LEVEL])
    some = positions.chosen(places)
    last = last_cells(positions)[places]
    population = _population_of(population.mix, population.seed, int(players.max()) + 1)
    counts, _ = choice_counts(
        positions.level,
        some.states.copy(),
        last,
        population,
        (players, visits.attempt[is_first]),
        DRAWS,
        seed,
    )
    return [CeilingSample(encode(some, 0, np.zeros(len(some), np.int64), last), counts)]


def _player_numbers(names: NDArray[np.str_]) -> NDArray[np.int64] | None:
    """The numbers of simulated players in their population; None if a name is not one of theirs."""
    numbers = [re.fullmatch(r"sim-(\d+)", name) for name in names.tolist()]
    if not all(numbers):
        return None
    return np.array([int(number[1]) for number in numbers if number], np.int64)


def _population(cohort: str) -> Population | None:
    """A population of one player as a cohort names it; None if it names none of simulated players."""
    match = _COHORT.fullmatch(cohort)
    if match is None:
        return None
    try:
        return _population_of(match[1], int(match[2]), 1)
    except PlayersError:
        return None


@lru_cache(maxsize=64)
def _population_of(mix: str, seed: int, players: int) -> Population:
    return draw_population(players, seed, mix)
