"""`levelsense players` as a user runs it."""

import json
from pathlib import Path

import polars as pl
import pytest

from levelsense.store import Database, PlayerResults
from tests.test_cli import assert_complaint, run

SAMPLE = Path(__file__).parent / "data" / "players_sample.csv"
TEXT = "lvl,who,n,k\n10,ann,4,1\n2,ann,2,1\n2,bob,2,0\n"
COLUMNS = ("--column", "attempts=n", "--column", "successes=k", "--column", "player=who")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "x.db"


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.csv"
    path.write_text(TEXT)
    return path


def test_import_says_what_it_took_for_what(db: Path, results: Path) -> None:
    first = run("players", "import", results, "--db", db, *COLUMNS)
    assert first.exit_code == 0
    assert first.stdout.splitlines() == [
        f"{results}: level from lvl, attempts from n, successes from k, player from who",
        f"{results}: 3 rows added to {db}",
    ]
    again = run("players", "import", results, "--db", db, *COLUMNS)
    assert again.exit_code == 0
    assert again.stdout.splitlines()[1:] == [f"{results}: nothing new, {db} has its 3 rows already"]


def test_import_as_it_is(db: Path) -> None:
    printed = json.loads(run("players", "import", SAMPLE, "--db", db, "--json").stdout)
    assert printed == [
        {
            "file": str(SAMPLE),
            "columns": {
                "level": "level",
                "attempts": "num_attempts",
                "successes": "num_success",
                "player": "player_id",
                "date": "dt",
            },
            "unused": [],
            "added": 200,
            "known": 0,
            "replaced": 0,
            "left_out": 0,
            "without_attempts": 0,
            "more_successes": 0,
            "note": None,
        }
    ]


def test_import_of_wrong_rows_stores_nothing(db: Path, results: Path) -> None:
    results.write_text(TEXT + "2,eve,0,0\n3,eve,1,2\n")
    result = run("players", "import", SAMPLE, results, "--db", db, *COLUMNS[:-1], "player=who")
    assert result.exit_code == 2
    result = run("players", "import", results, "--db", db, *COLUMNS)
    assert_complaint(
        result,
        f"{results}: line 5: n: '0'; expected a whole number of at least 1",
        f"{results}: line 6: k: '2'; expected at most 1, as many as attempts",
        f"{results}: nothing is stored; mend the file, or leave wrong rows (2) out by --skip-wrong",
    )
    assert not db.exists()


def test_wrong_rows_left_out(db: Path, results: Path) -> None:
    results.write_text(TEXT + "2,eve,0,0\n")
    result = run("players", "import", results, "--db", db, *COLUMNS, "--skip-wrong")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1:] == [
        f"{results}: 1 row left out, with values that are wrong",
        f"{results}: 3 rows added to {db}",
    ]
    assert "line 5: n: '0'" in result.stderr


WHY = "taken as counts of a day, where an attempt may be won on a later day than it began"
DAILY = "level,player,day,tries,wins\n1,ann,2024-01-05,5,1\n"


@pytest.mark.parametrize(
    ("rows", "counts", "words"),
    [
        (("bob,{},0,0", "eve,{},0,1", "jim,{},1,2"), (2, 1), "2 rows with 0 attempts and 1 other with more"),
        (("bob,{},0,0",), (1, 0), "1 row with 0 attempts"),
        (("bob,{},1,2", "eve,{},1,2"), (0, 2), "2 rows with more"),
    ],
)
def test_counts_of_days(
    db: Path, results: Path, rows: tuple[str, ...], counts: tuple[int, int], words: str
) -> None:
    results.write_text(DAILY + "".join(f"1,{row.format('2024-01-06')}\n" for row in rows))
    result = run("players", "import", results, "--db", db)
    sentence = f"{words}{' successes than attempts' if words.endswith('more') else ''}: {WHY}"
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[1:] == [
        f"{results}: {sentence}",
        f"{results}: {len(rows) + 1} rows added to {db}",
    ]
    (printed,) = json.loads(run("players", "import", results, "--db", db, "--json").stdout)
    assert (printed["without_attempts"], printed["more_successes"]) == counts
    assert (printed["note"], printed["known"]) == (sentence, len(rows) + 1)


@pytest.mark.parametrize("options", [(), ("--skip-wrong",)])
def test_more_successes_than_attempts_in_all(db: Path, results: Path, options: tuple[str, ...]) -> None:
    """No row is wrong by itself, so none can be left out."""
    results.write_text(DAILY + "1,ann,2024-01-06,0,5\n2,ann,2024-01-06,3,1\n")
    result = run("players", "import", results, "--db", db, *options)
    assert_complaint(result, "level '1': attempts 5, successes 6, over all rows with those stored already")
    assert not db.exists()


def test_contradictions_and_replace(db: Path, results: Path) -> None:
    run("players", "import", results, "--db", db, *COLUMNS)
    results.write_text(TEXT.replace("bob,2,0", "bob,2,2") + "1,bob,1,1\n")
    result = run("players", "import", results, "--db", db, *COLUMNS)
    assert_complaint(result, "level '2', player 'bob': successes 2; stored from results.csv is successes 0")
    result = run("players", "import", results, "--db", db, *COLUMNS, "--replace")
    assert result.stdout.splitlines()[1:] == [
        f"{results}: 1 row added to {db}, 1 row replaced, 2 rows known already"
    ]


def test_a_column_option_that_is_wrong(db: Path, results: Path) -> None:
    assert_complaint(run("players", "import", results, "--db", db, "--column", "n"), "expected FIELD=HEADER")


