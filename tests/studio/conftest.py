"""The studio for tests: in this process for requests, as a process for the browser and for kills."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.testclient import TestClient

from levelsense import Lab
from levelsense.studio.app import create_app
from levelsense.studio.context import Studio
from levelsense.studio.folder import LevelFolder
from levelsense.studio.guard import Access

PORT = 8350
BASE = f"http://127.0.0.1:{PORT}"
expect.set_options(timeout=60_000)  # these machines are shared, and the first attempt may compile


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    """A studio with a database and an empty folder of levels."""
    with Lab(tmp_path / "studio.db") as lab:
        yield Studio(lab, LevelFolder(tmp_path / "levels"), threads=1)


@pytest.fixture
def client(studio: Studio) -> Iterator[TestClient]:
    """Requests to a studio in this process."""
    with TestClient(
        create_app(studio, Access(PORT)), base_url=BASE, raise_server_exceptions=False
    ) as requests:
        yield requests


@dataclass
class StudioProcess:
    """A studio as users start it: a process with a folder and a database."""

    folder: Path
    process: subprocess.Popen[bytes] | None = None
    url: str = ""
    threads: int | None = 1

    @property
    def levels(self) -> Path:
        return self.folder / "levels"

    @property
    def database(self) -> Path:
        return self.folder / "studio.db"

    def start(self, port: int = 0) -> None:
        """Starts it, and waits until it says where it is."""
        command = [sys.executable, "-m", "levelsense", "studio", "--no-browser", "--port", str(port)]
        command += ["--levels", str(self.levels), "--db", str(self.database)]
        command += [] if self.threads is None else ["--threads", str(self.threads)]
        log = self.folder / f"studio-{time.monotonic_ns()}.log"
        with log.open("w") as output:
            self.process = subprocess.Popen(command, stderr=output, cwd=self.folder)
        while self.process.poll() is None:
            if match := re.search(r"http://\S+/", log.read_text()):
                self.url = match[0]
                return
            time.sleep(0.05)
        pytest.fail(f"the studio did not start: {log.read_text()}")

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        """Ends it as a power cut would."""
        if self.process is not None:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self) -> int:
        """Ends it by Ctrl-C; gives its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=30)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioProcess]:
    """A studio that runs in a process of its own, shared by tests: each has levels of its own names."""
    yield from running(tmp_path_factory.mktemp("studio"))


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[StudioProcess]:
    """A studio for one test alone, which may kill it."""
    yield from running(tmp_path)


def running(folder: Path) -> Iterator[StudioProcess]:
    """A studio that is ended at last."""
    process = StudioProcess(folder)
    process.start()
    yield process
    process.kill()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a laptop's size that must not complain: an error of a script fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on(
        "console",
        lambda message: errors.append(message.text) if "Content Security Policy" in message.text else None,
    )
    yield opened
    context.close()
    assert not errors, errors


def cell_point(page: Page, cell: str) -> tuple[float, float]:
    """The middle of a cell of the editor's board on the screen."""
    row, column = int(cell[1:]) - 1, "abcdefghijkl".index(cell[0])
    point = page.evaluate(
        """([row, column]) => {
            const board = document.querySelector("[data-testid=board] svg");
            const point = new DOMPoint(20 + 40 * (column + 0.5), 20 + 40 * (row + 0.5));
            const { x, y } = point.matrixTransform(board.getScreenCTM());
            return [x, y];
        }""",
        [row, column],
    )
    return point[0], point[1]
