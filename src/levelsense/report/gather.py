"""From a playtest to what its report tells: statistics, and the extra attempts that some of them need."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from levelsense.game.level import Level
from levelsense.playtest.batches import REPEATS, play_for_luck, play_past_limit
from levelsense.playtest.limits import LimitCurve, limit_curve, limit_of, moved_curve
from levelsense.playtest.luck import LEAST_BOARDS, Luck, luck
from levelsense.playtest.plan import Player
from levelsense.playtest.recall import recall_attempts
from levelsense.playtest.result import PlaytestResult
from levelsense.playtest.skill import Skill, skill
from levelsense.playtest.statistics import LevelStatistics, level_statistics

Tell = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Played:
    """What one agent did on one level: rows of ATTEMPT_DTYPE, and what is told from them.

    curve  success rate by limit: from attempts past the limit if there were any, else up to it
    rough  whether the agent did otherwise past the limit than with it: the curve is moved to fit, and rough
    luck   None if no attempts were made for it
    """

    agent: str
    rows: Any
    statistics: LevelStatistics
    curve: LimitCurve
    rough: bool = False
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


def played_from(
    level: Level, agent: str, rows: Any, past: tuple[Level, Any] | None = None, luck_rows: Any = None
) -> Played:
    """What is told from an agent's attempts, with those past the limit and for luck if there are any."""
    found = level_statistics(level, rows)
    curve, rough = found.curve, False
    if past is not None:
        raw, limit = limit_curve(*past), int(limit_of(level)[0])
        curve = moved_curve(raw, limit, found.wins, found.attempts)
        rough = not found.success.low <= raw.at(limit)[0] <= (found.success.high or 1.0)
    told = luck(luck_rows, REPEATS) if luck_rows is not None else None
    return Played(agent, rows, found, curve, rough, told)


def gather_report(
    result: PlaytestResult, threads: int | None = None, tell: Tell = lambda sentence: None
) -> list[LevelReport]:
    """What a playtest's report tells, level by level; plays past the limit and for luck on the way."""
    levels: dict[str, tuple[str, Level, list[Played]]] = {}
    told = [pair for pair in result.pairs if pair.attempts]
    for number, pair in enumerate(told, start=1):
        tell(f"report {number}/{len(told)}: {pair.pair.name}, {pair.agent}: past the limit, and for luck ...")
        rows = recall_attempts(pair.level, pair.rows)
        past, luck_rows = play_extra(pair.pair.agent, pair.level, pair.attempts, pair.pair.seed, threads)
        entry = levels.setdefault(pair.pair.digest, (pair.pair.name, pair.level, []))
        entry[2].append(played_from(pair.level, pair.agent, rows, past, luck_rows))
    return rank_agents([LevelReport(name, level, tuple(played)) for name, level, played in levels.values()])


def play_extra(
    agent: Player, level: Level, attempts: int, seed: int, threads: int | None
) -> tuple[tuple[Level, Any], Any]:
    """Attempts past the limit and for luck; none for luck where there would be too few boards."""
    past = play_past_limit(agent, level, attempts, seed, threads)
    if attempts < LEAST_BOARDS * REPEATS:
        return past, None
    return past, play_for_luck(agent, level, attempts, seed, threads)


def agents_of(levels: Sequence[LevelReport]) -> list[str]:
    """All agents of a report, each once, in their order."""
    return list(dict.fromkeys(played.agent for report in levels for played in report.played))
