"""Runs that end too soon, in processes of their own: killed, interrupted, or several at once."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from sqlalchemy import func, select, text

from levelsense.playtest import playtest
from levelsense.store import Database, attempts, runs
from levelsense.store.schema import ATTEMPTS

LEVEL, ATTEMPTS_ASKED = "30-grand-tour", 8_000
PATIENCE_SECONDS = 120
# On a busy machine it takes its time to stop by itself, which is what these tests are about.
ENVIRONMENT = {**os.environ, "LEVELSENSE_STOP_SECONDS": str(PATIENCE_SECONDS)}


@cache
def uninterrupted(count: int = ATTEMPTS_ASKED, seed: int = 0) -> pl.DataFrame:
    return playtest([LEVEL], ["random"], attempts=count, seed=seed).attempts


@contextmanager
def running(place: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "levelsense", "playtest", LEVEL, "--agent", "random", "--db", place]
    with subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def count_stored(place: str) -> int:
    """How many attempts are in a database; none if it is not there yet."""
    if "://" not in place and not Path(place).exists():
        return 0
    with Database(place) as database, database.reading() as connection:
        return connection.execute(select(func.count()).select_from(ATTEMPTS)).scalar_one()


def wait_for_more(place: str, process: subprocess.Popen[str], before: int) -> None:
    """Waits until a process has stored something, or is done."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and count_stored(place) <= before:
        assert time.monotonic() < deadline, "it stores nothing"
        time.sleep(0.04)


def check_whole(place: str) -> pl.DataFrame:
    """The attempts of a database, after checking that it is sound."""
    with Database(place) as database:
        if database.is_sqlite:
            with database.reading() as connection:
                assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"
        return attempts(database)


def test_killed_at_random_moments_and_started_again(place: str) -> None:
    """What was stored stays, nothing is stored twice, and the end is that of a run that nobody killed."""
    expected, moments = uninterrupted(), random.Random(2)
    kills = 0
    for _ in range(3):
        before = count_stored(place)
        with running(place, "--attempts", str(ATTEMPTS_ASKED)) as process:
            wait_for_more(place, process, before)
            time.sleep(moments.uniform(0, 0.1))
            process.kill()
            kills += process.wait() == -signal.SIGKILL
        stored = check_whole(place)
        assert stored.height > before
        assert stored.equals(expected.join(stored.select("attempt"), on="attempt", how="semi"))
    assert kills >= 2
    with running(place, "--attempts", str(ATTEMPTS_ASKED)) as process:
        assert process.wait(PATIENCE_SECONDS) == 0
    assert check_whole(place).equals(expected)
    with Database(place) as database:
        assert [run.finished is not None for run in runs(database)][-1]


def test_killed_before_it_began(sqlite: str) -> None:
    """Also while the tables are being made."""
    for milliseconds in (800, 1000):
        with running(sqlite, "--attempts", "50") as process:
            time.sleep(milliseconds / 1000)
            process.kill()
            process.wait()
    with running(sqlite, "--attempts", "50") as process:
        assert process.wait(PATIENCE_SECONDS) == 0
    assert check_whole(sqlite).equals(uninterrupted(50))


def test_ctrl_c_keeps_what_was_played_and_says_how_to_go_on(sqlite: str) -> None:
    with running(sqlite, "--attempts", str(ATTEMPTS_ASKED)) as process:
        wait_for_more(sqlite, process, 100)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE_SECONDS)
    stored = check_whole(sqlite).height
    assert process.returncode == 130
    assert 100 < stored < ATTEMPTS_ASKED
    assert said == (
        f"interrupted: {stored:,} attempts are kept in {sqlite}; the same command goes on from there\n"
    )
    with running(sqlite, "--attempts", str(stored + 10)) as process:
        assert process.wait(PATIENCE_SECONDS) == 0
    assert check_whole(sqlite).equals(uninterrupted().head(stored + 10))


def test_several_programs_may_write_at_once(place: str) -> None:
    """Two that want the same, and one that wants something else, into a database that none has made yet."""
    options = [("--seed", "0"), ("--seed", "0"), ("--seed", "1")]
    with (
        running(place, "--attempts", "1500", *options[0]) as one,
        running(place, "--attempts", "1500", *options[1]) as same,
        running(place, "--attempts", "1500", *options[2]) as other,
    ):
        for process in (one, same, other):
            _, said = process.communicate(timeout=PATIENCE_SECONDS)
            assert (process.returncode, said) == (0, "")
    expected = pl.concat([uninterrupted(1500), uninterrupted(1500, 1)])
    assert check_whole(place).equals(expected)


def interrupt(process: subprocess.Popen[str], times: int, pause: float) -> str:
    """Sends Ctrl-C so many times, and gives what the process says on stderr."""
    for _ in range(times):
        process.send_signal(signal.SIGINT)
        time.sleep(pause)
    _, said = process.communicate(timeout=PATIENCE_SECONDS)
    return said


def test_a_second_ctrl_c_leaves_at_once(sqlite: str) -> None:
    with running(sqlite, "--attempts", str(ATTEMPTS_ASKED)) as process:
        wait_for_more(sqlite, process, 0)
        said = interrupt(process, times=2, pause=0.02)
    assert process.returncode == 130
    assert said.startswith("interrupted: ")
    assert len(said.splitlines()) == 1


def test_a_second_ctrl_c_does_not_wait_for_an_attempt_under_way(sqlite: str) -> None:
    """Attempts of ten seconds a move and more: the first Ctrl-C lets them go on, the second does not."""
    with running(sqlite, "--attempts", "4", "--agent", "mcts:seconds=10") as process:
        wait_for_more(sqlite, process, 3)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert process.poll() is None
        said = interrupt(process, times=1, pause=0)
    assert time.monotonic() - start < 5
    assert process.returncode == 130
    assert said == (
        f"interrupted: what was finished is kept in {sqlite}; the same command goes on from there\n"
    )
    assert check_whole(sqlite).height == 4


@pytest.mark.parametrize("pause", [0.0, 0.001, 0.01])
def test_however_often_ctrl_c_comes_it_ends_with_one_line(sqlite: str, pause: float) -> None:
    """Also while the last line is written, and on the way out."""
    with running(sqlite, "--attempts", str(ATTEMPTS_ASKED)) as process:
        wait_for_more(sqlite, process, 0)
        said = interrupt(process, times=200, pause=pause)
    assert process.returncode == 130
    assert said.startswith("interrupted: ")
    assert len(said.splitlines()) == 1
    stored = check_whole(sqlite)
    assert stored.equals(uninterrupted().join(stored.select("attempt"), on="attempt", how="semi"))
