"""The sections of the Sokoban study's page."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from levelsense.prediction.evaluation import PairedDifference
from levelsense.studies.page import StudyPage
from levelsense.studies.run import StudyRun
from levelsense.studies.sokoban.agents import AGENTS
from levelsense.studies.sokoban.charts import Models, coverage_chart, error_chart, predicted_chart
from levelsense.studies.sokoban.columns import ATTEMPTS
from levelsense.studies.sokoban.fits import (
    AGENTS_ONLY,
    BOARD,
    BOARD_PLAYED,
    COUNTED,
    EVERYTHING,
    MEAN,
    MODELS,
    SOLVED,
    SOLVED_PLAYED,
    Table,
)
from levelsense.studies.sokoban.judge import BANDS, FOLDS, QUESTIONS, WITHIN, Judged, Question

# Pairs of models that differ in one thing: what is added, to what.
ADDED: Final = (
    ("agents, to the board", BOARD_PLAYED, BOARD),
    ("agents, to board and solution", SOLVED_PLAYED, SOLVED),
    ("agents, to all features", EVERYTHING, COUNTED),
    ("all positions counted, to board and solution", COUNTED, SOLVED),
    ("agents alone, in the place of board and solution", AGENTS_ONLY, SOLVED),
    ("everything, to the mean", EVERYTHING, MEAN),
)


def introduce(page: StudyPage, run: StudyRun, table: Table, read: int) -> None:
    """What the data are, and how the study is run; `read` is how many levels the file has."""
    counts = table.counts
    rate = counts.rate
    floor = np.mean(np.sqrt(2 / np.pi * rate * (1 - rate) / counts.played))
    page.text(
        "Every other figure about players in this repository is about simulated ones. These are people:",
        f"{len(table.levels):,} Sokoban levels of {len(set(counts.collections))} collections with",
        f"{counts.played.sum():,} plays on a public site, {counts.solved.sum() / counts.played.sum():.1%} of",
        "them solved (Cognitive Tools Lab, fun-puzzles_cogsci25, MIT license). It is **another game than",
        "match-3**: nothing here says how well match-3 levels are predicted. What it can show is whether",
        "the method, agents that fail as people do and a binomial regression with a random effect a level",
        "(the same `MixedBinomial`), tells more of people than the level alone does, and whether its bands",
        "hold for people.",
    )
    quick = " --quick" if run.quick else ""
    page.block(f"    levelsense study sokoban --data levels.csv{quick}")
    left_out = (
        "" if read == len(table.levels) else f" {read - len(table.levels)} others could not be counted."
    )
    page.text(
        "The file is a CSV with the columns id, collection, name, board (rows joined by `/`), played and",
        "solved; the levels belong to their authors and are not part of levelsense. The success rate of a",
        f"level is the share of its plays that were solved, {rate.min():.0%} to",
        f"{rate.max():.0%}, half of them",
        f"between {np.quantile(rate, 0.25):.0%} and {np.quantile(rate, 0.75):.0%}. A play that",
        "was left early",
        "counts as not solved. With as many plays as these levels have, chance alone makes a mean absolute",
        f"error (MAE) of {floor:.1%}, if plays were independent: no prediction can be much better than that."
        + left_out,
    )


def tell_columns(page: StudyPage, run: StudyRun) -> None:
    """The groups of columns, and the agents."""
    page.heading("What is known of a level")
    names = ", ".join(f"`{agent.name}`" for agent in AGENTS)
    page.items(
        "**Place**: its number in its collection, since who gets far is no beginner. Every model but the mean"
        " has it.",
        "**Board**: boxes, cells, corridors, dead ends and the like: what can be seen without playing.",
        "**Solution**: pushes, moves, changes of box and detours of a solution with the fewest pushes.",
        "**Positions**: all positions are counted, and which of them can still be solved: how large the level"
        " is, and how easily it is spoiled.",
        f"**Agents**: {ATTEMPTS[run.quick]} attempts each of {names}. Walkers push at random and start again"
        " where they are stuck; `pull` draws them to goals, `care` lets them see that a push would spoil the"
        " level. Searchers search best-first, misjudge positions by `noise` and give up early. Planners look"
        " `depth` pushes ahead and go where it seems best. Of each: success rates at several budgets, effort,"
        " and how near it came.",
    )


def tell_errors(page: StudyPage, models: Models) -> None:
    """The errors of every model."""
    page.heading("How far predictions are off")
    page.text(
        "Levels are predicted by models that were fitted to others, and that is asked in three ways:",
    )
    page.items(
        f"*Within collections*: {FOLDS} folds of levels drawn at random, so that a level's collection is"
        " known by its other levels; every model, the mean too, has a column for each collection.",
        "*Collection not known*: the same folds, and no model is told which collection a level is from."
        " Others of it are still among the levels that are fitted to, and levels of a collection are alike.",
        f"*Across collections*: {FOLDS} folds of whole collections, of which the model has seen nothing.",
    )
    page.text(
        "The penalty is chosen anew in each fold, by the levels that are fitted to. *Outside* is",
        "the share of levels whose observed rate is outside its 95 % band of observed rates; sigma, in",
        "logits, is what levels have of their own; density is the mean log predictive density of a level's",
        "counts (higher is better).",
    )
    heading = ("columns", "MAE", "outside 95 %", "mean 95 % band", "sigma", "density")
    for question in QUESTIONS:
        page.block(f"**{question.name.capitalize()}**")
        page.table(heading, [_error_cells(name, models[question, name]) for name in MODELS])
    page.chart(
        "errors", error_chart(models), "Mean absolute error of each model, for each of the three questions"
    )


def _error_cells(name: str, judged: Judged) -> tuple[str, ...]:
    width = (judged.levels["high_95"] - judged.levels["low_95"]).to_numpy().mean()
    return (
        name,
        f"{100 * judged.errors.mean():.2f} %",
        f"{100 * judged.outside(0.95).mean():.1f} %",
        f"{100 * width:.0f} %",
        f"{judged.sigma:.2f}",
        f"{judged.levels['density'].to_numpy().mean():.3f}",
    )


def tell_additions(page: StudyPage, models: Models, table: Table) -> None:
    """Models compared level by level."""
    page.heading("What each part adds")
    page.text(
        "Differences level by level, with 95 % intervals that know that levels of a collection go together",
        "(its differences are added up; Student's t with as many degrees of freedom as there are",
        "collections,",
        f"less one). The last column counts the folds, of {FOLDS}, whose MAE became lower.",
    )
    heading = ("added", "MAE, points", "95 % interval", "density", "95 % interval", "folds")
    for question in QUESTIONS:
        page.block(f"**{question.name.capitalize()}**")
        page.table(heading, [_added_cells(name, *_pair(models, question, *of), table) for name, *of in ADDED])


def _pair(models: Models, question: Question, more: str, less: str) -> tuple[Judged, Judged]:
    return models[question, more], models[question, less]


def _added_cells(name: str, more: Judged, less: Judged, table: Table) -> tuple[str, ...]:
    collections = table.counts.collections
    mae = clustered_difference(more.errors - less.errors, collections)
    density = clustered_difference((more.levels["density"] - less.levels["density"]).to_numpy(), collections)
    folds = more.levels["fold"].to_numpy()
    better = sum((more.errors - less.errors)[folds == fold].mean() < 0 for fold in set(folds.tolist()))
    return (
        name,
        f"{100 * mae.mean:+.2f}",
        f"{100 * mae.low:+.2f} to {100 * mae.high:+.2f}",
        f"{density.mean:+.3f}",
        f"{density.low:+.3f} to {density.high:+.3f}",
        str(better),
    )


def tell_bands(page: StudyPage, models: Models, table: Table) -> None:
    """How many levels are outside the bands, over all and in parts."""
    page.heading("Whether the bands hold")
    page.text(
        "Of the model with everything, the share of observed rates outside the bands. One person's plays go",
        "together, which makes observed rates scatter more than single plays would. A level has one row in",
        "the fit, so that this scatter cannot be told from what the level has of its own: sigma takes up",
        "both,",
        "and the bands are those of rates observed on such a site.",
    )
    rows, hardest = [], []
    for question in QUESTIONS:
        judged = models[question, EVERYTHING]
        parts = {
            "all": np.ones(len(table.levels), bool),
            **_thirds(judged.levels["rate"].to_numpy(), _BY_RATE),
            **_thirds(table.counts.played, _BY_PLAYS),
        }
        share = 100 * judged.outside(0.95)[parts[_BY_RATE[0]]].mean()
        hardest.append(f"{share:.1f} % ({question.name})")
        for part, chosen in parts.items():
            shares = (f"{100 * judged.outside(band)[chosen].mean():.1f} %" for band in BANDS)
            rows.append((question.name, part, str(int(chosen.sum())), *shares))
    outside = (f"outside {round(100 * band)} %" for band in BANDS)
    page.table(("question", "levels", "number", *outside), rows)
    page.text(
        f"Of the levels that are predicted to be the hardest, {', '.join(hardest[:-1])} and {hardest[-1]}",
        "are outside the 95 % band. Over all levels the narrower bands hold",
        "more than they say where fewer than 50 or 20 % are outside: errors are mostly small, and large now",
        "and then.",
    )
    page.chart("coverage", coverage_chart(models), "Share of observed rates inside bands of 50, 80 and 95 %")
    page.chart(
        "predicted",
        predicted_chart(models[WITHIN, EVERYTHING], table.counts),
        "Predicted against observed success rate of each level, with 95 % bands",
    )


_BY_RATE: Final = ("third predicted hardest", "middle third by prediction", "third predicted easiest")
_BY_PLAYS: Final = ("third with the fewest plays", "middle third by plays", "third with the most plays")


def _thirds(values: NDArray[Any], names: tuple[str, ...]) -> dict[str, NDArray[np.bool_]]:
    """Which levels are in each third by some values, the lowest first."""
    ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable") * len(names) // len(values)
    return {name: ranks == number for number, name in enumerate(names)}


def tell_choices(page: StudyPage) -> None:
    """What was chosen before anything was fitted, and what by looking."""
    page.heading("How it was made, and what was tried")
    page.text(
        "This is about the file of 442 levels that the study was made with. The penalties to choose "
        "from, the",
        "columns of board, solution and positions, and the weight of the columns of collections were written",
        "down before anything was fitted. The folds are drawn by a fixed seed; they are not those of the",
        "first looks, and no others were tried. By looking at all levels, these choices were made:",
    )
    page.items(
        "The first version of the agents was kept, after its columns and eight models like those above "
        "had been"
        " looked at: three walkers, two searchers, three planners, 24 attempts each.",
        "Walkers count moves instead of pushes, since the moves of a solution went with success rates better"
        " than its pushes did.",
        "The place in the collection came in after residuals had been seen to go with it (a correlation of"
        " 0.13, and of 0.35 in the largest collection). Across collections it lowered the MAE of everything"
        " from 8.3 to 7.9, in the folds of that time.",
        "Effects of authors were tried and left out: across collections they made it no better, 8.2 for 7.9.",
    )
    page.text(
        "On 231 levels of 20 collections only, eight settings of walkers were compared: pulls of 2, 4 "
        "and 10,",
        "cares of 0.4, 0.8 and 1, tries of 200, 600 and 2,000 moves. Their mean efforts went with",
        "success rates",
        "about equally well (correlations of -0.51 to -0.56); a pull of 10 took the place of one of 20.",
        "So the",
        "figures above are flattered by some looking, by how much cannot be told: there are no other levels",
        "to try it on. Numbers of plays, likes and people's best solutions, which the file has, are",
        "known only",
        "after people have played, and no model sees them.",
    )
    _tell_trial(page)


def _tell_trial(page: StudyPage) -> None:
    """What was tried to better predictions across collections; figures of the file of 442 levels."""
    page.text(
        "Afterwards it was tried whether the error of everything across collections can be made smaller,",
        "with the agents' columns as they are. What to choose from and the rule of choice were written down",
        "first: in each of the 10 folds, the levels that are fitted to make five folds of whole collections,",
        "and what has the best density there predicts the fold. To choose from were the five sets of columns",
        "below, a random effect a collection in the fit with a standard deviation of 0, 0.3 or 0.6 logits,",
        "so that large collections do not rule it, and the seven penalties. Fits were by the normal",
        "approximation of the logits, which takes less time. The MAE, with penalties chosen so:",
    )
    page.table(
        ("columns", "no effect", "0.3", "0.6"),
        [
            ("everything", "7.86 %", "8.37 %", "8.67 %"),
            ("and the place as a share, and the largest place", "7.86 %", "7.86 %", "8.25 %"),
            ("and the collection's means of seven columns", "7.64 %", "7.54 %", "7.96 %"),
            ("everything, and a curve", "7.88 %", "8.35 %", "8.67 %"),
            ("all of these", "7.52 %", "7.75 %", "7.97 %"),
        ],
    )
    page.text(
        "The seven columns are boxes, cells, moves, positions and the efforts of a walker, a searcher and a",
        "planner: they tell of a collection's boards, not of people. The curve is a Gaussian kernel over",
        "all columns. **What the rule chose has 7.80 %**, 0.06 points less than everything without an effect",
        "(-0.62 to +0.50), and a density 0.038 higher (-0.024 to +0.100). It was to be kept if it were",
        "better; that is no clear gain for so much more to choose from, so the models above are as they",
        "were. The lowest figures of the table were not chosen by the rule: they are the lowest of fifteen,",
        "by the levels that judge them. Also tried:",
    )
    page.items(
        "The choice by the MAE of the five folds in the place of their density: 7.72 %.",
        "The mean of the logits of the five sets, each with its own choice: 7.65 %, 0.21 points less (-0.44"
        " to +0.01).",
        "Whole collections to choose the penalty by, as in the table, in the place of blocks that may cut a"
        " collection in two, as above: 7.86 for 7.94 %, of which the approximation may be a part.",
        "Penalties of 3,000 and 10,000, after all this had been seen, since everything without an effect"
        " chose the largest penalty in every fold: it still chose 1,000. A choice between everything and the"
        " set with the collection's means, and no effect or 0.3, has 7.73 %.",
    )


def conclude(page: StudyPage, models: Models, table: Table) -> None:
    """What the study shows, in a line a question, and what it does not."""
    page.heading("What it shows, and what not")
    items = []
    for question in QUESTIONS:
        everything, mean = (100 * models[question, name].errors.mean() for name in (EVERYTHING, MEAN))
        words = []
        for name, *of in ADDED[:3]:
            more, less = _pair(models, question, *of)
            difference = clustered_difference(more.errors - less.errors, table.counts.collections)
            words.append(f"{name}: {_verdict(difference)}")
        outside = 100 * models[question, EVERYTHING].outside(0.95).mean()
        items.append(
            f"*{question.name.capitalize()}*: the error falls from {mean:.1f} points for the mean to "
            f"{everything:.1f}."
            f" What agents add: {'; '.join(words)}. Of all levels {outside:.1f} % are outside the 95 % band,"
            " where 5 % should be."
        )
    page.items(*items)
    page.text(
        "It does not show that match-3 levels are predicted as well or as badly: there, luck decides "
        "much, and",
        "limits are tight. Nor does it say what a single person will do. What is left is large beside",
        "chance:",
        "who comes to a collection, and how long they stay, is not on the board. A designer may take from it",
        "that agents' play is worth having before people play, and that a model should be fitted to",
        "results of",
        "one's own levels, since collections differ in who plays them. Its band may be believed",
        "for most levels, and less for the hardest.",
    )


def clustered_difference(differences: NDArray[np.float64], collections: Sequence[str]) -> PairedDifference:
    """The mean of differences a level, with a 95 % interval in which a collection's levels count as one."""
    mean = float(differences.mean())
    sums = dict.fromkeys(collections, 0.0)
    for collection, difference in zip(collections, differences, strict=True):
        sums[collection] += float(difference) - mean
    clusters = len(sums)
    spread = np.sqrt(clusters / (clusters - 1) * sum(total * total for total in sums.values()))
    half = float(stdtrit(clusters - 1, 0.975) * spread / len(differences))
    return PairedDifference(mean, mean - half, mean + half)


def _verdict(difference: PairedDifference) -> str:
    if difference.high < 0:
        return "clearly better"
    return "clearly worse" if difference.low > 0 else "no clear difference"
