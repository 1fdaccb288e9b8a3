"""Statistics in words, the same in the terminal and in the report."""

from dataclasses import fields, is_dataclass
from math import isnan
from typing import Any

import numpy as np

from levelsense.level.level import Level
from levelsense.playtest.estimate import QUANTILES, AttemptsNeeded, Estimate, Spread
from levelsense.playtest.limits import LimitCurve, limit_of
from levelsense.playtest.skill_and_luck import SAME_PLAY, Luck, Skill
from levelsense.playtest.statistics import LevelStatistics, StarScores

# From which share on luck, and from which gain on skill, is called what; the least first.
MATTERS = ((0.0, "hardly matters"), (0.05, "matters a little"), (0.20, "matters much"), (0.50, "decides"))

_MORE_LUCK = "; agents that draw random numbers show it, such as random or mcts"


def percent(share: float) -> str:
    """A share in per cent, with one digit behind the point."""
    return f"{share:.1%}"


def rate_words(rate: Estimate) -> str:
    """A share with its interval: `35.0% (29.8 - 40.6%)`."""
    if rate.value is None or rate.high is None:
        return "-"
    return f"{percent(rate.value)} ({100 * rate.low:.1f} - {percent(rate.high)})"


def number_words(number: float) -> str:
    """A number of attempts: with one digit behind the point below 10."""
    rounded = round(number, 1)
    return f"{rounded:,.1f}" if rounded < 10 and rounded != int(rounded) else f"{number:,.0f}"


def estimate_words(estimate: Estimate) -> str:
    """A number of attempts: `14`, or `over 26` without a success."""
    return f"over {number_words(estimate.low)}" if estimate.value is None else number_words(estimate.value)


def needed_words(needed: AttemptsNeeded) -> str:
    """How many attempts a success takes on average, and how many the first takes."""
    return (
        f"{estimate_words(needed.per_success)} attempts per success; the first takes "
        f"{_at_most(needed.median)} half of the time, {_at_most(needed.most)} 95% of the time"
    )


def _at_most(estimate: Estimate) -> str:
    return estimate_words(estimate) if estimate.value is None else f"at most {estimate_words(estimate)}"


def limit_words(level: Level) -> str:
    """A level's limit: `30 moves`, `1 move`, `50 seconds`."""
    return counted(*limit_of(level))


def counted(number: float, unit: str) -> str:
    """Moves or seconds: `30 moves`, `1 move`, `2.5 seconds`."""
    return f"{number:g} {unit.removesuffix('s') if number == 1 else unit}"


def left_words(left: Spread | None, unit: str) -> str:
    """What was left of the limit in won attempts."""
    if left is None:
        return "none was won"
    low, high = left.quantiles[QUANTILES.index(0.25)], left.quantiles[QUANTILES.index(0.75)]
    return f"{counted(left.median, unit)} in the median win, {low:g} to {high:g} in the middle half"


def near_miss_words(statistics: LevelStatistics) -> str:
    """How many lost attempts were near misses, and how many others were one piece short, if any."""
    if not statistics.lost:
        return "none was lost"
    words = f"{rate_words(statistics.near_misses)} of {lost_words(statistics)}"
    if not statistics.one_short.value:
        return words
    return f"{words}; another {percent(statistics.one_short.value)} lacked one piece, more than 10% of a goal"


def lost_words(statistics: LevelStatistics) -> str:
    """How many attempts were lost: `12 lost attempts`."""
    return f"{statistics.lost:,} lost attempt{'' if statistics.lost == 1 else 's'}"


def bottleneck_words(statistics: LevelStatistics) -> str:
    """Which goal was most often the furthest from done."""
    for goal in statistics.goals:
        if goal.name == statistics.bottleneck:
            done, lost = f"{goal.done[1]:.0%} of it done in the median", lost_words(statistics)
            if len(statistics.goals) == 1:
                return f"{goal.name}, the only goal: {done} of {lost}"
            return f"{goal.name}: furthest from done in {goal.furthest:.0%} of {lost}, {done}"
    return "none was lost"


