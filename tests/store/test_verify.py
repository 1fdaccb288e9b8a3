"""Damage in a database is found: in the file, in levels, in every row, and by playing attempts again."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from levelsense.agents.registry import parse_agent
from levelsense.game.state import RULES_VERSION
from levelsense.playtest import playtest
from levelsense.store import Database, PlayerResults, Recorder
from levelsense.store.verify import Verified, verify
from tests.playtest.players import CoinPlayer
from tests.store.test_people import FIRST, load_older
from tests.test_cli import assert_complaint, run

LEVELS = ("01-first-steps", "11-beat-the-clock")
ROWS = 25
OLDER_RULES = 2  # of the attempts in schema_3.sql


@pytest.fixture
def stored(place: str) -> str:
    """Two levels by two agents, and players' results."""
    with Database(place) as database:
        playtest(LEVELS, ["random", "first"], attempts=ROWS, sink=Recorder(database))
        PlayerResults(database).add(FIRST)
    return place


def change(place: str, *statements: str) -> None:
    with Database(place) as database, database.writing() as connection:
        for statement in statements:
            connection.execute(text(statement))


def verified(place: str, sample: int | None = 10) -> tuple[Verified, Sequence[str]]:
    damage: list[str] = []
    with Database(place, make=False) as database:
        counts = verify(database, sample, on_damage=damage.append)
    assert counts.damaged == len(damage)
    return counts, damage


def test_nothing_is_damaged(stored: str) -> None:
    counts, damage = verified(stored)
    assert damage == []
    assert (counts.levels, counts.runs, counts.attempts, counts.results) == (2, 1, 4 * ROWS, 6)
    assert (counts.sums, counts.without_sum, counts.replayed) == (4 * ROWS + 6, 0, 10)
    assert not counts.not_replayed
    assert verified(stored, None)[0].replayed == 4 * ROWS
    assert verified(stored, 0)[0].replayed == 0
    assert verified(stored, 10_000)[0].replayed == 4 * ROWS


@pytest.mark.parametrize(
    "changed",
    [
        "score = score + 1",
        "moves_made = moves_made + 8",
        "shuffles = 1",
        "longest_cascade = 99",
        "striped = 64",
    ],
)
def test_a_flipped_bit_is_found_without_playing_that_attempt(stored: str, changed: str) -> None:
    change(stored, f"UPDATE attempts SET {changed} WHERE agent = 'first' AND attempt = 17")
    counts, damage = verified(stored, 0)
    assert counts.damaged == 2
    for level, sentence in zip(LEVELS, sorted(damage), strict=True):
        row = f"level '{level}', agent first, rules {RULES_VERSION}, seed 0, attempt 17: checksum "
        assert sentence.startswith(row)
        assert f"{changed.split()[0]} " in sentence
        assert "(played again " in sentence


def test_rows_without_checksums_are_found_by_playing_them_again(stored: str) -> None:
    """Those of an older version, or of somebody who changed the checksum too."""
    change(
        stored,
        "UPDATE attempts SET checksum = NULL",
        "UPDATE attempts SET score = score + 1 WHERE agent = 'first' AND attempt = 17",
    )
    counts, damage = verified(stored, None)
    assert (counts.damaged, counts.without_sum) == (2, 4 * ROWS)
    assert all("attempt 17: score " in sentence for sentence in damage)
    assert verified(stored, 0)[1] == []


def test_every_column_of_a_players_result_is_covered(stored: str) -> None:
    for changed in ("attempts = attempts + 1", "boosters = 9", "moves_left = 1.5", "source = 'y.csv'"):
        change(stored, f"UPDATE player_results SET {changed} WHERE player = 'bob'")
        _, damage = verified(stored, 0)
        assert [sentence.split(": ")[0] for sentence in damage] == [
            "level '2', player 'bob', date 2024-02-29, cohort 'new'"
        ]


def test_replaced_results_have_checksums(stored: str) -> None:
    with Database(stored) as database:
        other = FIRST.with_columns(attempts=FIRST["attempts"] + 5)
        assert PlayerResults(database).add(other, replace=True).replaced == 6
    assert verified(stored)[1] == []


def test_a_level_that_was_changed_is_found(stored: str) -> None:
    change(stored, "UPDATE levels SET json = REPLACE(json, '\"moves\": 15', '\"moves\": 14')")
    counts, damage = verified(stored)
    (sentence,) = damage
    assert sentence.startswith("level '01-first-steps', digest ")
    assert "its file has the digest " in sentence
    assert counts.not_replayed == {"at levels that are damaged or not stored": 2 * ROWS}


def test_a_level_that_cannot_be_read_is_found(stored: str) -> None:
    change(stored, "UPDATE levels SET json = '{' WHERE name = '01-first-steps'")
    (sentence,) = verified(stored)[1]
    assert sentence.startswith("level '01-first-steps', digest ")


