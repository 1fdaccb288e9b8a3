"""Files of people's results: read as they are meant, or refused with sentences that say where and why."""

from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.errors import PlayersError
from levelsense.people.records import Records, read_all, read_records
from levelsense.store.players import RESULTS_SCHEMA
from tests.data import made_up_players

SAMPLE = Path(__file__).parents[1] / "data" / "players_sample.csv"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.csv"


def read(path: Path, text: str, **options: Any) -> Records:
    path.write_text(text, newline="")
    return read_records(path, **options)


def problems(path: Path, text: str, **options: Any) -> list[str]:
    """What is wrong with a text, without the file's name."""
    with pytest.raises(PlayersError) as caught:
        read(path, text, **options)
    assert all(sentence.startswith(f"{path}: ") for sentence in caught.value.problems)
    return [sentence.removeprefix(f"{path}: ") for sentence in caught.value.problems]


def advice(rows: int) -> str:
    return f"nothing is stored; mend the file, or leave wrong rows ({rows}) out by `skip_wrong`"


# Files that are right


def test_all_columns(path: Path) -> None:
    records = read(
        path,
        "level,player,date,cohort,attempts,successes,moves_left,boosters\n"
        "garden,ann,2024-02-29,new,3,1,2.5,4\n"
        " dune ,,,,1,0,,\n",
    )
    assert records.rows.schema == RESULTS_SCHEMA
    assert records.rows.rows() == [
        ("garden", "ann", date(2024, 2, 29), "new", 3, 1, 2.5, 4, "x.csv"),
        ("dune", None, None, None, 1, 0, None, None, "x.csv"),
    ]


def test_an_export_in_the_columns_of_a_studio() -> None:
    records = read_records(SAMPLE)
    assert records.columns == {
        "level": "level",
        "attempts": "num_attempts",
        "successes": "num_success",
        "player": "player_id",
        "date": "dt",
    }
    assert records.unused == ()
    assert records.rows.height == 200
    assert records.rows.row(0)[:6] == (
        "9",
        "39ca2d8837ef13efe2306ca1503096c5",
        date(2024, 3, 3),
        None,
        4,
        1,
    )


def test_columns_told_and_columns_not_used(path: Path) -> None:
    records = read(
        path,
        "board,n,k,weather\n7,2,1,sunny\n",
        columns={"level": "board", "attempts": "n"} | {"successes": "k"},
    )
    assert records.rows["level"].to_list() == ["7"]
    assert records.unused == ("weather",)


def test_a_cohort_for_all(path: Path) -> None:
    assert read(path, "level,attempts,wins\n1,2,1\n", cohort="beta").rows["cohort"].to_list() == ["beta"]
    assert problems(path, "level,attempts,wins,group\n1,2,1,a\n", cohort="beta") == [
        "column 'group' has cohorts; expected no `cohort` besides"
    ]


def test_manners_of_other_programs(path: Path) -> None:
    """A byte order mark, Windows' line ends, empty lines, whole numbers with a point, times of the day."""
    records = read(
        path,
        "\ufefflevel,tries,wins,day\r\n1,3.0,1,2024-01-05T10:20:30\r\n\r\n2,2,0,2024-01-05 00:00:00\r\n\r\n",
    )
    assert records.rows.select("level", "attempts", "successes", "date").rows() == [
        ("1", 3, 1, date(2024, 1, 5)),
        ("2", 2, 0, date(2024, 1, 5)),
    ]


def test_parquet(tmp_path: Path) -> None:
    table = pl.DataFrame(
        {
            "level": [1.0, 12.0],
            "user_id": [7, 8],
            "day": [datetime(2024, 1, 5, 12), None],
            "attempts": [3, 4],
            "wins": [1, 4],
        }
    )
    table.write_parquet(tmp_path / "x.parquet")
    assert read_records(tmp_path / "x.parquet").rows.select(
        "level", "player", "date", "attempts", "successes"
    ).rows() == [
        ("1", "7", date(2024, 1, 5), 3, 1),
        ("12", "8", None, 4, 4),
    ]
    table.with_columns(attempts=pl.Series([3, 0])).write_parquet(tmp_path / "y.parquet")
    with pytest.raises(PlayersError) as caught:
        read_records(tmp_path / "y.parquet")
    assert caught.value.problems[0].endswith(
        "y.parquet: row 2: attempts: '0'; expected a whole number of at least 1"
    )


