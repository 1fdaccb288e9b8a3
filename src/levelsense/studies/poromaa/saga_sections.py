"""The page's part on phases 3 and 4: bots beside simulated players."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from levelsense.level.level import Level
from levelsense.report.theme import rate_axis
from levelsense.studies.page import StudyPage
from levelsense.studies.poromaa import charts, published
from levelsense.studies.poromaa.intervals import (
    Check,
    Interval,
    Values,
    add_checks,
    check_sign,
    check_value,
    deviation_over_levels,
    difference_of_means,
    mean_over_levels,
    slope,
)
from levelsense.studies.poromaa.saga import (
    HEURISTIC,
    MAIN_LEAVING,
    TESTER_MIX,
    TESTERS,
    Rates,
    SagaPlayers,
    Stage,
)

NAMES: Final = {
    "testers": "testers (simulated)",
    HEURISTIC: "heuristic",
    "mcts-b1": "B1",
    "mcts-b2": "B2",
    "mcts-b3": "B3",
    "mcts-b4": "B4",
}
EASY: Final = 0.8  # success of the heuristic
OTHER_PLAYERS: Final = "the players are simulated ones, and the levels and the heuristic ours"


def deltas_of(rates: Mapping[str, Rates], people: Rates) -> dict[str, Values]:
    """Success rates less those of players, level by level."""
    return {who: of_levels - people for who, of_levels in rates.items()}


def adjusted(delta: Values, people: Rates) -> Values:
    """Adjusted deltas (equation 3.6) of the levels where players neither always win nor always lose."""
    kept = (people > 0) & (people < 1)
    values: Values = delta[kept] / np.sqrt(people[kept] * (1 - people[kept]))
    return values


def _named(values: Mapping[str, Values]) -> dict[str, Values]:
    return {NAMES[who]: of_levels for who, of_levels in values.items()}


def _add_deltas(
    page: StudyPage, values: Mapping[str, Values], thesis: Mapping[str, published.Delta], adjusted_ones: bool
) -> None:
    def words(interval: Interval) -> str:
        return interval.number(2) if adjusted_ones else interval.points

    page.table(
        ("less the players", "published mean", "our mean", "published SD", "our SD"),
        [
            (
                NAMES[who],
                f"{thesis[who][0]:+.3f}" if adjusted_ones else f"{100 * thesis[who][0]:+.1f}",
                words(mean_over_levels(of_levels)),
                f"{thesis[who][1]:.3f}" if adjusted_ones else f"{100 * thesis[who][1]:.1f}",
                words(deviation_over_levels(of_levels)).replace("+", ""),
            )
            for who, of_levels in values.items()
        ],
    )


def _check_means(
    values: Mapping[str, Values], thesis: Mapping[str, published.Delta], where: str
) -> list[Check]:
    checks = []
    for who, of_levels in values.items():
        interval = mean_over_levels(of_levels)
        checks.append(
            check_value(
                f"{NAMES[who]} less players, {where}",
                thesis[who][0],
                interval,
                f"{100 * thesis[who][0]:+.1f} points",
                f"{interval.points} points",
                OTHER_PLAYERS,
            )
        )
    return checks


def tell_early(page: StudyPage, stage: Stage, players: SagaPlayers) -> list[Check]:
    """Phase 3: table 4.4, figures 4.13 and 4.14."""
    page.heading("Phase 3: bots beside players on early levels")
    people = players.rates(stage.numbers, MAIN_LEAVING)
    first = stage.numbers.start + 1
    values = deltas_of(stage.rates, people)
    page.text(
        f"Levels {first} to {first + stage.count - 1} of the generated saga, {stage.tries} attempts of",
        "each bot at each. B1 has 50 simulations a move, B2 and B3 have 100, B3 with heuristic playouts.",
        f"In the place of people stand {len(players.population)} simulated players",
        f"(`{players.population.mix}`)",
        f"who play the saga from its first level on; who fails much leaves (`--leave {MAIN_LEAVING}`). How",
        "far bots are from players in absolute terms is therefore not the thesis' question any more: how",
        "good simulated players are was our choice. How bots compare with each other, and how differences",
        f"go with difficulty, can be compared. Players succeed in {100 * people.mean():.1f} % of attempts",
        f"on average over these levels ({100 * people.min():.0f} to {100 * people.max():.0f} %). Means and",
        "standard deviations (SD) of differences over levels, in percentage points:",
    )
    _add_deltas(page, values, published.EARLY, False)
    rates = {"players (simulated)": people, **_named(stage.rates)}
    page.chart(
        "early-sum",
        charts.accumulated_chart(rates, first, "Early levels: success rates added up"),
        "Success rates of players and bots on early levels, added up from level to level",
    )
    page.chart(
        "early-deltas",
        charts.delta_chart(
            people, _named(values), "Early levels: bots less players", rate_axis("Bot less players")
        ),
        "Differences between bots and players on early levels over the players' success rate",
    )
    b1, b2, b3 = (stage.rates[f"mcts-b{number}"] for number in (1, 2, 3))
    middle = np.abs(people - 0.5) < np.median(np.abs(people - 0.5))
    over = {who: mean_over_levels(values[who]) for who in values}
    trends = {who: slope(people, values[who]) for who in ("mcts-b2", "mcts-b3")}
    checks = [
        *_check_means(values, published.EARLY, "early"),
        Check(
            "all bots do better than players on average",
            "yes",
            ", ".join(f"{NAMES[who]} {interval.points}" for who, interval in over.items()),
            "yes" if all(interval.sign > 0 for interval in over.values()) else "no, not all of them",
        ),
        check_sign("B2 (100 simulations) against B1 (50)", "+10.7 points", mean_over_levels(b2 - b1), 1),
        check_sign(
            "B3 (heuristic playouts) against B2 (random)",
            "+12.8 points",
            mean_over_levels(b3 - b2),
            1,
            "see below",
        ),
        check_sign(
            "B2 less players: levels nearer to 50 % against the others",
            "larger: small on hard and on easy levels",
            difference_of_means(values["mcts-b2"][middle], values["mcts-b2"][~middle]),
            1,
        ),
        Check(
            "the heuristic helps B3 mainly on hard levels: slope of its trend line against B2's",
            "falls more steeply",
            f"{trends['mcts-b3'].number(2)} against {trends['mcts-b2'].number(2)}",
            _steeper(slope(people, b3 - b2)),
        ),
    ]
    add_checks(page, checks)
    _tell_kinds(page, stage, players)
    return checks


def _tell_kinds(page: StudyPage, stage: Stage, players: SagaPlayers) -> None:
    """What heuristic playouts bring: by the heuristic's own success, and by what levels ask for."""
    heuristic_rates = stage.rates[HEURISTIC]
    page.text(
        "What do heuristic playouts bring? A search tells moves apart by how often playouts end well.",
        "Where the heuristic wins from almost any position, they end well after good moves and poor ones",
        "alike, 100 simulations cannot see the difference, and the search plays one of many moves that",
        "look equal. Our heuristic is a far better player, beside B2, than King's was: that is where B3",
        "has little to gain. Mean success rates over levels, and B3 less B2 in points:",
    )
    kinds = np.array([goal_kind(named.level) for named in players.levels[stage.numbers]])
    groups = {
        f"the heuristic wins less than {EASY:.0%}": heuristic_rates < EASY,
        f"the heuristic wins {EASY:.0%} or more": heuristic_rates >= EASY,
        **{f"goal: {kind}": kinds == kind for kind in dict.fromkeys(kinds)},
    }
    rows = []
    for name, there in groups.items():
        if there.any():
            gain = stage.rates["mcts-b3"][there] - stage.rates["mcts-b2"][there]
            rates = (stage.rates[bot][there].mean() for bot in (HEURISTIC, "mcts-b2", "mcts-b3"))
            rows.append(
                (
                    name,
                    str(there.sum()),
                    *(f"{100 * rate:.1f} %" for rate in rates),
                    mean_over_levels(gain).points if there.sum() > 2 else f"{100 * gain.mean():+.1f}",
                )
            )
    page.table(("levels", "number", "heuristic", "B2", "B3", "B3 less B2"), rows)


