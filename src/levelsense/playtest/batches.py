"""Attempts with seeds of one's own, on threads: for figures that need more than a playtest's own attempts."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.game.level import Level
from levelsense.playtest.checks import Check, limits_to_play
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.limits import limit_of, longest_limit, past_limit, with_limit
from levelsense.playtest.luck import luck_seeds
from levelsense.playtest.plan import AgentLike, Sink
from levelsense.playtest.runner import default_threads, playtest
from levelsense.playtest.seeds import attempt_seeds

CHUNKS: Final = 16  # a thread
PAST: Final = 1.5  # so many times the limit, for the report
MOST_EXTRA: Final = 200
MOST_AT_LIMIT: Final = 100  # for each of several limits
REPEATS: Final = 4


def play_seeds(agent: AgentLike, level: Level, seeds: NDArray[np.uint64], threads: int | None = None) -> Any:
    """An attempt for each pair of seeds, in their order, as rows of ATTEMPT_DTYPE, whatever the threads."""
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
    return np.concatenate([first, *rest])


def play_past_limit(
    agent: AgentLike, level: Level, attempts: int, seed: int, threads: int | None = None
) -> tuple[Level, Any]:
    """The level with half as much limit again, and attempts at it by the seeds of a playtest."""
    limit = min(int(PAST * limit_of(level)[0]) + 1, longest_limit(level))
    longer = past_limit(level, limit)
    seeds = attempt_seeds(level.digest, agent.spec, seed, 0, min(attempts, MOST_EXTRA))
    return longer, play_seeds(agent, longer, seeds, threads)


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
) -> Any:
    """About as many attempts, REPEATS at each board, for luck()."""
    boards = min(attempts, MOST_EXTRA) // REPEATS
    return play_seeds(agent, level, luck_seeds(level.digest, agent.spec, seed, boards, REPEATS), threads)
