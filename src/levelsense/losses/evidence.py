"""What findings are made from: an agent's attempts, some of them turn by turn, and a few extra ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.registry import Agent
from levelsense.game.state import CELLS, COUNT_NAMES, STRIDE, States
from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.figures import REPEATS, play_for_luck, play_seeds
from levelsense.playtest.limits import Check, limit_of, longest_limit, with_limit
from levelsense.playtest.plan import attempt_seeds
from levelsense.playtest.skill_and_luck import LEAST_BOARDS, Luck, luck
from levelsense.playtest.statistics import furthest_shares

LEAST_LOST: Final = 30  # from fewer lost attempts nothing is said
FOLLOWED: Final = 60  # lost and won attempts each that are looked at turn by turn
LONGER: Final = 0.15  # of the limit, that is tried besides
LEAST_LONGER: Final = 3


@dataclass(frozen=True)
class Finding:
    """Something that lost attempts at a level show.

    kind      bomb, no move, cells, ingredients, growth, goal, near, limit, decided, luck, skill
    sentence  what it is, for a designer, with the figure it stands on
    weight    how much of the losses it is about, from 0 to 1
    figures   the numbers in the sentence, by name
    cells     the cells that it names, as in a9
    """

    kind: str
    sentence: str
    weight: float
    figures: Mapping[str, float | int | str] = field(default_factory=dict)
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rival:
    """How another agent did at the level: its spec, and how many of its attempts it won."""

    agent: str
    wins: int
    attempts: int

    @property
    def rate(self) -> float:
        """Its success rate."""
        return self.wins / self.attempts


@dataclass(frozen=True, eq=False)
class Evidence:
    """What there is to go by.

    agent     the spec of the agent whose attempts these are
    attempts  all of them
    lost      some of the lost ones turn by turn: the states as dealt and after each move
    won       some of the won ones
    longer    the same attempts with a longer limit; None if it cannot be longer
    luck      how much the board's seed decides; None if there are too few attempts
    rival     the strongest other agent; None if no other played
    """

    agent: str
    attempts: Attempts
    lost: tuple[States, ...] = ()
    won: tuple[States, ...] = ()
    longer: Check | None = None
    luck: Luck | None = None
    rival: Rival | None = None

    @property
    def level(self) -> Level:
        """The level that was played."""
        return self.attempts.level

    @property
    def name(self) -> str:
        """The agent's name in sentences: its family's, without options; of one's own without its digest."""
        function_name, at_sign, _ = self.agent.partition("@")
        return function_name if at_sign else self.agent.partition(":")[0]

    @cached_property
    def lost_count(self) -> int:
        """How many attempts were lost."""
        return len(self.attempts) - self.attempts.wins

    @property
    def is_enough(self) -> bool:
        """Whether enough attempts were lost to say anything."""
        return self.lost_count >= LEAST_LOST

    def left(self, column: str) -> NDArray[np.bool_]:
        """Where something was left in lost attempts, by a column of LEFT_COLUMNS: attempts x cells."""
        return on_level(self.level, self.attempts.boards_left(column))


def share_words(share: float) -> str:
    """A share in per cent; one that is not quite all or none is not rounded to it."""
    if 0 < share < 0.005:
        return "under 1%"
    return "over 99%" if 0.995 <= share < 1 else f"{share:.0%}"


def share_first(share: float) -> str:
    """The same where it begins a sentence."""
    words = share_words(share)
    return words[0].upper() + words[1:]


def goal_weights(attempts: Attempts) -> dict[str, float]:
    """How much of the losses each goal accounts for: the share in which it was the furthest from done."""
    shares = furthest_shares(attempts.goal_shares[~attempts.won])
    return dict(zip(attempts.level.asked, shares.tolist(), strict=True))


def on_level(level: Level, boards: NDArray[Any]) -> NDArray[Any]:
    """Boards of CELLS as the level's own cells, in row-major order."""
    square = boards.reshape(-1, STRIDE, STRIDE)[:, : level.rows, : level.columns]
    return square.reshape(len(boards), level.rows * level.columns)


def ends(level: Level, followed: tuple[States, ...], field_name: str) -> NDArray[Any]:
    """A field of the last state of attempts, on the level's own cells: attempts x cells."""
    boards = np.array([states[field_name][-1] for states in followed]).reshape(-1, CELLS)
    return on_level(level, boards)


def progress(level: Level, states: States) -> NDArray[np.float64]:
    """How far the goals have come after each turn of an attempt: the mean share of them, from 0 to 1."""
    shares = []
    for name, asked in level.asked.items():
        done = states["score"] if name == "score" else states["count"][:, COUNT_NAMES.index(name)]
        shares.append(np.minimum(done / asked, 1.0))
    return np.asarray(np.mean(shares, axis=0))


def gather_evidence(
    agent: Agent,
    attempts: Attempts,
    seed: int = 0,
    threads: int | None = None,
    rival: Rival | None = None,
) -> Evidence:
    """An agent's attempts at a level and what they take besides; nothing besides if too few were lost.

    Attempts are those that `seed` gives; some are played again turn by turn, from the seeds they had.
    """
    level = attempts.level
    evidence = Evidence(agent.spec, attempts, rival=rival)
    if not evidence.is_enough:
        return evidence
    lost, won = (_follow(agent, attempts, seed, is_won) for is_won in (False, True))
    luck_ = None
    if len(attempts) >= LEAST_BOARDS * REPEATS:
        luck_ = luck(play_for_luck(agent, level, len(attempts), seed, threads), REPEATS)
    longer = _play_longer(agent, attempts, seed, threads)
    return Evidence(agent.spec, attempts, lost, won, longer, luck_, rival)


def _follow(agent: Agent, attempts: Attempts, seed: int, is_won: bool) -> tuple[States, ...]:
    numbers = attempts.numbers[attempts.won == is_won][:FOLLOWED]
    if not len(numbers):
        return ()
    level = attempts.level
    seeds = attempt_seeds(level.digest, agent.spec, seed, 0, int(numbers.max()) + 1)
    return tuple(agent.follow(level, seeds[numbers]))


def _play_longer(agent: Agent, attempts: Attempts, seed: int, threads: int | None) -> Check | None:
    level = attempts.level
    present = limit_of(level)[0]
    limit = min(int(present) + max(LEAST_LONGER, round(LONGER * present)), longest_limit(level))
    if limit <= present:
        return None
    seeds = attempt_seeds(level.digest, agent.spec, seed, 0, int(attempts.numbers.max()) + 1)
    played = play_seeds(agent, with_limit(level, limit), seeds[attempts.numbers], threads)
    return Check(limit, played.wins, len(played))
