"""Success rates and their intervals: by hand, at the ends, and by how often they hold the truth."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.people.rates import (
    CLUSTERED,
    RATES_SCHEMA,
    WILSON,
    design_effect,
    rates_to_fit,
    success_rates,
)
from levelsense.playtest.interval import wilson
from levelsense.playtest.levels import natural

Row = tuple[str, str | None, int, int]


def table(*rows: Row) -> pl.DataFrame:
    schema = {"level": pl.String, "player": pl.String, "attempts": pl.Int64, "successes": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def interval(*rows: Row, level: float = 0.95) -> tuple[float, float]:
    (row,) = success_rates(table(*rows), level).iter_rows(named=True)
    return row["low"], row["high"]


def test_without_players_it_is_wilsons() -> None:
    (row,) = success_rates(table(("a", None, 200, 60), ("a", None, 63, 21))).rows()
    assert row == ("a", None, 263, 81, 81 / 263, *wilson(81, 263), WILSON, 1.0)


def test_players_are_added_up_by_level() -> None:
    rates = success_rates(
        table(("a", "ann", 3, 1), ("a", "ann", 1, 1), ("a", "bob", 4, 0), ("b", "ann", 2, 2))
    )
    assert rates.schema == RATES_SCHEMA
    assert rates.select("level", "players", "attempts", "successes", "rate", "method").rows() == [
        ("a", 2, 8, 2, 0.25, CLUSTERED),
        ("b", 1, 2, 2, 1.0, CLUSTERED),
    ]


def test_the_design_effect_by_hand() -> None:
    # Four players with 2 attempts each win 2, 0, 1, 1 of them: rate 1/2, residuals 1, -1, 0, 0.
    # Seen: 4/3 * 2 / (8 * 1/4) = 4/3. If each player's ended alike: 16 / 8 = 2. (4 * 4/3 + 2 * 2) / 6 = 14/9.
    assert design_effect(4, 8, 4, 16, 8, 6) == pytest.approx(14 / 9)
    # Two who win 4 of 4 and 0 of 4: 2 * (4 + 4) / 2 = 8, and 32 / 8 = 4: (4 * 8 + 2 * 4) / 6.
    assert design_effect(2, 8, 4, 32, 16, 16) == pytest.approx(40 / 6)
    # More alike than chance allows counts as chance: 1, and 2. (4 * 1 + 2 * 2) / 6.
    assert design_effect(4, 8, 4, 16, 8, 4) == pytest.approx(8 / 6)


def test_the_interval_by_hand() -> None:
    rows = [("a", name, 2, wins) for name, wins in zip("abcd", (2, 0, 1, 1), strict=True)]
    # 8 / (14/9) attempts, half of them won; 3.182446 is Student's 97.5 % quantile of 3 degrees of freedom.
    effective = 8 / (14 / 9)
    assert interval(*rows) == pytest.approx(wilson(effective / 2, effective, 3.182446), abs=1e-6)
    # The 75 % quantile: 0.764892.
    assert interval(*rows, level=0.5) == pytest.approx(wilson(effective / 2, effective, 0.764892), abs=1e-6)


def test_at_the_ends_each_player_counts_once() -> None:
    # Five players lose 3 attempts each: 15 / 3 = 5 of them tell something; Student's quantile is 2.776445.
    lost = [("a", name, 3, 0) for name in "abcde"]
    low, high = interval(*lost)
    assert low == 0
    assert high == pytest.approx(2.776445**2 / (5 + 2.776445**2), abs=1e-6)
    won = [("a", name, 3, 3) for name in "abcde"]
    assert interval(*won)[0] == pytest.approx(1 - high)
    assert interval(*won)[1] == 1


def test_one_player_tells_nothing_of_others() -> None:
    assert interval(("a", "ann", 100, 40)) == (0, 1)


def test_rows_without_a_player_beside_others_count_as_players() -> None:
    named = interval(("a", "ann", 5, 2), ("a", "bob", 4, 1), ("a", "eve", 3, 3))
    assert interval(("a", "ann", 5, 2), ("a", None, 4, 1), ("a", None, 3, 3)) == named
    (row,) = success_rates(table(("a", "ann", 5, 2), ("a", None, 4, 1), ("a", None, 3, 3))).rows()
    assert row[1] == 1


def test_levels_come_as_people_count() -> None:
    names = ["level 10", "10", "level 2", "2", "1", "1b", "01"]
    ordered = success_rates(table(*((name, None, 1, 1) for name in names)))["level"].to_list()
    assert ordered == ["01", "1", "1b", "2", "10", "level 2", "level 10"]


@given(st.lists(st.text("a1٣0-2", max_size=6)))
def test_any_names_have_an_order(names: list[str]) -> None:
    assert sorted(sorted(names, reverse=True), key=natural) == sorted(names, key=natural)


def test_no_rows() -> None:
    assert success_rates(table()).schema == RATES_SCHEMA
    assert success_rates(table()).is_empty()


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_a_level_that_is_none(level: float) -> None:
    with pytest.raises(ValueError, match="expected a number between 0 and 1"):
        success_rates(table(), level)


results = st.lists(
    st.integers(1, 300).flatmap(
        lambda n: st.tuples(st.sampled_from([*"abcdef", None]), st.just(n), st.integers(0, n))
    ),
    min_size=1,
    max_size=20,
)


@given(results)
def test_the_interval_holds_the_rate_and_stays_inside(drawn: list[tuple[str | None, int, int]]) -> None:
    (rate_row,) = success_rates(table(*(("a", *row) for row in drawn))).iter_rows(named=True)
    assert 0 <= rate_row["low"] <= rate_row["rate"] + 1e-12
    assert rate_row["rate"] - 1e-12 <= rate_row["high"] <= 1
    assert rate_row["low"] < rate_row["high"]


@given(results)
def test_the_interval_mirrors(drawn: list[tuple[str | None, int, int]]) -> None:
    low, high = interval(*(("a", *row) for row in drawn))
    mirrored = interval(*(("a", player, n, n - wins) for player, n, wins in drawn))
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


# Counts of days: an attempt that began before the first day is won on it, without an attempt


def test_players_with_more_successes_than_attempts_by_hand() -> None:
    # 0 attempts and 1 success, 3 and 0, 5 and 3: rate 4/8, residuals 1, -3/2, 1/2 (squares: 14/4).
    # Seen: 3/2 * 3.5 / (8 * 1/4) = 21/8. Ended alike: 34/8. (4 * 21/8 + 2 * 34/8) / 6 = 19/6.
    assert design_effect(3, 8, 4, 34, 15, 10) == pytest.approx(19 / 6)
    effective = 8 / (19 / 6)
    ends = interval(("a", "ann", 0, 1), ("a", "bob", 3, 0), ("a", "eve", 5, 3))
    # 4.302653: Student's, of 2 degrees of freedom.
    assert ends == pytest.approx(wilson(effective / 2, effective, 4.302653), abs=1e-6)


def test_a_player_with_neither_did_not_play() -> None:
    alone = success_rates(table(("a", "ann", 100, 40)))
    assert success_rates(table(("a", "ann", 100, 40), ("a", "bob", 0, 0), ("a", None, 0, 0))).equals(alone)
    assert alone.select("players", "low", "high").row(0) == (1, 0, 1)


def test_a_level_without_attempts_is_left_out() -> None:
    rows = [("a", "ann", 0, 0), ("b", "ann", 0, 2), ("c", None, 0, 0), ("d", None, 0, 1), ("e", "ann", 2, 1)]
    assert success_rates(table(*rows))["level"].to_list() == ["e"]
    assert success_rates(table(*rows[:4])).schema == RATES_SCHEMA
    assert success_rates(table(*rows[:4])).is_empty()


daily = st.lists(
    st.tuples(st.sampled_from([*"abcdef", None]), st.integers(0, 300), st.integers(0, 300)),
    min_size=1,
    max_size=20,
).filter(lambda rows: 1 <= sum(n for _, n, _ in rows) >= sum(wins for _, _, wins in rows))


@given(daily)
def test_with_counts_of_days_the_interval_stays_inside(drawn: list[tuple[str | None, int, int]]) -> None:
    (rate_row,) = success_rates(table(*(("a", *row) for row in drawn))).iter_rows(named=True)
    assert 0 <= rate_row["low"] <= rate_row["rate"] + 1e-12
    assert rate_row["rate"] - 1e-12 <= rate_row["high"] <= 1
    assert rate_row["low"] < rate_row["high"]


@given(daily)
def test_attempts_never_tell_more_than_independent_ones(drawn: list[tuple[str | None, int, int]]) -> None:
    tried, won = [n for _, n, _ in drawn], [wins for _, _, wins in drawn]
    sums = [
        sum(x * y for x, y in zip(*pair, strict=True)) for pair in ((tried, tried), (tried, won), (won, won))
    ]
    if len(drawn) > 1:
        assert design_effect(len(drawn), sum(tried), sum(won), *sums) >= 1


# How often intervals hold the truth: 1,000 levels each; a share of 95 % has a standard error of 0.7 points.


def skills(rng: np.random.Generator, mean: float, likeness: float, shape: tuple[int, int]) -> np.ndarray:
    """Players' own success rates; `likeness` is the correlation of two attempts of one player."""
    odds = (1 - likeness) / likeness
    return rng.beta(mean * odds, (1 - mean) * odds, shape)


