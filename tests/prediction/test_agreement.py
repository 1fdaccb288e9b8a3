"""The fit is lme4's, to the digits that two optimizers can agree on."""

import numpy as np
import pytest

from tests.prediction.agreement import compare, fitted, lme4_fits, read_levels


def test_coefficients_errors_sigma_and_likelihood_are_those_of_lme4() -> None:
    gaps = compare()
    assert [(gap.levels, gap.nodes) for gap in gaps] == [
        (levels, nodes) for levels in ("main", "small_n") for nodes in (1, 10, 25)
    ]
    for gap in gaps:
        assert gap.coefficients < 1e-5, gap
        assert gap.sigma < 1e-5, gap
        assert gap.errors < 1e-3, gap
        assert gap.loglik < 1e-3, gap


@pytest.mark.parametrize("name", ["main", "small_n"])
def test_as_many_new_levels_lie_outside_the_bands(name: str) -> None:
    """Two of 200 levels may fall differently: lme4's bands were drawn with other random numbers."""
    levels, theirs = read_levels(name), lme4_fits()[name]["10"]
    new = ~levels.fit
    model = fitted(levels, 10)
    seen = (levels.successes / levels.attempts)[new]
    true, observed = model.predict(levels.x[new]), model.predict(levels.x[new], levels.attempts[new])
    for prediction, share in (
        (true, theirs["outside_rate_band"]),
        (observed, theirs["outside_observed_band"]),
    ):
        band = prediction.bands[0.95]
        assert np.mean((seen < band.low) | (seen > band.high)) == pytest.approx(share, abs=0.0101)
    assert np.abs(true.rate - seen).mean() == pytest.approx(theirs["mae"], abs=1e-4)
    band = true.bands[0.95]
    assert 0.01 < np.mean((levels.rates[new] < band.low) | (levels.rates[new] > band.high)) < 0.09
