"""Input of a fit or a prediction, checked: columns, counts, and that a finite maximum exists."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from levelsense.errors import PredictionError
from levelsense.prediction.mixed.quadrature import Array

ATTEMPTS_MOST = 2**53  # the largest up to which every whole number is one


@dataclass(frozen=True)
class Scale:
    """The units of the columns: standardized they are (columns - center) / spread, the intercept's apart."""

    center: Array
    spread: Array

    @classmethod
    def of(cls, columns: Array) -> "Scale":
        """Mean and standard deviation of the columns; a constant column keeps its unit."""
        center, spread = columns[:, 1:].mean(axis=0), columns[:, 1:].std(axis=0)
        still = spread <= 1e-12 * np.maximum(np.abs(center), 1e-300)
        return cls(center, np.where(still, 1.0, spread))

    def standardize(self, columns: Array) -> Any:
        """Columns in their own units to standardized ones, both with the intercept's first."""
        return np.column_stack([columns[:, 0], (columns[:, 1:] - self.center) / self.spread])

    def to_units(self) -> Any:
        """The matrix that takes coefficients of standardized columns to those of the columns as given."""
        matrix = np.diag(np.concatenate([[1.0], 1 / self.spread]))
        matrix[0, 1:] = -self.center / self.spread
        return matrix


@dataclass(frozen=True, eq=False)
class Design:
    """The rows of a fit, one a level: columns with the intercept's first, counts, known variances.

    Counts are those of independent attempts: divided by the design effect, they need not be whole.
    """

    columns: Array
    successes: Array
    attempts: Array
    variance: Array
    stretch: Array  # by what sigma is multiplied

    def __len__(self) -> int:
        return len(self.successes)


def fit_design(
    X: ArrayLike,  # noqa: N803
    successes: ArrayLike,
    attempts: ArrayLike,
    variance: ArrayLike | None,
    design_effect: ArrayLike | None = None,
    stretch: ArrayLike | None = None,
) -> Design:
    """The checked rows of a fit; PredictionError if one is wrong."""
    columns = with_intercept(X)
    rows = len(columns)
    if rows == 0:
        raise PredictionError("X: no rows; expected at least one level")
    n = attempts_of(attempts, rows)
    k = _vector("successes", successes, rows)
    _refuse("successes", k, (k < 0) | (k > n), "between 0 and the level's attempts")
    _refuse("successes", k, k != np.round(k), "a whole number")
    effect = design_effect_of(design_effect, rows)
    return Design(columns, k / effect, n / effect, variance_of(variance, rows), stretch_of(stretch, rows))


def with_intercept(X: ArrayLike) -> Any:  # noqa: N803
    """The columns as numbers, after a column of ones."""
    columns = _numbers("X", X)
    if columns.ndim != 2:
        hint = "; a single column is X.reshape(-1, 1)" if columns.ndim == 1 else ""
        raise PredictionError(f"X: an array of {columns.ndim} dimensions; expected rows and columns{hint}")
    wrong = np.argwhere(~np.isfinite(columns))
    if len(wrong):
        row, column = wrong[0]
        raise PredictionError(f"X, row {row}, column {column}: {columns[row, column]}; expected a number")
    return np.column_stack([np.ones(len(columns)), columns])


def attempts_of(attempts: ArrayLike, rows: int) -> Any:
    """Attempts a row: whole numbers of at least 1."""
    n = _vector("attempts", attempts, rows)
    _refuse("attempts", n, (n < 1) | (n != np.round(n)), "a whole number of at least 1")
    _refuse("attempts", n, n > ATTEMPTS_MOST, f"at most {ATTEMPTS_MOST:,}")
    return n


def variance_of(variance: ArrayLike | None, rows: int) -> Any:
    """The known variance of each row's logit: 0 if None."""
    if variance is None:
        return np.zeros(rows)
    variances = _vector("variance", variance, rows)
    _refuse("variance", variances, variances < 0, "at least 0")
    return variances


def design_effect_of(design_effect: ArrayLike | None, rows: int) -> Any:
    """How many attempts of each row say as much as one independent one: 1 if None."""
    if design_effect is None:
        return np.ones(rows)
    effects = _vector("design_effect", design_effect, rows)
    _refuse("design_effect", effects, effects < 1, "at least 1")
    return effects


def stretch_of(stretch: ArrayLike | None, rows: int) -> Any:
    """By what sigma is multiplied at each row: 1 if None."""
    if stretch is None:
        return np.ones(rows)
    factors = _vector("stretch", stretch, rows)
    _refuse("stretch", factors, factors <= 0, "above 0")
    return factors


def times_of(time: ArrayLike, rows: int) -> Any:
    """The time of each row."""
    return _vector("time", time, rows)


def _vector(name: str, values: ArrayLike, rows: int) -> Any:
    vector = _numbers(name, values)
    if vector.ndim == 0:
        vector = np.full(rows, float(vector))
    if vector.shape != (rows,):
        raise PredictionError(f"{name}: shape {vector.shape}; expected one number for each of {rows} rows")
    _refuse(name, vector, ~np.isfinite(vector), "a number")
    return vector


