"""The page's part on phase 2: the eight tests of table 4.2, and shrinking looked into."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from levelsense.studies.page import StudyPage
from levelsense.studies.poromaa import charts
from levelsense.studies.poromaa.intervals import (
    Check,
    add_checks,
    alike,
    check_alike,
    check_sign,
    difference,
    rate,
)
from levelsense.studies.poromaa.parameters import (
    CHEAP_LEVELS,
    GOALS_SHRINKING,
    GUIDED_SHRINKING,
    LEVELS,
    SHRINKING,
    TESTS,
    Setup,
    ShrinkingSetups,
    pooled,
)
from levelsense.studies.poromaa.playing import Wins
from levelsense.studies.poromaa.searches import SHRUNK

Setups = Mapping[str, Setup]
MIDDLE: Final = tuple(map(str, SHRUNK))  # shrinking factors between 0 and 1


def tell_parameters(page: StudyPage, setups: Setups) -> list[Check]:
    """The rates of all setups, and the findings of tests 1 to 6 and 8."""
    page.heading("Phase 2: parameters of the search")
    count = len(next(iter(setups.values())).wins[LEVELS[0]])
    page.text(
        f"{count} attempts of each setup at each level, 100 simulations a move. All setups play from the",
        "same boards, so that differences are of pairs of attempts; each is the mean over the three",
        "levels, in percentage points. Whether more than two setups are equally good is told by Cochran's Q,",
        "a board a block, added over levels, and corrected by Box's epsilon: some setups go along more than",
        "others, since a limit of three or four moves hardly limits a search. The thesis calls its own",
        "differences a rough indication: with 200 attempts a level a difference of two setups is known to",
        "about 5 points to either side, and it tells none of its rates but in bars.",
    )
    page.chart(
        "parameters", charts.parameter_chart(setups), "Success rates of every setup of the eight tests"
    )
    page.table(
        ("test", "setup", *LEVELS, "mean"),
        [
            (
                f"{test.number}, {test.varies}",
                value,
                *(rate(setups[spec].wins[level]).share for level in LEVELS),
                f"{100 * setups[spec].stack / len(LEVELS):.1f} %",
            )
            for test in TESTS
            for value, spec in test.agents.items()
        ],
    )
    checks = [*_check_signals(setups), *_check_playouts(setups), *_check_little_effects(setups)]
    add_checks(page, checks)
    return checks


def _wins(setups: Setups, test: int, *values: str) -> list[Mapping[str, Wins]]:
    """The wins of a test's setups with these values; of all if none are given."""
    agents = TESTS[test - 1].agents
    return [setups[agents[value]].wins for value in values or agents]


def _check_signals(setups: Setups) -> list[Check]:
    binary, goals, score, combined = _wins(setups, 6, "binary", "goals", "score", "combined")
    checks = [
        check_sign(f"binary signal against {name}", "binary worse", difference(binary, [other]), -1)
        for name, other in (("goals", goals), ("score", score), ("combined", combined))
    ]
    return [
        *checks,
        check_sign("goals signal against score", "goals better", difference(goals, [score]), 1),
        check_sign("combined signal against score", "combined better", difference(combined, [score]), 1),
    ]


def _check_playouts(setups: Setups) -> list[Check]:
    random, mast, clouded, heuristic = _wins(setups, 8, "random", "to-mast", "clouded", "heuristic")
    mast_gain = difference(mast, [random])
    return [
        check_sign("heuristic playouts against random", "better", difference(heuristic, [random]), 1),
        check_sign("clouded playouts against random", "better", difference(clouded, [random]), 1),
        Check(
            "TO-MAST playouts against random",
            "no better",
            f"{mast_gain.points} points",
            "yes" if mast_gain.sign <= 0 else "no: better here",
        ),
    ]


def _check_little_effects(setups: Setups) -> list[Check]:
    one, *others = _wins(setups, 1, "1", "3", "5", "10")
    checks = [check_sign("branching 1 against 3, 5 and 10", "slightly worse", difference(one, others), -1)]
    for number, published in (
        (2, "no consistent difference"),
        (3, "no consistent difference"),
        (4, "no large influence"),
        (5, "no large influence"),
    ):
        test = TESTS[number - 1]
        means = [setups[spec].stack / len(LEVELS) for spec in test.agents.values()]
        checks.append(
            check_alike(
                f"test {number}: {test.varies}",
                published,
                alike(_wins(setups, number)),
                max(means) - min(means),
                "see the table",
            )
        )
    for number in (4, 5):
        limited, free = _wins(setups, number, "1", "none")
        checks.append(
            check_sign(
                f"test {number}: depth 1 against no limit", "slightly better", difference(limited, [free]), 1
            )
        )
    return checks


