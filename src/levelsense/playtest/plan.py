"""What a playtest is asked to do: levels, agents, seeds, how many attempts, and the target."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.attempt import AttemptRecords
from levelsense.errors import LevelsenseError, PlaytestError
from levelsense.game.state import RULES_VERSION
from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.interval import half_width
from levelsense.playtest.levels import NamedLevel

_SEED_BYTES = 16


def attempt_seeds(
    level_digest: str, agent_spec: str, run_seed: int, first: int, count: int, rules: int = RULES_VERSION
) -> NDArray[np.uint64]:
    """The seeds of attempts first, first + 1, ...: `count` pairs, the game's seed and the agent's.

    A pair depends on these arguments and its number only, so that an attempt is the same whatever the number
    of threads, batches or machines. It is BLAKE2b, 16 bytes, of the five parts with a zero byte after each.

    Of the digest, the part behind the dash counts, which the limit has no part in: a level is dealt the same
    boards and candies whatever its limit, so that an agent that does not watch the limit never wins less with
    more of it. The digests of earlier versions have no dash, and count whole.
    """
    parts = (level_digest.partition("-")[2] or level_digest, agent_spec, str(rules), str(run_seed))
    common = hashlib.blake2b(b"".join(part.encode() + b"\0" for part in parts), digest_size=_SEED_BYTES)
    words = bytearray()
    for number in range(first, first + count):
        of_attempt = common.copy()
        of_attempt.update(b"%d\0" % number)
        words += of_attempt.digest()
    return np.frombuffer(bytes(words), "<u8").reshape(-1, 2).astype(np.uint64)


DEFAULT_CEILING: Final = 10_000
MOST_ATTEMPTS: Final = 10_000_000
HIGHEST_SEED: Final = 2**63 - 1  # that databases hold
HIGHEST_ATTEMPT_SEED: Final = 2**64 - 1  # a single attempt's, which runs draw
FINEST_PRECISION, COARSEST_PRECISION = 0.001, 0.25

# With a precision, intervals are looked at after so many attempts, then a tenth more, and so on; wins are
# counted after so many, then twice as many.
CHECK_GROWTH: Final = 10


# What is known of an attempt.
MISSING, LOST, WON = -1, 0, 1


class AgentLike(Protocol):
    """What a playtest needs of an agent, such as an Agent of the registry."""

    @property
    def spec(self) -> str:
        """The canonical spec of the agent."""

    def attempts(self, level: Level, seeds: NDArray[np.uint64]) -> AttemptRecords:
        """A record (ATTEMPT_DTYPE) of an attempt for each pair of seeds; several threads call it at once."""


@dataclass(frozen=True)
class Pair:
    """A level and an agent that plays it, with the seed of the run."""

    named: NamedLevel
    agent: AgentLike
    seed: int

    @property
    def level(self) -> Level:
        """The level that is played."""
        return self.named.level

    @property
    def name(self) -> str:
        """The level's names."""
        return self.named.name

    @cached_property
    def digest(self) -> str:
        """The level's digest."""
        return self.level.digest

    @property
    def key(self) -> dict[str, str | int]:
        """What, with its number, makes an attempt of the pair one of a kind."""
        return {"level": self.digest, "agent": self.agent.spec, "rules": RULES_VERSION, "seed": self.seed}