def endings_words(statistics: LevelStatistics) -> str:
    """How attempts ended, the most frequent first."""
    return ", ".join(
        f"{reason} {count / statistics.attempts:.0%}" for reason, count in statistics.endings.items()
    )


def shuffle_words(statistics: LevelStatistics) -> str:
    """How often the candies had to be shuffled."""
    shuffles = statistics.shuffles
    return f"{shuffles.mean:.2f} an attempt, some in {percent(shuffles.attempts)} of attempts"


def legal_words(statistics: LevelStatistics) -> str:
    """How many moves there were to choose from."""
    return "-" if statistics.legal_moves is None else f"{statistics.legal_moves:.1f} on average"


def score_words(score: Spread | None) -> str:
    """How the scores of wins spread."""
    if score is None:
        return "none was won"
    others = {
        share: number for share, number in zip(QUANTILES, score.quantiles, strict=True) if share != 0.50
    }
    numbers = " / ".join(f"{number:,.0f}" for number in others.values())
    places = " / ".join(f"{100 * share:.0f}" for share in others)
    return f"{score.median:,.0f} in the median win; {numbers} at {places}%"


def star_words(stars: StarScores | None) -> str:
    """Suggested star scores and the shares of wins that reach them."""
    if stars is None:
        return "too few wins to suggest any"
    scores = " / ".join(f"{score:,}" for score in stars.scores)
    reached = " / ".join(f"{share:.0%}" for share in stars.reached)
    words = f"{scores}, reached by {reached} of wins"
    if stars.now is not None:
        words += f" (the present ones by {' / '.join(f'{share:.0%}' for share in stars.now)})"
    return words


def skill_words(skill: Skill, weak: str, strong: str) -> str:
    """What better play brings."""
    gain = skill.gain
    if gain.value is None or gain.high is None:
        return "-"
    more = "more" if gain.value >= 0 else "less"
    points = (
        f"{strong} wins {100 * abs(gain.value):.1f} percentage points {more} than {weak} "
        f"(95% interval {100 * gain.low:+.1f} to {100 * gain.high:+.1f})"
    )
    if gain.low <= 0 <= gain.high:
        return f"cannot be told from none: {points}"
    word = _how_much(gain) or "how much it matters cannot be told"
    return f"{word if gain.value > 0 else 'the weak agent does better'}: {points}"


def _how_much(share: Estimate) -> str | None:
    """What the whole interval is called: a word, or two that are neighbors; None if it spans more."""
    low, high = (_place(end or 0.0) for end in (share.low, share.high))
    if high - low > 1:
        return None
    return MATTERS[low][1] if low == high else f"{MATTERS[low][1]} or {MATTERS[high][1]}"


def _place(share: float) -> int:
    return max((place for place, (least, _) in enumerate(MATTERS) if share >= least), default=0)


def luck_words(luck: Luck) -> str:
    """How much the board's seed decides."""
    if luck.share is None or luck.share.value is None or luck.share.high is None:
        return f"cannot be told: {luck.why}{_MORE_LUCK if luck.why == SAME_PLAY else ''}"
    word = _how_much(luck.share) or f"cannot be told by {luck.boards} boards"
    interval = f"{100 * luck.share.low:.1f} - {percent(luck.share.high)}"
    return f"{word}: the board's seed decides {percent(max(luck.share.value, 0.0))} ({interval}) of it"


def as_data(figure: Any) -> Any:
    """A statistic as dicts, lists, numbers and texts; no tile, and no value, is None."""
    if isinstance(figure, LimitCurve):
        low, high = figure.band
        parts = {"limit": figure.limits, "rate": figure.rates, "low": low, "high": high}
        return {"unit": figure.unit, "attempts": figure.attempts, **as_data(parts)}
    if is_dataclass(figure):
        return {field.name: as_data(getattr(figure, field.name)) for field in fields(figure)}
    if isinstance(figure, dict):
        return {name: as_data(part) for name, part in figure.items()}
    if isinstance(figure, np.ndarray):
        return as_data(figure.tolist())
    if isinstance(figure, list | tuple):
        return [as_data(part) for part in figure]
    return None if isinstance(figure, float) and isnan(figure) else figure
