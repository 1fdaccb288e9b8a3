"""How much memory a playtest needs to go on from stored attempts, and an export of them.

    python benchmarks/store_memory.py            # 10 million attempts: 3 GB of disk, some minutes
    python benchmarks/store_memory.py 100000

A database is made of real attempts that are stored over and over under other numbers, in a temporary folder
(TMPDIR). Each command then runs in a process of its own, whose largest resident memory the system tells.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

LEVEL, AGENT = "24-hourglass", "random"
PLAYED = 1000
COLUMNS = (
    "won, reason, score, stars, moves_made, moves_left, time_left, least_time, shuffles, longest_cascade, "
    "striped, wrapped, color_bomb, legal_moves, goals, left_jelly, left_blocker, left_ingredient"
)


def levelsense(*arguments: object) -> tuple[float, float]:
    """Runs a command; its largest resident memory in MB, and its seconds."""
    command = [sys.executable, "-m", "levelsense", *map(str, arguments)]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{command} ended with {process.returncode}"
    return usage.ru_maxrss / 1024, time.perf_counter() - start


def fill(path: Path, attempts: int) -> None:
    """Makes a database of so many attempts."""
    levelsense("playtest", LEVEL, "--agent", AGENT, "--attempts", min(PLAYED, attempts), "--db", path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("CREATE TEMP TABLE played AS SELECT * FROM attempts ORDER BY attempt")
        with connection:
            connection.executemany(
                f"INSERT INTO attempts (level, agent, rules, seed, attempt, {COLUMNS}) "
                f"SELECT level, agent, rules, seed, attempt + ?1, {COLUMNS} FROM played "
                "WHERE attempt + ?1 < ?2",
                ((first, attempts) for first in range(PLAYED, attempts, PLAYED)),
            )
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def main(attempts: int) -> None:
    """Prints a line for each command."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.db"
        fill(path, attempts)
        print(f"{attempts:,} attempts, {path.stat().st_size / 1e9:.2f} GB")
        playtest = ("playtest", LEVEL, "--agent", AGENT, "--db", path)
        more = ("--precision", 0.001, "--ceiling", attempts, "--attempts", attempts)
        for name, command in {
            "the same playtest again": (*playtest, "--attempts", attempts),
            "the same with a precision": (*playtest, *more),
            "half of them": (*playtest, "--attempts", attempts // 2),
            "results": ("results", "--db", path),
            "results --csv": ("results", "--db", path, "--csv", Path(folder) / "out.csv"),
            "results --parquet": ("results", "--db", path, "--parquet", Path(folder) / "out.parquet"),
            # Nothing is played again: these attempts are not those of their numbers.
            "verify --sample 0": ("verify", "--db", path, "--sample", 0),
        }.items():
            megabytes, seconds = levelsense(*command)
            print(f"{name:27}{megabytes:8,.0f} MB{seconds:8,.0f} s", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
