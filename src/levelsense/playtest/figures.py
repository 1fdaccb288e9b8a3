"""All figures of a playtest, level by level."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.extra import REPEATS, Extra, play_extra
from levelsense.playtest.limits import Check, LimitCurve, limit_curve, limit_of
from levelsense.playtest.plan import Sink
from levelsense.playtest.result import PlaytestResult
from levelsense.playtest.skill_and_luck import Luck, Skill, luck, skill
from levelsense.playtest.statistics import ENOUGH, LevelStatistics, level_statistics

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
