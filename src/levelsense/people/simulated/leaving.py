"""The survivor effect: who gives up at a level may leave the game, so that later levels are played by others.

Whoever fails much gives up often and is soon gone: those who are left win more, and a level far along looks
easier than it is to the players who began.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import PlayersError
from levelsense.people.simulated.run import Visit
from levelsense.people.simulated.traits import Population
from levelsense.rng import Draws


def check_leave(leave: float) -> None:
    """PlayersError unless it is a probability."""
    if not 0 <= leave <= 1:  # not a number is none either
        raise PlayersError(f"leave: {leave:g}; expected a number from 0 to 1")


@dataclass
class Presence:
    """Who is still in the game while a population plays levels in order.

    Whoever gives up at a level, having lost every attempt there, leaves with the probability `leave` times
    the share of all levels so far that this player gave up at, and plays none of the later ones. So it is who
    fails much that leaves. The draw depends on seed, player and level alone: with a higher `leave` nobody
    stays longer.
    """

    population: Population
    leave: float
    is_present: NDArray[np.bool_] = field(init=False)
    played: NDArray[np.int64] = field(init=False)  # levels, by player
    given_up: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        check_leave(self.leave)
        self.is_present = np.ones(len(self.population), bool)
        self.played = np.zeros(len(self.population), np.int64)
        self.given_up = np.zeros(len(self.population), np.int64)

    @property
    def present(self) -> NDArray[np.int64]:
        """The numbers of the players who are still in the game."""
        return np.flatnonzero(self.is_present)

    def pass_level(self, visited: Visit) -> Visit:
        """The attempts of those who are present at the next level; then some of them leave.

        The visit may hold attempts of players who have left: they are taken out.
        """
        played = self.is_present[visited.player]
        kept = replace(
            visited,
            player=visited.player[played],
            attempt=visited.attempt[played],
            game_seed=visited.game_seed[played],
            rows=visited.rows[played],
            moves=visited.moves[played],
        )
        gave_up = np.setdiff1d(kept.player, kept.player[kept.won])
        self.played[self.is_present] += 1
        self.given_up[gave_up] += 1
        for player in gave_up:
            draw = Draws("leave", self.population.seed, int(player), visited.named.level.digest).random()
            if draw < self.leave * self.given_up[player] / self.played[player]:
                self.is_present[player] = False
        return kept
