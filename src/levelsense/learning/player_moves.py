"""Telemetry by player: the moves as inputs of a trained policy's last layer, and how attempts ended."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from levelsense.agents.policy.inputs import MOVE_INPUTS
from levelsense.agents.policy.network import EVERYONE
from levelsense.agents.weights import Weights
from levelsense.errors import TrainingError
from levelsense.game.state import PLAYING, WON
from levelsense.learning.corpus import number_players, played_levels, some_attempts
from levelsense.learning.examples import Examples, encode, rows_of
from levelsense.learning.mixture import log_probabilities
from levelsense.learning.rivals import cells_of, sum_rivals
from levelsense.people.positions import Positions, Telemetry
from levelsense.playtest.levels import NamedLevel

Arrays = Mapping[str, NDArray[np.float32]]
LEAST_PLAYERS: Final = 2


@dataclass(frozen=True)
class Fares:
    """Attempts whose end is known: entry i of each array belongs to attempt i."""

    player: NDArray[np.int64]
    level: NDArray[np.int64]
    won: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.won)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The attempts of several parts, in order."""
        names = ("player", "level", "won")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def chosen(self, which: NDArray[np.bool_]) -> "Fares":
        """Some of the attempts, by a mask."""
        return Fares(self.player[which], self.level[which], self.won[which])


@dataclass(frozen=True)
class PlayerMoves:
    """Moves of players as the frozen layers of a policy see them, and how the players fared.

    players    cohort and name, by number
    levels     the levels that were played, by number
    units      of the last layer before the shift of a persona, a row for each legal move of each position
    first      the moves of position i are the rows first[i] to first[i + 1]
    made       the place of the move made among them
    player     who made it
    residual   of each player: mean inputs of the moves made, less what the policy expects
    evenness   of each player: how much more surely than the policy says likely moves are made, in nats a move
    fares      attempts whose end is known; there may be none
    attempts   how many attempts of each player were read
    visits     how many levels each player tried
    """

    players: list[tuple[str, str]]
    levels: list[NamedLevel]
    units: NDArray[np.float32]
    first: NDArray[np.int64]
    made: NDArray[np.int64]
    player: NDArray[np.int64]
    residual: NDArray[np.float64]
    evenness: NDArray[np.float64]
    fares: Fares
    attempts: NDArray[np.int64]
    visits: NDArray[np.int64]

    @property
    def moves(self) -> NDArray[np.int64]:
        """How many moves of each player there are."""
        return np.bincount(self.player, minlength=len(self.players))

    def of_players(self, which: NDArray[np.bool_], most: int | None = None) -> "PlayerMoves":
        """Some of the players, numbered anew; of each at most `most` moves, evenly spread over all."""
        number = np.cumsum(which) - 1
        places = np.flatnonzero(which[self.player])
        if most is not None:
            places = places[_spread(self.player[places], most)]
        fares = self.fares.chosen(which[self.fares.player])
        return PlayerMoves(
            [name for name, is_chosen in zip(self.players, which, strict=True) if is_chosen],
            self.levels,
            self.units[rows_of(self.first, places)],
            np.concatenate([np.zeros(1, np.int64), np.cumsum(np.diff(self.first)[places])]),
            self.made[places],
            number[self.player[places]],
            self.residual[which],
            self.evenness[which],
            Fares(number[fares.player], fares.level, fares.won),
            self.attempts[which],
            self.visits[which],
        )