def goal_kind(level: Level) -> str:
    """What a level asks for, in a word."""
    asked = [
        name
        for name, is_asked in (
            ("jelly", level.goals.jelly),
            ("ingredients", level.goals.ingredients),
            ("orders", level.goals.orders),
            ("score", level.goals.score),
        )
        if is_asked
    ]
    return asked[0] if len(asked) == 1 else "several"


def _steeper(difference: Interval) -> str:
    if difference.sign < 0:
        return "yes"
    return "no" if difference.sign > 0 else f"cannot be told: their difference is {difference.number(2)}"


def tell_late(page: StudyPage, stage: Stage, testers: Rates, players: SagaPlayers) -> list[Check]:
    """Phase 4: table 4.6, figures 4.15 to 4.19."""
    page.heading("Phase 4: predicting players on later levels")
    people = players.rates(stage.numbers, MAIN_LEAVING)
    first = stage.numbers.start + 1
    rates = {"testers": testers.mean(axis=1), **stage.rates}
    values = deltas_of(rates, people)
    z = {who: adjusted(of_levels, people) for who, of_levels in values.items()}
    present = players.present(MAIN_LEAVING)[stage.numbers]
    page.text(
        f"Levels {first} to {first + stage.count - 1}, {stage.tries} attempts of each bot. B4 is B2 with",
        f"150 simulations. {TESTERS} simulated testers (`{TESTER_MIX}`) make their attempts at a level one",
        "after the other, won or lost, and learn from each, as players do from lost ones. Of the players",
        f"{present.sum(axis=1).min()} to {present.sum(axis=1).max()} are left, and succeed in",
        f"{100 * people.mean():.1f} % of attempts on average ({100 * people.min():.0f} to",
        f"{100 * people.max():.0f} %). Differences in percentage points:",
    )
    _add_deltas(page, values, published.LATE, False)
    page.text("Adjusted, the differences over the square root of p (1 - p), p the players' success rate:")
    _add_deltas(page, z, published.LATE_ADJUSTED, True)
    page.chart(
        "late-sum",
        charts.accumulated_chart(
            {"players (simulated)": people, **_named(rates)}, first, "Later levels: success rates added up"
        ),
        "Success rates of players, testers and bots on later levels, added up from level to level",
    )
    axis = rate_axis("Less players")
    page.chart(
        "late-deltas",
        charts.delta_chart(people, _named(values), "Later levels: less players", axis),
        "Differences to players on later levels over the players' success rate",
    )
    page.chart(
        "late-boxes",
        charts.box_chart(_named(values), "Later levels: less players", axis),
        "Boxes of the differences to players on later levels",
    )
    kept = (people > 0) & (people < 1)
    page.chart(
        "late-adjusted",
        charts.delta_chart(
            people[kept],
            _named(z),
            "Later levels: adjusted differences",
            charts.plain_axis("Adjusted difference"),
        ),
        "Adjusted differences to players on later levels over the players' success rate",
    )
    page.chart(
        "late-adjusted-boxes",
        charts.box_chart(
            _named(z), "Later levels: adjusted differences", charts.plain_axis("Adjusted difference")
        ),
        "Boxes of the adjusted differences to players on later levels",
    )
    checks = _check_late(values, rates, people, testers)
    add_checks(page, checks)
    return checks


