"""Everything that is told of a playtest, level by level, with the extra attempts that some figures need."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.attempt import Attempts
from levelsense.level.level import Level
from levelsense.playtest.attempts import recall_attempts
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


Tell = Callable[[str], None]
# So many attempts past the limit nearly always show whether an agent watches it.
LEAD = 8


@dataclass(frozen=True, eq=False)
class Extra:
    """Attempts beyond a playtest's own.

    past    the level past its limit, and attempts at it; None if the agent watches the limit
    checks  other limits that were played themselves, if it does
    luck    None if there would be too few boards
    """

    past: tuple[Level, Any] | None = None
    checks: tuple[Check, ...] = ()
    luck: Any = None


@dataclass(frozen=True, eq=False)
class Played:
    """What one agent did on one level: rows of ATTEMPT_DTYPE, and what is told from them.

    curve   success rate by limit, from attempts past it; None if the agent watches the limit
    checks  success rate with limits that were played themselves, if the agent watches the limit
    luck    None if no attempts were made for it
    """

    agent: str
    rows: Attempts
    statistics: LevelStatistics
    curve: LimitCurve | None = None
    checks: tuple[Check, ...] = ()
    luck: Luck | None = None


@dataclass(frozen=True, eq=False)
class LevelReport:
    """A level by its name, and what each agent did on it, in the order in which they were given.

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
        known = [
            played for played in self.played if played.luck is not None and played.luck.share is not None
        ]
        return max(known, key=self._rank, default=None)


def rank_agents(levels: Sequence[LevelReport]) -> list[LevelReport]:
    """The reports with all agents ranked by their mean success rate over all levels.

    Over all levels and not on each by itself, so that skill may come out negative where it does not pay.
    """
    rates: dict[str, list[float]] = {}
    for report in levels:
        for played in report.played:
            rates.setdefault(played.agent, []).append(played.statistics.success.value or 0.0)
    ranking = tuple(sorted(rates, key=lambda agent: sum(rates[agent]) / len(rates[agent])))
    return [replace(report, ranking=ranking) for report in levels]


def played_from(level: Level, agent: str, rows: Attempts, extra: Extra) -> Played:
    """What is told from an agent's attempts, and from extra ones."""
    found = level_statistics(level, rows)
    curve = limit_curve(*extra.past) if extra.past else None
    told = luck(extra.luck, REPEATS) if extra.luck is not None else None
    return Played(agent, rows, found, curve, _with_present(level, found, extra.checks), told)


def _with_present(level: Level, found: LevelStatistics, checks: tuple[Check, ...]) -> tuple[Check, ...]:
    """The limits that were played and the present one, ascending; it is left out if it is no whole number."""
    limit = limit_of(level)[0]
    if not checks or limit != int(limit):
        return checks
    present = Check(int(limit), found.wins, found.attempts)
    return tuple(sorted((*checks, present), key=lambda check: check.limit))


def gather_report(
    result: PlaytestResult,
    threads: int | None = None,
    tell: Tell = lambda sentence: None,
    extra: bool = True,
    sinks: Callable[[], Sink] | None = None,
) -> list[LevelReport]:
    """What a playtest's report tells, level by level; plays with other limits and for luck, if `extra`.

    A sink that `sinks` makes keeps what is played with other limits, and has what was. Attempts past a limit
    and for luck are not by the seeds that a sink knows them by, and are played each time.
    """
    levels: dict[str, tuple[str, Level, list[Played]]] = {}
    told = [pair for pair in result.pairs if pair.attempts]
    for number, pair in enumerate(told, start=1):
        rows, more = recall_attempts(pair.level, pair.rows), Extra()
        if extra:
            tell(f"figures {number}/{len(told)}: {pair.pair.name}, {pair.agent}: other limits, and luck ...")
            more = play_extra(pair.pair, rows, threads, sinks)
        entry = levels.setdefault(pair.pair.digest, (pair.pair.name, pair.level, []))
        entry[2].append(played_from(pair.level, pair.agent, rows, more))
    return rank_agents([LevelReport(name, level, tuple(played)) for name, level, played in levels.values()])


def play_extra(
    pair: Pair, rows: Attempts, threads: int | None = None, sinks: Callable[[], Sink] | None = None
) -> Extra:
    """Attempts with other limits and for luck, beyond those that the rows are of."""
    past = _play_past(pair, rows, threads)
    checks: list[Check] = []
    if past is None:
        sink = sinks() if sinks else None
        checks = play_limits(pair.agent, pair.named, len(rows), pair.seed, threads, sink)
    if len(rows) < LEAST_BOARDS * REPEATS:
        return Extra(past, tuple(checks))
    luck_rows = play_for_luck(pair.agent, pair.level, len(rows), pair.seed, threads)
    return Extra(past, tuple(checks), luck_rows)


def _play_past(pair: Pair, rows: Attempts, threads: int | None) -> tuple[Level, Any] | None:
    """Attempts past the limit; None as soon as these show that the agent watches it."""
    agent, level, seed = pair.agent, pair.level, pair.seed
    for attempts in (LEAD, len(rows)):
        past = play_past_limit(agent, level, attempts, seed, threads)
        if watches_limit(level, rows, *past):
            return None
    shorter = with_limit(level, biting_limit(limit_curve(*past)))
    seeds = attempt_seeds(pair.digest, agent.spec, seed, 0, len(past[1]))
    # Who watches only the last few moves shows it where the limit bites.
    watches = watches_limit(shorter, play_seeds(agent, shorter, seeds, threads), *past)
    return None if watches else past


def agents_of(levels: Sequence[LevelReport]) -> list[str]:
    """All agents of a report, each once, in their order."""
    return list(dict.fromkeys(played.agent for report in levels for played in report.played))
