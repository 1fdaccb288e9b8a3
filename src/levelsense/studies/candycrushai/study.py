"""The study of CandyCrush.ai: everything played and trained, and its page, section by section."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from levelsense.studies.candycrushai.cells import OURS, THEIRS, UTILITY_ALONE, Results, Sample, play_all
from levelsense.studies.candycrushai.charts import averages_chart, training_chart
from levelsense.studies.page import Finding, StudyPage
from levelsense.studies.run import StudyRun
from levelsense.studies.welch import TWO_SIDED_95, Welch, mean_interval

NAME: Final = "candycrushai"
PROGRAM: Final = "https://github.com/karan1149/candy-crush-rl"
# Figure 3: average scores. The human is the mean of ten games.
PUBLISHED: Final = {
    "baseline": 8456.76,
    "human": 31714.00,
    "greedy": 42889.54,
    "Q-learning": 61724.55,
    "linear": 85198.18,
    "network": 84668.18,
}
PUBLISHED_GAMES: Final = {"baseline": 1000, "greedy": 1000, "Q-learning": 100, "linear": 100, "network": 100}
# Who plays each of them in the authors' game and in ours. Learned values of the authors are utility but for
# a thousandth: see tell_features.
IN_THEIRS: Final = {
    "baseline": "first", "greedy": "greedy by row", "Q-learning": "sampling", "linear": "utility",
    "network": "utility",
}  # fmt: skip
IN_OURS: Final = {
    "baseline": "first", "greedy": "greedy", "Q-learning": "sampling:per=turn", "linear": "q-linear",
    "network": "q-network",
}  # fmt: skip
TURN_SECONDS: Final = {"greedy": (1, "much less than 1 s"), "Q-learning": (3, "about 3 s"),
                       "linear": (5, "about 5 s"), "network": (5, "about 5 s")}  # fmt: skip
# The converged weights of the program: of feature 5, and the largest of the others.
UTILITY_WEIGHT, OTHER_WEIGHT = 6203.5, 47.5


def mean_of(sample: Sample) -> str:
    """A mean with half of its 95 % interval."""
    mean, half = mean_interval(sample.scores)
    return f"{mean:,.0f} ± {half:,.0f}"


def introduce(page: StudyPage, run: StudyRun) -> None:
    """What the paper did, and what is done here."""
    page.text(
        'Jiwoo Lee, Niranjan Balachandar and Karan Singhal, "CandyCrush.ai: An AI Agent for Candy Crush"',
        "(2016), let five agents play for score: 9x9, five colors, 50 turns, nothing but lines. They are",
        "the [agents](../agents.md) `first`, `greedy`, `sampling`, `q-linear` and `q-network` here.",
    )
    page.block(f"    levelsense study candycrushai{' --quick' if run.quick else ''}")
    ours = ", ".join(f"{counts[run.quick]:,} of `{name}`" for name, counts in OURS.items())
    theirs = ", ".join(f"{counts[run.quick]:,} of *{name}*" for name, counts in THEIRS.items())
    page.text(
        "The paper has 1,000 games for the baseline and for greedy, 100 for each of the others (its text",
        f"also says 66), and 10 of a person. We have, in our game: {ours}. And in the authors' game:",
        f"{theirs}. All players here are programs.",
    )
    page.text(
        f"Figure 3 tells the averages. The authors [published their program]({PROGRAM}), and its game is",
        "another one than ours: so the same agents were written for that game, too. Errors are 95 %",
        "intervals. The paper has none; its averages are taken to vary as ours do, with as many games as",
        "it says.",
    )


def tell_averages(page: StudyPage, results: Results) -> None:
    """The averages of figure 3 in both games."""
    page.heading("Average scores")
    findings = []
    for name, agent in IN_THEIRS.items():
        sample, theirs = results.theirs[agent], PUBLISHED[name]
        error = (sample.variance * (1 / PUBLISHED_GAMES[name] + 1 / len(sample.scores))) ** 0.5
        agrees = bool(abs(theirs - sample.mean) <= TWO_SIDED_95 * error)
        findings.append(Finding(f"{name}: *{agent}*", f"{theirs:,.2f}", mean_of(sample), agrees))
    page.text(
        "In the authors' game; a published average agrees if the difference is within its 95 % interval:",
    )
    page.findings(findings)
    page.text(
        "In our game, where a round clears all lines at once, the same agents score less:",
    )
    page.table(
        ("published", "average", "our agent", "ours", "share of the published"),
        [
            (name, f"{PUBLISHED[name]:,.0f}", f"`{agent}`", mean_of(results.ours[agent]),
             f"{results.ours[agent].mean / PUBLISHED[name]:.2f}")
            for name, agent in IN_OURS.items()
        ],
    )  # fmt: skip
    page.chart(
        "averages",
        averages_chart(PUBLISHED, {"theirs": (results.theirs, IN_THEIRS), "ours": (results.ours, IN_OURS)}),
        "Average scores of each agent: published, in the authors' game, in ours",
    )
    page.text(
        "**Why the scores differ.** The rule of the program: each step of a cascade clears the *biggest*",
        "group only, and every other line that stands waits for the next step, with a higher combo",
        "number. In ours all lines of a board go at once, in one round. (The paper's text gives the score",
        "of a step by its biggest group; that the others stay is not said.) A line across and one down",
        "through the same cell count as one group of all their cells, five or more, where we count the",
        "longest line. Both multiply scores of moves that make much happen, and so stretch the distance",
        "between agents.",
    )


def tell_order(page: StudyPage, results: Results) -> None:
    """The order of the averages, with tests between neighbors."""
    page.heading("The order of the agents")
    rows = []
    for game, samples, agents in (
        ("the authors'", results.theirs, IN_THEIRS), ("ours", results.ours, IN_OURS),
    ):  # fmt: skip
        for worse, better in pairwise(IN_THEIRS):
            if agents[worse] == agents[better]:
                continue
            test = Welch(samples[agents[better]].scores, samples[agents[worse]].scores)
            claim = "about equal" if better == "network" else f"{better} above {worse}"
            agrees = test.p >= 0.05 if better == "network" else test.difference > 0 and test.p < 0.05
            low, high = test.interval
            difference = f"{test.difference:+,.0f} ({low:+,.0f} to {high:+,.0f})"
            tested = f"t = {test.t:.1f}, p {_p_words(test.p)}"
            names = f"{better} against {worse}"
            rows.append((game, names, claim, difference, tested, "yes" if agrees else "no"))
    page.table(("game", "agents", "published", "difference", "test", "agrees"), rows)
    _tell_greedy(page, results)
    _tell_sampling(page, results)


def _p_words(p: float) -> str:
    return f"= {p:.2f}" if p >= 0.01 else "< 0.01"


def _tell_greedy(page: StudyPage, results: Results) -> None:
    full, by_row = results.theirs["greedy"], results.theirs["greedy by row"]
    sampling = results.theirs["sampling"]
    page.text(
        "**Greedy was held back by a slip.** The program looks at the first legal move of each *row*",
        f"only, and leaves the row then. So it scores {mean_of(by_row)}. Greedy over all legal moves scores",
        f"{mean_of(full)}, Q-learning {mean_of(sampling)}: a difference of {_difference(full, sampling)}.",
        "That Q-learning beats greedy is a finding about the slip. (What it tries is a whole cascade, with",
        "candies of its own: a greedy player that counts what is sure to go, as our `greedy` does, gains",
        "little, since the cascade is where the points are.)",
    )


def _tell_sampling(page: StudyPage, results: Results) -> None:
    per_turn, per_move = results.ours["sampling:per=turn"], results.ours["sampling:epsilon=1"]
    page.text(
        "**On-the-fly Q-learning samples one move.** The program plays 25 simulations to the end of the",
        "game and then updates Q from the front: when the first move is updated, every position behind it",
        "still has Q = 0. So the rest of a simulation has no effect, and what is played is the best of 25",
        "random trials of single moves. That is how the agent is written for the authors' game here. By",
        f"the paper's text, with the mean final score as Q, `sampling:per=turn` scores {mean_of(per_turn)}",
        "in our game. With 25 simulations for each legal move (`sampling:epsilon=1`) it scores",
        f"{mean_of(per_move)}.",
    )


def _difference(first: Sample, second: Sample) -> str:
    low, high = Welch(first.scores, second.scores).interval
    return f"{first.mean - second.mean:+,.0f}, 95 % interval {low:+,.0f} to {high:+,.0f}"


def tell_network(page: StudyPage, results: Results) -> None:
    """Whether the network is better than the line, and what either has learned."""
    page.heading("Is the network better than the line?")
    line, network, alone = (results.ours[name] for name in ("q-linear", "q-network", UTILITY_ALONE))
    test = Welch(network.scores, line.scores)
    page.text(
        f"The paper says no: 84,668 against 85,198. {_network_words(test)}: `q-network` {mean_of(network)},",
        f"`q-linear` {mean_of(line)}, a difference of {_difference(network, line)} (p = {test.p:.2f}). What",
        "decides is feature 5, the median utility of 25 short episodes that begin with the move: the",
        "agent that plays the move with the highest feature 5, with nothing learned,",
        f"scores {mean_of(alone)} (less `q-linear`: {_difference(alone, line)}).",
    )
    page.text(
        f"It was so in the paper. The weights that the program holds are {UTILITY_WEIGHT:,.0f} for feature",
        f"5 and at most {OTHER_WEIGHT:.0f} for the others, which are smaller numbers besides; most of the",
        "others are the same for all moves of a position, and cannot change which is played. At the",
        "published step size of 10⁻¹¹ nothing else can be learned in reasonable time",
        "([why](../agents.md#training)). The line is feature 5, then, and a network over the same",
        "features finds nothing better. So *utility*, which is feature 5 alone, stands for both in the",
        "authors' game above.",
    )
    _tell_training(page, results)


def _network_words(test: Welch) -> str:
    """Whether our network and our line differ, at 95 %."""
    if test.p >= 0.05:
        return "Nor do they differ here"
    return "Here the network scores more" if test.difference > 0 else "Here the line scores more"


def _tell_training(page: StudyPage, results: Results) -> None:
    page.text(
        "How long it takes to learn that much: mean scores in our game after so many games of training",
        "(those of the first two rows are from the same seeds):",
    )
    columns = sorted({games for course, _ in results.courses for games in course.games})
    rows = []
    for course, samples in results.courses:
        by_games = dict(zip(course.games, samples, strict=True))
        cells = [mean_of(by_games[games]) if games in by_games else "" for games in columns]
        rows.append((f"`{course.kind}`, seed {course.seed}", str(course.attempts), *cells))
    page.table(("training", "attempts", *(f"{games} games" for games in columns)), rows)
    page.chart("training", training_chart(results.courses), "Mean scores by games of training")
    page.text(
        "Linear values begin as random play, since all weights are 0; the network begins with random",
        "parameters, well or far below random play. A few games will do for the line, and some dozens for",
        "the network, from every seed.",
    )


def tell_times(page: StudyPage, results: Results) -> None:
    """The time of a turn."""
    page.heading("Time for a turn")
    page.text(
        "Processor time of one core of an AMD EPYC, shared with other work; the paper's are by the clock",
        "of a machine that it does not name.",
    )
    findings = []
    for name, (limit, words) in TURN_SECONDS.items():
        agent = IN_OURS[name]
        seconds = results.ours[agent].turn_seconds
        findings.append((name, words, f"`{agent}`: {_time_words(seconds)}", f"1 to {limit / seconds:,.0f}"))
    page.table(("agent", "published", "ours", "ratio"), findings)
    page.text(
        "The order is the paper's: greedy, then sampling, then the two with features. How much longer",
        "each takes depends on the language: theirs is plain Python, ours is compiled.",
    )


def _time_words(seconds: float) -> str:
    return f"{1e6 * seconds:.1f} µs" if seconds < 1e-4 else f"{1000 * seconds:.2f} ms"


def tell_run_time(page: StudyPage, seconds: Mapping[str, float]) -> None:
    """How long each part of the study took."""
    page.heading("Time")
    page.text(
        "By the clock, on a machine that had much else to do.",
    )
    page.table(("part", "minutes"), [(part, f"{value / 60:.1f}") for part, value in seconds.items()])


def conclude(page: StudyPage, results: Results) -> None:
    """What a designer may take from it."""
    ours = results.ours
    page.heading("What a designer may take from it")
    ratio = ours["q-linear"].mean / ours["random"].mean
    first = ours["first"].mean / ours["random"].mean
    sure = ours["greedy"].mean / ours["random"].mean - 1
    stretched = results.theirs["utility"].mean / results.theirs["random"].mean
    page.items(
        f"**Points are made by cascades.** An agent that tries moves out scores {ratio:.1f} times as much"
        " as random moves in a game without any special candy; one that takes what is sure gains"
        f" {sure:.0%}. A score goal asks players to set up cascades, or to be lucky.",
        f"**Where a move is made matters.** Always the first move, near the top, scores {first:.2f} of"
        " what random moves do: little falls. What stands low on the board comes down by itself.",
        f"**The scoring rule sets how far skill reaches.** The same agents are {ratio:.1f} to 1 when a"
        f" round clears everything, and {stretched:.1f} to 1 when lines wait for their turn and count as"
        " combos. If good players run away with your score goal, look at the combo factor first.",
        "**A simple playtester will do.** 25 short random episodes for each move play as well as values"
        " learned in hundreds of games.",
        "For research: two findings of the paper rest on its program, not on its methods, and only the"
        " program told.",
    )


def study(run: StudyRun) -> StudyPage:
    """Runs the study and gives its page."""
    results = play_all(run)
    page = StudyPage(NAME, "CandyCrush.ai: five agents play for score")
    introduce(page, run)
    tell_averages(page, results)
    tell_order(page, results)
    tell_network(page, results)
    tell_times(page, results)
    tell_run_time(page, run.seconds)
    conclude(page, results)
    return page
