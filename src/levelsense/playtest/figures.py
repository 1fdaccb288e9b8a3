"""All figures of a playtest, level by level, and the attempts beyond its own that some of them need."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.limits import (
    Check,
    LimitCurve,
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
from levelsense.playtest.result import PlaytestResult
from levelsense.playtest.runner import default_threads, playtest
from levelsense.playtest.skill_and_luck import LEAST_BOARDS, Luck, Skill, luck, luck_seeds, skill
from levelsense.playtest.statistics import ENOUGH, LevelStatistics, level_statistics

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
    """A level with another limit, which its names show; itself if that is the limit it has."""
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


Note = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Played:
    """One agent on one level: its attempts, and the figures computed from them.

    curve   success rate by limit, from attempts past it; None if the agent watches the limit
    checks  success rate with limits that were played themselves, if the agent watches the limit
    luck    None if no attempts were made for it
    """

    agent: str
    attempts: Attempts
    statistics: LevelStatistics
    curve: LimitCurve | None = None
    checks: tuple[Check, ...] = ()
    luck: Luck | None = None


@dataclass(frozen=True, eq=False)
class LevelFigures:
    """The figures of a level: its name, and each agent's on it, in the order in which they were given.

    ranking  the agents from the weakest to the strongest; by this level alone if it is left out
    """

    name: str
    level: Level
    played: tuple[Played, ...]
    ranking: tuple[str, ...] = ()

    def _rank(self, played: Played) -> float:
        if self.ranking:
            return self.ranking.index(played.agent)
        return played.statistics.success.value or 0.0

    @property
    def weak(self) -> Played:
        """The weakest agent that played this level."""
        return min(self.played, key=self._rank)

    @property
    def strong(self) -> Played:
        """The strongest agent that played this level."""
        return max(self.played, key=self._rank)

    @property
    def telling(self) -> Played | None:
        """The strongest agent that lost often enough to show what holds attempts up; None if none did."""
        losers = [played for played in self.played if played.statistics.lost >= ENOUGH]
        return max(losers, key=self._rank, default=None)

    @property
    def skill(self) -> Skill | None:
        """What the strong agent does better than the weak; None if only one played."""
        weak, strong = self.weak.statistics, self.strong.statistics
        if len(self.played) < 2:
            return None
        return skill(weak.wins, weak.attempts, strong.wins, strong.attempts)

    @property
    def lucky(self) -> Played | None:
        """The strongest agent whose luck can be told."""
        with_luck = [
            played for played in self.played if played.luck is not None and played.luck.share is not None
        ]
        return max(with_luck, key=self._rank, default=None)


def rank_agents(levels: Sequence[LevelFigures]) -> list[LevelFigures]:
    """The levels' figures with all agents ranked by their mean success rate over all levels.

    Over all levels and not on each by itself, so that skill may come out negative where it does not pay.
    """
    rates: dict[str, list[float]] = {}
    for figures in levels:
        for played in figures.played:
            rates.setdefault(played.agent, []).append(played.statistics.success.value or 0.0)
    ranking = tuple(sorted(rates, key=lambda agent: sum(rates[agent]) / len(rates[agent])))
    return [replace(figures, ranking=ranking) for figures in levels]


def played_from(agent: str, attempts: Attempts, extra: Extra) -> Played:
    """The figures of an agent's attempts, and of extra ones."""
    return Played(
        agent,
        attempts,
        level_statistics(attempts),
        limit_curve(extra.past) if extra.past is not None else None,
        _with_present(attempts, extra.checks),
        luck(extra.luck, REPEATS) if extra.luck is not None else None,
    )


def _with_present(attempts: Attempts, checks: tuple[Check, ...]) -> tuple[Check, ...]:
    """The limits that were played and the present one, ascending; it is left out if it is no whole number."""
    limit = limit_of(attempts.level)[0]
    if not checks or limit != int(limit):
        return checks
    present = Check(int(limit), attempts.wins, len(attempts))
    return tuple(sorted((*checks, present), key=lambda check: check.limit))


def level_figures(
    result: PlaytestResult,
    threads: int | None = None,
    note: Note = lambda sentence: None,
    extra: bool = True,
    sinks: Callable[[], Sink] | None = None,
) -> list[LevelFigures]:
    """The figures of a playtest, level by level; plays with other limits and for luck, if `extra`.

    A sink that `sinks` makes keeps what is played with other limits, and has what was. Attempts past a limit
    and for luck are not by the seeds that a sink knows them by, and are played each time.
    """
    levels: dict[str, tuple[str, Level, list[Played]]] = {}
    played_pairs = [pair for pair in result.pairs if pair.attempts]
    for number, pair in enumerate(played_pairs, start=1):
        more = Extra()
        if extra:
            progress = f"figures {number}/{len(played_pairs)}"
            note(f"{progress}: {pair.pair.name}, {pair.agent}: other limits, and luck ...")
            more = play_extra(pair.pair, pair.played, threads, sinks)
        entry = levels.setdefault(pair.pair.digest, (pair.pair.name, pair.level, []))
        entry[2].append(played_from(pair.agent, pair.played, more))
    return rank_agents([LevelFigures(name, level, tuple(played)) for name, level, played in levels.values()])


def agents_of(levels: Sequence[LevelFigures]) -> list[str]:
    """All agents of the levels' figures, each once, in their order."""
    return list(dict.fromkeys(played.agent for figures in levels for played in figures.played))