def test_attempts_that_are_gone_are_found(stored: str) -> None:
    change(
        stored,
        "DELETE FROM attempts WHERE agent = 'first' AND attempt = 3",
        "DELETE FROM attempts WHERE agent = 'random' AND level = (SELECT MIN(level) FROM attempts)",
    )
    _, damage = verified(stored, 0)
    assert sum("24 attempts; expected 25, of which its result is made" in words for words in damage) == 2
    assert sum("agent random: 0 attempts; expected 25" in words for words in damage) == 1
    assert len(damage) == 3


def test_damaged_runs_are_found(stored: str) -> None:
    change(stored, "UPDATE runs SET started = 'once', versions = 'many'")
    (sentence,) = verified(stored, 0)[1]
    assert sentence.startswith("run 1: started 'once'; expected a date and time such as 2026-01-31T12:00")
    assert "versions 'many'; expected a JSON object" in sentence
    assert_complaint(run("results", "--runs", "--db", stored), "run 1: started 'once'; expected a date")


def test_what_cannot_be_played_again_is_counted(place: str) -> None:
    with Database(place) as database:
        clock = parse_agent("mcts:seconds=0.001")
        for player, number in ((CoinPlayer(spec="mine"), 7), (clock, 2), (parse_agent("random"), 5)):
            playtest(LEVELS[:1], [player], attempts=number, sink=Recorder(database))
        with database.writing() as connection:
            connection.execute(text(f"UPDATE attempts SET rules = {RULES_VERSION + 1} WHERE attempt = 4"))
            connection.execute(text("UPDATE attempts SET checksum = NULL"))
            connection.execute(text("UPDATE run_pairs SET attempts = NULL"))
    counts, damage = verified(place, None)
    assert damage == []
    assert counts.replayed == 4
    assert dict(counts.not_replayed) == {
        "of agent mine, which this program does not know": 6,
        f"of agent {clock.spec}, whose moves depend on the clock": 2,
        f"of rules {RULES_VERSION + 1}; this program plays rules {RULES_VERSION}": 2,
    }


# The command


def test_the_command_on_a_sound_database(stored: str) -> None:
    result = run("verify", "--db", stored, "--sample", 5)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "levels: 2 digests computed anew; 1 run looked at" in result.stdout
    assert "rows: 100 attempts and 6 results of players read, 106 checksums computed anew" in result.stdout
    assert "played again: 5 attempts of 100; --all plays all of them" in result.stdout
    assert result.stdout.endswith("nothing is damaged, as far as that shows\n")
    assert "played again: 100 attempts, all of them" in run("verify", "--db", stored, "--all").stdout


def test_the_command_on_a_damaged_database(stored: str) -> None:
    change(stored, "UPDATE attempts SET reason = 'boredom' WHERE agent = 'random' AND attempt = 9")
    result = run("verify", "--db", stored)
    assert (result.exit_code, result.stderr) == (1, "")
    damaged = [line for line in result.stdout.splitlines() if line.startswith("damaged: level ")]
    assert len(damaged) == 2
    assert all(
        "agent random" in line and "attempt 9: reason 'boredom'; expected one of" in line for line in damaged
    )
    assert result.stdout.endswith("damaged: 2\n")
    assert run("verify", "--db", stored, "--json").exit_code == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--sample", 5, "--all"), "--sample and --all: both are given"),
        (("--sample", -1), "sample: -1; expected a whole number from 0"),
        (("--seed", -1), "seed: -1; expected"),
        (("--threads", 0), "threads: 0; expected"),
    ],
)
def test_wrong_questions_are_one_sentence(sqlite: str, options: tuple[object, ...], sentence: str) -> None:
    assert_complaint(run("verify", "--db", sqlite, *options), sentence)


def test_there_must_be_a_database(sqlite: str) -> None:
    assert_complaint(run("verify", "--db", sqlite), "no such database")
    assert not Path(sqlite).exists()


# Files


def fill(sqlite: str) -> Path:
    with Database(sqlite) as database:
        playtest(LEVELS[:1], ["random"], attempts=400, sink=Recorder(database))
    return Path(sqlite)


def test_bits_flipped_in_the_file_are_found(sqlite: str) -> None:
    """Wherever in the pages of attempts: in a figure, a text, the key or the pages' own bookkeeping."""
    path = fill(sqlite)
    whole = path.read_bytes()
    with closing(sqlite3.connect(sqlite)) as connection:
        (page_size,) = connection.execute("PRAGMA page_size").fetchone()
    first = whole.index(b'"score":') // page_size * page_size
    for offset in range(first + 200, min(first + 12_000, len(whole)), 577):
        flipped = bytearray(whole)
        flipped[offset] ^= 0x04
        path.write_bytes(flipped)
        result = run("verify", "--db", sqlite, "--sample", 0)
        unused = not any(whole[offset - 4 : offset + 4])
        assert result.exit_code in ((0, 1, 2) if unused else (1, 2)), (offset, result.output)
        assert "Traceback" not in result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)


