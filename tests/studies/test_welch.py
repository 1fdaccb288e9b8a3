"""Welch's test against SciPy's, and what 500 attempts would give against many repetitions."""

import numpy as np
import pytest
from scipy.stats import t as student
from scipy.stats import ttest_ind, ttest_rel

from levelsense.studies.welch import Scores, Welch, mean_interval


@pytest.mark.parametrize(("first", "second"), [((90, 12, 500), (84, 15, 500)), ((5, 1, 7), (6, 4, 31))])
def test_t_freedom_and_p_are_those_of_scipy(
    first: tuple[float, float, int], second: tuple[float, float, int]
) -> None:
    rng = np.random.default_rng(3)
    one, two = rng.normal(*first), rng.normal(*second)
    expected = ttest_ind(one, two, equal_var=False)
    test = Welch(one, two)
    assert test.t == pytest.approx(expected.statistic)
    assert test.freedom == pytest.approx(expected.df)
    assert test.p == pytest.approx(expected.pvalue)
    assert test.confidence == pytest.approx(1 - expected.pvalue)
    interval = expected.confidence_interval(0.95)
    assert test.interval == pytest.approx((interval.low, interval.high))


def test_by_hand() -> None:
    """Means 2 and 5, variances 1 and 4, three of each: equations 5 and 6 on paper."""
    test = Welch(np.array([1.0, 2.0, 3.0]), np.array([3.0, 5.0, 7.0]))
    assert test.t == pytest.approx(-3 / (1 / 3 + 4 / 3) ** 0.5)
    assert test.freedom == pytest.approx((5 / 3) ** 2 / ((1 / 3) ** 2 / 2 + (4 / 3) ** 2 / 2))
    assert test.t_of(12) == pytest.approx(2 * test.t)


def test_samples_that_do_not_vary() -> None:
    same = np.full(4, 7.0)
    assert (Welch(same, same).t, Welch(same, same).p) == (0, 1)
    assert Welch(same + 1, same).t == np.inf
    assert Welch(same, same).freedom == 6
    assert Welch(same + 1, same).t_range(9) == (np.inf, np.inf)


def test_pairs_that_do_not_differ() -> None:
    scores = np.random.default_rng(2).normal(0.1, 0.3, 50)
    test = Welch(scores, scores, paired=True)
    assert (test.t, test.p, *test.interval, *test.t_range(500)) == pytest.approx((0, 1, 0, 0, 0, 0), abs=1e-6)


def test_the_range_holds_t_of_new_samples() -> None:
    """Of 200 new pairs of samples of 50, about 95 of 100 have their t in the range."""
    rng = np.random.default_rng(8)
    test = Welch(rng.normal(3, 2, 2000), rng.normal(2, 1, 2000))
    low, high = test.t_range(50)
    new = [Welch(rng.normal(3, 2, 50), rng.normal(2, 1, 50)).t for _ in range(200)]
    assert 178 <= sum(low <= t <= high for t in new) <= 199
    assert (low + high) / 2 == pytest.approx(test.t_of(50))


def test_the_range_is_wider_if_the_samples_are_no_larger_themselves() -> None:
    """Fifty attempts tell the mean as badly as fifty others do: twice the variance."""
    rng = np.random.default_rng(4)
    few = rng.normal(3, 2, 50), rng.normal(2, 1, 50)
    many = np.tile(few[0], 400), np.tile(few[1], 400)
    narrow, wide = (high - low for low, high in (Welch(*many).t_range(50), Welch(*few).t_range(50)))
    assert wide / narrow == pytest.approx(2**0.5, rel=0.08)


