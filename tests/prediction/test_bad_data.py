"""Data without an answer: one sentence that says which row or column, and what was expected."""

from typing import Any

import numpy as np
import pytest

from levelsense.errors import PredictionError
from levelsense.prediction import MixedBinomial

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 5.0], [3.0, 2.0], [4.0, 4.0], [5.0, 3.0]])
K = np.array([3, 5, 4, 6, 5, 7])
N = np.full(6, 10)


def refused(text: str, x: Any = X, k: Any = K, n: Any = N, v: Any = None, penalty: float = 0.0) -> None:
    with pytest.raises(PredictionError) as caught:
        MixedBinomial(penalty=penalty).fit(x, k, n, v)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def changed(values: Any, place: Any, value: float) -> Any:
    copy = np.array(values, dtype=float)
    copy[place] = value
    return copy


def test_what_is_no_number() -> None:
    refused("X, row 2, column 1: nan; expected a number", x=changed(X, (2, 1), np.nan))
    refused("X, row 0, column 0: inf; expected a number", x=changed(X, (0, 0), np.inf))
    refused("successes, row 4: nan; expected a number", k=changed(K, 4, np.nan))
    refused("attempts, row 1: nan; expected a number", n=changed(N, 1, np.nan))
    refused("X: not an array of numbers", x=[["a", "b"]] * 6)
    refused("X: not an array of numbers", x=[[1.0], [1.0, 2.0]])


def test_single_attempts_do_not_tell_sigma() -> None:
    single = "attempts: 1 at every level, or worth 1 by the design effect of few players; expected more"
    refused(single, k=K > 4, n=np.ones(6))
    refused("attempts: 1 at every level", k=K > 4, n=np.ones(6), penalty=1.0)
    with pytest.raises(PredictionError, match="worth 1 by the design effect of few players"):
        MixedBinomial(penalty=1.0).fit(X, K, N, design_effect=N)  # one player each


def test_what_cannot_be_counts() -> None:
    refused("successes, row 3: 11; expected between 0 and the level's attempts", k=changed(K, 3, 11))
    refused("successes, row 3: -1; expected between 0", k=changed(K, 3, -1))
    refused("successes, row 0: 2.5; expected a whole number", k=changed(K, 0, 2.5))
    refused("attempts, row 5: 0; expected a whole number of at least 1", n=changed(N, 5, 0))
    refused("attempts, row 2: 10.5; expected a whole number", n=changed(N, 2, 10.5))
    refused("variance, row 1: -0.5; expected at least 0", v=changed(np.zeros(6), 1, -0.5))


def test_what_has_the_wrong_shape() -> None:
    refused("X: an array of 1 dimensions; expected rows and columns", x=X[:, 0])
    refused("successes: shape (5,); expected one number for each of 6 rows", k=K[:5])
    refused("attempts: shape (6, 1); expected one number for each of 6 rows", n=N[:, None])
    refused("variance: shape (2,)", v=[0, 0])
    refused("X: no rows", x=np.empty((0, 2)), k=[], n=[])


def test_more_coefficients_than_levels() -> None:
    refused(
        "X: 2 rows for 3 coefficients; expected at least as many rows, or a penalty",
        x=X[:2],
        k=K[:2],
        n=N[:2],
    )
    assert MixedBinomial(penalty=1.0).fit(X[:2], K[:2], N[:2]).converged_


@pytest.mark.parametrize("penalty", [0.0, 5.0])
def test_nothing_won_or_nothing_lost(penalty: float) -> None:
    refused("successes: 0 on every level", k=np.zeros(6), penalty=penalty)
    refused("successes: all of the attempts on every level", k=N, penalty=penalty)


@pytest.mark.parametrize(
    ("column", "text"),
    [
        (np.full(6, 3.0), "X, column 2: 3 on every row; expected a column that varies, or a penalty"),
        (np.zeros(6), "X, column 2: 0 on every row"),
        (2 * X[:, 0] - X[:, 1] + 7, "X, column 2: follows from the columns before it"),
        (X[:, 1] * 1e6, "X, column 2: follows from the columns before it"),
    ],
)
def test_columns_that_tell_nothing_of_their_own(column: Any, text: str) -> None:
    x = np.column_stack([X, column])
    refused(text, x=x)
    assert MixedBinomial(penalty=1.0).fit(x, K, N).converged_


@pytest.mark.parametrize("extreme", [0, 10])
def test_a_column_that_separates(extreme: int) -> None:
    """An element that is on two levels only, both of them always lost (or always won)."""
    x = np.column_stack([X, [0, 0, 1, 0, 1, 0]])
    k = np.where(x[:, 2] == 1, extreme, K)
    refused("X, column 2: separates levels always lost or always won from the others", x=x, k=k)
    penalized = MixedBinomial(penalty=1.0).fit(x, k, N)
    assert penalized.converged_
    assert np.sign(penalized.coef_[3]) == np.sign(extreme - 5)


def test_a_threshold_that_separates() -> None:
    refused("X, column 0: separates", x=X[:, :1], k=[0, 0, 0, 10, 10, 10])
    # The level at the threshold has both outcomes: still nothing holds the slope.
    refused("X, column 0: separates", x=X[:5, :1], k=[0, 0, 4, 10, 10], n=N[:5])


def test_columns_that_separate_only_together() -> None:
    # Lost where x0 > x1, won where x0 < x1; neither column tells them apart alone.
    x = np.array([[1.0, 0.0], [5.0, 4.0], [3.0, 2.0], [0.0, 1.0], [4.0, 5.0], [2.0, 3.0]])
    refused("X, columns 0, 1 together: separate", x=x, k=[0, 0, 0, 10, 10, 10])


def test_extreme_levels_on_both_sides_do_not_separate() -> None:
    assert MixedBinomial().fit(X[:, :1], [0, 10, 3, 5, 0, 10], N).converged_


@pytest.mark.parametrize("nodes", [0, 101, 2.5])
def test_nodes_out_of_range(nodes: Any) -> None:
    with pytest.raises(PredictionError, match=r"nodes: .*; expected a whole number from 1 to 100"):
        MixedBinomial(nodes)


@pytest.mark.parametrize("penalty", [-1.0, float("nan"), float("inf")])
def test_penalty_out_of_range(penalty: float) -> None:
    with pytest.raises(PredictionError, match=r"penalty: .*; expected a number of at least 0"):
        MixedBinomial(penalty=penalty)


def test_questions_that_a_model_cannot_answer() -> None:
    with pytest.raises(PredictionError, match="not fitted yet"):
        MixedBinomial().predict(X)
    model = MixedBinomial().fit(X, K, N)
    for wrong, text in (
        (lambda: MixedBinomial().fit(X[:, :1], K, N, start=model), "start: 3 coefficients; expected 2"),
        (lambda: MixedBinomial().fit(X, K, N, start=MixedBinomial()), "not fitted yet"),
        (lambda: model.predict(X[:, :1]), "X: 1 columns; expected 2, as in the fit"),
        (lambda: model.predict(changed(X, (1, 1), np.nan)), "X, row 1, column 1: nan"),
        (lambda: model.predict(X, attempts=0), "attempts, row 0: 0; expected a whole number"),
        (lambda: model.predict(X, variance=-1), "variance, row 0: -1"),
        (lambda: model.predict(X, draws=10), "draws: 10; expected at least 100"),
        (lambda: model.predict(X, levels=(0.5, 95)), "levels: 95; expected chances between 0 and 1"),
    ):
        with pytest.raises(PredictionError) as caught:
            wrong()
        assert text in str(caught.value)
