"""Luck: the share of variance that lies between boards, estimated without bias."""

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.agents.attempt import ATTEMPT_DTYPE
from levelsense.game.state import LOST, WON
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.plan import attempt_seeds
from levelsense.playtest.skill_and_luck import ONE_SIDED, SAME_PLAY, luck, luck_seeds, variances
from tests.playtest.drawn_attempts import small_level

REPEATS = 4


def board_attempts(
    wins: np.ndarray,
    repeats: int = REPEATS,
    score: np.ndarray | None = None,
    moves_made: np.ndarray | int = 0,
) -> Attempts:
    """Attempts in which board k is won wins[k] times of `repeats`; by default no two score alike."""
    records = np.zeros(len(wins) * repeats, ATTEMPT_DTYPE)
    records["status"] = np.where(np.arange(repeats) < wins[:, None], WON, LOST).ravel()
    records["score"] = np.arange(len(records)) if score is None else score
    records["moves_made"] = moves_made
    return Attempts.from_records(small_level(), 0, records)


def test_variances_by_hand() -> None:
    """Boards won 0, 2, 4 of 4 times: rates 0, 0.5, 1 of variance 0.25; within, (0 + 1 + 0) / (3 x 3)."""
    between, within = variances(np.array([0, 2, 4]), 4)
    assert within == pytest.approx(1 / 9)
    assert between == pytest.approx(0.25 - 1 / 36)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=3), st.integers(2, 3))
def test_variances_are_unbiased(chances: list[float], repeats: int) -> None:
    """The mean over everything that can happen is what the boards' chances of success say."""
    boards = len(chances)
    mean_between = mean_within = 0.0
    for wins in product(range(repeats + 1), repeat=boards):
        probability = prod(_binomial(k, repeats, chance) for k, chance in zip(wins, chances, strict=True))
        between, within = variances(np.array(wins), repeats)
        mean_between += probability * float(between)
        mean_within += probability * float(within)
    assert mean_within == pytest.approx(np.mean([p * (1 - p) for p in chances]))
    assert mean_between == pytest.approx(np.var(chances, ddof=1))


def _binomial(k: int, n: int, p: float) -> float:
    combinations = prod(range(n - k + 1, n + 1)) / prod(range(1, k + 1))
    return float(combinations * p**k * (1 - p) ** (n - k))


def test_the_board_decides() -> None:
    measured = luck(board_attempts(np.array([0, 4] * 25)), REPEATS)
    assert measured.share is not None
    assert measured.share.value == pytest.approx(1)


def test_no_board_is_better_than_another() -> None:
    measured = luck(board_attempts(np.full(50, 2)), REPEATS)
    assert measured.share is not None
    assert measured.share.value is not None
    assert measured.share.value < 0
    assert (measured.share.low, measured.share.high) == (0.0, 0.0)


def test_the_interval_by_hand() -> None:
    """The jackknife over 12 boards; 2.200985 is Student's 97.5 % quantile of 11 degrees of freedom."""
    wins = np.array([4, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0, 0])

    def share(some: np.ndarray) -> float:
        between, within = variances(some, REPEATS)
        return float(between / (between + within))

    without = [share(np.delete(wins, board)) for board in range(12)]
    error = np.sqrt(11 / 12 * sum((one - np.mean(without)) ** 2 for one in without))
    estimate = luck(board_attempts(wins), REPEATS).share
    assert estimate is not None
    assert estimate.value == pytest.approx(share(wins))
    assert (estimate.low, estimate.high) == pytest.approx(
        (share(wins) - 2.200985 * error, share(wins) + 2.200985 * error), abs=1e-6
    )
    assert 0 < estimate.low < (estimate.high or 0) < 1


def test_interval_covers_a_known_share() -> None:
    """Boards whose chances of success are drawn from beta(a, a) share 1 / (2a + 1) of the variance."""
    rng = np.random.default_rng(3)
    share, held, shares = 0.3, 0, []
    a = (1 / share - 1) / 2
    for _ in range(200):
        wins = rng.binomial(REPEATS, rng.beta(a, a, 50))
        estimate = luck(board_attempts(wins), REPEATS).share
        assert estimate is not None
        assert estimate.high is not None
        shares.append(estimate.value)
        held += estimate.low <= share <= estimate.high
    assert held / 200 >= 0.90
    assert np.mean(np.array(shares, float)) == pytest.approx(share, abs=0.02)


def test_an_agent_without_randomness_tells_nothing() -> None:
    attempts = board_attempts(np.array([0, 4] * 25), score=np.repeat(np.arange(50), REPEATS))
    assert luck(attempts, REPEATS).share is None
    assert luck(attempts, REPEATS).why == SAME_PLAY


def test_the_same_scores_by_other_moves_are_other_play() -> None:
    wins = np.array([0, 4] * 25)
    attempts = board_attempts(wins, score=np.zeros(200), moves_made=np.arange(200) % 3)
    assert luck(attempts, REPEATS).why is None


def test_too_one_sided() -> None:
    wins = np.zeros(50, int)
    wins[:19] = 1
    assert luck(board_attempts(wins), REPEATS).why == ONE_SIDED
    assert luck(board_attempts(REPEATS - wins), REPEATS).why == ONE_SIDED


def test_too_few_boards() -> None:
    with pytest.raises(ValueError, match="9 boards x 4; expected at least 10 boards x 2 repeats"):
        luck(board_attempts(np.full(9, 2)), REPEATS)


def test_seeds_of_boards() -> None:
    seeds = luck_seeds("digest", "random", 0, 5, 3)
    assert seeds.shape == (15, 2)
    boards = seeds[:, 0].reshape(5, 3)
    assert (boards == boards[:, :1]).all()
    assert len(set(boards[:, 0].tolist())) == 5
    assert len(set(seeds[:, 1].tolist())) == 15
    assert (seeds == luck_seeds("digest", "random", 0, 5, 3)).all()
    assert (seeds != luck_seeds("digest", "random", 1, 5, 3)).any()
    # Other boards than those of the playtest itself.
    assert not np.isin(seeds, attempt_seeds("digest", "random", 0, 0, 15)).any()
