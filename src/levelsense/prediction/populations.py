"""What populations of players differ by: their shift and slope on what is hard for all of them.

A model fitted to many populations says of another one, of which nothing is known, that it finds hard what
they find hard, but that all levels may be easier for it, or harder, and that levels may lie closer together
or further apart: logit p = s + a + c (s - center) + kappa, where s is the logit of the average population.
How far a and c may be from 0 is what the populations differ by. With results of a few levels this is the
prior of a fit (`fit --prior`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import PredictionError
from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.prediction.mixed.prior import Prior, SigmaPrior

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
