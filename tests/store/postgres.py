"""A PostgreSQL server of the tests' own: in a temporary folder, on a socket only, gone at the end."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "levelsense"
# Without a disk to wait for and without a network.
SETTINGS = ("listen_addresses=", "fsync=off", "synchronous_commit=off", "full_page_writes=off")


def programs() -> Path | None:
    """The folder of initdb and pg_ctl, the newest version's; None if PostgreSQL is not installed."""
    candidates = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    if not candidates and (elsewhere := shutil.which("initdb")):
        candidates = [Path(elsewhere).resolve()]
    return candidates[-1].parent if candidates else None


def _servant() -> str | None:
    """Who runs the server: it refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    users = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in users else "nobody"


@contextmanager
def server(folder_of_programs: Path) -> Iterator[str]:
    """A running server; gives the URL of its one database."""
    servant = _servant()
    with tempfile.TemporaryDirectory(prefix="levelsense-pg-") as name:
        folder = Path(name)
        if servant is not None:
            shutil.chown(folder, servant)

        def call(program: str, *arguments: str) -> None:
            command = [str(folder_of_programs / program), "-D", str(folder / "data"), *arguments]
            with (folder / f"{program}.log").open("ab") as log:
                subprocess.run(
                    command,
                    user=servant,
                    cwd=folder,
                    check=True,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                )

        call("initdb", "--auth=trust", f"--username={USER}", "--no-sync", "--locale=C", "--encoding=UTF8")
        settings = " ".join(f"-c {setting}" for setting in (*SETTINGS, f"unix_socket_directories={folder}"))
        call("pg_ctl", "start", "--wait", f"--options={settings}")
        try:
            yield f"postgresql://{USER}@/postgres?host={folder}"
        finally:
            call("pg_ctl", "stop", "--mode=immediate", "--wait")
