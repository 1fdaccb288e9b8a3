"""Folds that never look ahead, and penalties that fit what they find."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from levelsense.errors import PredictionError
from levelsense.prediction import MixedBinomial, choose_penalty, rolling_folds
from tests.prediction.test_quadrature import integral

PENALTIES = (0.0, 1.0, 10.0, 100.0, 1000.0)


def made_up(slopes: Any, levels: int = 120, seed: int = 0) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(levels, len(slopes)))
    n = np.full(levels, 200)
    return x, rng.binomial(n, expit(x @ slopes + 0.4 * rng.normal(size=levels))), n


def test_folds_by_hand() -> None:
    folds = [(fit.tolist(), judge.tolist()) for fit, judge in rolling_folds(7, 2, 3)]
    assert folds == [([0, 1], [2]), ([0, 1, 2], [3, 4]), ([0, 1, 2, 3, 4], [5, 6])]


@given(st.data())
def test_each_level_after_the_first_is_judged_once_and_after_all_before_it(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 300))
    first = data.draw(st.integers(1, n - 1))
    folds = rolling_folds(n, first, data.draw(st.integers(1, n - first)))
    assert np.concatenate([judge for _, judge in folds]).tolist() == list(range(first, n))
    for fit, judge in folds:
        assert fit.tolist() == list(range(judge[0]))


def test_later_levels_do_not_change_earlier_scores() -> None:
    x, k, n = made_up([0.8, 0.0, 0.3])
    folds = rolling_folds(120, 60, 4)
    before = choose_penalty(x, k, n, None, PENALTIES, folds)
    k2, x2, n2 = k.copy(), x.copy(), n.copy()
    k2[90:], x2[90:], n2[90:] = 7, -3 * x[90:], 50
    after = choose_penalty(x2, k2, n2, None, PENALTIES, folds)
    early = before.rows < 90
    assert early.sum() == 30
    assert np.array_equal(before.scores[:, early], after.scores[:, early])
    assert not np.any(before.scores[:, ~early] == after.scores[:, ~early])


def test_noise_gets_a_large_penalty_and_a_strong_signal_a_small_one() -> None:
    folds = rolling_folds(120, 60, 4)
    noise = choose_penalty(*made_up(np.zeros(15)), None, PENALTIES, folds)
    assert noise.penalty >= 100
    signal = choose_penalty(*made_up([1.0, -0.8, 0.6]), None, PENALTIES, folds)
    assert signal.penalty <= 10
    for choice in (noise, signal):
        assert choice.penalties == PENALTIES
        assert choice.means == pytest.approx(choice.scores.mean(axis=1))
        assert choice.penalty == PENALTIES[int(np.argmax(choice.means))]


def test_one_standard_error_prefers_the_larger_penalty() -> None:
    data = made_up([1.0, -0.8, 0.6, 0.0, 0.0, 0.0])
    folds = rolling_folds(120, 60, 4)
    best, cautious = (choose_penalty(*data, None, PENALTIES, folds, one_se=flag) for flag in (False, True))
    assert np.array_equal(best.scores, cautious.scores)
    top = PENALTIES.index(best.penalty)
    gaps = best.scores - best.scores[top]
    assert best.errors == pytest.approx(np.sqrt(((gaps.T - gaps.mean(axis=1)) ** 2).sum(axis=0) / 59 / 60))
    expected = max(
        penalty
        for penalty, mean, error in zip(PENALTIES, best.means, best.errors, strict=True)
        if mean >= best.means[top] - error
    )
    assert cautious.penalty == expected >= best.penalty
    assert cautious.penalty < 1000


def test_of_several_within_one_standard_error_it_is_the_largest() -> None:
    """Columns that say little: 10 is the best of these penalties, 30 and 100 cannot be told from it."""
    x, k, n = made_up([0.1, 0.1, 0.0], seed=1)
    tried = (10.0, 30.0, 100.0, 300.0, 1000.0)
    best, cautious = (
        choose_penalty(x, k, n, None, tried, rolling_folds(120, 60, 4), one_se=flag) for flag in (False, True)
    )
    close = best.means >= best.means.max() - best.errors
    assert close.tolist() == [True, True, True, False, False]
    assert (best.penalty, cautious.penalty) == (10, 100)


def test_scores_are_densities_of_counts() -> None:
    """Over all counts that a judged level could have had, the densities add up to 1."""
    x, k, n = made_up([0.5], levels=30)
    n[29] = 6
    total = 0.0
    for count in range(7):
        k[29] = count
        total += float(np.exp(choose_penalty(x, k, n, None, [1.0], [(range(29), [29])]).scores[0, 0]))
    assert total == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(("far", "variance"), [(0.0, 0.0), (9.0, 0.0), (0.0, 2.0)])
def test_a_score_knows_what_is_not_known(far: float, variance: float) -> None:
    """Of the level, of the coefficients (far from the levels of the fit) and by its known variance."""
    x, k, n = made_up([0.5], levels=12)
    x[11], k[11] = far, 30
    known = np.append(np.zeros(11), variance)
    score = choose_penalty(x, k, n, known, [1.0], [(range(11), [11])]).scores[0, 0]
    model = MixedBinomial(penalty=1.0).fit(x[:11], k[:11], n[:11])
    row = np.array([1.0, far])
    spread = np.sqrt(model.sigma_**2 + variance + row @ model.covariance_[:2, :2] @ row)
    expected = integral(30, 200, float(model.coef_ @ row), float(spread))
    assert score == pytest.approx(np.log(expected), abs=0.02)


def test_an_element_that_comes_late_needs_a_penalty() -> None:
    """Its column is constant at first: no fit without a penalty, and no choice of 0 either."""
    x, k, n = made_up([0.8, 0.5])
    x[:70, 1] = 0
    choice = choose_penalty(x, k, n, None, (0.0, 1.0, 10.0), rolling_folds(120, 60, 4))
    assert choice.means[0] == -np.inf
    assert choice.penalty > 0
    with pytest.raises(PredictionError, match=r"none of them can be fitted.*X, column 1: 0 on every row"):
        choose_penalty(x, k, n, None, [0.0], rolling_folds(120, 60, 4))


def test_what_cannot_be_chosen_from() -> None:
    x, k, n = made_up([0.8])
    folds = rolling_folds(120, 60, 4)
    for arguments, text in (
        (((), folds), r"penalties: \[\]; expected numbers of at least 0"),
        (((-1.0,), folds), r"penalties: \[-1.0\]"),
        (((1.0,), []), "folds: none"),
        (
            ((1.0,), [([5, 6, 9], [8, 10])]),
            "folds, fold 0: expected rows to fit to, and only later rows to judge",
        ),
    ):
        with pytest.raises(PredictionError, match=text):
            choose_penalty(x, k, n, None, *arguments)
    for n_levels, first, count in ((10, 0, 2), (10, 10, 1), (10, 5, 6), (10, 5, 0)):
        with pytest.raises(PredictionError, match="expected from 1 to"):
            rolling_folds(n_levels, first, count)