names = st.text("abc é,\"'\n;", min_size=1, max_size=4).filter(lambda name: name == name.strip())
counts = st.integers(0, 2**31 - 1)
limited = st.integers(1, 2**31 - 1).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))
rows = st.lists(
    st.tuples(names, limited, st.none()) | st.tuples(names, st.tuples(counts, counts), st.dates()),
    min_size=1,
    unique_by=lambda row: row[0],
)


@given(rows)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, drawn: list[Any]) -> None:
    path = tmp_path_factory.mktemp("drawn") / "x.csv"
    table = pl.DataFrame(
        {
            "level": [level for level, _, _ in drawn],
            "attempts": [counts[0] for _, counts, _ in drawn],
            "successes": [counts[1] for _, counts, _ in drawn],
            "date": pl.Series([day for _, _, day in drawn], dtype=pl.Date),
        }
    )
    table.write_csv(path)
    assert read_records(path).rows.select(table.columns).equals(table)


# Counts of days


DAILY = """level,player,day,tries,wins
1,ann,2024-01-05,3,1
1,ann,2024-01-06,0,1
1,bob,2024-01-05,0,0
1,eve,2024-01-05,2,3
1,eve,,2,2
"""


def test_counts_of_a_day_do_not_limit_each_other(path: Path) -> None:
    records = read(path, DAILY)
    assert records.rows.select("attempts", "successes").rows() == [(3, 1), (0, 1), (0, 0), (2, 3), (2, 2)]
    assert (records.without_attempts, records.more_successes, records.left_out) == (2, 1, 0)


def test_no_such_counts() -> None:
    records = read_records(SAMPLE)
    assert (records.without_attempts, records.more_successes) == (0, 0)


def test_only_rows_that_are_taken_are_counted(path: Path) -> None:
    records = read(path, DAILY + "1,jim,2024-01-05,0,-1\n1,jim,,1,2\n", skip_wrong=True)
    assert (records.without_attempts, records.more_successes, records.left_out) == (2, 1, 2)


def test_rows_without_a_date_beside_others_keep_their_rules(path: Path) -> None:
    assert problems(path, DAILY + "1,jim,,0,0\n2,jim,,1,2\n") == [
        "line 7: tries: '0'; expected a whole number of at least 1",
        "line 8: wins: '2'; expected at most 1, as many as attempts",
        advice(2),
    ]


def test_parquet_counts_of_a_day(tmp_path: Path) -> None:
    days = [date(2024, 1, 5), date(2024, 1, 6)]
    pl.DataFrame({"level": "1", "day": days, "attempts": [3, 0], "wins": [1, 2]}).write_parquet(
        tmp_path / "x.parquet"
    )
    assert read_records(tmp_path / "x.parquet").rows["successes"].to_list() == [1, 2]