def test_rates(db: Path, results: Path) -> None:
    """Of the attempts at level 2 count 2.25, with Student's quantile of 12.706."""
    results.write_text(TEXT + "1,,200,60\n1x,,63,21\n")
    run("players", "import", results, "--db", db, *COLUMNS, "--cohort", "beta")
    assert run("players", "rates", "--db", db).stdout.splitlines() == [
        "level  players  attempts  successes  success  95% interval",
        "1      -        200       60         30.0%    24.1 - 36.7%",
        "1x     -        63        21         33.3%    22.9 - 45.6%",
        "2      2        4         1          25.0%    0.1 - 99.2%",
        "10     1        4         1          25.0%    0.0 - 100.0%",
    ]
    chosen = json.loads(run("players", "rates", "1*", "--db", db, "--cohort", "beta", "--json").stdout)
    assert [row["level"] for row in chosen] == ["1", "1x", "10"]
    assert chosen[2] == {
        "level": "10",
        "players": 1,
        "attempts": 4,
        "successes": 1,
        "rate": 0.25,
        "low": 0.0,
        "high": 1.0,
        "method": "Wilson, by player",
        "design_effect": 4.0,
        "boosted_attempts": 0,
        "boosted_successes": 0,
        "simulated": False,
        "cohort": "beta",
    }


def test_rates_in_a_file(db: Path, tmp_path: Path) -> None:
    run("players", "import", SAMPLE, "--db", db)
    run("players", "rates", "--db", db, "--csv", tmp_path / "rates.csv")
    table = pl.read_csv(tmp_path / "rates.csv")
    assert table["attempts"].sum() == pl.read_csv(SAMPLE)["num_attempts"].sum()
    assert table.columns[:4] == ["level", "players", "attempts", "successes"]
    both = run("players", "rates", "--db", db, "--csv", tmp_path / "both.csv", "--json")
    assert_complaint(both, "--csv and --json: both are given; expected only one of them")
    refused = run("players", "rates", "--db", db, "--csv", tmp_path / "no" / "rates.csv")
    assert_complaint(refused, "cannot be written")


def test_simulated_players_are_told_apart(db: Path, results: Path) -> None:
    run("players", "import", results, "--db", db, *COLUMNS)
    simulated = pl.DataFrame(
        {"level": ["2"], "attempts": [9], "successes": [9], "source": ["simulated: seed 0"]}
    )
    with Database(db) as database:
        PlayerResults(database).add(simulated)
    lines = run("players", "rates", "2", "--db", db).stdout.splitlines()
    assert [line.split()[:4] for line in lines] == [
        ["level", "players", "attempts", "successes"],
        ["2", "2", "4", "1"],
        ["simulated", "players"],
        ["level", "players", "attempts", "successes"],
        ["2", "-", "9", "9"],
    ]


def test_rates_of_nothing(db: Path) -> None:
    assert_complaint(run("players", "rates", "--db", db), "no such database")
    Database(db).close()
    result = run("players", "rates", "--db", db)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no results of players; `levelsense players import` takes them in" in result.stderr
    assert json.loads(run("players", "rates", "--db", db, "--json").stdout) == []


def test_rates_of_what_is_not_there(db: Path) -> None:
    run("players", "import", SAMPLE, "--db", db)
    assert_complaint(
        run("players", "rates", "16", "--db", db), "no results of level '16'; there is 1, 2, 3, 4,"
    )
    assert_complaint(
        run("players", "rates", "--db", db, "--cohort", "x"), "no results of cohort 'x'; there is none yet"
    )


def test_an_import_that_fails_makes_no_database(tmp_path: Path, db: Path) -> None:
    """Two files that contradict each other, and sums that cannot be: seen only when rows come together."""
    one, other, daily = (tmp_path / f"{name}.csv" for name in ("one", "other", "daily"))
    one.write_text("level,tries,wins\n1,3,1\n")
    other.write_text("level,tries,wins\n1,3,2\n")
    daily.write_text("level,day,tries,wins\n2,2024-01-05,0,5\n")
    for files, complaint in {(one, other): "level '1': successes 2", (daily,): "level '2'"}.items():
        assert_complaint(run("players", "import", *files, "--db", db), complaint)
        assert sorted(tmp_path.iterdir()) == sorted([one, other, daily])
    assert run("players", "import", one, other, "--db", db, "--replace").exit_code == 0
    assert json.loads(run("players", "rates", "--db", db, "--json").stdout)[0]["successes"] == 2


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_file_whose_name_is_not_utf8(tmp_path: Path, db: Path, suffix: str) -> None:
    table = pl.DataFrame({"level": ["a", "b"], "attempts": [3, 4], "wins": [1, 0]})
    path = tmp_path / f"\udcfe{suffix}"
    with path.open("wb") as file:
        if suffix == ".csv":
            table.write_csv(file)
        else:
            table.write_parquet(file)
    done = run("players", "import", path, "--db", db)
    assert done.exit_code == 0
    assert "2 rows added" in done.stdout


def test_options_that_are_texts_are_utf8(db: Path, results: Path) -> None:
    for option, typed in (("--cohort", "a\udcff"), ("--column", "level=a\udcff")):
        done = run("players", "import", results, option, typed, "--db", db)
        escaped = typed.replace("\udcff", r"\xff")
        assert_complaint(done, f"{option} '{escaped}': not a text in UTF-8; expected one")
    assert not db.exists()
    for command in (("players", "rates"), ("fit", "01-first-steps"), ("evaluate", "01-first-steps")):
        done = run(*command, "--cohort", "\udcff", "--db", db)
        assert_complaint(done, r"--cohort '\xff': not a text in UTF-8; expected one")
