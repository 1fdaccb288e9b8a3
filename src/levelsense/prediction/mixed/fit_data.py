"""A fit in a file: which numbers there are, within which bounds, how many of each, and its grid as lists."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Any, Final, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from levelsense.prediction.mixed.band import SigmaGrid
from levelsense.prediction.mixed.data import Scale
from levelsense.prediction.mixed.quadrature import Array

NODES_MOST: Final = 100

Flag = Annotated[bool, Field(strict=True)]
Text = Annotated[str, Field(strict=True)]
Whole = Annotated[int, Field(strict=True)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
AtLeast0 = Annotated[Number, Field(ge=0)]
Above0 = Annotated[Number, Field(gt=0)]


class Part(BaseModel):
    """An object of a file; unknown keys are ignored."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)


class GridPoint(Part):
    """One sigma of the grid that bands are made of."""

    sigma: AtLeast0
    weight: AtLeast0
    walk: AtLeast0
    coefficients: list[Number]
    covariance: list[list[Number]]


class FitData(Part):
    """What `MixedBinomial.as_data` wrote, checked."""

    nodes: Annotated[Whole, Field(ge=1, le=NODES_MOST)]
    penalty: AtLeast0
    levels: Whole
    coefficients: Annotated[list[Number], Field(min_length=1)]
    sigma: AtLeast0
    covariance: list[list[Number | None]]  # None is infinite, for which JSON has no number
    loglik: Annotated[float, Field(strict=True)]
    converged: Flag
    center: list[Number]
    spread: list[Above0]
    walk: Annotated[list[Number], Field(min_length=2)] | None  # the knots of a random walk
    grid: Annotated[list[GridPoint], Field(min_length=1)]

    @model_validator(mode="after")
    def _check_sizes(self) -> Self:
        count = len(self.coefficients)
        _check_square("covariance", self.covariance, count + 1)
        count += len(self.walk or ())  # the columns of a walk are as many as its knots
        _check_count("center", self.center, count - 1)
        _check_count("spread", self.spread, count - 1)
        for number, point in enumerate(self.grid, 1):
            _check_count(f"grid {number}, coefficients", point.coefficients, count)
            _check_square(f"grid {number}, covariance", point.covariance, count)
        return self

    @model_validator(mode="after")
    def _check_walk(self) -> Self:
        if self.walk is not None and any(later <= knot for knot, later in pairwise(self.walk)):
            raise ValueError("walk: times that do not rise; expected later and later ones")
        return self

    @model_validator(mode="after")
    def _check_variances(self) -> Self:
        if not np.isfinite(np.array(self.covariance, float)[:-1, :-1]).all():
            raise ValueError("covariance: null beside the last row and column; expected numbers")
        _check_diagonal("covariance", self.covariance if self.sigma > 0 else self.covariance[:-1])
        for number, point in enumerate(self.grid, 1):
            _check_diagonal(f"grid {number}, covariance", point.covariance)
        return self

    @model_validator(mode="after")
    def _check_weights(self) -> Self:
        total = sum(point.weight for point in self.grid)
        if abs(total - 1) > 1e-3:
            raise ValueError(f"grid: weights that add up to {total:g}; expected shares of 1")
        return self

    def sigma_grid(self) -> SigmaGrid:
        """The grid that bands are made of."""
        return SigmaGrid(
            Scale(np.array(self.center), np.array(self.spread)),
            np.array([point.sigma for point in self.grid]),
            np.array([point.weight for point in self.grid]),
            np.array([point.coefficients for point in self.grid]),
            np.array([point.covariance for point in self.grid]),
            np.array([point.walk for point in self.grid]),
        )


def grid_data(grid: SigmaGrid) -> list[dict[str, Any]]:
    """The points of a grid as plain lists and numbers: what GridPoint reads."""
    return [
        {
            "sigma": sigma,
            "weight": weight,
            "walk": walk,
            "coefficients": beta,
            "covariance": covariance,
        }
        for sigma, weight, walk, beta, covariance in zip(
            grid.sigmas.tolist(),
            grid.weights.tolist(),
            grid.walks.tolist(),
            grid.betas.tolist(),
            grid.covariances.tolist(),
            strict=True,
        )
    ]


def matrix_data(matrix: Array) -> list[list[float | None]]:
    """A matrix as lists, with None where it is infinite, for which JSON has no number."""
    return [[value if np.isfinite(value) else None for value in row] for row in matrix.tolist()]


def _check_count(key: str, numbers: Sequence[Any], count: int) -> None:
    if len(numbers) != count:
        raise ValueError(f"{key}: {len(numbers)} numbers; expected {count}")


def _check_square(key: str, rows: Sequence[Sequence[Any]], size: int) -> None:
    if len(rows) != size:
        raise ValueError(f"{key}: {len(rows)} rows; expected {size}")
    for number, row in enumerate(rows, 1):
        _check_count(f"{key} {number}", row, size)


def _check_diagonal(key: str, rows: Sequence[Sequence[float | None]]) -> None:
    for number, row in enumerate(rows):
        variance = row[number]
        if variance is None or variance < 0:
            variance_text = "null" if variance is None else f"{variance:g}"
            raise ValueError(
                f"{key} {number + 1}, {number + 1}: {variance_text}; expected a variance of at least 0"
            )