def _spread(player: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """The places of at most so many entries of each player, evenly spread."""
    order = np.argsort(player, kind="stable")
    counts = np.bincount(player)
    rank = np.arange(len(player)) - np.repeat(np.cumsum(counts) - counts, counts)
    count = counts[player[order]]
    is_kept = (rank + 1) * np.minimum(most, count) // count > rank * np.minimum(most, count) // count
    return np.sort(order[is_kept])


def read_player_moves(
    telemetry: Sequence[Telemetry],
    levels: Sequence[NamedLevel],
    policy: Weights,
    *,
    moves_per_level: int,
    seed: int = 1,
    progress: Callable[[str], None] = lambda level: None,
) -> PlayerMoves:
    """The players of files of telemetry, their moves as a policy sees them.

    Of a level's moves in a file at most about `moves_per_level` are taken, in whole attempts that are drawn;
    how attempts ended is read of all. TrainingError if there are too few players.
    """
    played = played_levels(telemetry, levels)
    numbers = {named.level.digest: k for k, named in enumerate(played)}
    players: dict[tuple[str, str], int] = {}
    parts: list[tuple[Any, ...]] = []
    fares: list[Fares] = []
    with threadpool_limits(1):
        for positions in (part for each in telemetry for part in each.positions(levels)):
            progress(positions.name)
            number = numbers[positions.level.digest]
            fares.append(_fares(positions, number, number_players(positions, players)))
            some = some_attempts(positions, moves_per_level, (seed, number))
            parts.append(_seen(encode(some, number, number_players(some, players)), policy.arrays))
    if len(players) < LEAST_PLAYERS:
        raise TrainingError(f"moves of {len(players)} player; expected those of at least {LEAST_PLAYERS}")
    return _joined(list(players), played, parts, Fares.joined(fares))


def _fares(positions: Positions, level: int, player: NDArray[np.int64]) -> Fares:
    """The attempts of positions; those whose end is not known have the level -1 - level."""
    is_first = np.concatenate([[True], (positions.turn[1:] <= positions.turn[:-1])])
    is_first[1:] |= (player[1:] != player[:-1]) | (positions.attempt[1:] != positions.attempt[:-1])
    ending = np.full(len(positions), PLAYING) if positions.ending is None else positions.ending
    ending = ending[is_first]
    # Attempts without an end count as tries; the sign of their level says that they have none.
    return Fares(player[is_first], np.where(ending == PLAYING, -1 - level, level), ending == WON)


def mixed_units(arrays: Arrays, examples: Examples) -> NDArray[np.float32]:
    """What the last layer of a policy gets for each move, before the shift of a persona is added."""
    hidden = np.maximum(examples.inputs @ arrays["move"] + arrays["move_shift"], 0)
    starts, counts = examples.first[:-1], examples.moves
    mean = np.add.reduceat(hidden, starts) / counts[:, None].astype(np.float32)
    pooled = np.concatenate([mean, np.maximum.reduceat(hidden, starts), examples.position], 1)
    context = np.maximum(pooled @ arrays["context"] + arrays["context_shift"], 0)
    units: NDArray[np.float32] = hidden @ arrays["of_move"]
    units += np.repeat(context @ arrays["of_context"], counts, axis=0)
    if "rival" in arrays:
        units += _rival_sums(arrays, examples, hidden) @ arrays["of_rivals"]
    return units


def _rival_sums(arrays: Arrays, examples: Examples, hidden: NDArray[np.float32]) -> NDArray[np.float32]:
    """The sums over the rivals of each move."""
    rival, baseline = hidden @ arrays["rival"] + arrays["rival_shift"], hidden @ arrays["rival_own"]
    sums = np.zeros(rival.shape, np.float32)
    places = cells_of(examples.inputs), np.ascontiguousarray(examples.first[:-1]), examples.moves
    sum_rivals(*places, np.ascontiguousarray(arrays["rival_near"]), rival, baseline, sums)
    return sums


def _seen(examples: Examples, arrays: Arrays) -> tuple[Any, ...]:
    """Units, counts, made, player of examples; and of each position what the policy did not expect."""
    units = mixed_units(arrays, examples)
    logs = log_probabilities(units, examples.first, arrays["shift"][EVERYONE], arrays["out"][EVERYONE])
    p, starts, made = np.exp(logs), examples.first[:-1], examples.first[:-1] + examples.made
    expected = np.add.reduceat(examples.inputs * p[:, None], starts)
    evenness = logs[made] - np.add.reduceat(p * logs, starts)
    residual = examples.inputs[made] - expected
    return units, examples.moves, examples.made, examples.player, residual, evenness


def _joined(
    players: list[tuple[str, str]], levels: list[NamedLevel], parts: list[tuple[Any, ...]], fares: Fares
) -> PlayerMoves:
    """All that was read, with means by player."""
    units, counts, made, player, residual, evenness = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    size = len(players)
    moves = np.maximum(1, np.bincount(player, minlength=size))
    means = np.stack([np.bincount(player, residual[:, k], size) for k in range(MOVE_INPUTS)], 1)
    level = np.where(fares.level < 0, -1 - fares.level, fares.level)
    visits = np.unique(np.stack([fares.player, level], 1), axis=0)[:, 0]
    return PlayerMoves(
        players,
        levels,
        units,
        np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]),
        made,
        player,
        means / moves[:, None],
        np.bincount(player, evenness, size) / moves,
        fares.chosen(fares.level >= 0),
        np.bincount(fares.player, minlength=size),
        np.bincount(visits, minlength=size),
    )
