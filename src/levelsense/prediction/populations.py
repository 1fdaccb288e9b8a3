"""Players' results as arrays, and what populations differ by: shift and slope on what is hard for all.

A model fitted to many populations says of another one, of which nothing is known, that it finds hard what
they find hard, but that all levels may be easier for it, or harder, and that levels may lie closer together
or further apart: logit p = s + a + c (s - center) + kappa, where s is the logit of the average population.
How far a and c may be from 0 is what the populations differ by. With results of a few levels this is the
prior of a fit (`fit --prior`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.errors import PredictionError
from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.prediction.mixed.prior import Prior, SigmaPrior
from levelsense.prediction.table import with_players

FEWEST_POPULATIONS: Final = 3
LEAST_SPREAD: Final = 0.3  # of the logarithm of sigma


@dataclass(frozen=True)
class Populations:
    """What the populations of a fit differ by.

    names       of the populations
    center      the logit of the average population at which shift and slope are uncorrelated
    shift       the standard deviation of a between populations
    slope       and that of c
    sigma       what is left of a population's logits: log sigma over populations is normal around the log of
    spread      this, with this standard deviation
    """

    names: tuple[str, ...]
    center: float
    shift: float
    slope: float
    sigma: float
    spread: float

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the covariance."""
        return len(self.names) - 1

    def prior(self, coefficients: NDArray[np.float64]) -> Prior:
        """The prior of a population's coefficients around those of the average one, the intercept first."""
        shift = np.zeros_like(coefficients)
        shift[0] = 1.0
        slope = coefficients.copy()
        slope[0] -= self.center
        directions = np.column_stack([self.shift * shift, self.slope * slope])
        shared = directions @ directions.T
        return Prior(coefficients, shared, SigmaPrior(middle=self.sigma, spread=self.spread))

    def as_data(self) -> dict[str, Any]:
        """As in the model's file."""
        return {
            "names": list(self.names),
            "center": self.center,
            "shift": self.shift,
            "slope": self.slope,
            "sigma": self.sigma,
            "sigma spread": self.spread,
        }


@dataclass(frozen=True, eq=False)
class _Line:
    """How a population's logits go with those of the average one: a + c s, and what is left."""

    shift: float
    slope: float
    sigma: float


def compare_populations(
    names: Sequence[str], populations: Sequence[tuple[NDArray[np.float64], Mapping[str, Any]]]
) -> Populations:
    """What populations differ by: of each the logits of the average population at its levels, and its counts.

    Counts are the arguments of `MixedBinomial.fit` beside the columns; PredictionError for fewer than three
    populations.
    """
    if len(names) < FEWEST_POPULATIONS:
        raise PredictionError(
            f"{len(names)} populations; expected at least {FEWEST_POPULATIONS}, to tell what they differ by"
        )
    lines = [_line(logits, counts) for logits, counts in populations]
    departures = np.array([(line.shift, line.slope - 1) for line in lines])
    squares = departures.T @ departures / (len(lines) - 1)
    # At the center s0, shift + slope s0 is uncorrelated with slope.
    center = -squares[0, 1] / squares[1, 1] if squares[1, 1] > 0 else 0.0
    at_center = np.array([[1.0, center], [0.0, 1.0]])
    shift, slope = np.sqrt(np.diag(at_center @ squares @ at_center.T))
    logs = np.log([max(line.sigma, 1e-3) for line in lines])
    spread = max(float(logs.std(ddof=1)), LEAST_SPREAD)
    return Populations(
        tuple(names), float(center), float(shift), float(slope), float(np.exp(logs.mean())), spread
    )


def _line(logits: NDArray[np.float64], counts: Mapping[str, Any]) -> _Line:
    fitted = MixedBinomial().fit(logits[:, None], **counts)
    shift, slope = fitted.coef_
    return _Line(float(shift), float(slope), fitted.sigma_)


class PlayerCounts(NamedTuple):
    """Players' results at each level of a fit: counts, their design effect, and the place in the saga."""

    successes: NDArray[np.int64]
    attempts: NDArray[np.int64]
    design_effect: NDArray[np.float64]
    places: NDArray[np.float64]

    @classmethod
    def of(cls, table: pl.DataFrame) -> "PlayerCounts":
        """The results of a table; attempts count as independent if it says nothing else."""
        effect = (
            table["design_effect"].to_numpy() if "design_effect" in table.columns else np.ones(table.height)
        )
        places = table["place"].to_numpy() if "place" in table.columns else np.arange(1, table.height + 1)
        return cls(table["successes"].to_numpy(), table["attempts"].to_numpy(), effect, places.astype(float))

    def head(self, first: int) -> "PlayerCounts":
        """The results of the first levels."""
        return PlayerCounts(
            self.successes[:first], self.attempts[:first], self.design_effect[:first], self.places[:first]
        )


def average_population(table: pl.DataFrame, populations: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """The table with the results of populations together, each with the same weight at a level.

    Those count that have played the most levels. Of each the same number of attempts counts, at its rate: as
    many as the population with the fewest independent ones has.
    """
    joined = [
        with_players(table, results).select(
            "level",
            rate=pl.col("successes") / pl.col("attempts"),
            n=pl.col("attempts") / pl.col("design_effect"),
        )
        for results in populations.values()
    ]
    most = max(results.height for results in joined)
    counted = [results for results in joined if results.height == most]
    fewest = (
        pl.concat(counted)
        .group_by("level")
        .agg(pl.len().alias("count"), pl.col("n").min(), pl.col("rate").mean())
    )
    attempts = (pl.col("n").floor() * pl.col("count")).cast(pl.Int64)
    counts = fewest.filter(pl.col("count") == len(counted)).select(
        "level", attempts=attempts, successes=(attempts * pl.col("rate")).round().cast(pl.Int64)
    )
    return with_players(table, counts)


def population_counts(logits: pl.DataFrame, results: pl.DataFrame) -> tuple[Any, dict[str, Any]]:
    """The logits of the levels that a population has played, and its counts there."""
    joined = logits.join(results, on="level", maintain_order="left")
    counts = {name: joined[name].to_numpy() for name in ("successes", "attempts", "design_effect")}
    return joined["logit"].to_numpy(), counts
