"""Two versions of a level: intervals of differences, against other computations and by drawing."""

from itertools import product
from math import ceil, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.special import expit

from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.limits import with_limit
from levelsense.prediction.compare import (
    KAPPA_REACH,
    _needed,
    _players_shift,
    _sampling_covariance,
    agent_shift,
    compare_played,
    shared_kappa,
)
from levelsense.prediction.features import FEATURES, measure
from levelsense.prediction.levels import predict_levels
from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.prediction.mixed.pairs import predict_difference
from levelsense.prediction.model import DifficultyModel, default_model
from levelsense.prediction.paired import SameBoards, paired_covariance, replicate_logits, table_of
from levelsense.prediction.table import agent_cells, as_table
from tests.prediction.made_up import made_up_attempts, made_up_table

LEVEL = Level.load("17-pocket-board")
AGENTS = tuple(default_model().origin_.attempts)
ATTEMPTS = 60


@pytest.fixture(scope="module")
def boards() -> SameBoards:
    return SameBoards(LEVEL, AGENTS)


@pytest.fixture(scope="module")
def fit() -> MixedBinomial:
    rng = np.random.default_rng(1)
    columns = rng.normal(size=(60, 2))
    rates = 1 / (1 + np.exp(-(0.3 + columns @ (1.0, -0.5) + rng.normal(0, 0.3, 60))))
    return MixedBinomial(penalty=0.1).fit(columns, rng.binomial(300, rates), np.full(60, 300))


def test_the_same_level_differs_by_nothing(fit: MixedBinomial) -> None:
    row = [0.4, -1.0]
    same = fit.predict_difference([row, row], np.zeros((2, 2)), shared=1.0)
    assert (same.value, same.low, same.high) == pytest.approx((0, 0, 0), abs=1e-6)
    assert same.variance == pytest.approx(0, abs=1e-12)


def test_the_less_is_shared_the_wider(fit: MixedBinomial) -> None:
    rows = [[0.4, -1.0], [0.9, -1.0]]
    widths = [
        difference.high - difference.low
        for shared in (1.0, 0.5, 0.0)
        if (difference := fit.predict_difference(rows, np.zeros((2, 2)), shared))
    ]
    assert widths[0] < widths[1] < widths[2]
    noisy = fit.predict_difference(rows, np.diag([0.1, 0.1]), 1.0)
    paired = fit.predict_difference(rows, np.array([[0.1, 0.09], [0.09, 0.1]]), 1.0)
    assert widths[0] < paired.high - paired.low < noisy.high - noisy.low


def test_the_variance_is_that_of_the_difference_of_columns(fit: MixedBinomial) -> None:
    """Against the fit's own at its summit: d' C d, plus twice sigma squared if nothing is shared."""
    rows = np.array([[0.4, -1.0], [0.9, 0.5]])
    apart = np.array([0.0, *(rows[1] - rows[0])])
    covariance = fit.covariance_[:3, :3]
    alone = fit.predict_difference(rows, np.zeros((2, 2)), 1.0).variance
    assert alone == pytest.approx(apart @ covariance @ apart, rel=0.15)
    both = fit.predict_difference(rows, np.zeros((2, 2)), 0.0).variance
    assert both - alone == pytest.approx(2 * fit.sigma_**2, rel=0.25)
    assert fit.predict_difference(rows, np.zeros((2, 2)), 1.0).logit == pytest.approx(
        apart @ fit.coef_, rel=0.02
    )


def test_bands_by_drawing(fit: MixedBinomial) -> None:
    """The band against plain draws of coefficients and kappa from the same mixture."""
    rows, shared = np.array([[0.4, -1.0], [0.9, 0.5]]), 0.3
    known = np.array([[0.02, 0.01], [0.01, 0.03]])
    difference = fit.predict_difference(rows, known, shared)
    grid, rng = fit._fitted(), np.random.default_rng(5)
    standard = grid.scale.standardize(np.column_stack([np.ones(2), rows]))
    draws = []
    for which in rng.choice(len(grid.weights), 20_000, p=grid.weights):
        beta = rng.multivariate_normal(grid.betas[which], grid.covariances[which])
        kappa = grid.sigmas[which] ** 2 * np.array([[1, shared], [shared, 1]]) + known
        logits = standard @ beta + rng.multivariate_normal([0, 0], kappa)
        draws.append(np.diff(1 / (1 + np.exp(-logits)))[0])
    assert (difference.low, difference.high) == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.012)
    assert predict_difference(grid, np.column_stack([np.ones(2), rows]), known, shared, 0.95) == difference