# Values that are wrong


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (",1,0,,,", "lvl: nothing; expected the name of a level"),
        ("a,0,0,,,", "n: '0'; expected a whole number of at least 1"),
        ("a,-1,0,,,", "n: '-1'; expected a whole number of at least 1"),
        ("a,2.5,0,,,", "n: '2.5'; expected a whole number of at least 1"),
        ("a,,0,,,", "n: nothing; expected a whole number of at least 1"),
        ("a,inf,0,,,", "n: 'inf'; expected a whole number of at least 1"),
        ("a,3000000000,0,,,", "n: '3000000000'; expected a whole number of at most 2,147,483,647"),
        ("a,2147483648,0,,,", "n: '2147483648'; expected a whole number of at most 2,147,483,647"),
        ("a,3,many,,,", "k: 'many'; expected a whole number of at least 0"),
        ("a,3,-1,,,", "k: '-1'; expected a whole number of at least 0"),
        ("a,3", "k: nothing; expected a whole number of at least 0"),
        ("a,3,4,,,", "k: '4'; expected at most 3, as many as attempts"),
        ("a,-1,0,2024-01-05,,", "n: '-1'; expected a whole number of at least 0"),
        ("a,,0,2024-01-05,,", "n: nothing; expected a whole number of at least 0"),
        ("a,0.5,0,2024-01-05,,", "n: '0.5'; expected a whole number of at least 0"),
        ("a,0,-1,2024-01-05,,", "k: '-1'; expected a whole number of at least 0"),
        ("a,0,3000000000,2024-01-05,,", "k: '3000000000'; expected a whole number of at most 2,147,483,647"),
        ("a,3,1,,,1e10", "boosters: '1e10'; expected a whole number of at most 2,147,483,647"),
        ('a,3,1,,"2,5",', "moves_left: '2,5'; expected a number with a decimal point, such as 2.5"),
        ("a,0,1,5.1.2024,,", "date: '5.1.2024'; expected a date such as 2014-01-31"),
        ("a,3,1,2023-02-29,,", "date: '2023-02-29'; expected a date such as 2014-01-31"),
        ("a,3,1,5.1.2024,,", "date: '5.1.2024'; expected a date such as 2014-01-31"),
        ("a,3,1,,-2,", "moves_left: '-2'; expected a number of at least 0"),
        ("a,3,1,,nan,", "moves_left: 'nan'; expected a number of at least 0"),
        ("a,3,1,,,0.5", "boosters: '0.5'; expected a whole number of at least 0"),
    ],
)
def test_a_wrong_value(path: Path, row: str, sentence: str) -> None:
    text = f"lvl,n,k,date,moves_left,boosters\nfine,1,0,,,\n{row}\n"
    names = {"attempts": "n", "successes": "k"}
    assert problems(path, text, columns=names) == [f"line 3: {sentence}", advice(1)]
    left = read(path, text, columns=names, skip_wrong=True)
    assert (left.rows["level"].to_list(), left.left_out) == (["fine"], 1)
    assert left.reasons == (f"{path}: line 3: {sentence}",)


def test_lines_are_those_of_the_file(path: Path) -> None:
    """A text of several lines and an empty line come before the wrong one."""
    text = 'level,attempts,wins\n"two\nlines",1,1\n\n3,0,0\n'
    assert problems(path, text)[0] == "line 5: attempts: '0'; expected a whole number of at least 1"


def test_the_first_ten_are_named_and_the_others_counted(path: Path) -> None:
    text = "level,attempts,wins\n" + "".join(f"{n},0,-1\n" for n in range(8)) + "last,1,1\n"
    sentences = problems(path, text)
    assert [sentence.split(":")[0] for sentence in sentences[:10]] == [
        f"line {n}" for n in range(2, 7) for _ in "ab"
    ]
    assert sentences[10:] == ["and 6 more wrong values", advice(8)]