def tell_shrinking(
    page: StudyPage, setups: Setups, shrinking: ShrinkingSetups, searches: Sequence[Mapping[str, Any]]
) -> list[Check]:
    """Test 7, with further attempts, and what the factor can change."""
    page.heading("Phase 2: does shrinking matter?")
    free = {value: pooled(setups[spec], shrinking.more[spec]) for value, spec in SHRINKING.items()}
    guided = {value: shrinking.guided[spec] for value, spec in GUIDED_SHRINKING.items()}
    goals = {value: shrinking.goals[spec] for value, spec in GOALS_SHRINKING.items()}
    counts = ", ".join(f"{len(won)} at {level}" for level, won in free["1"].wins.items())
    page.text(
        "Published: factors of 0, where a loss is worth nothing, and of 1, where it may be worth as much",
        "as a win, do worse than those between. A factor of 0 is the binary signal, so that its half of",
        "the finding is that of test 6 again. The other half is about 1. It was looked into with more",
        f"attempts ({counts}), with heuristic playouts ({len(guided['1'].wins[CHEAP_LEVELS[0]])} attempts",
        "at two levels), and with the goals signal, which the agent `mcts` has and B1 to B4 have not",
        f"({len(goals['1'].wins[CHEAP_LEVELS[0]])} attempts at two levels).",
    )
    checks = [
        check_sign(
            "shrinking 0 against 0.25 to 0.75",
            "worse",
            difference(free["0"].wins, [free[value].wins for value in MIDDLE]),
            -1,
        ),
        check_sign(
            "shrinking 1 against 0.25 to 0.75",
            "worse",
            difference(free["1"].wins, [free[value].wins for value in MIDDLE]),
            -1,
        ),
        check_sign(
            "shrinking 1 against 0.5 and 0.75",
            "worse",
            difference(free["1"].wins, [free[value].wins for value in ("0.5", "0.75")]),
            -1,
        ),
    ]
    further = [
        check_sign(
            "heuristic playouts: shrinking 1 against 0.25 to 0.75",
            "-",
            difference(guided["1"].wins, [guided[value].wins for value in MIDDLE]),
            -1,
        ),
        check_sign(
            "goals signal: shrinking 1 against 0.25 and 0.5",
            "-",
            difference(goals["1"].wins, [goals[value].wins for value in ("0.25", "0.5")]),
            -1,
        ),
    ]
    scaled = {level: free["0.25"].wins[level] for level in CHEAP_LEVELS}
    further.append(
        check_sign(
            "shrinking 0.25 with C 0.15 against 0.25 with C 0.6, at two levels",
            "-",
            difference(shrinking.scaled.wins, [scaled]),
            1,
        )
    )
    add_checks(page, [*checks, *further])
    cases = {"score signal, random": free, "score signal, heuristic": guided, "goals signal, random": goals}
    page.chart(
        "shrinking", charts.shrinking_chart(cases), "Success rates by shrinking factor, with intervals"
    )
    _tell_mixed(page, free, searches)
    return checks


def _tell_mixed(page: StudyPage, free: Setups, searches: Sequence[Mapping[str, Any]]) -> None:
    """How often the factor can change a choice at all."""
    differs = alike([free[value].wins for value in (*MIDDLE, "1")])
    page.text(
        "If factors of 0.25 to 1 were equally good, differences as large as these would have p =",
        f"{differs:.4f}. The factor does two things. It sets wins apart from losses, which helps. And it",
        "brings the means of moves nearer to each other beside the same C, so that UCB explores more,",
        "which costs: with a C that is a quarter, too, the smallest factor does better at two levels.",
        "Both can show only in a search that has wins and losses: where all playouts are lost, the factor",
        "scales all means alike. So the searches of B2, which does not shrink, were watched",
        f"({searches[0]['attempts']} attempts a level): how many have both, and in how many of these",
        "another move would have had the highest mean, had losses counted less.",
    )
    page.table(
        (
            "level",
            "searches",
            "all playouts lost",
            "wins and losses",
            "mean worth of a loss there",
            *(f"another move with {value}" for value in MIDDLE),
        ),
        [
            (
                level,
                f"{row['searches']:,}",
                f"{row['all lost'] / row['searches']:.0%}",
                f"{row['mixed'] / row['searches']:.0%}",
                f"{row['loss']:.2f}",
                *(f"{row['changed'][value] / max(1, row['mixed']):.0%} of these" for value in MIDDLE),
            )
            for level, row in zip(LEVELS, searches, strict=True)
        ],
    )