def coverage(attempts: np.ndarray, successes: np.ndarray, truth: float) -> tuple[float, float]:
    """The shares of levels (rows) whose intervals hold the truth: with players (columns), and without."""
    levels, players = attempts.shape
    frame = pl.DataFrame(
        {
            "level": np.repeat(np.arange(levels), players).astype(str),
            "player": np.tile(np.arange(players), levels).astype(str),
            "attempts": attempts.ravel(),
            "successes": successes.ravel(),
        }
    )
    nobody = pl.lit(None, pl.String).alias("player")
    rates = [success_rates(one) for one in (frame, frame.with_columns(nobody))]
    clustered, naive = (one.select(pl.lit(truth).is_between("low", "high").mean()).item() for one in rates)
    return clustered, naive


@pytest.mark.parametrize(("players", "mean"), [(15, 0.4), (80, 0.4), (80, 0.1), (200, 0.03)])
def test_intervals_by_player_hold_the_truth_where_others_do_not(players: int, mean: float) -> None:
    rng = np.random.default_rng(players)
    attempts = 1 + rng.poisson(7, (1000, players))
    successes = rng.binomial(attempts, skills(rng, mean, 0.3, attempts.shape))
    clustered, naive = coverage(attempts, successes, mean)
    assert 0.93 <= clustered <= 0.98  # 3 standard errors below 95 %, and no more than a little too careful
    assert naive < 0.80


