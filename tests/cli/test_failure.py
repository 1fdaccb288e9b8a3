"""An error that nobody foresaw: a line, a log, and no traceback on the screen."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from levelsense.cli.terminal.failure import failure_words

PROGRAM = """
import sys, threading
import typer
from levelsense.cli import app, main

@app.command()
def stumble() -> None:
    raise KeyError("nobody thought of it, postgresql://me:secret@host/db")

@app.command()
def repeat(db: str = typer.Option()) -> None:
    raise ValueError(f"{db} and {db!r}")

@app.command()
def read() -> None:
    open("no\\x1b[2J/where")

@app.command()
def thread() -> None:
    thread = threading.Thread(target=lambda: 1 // 0)
    thread.start()
    thread.join()

sys.argv[0] = "levelsense"
main()
"""


def failing(command: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, command, *words],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=60,
    )


def test_a_line_and_a_log(tmp_path: Path) -> None:
    done = failing("stumble", LEVELSENSE_CACHE_DIR=str(tmp_path))
    (log,) = (tmp_path / "logs").iterdir()
    assert done.returncode == 3
    assert done.stderr == (
        "error: levelsense failed: KeyError: 'nobody thought of it, postgresql://me:***@host/db'; "
        f"the details are in {log}\n"
    )
    assert done.stdout == ""
    text = log.read_text()
    assert "Traceback" in text
    assert "in stumble" in text
    assert "secret" not in text


def test_the_path_is_named(tmp_path: Path) -> None:
    done = failing("read", LEVELSENSE_CACHE_DIR=str(tmp_path))
    assert done.returncode == 3
    assert done.stderr.startswith("error: no␛[2J/where: No such file or directory; the details are in ")


def test_a_thread(tmp_path: Path) -> None:
    done = failing("thread", LEVELSENSE_CACHE_DIR=str(tmp_path))
    assert done.stderr.startswith("error: levelsense failed: ZeroDivisionError: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_log_in_a_temporary_folder_where_there_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = failing("stumble", LEVELSENSE_CACHE_DIR=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    private = tmp_path / f"levelsense-{os.getuid()}"
    (log,) = (private / "logs").iterdir()
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert done.stderr.endswith(f"the details are in {log}\n")
    assert len(done.stderr.splitlines()) == 1


def test_old_logs_go(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(25):
        (logs / f"levelsense-20200101-{number:06}-1.log").touch()
    (logs / "mine.log").touch()
    failing("stumble", LEVELSENSE_CACHE_DIR=str(tmp_path))
    assert len(list(logs.glob("levelsense-*.log"))) == 20
    assert (logs / "mine.log").exists()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "there is not enough memory; no log could be written"),
        (RuntimeError(), "levelsense failed: RuntimeError; no log could be written"),
        (RuntimeError("one\ntwo"), "levelsense failed: RuntimeError: one; no log could be written"),
        (OSError(28, "No space left on device"), "No space left on device; no log could be written"),
    ],
)
def test_words(error: Exception, words: str) -> None:
    assert failure_words(error, None) == words


@pytest.mark.parametrize(
    "place",
    [
        "postgresql://u@127.0.0.1:1/db?password=sesam\udcff&connect_timeout=1",
        "postgresql://u@h/db?sslpassword=sesam",
        "postgresql://u:pa/sesam@h/db",
        "postgresql://u:pa sesam@h/db",
        "host=h password=sesam",
    ],
)
@pytest.mark.parametrize("option", [["--db", "{}"], ["--db={}"]])
def test_no_secret_of_a_url_is_said_or_logged(tmp_path: Path, place: str, option: list[str]) -> None:
    """Neither as it was typed, nor as the error repeats it."""
    words = [word.format(place) for word in option]
    done = failing("repeat", *words, LEVELSENSE_CACHE_DIR=str(tmp_path))
    (log,) = (tmp_path / "logs").iterdir()
    text = log.read_text()
    assert done.returncode == 3
    assert "\nlevelsense repeat " in text
    assert "in repeat" in text
    assert "sesam" not in done.stderr + text


def test_a_log_that_nobody_else_can_read_where_the_temporary_folder_is_another_users(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    others = tmp_path / f"levelsense-{os.getuid()}"
    others.mkdir()
    others.chmod(0o777)
    done = failing("stumble", LEVELSENSE_CACHE_DIR=str(tmp_path / "file"), TMPDIR=str(tmp_path))
    (log,) = tmp_path.glob("*.log")
    assert done.stderr.endswith(f"the details are in {log}\n")
    assert len(done.stderr.splitlines()) == 1
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert list(others.iterdir()) == []
