"""Which column holds what: told, or known by name."""

import pytest

from levelsense.errors import PlayersError
from levelsense.people.files import SYNONYMS, choose_columns, parse_columns


def chosen(*headers: str, **given: str) -> dict[str, str]:
    return choose_columns("x.csv", headers, given)


def problems(*headers: str, **given: str) -> tuple[str, ...]:
    with pytest.raises(PlayersError) as caught:
        chosen(*headers, **given)
    return caught.value.problems


def test_columns_are_recognized_by_name() -> None:
    assert chosen("player_id", "dt", "level", "num_attempts", "num_success") == {
        "level": "level",
        "attempts": "num_attempts",
        "successes": "num_success",
        "player": "player_id",
        "date": "dt",
    }


def test_case_blanks_and_hyphens_do_not_matter() -> None:
    columns = chosen("LVL", "Num Attempts", "Wins", "Moves-Left")
    assert columns == {
        "level": "LVL",
        "attempts": "Num Attempts",
        "successes": "Wins",
        "moves_left": "Moves-Left",
    }


@pytest.mark.parametrize(
    ("field", "synonym"), [(field, word) for field in SYNONYMS for word in SYNONYMS[field]]
)
def test_every_synonym_means_one_field(field: str, synonym: str) -> None:
    headers = {"level": "level", "attempts": "attempts", "successes": "successes"} | {field: synonym}
    assert chosen(*headers.values()) == {name: headers[name] for name in SYNONYMS if name in headers}


def test_what_is_told_goes_before_what_is_recognized() -> None:
    columns = chosen("level", "stage", "tries", "wins", "passes", level="stage", successes="passes")
    assert columns == {"level": "stage", "attempts": "tries", "successes": "passes"}


def test_a_fields_own_name_goes_before_others() -> None:
    assert chosen("level", "level_id", "attempts", "wins")["level"] == "level"


def test_what_is_missing_or_unclear_is_told_at_once() -> None:
    assert problems("lvl", "stage", "tries", player="who") == (
        "x.csv: no column 'who' for player; there is lvl, stage, tries",
        "x.csv: columns lvl, stage may all be level; say which by `columns` level=HEADER",
        "x.csv: no column for successes; there is lvl, stage, tries: say which by `columns` successes=HEADER",
    )


def test_options() -> None:
    assert parse_columns(["level=lvl", "attempts=a=b"]) == {"level": "lvl", "attempts": "a=b"}


@pytest.mark.parametrize("word", ["level", "level=", "=lvl", "lives=lvl"])
def test_options_that_are_wrong(word: str) -> None:
    with pytest.raises(
        PlayersError, match=f"`columns` {word}: expected FIELD=HEADER, FIELD one of level, att"
    ):
        parse_columns([word])


def test_a_field_told_twice() -> None:
    with pytest.raises(PlayersError, match="`columns` level=b: given twice; expected one column for level"):
        parse_columns(["level=a", "level=b"])