def test_files_are_told_of_together(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text("level,attempts,wins\n1,0,0\n")
    with pytest.raises(PlayersError) as caught:
        read_all([tmp_path / "a.csv", tmp_path / "no.csv", tmp_path / "b.csv"])
    assert [Path(sentence.split(":")[0]).name for sentence in caught.value.problems] == [
        "a.csv",
        "a.csv",
        "no.csv",
        "b.csv",
        "b.csv",
    ]


# Results that are given twice


def test_one_row_for_a_player_and_a_day(path: Path) -> None:
    heading = "level,player,date,cohort,attempts,wins\n"
    keys = (
        "1,ann,2024-01-01,a",
        "1,ann,2024-01-02,a",
        "1,bob,2024-01-01,a",
        "2,ann,2024-01-01,a",
        "1,ann,2024-01-01,b",
    )
    fine = "".join(f"{key},1,1\n" for key in keys)
    assert read(path, heading + fine).rows.height == 5
    assert problems(path, heading + fine + "1,ann,2024-01-01,a,9,3\n") == [
        "line 7: level '1', player 'ann', date 2024-01-01, cohort 'a', as in line 2 already; "
        "expected one row for each"
    ]


def test_one_row_for_a_level_without_players_and_dates(path: Path) -> None:
    heading = "level,cohort,attempts,wins\n"
    assert read(path, heading + "1,a,1,1\n1,b,1,1\n1,,1,1\n2,a,1,1\n").rows.height == 4
    text = heading + "1,a,1,1\n1,,1,1\n1,a,1,1\n1,,1,1\n"
    assert problems(path, text) == [
        "line 4: level '1', cohort 'a', as in line 2 already; expected one row for each",
        "line 5: level '1', as in line 3 already; expected one row for each",
    ]


def test_rows_given_twice_are_not_left_out(path: Path) -> None:
    """Nobody knows which of them is right."""
    text = "level,attempts,wins\n1,1,1\n2,0,0\n1,2,1\n"
    assert problems(path, text, skip_wrong=True) == [
        "line 4: level '1', as in line 2 already; expected one row for each"
    ]


def test_wrong_rows_are_no_doubles(path: Path) -> None:
    """Of dates that cannot be read nobody knows whether they are the same."""
    text = "level,day,attempts,wins\n1,5.1.2024,1,1\n1,6.1.2024,1,1\n1,,1,1\n1,,2,1\n"
    expected = "expected a date such as 2014-01-31"
    double = "line 5: level '1', as in line 4 already; expected one row for each"
    assert problems(path, text) == [
        f"line 2: day: '5.1.2024'; {expected}",
        f"line 3: day: '6.1.2024'; {expected}",
        double,
        advice(2),
    ]
    assert problems(path, text, skip_wrong=True) == [double]


# Separators


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("heading", ["level|tries|wins|moves left", '"level"|"tries"|"wins"|"moves left"'])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_separators_are_seen_in_the_heading(path: Path, separator: str, heading: str, mark: str) -> None:
    text = f'{mark}{heading}\r\n"a,;\t|b"|3|1|2.5\r\n'
    records = read(path, text.replace("\t|b", "\tb").replace("|", separator))
    assert records.rows.select("level", "attempts", "successes", "moves_left").rows() == [
        ("a,;\tb", 3, 1, 2.5)
    ]


def test_separators_within_quoted_names_of_columns_do_not_count(path: Path) -> None:
    text = '"the level, by name, not number";"tries, all";wins\n1,5;3;1\n'
    records = read(path, text, columns={"level": "the level, by name, not number", "attempts": "tries, all"})
    assert records.rows.select("level", "attempts", "successes").rows() == [("1,5", 3, 1)]


def test_a_decimal_comma_is_no_separator_and_no_point(path: Path) -> None:
    """In a file with semicolons; the lines named are those of the file there, too."""
    assert problems(path, "level;tries;wins;moves_left\n1;2;1;3\n2;2;1;2,5\n3;1,5;0;\n") == [
        "line 3: moves_left: '2,5'; expected a number with a decimal point, such as 2.5",
        "line 4: tries: '1,5'; expected a whole number of at least 1",
        advice(2),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("said", ["", "sep=;", '"sep=;"', "SEP=;"])
def test_line_ends_and_a_separator_that_is_said(path: Path, end: str, mark: str, said: str) -> None:
    """The lines named are those of the file, with a text of two lines and an empty one before."""
    lines = [*([said] if said else []), "level;tries;wins", f'"a{end}b";3;1', "", "c;2;1"]
    records = read(path, mark + end.join(lines) + end)
    assert records.rows.select("level", "attempts", "successes").rows() == [(f"a{end}b", 3, 1), ("c", 2, 1)]
    number = len(lines) + 2
    assert problems(path, mark + end.join([*lines, "d;0;0"])) == [
        f"line {number}: tries: '0'; expected a whole number of at least 1",
        advice(1),
    ]
    assert problems(path, mark + end.join([*lines, "d;1;1;1"])) == [
        f"line {number}: 4 values; expected 3, as many as columns"
    ]
    assert problems(path, mark + end.join([*lines, '"d;1;1', "e;1;1"])) == [f"line {number}: {UNCLOSED}"]
    path.write_bytes((mark + end.join(lines) + end).encode() + b"\xff;1;1")
    with pytest.raises(PlayersError, match=rf"line {number}: byte 1 is 0xFF"):
        read_records(path)


@pytest.mark.parametrize(("said", "separator"), [(",", ","), ("\t", "\t"), ("|", "|")])
def test_what_is_said_is_the_separator(path: Path, said: str, separator: str) -> None:
    text = f"sep={said}\nlevel|tries|wins|a;b;c;d;e;f\n1|2|1|x\n".replace("|", separator)
    records = read(path, text)
    assert (records.rows["attempts"].to_list(), records.unused) == ([2], ("a;b;c;d;e;f",))


def test_columns_without_a_name(path: Path) -> None:
    """Empty ones come from commas at the ends of lines, and nobody misses them."""
    assert read(path, "level,tries,wins,,\n1,2,1,,\n2,2,1, ,\n").unused == ()
    assert read(path, "level,tries,wins,\n1,2,1\n").unused == ()
    assert read(path, ",level,tries,wins,\n0,1,2,1,\n").unused == ("column 1 without a name",)
    assert read(path, "level,tries,wins,note\n1,2,1,\n").unused == ("note",)


# Files that are no such files

UNCLOSED = 'a quote that is not closed; expected " at both ends of a value, or at none'
OTHER_END = "another line end than that of the names of columns; expected the same in all lines"
STRAY = 'a quote within a value; expected it doubled, and " at both ends of the value'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "line 1: nothing; expected the names of columns"),
        ("level,attempts,wins\n", "no rows"),
        ("level,wins,wins\n1,1,1\n", "line 1: columns wins twice; expected each once"),
        ("level,attempts,wins\n1,1,1\n2,2,2,2\n", "line 3: 4 values; expected 3, as many as columns"),
        ("level;attempts;wins\n1;1;1\n2;2;2;2\n", "line 3: 4 values; expected 3, as many as columns"),
        (
            "level|attempts|wins\n1|1|1\n",
            "line 1: 'level|attempts|wins'; "
            "expected the names of columns, with commas, semicolons or tabs between them",
        ),
        ('level,attempts,wins\n1,1,1\n"2,2,2\n3,3,3\n', f"line 3: {UNCLOSED}"),
        ('level,attempts,wins\n1,1,1\n2,2,"2', f"line 3: {UNCLOSED}"),
        ('level,attempts,wins\n"1",1,1\n"2,2,2\n"3",3,3\n"4",4,4\n', f"line 3: {UNCLOSED}"),
        ('level,"attempts,wins\n1,1,1\n', f"line 1: {UNCLOSED}"),
        ("sep=;\n", "line 2: nothing; expected the names of columns"),
        ("sep=;\nlevel;wins;wins\n1;1;1\n", "line 2: columns wins twice; expected each once"),
        (
            "sep=x\nlevel,attempts,wins\n1,1,1\n",
            "line 1: 'sep=x'; expected the names of columns, with commas, semicolons or tabs between them",
        ),
        ("level,attempts,wins\n1,1,1\n2,2,2\r3,3,3\n", f"line 3: {OTHER_END}"),
        ("level,attempts,wins\r1,1,1\r2,2,2\n3,3,3\r", f"line 3: {OTHER_END}"),
        ('level,attempts,wins\n"two\nlines",1,1\n5" wide,2,2\n', f"line 4: {STRAY}"),
        ('level,attempts,wins\n5" wide,2,2\n6" wide,1,1\n', f"line 2: {STRAY}"),
        ('level,attempts,wins\n"5" wide,2,2\n6,1,1\n', f"line 2: {STRAY}"),
    ],
)
def test_texts_that_cannot_be_read(path: Path, text: str, sentence: str) -> None:
    assert problems(path, text) == [sentence]


