"""What the model is fitted to or asked about, checked: columns of numbers, counts, known variances."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from levelsense.errors import PredictionError

ATTEMPTS_MOST = 2**53  # the largest up to which every whole number is one


@dataclass(frozen=True, eq=False)
class Design:
    """The rows of a fit, one a level: columns with the intercept's first, counts, known variances."""

    columns: Any
    successes: Any
    attempts: Any
    variance: Any

    def __len__(self) -> int:
        return len(self.successes)


def fit_design(X: Any, successes: Any, attempts: Any, variance: Any) -> Design:  # noqa: N803
    """Everything a fit needs, or a PredictionError that says what is wrong with it."""
    columns = with_intercept(X)
    rows = len(columns)
    if rows == 0:
        raise PredictionError("X: no rows; expected at least one level")
    n = attempts_of(attempts, rows)
    k = _vector("successes", successes, rows)
    _refuse("successes", k, (k < 0) | (k > n), "between 0 and the level's attempts")
    _refuse("successes", k, k != np.round(k), "a whole number")
    return Design(columns, k, n, variance_of(variance, rows))


def with_intercept(X: Any) -> Any:  # noqa: N803
    """The columns as numbers, after a column of ones."""
    found = _numbers("X", X)
    if found.ndim != 2:
        one = "; a single column is X.reshape(-1, 1)" if found.ndim == 1 else ""
        raise PredictionError(f"X: an array of {found.ndim} dimensions; expected rows and columns{one}")
    wrong = np.argwhere(~np.isfinite(found))
    if len(wrong):
        row, column = wrong[0]
        raise PredictionError(f"X, row {row}, column {column}: {found[row, column]}; expected a number")
    return np.column_stack([np.ones(len(found)), found])


def attempts_of(attempts: Any, rows: int) -> Any:
    """Attempts a row: whole numbers of at least 1."""
    n = _vector("attempts", attempts, rows)
    _refuse("attempts", n, (n < 1) | (n != np.round(n)), "a whole number of at least 1")
    _refuse("attempts", n, n > ATTEMPTS_MOST, f"at most {ATTEMPTS_MOST:,}")
    return n


def variance_of(variance: Any, rows: int) -> Any:
    """The known variance of each row's logit: 0 unless told."""
    if variance is None:
        return np.zeros(rows)
    found = _vector("variance", variance, rows)
    _refuse("variance", found, found < 0, "at least 0")
    return found


def _vector(name: str, values: Any, rows: int) -> Any:
    found = _numbers(name, values)
    if found.ndim == 0:
        found = np.full(rows, float(found))
    if found.shape != (rows,):
        raise PredictionError(f"{name}: shape {found.shape}; expected one number for each of {rows} rows")
    _refuse(name, found, ~np.isfinite(found), "a number")
    return found


def _numbers(name: str, values: Any) -> Any:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise PredictionError(f"{name}: not an array of numbers; expected numbers only") from None


def _refuse(name: str, values: Any, wrong: Any, expected: str) -> None:
    if np.any(wrong):
        row = int(np.argmax(wrong))
        raise PredictionError(f"{name}, row {row}: {values[row]:g}; expected {expected}")
