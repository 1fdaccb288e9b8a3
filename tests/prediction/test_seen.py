"""What of a level lies beyond the levels of a fit."""

import numpy as np
import polars as pl
import pytest

from levelsense.level.level import Level
from levelsense.prediction.covariates import Covariates, KnownRange, Scale
from levelsense.prediction.explain import unlike_words
from levelsense.prediction.features import level_parts
from levelsense.prediction.model import DifficultyModel, default_model
from tests.prediction.made_up import made_up_table

SCALE = Scale(np.zeros(3), np.array([6.0, 0.5, 1.0]), np.array([3.0, 1.0, 1.0]))
KNOWN = KnownRange(
    np.array([1.0, 0.0, 3.0]),
    np.array([5.0, 1.0, 3.0]),
    frozenset({"saga rules"}),
    np.array([0.04, 0.01, 0.01]),
    0.09,
)
COLUMNS = Covariates((), features=("colors", "icing", "sugar"))


def variance(values: list[float], parts: list[str]) -> float:
    return float(KNOWN.variance(np.array([values]), SCALE, [parts], COLUMNS)[0])


def test_within_the_range_nothing_is_added() -> None:
    assert variance([1.0, 1.0, 3.0], ["saga rules"]) == 0
    assert variance([4.0, 0.2, 3.0], []) == 0


def test_the_variance_by_hand() -> None:
    # 3 beyond the most is half a spread, 0.5 below the least a spread; squares of slopes are 0.04 and 0.01.
    assert variance([8.0, 0.5, 3.0], []) == pytest.approx(0.04 * 0.5**2)
    assert variance([8.0, -0.5, 3.0], []) == pytest.approx(0.04 * 0.5**2 + 0.01)
    # Each part that was never met is an element that is new.
    assert variance([2.0, 0.5, 3.0], ["plain rules", "saga rules", "a goal of sugar"]) == pytest.approx(0.18)


def test_an_element_that_no_level_had_counts_once_however_much_there_is_of_it() -> None:
    columns = Covariates((), features=("jelly goal", "jelly", "icing"))
    zeros = np.zeros(3)
    known = KnownRange(zeros, np.array([0.0, 0.0, 1.0]), frozenset(), np.full(3, 0.01), 0.09)
    rows = np.array([[1.0, 0.4, 0.0], [0.0, 0.9, 0.0], [0.0, 0.0, 0.5], [1.0, 0.1, 2.0]])
    one = np.ones(3)
    variance = known.variance(rows, Scale(zeros, one, one), [[]] * 4, columns)
    assert variance.tolist() == pytest.approx([0.09, 0.09, 0.0, 0.10])
    assert known.within(rows)[0].tolist() == [0.0, 0.0, 0.0]  # of jelly the fit knows nothing


def test_a_level_is_told_from_what_the_model_knows() -> None:
    table = made_up_table(60, seed=3)
    model = DifficultyModel().fit(table)
    assert unlike_words(model, table) == [None] * 60
    odd = table.head(3).with_columns(
        pl.Series("colors", [12.0, *table["colors"][1:3]]),
        pl.Series("sugar", [0.0, 1.0, 0.0]),
        pl.Series("parts", [[], [], ["plain rules"]], dtype=pl.List(pl.String)),
    )
    words = unlike_words(model, odd)
    assert words[0] is not None
    assert "12 colors (they have 4 to 6)" in words[0]
    assert words[1] is not None
    assert "sugar (none of them has that)" in words[1]
    assert words[2] is not None
    assert "plain rules (none of them has that)" in words[2]
    usual, unusual = (model.predict(rows) for rows in (table.head(3), odd))
    widths = [(predicted["high_95"] - predicted["low_95"]).to_list() for predicted in (usual, unusual)]
    assert all(wide > narrow for narrow, wide in zip(*widths, strict=True))
    assert unusual["rate"][2] == pytest.approx(usual["rate"][2], abs=0.002)  # the median, by draws


