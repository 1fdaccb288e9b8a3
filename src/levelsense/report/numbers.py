"""The numbers behind charts: tables of plain values, small enough to travel inside a page."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.game.state import REASON_NAMES
from levelsense.playtest.figures import LevelFigures, Played
from levelsense.playtest.limits import between
from levelsense.playtest.statistics import ENOUGH, PROGRESS_QUANTILES
from levelsense.prediction.levels import LevelPrediction
from levelsense.prediction.tuning import LimitRate

Values = list[dict[str, Any]]
MOST_POINTS = 120
FEWEST_BINS, MOST_BINS = 6, 30
PLOT_WIDTH, STAR_WIDTH = 420, 11  # pixels, about


PREDICTED: Final = "predicted"


def success_values(report: LevelFigures, expected: LevelPrediction | None = None) -> Values:
    """The predicted success rate with its 95 % band, if there is one, then each agent's with its interval."""
    agents = [{"who": played.agent, "kind": "agent", **_rate(played)} for played in report.played]
    return (
        agents
        if expected is None
        else [{"who": PREDICTED, "kind": PREDICTED, **predicted(expected)}, *agents]
    )


def predicted(expected: LevelPrediction) -> dict[str, Any]:
    """A predicted success rate with its 95 % band."""
    low, high = expected.band_95
    return {"rate": short(expected.rate), "low": short(low), "high": short(high)}


def _rate(played: Played) -> dict[str, Any]:
    statistics = played.statistics
    return {
        "rate": statistics.success.value,
        "low": statistics.success.low,
        "high": statistics.success.high,
        "attempts": statistics.attempts,
        "wins": statistics.wins,
    }


def predicted_over_levels(levels: list[LevelFigures], expected: Mapping[str, LevelPrediction]) -> Values:
    """Predicted success rates over all levels, in their order."""
    return [{"level": report.name, **predicted(expected[report.name])} for report in levels]


def difficulty_values(levels: list[LevelFigures]) -> Values:
    """Agents' success rates over all levels, numbered in their order."""
    return [
        {"level": report.name, "order": order, "agent": played.agent, **_rate(played)}
        for order, report in enumerate(levels, start=1)
        for played in report.played
    ]


def skill_and_luck_values(levels: list[LevelFigures]) -> Values:
    """Skill and luck of the levels of which both are known."""
    values = []
    for report in levels:
        gained, lucky = report.skill, report.lucky
        if gained is None or lucky is None or lucky.luck is None or lucky.luck.share is None:
            continue
        values.append(
            {
                "level": report.name,
                "skill": gained.gain.value,
                "luck": max(lucky.luck.share.value or 0.0, 0.0),
                "low": short(lucky.luck.share.low),
                "high": short(lucky.luck.share.high or 1.0),
                "agent": lucky.agent,
            }
        )
    return values


def limit_values(report: LevelFigures) -> Values:
    """Points of every agent's success rate by limit; `from` says where a point comes from.

    past      from attempts past the limit, with an interval; thinned out where there are many
    played    from attempts with this limit, with an interval
    between   a guess between limits that were played, without any
    """
    return [
        {"agent": played.agent, **point}
        for played in report.played
        for point in (*_points_past(played), *_points_played(played))
    ]


def limit_rate_values(rates: Sequence[LimitRate]) -> Values:
    """Predicted success rates by limit, with the ends of their bands."""
    return [
        {"limit": rate.limit, "rate": short(rate.rate), "low": short(rate.low), "high": short(rate.high)}
        for rate in rates
    ]