def _attempts(won: list[int]) -> Attempts:
    played = SameBoards(LEVEL, ["first"]).play([LEVEL], len(won))[0]["first"]
    return Attempts(LEVEL, played.frame.with_columns(won=np.array(won, bool)))


def test_an_agents_difference_counts_pairs() -> None:
    """Agresti and Min's interval by hand: 5 gained, 1 lost of 40 pairs."""
    old = [1] * 10 + [0] * 30
    new = [0] + [1] * 9 + [1] * 5 + [0] * 25
    shift = agent_shift(_attempts(old), _attempts(new))
    assert (shift.old, shift.new, shift.points.value) == (0.25, 0.35, 0.1)
    center = 4 / 42
    error = np.sqrt((5.5 + 1.5) - 16 / 42) / 42
    assert shift.points.low == pytest.approx(center - 1.959964 * error)
    assert shift.points.high == pytest.approx(center + 1.959964 * error)
    assert not shift.is_told
    # The error falls with the root of the attempts: so many, for it to be the difference by 1.96.
    assert shift.needed == ceil(40 * (1.959964 * error / center) ** 2)
    none = agent_shift(_attempts(old), _attempts(old))
    assert none.points.value == 0
    assert none.needed is None


def test_paired_boards_have_a_covariance(boards: SameBoards) -> None:
    """A level with a move more is won on nearly the same boards: the errors go together."""
    more = with_limit(LEVEL, 13)
    table = table_of([LEVEL, more], boards.play([LEVEL, more], ATTEMPTS))
    one, other = replicate_logits(default_model(), table)
    variances = paired_covariance(one, one), paired_covariance(other, other)
    assert paired_covariance(one, other) > 0.5 * np.sqrt(variances[0] * variances[1])
    variance = default_model().sampling_variance(table)
    assert variances == pytest.approx(tuple(variance), rel=1e-6)  # no agent always wins or loses here


def test_the_same_boards_make_a_difference_surer(boards: SameBoards) -> None:
    levels = (LEVEL, with_limit(LEVEL, 13))
    first, second = boards.play(levels, 200)
    (elsewhere,) = SameBoards(LEVEL, AGENTS, seed=1).play(levels[1:], 200)
    widths = []
    for new in (second, elsewhere):
        points = compare_played(default_model(), ("old", "new"), levels, (first, new)).players.points
        widths.append((points.high or 0.0) - points.low)
    assert widths[0] < 0.6 * widths[1]


def test_kappa_is_shared_the_more_alike_levels_are(boards: SameBoards) -> None:
    model, other = default_model(), Level.load("24-hourglass")
    levels = [LEVEL, with_limit(LEVEL, 13), with_limit(LEVEL, 15), other]
    played = boards.play(levels, ATTEMPTS)
    shares = [
        shared_kappa(model, table_of([LEVEL, level], [played[0], by_agent]))
        for level, by_agent in zip(levels, played, strict=True)
    ]
    assert shares[0] == 1
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 0.01


def test_two_levels_of_a_fit_are_one_apart_on_average() -> None:
    """In each column that varies, over all pairs: half of the mean squared difference is the variance."""
    table = made_up_table(6, seed=2)
    model = DifficultyModel(penalties=(10.0,)).fit(table)
    varies = np.ptp(model.columns_.values(table), axis=0) > 0
    apart = [
        -KAPPA_REACH * np.log(shared_kappa(model, table[[*pair]])) for pair in product(range(6), repeat=2)
    ]
    assert np.mean(apart) == pytest.approx(varies.mean())