def test_nothing_is_left(path: Path) -> None:
    text = "level,attempts,wins\n1,0,0\n"
    assert problems(path, text, skip_wrong=True) == ["no rows that are right; expected some"]


def test_places_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bytes.csv").write_bytes(b"level,attempts,wins\n\xff,1,1\n")
    (tmp_path / "text.parquet").write_text("level,attempts,wins\n")
    (tmp_path / "folder.csv").mkdir()
    for name, sentence in {
        "bytes.csv": "line 2: byte 1 is 0xFF, as in no text of UTF-8; expected UTF-8",
        "text.parquet": "cannot be read: ",
        "folder.csv": "cannot be read: ",
        "none.csv": "cannot be read: No such file or directory",
        "none.parquet": "cannot be read: ",
        "x.xlsx": "suffix '.xlsx'; expected .csv or .parquet",
        "x": "suffix 'missing'; expected .csv or .parquet",
    }.items():
        with pytest.raises(PlayersError) as caught:
            read_records(tmp_path / name)
        assert len(caught.value.problems) == 1
        assert caught.value.problems[0].startswith(f"{tmp_path / name}: {sentence}")
        assert "\n" not in caught.value.problems[0]


@pytest.mark.parametrize(
    ("encoding", "sentence"),
    [
        ("latin-1", "line 3: byte 4 is 0xE9, as in no text of UTF-8; expected UTF-8"),
        ("utf-16", "line 1: UTF-16 or no text at all; expected UTF-8"),
        ("utf-16-le", "line 1: UTF-16 or no text at all; expected UTF-8"),
        ("utf-16-be", "line 1: UTF-16 or no text at all; expected UTF-8"),
    ],
)
def test_other_encodings(path: Path, encoding: str, sentence: str) -> None:
    path.write_bytes("level,attempts,wins\r\n1,1,1\r\ncafé,1,1\r\n".encode(encoding))
    with pytest.raises(PlayersError) as caught:
        read_records(path)
    assert caught.value.problems == (f"{path}: {sentence}",)


