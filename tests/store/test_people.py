"""Players' results in a database: added once, kept apart by their key, refused if they contradict."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from sqlalchemy import inspect, select, text

from levelsense.errors import PlayersError, StoreError
from levelsense.store import Counts, Database, PlayerResults, Source, attempts, runs, summaries
from levelsense.store.players import RESULTS_SCHEMA
from levelsense.store.schema import MEASURES, METADATA, PLAYER_RESULTS, SCHEMA, SCHEMA_VERSION

DAY = date(2024, 2, 29)
ROWS = [
    # level, player, date, cohort, attempts, successes, moves_left, boosters, source
    ("1", "ann", DAY, "new", 3, 1, 2.5, 4, "x.csv"),
    ("1", "ann", DAY, None, 3, 1, None, None, "x.csv"),
    ("1", "ann", None, None, 3, 0, None, None, "x.csv"),
    ("1", None, None, None, 90, 30, None, None, "x.csv"),
    ("10", "ann", DAY, "new", 3, 3, 0.0, 0, "x.csv"),
    ("2", "bob", DAY, "new", 1, 0, None, 1, "x.csv"),
]
FIRST = pl.DataFrame(ROWS, schema=RESULTS_SCHEMA, orient="row")


@pytest.fixture
def database(place: str) -> Iterator[Database]:
    with Database(place) as opened:
        yield opened


@pytest.fixture
def results(database: Database) -> PlayerResults:
    return PlayerResults(database)


def sorted_rows(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    return sorted(frame.rows(), key=repr)


def test_what_is_added_is_read(results: PlayerResults) -> None:
    assert results.add(FIRST) == Counts(added=6, known=0)
    stored = results.read()
    assert stored.schema == RESULTS_SCHEMA
    assert sorted_rows(stored) == sorted_rows(FIRST)
    assert stored["level"].to_list() == ["1", "1", "1", "1", "10", "2"]


def test_adding_again_changes_nothing(results: PlayerResults) -> None:
    results.add(FIRST)
    again = FIRST.with_columns(source=pl.lit("copy.csv"))
    assert results.add(again.reverse()) == Counts(added=0, known=6)
    assert sorted_rows(results.read()) == sorted_rows(FIRST)


def test_new_rows_among_known_ones(results: PlayerResults) -> None:
    results.add(FIRST.head(4))
    assert results.add(FIRST) == Counts(added=2, known=4)


def test_columns_that_may_be_null_may_be_left_out(results: PlayerResults) -> None:
    assert results.add(FIRST.select("level", "attempts", "successes", "source").tail(1)) == Counts(1, 0)
    assert results.read().rows() == [("2", None, None, None, 1, 0, None, None, "x.csv")]


def test_rows_that_contradict_are_refused_and_nothing_is_stored(results: PlayerResults) -> None:
    results.add(FIRST)
    before = results.read()
    other = FIRST.with_columns(
        source=pl.lit("y.csv"),
        successes=pl.when(pl.col("level") == "10").then(2).otherwise("successes"),
        boosters=pl.when(pl.col("level") == "2").then(None).otherwise("boosters"),
    )
    fresh = FIRST.head(1).with_columns(level=pl.lit("new"))
    with pytest.raises(PlayersError) as caught:
        results.add(pl.concat([fresh, other]))
    assert caught.value.problems == (
        "y.csv: level '10', player 'ann', date 2024-02-29, cohort 'new': successes 2; "
        "stored from x.csv is successes 3: expected the same, or `replace`",
        "y.csv: level '2', player 'bob', date 2024-02-29, cohort 'new': boosters nothing; "
        "stored from x.csv is boosters 1: expected the same, or `replace`",
    )
    assert results.read().equals(before)


def test_only_the_first_contradictions_are_named(results: PlayerResults) -> None:
    many = pl.DataFrame(
        {"level": [str(n) for n in range(13)], "attempts": 2, "successes": 1, "source": "x.csv"}
    )
    results.add(many)
    with pytest.raises(PlayersError) as caught:
        results.add(many.with_columns(attempts=3))
    assert len(caught.value.problems) == 11
    assert caught.value.problems[10] == "and 3 more rows that contradict"


def test_replacing(results: PlayerResults) -> None:
    results.add(FIRST)
    better = FIRST.with_columns(
        source=pl.lit("y.csv"), successes=pl.when(pl.col("level") == "10").then(2).otherwise("successes")
    )
    assert results.add(better, replace=True) == Counts(added=0, known=5, replaced=1)
    stored = results.read(levels=["10"])
    assert stored.rows() == [("10", "ann", DAY, "new", 3, 2, 0.0, 0, "y.csv")]
    assert sorted_rows(results.read().filter(pl.col("level") != "10")) == sorted_rows(
        FIRST.filter(pl.col("level") != "10")
    )


def test_several_tables_all_or_none(results: PlayerResults) -> None:
    other = FIRST.tail(1).with_columns(successes=pl.lit(1, pl.Int64), source=pl.lit("y.csv"))
    with pytest.raises(PlayersError, match=r"y\.csv: level '2'.*stored from x\.csv"):
        results.add_all([FIRST, other])
    assert results.read().is_empty()
    assert results.add_all([FIRST, other], replace=True) == [Counts(6, 0), Counts(0, 0, 1)]
    assert results.read(source="y.csv")["successes"].to_list() == [1]


def test_reading_a_part(results: PlayerResults) -> None:
    results.add(FIRST)
    assert results.read(levels=["10", "none"])["level"].to_list() == ["10"]
    assert results.read(levels=[]).is_empty()
    assert results.read(cohort="new")["level"].to_list() == ["1", "10", "2"]
    assert results.read(source="y.csv").is_empty()
    assert results.read(levels=[str(n) for n in range(2, 1000)])["level"].to_list() == ["10", "2"]


def test_what_there_is(results: PlayerResults) -> None:
    assert (results.sources(), results.levels(), results.cohorts()) == ([], [], [])
    results.add(FIRST)
    results.add(FIRST.head(1).with_columns(level=pl.lit("3"), source=pl.lit("simulated: seed 0")))
    assert results.sources() == [Source("simulated: seed 0", 1, 1, 3), Source("x.csv", 6, 3, 103)]
    assert results.levels() == ["1", "10", "2", "3"]
    assert results.cohorts() == ["new"]


def test_where_results_of_a_cohort_come_from(results: PlayerResults) -> None:
    results.add(FIRST)
    results.add(FIRST.tail(1).with_columns(player=pl.lit("eve"), source=pl.lit("y.csv")))
    assert results.level_sources("new") == {"1": {"x.csv"}, "10": {"x.csv"}, "2": {"x.csv", "y.csv"}}
    assert results.level_sources("old") == {}


@pytest.mark.parametrize("column", ["level", "attempts", "successes", "source"])
def test_tables_without_a_column(results: PlayerResults, column: str) -> None:
    with pytest.raises(StoreError, match=f"without {column}; expected level, attempts, successes, source"):
        results.add(FIRST.drop(column))


@pytest.mark.parametrize(
    ("day", "tried", "won"), [(None, 0, 0), (None, 2, 3), (None, 2, -1), (DAY, 2, -1), (DAY, -1, 0)]
)
def test_the_database_itself_refuses_what_cannot_be(
    results: PlayerResults, day: date | None, tried: int, won: int
) -> None:
    # Beside others, so that it is not for the sums.
    with pytest.raises(StoreError, match="player_results_"):
        results.add(daily(("1", "ann", DAY.replace(day=1), 90, 30), ("1", "bob", day, tried, won)))
    assert results.read().is_empty()


# Counts of days


def daily(*rows: tuple[str, str, date | None, int, int], cohort: str | None = None) -> pl.DataFrame:
    schema = {name: RESULTS_SCHEMA[name] for name in ("level", "player", "date", "attempts", "successes")}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame.with_columns(source=pl.lit("d.csv"), cohort=pl.lit(cohort, pl.String))


BEFORE, AFTER = date(2024, 2, 28), date(2024, 3, 1)
IMPOSSIBLE = (
    "level '1'{}: attempts {}, successes {}, over all rows with those stored already; "
    "expected at least 1 attempt and no more successes than attempts: nothing is stored"
)


def refusals(results: PlayerResults, *frames: pl.DataFrame, replace: bool = False) -> tuple[str, ...]:
    """What is said of tables that are not stored; what was stored stays."""
    before = results.read()
    with pytest.raises(PlayersError) as caught:
        results.add_all(frames, replace=replace)
    assert results.read().equals(before)
    return caught.value.problems


def test_attempts_may_be_won_on_another_day(results: PlayerResults) -> None:
    rows = daily(("1", "ann", BEFORE, 2, 0), ("1", "ann", DAY, 0, 1), ("1", "bob", DAY, 0, 0))
    assert results.add(rows) == Counts(3, 0)
    assert results.read().select(rows.columns).rows() == rows.rows()
    # Two attempts, and now two successes.
    assert results.add(daily(("1", "ann", AFTER, 0, 1))) == Counts(1, 0)


@pytest.mark.parametrize(("tried", "won"), [(0, 0), (0, 1), (2, 3)])
def test_a_level_that_cannot_be_as_a_whole(results: PlayerResults, tried: int, won: int) -> None:
    other = ("2", "ann", DAY, 9, 1)
    rows = daily(other, ("1", "ann", BEFORE, tried, 0), ("1", "ann", DAY, 0, won))
    assert refusals(results, rows) == (IMPOSSIBLE.format("", tried, won),)


def test_sums_are_those_of_all_that_is_stored(results: PlayerResults) -> None:
    results.add(daily(("1", "ann", BEFORE, 2, 1)))
    more = daily(("1", "bob", DAY, 1, 3))
    assert refusals(results, more) == (IMPOSSIBLE.format("", 3, 4),)
    assert results.add(daily(("1", "eve", DAY, 1, 0))) == Counts(1, 0)
    assert results.add(more) == Counts(1, 0)


def test_sums_are_those_after_replacing(results: PlayerResults) -> None:
    results.add(daily(("1", "ann", BEFORE, 2, 0), ("1", "ann", DAY, 0, 2)))
    fewer = daily(("1", "ann", BEFORE, 1, 0))
    assert refusals(results, fewer, replace=True) == (IMPOSSIBLE.format("", 1, 2),)
    assert results.add(daily(("1", "ann", BEFORE, 3, 0)), replace=True) == Counts(0, 0, 1)


def test_sums_are_those_of_a_cohort(results: PlayerResults) -> None:
    plenty = daily(("1", "ann", DAY, 90, 1), cohort="old")
    won = ("1", "ann", DAY, 1, 2)
    sentences = tuple(IMPOSSIBLE.format(where, 1, 2) for where in ("", ", cohort 'new'"))
    refused = refusals(results, plenty, daily(won, cohort="new"), daily(won))
    assert sorted(refused) == sorted(sentences)


def test_sums_are_those_of_people_alone(results: PlayerResults) -> None:
    """Simulated players' attempts do not make up for them."""
    results.add(daily(("1", "s1", DAY, 90, 1)).with_columns(source=pl.lit("simulated: 1 players")))
    assert refusals(results, daily(("1", "ann", DAY, 1, 2))) == (IMPOSSIBLE.format("", 1, 2),)


