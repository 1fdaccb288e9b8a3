"""How long players try: the law by simulation and by hand, its fit on drawn players, and what rows tell."""

from datetime import date
from math import prod

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import betabinom

from levelsense.people.details import level_details, persistence_of
from levelsense.people.persistence import (
    AttemptsLaw,
    Persistence,
    fit_levels,
    fit_persistence,
    stuck_seen,
    tallies,
)

shares = st.floats(0.02, 0.95)
spreads = st.floats(0.05, 2.0)
quits = st.floats(0.01, 0.5)


def beta(law: AttemptsLaw) -> tuple[float, float]:
    """The beta law's parameters, from its mean and the variance that the spread stands for."""
    total = 1 / (law.spread**2 * law.mean * (1 - law.mean))
    return law.mean * total, (1 - law.mean) * total


def drawn(law: AttemptsLaw, players: int, seed: int, level: str = "a") -> pl.DataFrame:
    """Rows of players who try until they succeed or give up, each with a success rate of its own."""
    rng = np.random.default_rng(seed)
    rows = []
    for player, rate in enumerate(rng.beta(*beta(law), players)):
        attempts, won = 0, False
        while True:
            attempts += 1
            won = rng.random() < rate
            if won or rng.random() < law.quits:
                break
        rows.append((level, None, f"{level}{player}", None, attempts, int(won), None))
    schema = ("level", "cohort", "player", "date", "attempts", "successes", "moves_left")
    kinds = {"cohort": pl.String, "date": pl.Date, "moves_left": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row", schema_overrides=kinds)


@given(shares, spreads, st.integers(1, 40))
def test_who_is_stuck_has_no_success_in_so_many(mean: float, spread: float, attempts: int) -> None:
    law = AttemptsLaw(mean, spread, 0.1)
    assert law.stuck(attempts) == pytest.approx(betabinom(attempts, *beta(law)).pmf(0), rel=1e-6)


def test_alike_players_are_stuck_by_a_geometric_law() -> None:
    law = AttemptsLaw(0.3, 0.01, 0.1)
    assert law.stuck(5) == pytest.approx(0.7**5, rel=1e-3)
    assert law.needed() == 2  # 0.7 * 0.7 is the first below one half
    assert law.rate == pytest.approx(0.3, rel=1e-3)
    # Given up: lost, and each time the one in ten comes up.
    assert law.gave_up == pytest.approx(sum(0.7**k * 0.9 ** (k - 1) * 0.1 for k in range(1, 400)), rel=1e-3)


def test_unlike_players_by_hand() -> None:
    """A spread with a = 1 and b = 2: 2/3, 2/3 * 3/4, 2/3 * 3/4 * 4/5 of the players are still stuck."""
    law = AttemptsLaw(1 / 3, (1 / (3 * (1 / 3) * (2 / 3))) ** 0.5, 0.1)
    assert beta(law) == pytest.approx((1, 2))
    assert law.stuck(3) == pytest.approx(prod((2 / 3, 3 / 4, 4 / 5)))
    assert law.needed(0.55) == 3
    assert law.stuck(0) == 1


@settings(deadline=None)
@given(shares, spreads, quits)
def test_a_rate_gives_the_law_that_has_it(rate: float, spread: float, quitting: float) -> None:
    law = Persistence(spread, quitting).at(rate)
    assert law.rate == pytest.approx(rate, rel=1e-4)
    assert law.mean >= rate * (1 - 1e-6)  # weak players try more often


def test_the_law_is_that_of_drawn_players() -> None:
    """Within four standard errors, of 20,000 players."""
    law = AttemptsLaw(0.2, 1.0, 0.1)
    rows = drawn(law, 20_000, 1)
    successes, attempts = int(rows["successes"].sum()), int(rows["attempts"].sum())
    assert abs(1 - successes / 20_000 - law.gave_up) < 4 * (0.25 / 20_000) ** 0.5
    assert attempts / 20_000 == pytest.approx(law.attempts, rel=0.03)
    assert successes / attempts == pytest.approx(law.rate, rel=0.04)


@pytest.mark.parametrize("spread", [0.4, 1.2])
def test_what_players_were_drawn_with_is_found(spread: float) -> None:
    means = {"a": 0.7, "b": 0.4, "c": 0.15, "d": 0.05}
    rows = pl.concat(
        drawn(AttemptsLaw(mean, spread, 0.12), 3000, number, level)
        for number, (level, mean) in enumerate(means.items())
    )
    table = tallies(rows)
    persistence = fit_persistence(table)
    assert persistence is not None
    assert persistence.spread == pytest.approx(spread, rel=0.15)
    assert persistence.quits == pytest.approx(0.12, rel=0.05)
    for level, law in fit_levels(table, persistence).items():
        assert law.mean == pytest.approx(means[level], rel=0.12)
        assert law.spread == pytest.approx(spread, rel=0.35)
        part = table.filter(pl.col("level") == level)
        assert law.stuck(4) == pytest.approx(stuck_seen(part, 4), abs=0.03)


def test_a_level_of_few_players_has_the_spread_of_all() -> None:
    rows = pl.concat(
        [drawn(AttemptsLaw(0.4, 1.0, 0.1), 4000, 1, "a"), drawn(AttemptsLaw(0.4, 1.0, 0.1), 3, 2, "b")]
    )
    table = tallies(rows)
    persistence = fit_persistence(table)
    assert persistence is not None
    assert fit_levels(table, persistence)["b"].spread == pytest.approx(persistence.spread, rel=0.3)


def rows_of(*rows: tuple[str | None, date | None, int, int, float | None]) -> pl.DataFrame:
    """Rows of level 7: player, date, attempts, successes, moves left."""
    kinds = {
        "player": pl.String,
        "date": pl.Date,
        "attempts": pl.Int64,
        "successes": pl.Int64,
        "moves_left": pl.Float64,
    }
    frame = pl.DataFrame(rows, schema=kinds, orient="row")
    return frame.with_columns(level=pl.lit("7"), cohort=pl.lit(None, pl.String))


DAYS = [date(2024, 5, day) for day in (1, 2, 3)]


def test_tallies_are_by_player() -> None:
    table = tallies(
        rows_of(
            ("ann", DAYS[0], 3, 0, None),
            ("ann", DAYS[1], 1, 1, None),  # four attempts, the last one won
            ("bob", DAYS[0], 3, 1, None),
            ("cem", DAYS[0], 3, 0, None),
            ("dan", DAYS[0], 0, 1, None),  # begun before: how often is not known
            (None, None, 9, 9, None),
            ("eve", DAYS[0], 1, 2, None),
        )
    )
    assert table.rows() == [("7", 0, True, 1), ("7", 2, True, 1), ("7", 3, False, 1), ("7", 3, True, 1)]


def test_stuck_as_it_was_seen() -> None:
    """Four try: one wins at once; of the other three one gives up; of two, one wins the second attempt."""
    table = pl.DataFrame({"lost": [0, 1, 1, 2], "won": [True, True, False, True], "players": 1})
    assert stuck_seen(table, 1) == pytest.approx(3 / 4)
    assert stuck_seen(table, 2) == pytest.approx(3 / 4 * 1 / 2)
    assert stuck_seen(table, 3) == 0
    assert stuck_seen(table, 9) == 0
    assert stuck_seen(table.head(3), 2) == pytest.approx(2 / 3 * 0)
    # Nobody made a second attempt: what it would have come to was not seen.
    assert stuck_seen(pl.DataFrame({"lost": [0, 1], "won": [True, False], "players": 5}), 2) is None


def test_who_gave_up_is_told_where_days_tell_it() -> None:
    dated = rows_of(
        ("ann", DAYS[0], 2, 1, 4.0),
        ("bob", DAYS[0], 2, 0, None),
        ("cem", DAYS[2], 2, 0, None),  # still trying on the last day
        ("dan", DAYS[1], 1, 1, 7.0),
        ("dan", DAYS[2], 2, 2, 1.0),
    )
    row = level_details(dated).row(0, named=True)
    assert row["gave_up"] == pytest.approx(1 / 3)
    assert row["moves_left"] == pytest.approx((4 + 7 + 2 * 1) / 4)
    undated = dated.filter(pl.col("player") != "dan").with_columns(date=pl.lit(None, pl.Date))
    assert level_details(undated)["gave_up"].to_list() == [None]
    assert level_details(undated, simulated=True)["gave_up"].to_list() == [pytest.approx(2 / 3)]


def test_nothing_is_told_of_nobody() -> None:
    rows = rows_of((None, None, 9, 4, None))
    assert persistence_of(rows) is None
    assert persistence_of(rows.clear()) is None
    row = level_details(rows).row(0, named=True)
    assert row.pop("level") == "7"
    assert set(row.values()) == {None}
    assert level_details(rows.clear()).height == 0
