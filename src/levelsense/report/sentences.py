"""The sentences of the page about levels: one function a place in the template."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from levelsense.level.words import goal_words
from levelsense.playtest.figures import REPEATS, LevelFigures, Played
from levelsense.playtest.limits import limit_of, limits_to_play
from levelsense.playtest.skill_and_luck import LEAST_BOARDS
from levelsense.playtest.statistics import ENOUGH, HeatMap
from levelsense.playtest.words import (
    bottleneck_words,
    endings_words,
    estimate_words,
    left_words,
    legal_words,
    limit_words,
    lost_words,
    luck_words,
    near_miss_words,
    percent,
    rate_words,
    score_words,
    shuffle_words,
    skill_words,
    star_words,
)

if TYPE_CHECKING:
    from levelsense.losses.explain import Losses
    from levelsense.prediction.tuning import LimitRate

# A row of a level's table of figures: its label, and a cell an agent.
Figure = tuple[str, list[str]]


def goals_words(report: LevelFigures) -> str:
    """The goals of a level: `clear 16 layers of jelly`."""
    return ", ".join(goal_words(name, number) for name, number in report.level.asked.items())


def facts(report: LevelFigures) -> str:
    """A level in a line: board, limit, goals."""
    level = report.level
    return f"{level.rows} x {level.columns} board, {limit_words(level)}, goals: {goals_words(report)}"


def attempts_words(levels: list[LevelFigures]) -> str:
    """How many attempts each agent had at each level."""
    counts = sorted({played.statistics.attempts for report in levels for played in report.played})
    if not counts:
        return "none"
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"


def total_attempts(levels: list[LevelFigures]) -> int:
    """How many attempts were made in all."""
    return sum(played.statistics.attempts for report in levels for played in report.played)


def search_text(report: LevelFigures, losses: "Losses | None") -> str:
    """What a search on the page looks at, in small letters: a level's names, goals and reasons."""
    reasons = " ".join(losses.sentences) if losses is not None else ""
    return f"{report.name} {report.level.name} {goals_words(report)} {reasons}".lower()


def agents_heat(report: LevelFigures) -> list[tuple[str, HeatMap]]:
    """Maps of what was left, of all agents that lost often enough."""
    return [
        (played.agent, heat)
        for played in report.played
        if played.statistics.lost >= ENOUGH
        for heat in played.statistics.heat
    ]


def heat_title(heat: HeatMap) -> str:
    """The title of a board with heat: `Where jelly was left`."""
    return f"Where {heat.kind} {'were' if heat.kind.endswith('s') else 'was'} left"


def heat_words(heat: HeatMap, agent: str) -> str:
    """What the numbers on a board are."""
    return f"% of {heat.lost:,} lost attempts of {agent}"


def played_by(report: LevelFigures, agent: str) -> Played | None:
    """An agent's results at a level; None if it did not play it."""
    return next((played for played in report.played if played.agent == agent), None)


def hardest_first(
    levels: list[LevelFigures], predicted: Mapping[str, float] | None = None
) -> list[tuple[int, LevelFigures]]:
    """Levels with their numbers, by predicted success rate where there is one, then by the agents' rates.

    Of the agents the strong one counts first, then all.
    """
    known = predicted or {}

    def rates(item: tuple[int, LevelFigures]) -> tuple[float, float, float]:
        report = item[1]
        every = [played.statistics.success.value or 0.0 for played in report.played]
        strong = report.strong.statistics.success.value or 0.0
        return known.get(report.name, 0.0), strong, sum(every) / len(every)

    return sorted(enumerate(levels, start=1), key=rates)


def percentage(share: float | None) -> str:
    """A share as a CSS width."""
    return f"{100 * (share or 0.0):.2f}%"


