"""The page's part on the thesis' hypothesis: players get better along the saga, since weak ones leave."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from levelsense.studies.page import StudyPage
from levelsense.studies.poromaa import charts, published
from levelsense.studies.poromaa.intervals import (
    UNSURE,
    Check,
    Interval,
    Values,
    add_checks,
    check_sign,
    difference_of_means,
    mean_over_levels,
)
from levelsense.studies.poromaa.saga import HEURISTIC, LEAVING, MAIN_LEAVING, Rates, SagaPlayers, Stage

BOT: Final = "mcts-b2"
BEST_SHARE: Final = 0.1  # of the players, by skill


@dataclass(frozen=True)
class Lead:
    """How far a bot is ahead of players level by level, on early and on later levels."""

    early: Values
    late: Values

    @property
    def change(self) -> Interval:
        """Later less early."""
        return difference_of_means(self.late, self.early)


def lead_in_points(bot: str, stages: tuple[Stage, Stage], players: SagaPlayers, leave: float) -> Lead:
    """The lead as a difference of success rates."""
    return Lead(*(stage.rates[bot] - players.rates(stage.numbers, leave) for stage in stages))


def lead_in_log_odds(bot: str, stages: tuple[Stage, Stage], players: SagaPlayers, leave: float) -> Lead:
    """The lead in log odds, which has no ceiling at easy levels and no floor at hard ones.

    Half a success and half a failure are added to the counts of each level, so that all are defined.
    """
    parts = []
    for stage in stages:
        won, tried = players.counts(stage.numbers, leave)
        bots = (stage.rates[bot] * stage.tries + 0.5) / (stage.tries + 1)
        parts.append(logit(bots) - logit((won + 0.5) / (tried + 1)))
    return Lead(*parts)


def tell_hypothesis(
    page: StudyPage, early: Stage, late: Stage, players: SagaPlayers, correlations: tuple[Rates, Rates]
) -> list[Check]:
    """Whether the player base gets better along the saga, and whether scores tell less of wins later."""
    page.heading("Does the player base get better along the saga?")
    page.text(
        "B2 was 30.1 points above players on early levels and 3.1 below them on later ones: it lost 33",
        "points against them. The thesis has two explanations: weak players leave, and scores go along",
        "with wins less on later levels. Here the same players play the whole saga, and whoever fails",
        "much leaves or stays by `--leave`. Who stays plays as if nobody had left, so that rows of the",
        "table differ in who is there and in nothing else. *Skill* is a player's success rate over all",
        "levels, had it played them all. Success rates and B2's lead are means over levels, the lead in",
        "percentage points and, since later levels are harder, in log odds.",
    )
    _add_leaving(page, (early, late), players)
    checks = [
        *_check_leaving((early, late), players),
        *_check_scores((early, late), players, correlations),
    ]
    add_checks(page, checks)
    return checks


def _add_leaving(page: StudyPage, stages: tuple[Stage, Stage], players: SagaPlayers) -> None:
    """The table and the chart of who is left."""
    skill, rows, skills = players.skill(), [], {}
    for leave in LEAVING:
        present = players.present(leave)
        counts = present.sum(axis=1)
        skills[str(leave)] = (present * skill).sum(axis=1) / counts
        points, odds = (lead(BOT, stages, players, leave) for lead in (lead_in_points, lead_in_log_odds))
        rows.append(
            (
                str(leave),
                *(f"{counts[stage.numbers].mean():.0f}" for stage in stages),
                *(f"{100 * skills[str(leave)][stage.numbers].mean():.1f} %" for stage in stages),
                *(f"{100 * players.rates(stage.numbers, leave).mean():.1f} %" for stage in stages),
                *(f"{100 * lead.mean():+.1f}" for lead in (points.early, points.late)),
                points.change.points,
                odds.change.number(2),
            )
        )
    page.table(
        (
            "leave",
            *("players, early", "later"),
            *("skill, early", "later"),
            *("success, early", "later"),
            *("B2's lead, early", "later"),
            "change",
            "change in log odds",
        ),
        rows,
    )
    page.chart("survivors", charts.survivor_chart(skills), "Mean skill of the players who are left")


def _check_leaving(stages: tuple[Stage, Stage], players: SagaPlayers) -> list[Check]:
    """Whether those who are left are better, and how much of B2's fall that makes."""
    early, late = stages
    everybody = players.rates(late.numbers)
    gain = mean_over_levels(players.rates(late.numbers, MAIN_LEAVING) - everybody)
    before = mean_over_levels(players.rates(early.numbers, MAIN_LEAVING) - players.rates(early.numbers))
    skill = players.skill()
    best = skill >= np.quantile(skill, 1 - BEST_SHARE)
    bound = mean_over_levels(rates_of(players, late, best) - everybody)
    left = players.present(MAIN_LEAVING)[late.numbers].sum(axis=1).mean() / len(players.population)
    fall = 100 * (published.EARLY[BOT][0] - published.LATE[BOT][0])
    return [
        check_sign(
            f"players who are left later ({left:.0%}, leave {MAIN_LEAVING}) do better than all would",
            "likely",
            gain,
            1,
        ),
        Check(
            "how much of the fall of B2's lead that makes",
            f"of {-fall:.1f} points, perhaps all",
            f"{100 * (before.value - gain.value):+.1f} points",
            "in part: the effect is there, and far smaller" if gain.sign > 0 else UNSURE,
        ),
        Check(
            "the most that any way of leaving could make: only the best tenth by skill is left",
            f"it would have to be about {fall:.0f} points",
            f"{bound.points} points of success at later levels",
            "no: in a population as varied as this one, who leaves cannot explain it"
            if bound.high < fall / 100
            else "yes",
        ),
    ]


def rates_of(players: SagaPlayers, stage: Stage, chosen: NDArray[np.bool_]) -> Rates:
    """The success rates of some players at the levels of a stage."""
    attempts, won = players.attempts[stage.numbers][:, chosen], players.won[stage.numbers][:, chosen]
    rates: Rates = won.sum(axis=1) / attempts.sum(axis=1)
    return rates


def _check_scores(
    stages: tuple[Stage, Stage], players: SagaPlayers, correlations: tuple[Rates, Rates]
) -> list[Check]:
    """The other explanation: that scores tell less of wins on later levels."""
    early, late = (values[~np.isnan(values)] for values in correlations)
    change = difference_of_means(late, early)
    heuristic = lead_in_points(HEURISTIC, stages, players, MAIN_LEAVING).change
    published_change = 100 * (published.LATE[HEURISTIC][0] - published.EARLY[HEURISTIC][0])
    return [
        Check(
            "scores go along with progress less on later levels: rank correlation in random attempts",
            "perhaps",
            f"{early.mean():.2f} early, {late.mean():.2f} later: {change.number(2)}",
            "yes" if change.sign < 0 else "no" if change.sign > 0 else UNSURE,
        ),
        Check(
            "the heuristic, which has no score signal, loses against players as well",
            f"{published_change:.1f} points (tables 4.4 and 4.6)",
            f"{heuristic.points} points (leave {MAIN_LEAVING})",
            "so at most some 10 of the published 33 points can be the score signal's",
        ),
    ]