def _points_past(played: Played) -> Values:
    curve = played.curve
    if curve is None:
        return []
    step = -(-curve.longest // MOST_POINTS)
    return [
        _point("past", limit, *curve.at(limit))
        for limit in range((curve.longest - 1) % step + 1, curve.longest + 1, step)
    ]


def _points_played(played: Played) -> Values:
    guessed = [_point("between", limit, rate) for limit, rate in between(played.checks)]
    step = max(-(-len(guessed) // MOST_POINTS), 1)
    known = [
        _point("played", check.limit, check.rate, check.success.low, check.success.high or 1.0)
        for check in played.checks
    ]
    return [*guessed[(len(guessed) - 1) % step :: step], *known]


def _point(source: str, limit: int, rate: float, *interval: float) -> dict[str, Any]:
    ends = dict(zip(("low", "high"), map(short, interval), strict=False))
    return {"from": source, "limit": limit, "rate": short(rate), **ends}


def winners(report: LevelFigures) -> list[Played]:
    """The agents whose wins are enough to draw."""
    return [played for played in report.played if played.statistics.wins >= ENOUGH]


def losers(report: LevelFigures) -> list[Played]:
    """The agents whose lost attempts are enough to draw."""
    return [played for played in report.played if played.statistics.lost >= ENOUGH]


def left_values(report: LevelFigures) -> Values:
    """How many wins had so much left of the limit: shares of an agent's wins, in bins."""
    left = {played.agent: played.attempts.limit_left[played.attempts.won] for played in winners(report)}
    return _binned(left, whole=report.level.moves is not None)


def score_values(report: LevelFigures) -> Values:
    """How many wins had such a score: shares of an agent's wins, in bins."""
    scores = {played.agent: played.attempts.score[played.attempts.won] for played in winners(report)}
    return _binned(scores, whole=True)


def _binned(numbers: Mapping[str, NDArray[Any]], whole: bool) -> Values:
    """Shares in bins that are the same for all agents; an agent without numbers has none."""
    known = [of_agent for of_agent in numbers.values() if len(of_agent)]
    if not known:
        return []
    low, high = min(of_agent.min() for of_agent in known), max(of_agent.max() for of_agent in known)
    edges = bin_edges(low, high, whole, most=fitting_bins(max(map(len, known))))
    values = []
    for agent, of_agent in numbers.items():
        if not len(of_agent):
            continue
        counts, _ = np.histogram(of_agent, edges)
        values += [
            {"agent": agent, "from": short(start), "to": short(end), "share": short(count / len(of_agent))}
            for start, end, count in zip(edges, edges[1:], counts, strict=False)
        ]
        # Where the outline comes down.
        values.append({"agent": agent, "from": short(edges[-1]), "to": short(edges[-1]), "share": 0})
    return values


def fitting_bins(count: int) -> int:
    """How many bins so many numbers fill: about twice their square root, so that few make no comb."""
    return max(FEWEST_BINS, min(round(2 * sqrt(count)), MOST_BINS))


def bin_edges(low: float, high: float, whole: bool, most: int = MOST_BINS) -> list[float]:
    """Edges of at most `most` + 2 bins from a round number on, a round number apart."""
    least = 1.0 if whole else 0.5
    rough = max((high - low) / most, least)
    power = 10.0 ** np.floor(np.log10(rough))
    width = next(
        step * power for step in (1, 2, 2.5, 5, 10) if step * power >= rough and _fits(step * power, whole)
    )
    first = np.floor(low / width) * width
    return [float(first + k * width) for k in range(int((high - first) // width) + 2)]


def _fits(width: float, whole: bool) -> bool:
    return not whole or width == int(width)


def endings_values(report: LevelFigures) -> Values:
    """How each agent's attempts ended, as shares."""
    places = list(REASON_NAMES)
    return [
        {
            "agent": played.agent,
            "reason": reason,
            "place": places.index(reason),
            "count": count,
            "share": short(count / played.statistics.attempts),
        }
        for played in report.played
        for reason, count in played.statistics.endings.items()
    ]


def goal_values(report: LevelFigures) -> Values:
    """How much of each goal was done in lost attempts, of agents with enough of them."""
    names = [f"p{100 * share:.0f}" for share in PROGRESS_QUANTILES]
    return [
        {
            "agent": played.agent,
            "goal": f"{goal.asked:,} {goal.name}",
            "unmet": goal.unmet,
            "furthest": goal.furthest,
            **dict(zip(names, goal.done, strict=True)),
        }
        for played in losers(report)
        for goal in played.statistics.goals
    ]


def star_values(report: LevelFigures, around: Sequence[dict[str, Any]] = ()) -> Values:
    """Star scores: those of the level, and those suggested for the strongest agent that has any.

    `around` are the bins that they are drawn over; the row says how high, so that none hides another.
    """
    scores: dict[str, Sequence[int]] = {"now": report.level.stars or ()}
    if by := suggested_by(report):
        assert by.statistics.stars is not None
        scores["suggested"] = by.statistics.stars.scores
    values = [
        {"score": score, "which": which, "label": "★" * stars}
        for which, stars_of in scores.items()
        for stars, score in enumerate(stars_of, start=1)
    ]
    scores_around = [float(value["from"]) for value in around]
    return _in_rows(
        values, [*scores_around, *(float(score) for stars_of in scores.values() for score in stars_of)]
    )


def _in_rows(stars: Values, scores: list[float]) -> Values:
    """Stars with their rows: each as low as it can be without meeting one to its left."""
    pixels = PLOT_WIDTH / max(max(scores, default=0) - min(scores, default=0), 1)
    ends: list[float] = []
    placed = []
    for star in sorted(stars, key=lambda star: star["score"]):
        half = (len(star["label"]) * STAR_WIDTH + STAR_WIDTH) / 2
        start, end = pixels * star["score"] - half, pixels * star["score"] + half
        row = next((row for row, last in enumerate(ends) if last <= start), len(ends))
        ends[row : row + 1] = [end]
        placed.append(star | {"row": row})
    return placed


def suggested_by(report: LevelFigures) -> Played | None:
    """The agent whose wins suggest star scores: the strong one, or else the last that won often enough."""
    able = [played for played in report.played if played.statistics.stars is not None]
    return report.strong if report.strong in able else able[-1] if able else None


def short(number: float) -> float:
    """Four digits behind the point are more than a chart can show."""
    return round(float(number), 4)