def figures(report: LevelFigures) -> list[Figure]:
    """The table of a level's figures, a column an agent."""
    unit = limit_of(report.level)[1]
    statistics = [played.statistics for played in report.played]
    return [
        ("Attempts", [f"{entry.attempts:,}" for entry in statistics]),
        ("Success rate", [rate_words(entry.success) for entry in statistics]),
        ("Attempts per success", [estimate_words(entry.needed.per_success) for entry in statistics]),
        (
            "First success, half of the time within",
            [_tries(estimate_words(entry.needed.median)) for entry in statistics],
        ),
        (
            "First success, 95% of the time within",
            [_tries(estimate_words(entry.needed.most)) for entry in statistics],
        ),
        (f"{unit.capitalize()} left when won", [left_words(entry.left, unit) for entry in statistics]),
        ("Ended by", [endings_words(entry) for entry in statistics]),
        ("Near misses", [near_miss_words(entry) for entry in statistics]),
        ("Bottleneck", [bottleneck_words(entry) for entry in statistics]),
        ("Shuffles", [shuffle_words(entry) for entry in statistics]),
        ("Legal moves", [legal_words(entry) for entry in statistics]),
        ("Score of wins", [score_words(entry.score) for entry in statistics]),
        ("Suggested stars", [star_words(entry.stars) for entry in statistics]),
        (f"Success rate by limit ({unit})", [limits_words(report, played) for played in report.played]),
        ("Luck", [played_luck_words(played) for played in report.played]),
    ]


def limits_words(report: LevelFigures, played: Played) -> str:
    """Success rates with some limits: `5: 10.0%, 10: 35.5%, ...`."""
    if played.curve is not None:
        limits = [limit for limit in limits_to_play(report.level) if limit <= played.curve.longest]
        rates = {limit: played.curve.at(limit)[0] for limit in limits}
    else:
        rates = {check.limit: check.rate for check in played.checks}
    return ", ".join(f"{limit}: {percent(rate)}" for limit, rate in rates.items()) or "not played"


def predicted_limits_words(report: LevelFigures, by_limit: "Sequence[LimitRate]") -> str:
    """What is predicted with each limit: `Predicted success rate by limit (moves): 5: 10.0%, ...`."""
    rates = ", ".join(f"{rate.limit:g}: {percent(rate.rate)}" for rate in by_limit)
    return f"Predicted success rate by limit ({limit_of(report.level)[1]}): {rates}."


def played_luck_words(played: Played) -> str:
    """An agent's luck at a level, or how many attempts it takes to estimate it."""
    return luck_words(played.luck) if played.luck else f"too few attempts, it takes {LEAST_BOARDS * REPEATS}"


def _tries(words: str) -> str:
    return f"{words} attempt" if words == "1" else f"{words} attempts"


def level_skill_words(report: LevelFigures) -> str:
    """The skill at a level, or which agents it takes to estimate it."""
    skill = report.skill
    if skill is None:
        return f"needs two agents, such as {_other(report)} and {report.strong.agent}"
    return skill_words(skill, report.weak.agent, report.strong.agent)


def _other(report: LevelFigures) -> str:
    return "heuristic" if report.strong.agent == "random" else "random"


def skill_sentence(report: LevelFigures) -> str:
    """The skill at a level, as a sentence."""
    return f"Skill: {level_skill_words(report)}."


def luck_sentence(report: LevelFigures) -> str:
    """The luck at a level by the strongest agent with an estimate, or what that takes, as a sentence."""
    played = report.lucky or report.strong
    of_agent = f", for {played.agent}" if report.lucky else ""
    return f"Luck: {played_luck_words(played)}{of_agent}."


def headline(report: LevelFigures) -> str:
    """A level's result in a sentence or two: by its strong agent, and by one that lost often enough."""
    strong = report.strong
    statistics = strong.statistics
    sentence = f"{strong.agent} wins {percent(statistics.success.value or 0.0)}."
    return f"{sentence} {_held_up(report)}".rstrip()


def _held_up(report: LevelFigures) -> str:
    """Near misses and bottleneck of lost attempts, in a sentence; empty if none was lost."""
    telling = report.telling
    if telling is None:
        lost = any(played.statistics.lost for played in report.played)
        return "Too few attempts were lost to tell what held them up." if lost else ""
    statistics = telling.statistics
    share = statistics.near_misses.value or 0.0
    sentence = f"{share:.0%} of {telling.agent}'s {lost_words(statistics)} were near misses"
    return sentence + (f"; {statistics.bottleneck} is the bottleneck." if len(statistics.goals) > 1 else ".")


def losses_words(report: LevelFigures) -> str:
    """The agent that near misses and bottleneck are of, and its number of lost attempts; empty if none."""
    telling = report.telling
    return f"{telling.agent}, {telling.statistics.lost:,} lost" if telling else ""