def test_files_of_two_days_make_a_whole(results: PlayerResults) -> None:
    won, begun = daily(("1", "ann", DAY, 0, 1)), daily(("1", "ann", BEFORE, 1, 0))
    assert refusals(results, won) == (IMPOSSIBLE.format("", 0, 1),)
    assert results.add_all([won, begun]) == [Counts(1, 0), Counts(1, 0)]


@pytest.mark.parametrize("levels", [13, 700])
def test_only_the_first_such_levels_are_named(results: PlayerResults, levels: int) -> None:
    refused = refusals(results, daily(*((str(n), "ann", DAY, 1, 2) for n in range(levels))))
    assert (len(refused), refused[10]) == (11, f"and {levels - 10} more levels")


def test_nothing_to_add(results: PlayerResults) -> None:
    assert results.add_all([]) == []
    assert results.add(FIRST.clear()) == Counts(0, 0)


def test_the_database_itself_refuses_two_rows_of_one_key(results: PlayerResults) -> None:
    for row in range(FIRST.height):
        with pytest.raises(StoreError, match="player_results_key"):
            results.add(pl.concat([FIRST.slice(row, 1)] * 2))
    assert results.read().is_empty()


def test_several_add_the_same_at_once(place: str) -> None:
    def add(_: int) -> Counts:
        with Database(place) as database:
            return PlayerResults(database).add(FIRST)

    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(add, range(8)))
    assert sorted(count.added for count in counts) == [0] * 7 + [6]


