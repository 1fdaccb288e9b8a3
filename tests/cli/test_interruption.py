"""Ctrl-C ends any run, whatever its kernels do; in processes of their own."""

import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from levelsense.cli.terminal.interruption import STOP_SECONDS, _stop_seconds

PATIENCE_SECONDS = 60

# A command of a test, with a kernel that never returns.
PROGRAM = """
import sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from levelsense.cli import app, main
from levelsense.cli.terminal.interruption import Interruption
from levelsense.kernel import kernel

@kernel
def never_return(cells, begun):
    begun[0] = 1
    while cells[0] == 0:
        cells[1] += 1
    return cells[1]

def hang(begun):
    never_return(np.zeros(2, np.int64), begun)

def begin(begun):
    never_return(np.ones(2, np.int64), begun)  # compiles it, if no test has before
    print("begun", flush=True)

@app.command()
def on_the_main_thread() -> None:
    begun = np.zeros(1, np.int64)
    begin(begun)
    hang(begun)

@app.command()
def on_a_worker() -> None:
    begun = np.zeros(1, np.int64)
    begin(begun)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(hang, begun).result()

@app.command()
def with_something_to_keep() -> None:
    begun = np.zeros(1, np.int64)
    with Interruption("interrupted: what was finished is kept"):
        begin(begun)
        hang(begun)

@app.command()
def on_a_worker_with_something_to_keep() -> None:
    begun = np.zeros(1, np.int64)
    with Interruption("interrupted: what was finished is kept"), ThreadPoolExecutor(1) as pool:
        begin(begun)
        pool.submit(hang, begun).result()

@app.command()
def that_stops_by_itself() -> None:
    interruption = Interruption("interrupted: too late")
    with interruption:
        print("begun", flush=True)
        interruption.stop.wait()
        import time
        time.sleep(0.2)
    interruption.conclude("interrupted: in time")
    sys.exit(130)

sys.argv[0] = "levelsense"
main()
"""


def interrupted(command: str, signals: int = 1, **environment: str) -> tuple[int, str]:
    """Sends Ctrl-C once a command is under way; its exit code, and what it says."""
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PROGRAM), command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            time.sleep(0.2)
            for _ in range(signals):
                process.send_signal(signal.SIGINT)
                time.sleep(0.05)
            _, said = process.communicate(timeout=PATIENCE_SECONDS)
            return process.returncode, said
        finally:
            process.kill()


@pytest.mark.parametrize("signals", [1, 2])
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("on-the-main-thread", "interrupted\n"),
        ("on-a-worker", "interrupted\n"),
        ("with-something-to-keep", "interrupted: what was finished is kept\n"),
        ("on-a-worker-with-something-to-keep", "interrupted: what was finished is kept\n"),
    ],
)
def test_a_kernel_that_never_returns_is_left(command: str, said: str, signals: int) -> None:
    assert interrupted(command, signals) == (130, said)


def test_a_command_that_stops_by_itself_has_the_last_word() -> None:
    ended = interrupted("that-stops-by-itself", LEVELSENSE_STOP_SECONDS="60")
    assert ended == (130, "interrupted: in time\n")


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [("inf", 86_400), ("1e300", 86_400), ("-inf", 0), ("nan", STOP_SECONDS), ("7", 7), ("x", STOP_SECONDS)],
)
def test_any_number_of_seconds_is_one_that_a_socket_takes(
    monkeypatch: pytest.MonkeyPatch, typed: str, seconds: float
) -> None:
    monkeypatch.setenv("LEVELSENSE_STOP_SECONDS", typed)
    assert _stop_seconds() == seconds
    with socket.socket() as ear:
        ear.settimeout(_stop_seconds())


def test_a_second_signal_ends_a_kernel_that_may_take_for_ever() -> None:
    ended = interrupted("on-the-main-thread", 2, LEVELSENSE_STOP_SECONDS="inf")
    assert ended == (130, "interrupted\n")


def test_a_program_that_is_being_loaded_is_left(tmp_path: Path) -> None:
    """No traceback of what it was importing."""
    interrupting = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(30)\n"
    (tmp_path / "typer.py").write_text(interrupting)
    done = subprocess.run(
        [sys.executable, "-m", "levelsense", "levels"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        timeout=PATIENCE_SECONDS,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")
