"""People's results read from files and checked row by row, with a sentence for each wrong value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import polars as pl

from levelsense.errors import PlayersError
from levelsense.people.files import SYNONYMS, ResultsFile, choose_columns
from levelsense.store.players import KEY, MOST_NAMED, RESULTS_SCHEMA, key_words, more_words

_MOST: Final = 2**31 - 1  # that a database takes for a whole number
_LONGEST: Final = 40
# Of texts. Counts of a day have other rules: an attempt that began on one day may be won on another.
_DATED: Final = pl.col("date").is_not_null()


@dataclass(frozen=True)
class Records:
    """The rows of a file (RESULTS_SCHEMA), and the header of the column that each field was read from.

    unused    headers of the other columns
    left_out  how many wrong rows were left out
    reasons   sentences about the first of these
    """

    path: Path
    rows: pl.DataFrame
    columns: Mapping[str, str]
    unused: tuple[str, ...]
    left_out: int = 0
    reasons: tuple[str, ...] = ()

    @property
    def without_attempts(self) -> int:
        """How many rows are counts of a day on which no attempt began."""
        return self.rows.filter(pl.col("attempts") == 0).height

    @property
    def more_successes(self) -> int:
        """How many of the other rows are counts of a day with more successes than attempts."""
        return self.rows.filter(pl.col("attempts") > 0, pl.col("successes") > pl.col("attempts")).height


@dataclass(frozen=True)
class _Rule:
    """Rows where `wrong` holds have a wrong value of a field; `expected` says what would be right."""

    field: str
    wrong: pl.Expr
    expected: pl.Expr


def read_all(
    paths: Sequence[Path],
    columns: Mapping[str, str] | None = None,
    cohort: str | None = None,
    *,
    skip_wrong: bool = False,
) -> list[Records]:
    """Reads files; PlayersError with the problems of all of them."""
    records: list[Records] = []
    problems: list[str] = []
    for path in paths:
        try:
            records.append(read_records(path, columns, cohort, skip_wrong=skip_wrong))
        except PlayersError as error:
            problems += error.problems
    if problems:
        raise PlayersError(problems)
    return records


def read_records(
    path: Path,
    columns: Mapping[str, str] | None = None,
    cohort: str | None = None,
    *,
    skip_wrong: bool = False,
) -> Records:
    """Reads a CSV or Parquet file; PlayersError with a sentence for each of the first things wrong.

    `columns` gives the headers of fields that are not to be recognized by name, `cohort` a name for all rows.
    With `skip_wrong`, rows with wrong values are left out; two rows for the same result are still wrong.
    """
    file = ResultsFile(path)
    chosen = choose_columns(str(path), file.table.columns, columns or {})
    file.check(chosen)
    if cohort is not None and "cohort" in chosen:
        raise PlayersError(f"{path}: column {chosen['cohort']!r} has cohorts; expected no `cohort` besides")
    texts = _fields(file.table, chosen, cohort)
    parsed = _parsed(texts)
    wrong, faulty = _wrong_rows(file, texts, parsed, chosen)
    # A wrong row may lack the key that it would be compared by, so that it is no duplicate of another.
    parsed = parsed.filter(~pl.col("row").is_in(faulty.implode()))
    duplicates = _duplicates(file, parsed)
    if duplicates or (wrong and not skip_wrong):
        raise PlayersError(duplicates if skip_wrong else [*wrong, *duplicates, *_advice(path, len(faulty))])
    if parsed.is_empty():
        raise PlayersError(f"{path}: no rows that are right; expected some" if wrong else f"{path}: no rows")
    rows = parsed.with_columns(source=pl.lit(path.name)).select(*RESULTS_SCHEMA)
    unused = tuple(header for header in file.table.columns if header not in chosen.values())
    return Records(path, rows, chosen, unused, len(faulty), tuple(wrong))


def _fields(table: pl.DataFrame, chosen: Mapping[str, str], cohort: str | None) -> pl.DataFrame:
    """Each field as a text, null where there is none, with the number of its row; without empty rows."""
    texts = [
        (pl.col(chosen[field]) if field in chosen else pl.lit(None, pl.String)).alias(field)
        for field in SYNONYMS
    ]
    fields = table.select(pl.int_range(pl.len()).alias("row"), *texts).filter(
        pl.any_horizontal(pl.col(field).is_not_null() for field in chosen)
    )
    return fields if cohort is None else fields.with_columns(cohort=pl.lit(cohort))


def _parsed(texts: pl.DataFrame) -> pl.DataFrame:
    """Values of their kinds; null where a text is none of that kind."""
    return texts.with_columns(
        # Counts of a day may have no attempts.
        _whole("attempts", pl.when(_DATED).then(0).otherwise(1)).alias("attempts"),
        _whole("successes").alias("successes"),
        _whole("boosters").alias("boosters"),
        _number("moves_left").alias("moves_left"),
        # A time of day behind the date is ignored.
        pl.col("date").str.replace(r"[ T]\d\d:.*$", "").str.to_date("%Y-%m-%d", strict=False),
    )


def _number(field: str) -> pl.Expr:
    number = pl.col(field).cast(pl.Float64, strict=False)
    return pl.when(number.is_finite() & (number >= 0)).then(number)


def _whole(field: str, least: pl.Expr | int = 0) -> pl.Expr:
    number = _number(field)
    is_whole = (number == number.floor()) & (number >= least) & (number <= _MOST)
    return pl.when(is_whole).then(number).cast(pl.Int64)


def _expected_whole(field: str, least: pl.Expr | int = 0) -> pl.Expr:
    """What was expected in place of a text that is no whole number: the bound that it is beyond."""
    return (
        pl.when(_number(field) > _MOST)
        .then(pl.lit(f"a whole number of at most {_MOST:,}"))
        .otherwise(
            pl.format("a whole number of at least {}", pl.lit(least) if isinstance(least, int) else least)
        )
    )


def _expected_number(field: str) -> pl.Expr:
    return (
        pl.when(pl.col(field).str.contains(","))
        .then(pl.lit("a number with a decimal point, such as 2.5"))
        .otherwise(pl.lit("a number of at least 0"))
    )


def _rules() -> list[_Rule]:
    """The rules: a field's text must be a value of its kind, and values must fit each other."""
    parsed = {field: pl.col(f"parsed_{field}") for field in SYNONYMS}
    unread = {field: pl.col(field).is_not_null() & parsed[field].is_null() for field in SYNONYMS}
    return [
        _Rule("level", pl.col("level").is_null(), pl.lit("the name of a level")),
        _Rule(
            "attempts",
            parsed["attempts"].is_null(),
            _expected_whole("attempts", pl.when(_DATED).then(0).otherwise(1)),
        ),
        _Rule("successes", parsed["successes"].is_null(), _expected_whole("successes")),
        _Rule(
            "successes",
            ~_DATED & (parsed["successes"] > parsed["attempts"]),
            pl.format("at most {}, as many as attempts", parsed["attempts"]),
        ),
        _Rule("date", unread["date"], pl.lit("a date such as 2014-01-31")),
        _Rule("moves_left", unread["moves_left"], _expected_number("moves_left")),
        _Rule("boosters", unread["boosters"], _expected_whole("boosters")),
    ]


