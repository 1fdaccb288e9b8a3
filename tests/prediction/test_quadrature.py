"""The integral over the random effect, beside slow integration and slow differentiation."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import binom, norm

from levelsense.prediction.mixed.quadrature import LevelLikelihood


def one(values: float) -> Any:
    return np.array([float(values)])


def integral(k: int, n: int, eta: float, tau: float) -> float:
    """The likelihood by integrating over the logit in pieces as narrow as the narrowest integrand."""

    def density(u: float) -> float:
        return float(binom.pmf(k, n, 1 / (1 + np.exp(-u))) * norm.pdf(u, eta, tau))

    cuts = np.linspace(eta - 9 * tau, eta + 9 * tau, 200)
    return sum(quad(density, low, high, epsabs=0)[0] for low, high in pairwise(cuts))


@pytest.mark.parametrize(
    ("k", "n", "eta", "tau"),
    [
        (3, 10, 0.5, 0.4),
        (0, 150, -1.0, 0.8),
        (150, 150, 0.3, 1.2),
        (9000, 20000, 0.4, 0.3),
        (1, 1, -2.0, 2.0),
    ],
)
def test_the_value_is_the_integral(k: int, n: int, eta: float, tau: float) -> None:
    value = LevelLikelihood(one(k), one(n), 25).slopes(one(eta), one(tau)).value[0]
    assert value == pytest.approx(np.log(integral(k, n, eta, tau)), abs=2e-5)


def test_without_a_random_effect_it_is_the_binomial() -> None:
    # 3 of 10 at a rate of a half: 120 / 1024.
    slopes = LevelLikelihood(one(3), one(10), 15).slopes(one(0), one(0))
    assert slopes.value[0] == pytest.approx(np.log(120 / 1024))
    assert slopes.eta[0] == pytest.approx(3 - 5)
    assert slopes.tau[0] == pytest.approx(0, abs=1e-12)


@given(
    n=st.integers(1, 100_000),
    share=st.floats(0, 1),
    eta=st.floats(-6, 6),
    tau=st.floats(0, 3),
    nodes=st.sampled_from([1, 2, 7, 15]),
)
def test_slopes_and_curvature_are_those_of_the_value(
    n: int, share: float, eta: float, tau: float, nodes: int
) -> None:
    """Any counts, however far from what eta expects: central differences of the value."""
    level = LevelLikelihood(one(round(share * n)), one(n), nodes)
    step = 1e-2 * level.width(one(eta), one(tau))
    slopes, bend = level.slopes(one(eta), one(tau)), level.curvature(one(eta), one(tau))
    by_eta = [level.slopes(eta + sign * step, one(tau)) for sign in (1, -1)]
    by_tau = [level.slopes(one(eta), tau + sign * step) for sign in (1, -1)]
    for slope, pair in ((slopes.eta, by_eta), (slopes.tau, by_tau)):
        rise = (pair[0].value - pair[1].value)[0] / (2 * step[0])
        assert slope[0] == pytest.approx(rise, rel=1e-3, abs=1e-5 / step[0])
    near = {"rel": 1e-2, "abs": 1e-6 / step[0] ** 2}
    assert bend.eta_eta[0] == pytest.approx((by_eta[0].eta - by_eta[1].eta)[0] / (2 * step[0]), **near)
    assert bend.eta_tau[0] == pytest.approx((by_tau[0].eta - by_tau[1].eta)[0] / (2 * step[0]), **near)
    assert bend.tau_tau[0] == pytest.approx((by_tau[0].tau - by_tau[1].tau)[0] / (2 * step[0]), **near)


def test_more_nodes_change_nothing_where_a_fixed_grid_would_miss_the_peak() -> None:
    rng = np.random.default_rng(3)
    n = rng.integers(150, 50_000, 200).astype(float)
    k = rng.binomial(n.astype(int), rng.random(200)).astype(float)
    eta, tau = rng.normal(size=200), np.full(200, 0.4)
    few, many = (LevelLikelihood(k, n, nodes).slopes(eta, tau).value for nodes in (15, 60))
    assert np.abs(few - many).max() < 1e-6
