"""What the page says in words: one function a place in the template."""

from collections.abc import Mapping

from levelsense.playtest.extra import REPEATS
from levelsense.playtest.figures import LevelReport, Played
from levelsense.playtest.limits import limit_of, limits_to_play
from levelsense.playtest.skill_and_luck import LEAST_BOARDS
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

# The figures of a level's table: what a row is called, what it tells, and where the definition stands.
Figure = tuple[str, list[str]]


def goals_words(report: LevelReport) -> str:
    """What a level asks for."""
    return ", ".join(
        f"{asked:,} {'points' if name == 'score' else name}" for name, asked in report.level.asked.items()
    )


def facts(report: LevelReport) -> str:
    """A level in a line: board, limit, goals."""
    level = report.level
    return f"{level.rows} x {level.columns} board, {limit_words(level)}, goals: {goals_words(report)}"


def attempts_words(levels: list[LevelReport]) -> str:
    """How many attempts each agent had at each level."""
    counts = sorted({played.statistics.attempts for report in levels for played in report.played})
    if not counts:
        return "none"
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"


def total_attempts(levels: list[LevelReport]) -> int:
    """How many attempts were made in all."""
    return sum(played.statistics.attempts for report in levels for played in report.played)


def played_by(report: LevelReport, agent: str) -> Played | None:
    """What an agent did on a level; None if it did not play it."""
    return next((played for played in report.played if played.agent == agent), None)


def hardest_first(
    levels: list[LevelReport], predicted: Mapping[str, float] | None = None
) -> list[tuple[int, LevelReport]]:
    """Levels with their numbers, by predicted success rate where there is one, then by the agents' rates.

    Of the agents the strong one counts first, then all.
    """
    known = predicted or {}

    def rates(item: tuple[int, LevelReport]) -> tuple[float, float, float]:
        report = item[1]
        every = [played.statistics.success.value or 0.0 for played in report.played]
        strong = report.strong.statistics.success.value or 0.0
        return known.get(report.name, 0.0), strong, sum(every) / len(every)

    return sorted(enumerate(levels, start=1), key=rates)


def percentage(share: float | None) -> str:
    """A share as CSS wants a width."""
    return f"{100 * (share or 0.0):.2f}%"


def figures(report: LevelReport) -> list[Figure]:
    """The table of a level's figures, a column an agent."""
    unit = limit_of(report.level)[1]
    found = [played.statistics for played in report.played]
    return [
        ("Attempts", [f"{one.attempts:,}" for one in found]),
        ("Success rate", [rate_words(one.success) for one in found]),
        ("Attempts per success", [estimate_words(one.needed.per_success) for one in found]),
        (
            "First success, half of the time within",
            [_tries(estimate_words(one.needed.median)) for one in found],
        ),
        (
            "First success, 95% of the time within",
            [_tries(estimate_words(one.needed.most)) for one in found],
        ),
        (f"{unit.capitalize()} left when won", [left_words(one.left, unit) for one in found]),
        ("Ended by", [endings_words(one) for one in found]),
        ("Near misses", [near_miss_words(one) for one in found]),
        ("Bottleneck", [bottleneck_words(one) for one in found]),
        ("Shuffles", [shuffle_words(one) for one in found]),
        ("Legal moves", [legal_words(one) for one in found]),
        ("Score of wins", [score_words(one.score) for one in found]),
        ("Suggested stars", [star_words(one.stars) for one in found]),
        (f"Success rate by limit ({unit})", [limits_words(report, played) for played in report.played]),
        ("Luck", [played_luck_words(played) for played in report.played]),
    ]


def limits_words(report: LevelReport, played: Played) -> str:
    """Success rates with some limits: `5: 10.0%, 10: 35.5%, ...`."""
    if played.curve is not None:
        limits = [limit for limit in limits_to_play(report.level) if limit <= played.curve.longest]
        rates = {limit: played.curve.at(limit)[0] for limit in limits}
    else:
        rates = {check.limit: check.rate for check in played.checks}
    return ", ".join(f"{limit}: {percent(rate)}" for limit, rate in rates.items()) or "not played"


def played_luck_words(played: Played) -> str:
    """How much the board decides for an agent."""
    return luck_words(played.luck) if played.luck else f"too few attempts, it takes {LEAST_BOARDS * REPEATS}"


def _tries(words: str) -> str:
    return f"{words} attempt" if words == "1" else f"{words} attempts"


def skill_told(report: LevelReport) -> str:
    """What better play brings on a level, or how to find out."""
    found = report.skill
    if found is None:
        return f"needs two agents, such as {_other(report)} and {report.strong.agent}"
    return skill_words(found, report.weak.agent, report.strong.agent)


def _other(report: LevelReport) -> str:
    return "heuristic" if report.strong.agent == "random" else "random"


def skill_sentence(report: LevelReport) -> str:
    """What better play brings, as a sentence."""
    return f"Skill: {skill_told(report)}."


def luck_sentence(report: LevelReport) -> str:
    """How much the board decides, for the strongest agent of which that can be told, or why for none."""
    by = report.lucky or report.strong
    whose = f", for {by.agent}" if report.lucky else ""
    return f"Luck: {played_luck_words(by)}{whose}."


def headline(report: LevelReport) -> str:
    """A level's result in a sentence or two: by its strong agent, and by one that lost often enough."""
    strong = report.strong
    found = strong.statistics
    told = f"{strong.agent} wins {percent(found.success.value or 0.0)}."
    return f"{told} {_held_up(report)}".rstrip()


def _held_up(report: LevelReport) -> str:
    """What held attempts up; nothing if none was lost."""
    by = report.telling
    if by is None:
        lost = any(played.statistics.lost for played in report.played)
        return "Too few attempts were lost to tell what held them up." if lost else ""
    found = by.statistics
    share = found.near_misses.value or 0.0
    told = f"{share:.0%} of {by.agent}'s {lost_words(found)} were near misses"
    return told + (f"; {found.bottleneck} is the bottleneck." if len(found.goals) > 1 else ".")


def whose(report: LevelReport) -> str:
    """Whose lost attempts tell near misses and bottleneck, and how many these are."""
    by = report.telling
    return f"{by.agent}, {by.statistics.lost:,} lost" if by else ""