def _numbers(name: str, values: ArrayLike) -> Any:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise PredictionError(f"{name}: not an array of numbers; expected numbers only") from None


def _refuse(name: str, values: Array, wrong: Array, expected: str) -> None:
    if np.any(wrong):
        row = int(np.argmax(wrong))
        raise PredictionError(f"{name}, row {row}: {values[row]:g}; expected {expected}")


RANK_TOLERANCE = 1e-8  # of a column that is left when the columns before it are taken out
FREE_TOLERANCE = 1e-10  # of a direction's mean square over levels: less than this is 0


def check_finite(design: Design, penalized: bool) -> None:
    """PredictionError unless there is one finite maximum; a penalty keeps coefficients finite."""
    _check_some_won_and_some_lost(design)
    if np.all(design.attempts <= 1):
        raise PredictionError(
            "attempts: 1 at every level, or worth 1 by the design effect of few players; expected more at "
            "some, for sigma cannot be told from single attempts"
        )
    if penalized:
        return
    rows, coefficients = design.columns.shape
    if rows < coefficients:
        raise PredictionError(
            f"X: {rows} rows for {coefficients} coefficients; expected at least as many rows, or a penalty"
        )
    _check_independent(design.columns)
    _check_not_separated(design)


def _check_some_won_and_some_lost(design: Design) -> None:
    for what, extreme in (("0", design.successes == 0), ("all of the attempts", _all_won(design))):
        if np.all(extreme):
            raise PredictionError(
                f"successes: {what} on every level; expected some attempts won and some lost, "
                "for the intercept has no finite best value otherwise, with a penalty or without"
            )


def _check_independent(columns: Array) -> None:
    for column, values in enumerate(columns.T[1:]):
        if np.ptp(values) <= 1e-12 * np.abs(values).max():
            raise PredictionError(
                f"X, column {column}: {values[0]:g} on every row; expected a column that varies, or a penalty"
            )
    basis = np.zeros_like(columns)
    for column, values in enumerate(_scaled(columns).T):
        residual = values / np.linalg.norm(values)
        for _ in range(2):  # a second time, to take out rounding errors
            residual = residual - basis @ (basis.T @ residual)
        if np.linalg.norm(residual) < RANK_TOLERANCE:
            raise PredictionError(
                f"X, column {column - 1}: follows from the columns before it; "
                "expected independent columns, or a penalty"
            )
        basis[:, column] = residual / np.linalg.norm(residual)


def _scaled(columns: Array) -> Any:
    """Columns less their mean, over their standard deviation, the intercept's apart."""
    return Scale.of(columns).standardize(columns)


def _check_not_separated(design: Design) -> None:
    """PredictionError if, in some direction, no level's likelihood falls and some level's rises forever."""
    alone = _separating_column(design)
    if alone is not None:
        raise PredictionError(
            f"X, column {alone}: separates levels always lost or always won from the others, so that its "
            "coefficient has no finite best value; expected overlap, or a penalty"
        )
    together = _separating_direction(design)
    if together is not None:
        named = ", ".join(str(column) for column in np.flatnonzero(together > 1e-6 * together.max()))
        raise PredictionError(
            f"X, columns {named} together: separate levels always lost or always won from the others, so "
            "that their coefficients have no finite best value; expected overlap, or a penalty"
        )


def _separating_column(design: Design) -> int | None:
    """The first column with a value that has levels with losses on one side only, with wins on the other."""
    not_won, not_lost = ~_all_won(design), design.successes > 0
    for column, values in enumerate(design.columns.T[1:]):
        low, high = values[not_won], values[not_lost]
        if low.max() <= high.min() or low.min() >= high.max():
            return column
    return None


def _separating_direction(design: Design) -> Any:
    """The absolute weight of each column in a combination that separates; None if there is none.

    Levels with both outcomes hold the combination at 0; the others allow it one sign. That is a linear
    program in the directions that the former leave free.
    """
    lost, won = design.successes == 0, _all_won(design)
    scaled = _scaled(design.columns)
    mixed = scaled[~(lost | won)]
    sizes, directions = np.linalg.eigh(mixed.T @ mixed)
    free = directions[:, sizes < FREE_TOLERANCE * len(design)]
    if free.shape[1] == 0:
        return None
    sign = np.where(won, 1.0, -1.0)[lost | won]
    rise = sign[:, None] * (scaled[lost | won] @ free)
    optimum = linprog(-rise.sum(axis=0), A_ub=-rise, b_ub=np.zeros(len(rise)), bounds=(-1, 1))
    if optimum.status != 0 or -optimum.fun < 1e-7 * len(rise):
        return None
    return np.abs(free @ optimum.x)[1:]


def _all_won(design: Design) -> Any:
    return design.successes == design.attempts
