"""The moves of telemetry files as examples, split for training, validation and judgement."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.convolution.planes import fits_planes
from levelsense.agents.heuristic import heuristic_values
from levelsense.agents.simple import OF_GOALS, sure_gains
from levelsense.errors import TrainingError
from levelsense.game.state import Array, LevelRecord, States, Work, new_state, new_work
from levelsense.kernel import kernel
from levelsense.learning.boards import Boards, encode_boards
from levelsense.learning.ceiling import MOST_LEVELS, CeilingSample, sample_ceiling
from levelsense.learning.examples import Examples, encode
from levelsense.people.positions import Positions, Telemetry
from levelsense.playtest.levels import NamedLevel
from levelsense.rng import Rng, new_rng

# One player in so many is left out of training at all levels, to see how well known levels are told.
LEFT_OUT: Final = 20
Part = Literal["training", "known", "validation", "later"]


@dataclass(frozen=True)
class Split:
    """How many levels there are to train on, to stop by and to judge by, in this order of levels."""

    train: int
    validate: int
    judge: int

    @classmethod
    def by_order(cls, levels: int, validate: float, judge: float) -> "Split":
        """Shares of the levels for validation and judgement; each part has at least one level.

        TrainingError if there are fewer than three levels.
        """
        if levels < 3:
            raise TrainingError(
                f"moves at {levels} levels; expected at least 3: to train on, to stop by and to judge by"
            )
        last = min(max(1, round(levels * judge)), levels - 2)
        middle = min(max(1, round(levels * validate)), levels - last - 1)
        return cls(levels - middle - last, middle, last)


@dataclass
class Corpus:
    """Examples of all levels, and what judging those of the last levels needs besides.

    players    who made the moves: cohort and name by number
    baselines  what other agents think of the moves of the examples of the levels to judge by
    ceiling    what simulated players would do in some of these positions; None if the players are not known
    boards     the positions of the examples for networks over planes; None if not asked for
    """

    split: Split
    examples: Examples
    players: list[tuple[str, str]]
    baselines: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    ceiling: CeilingSample | None = None
    boards: Boards | None = None

    def places(self, part: Part) -> NDArray[np.bool_]:
        """Which examples belong to a part."""
        level, first_judged = self.examples.level, self.split.train + self.split.validate
        is_left_out = self.examples.player % LEFT_OUT == 0
        places: dict[Part, NDArray[np.bool_]] = {
            "training": (level < self.split.train) & ~is_left_out,
            "known": (level < self.split.train) & is_left_out,
            "validation": (level >= self.split.train) & (level < first_judged),
            "later": level >= first_judged,
        }
        return places[part]

    @property
    def training(self) -> Examples:
        """To train on: the first levels, but for the players who are left out."""
        return self.examples.chosen(self.places("training"))

    @property
    def known(self) -> Examples:
        """To judge by: players who were left out, at the levels trained on."""
        return self.examples.chosen(self.places("known"))

    @property
    def validation(self) -> Examples:
        """To stop by: the next levels."""
        return self.examples.chosen(self.places("validation"))

    @property
    def later(self) -> Examples:
        """To judge by: the last levels."""
        return self.examples.chosen(self.places("later"))

    def boards_of(self, part: Part) -> Boards:
        """The same positions as networks over planes take them, if the corpus was read with planes."""
        if self.boards is None:
            raise ValueError("a corpus without boards; expected one that was read with planes=True")
        return self.boards.chosen(self.places(part))


def read_corpus(
    telemetry: Sequence[Telemetry],
    levels: Sequence[NamedLevel],
    *,
    split: Callable[[int], Split] = lambda levels: Split.by_order(levels, 0.1, 0.2),
    moves_per_level: int = 1_000,
    seed: int = 1,
    planes: bool = False,
    progress: Callable[[str], None] = lambda level: None,
) -> Corpus:
    """The examples of files of telemetry; levels count in the order given, and `split` parts their number.

    Of a level's moves in a file at most about `moves_per_level` are taken, in whole attempts that are drawn.
    With `planes` there are boards for networks over planes, too, and levels that are too large for these are
    left out.
    """
    played = [named for named in played_levels(telemetry, levels) if not planes or fits_planes(named.level)]
    numbers = {named.level.digest: number for number, named in enumerate(played)}
    parted = split(len(numbers))
    first_judged = parted.train + parted.validate
    every = -(-parted.judge // MOST_LEVELS)  # of the levels to judge by has its ceiling computed
    players: dict[tuple[str, str], int] = {}
    parts: dict[int, list[Examples]] = {}
    boards: dict[int, list[Boards]] = {}
    baselines: dict[int, list[dict[str, NDArray[np.float64]]]] = {}
    ceilings: list[CeilingSample] = []
    for positions in (part for each in telemetry for part in each.positions(levels)):
        if positions.level.digest not in numbers:
            continue
        number = numbers[positions.level.digest]
        progress(positions.name)
        some = some_attempts(positions, moves_per_level, (seed, number))
        examples = encode(some, number, number_players(some, players))
        parts.setdefault(number, []).append(examples)
        if planes:
            boards.setdefault(number, []).append(encode_boards(some, number, examples.player))
        if number >= first_judged:
            baselines.setdefault(number, []).append(_baseline_values(some))
            if (number - first_judged) % every == 0:
                ceilings += sample_ceiling(some, seed + number, planes=planes)
    order = sorted(parts)
    corpus = Corpus(parted, Examples.joined([part for k in order for part in parts[k]]), list(players))
    values = [part for k in sorted(baselines) for part in baselines[k]]
    corpus.baselines = {name: np.concatenate([part[name] for part in values]) for name in values[0]}
    corpus.ceiling = CeilingSample.joined(ceilings) if ceilings else None
    corpus.boards = Boards.joined([part for k in order for part in boards[k]]) if planes else None
    return corpus


def played_levels(telemetry: Sequence[Telemetry], levels: Sequence[NamedLevel]) -> list[NamedLevel]:
    """The levels that there are moves of."""
    digests = {named.level.digest for each in telemetry for named in each.played(levels)}
    return [named for named in levels if named.level.digest in digests]


def some_attempts(positions: Positions, most: int, seed: tuple[int, int]) -> Positions:
    """Whole attempts with about so many moves in all, drawn; all of them if there are no more."""
    if len(positions) <= most:
        return positions
    is_first = np.concatenate([[True], np.diff(positions.turn) != 1])
    attempt = np.cumsum(is_first) - 1
    lengths = np.bincount(attempt)
    order = np.random.default_rng(seed).permutation(len(lengths))
    kept = order[: max(1, int(np.searchsorted(np.cumsum(lengths[order]), most, "right")))]
    return positions.chosen(np.flatnonzero(np.isin(attempt, kept)))


def number_players(positions: Positions, players: dict[tuple[str, str], int]) -> NDArray[np.int64]:
    """The numbers of the players of positions; new players get the next ones. `players` is modified."""
    keys = zip(positions.cohort.tolist(), positions.player.tolist(), strict=True)
    return np.array([players.setdefault(key, len(players)) for key in keys], np.int64)


@kernel
def _value_moves(
    level: LevelRecord,
    states: States,
    legal: Array,
    first: Array,
    rng: Rng,
    work: Work,
    room: States,
    by_heuristic: Array,
    by_greed: Array,
) -> None:
    """Writes what the heuristic and the greedy agent think of the legal moves of each state."""
    for k in range(states.shape[0]):
        start, end = first[k], first[k + 1]
        room[0] = states[k]
        heuristic_values(level, room, 0, work, legal[start:end], end - start, by_heuristic[start:end])
        sure_gains(level, room, 0, rng, work, legal[start:end], end - start, OF_GOALS, by_greed[start:end])


def _baseline_values(positions: Positions) -> dict[str, Any]:
    """What agents that value moves think of the legal moves of positions, one after the other."""
    legal, first = positions.legal
    values = {"heuristic": np.zeros(len(legal)), "greedy:of=goals": np.zeros(len(legal))}
    _value_moves(
        positions.record,
        np.ascontiguousarray(positions.states),
        np.ascontiguousarray(legal, np.int64),
        np.ascontiguousarray(first, np.int64),
        new_rng(1),
        new_work(),
        new_state(2),
        *values.values(),
    )
    return values