@pytest.mark.parametrize(
    ("sizes", "deviations", "gap"),
    [
        ((200, 5_000), (1.0, 3.0), 1.0),  # the small sample has the smaller part in t
        ((5_000, 200), (1.0, 3.0), 1.0),
        ((2_000, 10_000), (20.0, 14.0), 24.0),  # as in McAdams' comparisons with random play
        ((400, 400), (2.0, 1.0), 3.0),
    ],
)
def test_the_range_is_as_wide_as_repetitions_scatter(
    sizes: tuple[int, int], deviations: tuple[float, float], gap: float
) -> None:
    """Simulated: how far t of 200 new attempts of each falls from what the samples at hand say.

    Scores are skewed, as sums of points are, so that means and deviations go along.
    """
    rng = np.random.default_rng(11)

    def draw(repetitions: int, counts: tuple[int, int]) -> list[Scores]:
        shapes = [(repetitions, count) for count in counts]
        first, second = (
            (rng.gamma(9, 1 / 3, shape) - 3) * deviation
            for shape, deviation in zip(shapes, deviations, strict=True)
        )
        return [first + gap, second]

    def ts(first: Scores, second: Scores) -> Scores:
        variance = first.var(axis=1, ddof=1) + second.var(axis=1, ddof=1)
        t_values: Scores = (first.mean(axis=1) - second.mean(axis=1)) / (variance / 200) ** 0.5
        return t_values

    repetitions = 4_000
    new = ts(*draw(repetitions, (200, 200)))
    known = np.concatenate([ts(*draw(repetitions // 20, sizes)) for _ in range(20)])
    expected = 2 * 1.96 * (new - known).std()
    widths = [
        np.ptp(Welch(first[0], second[0]).t_range(200))
        for first, second in (draw(1, sizes) for _ in range(30))
    ]
    assert np.mean(widths) == pytest.approx(expected, rel=0.03)


def test_pairs_are_told_as_by_scipy() -> None:
    """Of as many attempts the error is that of differences of pairs; t stays that of the equations."""
    rng = np.random.default_rng(6)
    boards = rng.normal(0, 2, 300)
    one, two = (boards + rng.normal(mean, 1, 300) for mean in (3.2, 3))
    test = Welch(one, two, paired=True)
    expected = ttest_rel(one, two)
    assert test.t == pytest.approx(Welch(one, two).t)
    assert 2 * student.sf(expected.statistic, test.freedom) == pytest.approx(test.p)
    low, high = test.interval
    half = student.ppf(0.975, test.freedom) * (one - two).std(ddof=1) / 300**0.5
    assert (low, high) == pytest.approx((test.difference - half, test.difference + half))


def test_pairs_by_hand_if_one_sample_goes_on() -> None:
    """Variances 1 and 20/3, the covariance of the first three 2: 1/3 + 20/12 - 2 * 2/4 = 1 is the error's."""
    test = Welch(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 5.0, 7.0]), paired=True)
    half = student.ppf(0.975, test.freedom)
    assert test.interval == pytest.approx((-2 - half, -2 + half))
    assert test.p == pytest.approx(2 * student.sf(2, test.freedom))


@pytest.mark.parametrize("sizes", [(400, 400), (2_000, 500)])
def test_the_range_of_pairs_is_as_wide_as_repetitions_on_the_same_boards(sizes: tuple[int, int]) -> None:
    """Simulated: half of a score's variance is the board's, so that t scatters by far less."""
    rng = np.random.default_rng(12)

    def draw(counts: tuple[int, int]) -> Welch:
        boards = rng.normal(0, 1, max(counts))
        first, second = (boards[:count] + rng.normal(0, 1, count) for count in counts)
        return Welch(first + 0.5, second, paired=True)

    off = [draw((200, 200)).t - draw(sizes).t_of(200) for _ in range(3_000)]
    width = np.mean([np.ptp(draw(sizes).t_range(200)) for _ in range(30)])
    assert width == pytest.approx(2 * 1.96 * np.std(off), rel=0.04)


def test_the_interval_of_a_mean() -> None:
    scores = np.array([1.0, 2.0, 3.0, 6.0])
    mean, half = mean_interval(scores)
    expected = student.interval(0.95, 3, loc=scores.mean(), scale=scores.std(ddof=1) / 2)
    assert (mean - half, mean + half) == pytest.approx(expected)
