"""docs/studio-api.md: its commands run as they stand, and it names every status that there is."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.studio.conftest import StudioProcess
from tests.test_docs import ROOT, blocks

PAGE = (ROOT / "docs" / "studio-api.md").read_text()
SOURCES = (ROOT / "src" / "levelsense" / "studio").glob("*.py")


def run(command: str, folder: Path, before: str = "") -> str:
    """What a block of commands prints; it fails if any of them fails."""
    script = f"set -euo pipefail\n{before}\n{command}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.skipif(not all(map(shutil.which, ("bash", "curl", "jq"))), reason="needs bash, curl and jq")
def test_every_command_of_the_page_runs(own_server: StudioProcess, tmp_path: Path) -> None:
    folder = tmp_path / "requests"
    folder.mkdir()
    first, *commands = blocks(PAGE, "bash")
    assert "STUDIO=http://127.0.0.1:8350\n" in first
    before = first.replace("http://127.0.0.1:8350", own_server.url.rstrip("/"))
    printed = {command: run(command, folder, before) for command in commands}

    def said(part: str) -> str:
        (command,) = [one for one in printed if part in one]
        return printed[command]

    (shown,) = blocks(PAGE, "json")
    assert said(".level.goals") == shown
    assert "expected" in said('{\\"moves\\": 5}')
    assert '"verdict": "easier"' in said("/api/predict ")
    assert said("/api/estimate").count("event: figure") == 3
    assert said("/api/suggest").splitlines()[-2:] == ["event: result", "event: done"]
    assert '"agent": "heuristic", "attempts": 100' in said("/api/playtest")
    assert "random 100 of" not in said("/api/results")
    assert "heuristic " in said("/api/results")
    assert "my-level My level" in said("/api/new")
    conflict = said("If-Match").splitlines()
    assert "another version" in conflict[-2]
    assert conflict[-1] == "1"
    saga = said("/api/saga/predict")
    assert '"levels": 1, "skipped": 0' in saga
    assert saga.splitlines()[-2] == "level,rate"
    assert (folder / "report.html").read_text().startswith("<!DOCTYPE html")
    assert int(said("/moves")) == 27
    attempts = said("/api/telemetry/attempts.csv").splitlines()
    assert attempts[0] == "Ada 12-locked-up 1 move"
    assert attempts[2] == "2"  # a line of names and one of a move


def test_every_status_is_on_the_page() -> None:
    text = "".join(path.read_text() for path in SOURCES)
    raised = set(re.findall(r"(?:RequestError|HTTPException)\(\s*(4\d\d)", text))
    listed = set(re.findall(r"\b4\d\d\b", "\n".join(re.findall(r"^\| (.*?) \|", PAGE, re.MULTILINE))))
    assert raised - {"400"} == listed