@dataclass(frozen=True)
class Extent:
    """How many attempts each pair gets: a number, or as many as something takes, up to a ceiling.

    precision  the half width of the 95 % interval of the success rate
    wins       how often the agent is to win
    """

    attempts: int
    precision: float | None = None
    ceiling: int | None = None
    wins: int | None = None

    def __post_init__(self) -> None:
        """PlaytestError for a number that makes no sense."""
        check_whole("attempts", self.attempts, 1, MOST_ATTEMPTS)
        if self.wins is not None:
            if self.precision is not None:
                raise PlaytestError(f"wins: {self.wins}; expected none beside a precision")
            check_whole("wins", self.wins, 1, MOST_ATTEMPTS)
        elif self.precision is None:
            if self.ceiling is not None:
                raise PlaytestError(f"ceiling: {self.ceiling}; it limits a precision, and none is given")
            return
        elif not FINEST_PRECISION <= self.precision <= COARSEST_PRECISION:
            raise PlaytestError(
                f"precision: {self.precision:g}; expected the half width of an interval, "
                f"from {FINEST_PRECISION} to {COARSEST_PRECISION}"
            )
        if self.ceiling is not None:
            check_whole("ceiling", self.ceiling, self.attempts, MOST_ATTEMPTS)

    @cached_property
    def checkpoints(self) -> tuple[int, ...]:
        """The numbers of attempts at which a pair may end, ascending.

        They depend on nothing but what was asked, and so does where a pair ends.
        """
        if self.precision is None and self.wins is None:
            return (self.attempts,)
        ceiling = self.ceiling or max(DEFAULT_CEILING, self.attempts)
        checkpoints = [self.attempts]
        while checkpoints[-1] < ceiling:
            done = checkpoints[-1]
            more = ceil(done / CHECK_GROWTH) if self.wins is None else done
            checkpoints.append(min(ceiling, done + more))
        return tuple(checkpoints)

    def is_enough(self, wins: int, attempts: int) -> bool:
        """Whether a pair may end at a checkpoint with so many wins in so many attempts."""
        if self.precision is not None:
            return half_width(wins, attempts) < self.precision
        return self.wins is None or wins >= self.wins


class Sink(Protocol):
    """Where the runner keeps attempts as they are played, and reads them again: a database, or nothing."""

    def begin(self, pairs: Sequence[Pair], extent: Extent) -> None:
        """Called once, before all others."""

    def already_done(self, pair: Pair, limit: int) -> NDArray[np.int8]:
        """What is kept of attempts 0, 1, ... below a limit of a pair: WON, LOST or MISSING for each."""

    def attempts(self, pair: Pair, limit: int) -> Attempts:
        """The attempts of a pair that are kept, those with numbers below a limit."""

    def save(self, batches: Sequence[tuple[Pair, Attempts]]) -> None:
        """Keeps attempts of pairs, all or none of them; one that is kept already stays as it is."""

    def end(self, finished: Sequence[tuple[Pair, int]]) -> None:
        """Called last, with the pairs that got all their attempts, and how many those are."""


def check_whole(name: str, value: int, low: int, high: int) -> None:
    """PlaytestError unless a number is in its range."""
    if not low <= value <= high:
        raise PlaytestError(f"{name}: {value}; expected a whole number from {low:,} to {high:,}")


def check_seed(seed: int, highest: int = HIGHEST_SEED, error: type[LevelsenseError] = PlaytestError) -> None:
    """An error unless a seed is in its range: that of a run, if no other is given."""
    if not 0 <= seed <= highest:
        raise error(f"seed: {seed}; expected a whole number from 0 to {highest:,}")


def make_pairs(levels: Sequence[NamedLevel], agents: Sequence[AgentLike], seed: int) -> list[Pair]:
    """Every level with every agent, level by level; agents of the same spec are one."""
    if not levels:
        raise PlaytestError("no levels to play")
    if not agents:
        raise PlaytestError("no agents to play them")
    different = {agent.spec: agent for agent in agents}
    return [Pair(named, agent, seed) for named in levels for agent in different.values()]


EXPECTED = "expected a success rate above 0% and below 100%, such as 35%, 35 or 0.35"


def parse_target(text: str) -> float:
    """A success rate as a share: `35%`, `35` and `0.35` are the same; PlaytestError if it is none.

    A bare number of at most 1 is a share, one above it is in per cent.
    """
    number, is_percent = text.strip(), False
    if number.endswith("%"):
        number, is_percent = number[:-1].rstrip(), True
    try:
        value = float(number)
    except ValueError:
        raise PlaytestError(f"target: {text!r}; {EXPECTED}") from None
    target = value / 100 if is_percent or value > 1 else value
    if not 0 < target < 1:
        reading = ", which is 100%" if target == 1 else ""
        raise PlaytestError(f"target: {text.strip()}{reading}; {EXPECTED}")
    return target


def check_target(target: float) -> None:
    """PlaytestError unless a target is a share between 0 and 1."""
    if not 0 < target < 1:
        raise PlaytestError(f"target: {target:g}; expected a success rate between 0 and 1, such as 0.35")