def test_intervals_hold_where_players_stop_at_their_first_success() -> None:
    """The weak have more attempts: the rate of all attempts is less than the players' mean."""
    rng = np.random.default_rng(5)

    def play(shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        needed = rng.geometric(np.maximum(skills(rng, 0.3, 0.2, shape), 1e-9))
        return np.minimum(needed, 12), (needed <= 12).astype(np.int64)

    attempts, successes = play((1, 1_000_000))
    truth = successes.sum() / attempts.sum()
    assert truth < 0.25
    clustered, _ = coverage(*play((1000, 100)), truth)
    assert 0.93 <= clustered <= 0.98


@pytest.mark.parametrize("players", [5, 20])
def test_few_players_who_hardly_ever_succeed(players: int) -> None:
    """Too careful rather than too sure, where there is little to go by."""
    rng = np.random.default_rng(players)
    attempts = 1 + rng.poisson(9, (1000, players))
    successes = rng.binomial(attempts, skills(rng, 0.03, 0.3, attempts.shape))
    assert coverage(attempts, successes, 0.03)[0] >= 0.93


FOUR_PLAYERS = [(name, 2, wins) for name, wins in zip("abcd", (2, 0, 1, 1), strict=True)]
FOUR_ALIKE = [(name, 2, 1) for name in "abcd"]


def effects_to_fit(*rows: Row) -> dict[str, float]:
    return dict(rates_to_fit(table(*rows)).select("level", "design_effect").iter_rows())


def test_one_level_to_fit_has_the_design_effect_that_it_has_by_itself() -> None:
    rows = [("one", *row) for row in FOUR_PLAYERS]
    assert rates_to_fit(table(*rows)).rows() == success_rates(table(*rows)).rows()


def test_levels_of_one_success_rate_tell_their_design_effect_together() -> None:
    # Seen are 4/3 and 0, by 4 successes each, and the worst case of 2 is worth two successes.
    rows = [("one", *row) for row in FOUR_PLAYERS] + [("other", *row) for row in FOUR_ALIKE]
    assert effects_to_fit(*rows) == {"one": 1.0, "other": 1.0}  # (4 * 4/3 + 4 * 0 + 2 * 2) / 10 is below 1
    rows += [("third", *row) for row in FOUR_PLAYERS] + [("fourth", *row) for row in FOUR_PLAYERS]
    together = (3 * 4 * 4 / 3 + 4 * 0 + 2 * 2) / 18
    assert effects_to_fit(*rows) == pytest.approx(
        dict.fromkeys(("one", "other", "third", "fourth"), together)
    )


def test_levels_tell_less_of_others_the_further_their_success_rates_are_apart() -> None:
    rare = [("rare", f"player {number}", 10, int(number == 0)) for number in range(100)]
    rows = [("one", *row) for row in FOUR_PLAYERS]
    effects = effects_to_fit(*rows, *rare)
    assert effects["one"] == pytest.approx(14 / 9, abs=1e-6)  # as by itself
    # A level half a logit away has exp(-1/2) of the weight: 3 of 8, 5.5 : 3.5 in place of 4.5 : 4.5.
    near = [("near", name, 2, wins) for name, wins in zip("abcd", (2, 0, 1, 0), strict=True)]
    weight = 3 * np.exp(-((np.log(5.5 / 3.5) / 0.5) ** 2) / 2)
    residuals = sum((wins - 3 / 8 * 2) ** 2 for wins in (2, 0, 1, 0))
    seen = 4 / 3 * residuals / (8 * 3 / 8 * 5 / 8)
    expected = (4 * 4 / 3 + weight * seen + 2 * 2) / (4 + weight + 2)
    assert effects_to_fit(*rows, *near)["one"] == pytest.approx(expected)


def test_levels_without_players_tell_nothing_of_others() -> None:
    rows = [("one", *row) for row in FOUR_PLAYERS]
    assert effects_to_fit(*rows, ("nobody", None, 8, 4)) == pytest.approx({"one": 14 / 9, "nobody": 1.0})
    assert effects_to_fit(("nobody", None, 8, 4)) == {"nobody": 1.0}


def test_design_effects_of_hard_levels_are_those_that_players_have() -> None:
    # 150 levels with success rates around 3 %, up to five attempts of 200 players each, until they win.
    draws = np.random.default_rng(1)
    rows: list[Row] = []
    for level in range(150):
        skill = draws.normal(0, 0.7, 200)
        rates = 1 / (1 + np.exp(3.6 - skill))
        for player, rate in enumerate(rates):
            outcomes = draws.random(5) < rate
            won = bool(outcomes.any())
            rows.append((str(level), str(player), int(outcomes.argmax()) + 1 if won else 5, int(won)))
    by_itself, together = success_rates(table(*rows)), rates_to_fit(table(*rows))
    # Observed rates scatter by what the design effect says: here by next to nothing beyond chance.
    n, rate = by_itself["attempts"].to_numpy(), by_itself["rate"].to_numpy()
    scatter = rate.var(ddof=1) / np.mean(rate.mean() * (1 - rate.mean()) / n)
    assert scatter == pytest.approx(1.0, abs=0.25)
    assert by_itself["design_effect"].to_numpy().mean() > 1.25
    assert together["design_effect"].to_numpy().mean() < 1.1