def test_how_many_attempts_tell_a_difference() -> None:
    """A logit of 1 is told once 1.96^2 times the variance is below 1; of that, 0.1 is there for ever."""
    needed = _needed(1.0, 0.1, 0.4, 100)
    assert needed is not None
    is_clear = [1.959964**2 * (0.1 + 0.4 * 100 / attempts) <= 1 for attempts in (needed - 1, needed)]
    assert is_clear == [False, True]
    assert _needed(1.0, 0.3, 0.4, 100) is None


def test_what_is_unknown_of_both_is_no_difference() -> None:
    level = Level.load("48-bittersweet")  # of dark chocolate the default model knows nothing
    (played,) = SameBoards(level, AGENTS).play([level], ATTEMPTS)
    assert all(0 < attempts.wins < ATTEMPTS for attempts in played.values())
    compared = compare_played(default_model(), ("old", "new"), (level, level), (played, played))
    assert compared.old.unlike is not None
    points = compared.players.points
    assert (points.value, points.low, points.high) == pytest.approx((0, 0, 0), abs=1e-6)


def test_a_comparison_says_what_is_told(boards: SameBoards) -> None:
    levels = (LEVEL, with_limit(LEVEL, 18))
    first, second = boards.play(levels, 200)
    compared = compare_played(default_model(), ("old", "new"), levels, (first, second))
    assert compared.difference.words == "6 moves more"
    shift = compared.players
    assert shift.is_told
    assert shift.points.value == pytest.approx(compared.new.rate - compared.old.rate)
    assert shift.points.low > 0
    assert compared.agents["random"].new == second["random"].wins / 200
    assert compared.as_data()["players"]["told"] is True
    same = compare_played(default_model(), ("old", "new"), (LEVEL, LEVEL), (first, first))
    assert not same.players.is_told
    assert same.players.needed is None
    assert same.difference.plays_alike


def test_an_agent_that_never_wins_makes_no_difference_of_the_same_level() -> None:
    level = with_limit(LEVEL, 3)
    (played,) = SameBoards(level, AGENTS).play([level], ATTEMPTS)
    assert any(attempts.wins == 0 for attempts in played.values())
    points = compare_played(default_model(), ("old", "new"), (level, level), (played, played)).players.points
    assert (points.value, points.low, points.high) == pytest.approx((0, 0, 0), abs=1e-6)


def test_errors_at_the_ends_go_together_at_levels_that_are_alike(hard_saga: DifficultyModel) -> None:
    """An agent that never wins at one level and always at the other says nothing of one by the other."""
    rng = np.random.default_rng(0)
    chance = np.abs(rng.normal(size=(2, 200)))
    lost, won = (made_up_row(0.0, 0.0, side * (chance + 4)) for side in (-1, 1))
    for rows, alike in (((lost, lost), True), ((won, won), True), ((lost, won), False)):
        table = as_table([*rows])
        both = paired_covariance(*replicate_logits(hard_saga, table))
        ends = hard_saga.end_variance(table)
        assert (ends > 0).all()
        expected = both + (ends[0].sum() if alike else 0.0)
        assert _sampling_covariance(hard_saga, table)[0, 1] == pytest.approx(expected)


SIGMA = 0.2
SHIFTS = {"strong": 0.3, "hopeless": -2.5}


def made_up_row(ease: float, jelly: float, chance: Any) -> dict[str, Any]:
    """A level of which an agent wins many attempts and another hardly any, of the margins of both."""
    row: dict[str, Any] = {
        "level": str(ease),
        **dict.fromkeys(FEATURES, 0.0),
        "parts": [],
        "jelly goal": jelly,
    }
    for (agent, shift), of_agent in zip(SHIFTS.items(), chance, strict=True):
        row |= agent_cells(agent, measure(made_up_attempts(0.3 * (0.6 * ease + shift + of_agent))))
    return row


