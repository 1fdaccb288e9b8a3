"""How much of the king study is done, in a full run and in a quick one, and which levels slow agents play."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from levelsense.agents.convolution.planes import fits_planes
from levelsense.playtest.levels import NamedLevel
from levelsense.studies.run import StudyRun
from levelsense.studies.saga_prediction import Study

NAME: Final = "king"
KEPT: Final = "told"  # the key of figures in the folders of earlier runs, which new ones go on from
MIX: Final = "both"  # of simulated players: those who glance and those who plan
JUDGED_SEED, MOVES_SEED, OTHER_SEED = 1000, 2000, 3000  # added to the run's: three different populations
OLD_LEVELS: Final = 200  # a network that was trained before the later elements came knows so many levels


@dataclass(frozen=True)
class Extent:
    """How much is done.

    levels, first      of the saga, and how many of them come before those that are predicted
    slow_fit, slow_judge  levels that tree search and networks play: to fit to, and to predict
    players            simulated, whose success rates are predicted
    search             attempts a level of tree search
    network            attempts a level of the network that plays the likeliest move
    few, some, many    attempts a level of policies; few of weak search and of the network that draws, too
    search_moves       positions of tree search's attempts that the networks of table I are trained on
    player_moves       positions of players' attempts that the other networks are trained on
    legal_moves        positions of random attempts that networks learn legal swaps by, before all else
    legal_epochs       times that they go through these positions
    search_epochs      times that they go through tree search's, to learn which moves it makes
    player_epochs      times that they go through players'
    policy_epochs      times that our policies do
    judged_moves       positions of each kind that networks are judged by
    searched_again     positions in which tree search chooses anew
    """

    levels: int
    first: int
    slow_fit: int
    slow_judge: int
    players: int
    search: int
    network: int
    few: int
    some: int
    many: int
    search_moves: int
    player_moves: int
    legal_moves: int
    legal_epochs: int
    search_epochs: int
    player_epochs: int
    policy_epochs: int
    judged_moves: int
    searched_again: int

    @property
    def equal(self) -> int:
        """The attempts a level by which search, network and policy are compared: as many of each."""
        return min(self.search, self.network, self.many)


FULL: Final = Extent(
    levels=1000,
    first=800,
    slow_fit=160,
    slow_judge=40,
    players=300,
    search=100,
    network=1_000,
    few=100,
    some=100,
    many=1_000,
    search_moves=250_000,
    player_moves=200_000,
    legal_moves=500_000,
    legal_epochs=1,
    search_epochs=3,
    player_epochs=3,
    policy_epochs=6,
    judged_moves=3_000,
    searched_again=200,
)
QUICK: Final = Extent(
    levels=60,
    first=42,
    slow_fit=12,
    slow_judge=6,
    players=60,
    search=12,
    network=40,
    few=20,
    some=40,
    many=60,
    search_moves=1_500,
    player_moves=1_500,
    legal_moves=2_000,
    legal_epochs=1,
    search_epochs=1,
    player_epochs=1,
    policy_epochs=2,
    judged_moves=500,
    searched_again=10,
)
EXTENT: Final[dict[bool, Extent]] = {False: FULL, True: QUICK}


@dataclass(frozen=True)
class Saga:
    """The levels of a run: all, and those that slow agents play."""

    run: StudyRun
    extent: Extent
    levels: tuple[NamedLevel, ...]

    @property
    def slow_fit(self) -> list[NamedLevel]:
        """The levels that slow agents play to fit to."""
        return spread_out(self.levels[: self.extent.first], self.extent.slow_fit)

    @property
    def slow_judge(self) -> list[NamedLevel]:
        """The levels that slow agents play to be judged by."""
        return spread_out(self.levels[self.extent.first :], self.extent.slow_judge)

    @property
    def slow(self) -> list[NamedLevel]:
        """All levels that slow agents play, in order."""
        return [*self.slow_fit, *self.slow_judge]

    @property
    def old(self) -> tuple[NamedLevel, ...]:
        """The levels before the later elements of the schedule."""
        return self.levels[: min(OLD_LEVELS, self.extent.first // 2)]


def make_saga(run: StudyRun) -> Saga:
    """The levels of a run, generated where files are missing."""
    extent = EXTENT[run.quick]
    return Saga(run, extent, Study(run, extent.levels).levels())


def spread_out(levels: Sequence[NamedLevel], count: int) -> list[NamedLevel]:
    """So many of the levels that networks over planes can play, evenly spread."""
    playable = [named for named in levels if fits_planes(named.level)]
    places = np.linspace(0, len(playable) - 1, count).round().astype(int)
    return [playable[place] for place in places]