def _wrong_rows(
    file: ResultsFile, texts: pl.DataFrame, parsed: pl.DataFrame, chosen: Mapping[str, str]
) -> tuple[list[str], pl.Series]:
    """A sentence for each of the first wrong values and one that counts the others; and all wrong rows."""
    texts_and_values = texts.hstack(
        parsed.select(pl.col(field).alias(f"parsed_{field}") for field in SYNONYMS)
    )
    matches = [
        texts_and_values.filter(rule.wrong).select(
            "row",
            pl.lit(number).alias("rule"),
            pl.lit(rule.field).alias("field"),
            pl.col(rule.field).alias("value"),
            rule.expected.alias("expected"),
        )
        for number, rule in enumerate(_rules())
    ]
    wrong = pl.concat(matches).sort("row", "rule")
    first = wrong.head(MOST_NAMED)
    places = file.places(first["row"].to_list()) if first.height else []
    sentences = [
        f"{file.path}: {place}: {chosen[row['field']]}: {_value_words(row['value'])}; "
        f"expected {row['expected']}"
        for place, row in zip(places, first.iter_rows(named=True), strict=True)
    ]
    more = more_words(wrong.height - MOST_NAMED, "wrong value", "wrong values")
    return [*sentences, *(f"{file.path}: {words}" for words in more)], wrong["row"].unique()


def _duplicates(file: ResultsFile, parsed: pl.DataFrame) -> list[str]:
    """A sentence for each of the first rows with the same key as an earlier one, and the number of others."""
    duplicates = parsed.with_columns(pl.col("row").min().over(KEY).alias("first")).filter(
        pl.col("row") != pl.col("first")
    )
    if duplicates.is_empty():
        return []
    first_duplicates = duplicates.sort("row").head(MOST_NAMED)
    places = file.places([*first_duplicates["row"], *first_duplicates["first"]])
    rows = zip(
        first_duplicates.iter_rows(named=True),
        places[: first_duplicates.height],
        places[first_duplicates.height :],
        strict=True,
    )
    sentences = [
        f"{file.path}: {place}: {key_words(row)}, as in {first} already; expected one row for each"
        for row, place, first in rows
    ]
    more = more_words(duplicates.height - MOST_NAMED, "row given twice", "rows given twice")
    return sentences + [f"{file.path}: {words}" for words in more]


def _advice(path: Path, faulty: int) -> list[str]:
    if not faulty:
        return []
    return [f"{path}: nothing is stored; mend the file, or leave wrong rows ({faulty:,}) out by `skip_wrong`"]


def _value_words(value: Any) -> str:
    if value is None:
        return "nothing"
    return repr(value if len(value) <= _LONGEST else value[:_LONGEST] + "...")
