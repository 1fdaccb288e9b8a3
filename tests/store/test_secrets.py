"""What is secret in a database's URL is neither shown nor stored, wherever in the URL it stands."""

import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from levelsense.cli.terminal.playtests import command_words
from levelsense.errors import StoreError
from levelsense.store import Database, runs
from levelsense.store.address import parse_place, public_command, shown_name, without_secrets
from tests.test_cli import run

SECRET = "h0sh-h0sh"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f"postgresql://ann:{SECRET}@h/x", "postgresql://ann:***@h/x"),
        (f"postgresql://ann@h/x?password={SECRET}", "postgresql://ann@h/x?password=***"),
        (f"postgresql://h/x?user=ann&PASSWORD={SECRET}", "postgresql://h/x?user=ann&PASSWORD=***"),
        (
            f"postgresql://h/x?sslpassword={SECRET}&sslmode=require",
            "postgresql://h/x?sslpassword=***&sslmode=require",
        ),
        (f"postgresql:///x?host=/run/pg&oauth_client_secret={SECRET}", None),
        (f"postgres+psycopg://ann@h/x?options=-c%20my.secret%3D{SECRET}", "postgresql://ann@h/x?options=***"),
        (f"postgresql://h/x?password={SECRET}&password={SECRET}", None),
    ],
)
def test_names_show_no_secret(url: str, shown: str | None) -> None:
    assert SECRET not in shown_name(url)
    assert shown is None or shown_name(url) == shown
    for command in (["--db", url], [f"--db={url}"], ["--db", url, "--db", "x.db"]):
        assert SECRET not in public_command(["levelsense", "playtest", *command])


@pytest.mark.parametrize(
    "place",
    [
        f"postgresql://ann:{SECRET[:4]}@{SECRET}@h/x",
        f"postgresql://ann/{SECRET}@h/x",
        f"postgresql://ann:x@h:{SECRET}/x",
        f"postgresql:/ann:{SECRET}@h/x",
        f"postgresql:ann:{SECRET}@h/x",
        f"host=h user=ann password={SECRET}",
        f"host=h user=ann password = '{SECRET}'",
    ],
)
def test_what_cannot_be_read_is_not_repeated(place: str) -> None:
    with pytest.raises(StoreError) as caught:
        Database(place)
    assert SECRET not in str(caught.value)
    assert "the database's URL cannot be read; expected postgresql://user@host/name" in str(caught.value)
    assert SECRET not in public_command(["levelsense", "playtest", f"--db={place}"])
    assert SECRET not in public_command(["levelsense", "playtest", "--db", place])


@pytest.mark.parametrize("parameter", ["password", "passwrd", "sslmode", "port"])
def test_a_server_that_is_not_there(parameter: str) -> None:
    """Also where the driver repeats what it cannot use."""
    result = run("results", "--db", f"postgresql://ann@localhost:1/x?{parameter}={SECRET}&connect_timeout=2")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: postgresql://ann@localhost:1/x?")
    if parameter not in ("sslmode", "port"):
        assert SECRET not in result.stderr


def test_what_a_driver_says_is_shown_without_secrets() -> None:
    url = parse_place("postgresql://ann:pa@h/x?passfile=/x/y&host=h")
    text = without_secrets("pa: a palm of ann's, in /x/y on h", url)
    assert text == "***: a palm of ann's, in *** on h"


def test_the_command_of_a_run_has_no_password(monkeypatch: pytest.MonkeyPatch, postgres: str) -> None:
    url = f"{postgres}&password={SECRET}"
    monkeypatch.setattr(
        sys, "argv", ["levelsense", "playtest", "a.json", "--db", "old.db", "--db", url, "--seed", "1"]
    )
    played = run("playtest", "01-first-steps", "--agent", "random", "--attempts", 3, "--db", url)
    assert (played.exit_code, SECRET in played.output) == (0, False)
    with Database(url) as database:
        (noted,) = runs(database)
        with database.reading() as connection:
            stored = connection.execute(text("SELECT command FROM runs")).scalar_one()
    assert noted.command == stored == command_words()
    assert SECRET not in stored
    assert stored.startswith("levelsense playtest a.json --db old.db --db 'postgresql://")


def test_words_that_are_not_utf8_are_stored_as_escapes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = str(tmp_path / "\udcff.db")
    monkeypatch.setattr(sys, "argv", ["levelsense", "playtest", "01-first-steps", "--report", "\udcff.html"])
    played = run("playtest", "01-first-steps", "--agent", "random", "--attempts", 3, "--db", place)
    assert played.exit_code == 0
    with Database(place) as database:
        (noted,) = runs(database)
    assert noted.command == r"levelsense playtest 01-first-steps --report '\udcff.html'"


def test_a_url_that_is_not_utf8_is_refused() -> None:
    for parameter in ("password", "connect_timeout"):
        result = run("results", "--db", f"postgresql://ann@localhost:1/x?{parameter}={SECRET}\udcff")
        assert result.exit_code == 2
        assert result.stderr.startswith("error: the database's URL cannot be read; expected postgresql://")
