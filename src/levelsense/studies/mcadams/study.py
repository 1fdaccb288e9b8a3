"""The study of McAdams' beam search: everything played, and its page, each published figure beside ours."""

from typing import Final

from levelsense.studies.mcadams import published, reasons
from levelsense.studies.mcadams.cells import (
    ATTEMPTS,
    BOARDS,
    PAPER_ATTEMPTS,
    RANDOM,
    SQUARES,
    TALL,
    TALL_DEPTH,
    Cell,
    Cells,
    Player,
    play_cells,
)
from levelsense.studies.mcadams.charts import heuristics_chart, scores_chart
from levelsense.studies.mcadams.compare import cell_of, compared, means_agree, name, t_finding
from levelsense.studies.page import Finding, StudyPage
from levelsense.studies.run import StudyRun
from levelsense.studies.welch import TWO_SIDED_95, Welch, mean_interval

NAME: Final = "mcadams"
PROGRAM: Final = "https://github.com/gmcadams1/candy-crush-solver"


def introduce(page: StudyPage, run: StudyRun) -> None:
    """What the paper did, what is done here, and how figures are compared."""
    attempts = ATTEMPTS[run.quick]
    page.text(
        'Gregory McAdams, "Approximating Optimal Strategy in Match-Three Puzzle Games", lets a tree',
        "search play against random moves on boards of several sizes: six colors, 20 moves, a point for",
        "each piece removed. The search keeps the best few moves at each level and judges positions by H1",
        "(score) or H2 (score and board). Here the same is played with the `mcadams` [rule",
        "set](../rules.md#13-rule-sets) by the agents `random` and [`beam`](../agents.md#beam).",
    )
    page.block(f"    levelsense study mcadams{' --quick' if run.quick else ''}")
    page.text(
        f"The paper has {PAPER_ATTEMPTS} games for each player and board, with seeds 1 to",
        f"{PAPER_ATTEMPTS}. We",
        "have",
        ", ".join(f"{number:,} {_depth_words(depth)}" for depth, number in attempts.items()) + ",",
        "with seeds from 1; the first boards are the same for all players. All players here are programs.",
    )
    page.text(
        "**Agrees** means: t is Welch's (equations 5 and 6 of the paper), scaled to 500 attempts of each",
        "player, and in brackets stands the range that 500 attempts of our game would have it in, in 95",
        "of 100 repetitions. A published t inside agrees. In the paper, too, game n has the seed n whoever",
        "plays. Scores from the same first board go along a little, so that ranges and intervals of",
        "differences are those of pairs, and narrower than of independent games. Published means agree if",
        "the difference is within its own 95 % interval. Of some 100 comparisons about five would disagree",
        "by chance alone.",
    )
    page.text(
        f"Two things helped. The charts of the [author's PDF]({PROGRAM}) are made of lines, so that their",
        "bars can be measured: mean, median and standard deviation of every player, and every t of H2",
        "against H1. And the author published his program. It settles what the paper leaves open, and it",
        "is what the players here follow; what that changed is [told",
        "below](#what-the-authors-program-settled).",
    )


def _depth_words(depth: int) -> str:
    return f"at depth {depth}" if depth else "by random moves"


def tell_scores(page: StudyPage, cells: Cells) -> None:
    """The statistics of section II, A, of every player, beside those of the charts."""
    page.heading("Scores of every player")
    page.text(
        "Mean, median and standard deviation (figures 5.1 to 5.13), each published and ours; the mean",
        "with half of its 95 % interval. All games have 20 moves. The last column is the processor time",
        "of a game here; the paper's program, in Python, takes seconds to hours, and publishes no times.",
    )
    rows, agreeing = [], 0
    for board, bars in published.SCORES.items():
        for label, (mean, median, deviation) in bars.items():
            cell = cell_of(cells, board, label)
            ours, half = mean_interval(cell.scores)
            agrees = means_agree(board, label, cells)
            agreeing += agrees
            rows.append(
                (
                    name(board), label, f"{mean:.1f}", f"{ours:.1f} ± {half:.1f}", "yes" if agrees else "no",
                    f"{median:.0f}", f"{_median(cell):.0f}", f"{deviation:.1f}", f"{cell.deviation:.1f}",
                    f"{cell.moves.mean():.0f}", _time_words(cell.seconds / len(cell.scores)),
                )
            )  # fmt: skip
    heading = ("board", "player", "mean", "ours", "agrees", "median", "ours", "SD", "ours", "moves", "time")
    page.table(heading, rows)
    page.text(
        f"{agreeing} of {len(rows)} means agree. The paper's note that scores vary more with the search",
        f"than at random (section VI) holds on {_wider(cells)} of {len(SQUARES)} boards.",
    )
    page.chart("scores", scores_chart(cells), "Mean scores by depth on each board, published and ours")


