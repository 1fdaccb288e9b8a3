"""The Sokoban study in small, on boards and results of our own: reading, judging, and the page."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from levelsense.errors import StudyError
from levelsense.prediction.evaluation import paired_difference
from levelsense.rng import Draws
from levelsense.studies.run import StudyRun
from levelsense.studies.sokoban import columns, fits, judge
from levelsense.studies.sokoban.agents import AGENTS
from levelsense.studies.sokoban.data import read_levels
from levelsense.studies.sokoban.judge import (
    ACROSS,
    NOT_KNOWN,
    QUESTIONS,
    WITHIN,
    Counts,
    Question,
    draw_folds,
)
from levelsense.studies.sokoban.sections import clustered_difference
from levelsense.studies.sokoban.study import study

HEADING = "id,collection,name,board,played,solved"
ROOM = "#######/#.    #/#  $  #/#  $@ #/#    .#/#######"


def corridor(length: int, box: int) -> str:
    """A level with one box to push along a corridor, and a room to get behind it."""
    row = [" "] * length
    row[box], row[-1] = "$", "."
    return f"{'#' * (length + 2)}/#{''.join(row)}#/#@{' ' * (length - 1)}#/{'#' * (length + 2)}"


def made_up_file(path: Path, count: int = 48) -> Path:
    """Levels of four collections; the longer the way, the fewer solve them."""
    draws, lines = Draws("tests", "sokoban"), [HEADING]
    for number in range(count):
        length = 5 + number % 8
        box = 1 + draws.integers(0, length - 3)
        solved = draws.binomial(80, 0.95 - 0.07 * (length - box))
        lines.append(f"level-{number},c{number % 4},{number // 4 + 1},{corridor(length, box)},80,{solved}")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_levels_are_read(tmp_path: Path) -> None:
    levels = read_levels(made_up_file(tmp_path / "levels.csv"))
    assert len(levels) == 48
    assert (levels[5].id, levels[5].collection, levels[5].place, levels[5].played) == ("level-5", "c1", 2, 80)
    assert levels[0].board.record.boxes == 1


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (f"x,c,1,{ROOM},80,81", "line 50: 81 of 80 plays solved; expected at most as many, of some"),
        (f"x,c,1,{ROOM},0,0", "line 50: 0 of 0 plays solved"),
        (f"x,c,1,{ROOM},many,1", "line 50: played 'many'; expected a whole number"),
        ("x,c,1,####/#@$#/####,8,1", "line 50: board: 1 boxes and 0 goals; expected as many"),
        (f"level-3,c,1,{ROOM},80,8", "two levels with the id 'level-3'; expected ids that tell levels apart"),
    ],
)
def test_wrong_lines_are_a_sentence(tmp_path: Path, line: str, sentence: str) -> None:
    path = made_up_file(tmp_path / "levels.csv")
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(StudyError) as caught:
        read_levels(path)
    assert sentence in str(caught.value)


def test_wrong_files_are_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"none\.csv: no such file; expected a CSV file with columns id,"):
        read_levels(tmp_path / "none.csv")
    (tmp_path / "a.csv").write_text("id,board\n1,2\n")
    with pytest.raises(StudyError, match=r"a\.csv: no column 'collection'; it has: id, board"):
        read_levels(tmp_path / "a.csv")
    with pytest.raises(StudyError, match=r"b\.csv: 10 levels; expected at least 40"):
        read_levels(made_up_file(tmp_path / "b.csv", 10))


# Judging


def made_up_counts(count: int = 90) -> tuple[np.ndarray, Counts]:
    draws = np.random.default_rng(8)
    columns = draws.normal(size=(count, 2))
    collections = [f"c{number % 7}" for number in range(count)]
    shift = np.array([0.4 * (number % 7) for number in range(count)])
    rate = 1 / (1 + np.exp(-(columns[:, 0] + shift - 1)))
    return columns, Counts(np.full(count, 200), draws.binomial(200, rate), collections)


@pytest.fixture
def three_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "FOLDS", 3)


@cache
def judged_in_three_folds(question: Question) -> judge.Judged:
    return judge.judge(question, *made_up_counts())


each_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)


@each_question
def test_folds_are_fixed_and_hold_every_level_once(question: Question) -> None:
    collections = [f"c{number % 17}" for number in range(101)]
    folds = draw_folds(question, collections)
    assert np.array_equal(folds, draw_folds(question, collections))
    assert set(folds) == set(range(judge.FOLDS))
    if question.whole_collections:
        assert len(set(zip(collections, folds, strict=True))) == 17
    else:
        assert np.ptp(np.bincount(folds)) <= 1


@each_question
def test_a_level_is_predicted_without_its_own_results(question: Question, three_folds: None) -> None:
    columns, counts = made_up_counts()
    folds = draw_folds(question, counts.collections)
    changed = Counts(
        counts.played, np.where(folds == 1, counts.solved // 2, counts.solved), counts.collections
    )
    ours, theirs = judged_in_three_folds(question).levels, judge.judge(question, columns, changed).levels
    same = ours["rate"].to_numpy() == theirs["rate"].to_numpy()
    assert same[folds == 1].all()
    assert not same[folds != 1].any()


def test_columns_and_collections_are_put_to_use(three_folds: None) -> None:
    columns, counts = made_up_counts()
    mean, useless = (judge.judge(ACROSS, values, counts) for values in (columns[:, :0], columns[:, 1:]))
    useful, within = judged_in_three_folds(ACROSS), judged_in_three_folds(WITHIN)
    assert useful.errors.mean() < 0.7 * mean.errors.mean()
    assert useless.errors.mean() > 0.9 * mean.errors.mean()
    assert within.errors.mean() < 0.8 * useful.errors.mean()  # the collections have shifts of their own
    assert within.levels["density"].mean() > useful.levels["density"].mean()  # type: ignore[operator]
    assert within.outside(0.95).mean() < 0.15
    assert within.outside(0.5).mean() > within.outside(0.8).mean() > within.outside(0.95).mean()


def test_a_collection_that_is_not_known_is_of_no_use(three_folds: None) -> None:
    """The same levels are left out as within collections, and names of collections change nothing."""
    columns, counts = made_up_counts()
    mixed = Counts(counts.played, counts.solved, counts.collections[::-1])
    assert np.array_equal(draw_folds(NOT_KNOWN, counts.collections), draw_folds(WITHIN, mixed.collections))
    ours, theirs = judged_in_three_folds(NOT_KNOWN), judge.judge(NOT_KNOWN, columns, mixed)
    assert ours.levels.equals(theirs.levels)
    within = judged_in_three_folds(WITHIN)
    assert within.errors.mean() < 0.8 * ours.errors.mean()
    assert within.sigma < 0.8 * ours.sigma  # a collection's shift is what the level has of its own


def test_an_interval_counts_levels_of_a_collection_as_one() -> None:
    """Alone in their collections, levels are independent; copies of each other, they are one level."""
    differences = np.random.default_rng(4).normal(0.3, 1, size=30)
    alone = clustered_difference(differences, [str(number) for number in range(30)])
    plain = paired_difference(differences, np.zeros(30))
    assert (alone.mean, alone.low, alone.high) == pytest.approx((plain.mean, plain.low, plain.high))
    copied = clustered_difference(np.repeat(differences, 5), [str(number // 5) for number in range(150)])
    assert (copied.low, copied.high) == pytest.approx((alone.low, alone.high))


# The whole


@pytest.fixture
def little_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "FOLDS", 3)
    monkeypatch.setattr(judge, "PENALTIES", (1.0, 100.0))
    monkeypatch.setattr(columns, "ATTEMPTS", {False: 4, True: 4})
    monkeypatch.setattr(columns, "AGENTS", (AGENTS[1], AGENTS[3], AGENTS[5]))


def test_the_study_runs_and_goes_on_where_it_was(tmp_path: Path, little_to_do: None) -> None:
    data = made_up_file(tmp_path / "levels.csv")
    run = StudyRun(tmp_path / "study", data=data, threads=1)
    page = study(run)
    assert [line for line in page.markdown.splitlines() if line.startswith("#")][1:] == [
        "## What is known of a level",
        "## How far predictions are off",
        "## What each part adds",
        "## Whether the bands hold",
        "## How it was made, and what was tried",
        "## What it shows, and what not",
        "## Time",
    ]
    assert "48 Sokoban levels of 4 collections with 3,840 plays" in page.markdown.replace("\n", " ")
    # What was tried while the study was made is told by names of models, too.
    of_this_run, _ = page.markdown.split("## How it was made")
    for name in fits.MODELS:
        assert of_this_run.count(f"| {name} | ") == len(QUESTIONS)
    for question in QUESTIONS:
        assert page.markdown.count(f"**{question.name.capitalize()}**") == 2
        assert page.markdown.count(f"| {question.name} | ") == 7
    assert len(page.charts) == 3
    assert all(svg.startswith("<svg") for svg in page.charts.values())
    figures = [line for line in page.markdown.splitlines() if line.startswith("| ")][:-3]
    (tmp_path / "study" / "levels" / "0007.json").unlink()
    (tmp_path / "study" / "fits" / "across_collections-board.json").unlink()
    assert [line for line in study(run).markdown.splitlines() if line.startswith("| ")][:-3] == figures
    data.write_text(data.read_text().replace(corridor(5, 1), corridor(5, 2)))
    with pytest.raises(StudyError, match="results with boards"):
        study(run)