@pytest.mark.slow
def test_more_rows_than_go_at_once(results: PlayerResults) -> None:
    many = pl.DataFrame({"level": "1", "player": [str(n) for n in range(100_001)]}).with_columns(
        attempts=2, successes=1, source=pl.lit("x.csv")
    )
    assert results.add(many) == Counts(100_001, 0)
    assert results.read().height == 100_001


# Databases of the schema before


def load_older(place: str, schema: int) -> None:
    """Makes a database from a dump of one that the program of that schema wrote."""
    with closing(sqlite3.connect(place)) as connection:
        connection.executescript((Path(__file__).parents[1] / "data" / f"schema_{schema}.sql").read_text())


def contents(place: str, columns: Mapping[str, Sequence[str]] | None = None) -> dict[str, list[tuple]]:
    """Every row of every table, in the columns that are given by table, or in all of them."""
    with closing(sqlite3.connect(place)) as connection:
        tables = [
            row[0]
            for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        ]
        return {
            table: connection.execute(
                f"SELECT {', '.join(columns[table]) if columns else '*'} FROM {table}"
            ).fetchall()
            for table in tables
            if columns is None or table in columns
        }


def columns_of(place: str) -> dict[str, list[str]]:
    with closing(sqlite3.connect(place)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")] for table in tables
        }