def _check_late(
    values: Mapping[str, Values], rates: Mapping[str, Rates], people: Rates, testers: Rates
) -> list[Check]:
    errors = {who: np.abs(of_levels) for who, of_levels in values.items()}
    nearest = min(errors, key=lambda who: float(errors[who].mean()))
    means = ", ".join(f"{NAMES[who]} {100 * error.mean():.1f}" for who, error in errors.items())
    straight = {who: left_after_line(rates[who], people) for who in rates}
    line_means = ", ".join(f"{NAMES[who]} {100 * residual:.1f}" for who, residual in straight.items())
    best = min(straight, key=lambda who: straight[who])
    return [
        *_check_means(values, published.LATE, "later"),
        Check(
            "whose success rates are nearest to the players'",
            "B4",
            f"mean absolute difference in points: {means}",
            "yes" if nearest == "mcts-b4" else f"no: {NAMES[nearest]}; {OTHER_PLAYERS}",
        ),
        Check(
            "the same after a straight line through all levels (not in the thesis)",
            "-",
            f"mean absolute residual in points: {line_means}",
            f"{NAMES[best]} tells most of which levels are hard",
        ),
        check_sign(
            "B4 (150 simulations) against B2 (100)",
            "+1.8 points",
            mean_over_levels(rates["mcts-b4"] - rates["mcts-b2"]),
            1,
        ),
        check_sign(
            "testers do better than players",
            "+6.6 points",
            mean_over_levels(values["testers"]),
            1,
        ),
        Check(
            "and scatter more than B4: SD of differences",
            "16.6 and 10.0 points",
            f"{100 * values['testers'].std(ddof=1):.1f} and {100 * values['mcts-b4'].std(ddof=1):.1f} "
            "points; the "
            f"three testers succeed in {', '.join(f'{100 * rate:.0f}' for rate in testers.mean(axis=0))} %",
            "yes"
            if values["testers"].std(ddof=1) > values["mcts-b4"].std(ddof=1)
            else f"no: {OTHER_PLAYERS}",
        ),
    ]


def left_after_line(rates: Rates, people: Rates) -> float:
    """The mean absolute residual of players' rates after a straight line in a bot's."""
    centered = rates - rates.mean()
    spread = float((centered**2).sum())
    steep = float((centered * people).sum()) / spread if spread else 0.0
    return float(np.abs(people - people.mean() - steep * centered).mean())
