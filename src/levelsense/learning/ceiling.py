"""The ceiling of a policy on simulated players: what their like would do in the same positions.

No policy that does not know the player can predict moves better than the players' own mixture does.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from levelsense.learning.boards import Boards, encode_boards
from levelsense.learning.examples import Examples, encode, last_cells
from levelsense.learning.judge import Judgement
from levelsense.people.positions import Positions
from levelsense.people.simulated.choices import choice_counts
from levelsense.people.simulated.run import visit
from levelsense.people.simulated.traits import SIMULATED, Population, draw_population
from levelsense.playtest.levels import NamedLevel

MOST_LEVELS: Final = 50
POSITIONS_A_LEVEL: Final = 40
PLAYERS: Final = 400
OTHER_SEED: Final = 987_654_321  # of players who are hardly those of any file
DRAWS: Final = 600  # choices in each position
_COHORT: Final = re.compile(re.escape(SIMULATED) + r" (.+), seed (\d+)")


@dataclass(frozen=True)
class CeilingSample:
    """Positions with the counts of what simulated players did there in DRAWS choices.

    counts  of the legal moves, one after the other
    boards  the positions for networks over planes; None if not asked for
    """

    examples: Examples
    counts: NDArray[np.int64]
    boards: Boards | None = None

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Several samples as one; it has boards if all have."""
        boards = [part.boards for part in parts if part.boards is not None]
        return cls(
            Examples.joined([part.examples for part in parts]),
            np.concatenate([part.counts for part in parts]),
            Boards.joined(boards) if len(boards) == len(parts) else None,
        )

    @property
    def judgement(self) -> Judgement:
        """How well the players' own mixture predicts their moves, in expectation over all that they do.

        The entropy of n draws over k moves is too low by (k - 1) / (2 n) on average (Miller and Madow), which
        is added again.
        """
        share, of = self._shares
        drawn = self.counts > 0
        entropy = np.bincount(of[drawn], -share[drawn] * np.log(share[drawn]), len(self.examples))
        moves, draws = np.bincount(of, drawn), np.bincount(of, self.counts)
        tops = self.judge(share)
        return Judgement(tops.top_1, tops.top_3, float((entropy + (moves - 1) / (2 * draws)).mean()))

    def judge(self, probabilities: NDArray[Any]) -> Judgement:
        """How well a probability for each move predicts what players do, in expectation over all of it."""
        share, of = self._shares
        loss = np.bincount(of, -share * np.log(np.maximum(probabilities, 1e-12)), len(self.examples))
        order = np.lexsort((-probabilities, of))
        rank = np.arange(len(order)) - self.examples.first[of[order]]
        top_1, top_3 = (float(share[order[rank < top]].sum() / len(self.examples)) for top in (1, 3))
        return Judgement(top_1, top_3, float(loss.mean()))

    @property
    def _shares(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The share of each move among those drawn in its position, and the number of its position."""
        of = np.repeat(np.arange(len(self.examples)), self.examples.moves)
        return self.counts / np.bincount(of, self.counts)[of], of


def sample_ceiling(positions: Positions, seed: int, *, planes: bool = False) -> list[CeilingSample]:
    """Some of the positions, with what simulated players do there; none if the players are not known.

    They are other players of the same mix, as often as they try the level: those who made the moves are a
    sample, and no policy could know which. Positions of other engines have no ceiling. With `planes` the
    sample has boards, too.
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
    nobody = np.zeros(len(some), np.int64)
    boards = encode_boards(some, 0, nobody) if planes else None
    return [CeilingSample(encode(some, 0, nobody, last), counts, boards)]


def _mix(cohort: str) -> str | None:
    """The mix of players that a cohort names; None if they are not simulated."""
    match = _COHORT.fullmatch(cohort)
    return None if match is None else match[1]


@lru_cache(maxsize=64)
def _population(mix: str) -> Population:
    return draw_population(PLAYERS, OTHER_SEED, mix)