def test_a_database_of_the_first_schema_is_upgraded(sqlite: str) -> None:
    load_older(sqlite, 1)
    before, columns = contents(sqlite), columns_of(sqlite)
    with Database(sqlite, make=False) as database:
        assert len(runs(database)) == 1
        (summary,) = summaries(database)
        assert (summary.name, summary.attempts, summary.wins, summary.mean_score) == (
            "01-first-steps",
            5,
            5,
            42_764,
        )
        assert attempts(database)["score"].to_list() == [53320, 19960, 39300, 32560, 68680]
        assert PlayerResults(database).add(FIRST) == Counts(6, 0)
    after = contents(sqlite, columns)
    assert before.pop("levelsense_schema") == [(1,)]
    assert after.pop("levelsense_schema") == [(SCHEMA_VERSION,)]
    assert after == before


def test_a_database_of_the_second_schema_is_upgraded(sqlite: str) -> None:
    load_older(sqlite, 2)
    before, columns = contents(sqlite), columns_of(sqlite)
    with Database(sqlite, make=False) as database:
        assert [(summary.name, summary.attempts) for summary in summaries(database)] == [
            ("01-first-steps", 4),
            ("11-beat-the-clock", 4),
        ]
        read = PlayerResults(database).read()
        assert read.select("level", "player", "attempts").rows() == [
            ("a", "ann", 3),
            ("a", "bob", 2),
            ("b", None, 40),
        ]
    after = contents(sqlite, columns)
    assert before.pop("levelsense_schema") == [(2,)]
    assert after.pop("levelsense_schema") == [(SCHEMA_VERSION,)]
    assert after == before


def test_a_database_of_the_third_schema_is_upgraded(sqlite: str) -> None:
    load_older(sqlite, 3)
    before, columns = contents(sqlite), columns_of(sqlite)
    with Database(sqlite, make=False) as database:
        assert [(summary.name, summary.attempts, summary.wins) for summary in summaries(database)] == [
            ("01-first-steps", 6, 6),
            ("27-clockwork", 6, 1),
        ]
        assert attempts(database)["least_time"].to_list() == [None] * 12
        assert PlayerResults(database).read().height == 3
    after = contents(sqlite, columns)
    assert before.pop("levelsense_schema") == [(3,)]
    assert after.pop("levelsense_schema") == [(SCHEMA_VERSION,)]
    assert after == before


