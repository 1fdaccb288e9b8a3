"""Positions with the moves that tree search or simulated players made there, to train on and to judge by."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.convolution.planes import fits_planes
from levelsense.learning.boards import Boards, encode_boards
from levelsense.learning.corpus import some_attempts
from levelsense.learning.examples import Examples, encode
from levelsense.people.moves import LevelMoves
from levelsense.people.positions import Positions
from levelsense.people.simulated.run import NO_MOVE, visit
from levelsense.people.simulated.traits import Population
from levelsense.playtest.levels import NamedLevel
from levelsense.rng import Draws

HELD_OUT = 10  # one attempt in so many is validated by, and not trained on


@dataclass(frozen=True)
class MoveSet:
    """The same positions twice: as networks over planes take them, and as move-centered policies do.

    names  of the levels, by the numbers that the positions have
    """

    names: tuple[str, ...]
    boards: Boards
    examples: Examples

    def __len__(self) -> int:
        return len(self.boards)


def make_set(parts: Sequence[Positions], most: int, seed: int) -> MoveSet:
    """About so many positions of whole attempts, as many of each level, which are the parts."""
    some = _some_of_each(parts, most, seed)
    examples = [encode(part, number, _nobody(part)) for number, part in enumerate(some)]
    names = tuple(positions.name for positions in parts)
    return MoveSet(names, _joined_boards(some), Examples.joined(examples))


def make_boards(parts: Sequence[Positions], most: int, seed: int) -> Boards:
    """The same for networks over planes alone."""
    return _joined_boards(_some_of_each(parts, most, seed))


def _some_of_each(parts: Sequence[Positions], most: int, seed: int) -> list[Positions]:
    share = -(-most // len(parts))
    return [some_attempts(positions, share, (seed, number)) for number, positions in enumerate(parts)]


def _joined_boards(parts: Sequence[Positions]) -> Boards:
    return Boards.joined([encode_boards(part, number, _nobody(part)) for number, part in enumerate(parts)])


def _nobody(positions: Positions) -> NDArray[np.int64]:
    """Positions of no groups of players."""
    return np.zeros(len(positions), np.int64)


def split_attempts(parts: Sequence[Positions]) -> tuple[list[Positions], list[Positions]]:
    """The positions to train on and those of the attempts that are held out, level by level."""
    held_out = [positions.attempt % HELD_OUT == 0 for positions in parts]
    return (
        [part.chosen(np.flatnonzero(~held)) for part, held in zip(parts, held_out, strict=True)],
        [part.chosen(np.flatnonzero(held)) for part, held in zip(parts, held_out, strict=True)],
    )


def player_positions(
    population: Population,
    levels: Sequence[NamedLevel],
    most: int,
    on_level: Callable[[int], None] = lambda done: None,
) -> list[Positions]:
    """Positions of players at levels, at least `most` together: as many players visit each as that takes.

    Other players of the population are drawn for each level. Levels that do not fit on planes are left out.
    """
    playable = [named for named in levels if fits_planes(named.level)]
    share = -(-most // len(playable))
    parts = []
    for number, named in enumerate(playable):
        draws = Draws("king", population.seed, named.name)
        order = np.array(draws.sample(range(len(population)), len(population)), np.int64)
        parts.append(_visited(population, named, order, share))
        on_level(number + 1)
    return parts


def _visited(population: Population, named: NamedLevel, order: NDArray[np.int64], most: int) -> Positions:
    """Positions of the first players of an order, as many as it takes for so many moves."""
    count = min(len(order), 1 + most // 20)
    while True:
        visited = visit(population, named, players=order[:count])
        made = visited.moves != NO_MOVE
        if made.sum() >= most or count == len(order):
            break
        count = min(len(order), 2 * count)
    types = np.array(population.types)[visited.player]
    cohorts = np.full(len(visited.player), visited.cohort)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(made.sum(1), dtype=np.int64)])
    return LevelMoves(
        named,
        visited.game_seed,
        visited.moves[made],
        offsets,
        visited.player,
        types,
        cohorts,
        visited.attempt,
    ).positions()
