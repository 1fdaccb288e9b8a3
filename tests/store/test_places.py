"""Databases whose files change under a program's feet, or may only be read."""

import ctypes
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from levelsense.errors import StoreError
from levelsense.playtest import PairProgress, playtest
from levelsense.store import Database, PlayerResults, Recorder, Selection, attempts, runs, summaries
from tests.playtest.players import CoinPlayer
from tests.store.test_people import FIRST, load_older
from tests.test_cli import assert_complaint, run
from tests.test_docs import COMMANDS

LEVEL = "01-first-steps"


def delete(path: Path) -> None:
    for name in path.parent.glob(f"{path.name}*"):
        name.unlink()


def move(path: Path) -> None:
    path.rename(path.with_name("moved.db"))


def replace(path: Path) -> None:
    other = path.with_name("other.db")
    Database(other).close()
    other.replace(path)


@pytest.mark.parametrize("take_away", [delete, move, replace])
def test_a_file_that_is_taken_away_during_a_run_is_an_error(
    sqlite: str, take_away: Callable[[Path], None]
) -> None:
    def look(progress: Sequence[PairProgress]) -> None:
        if progress[0].done >= 10 and not taken:
            taken.append(True)
            take_away(Path(sqlite))

    taken: list[bool] = []
    with Database(sqlite) as database, pytest.raises(StoreError) as caught:
        playtest(
            [LEVEL],
            [CoinPlayer(seconds=0.02)],
            attempts=60,
            batch=5,
            threads=2,
            sink=Recorder(database),
            progress=look,
        )
    assert str(caught.value).startswith(
        f"{sqlite}: deleted, moved or replaced while it was in use; what is written now would be lost"
    )