def test_a_database_of_the_fourth_schema_is_upgraded(sqlite: str) -> None:
    load_older(sqlite, 4)
    before, columns = contents(sqlite), columns_of(sqlite)
    with Database(sqlite, make=False) as database:
        assert [(summary.name, summary.attempts, summary.wins) for summary in summaries(database)] == [
            ("01-first-steps", 20, 20),
            ("24-hourglass", 20, 4),
        ]
        assert PlayerResults(database).read()["successes"].to_list() == [1, 1, 12]
    after = contents(sqlite, columns)
    assert before.pop("levelsense_schema") == [(4,)]
    assert after.pop("levelsense_schema") == [(SCHEMA_VERSION,)]
    assert after == before
    assert contents(sqlite)["measures"] == []


def test_an_upgrade_takes_passwords_out_of_commands(sqlite: str) -> None:
    """They were stored where a URL's query had them; other commands stay to the letter."""
    load_older(sqlite, 2)
    secret = "levelsense playtest 'my level.json' --db 'postgresql://ann@h/x?password=hush&host=a'"
    with closing(sqlite3.connect(sqlite)) as connection, connection:
        (other,) = connection.execute("SELECT command FROM runs").fetchone()
        connection.execute(
            "INSERT INTO runs (started, command, versions, rules, seed, attempts) "
            "VALUES ('2026-01-01', ?, '{}', 1, 0, 5)",
            (secret,),
        )
    Database(sqlite).close()
    assert [row[3] for row in contents(sqlite)["runs"]] == [
        other,
        "levelsense playtest 'my level.json' --db 'postgresql://ann@h/x?password=***&host=a'",
    ]


def test_older_tables_get_what_they_lack(place: str) -> None:
    with Database(place) as database, database.writing() as connection:
        PLAYER_RESULTS.drop(connection)
        MEASURES.drop(connection)
        connection.execute(text("ALTER TABLE attempts DROP COLUMN checksum"))
        connection.execute(text("ALTER TABLE attempts DROP COLUMN least_time"))
        connection.execute(SCHEMA.update().values(version=1))

    def use(_: int) -> int:
        with Database(place, make=False) as database:
            return len(PlayerResults(database).levels())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(use, range(8))) == [0] * 8
    with Database(place) as database, database.reading() as connection:
        inspector = inspect(connection)
        assert set(inspector.get_table_names()) == set(METADATA.tables)
        for table in METADATA.tables.values():
            assert {column["name"] for column in inspector.get_columns(table.name)} == set(table.c.keys())
        assert connection.execute(select(SCHEMA.c.version)).scalars().all() == [SCHEMA_VERSION]
    with Database(place) as database, pytest.raises(StoreError, match="player_results_key"):
        PlayerResults(database).add(pl.concat([FIRST, FIRST]))


@pytest.mark.parametrize(
    ("changed", "reads", "wrong"),
    [
        ("level = x'ff00'", PlayerResults.levels, "level b'\\xff\\x00'; expected a text"),
        ("cohort = x'ff00'", PlayerResults.cohorts, "cohort b'\\xff\\x00'; expected a text"),
        ("source = x'ff00'", PlayerResults.sources, "source b'\\xff\\x00'; expected a text"),
        ("attempts = 9e999", PlayerResults.sources, "attempts inf; expected a whole number"),
        (
            "level = x'ff00'",
            lambda results: results.level_sources("new"),
            "level b'\\xff\\x00'; expected a text",
        ),
    ],
)
def test_damaged_values_are_a_sentence(
    sqlite: str, changed: str, reads: Callable[[PlayerResults], object], wrong: str
) -> None:
    with Database(sqlite) as database:
        results = PlayerResults(database)
        results.add(FIRST)
        with database.writing() as connection:
            connection.execute(text(f"UPDATE player_results SET {changed} WHERE player = 'bob'"))
        with pytest.raises(StoreError) as caught:
            reads(results)
    assert str(caught.value) == (
        f"{sqlite}: players' results: {wrong}; `levelsense verify` tells all that is damaged"
    )