def test_what_cannot_be_read_does_not_keep_the_rest_from_being_checked(sqlite: str) -> None:
    path = fill(sqlite)
    with Database(sqlite) as database:
        PlayerResults(database).add(FIRST)
    whole = bytearray(path.read_bytes())
    with closing(sqlite3.connect(sqlite)) as connection:
        (page_size,) = connection.execute("PRAGMA page_size").fetchone()
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'levels'").fetchone()
    whole[(root - 1) * page_size : root * page_size] = bytes(page_size)
    path.write_bytes(whole)
    counts, damage = verified(sqlite, 0)
    assert any(sentence.startswith("the file: ") for sentence in damage)
    assert "levels: cannot be read to the end: database disk image is malformed" in damage
    assert (counts.levels, counts.attempts, counts.results) == (0, 400, 6)


def test_a_text_that_is_none_is_named(sqlite: str) -> None:
    fill(sqlite)
    with closing(sqlite3.connect(sqlite)) as connection, connection:
        connection.execute("UPDATE attempts SET reason = CAST(x'ff41' AS TEXT) WHERE attempt = 13")
    (sentence,) = verified(sqlite, 0)[1]
    assert "agent random" in sentence
    assert "attempt 13: reason" in sentence


def test_an_older_database_is_verified(sqlite: str) -> None:
    load_older(sqlite, 1)
    counts, damage = verified(sqlite)
    assert damage == []
    assert (counts.attempts, counts.without_sum) == (5, 5)


def test_checksums_of_the_third_schema_hold(sqlite: str) -> None:
    """Its rows have no least time; they are played again in every other column, as far as the rules allow."""
    load_older(sqlite, 3)
    counts, damage = verified(sqlite, None)
    assert damage == []
    assert (counts.attempts, counts.results, counts.sums, counts.without_sum) == (12, 3, 15, 0)
    assert counts.replayed == (12 if RULES_VERSION == OLDER_RULES else 0)


@pytest.mark.parametrize("least", ["least_time + 0.5", "NULL"])
def test_the_least_time_is_covered_by_the_checksum(stored: str, least: str) -> None:
    where = "agent = 'first' AND attempt = 17 AND time_left IS NOT NULL"
    change(stored, f"UPDATE attempts SET least_time = {least} WHERE {where}")
    (sentence,) = verified(stored, 0)[1]
    assert sentence.startswith(
        f"level '11-beat-the-clock', agent first, rules {RULES_VERSION}, seed 0, attempt 17"
    )
    assert ("least_time" in sentence) is (least != "NULL")


def test_a_least_time_in_an_older_row_is_found(sqlite: str) -> None:
    load_older(sqlite, 3)
    Database(sqlite).close()
    change(sqlite, "UPDATE attempts SET least_time = 1.5 WHERE attempt = 4 AND time_left IS NOT NULL")
    (sentence,) = verified(sqlite, 0)[1]
    assert "level '27-clockwork'" in sentence
    assert "attempt 4: checksum " in sentence


@pytest.mark.parametrize(
    ("statement", "row", "wrong"),
    [
        (
            "UPDATE attempts SET agent = x'ff00' WHERE attempt = 3",
            "level '01-first-steps', agent b'\\xff\\x00', rules {rules}, seed 0, 1 attempts",
            "agent b'\\xff\\x00'; expected a text",
        ),
        (
            "UPDATE attempts SET agent = CAST(x'ff41' AS TEXT) WHERE attempt = 3",
            "level '01-first-steps', agent \\xffA, rules {rules}, seed 0, 1 attempts",
            "only 0 of them can be found by these values",
        ),
        (
            "UPDATE attempts SET seed = 'abc' WHERE attempt = 3",
            "level '01-first-steps', agent random, rules {rules}, seed abc, 1 attempts",
            "seed 'abc'; expected a whole number",
        ),
        (
            "UPDATE run_pairs SET attempts = 'abc'",
            "run 1: level '01-first-steps', agent random",
            "attempts 'abc'; expected a whole number",
        ),
        (
            "UPDATE run_pairs SET attempts = x'ff00'",
            "run 1: level '01-first-steps', agent random",
            "attempts b'\\xff\\x00'; expected a whole number",
        ),
        (
            "UPDATE run_pairs SET attempts = -1",
            "run 1: level '01-first-steps', agent random",
            "attempts -1; expected at least 0",
        ),
        (
            "UPDATE run_pairs SET run = 5",
            "run 5: level '01-first-steps', agent random",
            "run 5; expected one that is stored",
        ),
        (
            "UPDATE run_pairs SET run = 'abc'",
            "run abc: level '01-first-steps', agent random",
            "run 'abc'; expected a whole number",
        ),
    ],
)
def test_damaged_keys_are_told_and_the_rest_is_checked(
    sqlite: str, statement: str, row: str, wrong: str
) -> None:
    with Database(sqlite) as database:
        playtest(LEVELS[:1], ["random"], attempts=ROWS, sink=Recorder(database))
        PlayerResults(database).add(FIRST)
    with closing(sqlite3.connect(sqlite)) as connection, connection:
        connection.execute(statement)
        connection.execute("UPDATE attempts SET score = score + 1 WHERE attempt = 7")
    counts, damage = verified(sqlite)
    assert f"{row.format(rules=RULES_VERSION)}: {wrong}" in damage
    assert any("attempt 7: checksum " in sentence for sentence in damage)
    assert (counts.attempts, counts.results) == (ROWS, 6)
    assert run("verify", "--db", sqlite).exit_code == 1