def _median(cell: Cell) -> float:
    """The median as the author's program takes it: the upper one of an even number."""
    return float(sorted(cell.scores)[len(cell.scores) // 2])


def _wider(cells: Cells) -> int:
    labels = ("S.H1.1", "R")
    pairs = [[cell_of(cells, board, label).deviation for label in labels] for board in SQUARES]
    return sum(search > random for search, random in pairs)


def _time_words(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.01 else f"{1000 * seconds:.1f} ms"


def tell_legal_moves(page: StudyPage, cells: Cells) -> None:
    """The mean number of legal moves on each board."""
    page.heading("How many legal moves there are")
    page.text(
        "The mean over all positions of random play, with half of its 95 % interval. The paper does not",
        "say whose positions it means; the program counts the moves that its *search* keeps at the root.",
        "A published figure agrees if it lies within the 95 % interval of a difference between 500 games",
        "and ours.",
    )
    findings = []
    for board in BOARDS:
        legal = cells[board, RANDOM.label].legal_moves
        mean, half = mean_interval(legal)
        error = (legal.var(ddof=1) * (1 / PAPER_ATTEMPTS + 1 / len(legal))) ** 0.5
        theirs = published.LEGAL_MOVES[board]
        agrees = abs(theirs - mean) <= TWO_SIDED_95 * error
        why = "" if agrees else "see below"
        findings.append(Finding(name(board), f"{theirs:.2f}", f"{mean:.2f} ± {half:.2f}", agrees, why))
    page.findings(findings)
    off = (7, 7)
    seen = [
        f"{label} {mean_interval(cells[off, label].legal_moves)[0]:.2f}"
        for board, label in cells
        if board == off and "deal" not in label
    ]
    page.text(
        "The figure for 7x7 stands out from its own row: from board to board the others grow as ours do.",
        f"Players that care for the board see more moves than random ones; on 7x7: {', '.join(seen)}. So",
        "7.72 lies among the figures of searches, not at that of random play. Whose it was is not told.",
    )


def tell_random(page: StudyPage, cells: Cells) -> None:
    """H1 at depth 1 against random play."""
    page.heading("Does the search beat random play?")
    page.text(
        "t of S.H1.1 against R, ties going to the first move listed, and what it is if they go to the",
        "lowest.",
    )
    rows = []
    for board, t in published.AGAINST_RANDOM.items():
        finding = t_finding(name(board), f"{t}", t, compared(cells, board, "S.H1.1", "R"))
        lowest = Welch(
            cells[board, Player("h1", 1).label].scores, cells[board, RANDOM.label].scores, paired=True
        )
        low, high = lowest.t_range(PAPER_ATTEMPTS)
        also = f"{lowest.t_of(PAPER_ATTEMPTS):.2f} ({low:.1f} to {high:.1f})"
        verdicts = ["yes" if agrees else "no" for agrees in (finding.agrees, low <= t <= high)]
        rows.append((finding.what, finding.published, finding.ours, verdicts[0], also, verdicts[1]))
    page.table(("board", "published t", "ours, first", "agrees", "ours, lowest", "agrees"), rows)
    every = [
        compared(cells, board, label, "R").p
        for board in SQUARES
        for label in published.SCORES[board]
        if label != "R"
    ]
    page.text(
        f"In all {len(every)} cells the search is better than random play with more than 99.9 % confidence:"
        if max(every) < 0.001
        else "Not in all cells is the search better than random play with 99.9 % confidence:",
        f"the largest p-value is {max(every):.1g}. And t grows with the board. Both as published.",
    )


def tell_heuristics(page: StudyPage, cells: Cells) -> None:
    """H2 against H1 at every depth."""
    page.heading("H1 or H2?")
    page.text(
        "t of H2 against H1 at the same depth, positive where H2 is better: the words of sections V.A to",
        "V.F, the t that the charts show, and ours.",
    )
    findings = []
    for board, values in published.HEURISTICS.items():
        for depth, t in enumerate(values, 1):
            words = f"{published.VERDICTS[board][depth - 1]}; t = {t:.2f}"
            test = compared(cells, board, f"S.H2.{depth}", f"S.H1.{depth}")
            more = t * test.t > 0 and abs(test.t) > abs(t)
            why = "the same leads, by more" if more else "see below"
            findings.append(t_finding(f"{name(board)}, depth {depth}", words, t, test, why))
    page.findings(findings)
    agreeing = sum(finding.agrees for finding in findings)
    page.text(
        f"{agreeing} of {len(findings)} agree; of the others [below](#what-is-left). At depth 1 H2 leads,",
        "the more the larger the board, and its lead shrinks with depth, both as published. With 500",
        "attempts of each, 90 % confidence is a t of 1.65, 95 % one of 1.96, 98 % one of 2.33 and 99.9 %",
        "one of 3.30.",
    )
    page.chart(
        "heuristics",
        heuristics_chart(cells),
        "t of H2 against H1 by depth on each board, published and ours with the range of 500 attempts",
    )


def tell_depth(page: StudyPage, cells: Cells) -> None:
    """Depth 4 against depth 3."""
    page.heading("Does looking further ahead help?")
    page.text(
        "Section VI: nowhere was depth 4 better than depth 3 with 95 % confidence. The difference of our",
        "means with its 95 % interval, and the differences that the charts show.",
    )
    findings = []
    for board, deepest in SQUARES.items():
        if deepest < 4:
            continue
        for heuristic in ("H1", "H2"):
            labels = f"S.{heuristic}.4", f"S.{heuristic}.3"
            test = compared(cells, board, *labels)
            theirs, before = (published.SCORES[board][label][0] for label in labels)
            low, high = test.interval
            findings.append(
                Finding(
                    f"{name(board)}, {heuristic}",
                    f"{theirs - before:+.1f}, not significant",
                    f"{test.difference:+.1f} ({low:+.1f} to {high:+.1f}), p = {test.p:.2f}",
                    not (test.difference > 0 and test.p < 0.05),
                    "depth 4 is better here",
                )
            )
    page.findings(findings)
    steps = [f"depth {depth} over {depth - 1}: {_mean_gain(cells, depth):+.1f} %" for depth in (2, 3, 4)]
    page.text(
        "What a level more is worth, in mean scores over boards and both heuristics:", "; ".join(steps) + "."
    )


def _mean_gain(cells: Cells, depth: int) -> float:
    """By how many per cent a depth scores more than the one before, on average."""
    gains = []
    for board, deepest in SQUARES.items():
        for heuristic in ("H1", "H2") if depth <= deepest else ():
            now, before = (cell_of(cells, board, f"S.{heuristic}.{d}").mean for d in (depth, depth - 1))
            gains.append(100 * (now / before - 1))
    return sum(gains) / len(gains)


def tell_sorting(page: StudyPage, cells: Cells) -> None:
    """Ties to the lowest move against ties to the first, on 10x5."""
    page.heading("Low moves first")
    page.text(
        "Section V.G, on 10x5 with H1: of equally good moves the lowest (S) or the uppermost (NS). t is",
        "positive where S is better.",
    )
    findings = []
    for depth in range(1, TALL_DEPTH + 1):
        t = published.SORTING[depth - 1]
        words = f"{published.SORTING_VERDICTS[depth - 1]}; t = {t:.2f}"
        test = compared(cells, TALL, f"S.{depth}", f"NS.{depth}")
        findings.append(t_finding(f"depth {depth}", words, t, test))
    page.findings(findings)


def study(run: StudyRun) -> StudyPage:
    """Runs the study and gives its page."""
    cells = play_cells(run)
    page = StudyPage(NAME, "McAdams: a beam search against random play")
    introduce(page, run)
    tell_scores(page, cells)
    tell_legal_moves(page, cells)
    tell_random(page, cells)
    tell_heuristics(page, cells)
    tell_depth(page, cells)
    tell_sorting(page, cells)
    reasons.tell_reasons(page, cells)
    reasons.tell_time(page, cells)
    reasons.conclude(page, cells)
    return page
