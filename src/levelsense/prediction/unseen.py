"""What an element that no level of a fit has may do: estimated by leaving known elements out, one by one.

The levels without an element are fitted, those with it predicted. How far these are off, beyond what their
bands allow for, is what not knowing the element costs. The mean over the known elements is what to expect of
one that is new. Logits are taken as normal here, so that leaving out is one linear system an element.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, stdtrit

Array = NDArray[np.float64]
FEWEST_WITH: Final = 5  # levels with an element, for it to be left out
FEWEST_WITHOUT: Final = 30  # and levels without
USUAL_EFFECT: Final = 0.3  # logits; of an element where a fit has too few elements to tell
FEWEST_ELEMENTS: Final = 3
NORMAL_95: Final = 1.959964


@dataclass(frozen=True, eq=False)
class LogitRows:
    """Levels of a fit as a linear regression: columns as they enter it, logits, and their variances."""

    columns: Array
    logits: Array
    variance: Array
    penalty: float

    @classmethod
    def of(
        cls,
        columns: Array,
        counts: tuple[Array, Array],
        expected: Array,
        spread: Array,
        penalty: float,
        drifted: Array,
    ) -> "LogitRows":
        """From successes and attempts, those of independent attempts, and the logits that a fit expects.

        `spread` is the variance of a level's logit around the regression, `drifted` a part of the expected
        logit that is no column's.
        """
        successes, attempts = counts
        p = expit(expected)
        logits = np.log((successes + 0.5) / (attempts - successes + 0.5)) - drifted
        return cls(columns, logits, 1 / (attempts * p * (1 - p) + 0.5) + spread, penalty)


def left_out(rows: LogitRows, has: NDArray[np.bool_]) -> float | None:
    """The variance of the levels that have an element beyond what is expected of them, if left out.

    Levels weigh by how much their squared errors tell of it. Columns that say nothing of the other levels,
    such as the element's own, have no part. None if too few levels have the element, or lack it.
    """
    without = ~has
    if has.sum() < FEWEST_WITH or without.sum() < FEWEST_WITHOUT:
        return None
    varies = np.ptp(rows.columns[without], axis=0) > 0
    design = np.column_stack([np.ones(len(has)), rows.columns[:, varies]])
    weights = 1 / rows.variance[without]
    ridge = np.full(design.shape[1], rows.penalty)
    ridge[0] = 1e-9
    gram = design[without].T @ (design[without] * weights[:, None]) + np.diag(ridge)
    covariance = np.linalg.inv(gram)
    slopes = covariance @ (design[without].T @ (weights * rows.logits[without]))
    errors = rows.logits[has] - design[has] @ slopes
    uncertain = np.einsum("rp,pq,rq->r", design[has], covariance, design[has])
    known = rows.variance[has] + uncertain
    return float(np.average(errors**2 - known, weights=known**-2))


def unseen_variance(
    rows: LogitRows, elements: dict[str, NDArray[np.bool_]]
) -> tuple[float, dict[str, float]]:
    """The variance of a level's logit by an element that is new, and each known element's own, left out.

    Elements differ: most do next to nothing beyond what agents show, some a lot, and which a new one is
    nobody knows. So it is their mean variance and a standard deviation more, and more with few elements to
    tell it by, as Student's quantile is larger than the normal one.
    """
    excess: dict[str, float] = {}
    for name, has in elements.items():
        beyond = left_out(rows, has)
        if beyond is not None:
            excess[name] = beyond
    count = len(excess)
    if count < FEWEST_ELEMENTS:
        return USUAL_EFFECT**2, excess
    wider: Any = stdtrit(count - 1, 0.975) / NORMAL_95
    known = np.array(list(excess.values()))
    return max(float(known.mean() + known.std(ddof=1)), 0.0) * float(wider) ** 2, excess