def test_a_heading_in_another_encoding(path: Path) -> None:
    path.write_bytes("niveau,étape,wins\n1,1,1\n".encode("latin-1"))
    with pytest.raises(PlayersError, match="line 1: byte 8 is 0xE9"):
        read_records(path)


def test_parquet_columns_of_lists(tmp_path: Path) -> None:
    """They are an error where a field is to be, and nothing to us elsewhere."""
    path = tmp_path / "x.parquet"
    table = pl.DataFrame(
        {"level": ["1", "2"], "attempts": [2, 3], "wins": [1, 2], "tags": [["a"], ["b", "c"]]}
    )
    table.write_parquet(path)
    records = read_records(path)
    assert (records.rows["attempts"].to_list(), records.unused) == ([2, 3], ("tags",))
    table.with_columns(wins=pl.Series([[1], [1, 1]]), level=pl.struct("level")).write_parquet(path)
    with pytest.raises(PlayersError) as caught:
        read_records(path)
    assert caught.value.problems == (
        f"{path}: column 'level': values of type Struct({{'level': String}}); "
        "expected a text, a number or a date in each row",
        f"{path}: column 'wins': values of type List(Int64); expected a text, a number or a date in each row",
    )


def test_the_sample_is_the_made_up_one() -> None:
    """Rows of a data set that is not ours to pass on would not come out of the generator."""
    assert SAMPLE.read_text(encoding="utf-8").splitlines() == made_up_players.lines()
