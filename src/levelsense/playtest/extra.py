"""Attempts beyond a playtest's own that some figures need: past the limit, with other limits, for luck."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.limits import (
    Check,
    biting_limit,
    limit_curve,
    limit_of,
    limits_to_play,
    longest_limit,
    past_limit,
    watches_limit,
    with_limit,
)
from levelsense.playtest.plan import AgentLike, Pair, Sink, attempt_seeds
from levelsense.playtest.runner import default_threads, playtest
from levelsense.playtest.skill_and_luck import LEAST_BOARDS, luck_seeds

CHUNKS: Final = 16  # a thread
PAST: Final = 1.5  # so many times the limit, for the report
MOST_EXTRA: Final = 200
MOST_AT_LIMIT: Final = 100  # for each of several limits
REPEATS: Final = 4
# So many attempts past the limit nearly always show whether an agent watches it.
LEAD: Final = 8


@dataclass(frozen=True, eq=False)
class Extra:
    """Attempts beyond a playtest's own.

    past    attempts at the level past its limit; None if the agent watches the limit
    checks  other limits that were played themselves, if it does
    luck    attempts for luck(), REPEATS a board; None if there would be too few boards
    """

    past: Attempts | None = None
    checks: tuple[Check, ...] = ()
    luck: Attempts | None = None


def play_extra(
    pair: Pair, attempts: Attempts, threads: int | None = None, sinks: Callable[[], Sink] | None = None
) -> Extra:
    """Attempts with other limits and for luck, beyond those of a pair that were played."""
    past = _play_past(pair, attempts, threads)
    checks: list[Check] = []
    if past is None:
        sink = sinks() if sinks else None
        checks = play_limits(pair.agent, pair.named, len(attempts), pair.seed, threads, sink)
    if len(attempts) < LEAST_BOARDS * REPEATS:
        return Extra(past, tuple(checks))
    for_luck = play_for_luck(pair.agent, pair.level, len(attempts), pair.seed, threads)
    return Extra(past, tuple(checks), for_luck)


def _play_past(pair: Pair, attempts: Attempts, threads: int | None) -> Attempts | None:
    """Attempts past the limit; None as soon as these show that the agent watches it."""
    agent, level, seed = pair.agent, pair.level, pair.seed
    for number in (LEAD, len(attempts)):
        past = play_past_limit(agent, level, number, seed, threads)
        if watches_limit(attempts, past):
            return None
    shorter = with_limit(level, biting_limit(limit_curve(past)))
    seeds = attempt_seeds(pair.digest, agent.spec, seed, 0, len(past))
    # An agent that watches only its last few moves plays otherwise only near the limit.
    watches = watches_limit(play_seeds(agent, shorter, seeds, threads), past)
    return None if watches else past


def play_seeds(
    agent: AgentLike, level: Level, seeds: NDArray[np.uint64], threads: int | None = None
) -> Attempts:
    """An attempt for each pair of seeds, in their order, whatever the threads."""
    threads = threads or default_threads()
    # The first attempt goes ahead: it compiles what the others need.
    first = agent.attempts(level, seeds[:1])
    chunks = [chunk for chunk in np.array_split(seeds[1:], CHUNKS * threads) if len(chunk)]
    pool = ThreadPoolExecutor(threads)
    try:
        rest = list(pool.map(lambda chunk: agent.attempts(level, chunk), chunks))
    finally:
        # After Ctrl-C only what is being played is waited for.
        pool.shutdown(cancel_futures=True)
    return Attempts.from_records(level, 0, np.concatenate([first, *rest]))


def play_past_limit(
    agent: AgentLike, level: Level, attempts: int, seed: int, threads: int | None = None
) -> Attempts:
    """Attempts at the level with half as much limit again, by the seeds of a playtest."""
    limit = min(int(PAST * limit_of(level)[0]) + 1, longest_limit(level))
    seeds = attempt_seeds(level.digest, agent.spec, seed, 0, min(attempts, MOST_EXTRA))
    return play_seeds(agent, past_limit(level, limit), seeds, threads)


def play_limits(
    agent: AgentLike,
    named: NamedLevel,
    attempts: int,
    seed: int,
    threads: int | None = None,
    sink: Sink | None = None,
) -> list[Check]:
    """Several limits played themselves, not the present one; what the sink has is not played again.

    A level with another limit is a level of its own, with its own digest, and its attempts are kept as such.
    """
    changed = {limit: named_with_limit(named, limit) for limit in limits_to_play(named.level)}
    limits = {limit: other for limit, other in changed.items() if other is not named}
    result = playtest(limits.values(), [agent], min(attempts, MOST_AT_LIMIT), seed, threads, sink=sink)
    return [Check(limit, pair.wins, pair.attempts) for limit, pair in zip(limits, result.pairs, strict=True)]


def named_with_limit(named: NamedLevel, limit: int) -> NamedLevel:
    """A level with another limit, which its names tell; itself if that is the limit it has."""
    level, (present, unit) = named.level, limit_of(named.level)
    if limit == present:
        return named
    names = tuple(f"{name} with {limit} {unit}" for name in named.names)
    return NamedLevel(with_limit(level, limit), names)


def play_for_luck(
    agent: AgentLike, level: Level, attempts: int, seed: int, threads: int | None = None
) -> Attempts:
    """About as many attempts, REPEATS at each board, for luck()."""
    boards = min(attempts, MOST_EXTRA) // REPEATS
    return play_seeds(agent, level, luck_seeds(level.digest, agent.spec, seed, boards, REPEATS), threads)