def test_an_agent_is_told_once_and_to_which_side() -> None:
    columns = Covariates(("a", "b"), ("rate", "margin"), ("icing",))
    count = len(columns.names)
    scale = Scale(np.zeros(count), np.ones(count), np.ones(count))
    known = KnownRange(np.full(count, -1.0), np.full(count, 1.0), frozenset(), np.zeros(count), 0.0)
    values = np.zeros(count)
    values[[0, 1]] = 3.0, 2.0  # a's rate and margin
    values[columns.names.index("b: margin")] = -4.0
    values[columns.names.index("icing")] = 1.1  # hardly beyond
    assert known.words(values, scale, columns) == [
        "b does worse than at any of them",
        "a does better than at any of them",
    ]
    values[:] = 0
    values[columns.names.index("b: never")] = 2.0
    assert known.words(values, scale, columns) == ["b does worse than at any of them"]


def test_the_parts_of_levels() -> None:
    assert level_parts(Level.load("25-plain-arithmetic")) == ["plain rules"]  # its score has a feature
    assert level_parts(Level.load("26-paint-shop")) == ["saga rules"]  # and so have colors
    assert "a goal of color bomb+color bomb" in level_parts(Level.load("36-double-rainbow"))


def test_a_part_is_not_told_beside_the_feature_that_nobody_had() -> None:
    table = made_up_table(60, seed=3)
    goal = pl.Series("parts", [["a goal of striped"]], dtype=pl.List(pl.String))
    odd = table.head(1).with_columns(goal, pl.Series("special orders", [1.0]))
    (words,) = unlike_words(DifficultyModel().fit(table), odd)
    assert words is not None
    assert "special orders (none of them has that)" in words
    assert "a goal of striped" not in words
    # A fit that has met special orders, but not this one, tells the part.
    met = table.with_columns(pl.Series("special orders", [1.0, 0.0] * 30))
    (words,) = unlike_words(DifficultyModel().fit(met), odd)
    assert words is not None
    assert "a goal of striped (none of them has that)" in words
    assert "special orders" not in words


@pytest.mark.parametrize(
    ("name", "value", "least", "most", "words"),
    [
        ("turns (log)", np.log(1200), np.log(12), np.log(35), "room for 1,200 moves (they have 12 to 35)"),
        ("turns (log)", 0.0, np.log(12), np.log(35), "room for 1 move (they have 12 to 35)"),
        ("tiles (log)", np.log(9), np.log(81), np.log(81), "9 tiles (they have 81)"),
        ("colors", 3.0, 4.0, 6.0, "3 colors (they have 4 to 6)"),
        ("icing", 2.5, 0.0, 0.5, "icing 2.5 (they have 0 to 0.5)"),
        ("jelly goal", 0.0, 1.0, 1.0, "no jelly goal (all of them have that)"),
        ("sugar", 1.0, 0.0, 0.0, "sugar (none of them has that)"),
    ],
)
def test_features_beyond_the_range_in_words(
    name: str, value: float, least: float, most: float, words: str
) -> None:
    columns = Covariates((), features=(name,))
    one = np.ones(1)
    known = KnownRange(np.array([least]), np.array([most]), frozenset(), 0 * one, 0.0)
    assert known.words(np.array([value]), Scale(0 * one, 0.1 * one, one), columns) == [words]


@pytest.mark.parametrize(
    ("level", "name"),
    [("46-movie-night", "popcorn"), ("47-sticky-fingers", "toffee"), ("48-bittersweet", "dark chocolate")],
)
def test_the_default_model_has_not_met_later_elements_and_says_so_once(level: str, name: str) -> None:
    parts = level_parts(Level.load(level))
    assert name in parts
    assert f"a goal of {name}" in parts
    model = default_model()
    assert model.known_range_.unknown(parts) == []  # its column tells, and nothing beside it
    column = model.columns_.names.index(name)
    assert model.known_range_.most[column] == 0
    assert model.known_range_.constant[column]


def test_the_parts_of_levels_without_later_elements_are_as_they_were() -> None:
    for name in ("09-thin-ice", "19-chocolate-box", "45-last-stand"):
        assert not {"icing", "chocolate", "locks"} & set(level_parts(Level.load(name)))


def test_an_element_that_no_level_of_a_fit_had_is_told_by_its_column_alone() -> None:
    table = made_up_table(60, seed=3)
    parts = pl.Series("parts", [["popcorn", "a goal of popcorn"]], dtype=pl.List(pl.String))
    odd = table.head(1).with_columns(parts, pl.Series("popcorn", [0.5]))
    model = DifficultyModel().fit(table)
    assert model.known_range_.unknown(["popcorn", "a goal of popcorn"]) == []
    (words,) = unlike_words(model, odd)
    assert words is not None
    assert words.count("popcorn") == 1
