"""The survivor effect: players who fail much leave the game, so that later levels have better players."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.people.simulated.run import Play, Visit, visits
from levelsense.people.simulated.traits import Population
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.runner import default_threads
from levelsense.rng import Draws

_DIGEST_BYTES: Final = 8


def levels_before(levels: Sequence[NamedLevel]) -> dict[str, str]:
    """A digest of the levels before each one, by the level's name.

    Who plays a level depends on those before: results after other levels are other results.
    """
    before = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    digests = {}
    for named in levels:
        digests[named.name] = before.hexdigest()
        before.update(named.level.digest.encode() + b"\0")
    return digests


@dataclass
class Presence:
    """Which players are still in the game while a population plays levels in order.

    Whoever gives up at a level, having lost every attempt there, leaves with the probability
    `population.leave` times the share of all levels so far that this player gave up at, and plays none of the
    later ones. The draw depends on seed, player and level alone: with a higher `leave` nobody stays longer.
    The last player stays.
    """

    population: Population
    levels: Sequence[NamedLevel]
    is_present: NDArray[np.bool_] = field(init=False)
    played: NDArray[np.int64] = field(init=False)  # levels, by player
    given_up: NDArray[np.int64] = field(init=False)
    before: dict[str, str] = field(init=False)  # digests of the levels before each, by name

    def __post_init__(self) -> None:
        self.is_present = np.ones(len(self.population), bool)
        self.played = np.zeros(len(self.population), np.int64)
        self.given_up = np.zeros(len(self.population), np.int64)
        self.before = levels_before(self.levels)

    @property
    def present(self) -> NDArray[np.int64]:
        """The numbers of the players who are still in the game."""
        return np.flatnonzero(self.is_present)

    def visit(self, visited: Visit) -> Visit:
        """The attempts of those who are present at the next level; then some of them leave.

        `visited` may hold attempts of players who have left: they are taken out.
        """
        played = self.is_present[visited.player]
        kept = replace(
            visited,
            player=visited.player[played],
            attempt=visited.attempt[played],
            game_seed=visited.game_seed[played],
            rows=visited.rows[played],
            moves=visited.moves[played],
            after=self.before[visited.named.name],
        )
        self._pass(visited.named, np.setdiff1d(kept.player, kept.player[kept.won]))
        return kept

    def recall(self, named: NamedLevel, results: pl.DataFrame) -> None:
        """Passes the next level by its stored results, a row a player."""
        gave_up = results.filter(pl.col("successes") == 0)["player"]
        self._pass(named, (int(player.removeprefix("sim-")) for player in gave_up.sort()))

    def _pass(self, named: NamedLevel, gave_up: Iterable[int]) -> None:
        """Ends a level for all who are present; some of those who gave up leave."""
        self.played[self.is_present] += 1
        for player in sorted(map(int, gave_up)):
            self.given_up[player] += 1
            draw = Draws("leave", self.population.seed, player, named.level.digest).random()
            leaves = draw < self.population.leave * self.given_up[player] / self.played[player]
            if leaves and self.is_present.sum() > 1:
                self.is_present[player] = False


def visits_of_present(
    population: Population,
    levels: Sequence[NamedLevel],
    threads: int | None = None,
    play: Play | None = None,
) -> Iterator[Visit]:
    """The visits to each level, in order, of those who are in the game: who has left is not simulated.

    As many levels as there are threads are played at once, by all who are there before the first of them; who
    has left by then is taken out behind.
    """
    presence, at_once = Presence(population, levels), threads or default_threads()
    for start in range(0, len(levels), at_once):
        batch = levels[start : start + at_once]
        for visited in visits(population, batch, at_once, play, presence.present):
            yield presence.visit(visited)
