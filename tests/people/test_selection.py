"""Whose results count: cohorts are not pooled unless asked to, and boosters are told apart."""

import json
from pathlib import Path

import polars as pl
import pytest

from levelsense.errors import PlayersError, PredictionError
from levelsense.level.level import Level
from levelsense.people.rates import stored_rates
from levelsense.people.selection import cohort_words, read_cohort, split_boosters
from levelsense.playtest import NamedLevel
from levelsense.prediction.observed import observed_rates
from levelsense.store import Database, PlayerResults
from tests.test_cli import run

# level, player, cohort, attempts, successes, boosters
ROWS = [
    ("1", "ann", "DE", 4, 1, None),
    ("1", "bob", "DE", 2, 1, 3),
    ("1", "ann", "FR", 5, 5, 0),
    ("1", "eve", None, 9, 0, None),
    ("2", "bob", "DE", 3, 1, 1),
]
MINE = NamedLevel(Level.load("24-hourglass"), ("1",))


def table(*rows: tuple[str, str, str | None, int, int, int | None]) -> pl.DataFrame:
    schema = {
        "level": pl.String,
        "player": pl.String,
        "cohort": pl.String,
        "attempts": pl.Int64,
        "successes": pl.Int64,
        "boosters": pl.Int64,
    }
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(source=pl.lit("x.csv"))


@pytest.fixture
def database(tmp_path: Path) -> Database:
    database = Database(tmp_path / "x.db")
    PlayerResults(database).add(table(*ROWS))
    return database


def counts(rates: pl.DataFrame) -> list[tuple[object, ...]]:
    columns = ("cohort", "level", "attempts", "successes", "boosted_attempts", "boosted_successes")
    return rates.select(columns).rows()


def test_cohorts_are_told_apart_and_boosters_do_not_count(database: Database) -> None:
    assert counts(stored_rates(database)) == [
        (None, "1", 9, 0, 0, 0),
        ("DE", "1", 4, 1, 2, 1),
        ("DE", "2", 0, 0, 3, 1),  # nothing is known of it without boosters
        ("FR", "1", 5, 5, 0, 0),
    ]
    only = stored_rates(database, ["2"]).row(0, named=True)
    assert (only["rate"], only["low"], only["players"], only["method"]) == (None, None, None, None)


def test_a_pattern_takes_cohorts_together(database: Database) -> None:
    assert counts(stored_rates(database, ["1"], "*")) == [("*", "1", 18, 6, 2, 1)]
    assert counts(stored_rates(database, ["1"], "?R")) == [("?R", "1", 5, 5, 0, 0)]
    assert counts(stored_rates(database, ["1"], "")) == [("", "1", 9, 0, 0, 0)]
    with pytest.raises(PlayersError, match="no results of cohort 'U\\*'; there is DE, FR"):
        stored_rates(database, cohort="U*")


def test_with_boosters_all_rows_count(database: Database) -> None:
    rates = stored_rates(database, ["1"], "DE", boosters=True)
    assert counts(rates) == [("DE", "1", 6, 2, 0, 0)]


def test_a_name_that_looks_like_a_pattern_is_a_name(database: Database) -> None:
    stored = PlayerResults(database)
    stored.add(table(("1", "jim", "D[E]", 1, 1, None)))
    assert read_cohort(stored, cohort="D[E]")["player"].to_list() == ["jim"]


def test_models_ask_for_a_cohort(database: Database) -> None:
    with pytest.raises(PredictionError) as caught:
        observed_rates(database, [MINE])
    assert str(caught.value) == (
        f"{database.name}: results of several cohorts for these levels: 'DE', 'FR' and players without a "
        "cohort; expected a `cohort`, or '*' to take all of them together"
    )
    assert observed_rates(database, [MINE], "DE").rates["attempts"].to_list() == [4]
    assert observed_rates(database, [MINE], "DE", boosters=True).rates["attempts"].to_list() == [6]
    together = observed_rates(database, [MINE], "*")
    assert together.rates["attempts"].to_list() == [18]
    assert together.players == "'DE', 'FR' and players without a cohort together"


def test_cohorts_are_told_apart_for_one_fit(database: Database) -> None:
    apart = observed_rates(database, [MINE], apart=True)
    assert {name: rates["attempts"].to_list() for name, rates in apart.cohorts.items()} == {
        "": [9],
        "DE": [4],
        "FR": [5],
    }
    assert apart.players == "'DE', 'FR' and players without a cohort apart"
    some = observed_rates(database, [MINE], "?[ER]", apart=True, boosters=True)
    assert {name: rates["attempts"].to_list() for name, rates in some.cohorts.items()} == {
        "DE": [6],
        "FR": [5],
    }
    assert observed_rates(database, [MINE], "DE").cohorts == {}


def test_the_design_effect_is_told(database: Database) -> None:
    """One player says nothing of others: all of the attempts are worth one."""
    rates = {row["cohort"]: row["design_effect"] for row in stored_rates(database, ["1"]).to_dicts()}
    assert rates == {None: 9.0, "DE": 4.0, "FR": 5.0}
    without = stored_rates(database, ["1"], "*").row(0, named=True)
    low, rate = without["low"], without["rate"]
    assert low < rate
    assert 1 < without["design_effect"] < 18


def test_days_that_cannot_be_told_apart() -> None:
    rows = table(("7", "ann", "A", 0, 1, None), ("7", "ann", "A", 5, 0, 1))
    with pytest.raises(PlayersError) as caught:
        split_boosters(rows)
    assert str(caught.value) == (
        "level '7': rows without boosters add up to 0 attempts and 1 successes; expected no more successes "
        "than attempts, or `boosters`, with which all rows count"
    )


def test_words() -> None:
    assert cohort_words(["b", "a"]) == "'a', 'b'"
    assert cohort_words([None]) == "players without a cohort"


def test_the_command(database: Database) -> None:
    lines = [line.rstrip() for line in run("players", "rates", "--db", database.name).stdout.splitlines()]
    assert lines[0] == "players without a cohort"
    assert lines[3] == "cohort 'DE'"
    assert lines[4].endswith("95% interval  with boosters")
    assert lines[5].endswith("1 of 2")
    assert lines[6] == "2      -        0         0          -        -             1 of 3"
    data = json.loads(
        run("players", "rates", "--db", database.name, "--cohort", "DE", "--boosters", "--json").stdout
    )
    assert [(row["level"], row["attempts"]) for row in data] == [("1", 6), ("2", 3)]
    complaint = run("fit", "24-hourglass", "--db", database.name, "--cohort", "*", "-o", "m.json").stderr
    assert "several cohorts" not in complaint
