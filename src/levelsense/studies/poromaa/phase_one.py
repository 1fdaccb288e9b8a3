"""The page's part on phase 1: random play, the state space, search trees, and time."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from levelsense.playtest.interval import NORMAL_95, wilson
from levelsense.studies.page import StudyPage
from levelsense.studies.poromaa import charts, published
from levelsense.studies.poromaa.intervals import Check, Interval, add_checks, check_value
from levelsense.studies.poromaa.random_play import RandomPlay, implied_candies
from levelsense.studies.poromaa.searches import time_by_part
from levelsense.studies.poromaa.trees import C_VALUES, tree_spec

NEAR_ACTIONS = 0.05  # a share of the published mean: the boards are not King's
NEAR_SUCCESS = 0.002  # two attempts in a thousand
NEAR_CANDIES = 0.5


def tell_random_play(page: StudyPage, plays: Sequence[RandomPlay]) -> list[Check]:
    """Table 4.1 and figure A.1; gives the findings."""
    page.heading("Phase 1: random play and the state space")
    page.text(
        f"{plays[0].attempts:,} random attempts at each of the three levels, whose boards are ours and",
        "whose features are the published ones. *Actions* is the mean number of legal moves over all",
        f"positions. Figures agree if the published one is in the interval, or within {NEAR_ACTIONS:.0%}",
        f"of the mean number of actions and {100 * NEAR_SUCCESS:.1f} points of the success rate.",
    )
    checks = []
    for play in plays:
        thesis = published.LEVELS[play.level]
        half = NORMAL_95 * play.error
        actions = Interval(play.actions, play.actions - half, play.actions + half)
        checks.append(
            check_value(
                f"actions, level {thesis.number}",
                thesis.actions,
                actions,
                f"{thesis.actions:.2f}",
                actions.number(2),
                "the layout is ours",
                NEAR_ACTIONS * thesis.actions,
            )
        )
    for play in plays:
        thesis = published.LEVELS[play.level]
        success = Interval(play.wins / play.attempts, *wilson(play.wins, play.attempts))
        checks.append(
            check_value(
                f"success of random play, level {thesis.number}",
                thesis.success,
                success,
                f"{100 * thesis.success:.1f} %",
                f"{100 * success.value:.2f} % ({100 * success.low:.2f} to {100 * success.high:.2f})",
                "the layout is ours",
                NEAR_SUCCESS,
            )
        )
    skewed = [play.scores["skewness"] for play in plays]
    checks.append(
        Check(
            "scores are skewed to the right (figure A.1)",
            "highly (second edition)",
            "skewness " + ", ".join(f"{value:.2f}" for value in skewed),
            "yes"
            if min(skewed) > 0.3
            else "in part: on level 13 they are not, whose scores are mostly those of plain lines; King's "
            "scoring is not known",
        )
    )
    add_checks(page, checks)
    page.chart(
        "scores", charts.score_chart(plays), "Distribution of scores of random attempts at three levels"
    )
    return checks + _tell_state_space(page, plays)


def _tell_state_space(page: StudyPage, plays: Sequence[RandomPlay]) -> list[Check]:
    page.text(
        "**The state space** of equation 3.5 is the product over a level's moves of actions and K, the",
        "number of states that an action may lead to. The thesis does not give its K. By its example K is",
        "the number of colors to the power of the candies that a move clears, so that each published size",
        "tells how many candies it was computed with. Ours counts the candies that come in after a move,",
        "cascades and all.",
    )
    first, second, third = plays
    rows, checks = [], []
    powers = {play.level: published.LEVELS[play.level].power for play in plays}
    swapped = powers | {first.level: powers[second.level], second.level: powers[first.level]}
    for play in plays:
        thesis = published.LEVELS[play.level]
        implied = [
            implied_candies(sizes[play.level], thesis.actions, thesis.depth, thesis.colors)
            for sizes in (powers, swapped)
        ]
        rows.append(
            (
                str(thesis.number),
                f"10^{thesis.power:.0f}",
                f"10^{play.state_space():.0f}",
                f"{implied[0]:.1f}",
                f"{implied[1]:.1f}",
                f"{play.new_candies:.1f}",
            )
        )
    page.table(
        (
            "level",
            "published size",
            "ours",
            "candies a move by the published size",
            "the same, first two sizes exchanged",
            "candies a move, counted here",
        ),
        rows,
    )
    fits = implied_candies(swapped[first.level], 8.93, 21, 6)
    agrees = abs(fits - first.new_candies) < NEAR_CANDIES
    page.text(
        "As published, a move on level 13, with six colors and nothing but candies, would bring in twice as",
        "many candies as one on level 77, which has four colors and long cascades. That cannot be.",
        f"Exchanged, the two sizes fit: level 13 takes {fits:.1f} candies a move, and we count",
        f"{first.new_candies:.1f}. **The sizes of levels 13 and 77 seem to have been exchanged in",
        "table 4.1**, in",
        "both editions." if agrees else "both editions; our counts on these boards do not settle it, though.",
    )
    for play, other in ((first, second), (second, first), (third, third)):
        thesis, size = published.LEVELS[play.level], play.state_space()
        exchanged = published.LEVELS[other.level].power
        near = abs(size - thesis.power) < 0.1 * thesis.power
        near_exchanged = abs(size - exchanged) < 0.1 * exchanged
        verdict = (
            "yes"
            if near
            else f"no: it does with the size of level {published.LEVELS[other.level].number}, see below"
            if near_exchanged
            else "no: the layout is ours, and a size is a power of the candies a move, so that it tells "
            f"{implied_candies(exchanged, thesis.actions, thesis.depth, thesis.colors):.1f} of them from "
            f"{play.new_candies:.1f}"
        )
        checks.append(
            Check(f"state space, level {thesis.number}", f"10^{thesis.power:.0f}", f"10^{size:.0f}", verdict)
        )
    return checks


def tell_trees(page: StudyPage, trees: Mapping[tuple[float, str], dict[str, Any]]) -> list[Check]:
    """Figures 4.1 to 4.3."""
    page.heading("Phase 1: search trees")
    some = next(iter(trees.values()))
    page.text(
        "The first search of an attempt at level 13 with 100 simulations, twice from the same board: one",
        f"where five can be lined up (seed {some['seed']}), as in the thesis. *Mean* is over the",
        "first boards of",
        f"{some['boards']} other attempts. The drawings are those of"
        " `levelsense tree thesis-013 --agent SPEC --seed N`.",
    )
    rows = []
    for (c, playout), tree in trees.items():
        thesis = published.TREES[c]
        one, mean = tree["one"], tree["mean"]
        rows.append(
            (
                f"C {c}, {playout} playouts",
                f"{thesis[0]}; {thesis[1]} visits, {thesis[2]} wins",
                f"{one['won']}; {one['visits']} visits, {one['wins']} wins",
                "yes" if one["makes_bomb"] else "no",
                f"{mean['won']:.1f}; {mean['visits']:.1f} visits",
                f"{mean['depth']:.1f}",
            )
        )
    page.table(
        (
            "search",
            "published: simulations won; chosen move",
            "ours, this board",
            "takes the five",
            "ours, mean of boards",
            "mean depth",
        ),
        rows,
    )
    page.text(
        "Of 100 simulations 31 and 33 were won in the thesis. Random playouts cannot do that from the",
        "first board of a level where 2 of 100 random attempts succeed: these trees must have been grown",
        "with guided playouts, which the captions do not say. With ours, more than half of the",
        "simulations are won: our heuristic is the better player on this level.",
    )
    for c in C_VALUES:
        tree = trees[c, "heuristic"]
        name = f"tree-{str(c).replace('.', '')}"
        page.drawing(name, tree["svg"], f"Search tree of {tree_spec(c, 'heuristic')} on level 13")
    narrow, wide = (trees[c, "heuristic"]["mean"] for c in (0.1, 0.6))
    checks = [
        Check(
            "a small C puts more simulations on one move",
            "70 of 100 with C 0.1, 21 with 0.6",
            f"{narrow['visits']:.0f} and {wide['visits']:.0f} on average",
            "yes" if narrow["visits"] > wide["visits"] else "no",
        ),
        Check(
            "and makes the tree deeper",
            "deeper with C 0.1",
            f"depth {narrow['depth']:.1f} and {wide['depth']:.1f} on average",
            "yes" if narrow["depth"] > wide["depth"] else "no",
        ),
    ]
    add_checks(page, checks)
    return checks


def tell_time(page: StudyPage, timed: Mapping[str, Any]) -> list[Check]:
    """Figure 4.4."""
    page.heading("Phase 1: time")
    parts = time_by_part(dict(timed))
    weights = np.array([part["searches"] for part in parts])
    tree, playout, replay = (
        float((weights * [part[key] for part in parts]).sum() / weights.sum())
        for key in ("tree", "playout", "replay")
    )
    ours = tree + playout
    page.text(
        f"{timed['attempts']} attempts at level 13 with 100 simulations a move, random playouts and the",
        "binary signal. King's game could only be started at the first move, so that every simulation",
        "replayed the moves chosen before. Ours copies the position. What a replay would cost is told by",
        "the cost of a move in a playout: seconds of searches were fitted as one number a simulation and",
        "one a playout's move.",
    )
    page.chart(
        "time", charts.time_chart(parts), "Time of a simulation in the tree, in playouts, and for replays"
    )
    first, last = parts[0], parts[-1]
    checks = [
        Check(
            "a simulation on level 13 takes",
            f"{published.SECONDS_A_SIMULATION} s",
            f"{1e6 * ours:.0f} millionths of a second",
            f"no: {published.SECONDS_A_SIMULATION / ours:,.0f} times as fast; compiled rules "
            "without a client "
            "around them, and no replay",
        ),
        Check(
            "later searches take as long as early ones",
            "roughly",
            f"{1e6 * first['measured']:.0f} before the first move, {1e6 * last['measured']:.0f} "
            "before the last; "
            f"with replays {1e6 * (first['measured'] + first['replay']):.0f} and "
            f"{1e6 * (last['measured'] + last['replay']):.0f}",
            "yes with replays; without them a simulation gets shorter with the rest of the attempt",
        ),
        Check(
            "without replays a search would take half the time",
            "half",
            f"{ours / (ours + replay):.0%} of it: replays would cost {1e6 * replay:.0f} millionths "
            "of a second "
            f"beside {1e6 * playout:.0f} of playouts and {1e6 * tree:.0f} in the tree",
            "yes" if 0.4 <= ours / (ours + replay) <= 0.6 else "no",
        ),
    ]
    wins, attempts = int(timed["wins"]), int(timed["attempts"])
    success = Interval(wins / attempts, *wilson(wins, attempts))
    published_rate = published.TIMED_WINS / published.TIMED_ATTEMPTS
    # Both rates have errors: the published one's own interval is allowed for.
    low, high = wilson(published.TIMED_WINS, published.TIMED_ATTEMPTS)
    checks.append(
        check_value(
            "attempts of this bot that succeed at level 13",
            published_rate,
            success,
            f"{published.TIMED_WINS} of {published.TIMED_ATTEMPTS} ({100 * published_rate:.0f} %)",
            success.share,
            "the layout is ours, and random play gives few wins to learn from",
            (high - low) / 2,
        )
    )
    add_checks(page, checks)
    return checks