def test_a_command_ends_with_an_error_if_its_database_is_deleted(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After everything is played and before the run is called done."""
    end = Recorder.end

    def delete_first(recorder: Recorder, finished: object) -> None:
        delete(Path(sqlite))
        end(recorder, finished)  # type: ignore[arg-type]

    monkeypatch.setattr(Recorder, "end", delete_first)
    result = run("playtest", LEVEL, "--agent", "random", "--attempts", 5, "--db", sqlite, "--json")
    assert_complaint(result, f"{sqlite}: deleted, moved or replaced while it was in use")


def test_a_deleted_file_is_not_made_again_by_a_look(sqlite: str) -> None:
    with Database(sqlite) as database:
        delete(Path(sqlite))
        with pytest.raises(StoreError, match="deleted, moved or replaced"):
            runs(database)
    assert not Path(sqlite).exists()


def test_a_run_that_is_deleted_while_it_is_played_is_an_error(place: str) -> None:
    with Database(place) as database:

        class Deleted(Recorder):
            def end(self, finished: object) -> None:
                with database.writing() as connection:
                    connection.exec_driver_sql("DELETE FROM run_pairs")
                super().end(finished)  # type: ignore[arg-type]

        with pytest.raises(StoreError, match="run 1 is no longer there"):
            playtest([LEVEL], [CoinPlayer()], attempts=5, sink=Deleted(database))


# Reading only


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    """A folder that only root may write to, with a database."""
    folder = tmp_path / "locked"
    folder.mkdir()
    with Database(folder / "a.db") as database:
        playtest([LEVEL], ["random"], attempts=12, sink=Recorder(database, "x"))
        PlayerResults(database).add(FIRST)
    return folder


def drop_privilege() -> None:
    """Makes root obey the permissions of files, as others do (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH)."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (1, 2):
            assert libc.prctl(24, capability, 0, 0, 0) == 0  # PR_CAPBSET_DROP


def read_only(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the program in a folder that it may not write to; nothing in it may change."""
    for path in [*folder.iterdir(), folder]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = subprocess.run(
        [sys.executable, "-m", "levelsense", *map(str, arguments)],
        cwd=folder,
        preexec_fn=drop_privilege,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    folder.chmod(0o755)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    return done


def test_readers_work_in_a_folder_that_cannot_be_written(locked: Path) -> None:
    result = read_only(locked, "results", "--db", "a.db")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.split("\n")[1].split()[:4] == [LEVEL, "random", "0", "12"]
    rates = read_only(locked, "players", "rates", "--db", "a.db")
    assert (rates.returncode, rates.stderr) == (0, "")
    assert rates.stdout.startswith("players without a cohort\nlevel")


def test_what_is_played_already_is_told_from_a_database_that_cannot_be_written(locked: Path) -> None:
    result = read_only(locked, "playtest", LEVEL, "--agent", "random", "--attempts", 12, "--db", "a.db")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.split("\n")[1].split()[:3] == [LEVEL, "random", "12"]


def test_writers_say_that_a_database_cannot_be_written(locked: Path) -> None:
    (locked / "x.csv").write_text("level,attempts,wins\nz,10,4\n")
    done = read_only(locked, "players", "import", "x.csv", "--db", "a.db")
    assert done.returncode == 2
    assert done.stderr == (
        "error: a.db: cannot be written: the file or its folder is read-only; "
        "expected a database that may be written\n"
    )


def test_a_folder_where_no_database_can_be_made_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    done = read_only(folder, "playtest", LEVEL, "--agent", "random", "--attempts", 2)
    assert done.returncode == 2
    assert done.stderr == (
        f"error: levelsense.db: cannot be made: the folder {folder} may not be written; "
        "expected another folder to work in, or --db in one that may\n"
    )


def test_what_is_in_a_journal_left_over_is_read_too(locked: Path, tmp_path: Path) -> None:
    """A program was killed before what it wrote was moved from the journal into the file."""
    with closing(sqlite3.connect(locked / "a.db")) as connection:
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute(
            "INSERT INTO player_results (level, attempts, successes, source) VALUES ('z',9,3,'y')"
        )
        connection.commit()
        left = tmp_path / "left"
        left.mkdir()
        for name in ("a.db", "a.db-wal"):
            shutil.copyfile(locked / name, left / name)
    result = read_only(left, "players", "rates", "z", "--db", "a.db")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.split("\n")[1].split()[:4] == ["z", "-", "9", "3"]


def test_a_link_is_as_writable_as_what_it_leads_to(locked: Path, tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(locked / "a.db")
    result = read_only(locked, "results", "--db", tmp_path / "link.db")
    assert (result.returncode, result.stderr) == (0, "")
    (tmp_path / "back.db").symlink_to(locked / "b.db")
    assert (
        run("playtest", LEVEL, "--agent", "random", "--attempts", 3, "--db", tmp_path / "back.db").exit_code
        == 0
    )
    with Database(tmp_path / "back.db") as database:
        assert not database.is_read_only
        assert attempts(database).height == 3


def test_an_older_database_is_read_without_being_upgraded(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    load_older(str(folder / "a.db"), 1)
    result = read_only(folder, "results", "--db", "a.db")
    assert (result.returncode, result.stderr) == (0, "")
    assert LEVEL in result.stdout
    rates = read_only(folder, "players", "rates", "--db", "a.db")
    assert rates.returncode == 0
    assert "no results of players" in rates.stderr


# Damaged rows


@pytest.fixture
def stored(sqlite: str) -> str:
    with Database(sqlite) as database:
        playtest([LEVEL], [CoinPlayer(0.4, "random")], attempts=20, sink=Recorder(database))
        PlayerResults(database).add(FIRST)
    return sqlite


def damage(place: str, statement: str) -> None:
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        connection.execute(statement)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("reason = 'boredom'", "reason 'boredom'; expected one of"),
        ("reason = x'ff'", "reason b'\\xff'; expected a text"),
        ("goals = 'nothing'", "goals 'nothing'; expected what was done of"),
        ("goals = '{\"jelly\":1}'", "goals '{\"jelly\":1}'; expected what was done of score"),
        ("goals = ''", "goals ''; expected what was done of"),
        ("score = 'much'", "score 'much'; expected a whole number"),
        ("score = 1.5", "score 1.5; expected a whole number"),
        ("won = 7", "won 7; expected true or false"),
        ("won = 'abc'", "won 'abc'; expected true or false"),
        ("won = 1 - won", "won "),
        ("moves_made = -1", "moves_made -1; expected at least 0"),
        ("moves_left = 99999999999", "moves_left 99999999999; expected a whole number"),
        ("left_jelly = x'00'", "left_jelly b'\\x00'; expected 18 bytes"),
        ("legal_moves = 9e999", "legal_moves inf; expected a finite number"),
    ],
)
def test_a_damaged_attempt_is_a_sentence(stored: str, change: str, words: str) -> None:
    damage(stored, f"UPDATE attempts SET {change} WHERE attempt = 13")
    pages = ("playtest", LEVEL, "--agent", "random", "--attempts", 20, "--details", "--db", stored)
    row = f"{stored}: level '{LEVEL}', agent random, attempt 13: "
    complaint = run(*pages)
    assert complaint.exit_code == 2
    assert complaint.stderr.startswith(f"error: {row}{words}"), complaint.stderr
    assert complaint.stderr.endswith("; `levelsense verify` tells all that is damaged\n")
    if 'jelly":1' not in change:
        with Database(stored) as database, pytest.raises(StoreError, match="attempt 13: "):
            attempts(database, Selection())
        result = run("results", "--csv", "-", "--db", stored)
        assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("date = 'yesterday'", "date 'yesterday'; expected a date such as 2014-01-31"),
        ("date = '2014-02-30'", "date '2014-02-30'; expected a date"),
        ("attempts = 'few'", "attempts 'few'; expected a whole number"),
        ("attempts = -4", "attempts -4; expected a number of attempts"),
        ("successes = -4", "successes -4; expected at least 0"),
        ("moves_left = 9e999", "moves_left inf; expected a finite number"),
    ],
)
def test_a_damaged_result_of_a_player_is_a_sentence(stored: str, change: str, words: str) -> None:
    damage(stored, f"UPDATE player_results SET {change} WHERE player = 'bob'")
    complaint = run("players", "rates", "--db", stored)
    assert complaint.exit_code == 2
    assert complaint.stderr.startswith(f"error: {stored}: level '2', player 'bob'")
    assert words in complaint.stderr


def test_a_text_that_is_none_is_a_sentence(stored: str) -> None:
    damage(stored, "UPDATE attempts SET reason = CAST(x'ff41' AS TEXT) WHERE attempt = 13")
    complaint = run("results", "--csv", "-", "--db", stored)
    assert (complaint.exit_code, len(complaint.stderr.splitlines())) == (2, 1)
    with Database(stored) as database:
        assert len(summaries(database)) == 1


WRITING_COMMANDS = [
    ("results", (), "--csv"),
    ("results", (), "--parquet"),
    ("players rates", (), "--csv"),
    ("players simulate", (LEVEL, "--players", 2), "--attempts"),
    ("players simulate", (LEVEL, "--players", 2), "--telemetry"),
    ("fit", (LEVEL,), "--output"),
    ("report", (LEVEL,), "--output"),
    ("evaluate", (LEVEL, "--first", 1), "--report"),
    ("playtest", (LEVEL, "--attempts", 2), "--report"),
    ("predict", (LEVEL,), "--csv"),
    ("suggest", (LEVEL, "--target", "50%", "--write", 1), "--output"),
    ("tune", (LEVEL, "--target", "50%"), "--write"),
]


@pytest.mark.parametrize(("command", "words", "option"), WRITING_COMMANDS)
def test_no_output_takes_the_place_of_the_database(
    tmp_path: Path, command: str, words: tuple[object, ...], option: str
) -> None:
    path = tmp_path / "x.csv"
    with Database(path) as database:
        PlayerResults(database).add(FIRST)
    before = path.read_bytes()
    (tmp_path / "link.csv").symlink_to(path)
    (tmp_path / "hard.csv").hardlink_to(path)
    for name in ("x.csv", "link.csv", "hard.csv", "x.csv-wal", "x.csv-journal", "x.csv-shm"):
        assert_complaint(
            run(*command.split(), *words, "--db", path, option, tmp_path / name),
            f"{name}: for {option} and for the database; expected two files",
        )
    for place in (f"sqlite:///{path}", f"sqlite:///file:{path}?uri=true", tmp_path / "link.csv"):
        assert_complaint(run(*command.split(), *words, "--db", place, option, path), "x.csv: for ")
    assert path.read_bytes() == before


@pytest.mark.parametrize(("command", "words", "option"), WRITING_COMMANDS)
def test_no_output_has_the_name_of_a_database_to_make(
    tmp_path: Path, command: str, words: tuple[object, ...], option: str
) -> None:
    path = tmp_path / "x.csv"
    assert_complaint(run(*command.split(), *words, "--db", path, option, path), "x.csv: for ")
    assert list(tmp_path.iterdir()) == []


def test_an_export_writes_two_files(tmp_path: Path) -> None:
    with Database(tmp_path / "x.db"):
        pass
    for csv, parquet in (("-", "-"), (tmp_path / "x", tmp_path / "x"), (tmp_path / "x", f"{tmp_path}/./x")):
        assert_complaint(
            run("results", "--db", tmp_path / "x.db", "--csv", csv, "--parquet", parquet),
            ": for --csv and for --parquet; expected two files",
        )
    assert [path.name for path in tmp_path.iterdir()] == ["x.db"]


def test_every_command_that_writes_files_beside_a_database_is_tried() -> None:
    """A new option for an output belongs to WRITING_COMMANDS."""
    files = {
        (name, parameter.opts[0])
        for name, command in COMMANDS.items()
        for parameter in command.params
        if parameter.metavar == "FILE" and any("--db" in other.opts for other in command.params)
    }
    read = ("--db", "--model", "--prior", "file", "files")
    outputs = {(name, option) for name, option in files if option not in read}
    assert outputs == {(command, option) for command, _, option in WRITING_COMMANDS}