@pytest.fixture(scope="module")
def hard_saga() -> DifficultyModel:
    """A model of levels at which one agent hardly ever wins; players' logit is 2 * ease + 0.5 * jelly."""
    rng, rows = np.random.default_rng(0), []
    for ease, jelly in zip(rng.normal(size=120), rng.random(120) < 0.4, strict=True):
        rate = expit(2 * ease + 0.5 * jelly + SIGMA * rng.normal())
        players = {"attempts": 500, "successes": int(rng.binomial(500, rate))}
        rows.append(made_up_row(ease, float(jelly), rng.normal(size=(2, 200))) | players)
    return DifficultyModel(penalties=(10.0,), drift=False).fit(as_table(rows))


def test_differences_where_an_agent_never_wins_by_drawing_levels(hard_saga: DifficultyModel) -> None:
    """Pairs of levels, played on the same boards, whose players' rates are known."""
    inside: list[bool] = []
    rng, errors = np.random.default_rng(1), []
    while len(inside) < 150:
        ease, jelly = rng.normal(-0.8, 0.6), float(rng.random() < 0.4)
        eases = ease, ease + rng.normal(0, 0.25)
        first = rng.normal(size=(2, 200))
        second = 0.9 * first + sqrt(1 - 0.9**2) * rng.normal(size=(2, 200))  # much the same attempts
        table = as_table([made_up_row(eases[0], jelly, first), made_up_row(eases[1], jelly, second)])
        if table["hopeless: wins"].sum():
            continue
        shared = shared_kappa(hard_saga, table)
        kappas = rng.multivariate_normal([0, 0], SIGMA**2 * np.array([[1, shared], [shared, 1]]))
        old, new = expit(2 * np.array(eases) + 0.5 * jelly + kappas)
        (before,), (after,) = (predict_levels(hard_saga, table[row : row + 1]) for row in (0, 1))
        points = _players_shift(hard_saga, table, (before, after), 200).points
        inside.append(points.low <= new - old <= (points.high or 0.0))
        errors.append((new - old - points.value) / ((points.high or 0.0) - points.low) * 2 * 1.96)
    assert np.mean(inside) > 0.95 - 2 * sqrt(0.95 * 0.05 / len(inside))
    assert np.std(errors) > 0.5  # an interval of twice the width that it need have is too wide


def test_differences_for_players_who_are_not_known_by_drawing(boards: SameBoards) -> None:
    """An unknown population is the same for both versions: it is easier for it, or harder, all of it."""
    model, levels = default_model(), (LEVEL, with_limit(LEVEL, 18))
    played = boards.play(levels, 200)
    shift = compare_played(model, ("old", "new"), levels, tuple(played)).players  # type: ignore[arg-type]
    table, differ, grid = table_of(levels, played), model.populations_, model.mixed_._fitted()
    assert differ is not None
    rows, rng, draws = model.rows(table), np.random.default_rng(3), 40_000
    columns = grid.scale.standardize(np.column_stack([np.ones(2), rows]))
    likeliest = int(np.argmax(grid.weights))
    average = columns @ grid.betas[likeliest]
    unlike = np.diag(model.unlike_variance(table))
    unlike[0, 1] = unlike[1, 0] = model.unlike_covariance(table)
    known = columns @ grid.covariances[likeliest] @ columns.T + unlike + _sampling_covariance(model, table)
    freedom, shared = len(differ.names) - 1, shared_kappa(model, table)
    scale = np.sqrt(freedom / rng.chisquare(freedom, (draws, 1)))
    kappas = rng.multivariate_normal([0, 0], [[1, shared], [shared, 1]], draws) * model.stretch(rows)
    logits = average + rng.multivariate_normal([0, 0], known, draws)
    logits += differ.sigma * np.exp(differ.spread * rng.normal(size=(draws, 1))) * kappas
    logits += scale * differ.shift * rng.normal(size=(draws, 1))
    logits += scale * differ.slope * rng.normal(size=(draws, 1)) * (average - differ.center)
    differences = np.diff(expit(logits), axis=1)[:, 0]
    points = shift.points
    error = sqrt(
        0.025 * 0.975 * (1 / 4000 + 1 / draws)
    )  # of the ends, which are of 4,000 draws, and of these
    for end, share in ((points.low, 0.025), (points.high, 0.975)):
        assert np.mean(differences < end) == pytest.approx(share, abs=2 * error)
